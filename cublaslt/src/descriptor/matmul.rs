//! What a multiply computes: arithmetic, transposes, epilogue, scales.

use std::ffi::c_void;

use cublaslt_sys as sys;

use super::attribute::Attributes;
use super::{attributes, descriptor};
use crate::error::{Result, cublas, loaded};
use crate::types::{
    BatchInvariance, ComputeType, DataType, Epilogue, FillMode, PointerMode, ScaleMode, Transpose,
};

descriptor! {
    /// A matmul descriptor (`cublasLtMatmulDesc_t`). The library's view is column-major.
    MatmulDesc(cublasLtMatmulDesc_t), cublasLtMatmulDescAttributes_t,
    cublasLtMatmulDescSetAttribute, cublasLtMatmulDescGetAttribute, cublasLtMatmulDescDestroy
}

impl MatmulDesc {
    /// A new descriptor (`cublasLtMatmulDescCreate`). `scale` is the type of alpha and beta.
    ///
    /// # Errors
    ///
    /// The libraries are missing, or the library's own error.
    pub fn new(compute: ComputeType, scale: DataType) -> Result<Self> {
        loaded()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { sys::cublasLtMatmulDescCreate(&raw mut raw, compute.raw(), scale.raw()) };
        cublas("cublasLtMatmulDescCreate", status)?;
        Ok(Self { raw })
    }

    /// Sets the bias pointer without asking for the version, which has had it since the first supported one:
    /// this is on the path of every run.
    pub(crate) unsafe fn set_bias_pointer_unchecked(&mut self, pointer: *const c_void) -> Result<()> {
        let attribute = sys::cublasLtMatmulDescAttributes_t::CUBLASLT_MATMUL_DESC_BIAS_POINTER;
        // SAFETY: the pointer is to a pointer; the caller answers for what it points to.
        let status = unsafe { self.set_raw(attribute, (&raw const pointer).cast(), size_of_val(&pointer)) };
        cublas(Self::SET, status)
    }
}

