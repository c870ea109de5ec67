#pragma once
#include <stddef.h>
void *memset(void *, int, size_t);
