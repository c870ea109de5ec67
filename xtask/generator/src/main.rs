//! Writes `cublaslt-sys/src/bindings` from `wrapper.h` and the CUDA headers.
//!
//! `generator --cuda DIR [--check] [--all]`, run by `cargo xtask regen-bindings`, which brings the headers.

mod availability;
mod compare;
mod emit;
mod headers;
mod releases;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use availability::Availability;
use compare::Comparison;
use headers::{Declared, read};
use releases::Release;

/// The targets for which the headers must give the same declarations.
const TARGETS: [&str; 3] =
    ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc"];
/// The first major version that the bindings serve; older headers only date the names.
const OLDEST_MAJOR: u16 = 12;

struct Options {
    cuda: PathBuf,
    check: bool,
    all: bool,
}

/// A generated file: its path below the bindings folder, and its text.
type File = (&'static str, String);

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options { cuda: PathBuf::new(), check: false, all: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--cuda" => options.cuda = arguments.next().ok_or("--cuda needs a folder")?.into(),
            "--check" => options.check = true,
            "--all" => options.all = true,
            other => return Err(format!("unknown argument {other:?}; usage: --cuda DIR [--check] [--all]")),
        }
    }
    if options.cuda.as_os_str().is_empty() {
        return Err("--cuda DIR is needed: the folder with one folder of headers a release".into());
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), String> {
    find_libclang()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bindings = root.join("cublaslt-sys/src/bindings");
    let wrapper = root.join("wrapper.h");
    let releases = releases::list(&root.join("xtask/cuda-releases"), &options.cuda)?;
    let newest = releases.last().ok_or("no release is pinned in xtask/cuda-releases")?;
    let older = releases
        .iter()
        .rfind(|release| release.cublas[0] == OLDEST_MAJOR)
        .ok_or_else(|| format!("no {OLDEST_MAJOR}.x release is pinned in xtask/cuda-releases"))?;

    let availability = if options.all {
        availability_of(&wrapper, &releases)?
    } else {
        let known = bindings.join("availability.rs");
        let text = std::fs::read_to_string(&known).map_err(|error| {
            format!("{}: {error}; build the table with: cargo xtask regen-bindings --all", known.display())
        })?;
        let mut availability = Availability::parse(&text)?;
        add(&mut availability, newest, &read(&wrapper, &newest.include, TARGETS[0])?)?;
        availability
    };

    let mut files: Vec<File> = Vec::new();
    for target in TARGETS {
        let declared = read(&wrapper, &newest.include, target)?;
        let declared_before = read(&wrapper, &older.include, target)?;
        let generated =
            generate(&declared, &declared_before, &availability, &newest.include, &older.include)?;
        files = if files.is_empty() { generated } else { merge(&files, &generated, target)? };
    }
    if options.check { check(&bindings, &files) } else { save(&bindings, &files) }
}

/// bindgen panics without libclang; this says what to install instead.
fn find_libclang() -> Result<(), String> {
    std::panic::set_hook(Box::new(|_| {}));
    let found = std::panic::catch_unwind(bindgen::clang_version);
    let _ = std::panic::take_hook();
    found.map(|_| ()).map_err(|_| {
        "libclang is not found. Install it (on Debian: apt-get install libclang-dev; or: pip install libclang), \
         and where it is in an unusual place set LIBCLANG_PATH to its folder"
            .to_owned()
    })
}

fn availability_of(wrapper: &Path, releases: &[Release]) -> Result<Availability, String> {
    let mut availability = Availability::default();
    for release in releases {
        eprintln!("reading the headers of {}", release.name);
        add(&mut availability, release, &read(wrapper, &release.include, TARGETS[0])?)?;
    }
    Ok(availability)
}

fn add(availability: &mut Availability, release: &Release, declared: &Declared) -> Result<(), String> {
    for (library, version, ours) in [
        (&mut availability.cublaslt, release.cublas, true),
        (&mut availability.cudart, release.cudart, false),
    ] {
        let functions = declared.functions.iter().map(|f| f.name.as_str());
        let enumerators =
            declared.enumerations.iter().flat_map(|e| &e.enumerators).map(|(name, _)| name.as_str());
        library.add(
            version,
            functions.filter(|name| name.starts_with("cublasLt") == ours),
            enumerators.filter(|name| (name.starts_with("CUBLAS")) == ours),
        )?;
    }
    Ok(())
}

fn generate(
    declared: &Declared,
    declared_before: &Declared,
    availability: &Availability,
    include: &Path,
    include_before: &Path,
) -> Result<Vec<File>, String> {
    let (headers, headers_before) = (headers::own_text(include)?, headers::own_text(include_before)?);
    let comparison = Comparison::new(declared_before, declared);
    let availability_text = emit::head("Which release declares which name.") + &availability.write();
    Ok(vec![
        ("mod.rs", emit::module()),
        ("types.rs", emit::types(declared)),
        ("enumerations.rs", emit::enumerations(declared, declared_before)),
        ("constants.rs", emit::constants(declared)),
        ("cublaslt.rs", emit::functions("Cublaslt", declared, &comparison, &availability.cublaslt)?),
        ("cudart.rs", emit::functions("Cudart", declared, &comparison, &availability.cudart)?),
        ("cuda12_types.rs", emit::cuda12_types(&comparison)),
        ("cuda12.rs", emit::cuda12(&comparison, &availability.cudart)?),
        ("availability.rs", availability_text),
        ("layouts.rs", emit::layouts(declared, &headers, &comparison, &headers_before)),
    ])
}

/// Holds that another target has the same declarations. Only alignments may differ, on Windows, and both are kept.
fn merge(files: &[File], other: &[File], target: &str) -> Result<Vec<File>, String> {
    let mut merged = Vec::new();
    for ((name, text), (_, for_target)) in files.iter().zip(other) {
        let mut lines = String::new();
        if text.lines().count() != for_target.lines().count() {
            return Err(format!("{name} has another number of lines for {target}"));
        }
        for (line, line_there) in text.lines().zip(for_target.lines()) {
            let alignment = |line: &str| -> Option<String> {
                Some(line.trim().strip_prefix("#[repr(align(")?.strip_suffix("))]")?.to_owned())
            };
            match (alignment(line), alignment(line_there)) {
                _ if line == line_there => lines.push_str(line),
                (Some(here), Some(there)) if target.contains("windows") => {
                    let _ = write!(
                        lines,
                        "#[cfg_attr(not(windows), repr(align({here})))]\n#[cfg_attr(windows, repr(align({there})))]"
                    );
                }
                _ => return Err(format!("{name} differs for {target}: {line:?} against {line_there:?}")),
            }
            lines.push('\n');
        }
        merged.push((*name, lines));
    }
    Ok(merged)
}

fn check(bindings: &Path, files: &[File]) -> Result<(), String> {
    for (name, text) in files {
        let path = bindings.join(name);
        let found = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if found != *text {
            return Err(format!(
                "cublaslt-sys/src/bindings/{name} is not what the headers give; run: cargo xtask regen-bindings"
            ));
        }
    }
    println!("the bindings are what the headers give");
    Ok(())
}

fn save(bindings: &Path, files: &[File]) -> Result<(), String> {
    for (name, text) in files {
        let path = bindings.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!("wrote {} files to cublaslt-sys/src/bindings", files.len());
    Ok(())
}
