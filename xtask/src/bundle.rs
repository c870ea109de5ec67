//! `bundle`: test, example and bench executables in one folder, for a GPU machine without Rust.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{cargo, output, root};

/// An executable that cargo built.
struct Executable {
    name: String,
    path: PathBuf,
    is_test: bool,
}

/// The command.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(argument) = arguments.first() {
        return Err(format!("bundle does not know {argument:?}; see cargo xtask help"));
    }
    let folder = root().join("target").join("bundle");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let executables = build()?;
    for executable in &executables {
        let target = folder.join(&executable.name);
        fs::copy(&executable.path, &target).map_err(|error| format!("{}: {error}", target.display()))?;
    }
    write(&folder.join("COMMIT"), &commit()?)?;
    let script = folder.join("run.sh");
    write(&script, &run_script(&executables))?;
    make_executable(&script)?;
    println!("{} executables in {}", executables.len(), folder.display());
    Ok(())
}

fn build() -> Result<Vec<Executable>, String> {
    let common =
        ["--release", "--features", "cublaslt/reference", "--message-format=json-render-diagnostics"];
    let packages = ["--package=cublaslt-sys", "--package=cublaslt", "--package=cublaslt-tests"];
    let mut executables = Vec::new();
    for (command, is_test) in [
        (["test", "--no-run", "--lib", "--tests"].as_slice(), true),
        (["build", "--examples", "--benches"].as_slice(), false),
    ] {
        let mut cargo = cargo(command);
        cargo.args(common).args(packages).env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
        for line in output(&mut cargo)?.lines() {
            executables.extend(executable(line, is_test));
        }
    }
    Ok(executables)
}

/// The executable that a line of cargo's messages tells of.
fn executable(line: &str, is_test: bool) -> Option<Executable> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    let path = message["executable"].as_str()?;
    let name = message["target"]["name"].as_str()?.to_owned();
    Some(Executable { name, path: path.into(), is_test })
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
    let mut tests = String::new();
    for executable in executables.iter().filter(|executable| executable.is_test) {
        let _ = write!(tests, " {}", executable.name);
    }
    format!(
        r#"#!/bin/sh
# Runs the bundled tests: ./run.sh [NAME...]. CUBLASLT_REQUIRE_GPU=1 makes a missing GPU a failure,
# CUBLASLT_TEST_ARGS is passed on to each program.
cd "$(dirname "$0")" || exit 1
[ $# -gt 0 ] || set --{tests}
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_read_from_cargos_messages() {
        let line = r#"{"reason":"compiler-artifact","target":{"name":"linear"},"executable":"/t/linear-1"}"#;
        let found = executable(line, true).unwrap();
        assert_eq!((found.name.as_str(), found.path), ("linear", PathBuf::from("/t/linear-1")));
        assert!(executable(r#"{"target":{"name":"lib"},"executable":null}"#, true).is_none());
        assert!(executable("not json", true).is_none());
    }
}
