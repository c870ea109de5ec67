//! Which release has which function and enumerator.

use core::fmt;

use crate::bindings::availability as tables;

/// A version of cuBLASLt (as `cublasLtGetVersion` tells it, never that of the toolkit) or of the CUDA runtime.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// Major number: the one in the library's file name.
    pub major: u32,
    /// Minor number.
    pub minor: u32,
    /// Patch number; the runtime does not tell its own, which is then 0.
    pub patch: u32,
}

impl Version {
    /// From the number that `cublasLtGetVersion` returns: 120903 is 12.9.3, 131000 is 13.10.0.
    #[must_use]
    pub const fn from_cublaslt(number: usize) -> Self {
        #[allow(clippy::cast_possible_truncation)] // the parts are small
        let number = number as u32;
        Self { major: number / 10_000, minor: number / 100 % 100, patch: number % 100 }
    }

    /// From the number that `cudaRuntimeGetVersion` returns: 13050 is 13.5.
    #[must_use]
    pub const fn from_cudart(number: i32) -> Self {
        let number = number.unsigned_abs();
        Self { major: number / 1000, minor: number % 1000 / 10, patch: 0 }
    }

    const fn from_row([major, minor, patch, _]: [u16; 4]) -> Self {
        Self { major: major as u32, minor: minor as u32, patch: patch as u32 }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// The releases whose headers declare a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Availability {
    /// The first of them that was looked at.
    pub since: Version,
    /// The last of them, where newer ones dropped it.
    pub until: Option<Version>,
}

impl Availability {
    /// Whether a library of that version has the name. Minor versions decide: not every patch release was looked at,
    /// and an addition within a minor version is left to the library to refuse.
    #[must_use]
    pub fn contains(&self, version: Version) -> bool {
        let minor = |version: Version| (version.major, version.minor);
        minor(self.since) <= minor(version) && self.until.is_none_or(|until| minor(version) <= minor(until))
    }
}

/// A row of the generated tables, which are sorted by name.
pub(crate) struct Row {
    name: &'static str,
    since: [u16; 4],
    until: Option<[u16; 4]>,
}

pub(crate) const fn row(name: &'static str, since: [u16; 4], until: Option<[u16; 4]>) -> Row {
    Row { name, since, until }
}

fn find(table: &[Row], name: &str) -> Option<Availability> {
    let row = &table[table.binary_search_by(|row| row.name.cmp(name)).ok()?];
    let until = row.until.map(Version::from_row);
    Some(Availability { since: Version::from_row(row.since), until })
}

/// Where a function of cublasLt.h is found, by cuBLASLt's version.
#[must_use]
pub fn cublaslt_function(name: &str) -> Option<Availability> {
    find(tables::CUBLASLT_FUNCTIONS, name)
}

/// Where an enumerator of cublasLt.h is found, by cuBLASLt's version.
#[must_use]
pub fn cublaslt_enumerator(name: &str) -> Option<Availability> {
    find(tables::CUBLASLT_ENUMERATORS, name)
}

/// Where a function of the runtime is found, by the runtime's version.
#[must_use]
pub fn cudart_function(name: &str) -> Option<Availability> {
    find(tables::CUDART_FUNCTIONS, name)
}

/// Where an enumerator of the runtime is found, by the runtime's version.
#[must_use]
pub fn cudart_enumerator(name: &str) -> Option<Availability> {
    find(tables::CUDART_ENUMERATORS, name)
}

/// The newest cuBLASLt whose headers these bindings were made from.
#[must_use]
pub fn newest_cublaslt() -> Version {
    tables::CUBLASLT_RELEASES.last().copied().map_or(Version::from_cublaslt(0), Version::from_row)
}

/// The newest runtime whose headers these bindings were made from.
#[must_use]
pub fn newest_cudart() -> Version {
    tables::CUDART_RELEASES.last().copied().map_or(Version::from_cublaslt(0), Version::from_row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_library_become_versions() {
        assert_eq!(Version::from_cublaslt(120_903).to_string(), "12.9.3");
        assert_eq!(Version::from_cublaslt(131_000).to_string(), "13.10.0");
        assert_eq!(Version::from_cudart(13_050).to_string(), "13.5.0");
        assert_eq!(Version::from_cudart(12_090).to_string(), "12.9.0");
        assert!(Version::from_cublaslt(130_900) < Version::from_cublaslt(131_000));
    }

    #[test]
    fn the_newest_release_has_what_it_should() {
        let newest = newest_cublaslt();
        assert!(cublaslt_function("cublasLtMatmul").unwrap().contains(newest));
        let dropped = cublaslt_enumerator("CUBLASLT_ALGO_CAP_ATOMIC_SYNC").unwrap();
        assert_eq!(dropped.until.unwrap().major, 12);
        assert!(!dropped.contains(newest));
        assert!(cudart_function("cudaMalloc").unwrap().contains(newest_cudart()));
        assert_eq!(cublaslt_function("cublasLtNoSuchFunction"), None);
    }

    #[test]
    fn tables_are_sorted_for_the_search() {
        for table in [
            tables::CUBLASLT_FUNCTIONS,
            tables::CUBLASLT_ENUMERATORS,
            tables::CUDART_FUNCTIONS,
            tables::CUDART_ENUMERATORS,
        ] {
            assert!(!table.is_empty());
            assert!(table.is_sorted_by(|a, b| a.name < b.name));
        }
    }
}
