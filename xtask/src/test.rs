//! `test`: every test that can run here, against both major versions of the library.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::command::{cargo, cuda_folder};
use crate::fetch::{Parts, fetch};
use crate::releases::{self, Release};
use crate::summary::Summary;

/// The command.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(argument) = arguments.first() {
        return Err(format!("test does not know {argument:?}; see cargo xtask help"));
    }
    let (older, newest) = (releases::newest(12)?, releases::newest(13)?);
    for release in [&older, &newest] {
        fetch(release, Parts::All, None)?;
    }
    let mut total = Summary::default();
    let mut rows = Vec::new();
    // The same executables both times: only the variables that name the libraries differ.
    let crates = ["test", "--no-fail-fast", "--workspace", "--features", "cublaslt/reference"].as_slice();
    let library = ["test", "--no-fail-fast", "--package", "cublaslt-tests"].as_slice();
    let linked = ["test", "--no-fail-fast", "--package", "cublaslt-sys", "--features", "linked"].as_slice();
    for (title, release, arguments) in [
        ("all crates, cuBLASLt", &newest, crates),
        ("library tests, cuBLASLt", &older, library),
        ("linked to cuBLASLt", &newest, linked),
        ("linked to cuBLASLt", &older, linked),
    ] {
        let title = format!("{title} {}", release.version);
        println!("\n=== {title}");
        let mut command = cargo(arguments);
        with_library(&mut command, release);
        let (summary, succeeded) = run_tests(&mut command)?;
        let fault =
            if succeeded || summary.failed > 0 { "" } else { " (a test program did not build or run)" };
        if !succeeded && summary.failed == 0 {
            total.failed += 1;
        }
        rows.push(format!("{title}: {summary}{fault}"));
        total.add(summary);
    }
    report(&rows, &total);
    if total.failed == 0 { Ok(()) } else { Err(format!("{} tests failed", total.failed)) }
}

/// Names the libraries for every mode: to open, to link, and to find when a linked program starts.
fn with_library(command: &mut Command, release: &Release) {
    command.envs(release.libraries()).env("CUBLASLT_TEST_CUDA", cuda_folder());
    command.env("CUDA_PATH", release.folder()).env("LD_LIBRARY_PATH", release.folder().join("lib"));
}

/// Runs test programs, shows what they print, and counts.
fn run_tests(command: &mut Command) -> Result<(Summary, bool), String> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    let mut summary = Summary::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            println!("{line}");
            summary.read(&line);
        }
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    Ok((summary, status.success()))
}

fn report(rows: &[String], total: &Summary) {
    if !total.reasons.is_empty() {
        println!("\n=== ignored, and why");
        for (reason, names) in &total.reasons {
            println!("{reason}");
            for name in names.iter().take(3) {
                println!("    {name}");
            }
            if names.len() > 3 {
                println!("    and {} more", names.len() - 3);
            }
        }
    }
    println!("\n=== summary");
    for row in rows {
        println!("{row}");
    }
    println!("{total}");
}
