//! Asking the library which algorithms it proposes.

use std::ffi::c_int;

use cublaslt_sys as sys;

use super::AlgorithmConfig;
use crate::descriptor::{MatmulDesc, MatrixLayout, Preference};
use crate::error::{Error, Result, cublas};
use crate::handle::Handle;

/// The most candidates that one question is answered with; the library gives no more however many are asked for.
pub const MAX_CANDIDATES: usize = 8;

/// An algorithm with its configuration (`cublasLtMatmulAlgo_t`). It belongs to one library version and GPU.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm(sys::cublasLtMatmulAlgo_t);

impl Algorithm {
    /// The algorithm, for calls that this crate does not have.
    #[must_use]
    pub fn raw(&self) -> &sys::cublasLtMatmulAlgo_t {
        &self.0
    }

    /// How it is configured.
    ///
    /// # Errors
    ///
    /// The library's own error.
    pub fn config(&self) -> Result<AlgorithmConfig> {
        AlgorithmConfig::of(self)
    }
}

/// What the heuristic proposes: an algorithm and what it needs.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Workspace it needs, in bytes.
    pub workspace_bytes: usize,
    /// How many times the GPU is filled with thread blocks; less than 1 leaves part of it idle.
    pub waves: f32,
}

/// The layouts of the four matrices, column-major as the library sees them.
#[derive(Debug)]
pub struct Layouts {
    /// A, before its transpose.
    pub a: MatrixLayout,
    /// B, before its transpose.
    pub b: MatrixLayout,
    /// C.
    pub c: MatrixLayout,
    /// D.
    pub d: MatrixLayout,
}

/// The library's proposals, best first by its estimate (`cublasLtMatmulAlgoGetHeuristic`); never empty.
///
/// # Errors
///
/// [`crate::ErrorKind::NotSupported`] if there is none, or the library's own error.
pub fn heuristics(
    handle: &Handle,
    desc: &MatmulDesc,
    layouts: &Layouts,
    preference: &Preference,
) -> Result<Vec<Candidate>> {
    const CALL: &str = "cublasLtMatmulAlgoGetHeuristic";
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // it is 8
    const REQUESTED: c_int = MAX_CANDIDATES as c_int;
    // SAFETY: a struct of plain numbers, for which all zero is a value.
    let empty: sys::cublasLtMatmulHeuristicResult_t = unsafe { std::mem::zeroed() };
    let mut results = [empty; MAX_CANDIDATES];
    let mut found = 0;
    let _current = handle.device().make_current()?;
    // SAFETY: handle, descriptors and preference are live, and the array has room for as many as are asked for.
    let status = unsafe {
        sys::cublasLtMatmulAlgoGetHeuristic(
            handle.raw(),
            desc.raw(),
            layouts.a.raw(),
            layouts.b.raw(),
            layouts.c.raw(),
            layouts.d.raw(),
            preference.raw(),
            REQUESTED,
            results.as_mut_ptr(),
            &raw mut found,
        )
    };
    let none =
        || Error::not_supported(CALL, format!("{status:?} ({}): no algorithm for this problem", status.0));
    if status == sys::cublasStatus_t::CUBLAS_STATUS_NOT_SUPPORTED {
        return Err(none());
    }
    cublas(CALL, status)?;
    let found = usize::try_from(found).unwrap_or(0).min(MAX_CANDIDATES);
    let candidates: Vec<Candidate> = results[..found]
        .iter()
        .filter(|result| result.state == sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS)
        .map(|result| Candidate {
            algorithm: Algorithm(result.algo),
            workspace_bytes: result.workspaceSize,
            waves: result.wavesCount,
        })
        .collect();
    if candidates.is_empty() { Err(none()) } else { Ok(candidates) }
}
