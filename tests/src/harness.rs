//! Runs named tests. One that lacks its library, headers or GPU is ignored and says why; with
//! `CUBLASLT_REQUIRE_GPU=1` one that lacks its GPU fails.

use std::env;
use std::fmt;
use std::path::PathBuf;

use cublaslt::{Device, sys};
use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// Why a test did not pass.
#[derive(Debug)]
pub enum Stop {
    /// It could not run here.
    Ignored(String),
    /// It ran and found something wrong.
    Failed(String),
}

/// The result of a test.
pub type Outcome = Result<(), Stop>;

impl<E: fmt::Display> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A test with its name.
pub fn test(name: impl Into<String>, run: impl FnOnce() -> Outcome + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match run() {
        Ok(()) => Ok(Completion::Completed),
        Err(Stop::Ignored(reason)) => Ok(Completion::ignored_with(reason)),
        Err(Stop::Failed(reason)) => Err(Failed::from(reason)),
    })
}

/// Runs the tests as the arguments of the program say, and ends it.
pub fn run(tests: Vec<Trial>) -> ! {
    libtest_mimic::run(&Arguments::from_args(), tests).exit()
}

/// The first GPU, or the reason to ignore the test.
///
/// # Errors
///
/// There is none: the test is ignored, or fails where a GPU is required.
pub fn gpu() -> Result<Device, Stop> {
    Device::new(0).map_err(|error| {
        let text = error.to_string();
        let reason = format!("no GPU: {}", text.lines().next().unwrap_or_default());
        if env::var_os("CUBLASLT_REQUIRE_GPU").is_some_and(|value| value == "1") {
            Stop::Failed(reason)
        } else {
            Stop::Ignored(reason)
        }
    })
}

/// The loaded libraries, or the reason to ignore the test.
///
/// # Errors
///
/// They are not there: the test is ignored.
pub fn library() -> Result<&'static sys::Libraries, Stop> {
    sys::load().map_err(|error| {
        let first = error.to_string();
        Stop::Ignored(format!("no library: {}", first.lines().next().unwrap_or_default()))
    })
}

/// The folder that holds a folder with `include` and `lib` for each cuBLAS release: `CUBLASLT_TEST_CUDA`.
///
/// # Errors
///
/// The variable is not set or names no folder: the test is ignored.
pub fn cuda_releases() -> Result<PathBuf, Stop> {
    let Some(folder) = env::var_os("CUBLASLT_TEST_CUDA").map(PathBuf::from) else {
        return Err(Stop::Ignored("CUBLASLT_TEST_CUDA is not set; `cargo xtask test` sets it".into()));
    };
    if folder.is_dir() {
        Ok(folder)
    } else {
        Err(Stop::Ignored(format!("{} is no folder", folder.display())))
    }
}

/// Fails with a text unless a condition holds.
///
/// # Errors
///
/// The condition does not hold.
pub fn ensure(condition: bool, text: impl FnOnce() -> String) -> Outcome {
    if condition { Ok(()) } else { Err(Stop::Failed(text())) }
}
