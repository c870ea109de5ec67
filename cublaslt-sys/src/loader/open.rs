//! Opening a candidate, and finding what the process has open already.

use std::path::{Path, PathBuf};

use super::error::Attempt;
use super::search::{Names, is_stub};
use super::{library, object};

/// Something to try.
pub(super) enum Candidate {
    /// The file that a variable names.
    Named(PathBuf),
    /// A file that the process has open already.
    Loaded(PathBuf),
    /// A name for the system's loader.
    System(String),
    /// A file that may be there.
    File(PathBuf),
}

impl Candidate {
    /// Opens it; a failure goes to the attempts.
    pub(super) fn open(
        &self,
        names: &Names,
        attempts: &mut Vec<Attempt>,
    ) -> Option<(libloading::Library, PathBuf)> {
        let (what, opened) = match self {
            Self::Named(path) => {
                let what = format!("{} ({})", path.display(), names.variable);
                let opened = if path.is_dir() {
                    Err(format!("is a folder; the path of the file is needed, such as {}", names.file(13)))
                } else {
                    open(path)
                };
                (what, opened)
            }
            Self::Loaded(path) => (format!("{} (loaded already)", path.display()), open(path)),
            Self::System(name) => (name.clone(), open(Path::new(name))),
            Self::File(path) if path.exists() => (path.display().to_string(), open(path)),
            Self::File(path) => (path.display().to_string(), Err("is not there".into())),
        };
        let opened = opened.and_then(|handle| {
            let path = path_of(&handle, names).or_else(|| self.path()).unwrap_or_else(|| what.clone().into());
            // A stub found by the loader counts as a stub found in a folder.
            if is_stub(&path) { Err("lies in a folder of stub libraries".into()) } else { Ok((handle, path)) }
        });
        opened.map_err(|reason| attempts.push(Attempt { what, reason })).ok()
    }

    fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Named(path) | Self::Loaded(path) | Self::File(path) => Some(path.clone()),
            Self::System(_) => None,
        }
    }
}

#[cfg(unix)]
fn open(path: &Path) -> Result<libloading::Library, String> {
    use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
    // SAFETY: initialisers of NVIDIA's libraries may run at any time; another library is the user's choice.
    let opened = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) };
    opened.map(Into::into).map_err(|error| text(&error))
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<libloading::Library, String> {
    // SAFETY: initialisers of NVIDIA's libraries may run at any time; another library is the user's choice.
    unsafe { libloading::Library::new(path) }.map_err(|error| text(&error))
}

/// The system's own words, without the path that stands before them.
fn text(error: &libloading::Error) -> String {
    use std::error::Error;
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// The file that an open library came from.
fn path_of(handle: &libloading::Library, names: &Names) -> Option<PathBuf> {
    object::containing(library::symbol(handle, names.version_function)?)
}

/// Files of a library that the process has open already.
pub(super) fn loaded(names: &Names) -> Vec<PathBuf> {
    let mut paths = object::all();
    paths.retain(|path| names.is_file(path));
    paths
}
