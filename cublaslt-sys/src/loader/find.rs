//! Finds and opens the libraries at run time.

use std::path::{Path, PathBuf};

use super::error::{Attempt, LoadError};
use super::open::{self, Candidate};
use super::search::{self, CUBLASLT, CUDART, MAJORS, Names};
use super::{Libraries, Library, library};
use crate::availability::Version;

/// The oldest cuBLASLt that these bindings serve.
const OLDEST: Version = Version { major: 12, minor: 0, patch: 0 };

/// Tries every place in order.
pub(super) fn find() -> Result<Libraries, LoadError> {
    let mut attempts = Vec::new();
    for candidate in candidates(&CUBLASLT, &MAJORS, &[]) {
        let Some((handle, path)) = candidate.open(&CUBLASLT, &mut attempts) else { continue };
        let what = path.display().to_string();
        match cublaslt_versions(&handle) {
            Err(reason) => attempts.push(Attempt { what, reason }),
            Ok((version, runtime_major)) => {
                if let Some(cudart) = find_runtime(runtime_major, &path, &mut attempts) {
                    let cublaslt = Library { name: CUBLASLT.title, path, version, handle };
                    return Ok(Libraries { cublaslt, cudart });
                }
                attempts.push(Attempt {
                    what,
                    reason: format!(
                        "is cuBLASLt {version}, and no CUDA runtime {runtime_major} was found for it"
                    ),
                });
            }
        }
    }
    Err(LoadError { attempts })
}

/// The runtime of one major version, looked for beside cuBLASLt before the usual places.
fn find_runtime(major: u32, cublaslt: &Path, attempts: &mut Vec<Attempt>) -> Option<Library> {
    for candidate in candidates(&CUDART, &[major], &CUDART.beside(cublaslt)) {
        let Some((handle, path)) = candidate.open(&CUDART, attempts) else { continue };
        match runtime_version(&handle) {
            Ok(version) if version.major == major => {
                return Some(Library { name: CUDART.title, path, version, handle });
            }
            Ok(version) => attempts.push(Attempt {
                what: path.display().to_string(),
                reason: format!("is CUDA runtime {version}; {} needs {major}.x", cublaslt.display()),
            }),
            Err(reason) => attempts.push(Attempt { what: path.display().to_string(), reason }),
        }
    }
    None
}

/// Everything to try, in order. A variable that names a file leaves nothing else.
fn candidates(names: &Names, majors: &[u32], near: &[PathBuf]) -> Vec<Candidate> {
    if let Some(path) = search::variable(names.variable) {
        return vec![Candidate::Named(path)];
    }
    let mut found: Vec<Candidate> = open::loaded(names).into_iter().map(Candidate::Loaded).collect();
    found.extend(
        majors.iter().flat_map(|major| near.iter().map(|f| f.join(names.file(*major)))).map(Candidate::File),
    );
    found.extend(majors.iter().map(|major| Candidate::System(names.file(*major))));
    for major in majors {
        found.extend(names.folders(*major).into_iter().map(|f| Candidate::File(f.join(names.file(*major)))));
    }
    found
}

/// The version of an open cuBLASLt, and the major version of the runtime it was built for.
fn cublaslt_versions(handle: &libloading::Library) -> Result<(Version, u32), String> {
    let number = |name| -> Result<usize, String> {
        let address = library::symbol(handle, name).ok_or_else(|| format!("has no function {name}"))?;
        // SAFETY: both functions take nothing and return a size_t in every version.
        let function: unsafe extern "C" fn() -> usize = unsafe { core::mem::transmute(address) };
        // SAFETY: as above.
        Ok(unsafe { function() })
    };
    let version = Version::from_cublaslt(number("cublasLtGetVersion")?);
    if version.major == 0 {
        return Err("tells version 0, as a stub library does".into());
    }
    if version < OLDEST {
        return Err(format!("is cuBLASLt {version}; {OLDEST} or newer is needed"));
    }
    let runtime = Version::from_cudart(i32::try_from(number("cublasLtGetCudartVersion")?).unwrap_or(0));
    Ok((version, runtime.major))
}

/// The version of an open runtime.
fn runtime_version(handle: &libloading::Library) -> Result<Version, String> {
    const NAME: &str = "cudaRuntimeGetVersion";
    let address = library::symbol(handle, NAME).ok_or_else(|| format!("has no function {NAME}"))?;
    // SAFETY: the function has this signature in every version.
    let function: unsafe extern "C" fn(*mut i32) -> u32 = unsafe { core::mem::transmute(address) };
    let mut number = 0;
    // SAFETY: the pointer is to a live integer.
    let status = unsafe { function(&raw mut number) };
    if status != 0 {
        return Err(format!("{NAME} returned {status}"));
    }
    Ok(Version::from_cudart(number))
}
