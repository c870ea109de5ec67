//! Raw FFI to cuBLASLt and the CUDA runtime.
