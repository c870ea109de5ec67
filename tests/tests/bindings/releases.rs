//! The fetched releases: where their headers and libraries are, and what the libraries export.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use cublaslt::sys::availability;
use cublaslt_tests::harness::{Stop, cuda_releases, ensure};

/// A fetched release.
pub(crate) struct Release {
    pub(crate) version: String,
    pub(crate) folder: PathBuf,
}

impl Release {
    pub(crate) fn major(&self) -> u32 {
        numbers(&self.version)[0]
    }

    /// Whether its libraries are here too, not only its headers.
    pub(crate) fn has_libraries(&self) -> bool {
        self.folder.join("lib").is_dir()
    }

    /// The exported names of one of its libraries.
    pub(crate) fn exports(&self, library: &str) -> Result<BTreeSet<String>, Stop> {
        let path = self.folder.join("lib").join(format!("lib{library}.so.{}", self.major()));
        ensure(path.exists(), || format!("{} is missing", path.display()))?;
        let output = Command::new("nm").args(["-D", "--defined-only"]).arg(&path).output();
        let output = output.map_err(|error| Stop::Ignored(format!("no nm (of binutils): {error}")))?;
        ensure(output.status.success(), || format!("nm {}: {}", path.display(), output.status))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let names = text.lines().filter_map(|line| line.split_whitespace().nth(2));
        Ok(names.map(|name| name.split('@').next().unwrap_or(name).to_owned()).collect())
    }

    /// The version of its runtime, from the header's macro.
    pub(crate) fn runtime(&self) -> Result<Vec<u32>, Stop> {
        let header = fs::read_to_string(self.folder.join("include/cuda_runtime_api.h"))?;
        let number = header.lines().find_map(|line| line.trim().strip_prefix("#define CUDART_VERSION"));
        let number: u32 = number.unwrap_or_default().trim().parse()?;
        Ok(vec![number / 1000, number % 1000 / 10])
    }
}

pub(crate) fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

/// The fetched releases, oldest first; at least the newest, whose headers the bindings were made from.
pub(crate) fn releases() -> Result<Vec<Release>, Stop> {
    let folder = cuda_releases()?;
    let mut found: Vec<Release> = fs::read_dir(&folder)?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let version = entry.file_name().into_string().ok()?;
            let usable = numbers(&version)[0] >= 12 && entry.path().join("include/cublasLt.h").exists();
            usable.then(|| Release { version, folder: entry.path() })
        })
        .collect();
    found.sort_by_key(|release| numbers(&release.version));
    let newest = availability::newest_cublaslt().to_string();
    if found.last().is_none_or(|release| !release.version.starts_with(&newest)) {
        return Err(Stop::Ignored(format!("the headers of cuBLAS {newest} are not in {}", folder.display())));
    }
    Ok(found)
}

/// The fetched releases of a major version, oldest first; at least one.
pub(crate) fn releases_of(major: u32) -> Result<Vec<Release>, Stop> {
    let mut found = releases()?;
    found.retain(|release| release.major() == major);
    if found.is_empty() {
        return Err(Stop::Ignored(format!("no headers of a {major}.x release are here")));
    }
    Ok(found)
}

/// The newest of them: the bindings were made from that of 13.x, and `cuda12` from that of 12.x.
pub(crate) fn newest_of(major: u32) -> Result<Release, Stop> {
    let mut found = releases_of(major)?;
    Ok(found.remove(found.len() - 1))
}
