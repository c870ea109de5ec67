//! `test`: every test that can run here, against both major versions of the library.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::command::{cargo, cuda_folder, root};
use crate::executables::{self, Executable};
use crate::fetch::{Parts, fetch};
use crate::releases::{self, Release};
use crate::summary::Summary;

/// The test programs that look at the library, and are run with both major versions.
const LIBRARY_TESTS: [&str; 4] = ["bindings", "descriptors", "linear", "loading"];

/// The command.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(argument) = arguments.first() {
        return Err(format!("test does not know {argument:?}; see cargo xtask help"));
    }
    let (older, newest) = (releases::newest(12)?, releases::newest(13)?);
    for release in [&older, &newest] {
        fetch(release, Parts::All, None)?;
    }
    let workspace = ["test", "--no-fail-fast", "--workspace", "--features", "cublaslt/reference"];
    let linked = ["test", "--no-fail-fast", "--package", "cublaslt-sys", "--features", "linked"];
    let mut runs = vec![(format!("all crates, cuBLASLt {}", newest.version), &newest, cargo(&workspace))];
    // The executables that the run before is made of: only the variables that name the libraries differ.
    for Executable { name, path } in executables::build(cargo(&workspace).arg("--no-run"))? {
        if LIBRARY_TESTS.contains(&name.as_str()) {
            let mut test = Command::new(path);
            test.current_dir(root().join("tests"));
            runs.push((format!("{name}, the same executable, cuBLASLt {}", older.version), &older, test));
        }
    }
    for release in [&newest, &older] {
        runs.push((format!("linked to cuBLASLt {}", release.version), release, cargo(&linked)));
    }

    let mut total = Summary::default();
    let mut rows = Vec::new();
    for (title, release, mut command) in runs {
        println!("\n=== {title}");
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
        .map_err(|error| format!("the tests could not be started: {error}"))?;
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
