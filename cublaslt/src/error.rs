//! What went wrong: which call, with what status, for which problem, on which GPU, in which library.

use std::ffi::CStr;
use std::fmt;

use cublaslt_sys as sys;

/// The result of every fallible operation of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The libraries could not be loaded.
    Library,
    /// A cuBLASLt call returned this status.
    Cublas(sys::cublasStatus_t),
    /// A CUDA runtime call returned this status.
    Cuda(sys::cudaError_t),
    /// The request is wrong in itself; nothing was asked of the library.
    Invalid,
    /// The library knows no algorithm for the problem.
    NotSupported,
    /// The loaded library is too old for what was asked.
    Version,
}

/// A failure with all that is known about it.
///
/// `Display` prints one line with the call, the status and its number or the reason, then a line each for the
/// problem, the GPU and the library, where they are known.
pub struct Error(Box<Details>);

struct Details {
    kind: ErrorKind,
    call: Option<&'static str>,
    reason: String,
    problem: Option<String>,
    gpu: Option<String>,
    library: Option<String>,
}

impl Error {
    fn new(kind: ErrorKind, call: Option<&'static str>, reason: String) -> Self {
        Self(Box::new(Details { kind, call, reason, problem: None, gpu: None, library: None }))
    }

    pub(crate) fn invalid(reason: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, None, reason.into())
    }

    pub(crate) fn not_supported(call: &'static str, reason: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotSupported, Some(call), reason.into()).with_library()
    }

    pub(crate) fn version(reason: impl Into<String>) -> Self {
        Self::new(ErrorKind::Version, None, reason.into()).with_library()
    }

    /// Adds the problem in one line, unless one is there already.
    pub(crate) fn with_problem(mut self, problem: &impl fmt::Display) -> Self {
        self.0.problem.get_or_insert_with(|| problem.to_string());
        self
    }

    /// Adds the GPU, unless one is there already.
    pub(crate) fn with_gpu(mut self, gpu: &impl fmt::Display) -> Self {
        self.0.gpu.get_or_insert_with(|| gpu.to_string());
        self
    }

    /// Adds what is known about the cause to the reason.
    pub(crate) fn because(mut self, cause: &str) -> Self {
        self.0.reason = format!("{}: {cause}", self.0.reason);
        self
    }

    fn with_library(mut self) -> Self {
        self.0.library = sys::load().ok().map(|libraries| libraries.cublaslt.to_string());
        self
    }

    /// What kind of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The C function that failed, if one was called.
    #[must_use]
    pub fn call(&self) -> Option<&'static str> {
        self.0.call
    }

    /// The status as the library names and numbers it, or the reason in words.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.0.reason
    }

    /// The problem in one line, if the failure belongs to one.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.0.problem.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details = &*self.0;
        if let Some(call) = details.call {
            write!(f, "{call}: ")?;
        }
        f.write_str(&details.reason)?;
        for (label, text) in
            [("problem", &details.problem), ("GPU", &details.gpu), ("library", &details.library)]
        {
            if let Some(text) = text {
                write!(f, "\n  {label}: {text}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl std::error::Error for Error {}

impl From<&sys::LoadError> for Error {
    fn from(error: &sys::LoadError) -> Self {
        Self::new(ErrorKind::Library, None, error.to_string())
    }
}

/// Holds that the libraries are loaded, so that a missing one is told as such and not as a status.
pub(crate) fn loaded() -> Result<&'static sys::Libraries> {
    sys::load().map_err(Error::from)
}

/// Turns a status of cuBLASLt into a result.
pub(crate) fn cublas(call: &'static str, status: sys::cublasStatus_t) -> Result<()> {
    if status == sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS {
        return Ok(());
    }
    let reason = format!("{status:?} ({})", status.0);
    Err(Error::new(ErrorKind::Cublas(status), Some(call), reason).with_library())
}

/// Turns a status of the CUDA runtime into a result.
pub(crate) fn cuda(call: &'static str, status: sys::cudaError_t) -> Result<()> {
    if status == sys::cudaError::cudaSuccess {
        return Ok(());
    }
    // SAFETY: the function takes any value and returns a static string or null.
    let text = unsafe { sys::cudaGetErrorString(status) };
    let mut reason = format!("{status:?} ({})", status.0);
    if !text.is_null() {
        // SAFETY: a non-null result is a C string that lives as long as the library, which is never unloaded.
        let text = unsafe { CStr::from_ptr(text) };
        reason = format!("{reason}, {}", text.to_string_lossy());
    }
    Err(Error::new(ErrorKind::Cuda(status), Some(call), reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_prints_each_part_it_has() {
        let error = Error::new(ErrorKind::Invalid, Some("cublasLtMatmul"), "reason".into())
            .with_problem(&"problem one")
            .with_problem(&"problem two")
            .with_gpu(&"GPU 0");
        assert_eq!(error.to_string(), "cublasLtMatmul: reason\n  problem: problem one\n  GPU: GPU 0");
    }

    #[test]
    fn a_status_keeps_its_name_and_number() {
        let status = sys::cublasStatus_t::CUBLAS_STATUS_NOT_SUPPORTED;
        let error = cublas("cublasLtMatmul", status).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cublas(status));
        assert_eq!(error.reason(), "CUBLAS_STATUS_NOT_SUPPORTED (15)");
        assert_eq!(error.call(), Some("cublasLtMatmul"));
    }
}
