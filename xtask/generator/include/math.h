#pragma once
float fabsf(float);
float sqrtf(float);
double fabs(double);
double sqrt(double);
