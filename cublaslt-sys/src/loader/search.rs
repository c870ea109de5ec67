//! Where the libraries are looked for, in which order.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The major versions that these bindings serve, newest first.
pub(super) const MAJORS: [u32; 2] = [13, 12];

/// A library's names.
#[derive(Clone, Copy)]
pub(super) struct Names {
    /// What people call it.
    pub(super) title: &'static str,
    /// The variable that names its file.
    pub(super) variable: &'static str,
    /// A function that every version of it has.
    pub(super) version_function: &'static str,
    /// The file name before the version.
    stem: &'static str,
    /// Folder of its wheel for CUDA 12; all wheels for CUDA 13 share one.
    wheel: &'static str,
}

pub(super) const CUBLASLT: Names = Names {
    title: "cuBLASLt",
    variable: "CUBLASLT_LIBRARY",
    version_function: "cublasLtGetVersion",
    stem: "cublasLt",
    wheel: "cublas",
};
pub(super) const CUDART: Names = Names {
    title: "CUDA runtime",
    variable: "CUDART_LIBRARY",
    version_function: "cudaRuntimeGetVersion",
    stem: "cudart",
    wheel: "cuda_runtime",
};

impl Names {
    /// The name with a major version, as the system's loader knows it.
    pub(super) fn file(&self, major: u32) -> String {
        if cfg!(windows) {
            format!("{}64_{major}.dll", self.stem)
        } else {
            format!("lib{}.so.{major}", self.stem)
        }
    }

    /// Whether a path ends in this library's name, of any version.
    pub(super) fn is_file(&self, path: &Path) -> bool {
        let start = if cfg!(windows) { format!("{}64_", self.stem) } else { format!("lib{}.so", self.stem) };
        path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(&start))
    }

    /// Folders where the library of that major version may lie, likeliest first.
    pub(super) fn folders(&self, major: u32) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        for root in toolkits(major) {
            if cfg!(windows) {
                folders.extend([root.join("bin"), root.join("bin").join("x64")]);
                continue;
            }
            folders.extend([root.join("lib64"), root.join("lib")]);
            folders
                .extend(target_folders().iter().map(|target| root.join("targets").join(target).join("lib")));
        }
        if cfg!(target_os = "linux") {
            folders.push(format!("/usr/lib/{}-linux-gnu", env::consts::ARCH).into());
            folders.push("/usr/lib/wsl/lib".into());
        }
        if let Some(conda) = variable("CONDA_PREFIX") {
            folders.push(conda.join("lib"));
        }
        for packages in python_packages() {
            let wheel = if major >= 13 { format!("cu{major}") } else { self.wheel.to_owned() };
            folders.push(packages.join("nvidia").join(wheel).join(if cfg!(windows) { "bin" } else { "lib" }));
        }
        folders
    }

    /// Folders beside a file of the other library: its own, and the one of the neighbouring wheel.
    pub(super) fn beside(&self, other: &Path) -> Vec<PathBuf> {
        let Some(folder) = other.parent() else { return Vec::new() };
        let mut folders = vec![folder.to_path_buf()];
        if let Some(wheels) = folder.parent().and_then(Path::parent) {
            folders.push(wheels.join(self.wheel).join("lib"));
        }
        folders
    }
}

/// Whether a path leads through a folder of stub libraries, which only serve to link against.
pub(super) fn is_stub(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "stubs")
}

/// An environment variable with a path, unless it is empty.
pub(super) fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Roots of CUDA toolkits: what the environment names, then the usual places, newest first.
fn toolkits(major: u32) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(variable).collect();
    if cfg!(windows) {
        return roots;
    }
    roots.push("/usr/local/cuda".into());
    roots.extend(entries(Path::new("/usr/local"), &format!("cuda-{major}")));
    roots.push("/opt/cuda".into());
    roots
}

/// Names of this architecture's folder below a toolkit's `targets`.
fn target_folders() -> &'static [&'static str] {
    match env::consts::ARCH {
        "x86_64" => &["x86_64-linux"],
        "aarch64" => &["sbsa-linux", "aarch64-linux"],
        _ => &[],
    }
}

/// The `site-packages` folders of the active Python environment, or of the `python3` on the path.
fn python_packages() -> Vec<PathBuf> {
    let mut prefixes: Vec<PathBuf> =
        ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(variable).collect();
    if prefixes.is_empty() {
        prefixes.extend(python_on_path());
    }
    let mut found = Vec::new();
    for prefix in prefixes {
        if cfg!(windows) {
            found.push(prefix.join("Lib").join("site-packages"));
            continue;
        }
        for python in entries(&prefix.join("lib"), "python3") {
            found.extend([python.join("site-packages"), python.join("dist-packages")]);
        }
    }
    found
}

/// The prefix of the first `python3` on the path, through its links.
fn python_on_path() -> Option<PathBuf> {
    let python =
        env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join("python3")).find(|p| p.is_file())?;
    Some(python.canonicalize().ok()?.parent()?.parent()?.to_path_buf())
}

/// Entries of a folder whose name begins so, last first, so that newer versions come before older ones.
fn entries(folder: &Path, start: &str) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(start)))
        .collect();
    found.sort();
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_name_has_the_major_version() {
        assert_eq!(CUBLASLT.file(13), "libcublasLt.so.13");
        assert!(CUBLASLT.is_file(Path::new("/x/libcublasLt.so.13.1.0")));
        assert!(!CUBLASLT.is_file(Path::new("/x/libcublas.so.13")));
    }

    #[test]
    fn stub_folders_are_known_by_their_name() {
        assert!(is_stub(Path::new("/usr/local/cuda/lib64/stubs/libcublasLt.so")));
        assert!(!is_stub(Path::new("/usr/local/cuda/lib64/libcublasLt.so.13")));
    }

    #[test]
    fn the_neighbouring_wheel_is_looked_at() {
        let folders = CUDART.beside(Path::new("/env/nvidia/cublas/lib/libcublasLt.so.12"));
        assert_eq!(folders, [Path::new("/env/nvidia/cublas/lib"), Path::new("/env/nvidia/cuda_runtime/lib")]);
    }
}
