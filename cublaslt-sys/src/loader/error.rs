//! What is said when the libraries are not there.

use std::fmt;

/// One place that was tried, and why it did not serve.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// The file or name.
    pub what: String,
    /// The loader's words, or ours.
    pub reason: String,
}

/// The libraries could not be loaded: every place that was tried, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError {
    pub(super) attempts: Vec<Attempt>,
}

impl LoadError {
    /// Every place that was tried, in order.
    #[must_use]
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cuBLASLt and the CUDA runtime could not be loaded; tried:")?;
        for Attempt { what, reason } in &self.attempts {
            write!(f, "\n  {what}: {reason}")?;
        }
        f.write_str(
            "\nInstall them (for example: pip install nvidia-cublas nvidia-cuda-runtime), or set CUBLASLT_LIBRARY \
             and CUDART_LIBRARY to the files of the libraries",
        )
    }
}

impl std::error::Error for LoadError {}
