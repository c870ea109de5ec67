//! The helpers that are `static inline` in cublasLt.h: they initialise a descriptor in memory of the caller's.
//!
//! They pass the size of the newest headers' struct, which is the largest. A library whose own struct is larger
//! returns `CUBLAS_STATUS_ALLOC_FAILED`. Where the library itself creates the descriptor (`*Create`), none of this
//! matters.

use core::ffi::{c_int, c_void};

use crate::{
    cublasComputeType_t, cublasLtEmulationDesc_t, cublasLtEmulationDescInit_internal,
    cublasLtEmulationDescOpaque_t, cublasLtGroupedMatrixLayoutInit_internal, cublasLtMatmulDesc_t,
    cublasLtMatmulDescInit_internal, cublasLtMatmulDescOpaque_t, cublasLtMatmulPreference_t,
    cublasLtMatmulPreferenceInit_internal, cublasLtMatmulPreferenceOpaque_t, cublasLtMatrixLayout_t,
    cublasLtMatrixLayoutInit_internal, cublasLtMatrixLayoutOpaque_t, cublasLtMatrixTransformDesc_t,
    cublasLtMatrixTransformDescInit_internal, cublasLtMatrixTransformDescOpaque_t, cublasStatus_t,
    cudaDataType_t,
};

/// Initialises a matrix layout.
///
/// # Safety
///
/// `layout` must be to a writable `cublasLtMatrixLayoutOpaque_t`.
pub unsafe fn cublasLtMatrixLayoutInit(
    layout: cublasLtMatrixLayout_t,
    data_type: cudaDataType_t,
    rows: u64,
    cols: u64,
    ld: i64,
) -> cublasStatus_t {
    // SAFETY: the caller's memory has the size of the struct.
    unsafe {
        let size = size_of::<cublasLtMatrixLayoutOpaque_t>();
        cublasLtMatrixLayoutInit_internal(layout, size, data_type, rows, cols, ld)
    }
}

/// Initialises the layout of a grouped batch from three device arrays.
///
/// # Safety
///
/// `layout` must be to a writable `cublasLtMatrixLayoutOpaque_t`; the arrays must be as the library documents.
pub unsafe fn cublasLtGroupedMatrixLayoutInit(
    layout: cublasLtMatrixLayout_t,
    data_type: cudaDataType_t,
    group_count: c_int,
    rows_array: *const c_void,
    cols_array: *const c_void,
    ld_array: *const c_void,
) -> cublasStatus_t {
    // SAFETY: the caller's memory has the size of the struct.
    unsafe {
        let size = size_of::<cublasLtMatrixLayoutOpaque_t>();
        cublasLtGroupedMatrixLayoutInit_internal(
            layout,
            size,
            data_type,
            group_count,
            rows_array,
            cols_array,
            ld_array,
        )
    }
}

/// Initialises a matmul descriptor.
///
/// # Safety
///
/// `desc` must be to a writable `cublasLtMatmulDescOpaque_t`.
pub unsafe fn cublasLtMatmulDescInit(
    desc: cublasLtMatmulDesc_t,
    compute_type: cublasComputeType_t,
    scale_type: cudaDataType_t,
) -> cublasStatus_t {
    // SAFETY: the caller's memory has the size of the struct.
    unsafe {
        let size = size_of::<cublasLtMatmulDescOpaque_t>();
        cublasLtMatmulDescInit_internal(desc, size, compute_type, scale_type)
    }
}

/// Initialises a matrix-transform descriptor.
///
/// # Safety
///
/// `desc` must be to a writable `cublasLtMatrixTransformDescOpaque_t`.
pub unsafe fn cublasLtMatrixTransformDescInit(
    desc: cublasLtMatrixTransformDesc_t,
    scale_type: cudaDataType_t,
) -> cublasStatus_t {
    // SAFETY: the caller's memory has the size of the struct.
    unsafe {
        let size = size_of::<cublasLtMatrixTransformDescOpaque_t>();
        cublasLtMatrixTransformDescInit_internal(desc, size, scale_type)
    }
}

/// Initialises an emulation descriptor.
///
/// # Safety
///
/// `desc` must be to a writable `cublasLtEmulationDescOpaque_t`.
pub unsafe fn cublasLtEmulationDescInit(desc: cublasLtEmulationDesc_t) -> cublasStatus_t {
    // SAFETY: the caller's memory has the size of the struct.
    unsafe { cublasLtEmulationDescInit_internal(desc, size_of::<cublasLtEmulationDescOpaque_t>()) }
}

/// Initialises a heuristic preference.
///
/// # Safety
///
/// `preference` must be to a writable `cublasLtMatmulPreferenceOpaque_t`.
pub unsafe fn cublasLtMatmulPreferenceInit(preference: cublasLtMatmulPreference_t) -> cublasStatus_t {
    // SAFETY: the caller's memory has the size of the struct.
    unsafe {
        cublasLtMatmulPreferenceInit_internal(preference, size_of::<cublasLtMatmulPreferenceOpaque_t>())
    }
}
