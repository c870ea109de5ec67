//! The releases that can be fetched: one file of pip requirements each, in `xtask/cuda-releases`.

use std::path::PathBuf;

use crate::command::{cuda_folder, root};

/// A release, by its cuBLAS version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Release {
    pub version: String,
}

impl Release {
    /// Its requirements with hashes.
    pub fn pins(&self) -> PathBuf {
        pins_folder().join(format!("{}.txt", self.version))
    }

    /// Where it is brought to.
    pub fn folder(&self) -> PathBuf {
        cuda_folder().join(&self.version)
    }

    /// Its major version.
    pub fn major(&self) -> u32 {
        numbers(&self.version).first().copied().unwrap_or(0)
    }

    /// The files of its libraries, by the variable that names each.
    pub fn libraries(&self) -> [(&'static str, PathBuf); 2] {
        let library = |name| self.folder().join("lib").join(format!("lib{name}.so.{}", self.major()));
        [("CUBLASLT_LIBRARY", library("cublasLt")), ("CUDART_LIBRARY", library("cudart"))]
    }
}

/// The folder of the requirement files.
pub fn pins_folder() -> PathBuf {
    root().join("xtask").join("cuda-releases")
}

/// Every release, oldest first.
pub fn all() -> Result<Vec<Release>, String> {
    let folder = pins_folder();
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut releases: Vec<Release> = entries
        .filter_map(|entry| {
            entry.ok()?.file_name().into_string().ok()?.strip_suffix(".txt").map(str::to_owned)
        })
        .map(|version| Release { version })
        .collect();
    releases.sort_by_key(|release| numbers(&release.version));
    Ok(releases)
}

/// The release of that version, or an error that lists those there are.
pub fn named(version: &str) -> Result<Release, String> {
    let all = all()?;
    all.iter().find(|release| release.version == version).cloned().ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|release| release.version.as_str()).collect();
        format!("no cuBLAS release {version} is pinned; there are {}", known.join(", "))
    })
}

/// The newest release of a major version.
pub fn newest(major: u32) -> Result<Release, String> {
    let found = all()?.into_iter().rfind(|release| release.major() == major);
    found.ok_or_else(|| format!("no release of cuBLAS {major} is pinned in {}", pins_folder().display()))
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_number() {
        assert!(numbers("13.10.0.20") > numbers("13.8.0.4"));
        assert!(newest(13).unwrap().major() == 13);
    }

    #[test]
    fn an_unknown_release_lists_the_known() {
        assert!(named("99.0").unwrap_err().contains("13."));
    }
}
