//! Opens the libraries at run time, or tells about those that were linked.

mod error;
#[cfg_attr(feature = "linked", path = "linked.rs")]
mod find;
mod library;
mod object;
#[cfg(not(feature = "linked"))]
mod open;
#[cfg(not(feature = "linked"))]
mod search;
#[cfg(not(feature = "linked"))]
mod symbol;

use std::sync::OnceLock;

pub use error::{Attempt, LoadError};
pub use library::Library;
#[cfg(not(feature = "linked"))]
pub(crate) use symbol::{Symbol, Table};

/// The two libraries.
#[derive(Debug)]
pub struct Libraries {
    /// cuBLASLt.
    pub cublaslt: Library,
    /// The CUDA runtime, of the major version that cuBLASLt was built for.
    pub cudart: Library,
}

/// Opens the libraries, once a process; later calls return the same answer. Under the feature `linked` they are
/// there already, and this only tells about them.
///
/// # Errors
///
/// They are not there or do not fit; the error lists every place that was tried and why it did not serve.
pub fn load() -> Result<&'static Libraries, &'static LoadError> {
    static LIBRARIES: OnceLock<Result<Libraries, LoadError>> = OnceLock::new();
    LIBRARIES.get_or_init(find::find).as_ref()
}

/// Whether the libraries have a function of these bindings with the ABI that it is declared with.
///
/// A function of [`crate::cuda12`] that the newest headers declare too is asked for in their sense.
#[must_use]
pub fn is_available(name: &str) -> bool {
    use crate::bindings::{cublaslt, cuda12, cudart};

    let Ok(libraries) = load() else { return false };
    let in_table = |table: &[(&str, Option<&'static str>)]| {
        table.iter().find(|(known, _)| *known == name).map(|(_, on_cuda12)| *on_cuda12)
    };
    let (library, row) = if name.starts_with("cublasLt") {
        (&libraries.cublaslt, in_table(cublaslt::FUNCTIONS))
    } else {
        (&libraries.cudart, in_table(cudart::FUNCTIONS))
    };
    let is_12 = library.version().major == 12;
    let symbol: Option<&str> = match row {
        Some(on_cuda12) if is_12 => on_cuda12,
        Some(_) => Some(name),
        None if is_12 => in_table(cuda12::FUNCTIONS).flatten(),
        None => None,
    };
    symbol.is_some_and(|symbol| library.symbol(symbol).is_some())
}
