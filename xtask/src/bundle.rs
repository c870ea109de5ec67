//! `bundle`: test, example and bench executables in one folder, for a GPU machine without Rust.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{cargo, output, root};
use crate::executables::{self, Executable};

/// The command.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(argument) = arguments.first() {
        return Err(format!("bundle does not know {argument:?}; see cargo xtask help"));
    }
    let folder = root().join("target").join("bundle");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (tests, others) = build()?;
    for executable in tests.iter().chain(&others) {
        let target = folder.join(&executable.name);
        fs::copy(&executable.path, &target).map_err(|error| format!("{}: {error}", target.display()))?;
    }
    write(&folder.join("COMMIT"), &commit()?)?;
    let script = folder.join("run.sh");
    write(&script, &run_script(&tests))?;
    make_executable(&script)?;
    println!("{} executables in {}", tests.len() + others.len(), folder.display());
    Ok(())
}

fn build() -> Result<(Vec<Executable>, Vec<Executable>), String> {
    let packages = ["--package=cublaslt-sys", "--package=cublaslt", "--package=cublaslt-tests"];
    let build = |command: &[&str]| {
        let mut cargo = cargo(command);
        cargo.args(["--release", "--features", "cublaslt/reference"]).args(packages);
        executables::build(cargo.env("CARGO_PROFILE_RELEASE_STRIP", "symbols"))
    };
    Ok((build(&["test", "--no-run", "--lib", "--tests"])?, build(&["build", "--examples", "--benches"])?))
}

fn commit() -> Result<String, String> {
    output(Command::new("git").current_dir(root()).args(["describe", "--always", "--dirty", "--abbrev=12"]))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), String> {
    Ok(())
}

/// A script that runs the tests it is given, or all, sums up, and fails if any failed.
fn run_script(executables: &[Executable]) -> String {
    let tests = executables.iter().map(|executable| executable.name.as_str()).collect::<Vec<_>>().join(" ");
    format!(
        r#"#!/bin/sh
# Runs the bundled tests: ./run.sh [NAME...]. CUBLASLT_REQUIRE_GPU=1 makes a missing GPU a failure,
# CUBLASLT_TEST_ARGS is passed on to each program.
cd "$(dirname "$0")" || exit 1
[ $# -gt 0 ] || set -- {tests}
log=$(mktemp)
broken=0
for name in "$@"; do
    echo "=== $name"
    # shellcheck disable=SC2086
    "./$name" $CUBLASLT_TEST_ARGS >"$log.one" 2>&1
    status=$?
    cat "$log.one"
    cat "$log.one" >>"$log"
    grep -q '^test result:' "$log.one" || {{ echo "$name ended with $status and no summary"; broken=$((broken + 1)); }}
done
awk -v broken="$broken" '
    /^test result:/ {{
        for (i = 2; i <= NF; i++) {{
            if ($i ~ /^passed/) passed += $(i - 1)
            if ($i ~ /^failed/) failed += $(i - 1)
            if ($i ~ /^ignored/) ignored += $(i - 1)
        }}
    }}
    END {{
        printf "%d passed, %d failed, %d skipped\n", passed, failed + broken, ignored
        exit failed + broken > 0
    }}' "$log"
status=$?
rm -f "$log" "$log.one"
exit $status
"#
    )
}
