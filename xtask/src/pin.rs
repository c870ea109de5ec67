//! `pin-cuda`: writes the requirement file of a release, with the hashes of its wheels for every platform.

use std::fs;
use std::process::Stdio;

use crate::command::pip;
use crate::releases::pins_folder;

/// pip's names of the platforms that have wheels.
const PLATFORMS: [&[&str]; 3] = [
    &[
        "manylinux1_x86_64",
        "manylinux2014_x86_64",
        "manylinux_2_5_x86_64",
        "manylinux_2_17_x86_64",
        "manylinux_2_27_x86_64",
    ],
    &["manylinux2014_aarch64", "manylinux2014_sbsa", "manylinux_2_17_aarch64", "manylinux_2_27_aarch64"],
    &["win_amd64"],
];

/// The command.
pub fn run(packages: &[String]) -> Result<(), String> {
    let first = packages
        .first()
        .ok_or("name the packages with versions, cuBLAS first: nvidia-cublas==13.10.0.20 …")?;
    let version = match first.split_once("==") {
        Some((name, version)) if name.starts_with("nvidia-cublas") => version,
        _ => return Err(format!("the first package is {first:?}; nvidia-cublas…==VERSION is needed there")),
    };
    let mut text = String::new();
    for package in packages {
        let mut hashes: Vec<String> = PLATFORMS.iter().filter_map(|tags| hash(package, tags)).collect();
        hashes.dedup();
        if hashes.is_empty() {
            return Err(format!("no wheel of {package} was found for any platform"));
        }
        text.push_str(package);
        for hash in hashes {
            text.push_str(" \\\n    --hash=sha256:");
            text.push_str(&hash);
        }
        text.push('\n');
    }
    let path = pins_folder().join(format!("{version}.txt"));
    fs::create_dir_all(pins_folder()).map_err(|error| error.to_string())?;
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// The hash that the package index tells of the wheel for a platform, without fetching it.
fn hash(package: &str, tags: &[&str]) -> Option<String> {
    let mut pip = pip().ok()?;
    pip.args(["install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet", "--quiet", "--quiet"]);
    pip.args(["--only-binary=:all:", "--report", "-", "--target", "unused"]);
    for tag in tags {
        pip.args(["--platform", tag]);
    }
    // A platform without a wheel is no fault.
    let output = pip.arg(package).stderr(Stdio::null()).output().ok()?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let hash = &report["install"][0]["download_info"]["archive_info"]["hashes"]["sha256"];
    hash.as_str().map(str::to_owned)
}
