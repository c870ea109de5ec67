//! `fetch-cuda`: brings headers and libraries as wheels, checks their hashes, and lays them out by release.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{check, cuda_folder, pip};
use crate::releases::{self, Release};

/// What to bring of a release.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// Headers and libraries.
    All,
    /// Headers only.
    Headers,
}

/// Options that hold for every release.
#[derive(Clone, Default, Debug)]
struct Options {
    releases: Vec<Release>,
    headers: bool,
    from: Option<PathBuf>,
}

/// The command.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = parse(arguments)?;
    let parts = if options.headers { Parts::Headers } else { Parts::All };
    for release in &options.releases {
        fetch(release, parts, options.from.as_deref())?;
        println!("{}", release.folder().display());
    }
    Ok(())
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--cublas" => options.releases.push(releases::named(value()?)?),
            "--all" => options.releases = releases::all()?,
            "--headers" => options.headers = true,
            "--from" => options.from = Some(PathBuf::from(value()?)),
            other => return Err(format!("fetch-cuda does not know {other:?}; see cargo xtask help")),
        }
    }
    if options.releases.is_empty() {
        options.releases = vec![releases::newest(12)?, releases::newest(13)?];
    }
    Ok(options)
}

/// Brings one release unless it is there; `from` names a folder of wheels to take instead of the network.
pub fn fetch(release: &Release, parts: Parts, from: Option<&Path>) -> Result<(), String> {
    let pins = release.pins();
    let wanted = fs::read_to_string(&pins).map_err(|error| format!("{}: {error}", pins.display()))?;
    let folder = release.folder();
    if is_complete(&folder, &wanted, parts) {
        return Ok(());
    }
    let unfinished = cuda_folder().join(format!("{}.unfinished", release.version));
    remove(&unfinished)?;
    remove(&folder)?;
    let wheels = unfinished.join("wheels");
    make(&wheels)?;
    eprintln!("fetching cuBLAS {} with its runtime and headers (about 0.5 GB)", release.version);
    download(&pins, &wheels, from)?;
    unpack(&wheels, &unfinished, parts)?;
    remove(&wheels)?;
    let stamp = unfinished.join(stamp_name(parts));
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    fs::rename(&unfinished, &folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn stamp_name(parts: Parts) -> &'static str {
    match parts {
        Parts::All => ".complete",
        Parts::Headers => ".headers",
    }
}

/// Whether the folder was filled from these very pins. Headers alone are also there where all is.
fn is_complete(folder: &Path, wanted: &str, parts: Parts) -> bool {
    let filled = |parts| fs::read_to_string(folder.join(stamp_name(parts))).is_ok_and(|pins| pins == wanted);
    filled(Parts::All) || (parts == Parts::Headers && filled(Parts::Headers))
}

/// pip checks every wheel against the hashes in the file.
fn download(pins: &Path, wheels: &Path, from: Option<&Path>) -> Result<(), String> {
    let mut pip = pip()?;
    pip.args(["download", "--progress-bar", "on", "--no-deps", "--only-binary=:all:", "--require-hashes"]);
    pip.args(["--no-cache-dir", "--dest"]).arg(wheels).arg("--requirement").arg(pins);
    if let Some(from) = from {
        pip.args(["--no-index", "--find-links"]).arg(from);
    }
    check(&mut pip)
}

/// Takes headers and libraries out of the wheels; Python's zip module needs no further program.
fn unpack(wheels: &Path, folder: &Path, parts: Parts) -> Result<(), String> {
    const SCRIPT: &str = "
import os, sys, zipfile
wheels, folder, libraries = sys.argv[1], sys.argv[2], sys.argv[3] == 'all'
wanted = ('libcublasLt', 'libcudart', 'libculibos', 'cublasLt', 'cudart')
for wheel in sorted(os.listdir(wheels)):
    with zipfile.ZipFile(os.path.join(wheels, wheel)) as archive:
        for name in archive.namelist():
            part = name.split('/')
            if len(part) < 4 or part[0] != 'nvidia' or name.endswith('/'):
                continue
            kind, file = part[2], part[-1]
            if not (kind == 'include' or libraries and kind in ('lib', 'bin') and file.startswith(wanted)):
                continue
            target = os.path.join(folder, *part[2:])
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with archive.open(name) as source, open(target, 'wb') as out:
                while block := source.read(1 << 20):
                    out.write(block)
";
    let which = if parts == Parts::All { "all" } else { "headers" };
    check(Command::new("python3").args(["-c", SCRIPT]).arg(wheels).arg(folder).arg(which))
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(format!("{}: {error}", folder.display())),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_counts_only_with_the_same_pins() {
        let folder = std::env::temp_dir().join(format!("xtask-fetch-{}", std::process::id()));
        make(&folder).unwrap();
        assert!(!is_complete(&folder, "pins", Parts::Headers));
        fs::write(folder.join(".headers"), "pins").unwrap();
        assert!(is_complete(&folder, "pins", Parts::Headers));
        assert!(!is_complete(&folder, "pins", Parts::All));
        fs::write(folder.join(".complete"), "pins").unwrap();
        assert!(is_complete(&folder, "pins", Parts::All));
        assert!(!is_complete(&folder, "other pins", Parts::All));
        remove(&folder).unwrap();
    }

    #[test]
    fn unknown_options_and_releases_are_named() {
        assert!(parse(&["--every".into()]).unwrap_err().contains("--every"));
        assert!(parse(&["--cublas".into(), "1.2".into()]).unwrap_err().contains("1.2"));
        assert!(parse(&["--cublas".into()]).unwrap_err().contains("needs a value"));
    }
}
