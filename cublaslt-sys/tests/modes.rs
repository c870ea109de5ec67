//! Functions have the same path and type whether they are loaded or linked, and one that the library lacks says so.

use core::ffi::{c_char, c_int, c_void};

use cublaslt_sys::{
    cublasLtCreate, cublasLtEmulationDesc_t, cublasLtEmulationDescCreate, cublasLtGetStatusName,
    cublasLtGetVersion, cublasLtHandle_t, cublasStatus_t, cuda12, cudaError_t, cudaGetDeviceCount,
    cudaMalloc, cudaMemAdvise, cudaMemLocation, cudaMemoryAdvise, is_available, load,
};

/// Compiles in both modes only if the types are the same.
#[test]
fn types_are_the_same_in_both_modes() {
    let _: unsafe extern "C" fn(*mut cublasLtHandle_t) -> cublasStatus_t = cublasLtCreate;
    let _: unsafe extern "C" fn() -> usize = cublasLtGetVersion;
    let _: unsafe extern "C" fn(cublasStatus_t) -> *const c_char = cublasLtGetStatusName;
    let _: unsafe extern "C" fn(*mut cublasLtEmulationDesc_t) -> cublasStatus_t = cublasLtEmulationDescCreate;
    let _: unsafe extern "C" fn(*mut c_int) -> cudaError_t = cudaGetDeviceCount;
    let _: unsafe extern "C" fn(*mut *mut c_void, usize) -> cudaError_t = cudaMalloc;
    let _: unsafe extern "C" fn(*const c_void, usize, cudaMemoryAdvise, cudaMemLocation) -> cudaError_t =
        cudaMemAdvise;
    let _: unsafe extern "C" fn() -> cudaError_t = cuda12::cudaThreadExit;
}

/// What is available is callable, and what is not returns a status; so in both modes, and on both major versions.
#[test]
fn availability_agrees_with_calls() {
    let Ok(libraries) = load() else {
        // Without the libraries every call says that they are not there.
        let mut desc = core::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { cublasLtEmulationDescCreate(&raw mut desc) };
        assert_eq!(status, cublasStatus_t::CUBLAS_STATUS_NOT_INITIALIZED);
        assert!(!is_available("cublasLtEmulationDescCreate"));
        return;
    };
    let is_13 = libraries.cublaslt.version().major == 13;
    let mut desc = core::ptr::null_mut();
    // SAFETY: the pointer is to a live handle.
    let status = unsafe { cublasLtEmulationDescCreate(&raw mut desc) };
    if is_13 {
        assert_eq!(status, cublasStatus_t::CUBLAS_STATUS_SUCCESS);
    } else {
        assert_eq!(status, cublasStatus_t::CUBLAS_STATUS_NOT_SUPPORTED);
    }
    assert_eq!(is_available("cublasLtEmulationDescCreate"), is_13);
    assert_eq!(is_available("cudaGetDeviceProperties"), is_13);
    assert_eq!(is_available("cudaThreadExit"), !is_13);
    assert!(is_available("cudaMemAdvise"));
    assert!(!is_available("cudaNoSuchFunction"));
    if is_13 {
        // SAFETY: takes nothing, and does nothing where the function is missing.
        let status = unsafe { cuda12::cudaThreadExit() };
        assert_eq!(status, cudaError_t::cudaErrorSharedObjectSymbolNotFound);
    }
}

/// The build script is told where the libraries are, and the program runs with those.
#[cfg(feature = "linked")]
#[test]
fn the_linked_libraries_tell_their_versions() {
    let libraries = load().expect("linked libraries are there");
    let path = libraries.cublaslt.path().display().to_string();
    assert!(path.contains("libcublasLt"), "{path}");
    assert_eq!(libraries.cublaslt.version().major, libraries.cudart.version().major);
}
