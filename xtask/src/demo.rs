//! `demo`: the fused linear layer, with whatever this machine lacks fetched first.

use crate::command::{cargo, check};
use crate::fetch::{Parts, fetch};
use crate::releases;

/// The command.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let demo = || {
        let mut demo =
            cargo(&["run", "--quiet", "--release", "--package", "cublaslt", "--features", "reference"]);
        demo.args(["--example", "demo", "--"]);
        demo
    };
    let named = ["CUBLASLT_LIBRARY", "CUDART_LIBRARY"].iter().any(|name| std::env::var_os(name).is_some());
    // A library that the user names is the user's choice, and the demo says what is wrong with it.
    let mut found = Vec::new();
    if !named && check(demo().arg("--find-library")).is_err() {
        let release = releases::newest(13)?;
        fetch(&release, Parts::All, None)?;
        found.extend(release.libraries());
    }
    check(demo().args(arguments).envs(found))
}
