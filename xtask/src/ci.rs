//! `ci`: what continuous integration holds, stage by stage.

use std::process::Command;
use std::time::Instant;

use crate::command::{cargo, check, root};
use crate::fetch::{Parts, fetch};
use crate::{regen, releases, test};

type Stage = (&'static str, fn() -> Result<(), String>);

/// The tests come last, so that their summary ends the output.
const STAGES: [Stage; 6] = [
    ("fmt", fmt),
    ("clippy", clippy),
    ("docs", docs),
    ("bindings", bindings),
    ("deny", deny),
    ("test", tests),
];

/// The command: all stages, or those that are named.
pub fn run(names: &[String]) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|name| !STAGES.iter().any(|(stage, _)| stage == name)) {
        let known: Vec<&str> = STAGES.iter().map(|(stage, _)| *stage).collect();
        return Err(format!("there is no stage {unknown:?}; there are {}", known.join(", ")));
    }
    for (name, stage) in STAGES {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            println!("=== ci: {name}");
            let start = Instant::now();
            stage().map_err(|error| format!("stage {name}: {error}"))?;
            if name != "test" {
                println!("=== ci: {name} took {:.0} s", start.elapsed().as_secs_f64());
            }
        }
    }
    Ok(())
}

fn fmt() -> Result<(), String> {
    check(&mut cargo(&["fmt", "--all", "--check"]))
}

/// Every feature set; the linked ones against both major versions.
fn clippy() -> Result<(), String> {
    const STRICT: [&str; 3] = ["--", "-D", "warnings"];
    let all = ["clippy", "--quiet", "--workspace", "--all-targets"];
    check(cargo(&all).args(STRICT))?;
    check(cargo(&["clippy", "--quiet", "--package", "cublaslt", "--no-default-features"]).args(STRICT))?;
    for release in [releases::newest(12)?, releases::newest(13)?] {
        fetch(&release, Parts::All, None)?;
        let linked = ["clippy", "--quiet", "--package", "cublaslt", "--features", "linked,reference"];
        check(cargo(&linked).env("CUDA_PATH", release.folder()).args(STRICT))?;
    }
    Ok(())
}

/// Also as docs.rs builds them, without any CUDA.
fn docs() -> Result<(), String> {
    let mut command = cargo(&["doc", "--quiet", "--no-deps", "--features", "cublaslt/reference"]);
    check(command.env("RUSTDOCFLAGS", "-D warnings"))?;
    let mut command =
        cargo(&["doc", "--quiet", "--no-deps", "--features", "cublaslt/reference,cublaslt/linked"]);
    check(command.env("RUSTDOCFLAGS", "-D warnings --cfg docsrs").env("DOCS_RS", "1"))
}

fn bindings() -> Result<(), String> {
    regen::run(&["--check".into()])
}

/// Licences, bans and sources. The advisory database comes from a host that a build machine need not reach; ask for
/// it with `cargo deny check advisories`.
fn deny() -> Result<(), String> {
    let tools = root().join("target").join("tools");
    let deny = tools.join("bin").join("cargo-deny");
    if !deny.exists() {
        let install = ["install", "--quiet", "--locked", "cargo-deny@0.18.4", "--root"];
        check(cargo(&install).arg(&tools))?;
    }
    check(Command::new(deny).current_dir(root()).args(["check", "bans", "licenses", "sources"]))
}

fn tests() -> Result<(), String> {
    test::run(&[])
}
