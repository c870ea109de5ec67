//! Tells about the libraries that were linked.

use super::{Libraries, Library, LoadError};
use crate::availability::Version;
use crate::{cublasLtGetVersion, cudaRuntimeGetVersion};

/// The linked libraries; they are always there.
#[allow(clippy::unnecessary_wraps)] // the other mode can fail
pub(super) fn find() -> Result<Libraries, LoadError> {
    // SAFETY: takes nothing.
    let cublaslt = Version::from_cublaslt(unsafe { cublasLtGetVersion() });
    let mut number = 0;
    // SAFETY: the pointer is to a live integer.
    unsafe { cudaRuntimeGetVersion(&raw mut number) };
    Ok(Libraries {
        cublaslt: Library::linked("cuBLASLt", cublaslt, cublasLtGetVersion as *const () as *mut _),
        cudart: Library::linked(
            "CUDA runtime",
            Version::from_cudart(number),
            cudaRuntimeGetVersion as *const () as *mut _,
        ),
    })
}