attributes! { MatmulDesc, cublasLtMatmulDescAttributes_t;
    /// Arithmetic of products and sums.
    compute_type, set_compute_type: ComputeType = CUBLASLT_MATMUL_DESC_COMPUTE_TYPE;
    /// Type of alpha and beta. Default: what the descriptor was created with.
    scale_type, set_scale_type: DataType = CUBLASLT_MATMUL_DESC_SCALE_TYPE;
    /// Where alpha and beta are read from. Default: host.
    pointer_mode, set_pointer_mode: PointerMode = CUBLASLT_MATMUL_DESC_POINTER_MODE;
    /// What is done to A. Default: N.
    transa, set_transa: Transpose = CUBLASLT_MATMUL_DESC_TRANSA;
    /// What is done to B. Default: N.
    transb, set_transb: Transpose = CUBLASLT_MATMUL_DESC_TRANSB;
    /// What is done to C; only N is supported. Default: N.
    transc, set_transc: Transpose = CUBLASLT_MATMUL_DESC_TRANSC;
    /// Part of the matrix that is used. Default: full.
    fill_mode, set_fill_mode: FillMode = CUBLASLT_MATMUL_DESC_FILL_MODE;
    /// Operation behind the multiply. Default: DEFAULT.
    epilogue, set_epilogue: Epilogue = CUBLASLT_MATMUL_DESC_EPILOGUE;
    /// Bias vector, one element a row of the column-major D, or where the bias gradient goes. Heuristics read
    /// the pointer's alignment. Default: null.
    bias_pointer, unsafe set_bias_pointer: *const c_void = CUBLASLT_MATMUL_DESC_BIAS_POINTER;
    /// Elements from one bias vector of a batch to the next. Default: 0.
    bias_batch_stride, set_bias_batch_stride: i64 = CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE;
    /// Auxiliary matrix: ReLU's bit mask or GELU's input, written forward and read backward. Heuristics read the
    /// pointer's alignment. Default: null.
    epilogue_aux_pointer, unsafe set_epilogue_aux_pointer: *mut c_void = CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER;
    /// Leading dimension of the auxiliary matrix, at least the rows of D: in bits and a multiple of 128 for ReLU,
    /// in elements and a multiple of 8 for GELU. Default: 0.
    epilogue_aux_ld, set_epilogue_aux_ld: i64 = CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD;
    /// Distance from one auxiliary matrix of a batch to the next, in the units of its leading dimension. Default: 0.
    epilogue_aux_batch_stride, set_epilogue_aux_batch_stride: i64 = CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE;
    /// Elements from one alpha vector of a batch to the next. Default: 0.
    alpha_vector_batch_stride, set_alpha_vector_batch_stride: i64 = CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE;
    /// Number of multiprocessors to plan for; 0 is all of the GPU's. Default: 0.
    sm_count_target, set_sm_count_target: i32 = CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET;
    /// Scale factors of A, in the layout that its scale mode says. Null is 1. Default: null.
    a_scale_pointer, unsafe set_a_scale_pointer: *const c_void = CUBLASLT_MATMUL_DESC_A_SCALE_POINTER;
    /// Scale factors of B. Null is 1. Default: null.
    b_scale_pointer, unsafe set_b_scale_pointer: *const c_void = CUBLASLT_MATMUL_DESC_B_SCALE_POINTER;
    /// Scale factors of C. Null is 1. Default: null.
    c_scale_pointer, unsafe set_c_scale_pointer: *const c_void = CUBLASLT_MATMUL_DESC_C_SCALE_POINTER;
    /// Scale factors of D. Null is 1. Default: null.
    d_scale_pointer, unsafe set_d_scale_pointer: *const c_void = CUBLASLT_MATMUL_DESC_D_SCALE_POINTER;
    /// Where the largest magnitude in D is written, one value of the compute type. Null: nowhere. Default: null.
    amax_d_pointer, unsafe set_amax_d_pointer: *mut c_void = CUBLASLT_MATMUL_DESC_AMAX_D_POINTER;
    /// Element type of the auxiliary matrix; -1 is the type of D. Default: -1.
    epilogue_aux_data_type, set_epilogue_aux_data_type: DataType = CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE;
    /// Scale factor of the auxiliary matrix. Null is 1. Default: null.
    epilogue_aux_scale_pointer, unsafe set_epilogue_aux_scale_pointer: *const c_void = CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER;
    /// Where the largest magnitude in the auxiliary matrix is written. Null: nowhere. Default: null.
    epilogue_aux_amax_pointer, unsafe set_epilogue_aux_amax_pointer: *mut c_void = CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER;
    /// 1: FP8 sums are not promoted to higher precision in between, which is faster and less exact. Default: 0.
    fast_accum, set_fast_accum: i8 = CUBLASLT_MATMUL_DESC_FAST_ACCUM;
    /// Type of the bias or bias gradient; -1 is the type of D, with exceptions for integers and FP8. Default: -1.
    bias_data_type, set_bias_data_type: DataType = CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE;
    /// How A's scale factors are laid out. Default: scalar.
    a_scale_mode, set_a_scale_mode: ScaleMode = CUBLASLT_MATMUL_DESC_A_SCALE_MODE;
    /// How B's scale factors are laid out. Default: scalar.
    b_scale_mode, set_b_scale_mode: ScaleMode = CUBLASLT_MATMUL_DESC_B_SCALE_MODE;
    /// How C's scale factors are laid out. Default: scalar.
    c_scale_mode, set_c_scale_mode: ScaleMode = CUBLASLT_MATMUL_DESC_C_SCALE_MODE;
    /// How D's scale factors are laid out. Default: scalar.
    d_scale_mode, set_d_scale_mode: ScaleMode = CUBLASLT_MATMUL_DESC_D_SCALE_MODE;
    /// How the auxiliary matrix's scale factors are laid out. Default: scalar.
    epilogue_aux_scale_mode, set_epilogue_aux_scale_mode: ScaleMode = CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE;
    /// Where the scale factors that the library finds for D are written. Default: null.
    d_out_scale_pointer, unsafe set_d_out_scale_pointer: *mut c_void = CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER;
    /// How the scale factors that the library finds for D are laid out. Default: scalar.
    d_out_scale_mode, set_d_out_scale_mode: ScaleMode = CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE;
    /// How floating-point emulation works; the descriptor must outlive this one. Default: null.
    emulation_descriptor, unsafe set_emulation_descriptor: sys::cublasLtEmulationDesc_t = CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR;
    /// Elements from one alpha of a batch to the next. Default: 0.
    alpha_batch_stride, set_alpha_batch_stride: i64 = CUBLASLT_MATMUL_DESC_ALPHA_BATCH_STRIDE;
    /// Elements from one beta of a batch to the next. Default: 0.
    beta_batch_stride, set_beta_batch_stride: i64 = CUBLASLT_MATMUL_DESC_BETA_BATCH_STRIDE;
    /// Whether a row's result may depend on the other rows. Default: unset.
    batch_invariance_flags, set_batch_invariance_flags: BatchInvariance = CUBLASLT_MATMUL_DESC_BATCH_INVARIANCE_FLAGS;
    /// Chunks along D's rows that are synchronised through counters (12.2 to 12.9). Default: 0.
    atomic_sync_num_chunks_d_rows, set_atomic_sync_num_chunks_d_rows: i32 = CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_ROWS;
    /// Chunks along D's columns that are synchronised through counters (12.2 to 12.9). Default: 0.
    atomic_sync_num_chunks_d_cols, set_atomic_sync_num_chunks_d_cols: i32 = CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_COLS;
    /// Counters that the multiply waits for (12.2 to 12.9). Default: null.
    atomic_sync_in_counters_pointer, unsafe set_atomic_sync_in_counters_pointer: *mut c_void = CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_IN_COUNTERS_POINTER;
    /// Counters that the multiply counts down (12.2 to 12.9). Default: null.
    atomic_sync_out_counters_pointer, unsafe set_atomic_sync_out_counters_pointer: *mut c_void = CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_OUT_COUNTERS_POINTER;
}
