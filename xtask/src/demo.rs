//! `demo`: the fused linear layer, with whatever this machine lacks fetched first.

use std::process::Command;

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
        let release = releases::newest(major_for(&driver_version()))?;
        fetch(&release, Parts::All, None)?;
        found.extend(release.libraries());
    }
    check(demo().args(arguments).envs(found))
}

/// The driver's version as `nvidia-smi` prints it, empty where there is none.
fn driver_version() -> String {
    let query =
        Command::new("nvidia-smi").args(["--query-gpu=driver_version", "--format=csv,noheader"]).output();
    query.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

/// The major version of CUDA that a driver can run: 13 needs driver 580 (CUDA 13.0 release notes, table of drivers).
fn major_for(driver: &str) -> u32 {
    match driver.trim().split('.').next().and_then(|major| major.parse::<u32>().ok()) {
        Some(major) if major < 580 => 12,
        _ => 13,
    }
}

#[cfg(test)]
mod tests {
    use super::major_for;

    #[test]
    fn an_older_driver_gets_the_older_libraries() {
        assert_eq!(major_for("535.104.05\n"), 12);
        assert_eq!(major_for("580.159.04\n580.159.04\n"), 13);
        assert_eq!(major_for(""), 13);
    }
}
