//! A library that is part of the process.

use core::ffi::c_void;
use std::ffi::CString;
use std::fmt;
use std::path::{Path, PathBuf};

#[cfg(feature = "linked")]
use super::object;
use crate::availability::Version;

/// A library that was opened, and stays open until the process ends.
#[derive(Debug)]
pub struct Library {
    pub(super) name: &'static str,
    pub(super) path: PathBuf,
    pub(super) version: Version,
    pub(super) handle: libloading::Library,
}

impl Library {
    /// A library that is part of the program; `function` is one of its functions.
    #[cfg(feature = "linked")]
    pub(super) fn linked(name: &'static str, version: Version, function: *mut c_void) -> Self {
        #[cfg(unix)]
        let handle = libloading::os::unix::Library::this().into();
        #[cfg(windows)]
        let handle = libloading::os::windows::Library::this().expect("a process has a module").into();
        Self { name, path: object::containing(function).unwrap_or_default(), version, handle }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version that it tells itself.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// The address of one of its functions, for what these bindings do not have.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<*mut c_void> {
        symbol(&self.handle, name)
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.name, self.version, self.path.display())
    }
}

/// The address of a function in an open library.
pub(super) fn symbol(library: &libloading::Library, name: &str) -> Option<*mut c_void> {
    let name = CString::new(name).ok()?;
    // SAFETY: only the address is taken; whoever calls it answers for its type.
    let address = *unsafe { library.get::<*mut c_void>(name.as_bytes_with_nul()) }.ok()?;
    (!address.is_null()).then_some(address)
}
