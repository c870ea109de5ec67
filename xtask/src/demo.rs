//! `demo`: the fused linear layer, with whatever this machine lacks fetched first.

use crate::command::{cargo, check};
use crate::fetch::{Parts, fetch};
use crate::releases;

/// The command.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut demo =
        cargo(&["run", "--quiet", "--release", "--package", "cublaslt", "--features", "reference"]);
    demo.args(["--example", "demo", "--"]).args(arguments);
    let named = ["CUBLASLT_LIBRARY", "CUDART_LIBRARY"].iter().any(|name| std::env::var_os(name).is_some());
    // A library that the user names is the user's choice, and the demo says what is wrong with it.
    if !named && cublaslt_sys::load().is_err() {
        let release = releases::newest(13)?;
        fetch(&release, Parts::All, None)?;
        demo.envs(release.libraries());
    }
    check(&mut demo)
}
