//! `regen-bindings`: brings the headers and libclang, and runs the generator.

use std::path::PathBuf;

use crate::command::{cargo, check, cuda_folder, pip, root};
use crate::fetch::{Parts, fetch};
use crate::releases;

/// The command.
pub fn run(arguments: &[String]) -> Result<(), String> {
    for argument in arguments {
        if !["--check", "--all"].contains(&argument.as_str()) {
            return Err(format!("regen-bindings does not know {argument:?}; see cargo xtask help"));
        }
    }
    let needed = if arguments.iter().any(|argument| argument == "--all") {
        releases::all()?
    } else {
        vec![releases::newest(12)?, releases::newest(13)?]
    };
    for release in &needed {
        fetch(release, Parts::Headers, None)?;
    }
    let mut generator = cargo(&["run", "--quiet", "--package", "generator", "--", "--cuda"]);
    generator.arg(cuda_folder()).args(arguments);
    if let Some(folder) = libclang()? {
        generator.env("LIBCLANG_PATH", folder);
    }
    check(&mut generator)
}

/// The folder of a fetched libclang, or none where the machine has its own.
fn libclang() -> Result<Option<PathBuf>, String> {
    if std::env::var_os("LIBCLANG_PATH").is_some() || system_has_libclang() {
        return Ok(None);
    }
    let folder = root().join("target").join("libclang");
    let native = folder.join("clang").join("native");
    if !native.is_dir() {
        eprintln!("fetching libclang (24 MB)");
        let mut pip = pip()?;
        pip.args([
            "install",
            "--quiet",
            "--no-deps",
            "--no-cache-dir",
            "--only-binary=:all:",
            "--require-hashes",
        ]);
        pip.arg("--target").arg(&folder).arg("--requirement").arg(root().join("xtask").join("libclang.txt"));
        check(&mut pip)?;
    }
    Ok(Some(native))
}

/// Whether a libclang lies where the generator's loader looks.
fn system_has_libclang() -> bool {
    let llvm = PathBuf::from("/usr/lib").read_dir().into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = llvm
        .map(|entry| entry.path().join("lib"))
        .filter(|path| path.to_string_lossy().contains("/llvm"))
        .collect();
    folders.extend(
        ["/usr/lib64", "/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
            .map(PathBuf::from),
    );
    folders.into_iter().filter_map(|folder| folder.read_dir().ok()).flatten().flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libclang.so")
            || (name.starts_with("libclang-") && name.contains(".so") && !name.contains("cpp"))
    })
}
