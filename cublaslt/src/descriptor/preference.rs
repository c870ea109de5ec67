//! What the heuristic may choose from.

use cublaslt_sys as sys;

use super::{attributes, descriptor};
use crate::error::{Result, cublas, loaded};
use crate::types::{ReductionSchemes, SearchMode};

descriptor! {
    /// A heuristic preference (`cublasLtMatmulPreference_t`).
    Preference(cublasLtMatmulPreference_t), cublasLtMatmulPreferenceAttributes_t,
    cublasLtMatmulPreferenceSetAttribute, cublasLtMatmulPreferenceGetAttribute, cublasLtMatmulPreferenceDestroy
}

impl Preference {
    /// A new preference: no workspace, 256-byte aligned operands (`cublasLtMatmulPreferenceCreate`).
    ///
    /// # Errors
    ///
    /// The libraries are missing, or the library's own error.
    pub fn new() -> Result<Self> {
        loaded()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { sys::cublasLtMatmulPreferenceCreate(&raw mut raw) };
        cublas("cublasLtMatmulPreferenceCreate", status)?;
        Ok(Self { raw })
    }
}

attributes! { Preference, cublasLtMatmulPreferenceAttributes_t;
    /// How far the heuristic searches. Default: best fit.
    search_mode, set_search_mode: SearchMode = CUBLASLT_MATMUL_PREF_SEARCH_MODE;
    /// Largest workspace in bytes. Default: 0.
    max_workspace_bytes, set_max_workspace_bytes: u64 = CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
    /// Ways of adding up a split-K product that are allowed. Default: all.
    reduction_scheme_mask, set_reduction_scheme_mask: ReductionSchemes = CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK;
    /// Alignment of A's pointer in bytes. Default: 256.
    min_alignment_a_bytes, set_min_alignment_a_bytes: u32 = CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
    /// Alignment of B's pointer in bytes. Default: 256.
    min_alignment_b_bytes, set_min_alignment_b_bytes: u32 = CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES;
    /// Alignment of C's pointer in bytes. Default: 256.
    min_alignment_c_bytes, set_min_alignment_c_bytes: u32 = CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES;
    /// Alignment of D's pointer in bytes. Default: 256.
    min_alignment_d_bytes, set_min_alignment_d_bytes: u32 = CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES;
    /// Largest number of waves of thread blocks; 0 is no limit. Default: 0.
    max_waves_count, set_max_waves_count: f32 = CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT;
    /// Numerical implementations that are allowed, bits of `CUBLASLT_NUMERICAL_IMPL_FLAGS_*`. Default: all.
    impl_mask, set_impl_mask: u64 = CUBLASLT_MATMUL_PREF_IMPL_MASK;
    /// Average length of the sums of a grouped batch. Default: 0.
    grouped_average_reduction_dim, set_grouped_average_reduction_dim: i64 = CUBLASLT_MATMUL_PREF_GROUPED_AVERAGE_REDUCTION_DIM;
    /// Average rows of the results of a grouped batch. Default: 0.
    grouped_desc_d_average_rows, set_grouped_desc_d_average_rows: i64 = CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_ROWS;
    /// Average columns of the results of a grouped batch. Default: 0.
    grouped_desc_d_average_cols, set_grouped_desc_d_average_cols: i64 = CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_COLS;
}
