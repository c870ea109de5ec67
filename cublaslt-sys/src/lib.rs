//! Raw FFI to NVIDIA cuBLASLt and the CUDA runtime: every function, type, enumerator and constant of `cublasLt.h`
//! and `cuda_runtime_api.h`, from the headers of cuBLAS 13.10 and CUDA runtime 13.5.
//!
//! By default nothing is linked. The libraries are opened at the first call, and each function is looked up when
//! it is first called; one that is missing returns an error status. [`load`] opens them beforehand and tells what
//! was found, or every place that was looked at and why it did not serve. One program runs with cuBLASLt 12.0 to
//! 13.x.
//!
//! # Where the libraries are looked for
//!
//! 1. The files that `CUBLASLT_LIBRARY` and `CUDART_LIBRARY` name, and then nothing else.
//! 2. A copy that the process has loaded already, such as PyTorch's.
//! 3. The system's loader, newest major version first (`libcublasLt.so.13`, `libcublasLt.so.12`).
//! 4. `CUDA_PATH`, `CUDA_HOME`, the usual places of the toolkit, WSL's, `CONDA_PREFIX`, and the `nvidia/*/lib`
//!    folders of the active Python environment, where `pip install nvidia-cublas nvidia-cuda-runtime` puts them.
//!
//! Folders of stub libraries are never used. The runtime is looked for beside cuBLASLt first, and its major version
//! must be the one that cuBLASLt was built for.
//!
//! # Versions
//!
//! The ABI is that of CUDA 13. On a 12.x runtime a function whose signature changed is called under the name of the
//! 12.x function with the same signature where there is one, and returns an error status where there is none; so do
//! functions that fill a struct whose layout changed. [`cuda12`] holds the 12.x declarations of those.
//! [`availability`] tells which release has which name.
//!
//! # Features
//!
//! - `linked`: links the libraries at build time. The build script looks in `CUDA_PATH`, `CUDA_HOME` (or either
//!   name behind the target, `X86_64_UNKNOWN_LINUX_GNU_CUDA_PATH`), pkg-config and the usual places, and publishes
//!   to dependents: `DEP_CUBLASLT_INCLUDE` (folder of the headers), `DEP_CUBLASLT_LIBDIR` (folder of the
//!   libraries, for an rpath), `DEP_CUBLASLT_VERSION` (cuBLAS version of the headers).
//! - `static`: links the static archives; implies `linked`.

#![allow(non_camel_case_types, non_upper_case_globals, non_snake_case)]

pub mod availability;
#[allow(missing_docs, clippy::missing_safety_doc, clippy::pedantic, clippy::too_many_arguments)]
mod bindings;
mod enumerations;
mod functions;
mod init;
mod loader;

pub use bindings::constants::*;
pub use bindings::cublaslt::*;
pub use bindings::cudart::*;
pub use bindings::enumerations::*;
pub use bindings::types::*;
pub use init::*;
pub use loader::{Attempt, Libraries, Library, LoadError, is_available, load};

/// C's `FILE`, of which only pointers are passed; a pointer to `libc`'s casts to it.
#[repr(C)]
pub struct FILE {
    _opaque: [u8; 0],
}

/// What the CUDA 12 runtime declares otherwise than the newest headers. These functions return an error status
/// where the loaded runtime is not 12.x.
pub mod cuda12 {
    pub use crate::bindings::cuda12::*;
    pub use crate::bindings::cuda12_types::*;
}
