//! The smaller enums: transposes, orders, pointer, scale and batch modes.

use super::newtype;

newtype! {
    /// What is done to an operand before the multiply: `cublasOperation_t`.
    Transpose(cublasOperation_t) {
        /// Taken as it is stored.
        N = CUBLAS_OP_N, "N";
        /// Transposed.
        T = CUBLAS_OP_T, "T";
        /// Transposed and conjugated.
        C = CUBLAS_OP_C, "C";
    }
}

newtype! {
    /// Where the elements of a matrix lie in memory: `cublasLtOrder_t`.
    Order(cublasLtOrder_t) {
        /// Columns one after another; the leading dimension is the distance between columns.
        COL = CUBLASLT_ORDER_COL, "col";
        /// Rows one after another; the leading dimension is the distance between rows.
        ROW = CUBLASLT_ORDER_ROW, "row";
        /// Column-major within blocks of 32 columns.
        COL32 = CUBLASLT_ORDER_COL32, "col32";
        /// Composite tiles of 32 columns by 8 rows, for integer tensor cores.
        COL4_4R2_8C = CUBLASLT_ORDER_COL4_4R2_8C, "col4_4r2_8c";
        /// Composite tiles of 32 columns by 32 rows, for integer tensor cores of compute capability 8.0 and later.
        COL32_2R_4R4 = CUBLASLT_ORDER_COL32_2R_4R4, "col32_2r_4r4";
    }
}

newtype! {
    /// Where alpha and beta are read from: `cublasLtPointerMode_t`.
    PointerMode(cublasLtPointerMode_t) {
        /// Both from host memory.
        HOST = CUBLASLT_POINTER_MODE_HOST, "host";
        /// Both from device memory.
        DEVICE = CUBLASLT_POINTER_MODE_DEVICE, "device";
        /// Both vectors in device memory, one value a row of D.
        DEVICE_VECTOR = CUBLASLT_POINTER_MODE_DEVICE_VECTOR, "device vector";
        /// Alpha a vector in device memory, beta zero.
        ALPHA_DEVICE_VECTOR_BETA_ZERO = CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO, "alpha device vector, beta zero";
        /// Alpha a vector in device memory, beta in host memory.
        ALPHA_DEVICE_VECTOR_BETA_HOST = CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST, "alpha device vector, beta host";
    }
}

newtype! {
    /// Which part of a matrix is used: `cublasFillMode_t`.
    FillMode(cublasFillMode_t) {
        /// The lower triangle.
        LOWER = CUBLAS_FILL_MODE_LOWER, "lower";
        /// The upper triangle.
        UPPER = CUBLAS_FILL_MODE_UPPER, "upper";
        /// All of it.
        FULL = CUBLAS_FILL_MODE_FULL, "full";
    }
}

newtype! {
    /// How the scale factors of a narrow-precision matrix are laid out: `cublasLtMatmulMatrixScale_t`.
    ScaleMode(cublasLtMatmulMatrixScale_t) {
        /// One `f32` for the whole matrix.
        SCALAR_32F = CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F, "scalar";
        /// One FP8 UE4M3 factor for 16 elements along k.
        VEC16_UE4M3 = CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3, "vec16";
        /// One UE8M0 factor for 32 elements along k.
        VEC32_UE8M0 = CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0, "vec32";
        /// One `f32` for each row of A or column of B.
        OUTER_VEC_32F = CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F, "outer vector";
        /// One `f32` for 128 elements along k.
        VEC128_32F = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F, "vec128";
        /// One `f32` for each block of 128 by 128 elements.
        BLK128X128_32F = CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F, "blk128x128";
        /// One `f32` for each matrix of a grouped batch.
        PER_BATCH_SCALAR_32F = CUBLASLT_MATMUL_MATRIX_SCALE_PER_BATCH_SCALAR_32F, "per batch";
    }
}

newtype! {
    /// How the matrices of a batch are found: `cublasLtBatchMode_t`.
    BatchMode(cublasLtBatchMode_t) {
        /// At a fixed distance from one another.
        STRIDED = CUBLASLT_BATCH_MODE_STRIDED, "strided";
        /// Through a device array of pointers.
        POINTER_ARRAY = CUBLASLT_BATCH_MODE_POINTER_ARRAY, "pointer array";
        /// Through device arrays of pointers and sizes, each matrix of its own shape.
        GROUPED = CUBLASLT_BATCH_MODE_GROUPED, "grouped";
    }
}

newtype! {
    /// Width of the integers in a grouped layout's device arrays: `cublasLtIntegerWidth_t`.
    IntegerWidth(cublasLtIntegerWidth_t) {
        /// 32-bit integers.
        BITS_32 = CUBLASLT_INTEGER_WIDTH_32, "32 bits";
        /// 64-bit integers.
        BITS_64 = CUBLASLT_INTEGER_WIDTH_64, "64 bits";
    }
}

newtype! {
    /// How far the heuristic searches: `cublasLtMatmulSearch_t`.
    SearchMode(cublasLtMatmulSearch_t) {
        /// The best algorithms for the problem.
        BEST_FIT = CUBLASLT_SEARCH_BEST_FIT, "best fit";
        /// Only the algorithm id that the first result's configuration names.
        LIMITED_BY_ALGO_ID = CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID, "limited by algorithm id";
    }
}

newtype! {
    /// Whether results may depend on the other rows of a batch: `cublasLtMatmulBatchInvarianceFlags_t`.
    BatchInvariance(cublasLtMatmulBatchInvarianceFlags_t) {
        /// They may.
        DISABLED = CUBLASLT_BATCH_INVARIANCE_DISABLED, "disabled";
        /// They do not, for tensors aligned to 2 bytes.
        ALIGN_2B = CUBLASLT_BATCH_INVARIANCE_ALIGN_2B, "2-byte alignment";
        /// They do not, for tensors aligned to 4 bytes.
        ALIGN_4B = CUBLASLT_BATCH_INVARIANCE_ALIGN_4B, "4-byte alignment";
        /// They do not, for tensors aligned to 8 bytes.
        ALIGN_8B = CUBLASLT_BATCH_INVARIANCE_ALIGN_8B, "8-byte alignment";
        /// They do not, for tensors aligned to 16 bytes.
        ALIGN_16B = CUBLASLT_BATCH_INVARIANCE_ALIGN_16B, "16-byte alignment";
        /// The alignment class is found anew for each call.
        AUTO = CUBLASLT_BATCH_INVARIANCE_AUTO, "auto";
        /// Left to the environment variable `CUBLAS_BATCH_INVARIANCE_FLAGS`.
        UNSET = CUBLASLT_BATCH_INVARIANCE_UNSET, "unset";
    }
}

newtype! {
    /// A set of ways to add up the parts of a split-K product: bits of `cublasLtReductionScheme_t`.
    ReductionSchemes(cublasLtReductionScheme_t) {
        /// No split-K.
        NONE = CUBLASLT_REDUCTION_SCHEME_NONE, "none";
        /// Added in the output buffer, in the output type.
        INPLACE = CUBLASLT_REDUCTION_SCHEME_INPLACE, "in place";
        /// Added in the workspace, in the compute type.
        COMPUTE_TYPE = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE, "compute type";
        /// Added in the workspace, in the output type.
        OUTPUT_TYPE = CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE, "output type";
        /// All of them.
        ALL = CUBLASLT_REDUCTION_SCHEME_MASK, "all";
    }
}
