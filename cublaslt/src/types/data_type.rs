//! Element types as the library names them.

use super::newtype;

newtype! {
    /// The type of a matrix's elements, of a bias, or of alpha and beta: `cudaDataType_t`.
    DataType(cudaDataType_t) {
        /// 64-bit IEEE float.
        F64 = CUDA_R_64F, "f64";
        /// 32-bit IEEE float.
        F32 = CUDA_R_32F, "f32";
        /// 16-bit IEEE float.
        F16 = CUDA_R_16F, "f16";
        /// 16-bit float with the exponent of `f32` and 7 fraction bits.
        BF16 = CUDA_R_16BF, "bf16";
        /// 8-bit float, 4 exponent and 3 fraction bits, no infinities; largest finite value 448.
        F8E4M3 = CUDA_R_8F_E4M3, "f8e4m3";
        /// 8-bit float, 5 exponent and 2 fraction bits; largest finite value 57344.
        F8E5M2 = CUDA_R_8F_E5M2, "f8e5m2";
        /// 8-bit power of two, the scale of MX formats.
        F8UE8M0 = CUDA_R_8F_UE8M0, "f8ue8m0";
        /// 4-bit float, 2 exponent and 1 fraction bit, two to a byte.
        F4E2M1 = CUDA_R_4F_E2M1, "f4e2m1";
        /// 8-bit signed integer.
        I8 = CUDA_R_8I, "i8";
        /// 8-bit unsigned integer.
        U8 = CUDA_R_8U, "u8";
        /// 32-bit signed integer.
        I32 = CUDA_R_32I, "i32";
        /// Complex of two `f32`, interleaved.
        C32F = CUDA_C_32F, "c32f";
        /// Complex of two `f64`, interleaved.
        C64F = CUDA_C_64F, "c64f";
        /// Complex of two `f16`, interleaved or planar.
        C16F = CUDA_C_16F, "c16f";
        /// Complex of two `bf16`, interleaved or planar.
        C16BF = CUDA_C_16BF, "c16bf";
        /// Complex of two 8-bit signed integers.
        C8I = CUDA_C_8I, "c8i";
    }
}

impl DataType {
    /// Size of one element in bits, or `None` for a type this crate does not know.
    #[must_use]
    pub const fn bits(self) -> Option<u32> {
        Some(match self {
            Self::F4E2M1 => 4,
            Self::F8E4M3 | Self::F8E5M2 | Self::F8UE8M0 | Self::I8 | Self::U8 => 8,
            Self::F16 | Self::BF16 | Self::C8I => 16,
            Self::F32 | Self::I32 | Self::C16F | Self::C16BF => 32,
            Self::F64 | Self::C32F => 64,
            Self::C64F => 128,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_types_print_short_and_unknown_ones_as_numbers() {
        assert_eq!(DataType::BF16.to_string(), "bf16");
        let unknown = DataType::from_raw(cublaslt_sys::cudaDataType_t(999));
        assert!(unknown.to_string().contains("999"), "{unknown}");
        assert_eq!(unknown.bits(), None);
    }
}
