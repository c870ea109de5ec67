/* The only input of the binding generator (cargo xtask regen-bindings). */
#include <cublasLt.h>
#include <cuda_runtime_api.h>
