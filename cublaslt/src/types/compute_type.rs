//! How products are computed and summed.

use super::newtype;

newtype! {
    /// The arithmetic of a multiply: `cublasComputeType_t`.
    ComputeType(cublasComputeType_t) {
        /// Products and sums in `f16`.
        F16 = CUBLAS_COMPUTE_16F, "16F";
        /// Products and sums in `f16`, without reordering tricks.
        F16_PEDANTIC = CUBLAS_COMPUTE_16F_PEDANTIC, "16F_PEDANTIC";
        /// Sums in `f32`: the usual choice for `f32`, `f16`, `bf16` and FP8 operands.
        F32 = CUBLAS_COMPUTE_32F, "32F";
        /// Sums in `f32`, without reordering tricks.
        F32_PEDANTIC = CUBLAS_COMPUTE_32F_PEDANTIC, "32F_PEDANTIC";
        /// `f32` operands rounded to `f16` before they are multiplied.
        F32_FAST_16F = CUBLAS_COMPUTE_32F_FAST_16F, "32F_FAST_16F";
        /// `f32` operands rounded to `bf16` before they are multiplied.
        F32_FAST_16BF = CUBLAS_COMPUTE_32F_FAST_16BF, "32F_FAST_16BF";
        /// `f32` operands rounded to TF32 (10 fraction bits) before they are multiplied on tensor cores.
        F32_FAST_TF32 = CUBLAS_COMPUTE_32F_FAST_TF32, "32F_FAST_TF32";
        /// `f32` results from nine `bf16` products.
        F32_EMULATED_16BFX9 = CUBLAS_COMPUTE_32F_EMULATED_16BFX9, "32F_EMULATED_16BFX9";
        /// Products and sums in `f64`.
        F64 = CUBLAS_COMPUTE_64F, "64F";
        /// Products and sums in `f64`, without reordering tricks.
        F64_PEDANTIC = CUBLAS_COMPUTE_64F_PEDANTIC, "64F_PEDANTIC";
        /// `f64` results from fixed-point products.
        F64_EMULATED_FIXEDPOINT = CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, "64F_EMULATED_FIXEDPOINT";
        /// Products and sums in 32-bit integers.
        I32 = CUBLAS_COMPUTE_32I, "32I";
        /// Products and sums in 32-bit integers, without reordering tricks.
        I32_PEDANTIC = CUBLAS_COMPUTE_32I_PEDANTIC, "32I_PEDANTIC";
    }
}
