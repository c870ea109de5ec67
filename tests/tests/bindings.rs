//! The generated bindings against the real headers and libraries: symbols, signatures, layouts, values.
//!
//! The generated tables are data for macros, so here other macros of the same names read them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cublaslt::sys::availability;
use cublaslt_tests::harness::{Outcome, Stop, cuda_releases, ensure, run, test};

use cublaslt::sys::FILE;

/// A row of a function table.
struct Function {
    name: &'static str,
    /// Rust text of the parameters' types.
    parameters: Vec<&'static str>,
    returns: &'static str,
    since: &'static str,
    on_cuda12: &'static str,
    since_on_cuda12: Option<&'static str>,
}

/// A struct with its size, alignment and offsets in Rust, and its names in C.
struct Layout {
    name: &'static str,
    c_name: &'static str,
    size: usize,
    align: usize,
    fields: Vec<(&'static str, usize)>,
}

/// A C enum.
struct Enumeration {
    name: &'static str,
    enumerators: Vec<(&'static str, i64)>,
}

/// Reads the rows of a function table.
mod functions {
    macro_rules! functions {
        ($library:ident, $(
            fn $name:ident($($parameter:ident: $ty:ty),*) -> $returns:ty,
            since $since:literal, cuda12 $on_cuda12:tt $(since $since_on_cuda12:literal)?;
        )*) => {
            pub(crate) fn all() -> Vec<crate::Function> {
                vec![$( crate::Function {
                    name: stringify!($name),
                    parameters: vec![$( stringify!($ty) ),*],
                    returns: stringify!($returns),
                    since: $since,
                    on_cuda12: stringify!($on_cuda12).trim_matches('"'),
                    since_on_cuda12: None$(.or(Some($since_on_cuda12)))?,
                } ),*]
            }
        };
    }
    pub(crate) use functions;
}

/// Reads the rows of the table of enums.
mod enumerations {
    macro_rules! enumerations {
        ($( $name:ident: $repr:ty { $( $enumerator:ident = $value:literal, )* } )*) => {
            pub(crate) fn all() -> Vec<crate::Enumeration> {
                vec![$( crate::Enumeration {
                    name: stringify!($name),
                    enumerators: vec![$( (stringify!($enumerator), $value) ),*],
                } ),*]
            }
        };
    }
    pub(crate) use enumerations;
}

/// Reads the rows of a table of layouts, for the types at a path.
macro_rules! read_layouts {
    ($function:ident, $types:path; $( $name:ident $c_name:literal {
        $( $($field:ident).+ $c_field:literal, )*
    } )*) => {
        fn $function() -> Vec<Layout> {
            #[allow(clippy::wildcard_imports)]
            use $types::*;
            vec![$( Layout {
                name: stringify!($name),
                c_name: $c_name,
                size: size_of::<$name>(),
                align: align_of::<$name>(),
                fields: vec![$( ($c_field, std::mem::offset_of!($name, $($field).+)) ),*],
            } ),*]
        }
    };
}
macro_rules! layouts { ($($rows:tt)*) => { read_layouts! { layouts_of_newest, cublaslt::sys; $($rows)* } }; }
macro_rules! layouts_cuda12 { ($($rows:tt)*) => { read_layouts! { layouts_of_12, cublaslt::sys::cuda12; $($rows)* } }; }
include!("../../cublaslt-sys/src/bindings/layouts.rs");

/// The generated tables; what they import is not used here.
#[allow(unused_imports, clippy::unreadable_literal)]
#[rustfmt::skip]
mod tables {
    pub(crate) mod types {}
    pub(crate) mod cuda12_types {}
    pub(crate) mod enumerations {
        include!("../../cublaslt-sys/src/bindings/enumerations.rs");
    }
    pub(crate) mod cublaslt {
        include!("../../cublaslt-sys/src/bindings/cublaslt.rs");
    }
    pub(crate) mod cuda12 {
        include!("../../cublaslt-sys/src/bindings/cuda12.rs");
    }
    pub(crate) mod cudart {
        include!("../../cublaslt-sys/src/bindings/cudart.rs");
    }
}

fn main() {
    run(vec![
        test("every declared symbol is exported, in every release that is here", exported),
        test("every exported symbol is declared or listed with a reason", unwrapped),
        test("struct layouts are those of C", struct_layouts),
        test("enumerators have their values in C", enumerator_values),
        test("function signatures are those of the headers", signatures),
        test("availability ranges are sane", ranges),
        test("the safe crate uses only functions that are the same on 12 and 13", safe_crate),
    ])
}

/// A fetched release.
struct Release {
    version: String,
    folder: PathBuf,
}

impl Release {
    fn major(&self) -> u32 {
        numbers(&self.version)[0]
    }

    /// The exported names of one of its libraries.
    fn exports(&self, library: &str) -> Result<Option<BTreeSet<String>>, Stop> {
        let path = self.folder.join("lib").join(format!("lib{library}.so.{}", self.major()));
        if !path.exists() {
            return Ok(None);
        }
        let output = Command::new("nm").args(["-D", "--defined-only"]).arg(&path).output();
        let output = output.map_err(|error| Stop::Ignored(format!("no nm (of binutils): {error}")))?;
        ensure(output.status.success(), || format!("nm {}: {}", path.display(), output.status))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let names = text.lines().filter_map(|line| line.split_whitespace().nth(2));
        Ok(Some(names.map(|name| name.split('@').next().unwrap_or(name).to_owned()).collect()))
    }

    /// The version of its runtime, from the header's macro.
    fn runtime(&self) -> Result<Vec<u32>, Stop> {
        let header = fs::read_to_string(self.folder.join("include/cuda_runtime_api.h"))?;
        let number = header.lines().find_map(|line| line.trim().strip_prefix("#define CUDART_VERSION"));
        let number: u32 = number.unwrap_or_default().trim().parse()?;
        Ok(vec![number / 1000, number % 1000 / 10])
    }
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

/// The fetched releases, oldest first; at least the newest, whose headers the bindings were made from.
fn releases() -> Result<Vec<Release>, Stop> {
    let folder = cuda_releases()?;
    let mut found: Vec<Release> = fs::read_dir(&folder)?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let version = entry.file_name().into_string().ok()?;
            let usable = numbers(&version)[0] >= 12 && entry.path().join("include/cublasLt.h").exists();
            usable.then(|| Release { version, folder: entry.path() })
        })
        .collect();
    found.sort_by_key(|release| numbers(&release.version));
    let newest = availability::newest_cublaslt().to_string();
    if found.last().is_none_or(|release| !release.version.starts_with(&newest)) {
        return Err(Stop::Ignored(format!("the headers of cuBLAS {newest} are not in {}", folder.display())));
    }
    Ok(found)
}

/// The newest release, and the newest of 12.x, which `cuda12` was made from.
fn newest_of(major: u32) -> Result<Release, Stop> {
    let found = releases()?.into_iter().rfind(|release| release.major() == major);
    found.ok_or_else(|| Stop::Ignored(format!("no headers of a {major}.x release are here")))
}

/// Declared in the headers since 12.1, and exported by none of the libraries.
const NEVER_EXPORTED: [&str; 1] = ["cublasLtDisableCpuInstructionsSetMask"];

fn exported() -> Outcome {
    let mut checked = 0;
    for release in releases()? {
        let runtime = release.runtime()?;
        for (library, table, version) in [
            ("cublasLt", tables::cublaslt::all(), numbers(&release.version)),
            ("cudart", tables::cudart::all(), runtime.clone()),
            ("cudart", if release.major() == 12 { tables::cuda12::all() } else { Vec::new() }, runtime),
        ] {
            let Some(exports) = release.exports(library)? else { continue };
            for function in table {
                let (symbol, since) = if release.major() == 12 {
                    match function.on_cuda12 {
                        "none" => continue,
                        "same" => (function.name, function.since),
                        other => (other, function.since_on_cuda12.unwrap_or(function.since)),
                    }
                } else {
                    (function.name, function.since)
                };
                let since = numbers(since);
                let has = since[..2] <= version[..2] && !NEVER_EXPORTED.contains(&symbol);
                if has {
                    ensure(exports.contains(symbol), || {
                        format!("{} {} lacks {symbol}", library, release.version)
                    })?;
                    checked += 1;
                }
                if NEVER_EXPORTED.contains(&symbol) {
                    ensure(!exports.contains(symbol), || {
                        format!("{symbol} is exported by {}", release.version)
                    })?;
                }
            }
        }
    }
    ensure(checked > 300, || format!("only {checked} symbols were checked"))
}

fn unwrapped() -> Outcome {
    let list = include_str!("../unwrapped-symbols.txt");
    let patterns: Vec<&str> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let newest = newest_of(13)?;
    let declared: BTreeSet<&str> = tables::cublaslt::all()
        .into_iter()
        .chain(tables::cudart::all())
        .map(|function| function.name)
        .collect();
    let mut used = BTreeSet::new();
    let mut missing = Vec::new();
    for library in ["cublasLt", "cudart"] {
        let Some(exports) = newest.exports(library)? else {
            return Err(Stop::Ignored(format!("lib{library} of {} is not here", newest.version)));
        };
        let ours = exports.iter().filter(|name| name.starts_with("cublasLt") || name.starts_with("cuda"));
        for name in ours.filter(|name| !declared.contains(name.as_str())) {
            match patterns.iter().find(|pattern| matches(pattern, name)) {
                Some(pattern) => drop(used.insert(*pattern)),
                None => missing.push(name.clone()),
            }
        }
    }
    ensure(missing.is_empty(), || format!("neither declared nor listed: {missing:?}"))?;
    let idle: Vec<_> = patterns.iter().filter(|pattern| !used.contains(*pattern)).collect();
    ensure(idle.is_empty(), || format!("listed, and nothing is exported so: {idle:?}"))
}

/// Whether a name fits a pattern with one `*`.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => pattern == name,
    }
}

/// Compiles a C program against a release's headers. With `run`, runs it and returns what it prints.
fn compile(release: &Release, name: &str, source: &str, run: bool) -> Result<String, Stop> {
    let folder = std::env::temp_dir().join(format!("cublaslt-bindings-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let input = folder.join(format!("{name}.c"));
    let program = folder.join(name);
    fs::write(&input, source)?;
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-w", "-I"])
        .arg(release.folder.join("include"))
        .arg(&input)
        .arg("-o")
        .arg(&program);
    if !run {
        cc.arg("-c");
    }
    let output = cc.output().map_err(|error| Stop::Ignored(format!("no C compiler: {error}")))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure(output.status.success(), || errors.lines().take(20).collect::<Vec<_>>().join("\n"))?;
    if !run {
        return Ok(String::new());
    }
    let output = Command::new(&program).output()?;
    ensure(output.status.success(), || format!("{name} ended with {}", output.status))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

const INCLUDES: &str =
    "#include <stddef.h>\n#include <stdio.h>\n#include <cublasLt.h>\n#include <cuda_runtime_api.h>\n";

fn struct_layouts() -> Outcome {
    for (release, layouts) in [(newest_of(13)?, layouts_of_newest()), (newest_of(12)?, layouts_of_12())] {
        let mut source = format!("{INCLUDES}int main(void) {{\n");
        for Layout { name, c_name, fields, .. } in &layouts {
            writeln!(source, "printf(\"{name} %zu %zu\\n\", sizeof({c_name}), _Alignof({c_name}));")?;
            for (field, _) in fields {
                writeln!(source, "printf(\"{name}.{field} %zu\\n\", offsetof({c_name}, {field}));")?;
            }
        }
        source.push_str("return 0;\n}\n");
        let in_c = compile(&release, &format!("layouts{}", release.major()), &source, true)?;
        let mut in_rust = String::new();
        for Layout { name, size, align, fields, .. } in &layouts {
            writeln!(in_rust, "{name} {size} {align}")?;
            for (field, offset) in fields {
                writeln!(in_rust, "{name}.{field} {offset}")?;
            }
        }
        let differing: Vec<_> = in_c.lines().zip(in_rust.lines()).filter(|(c, rust)| c != rust).collect();
        ensure(differing.is_empty(), || format!("C and Rust in {}: {differing:?}", release.version))?;
        ensure(in_c == in_rust && !layouts.is_empty(), || "not every struct was compared".into())?;
    }
    Ok(())
}

fn enumerator_values() -> Outcome {
    let (newest, older) = (newest_of(13)?, newest_of(12)?);
    let values: BTreeMap<&str, i64> =
        tables::enumerations::all().into_iter().flat_map(|enumeration| enumeration.enumerators).collect();
    ensure(values.len() > 1500, || format!("only {} enumerators", values.len()))?;
    let dropped = |name: &str| {
        let range = availability::cublaslt_enumerator(name).or_else(|| availability::cudart_enumerator(name));
        range.is_some_and(|range| range.until.is_some())
    };
    let mut compared = 0;
    for (release, names) in [
        (&newest, values.keys().filter(|name| !dropped(name)).collect::<Vec<_>>()),
        (&older, values.keys().filter(|name| dropped(name)).collect::<Vec<_>>()),
    ] {
        let mut source = format!("{INCLUDES}int main(void) {{\n");
        for name in &names {
            writeln!(source, "printf(\"{name} %lld\\n\", (long long){name});")?;
        }
        source.push_str("return 0;\n}\n");
        for line in compile(release, &format!("enumerators{}", release.major()), &source, true)?.lines() {
            let (name, value) = line.split_once(' ').unwrap_or_default();
            ensure(values.get(name).is_some_and(|ours| ours.to_string() == value), || {
                format!("{line} in C of {}, {:?} here", release.version, values.get(name))
            })?;
            compared += 1;
        }
    }
    ensure(compared == values.len(), || format!("{compared} of {} were compared", values.len()))
}

fn signatures() -> Outcome {
    let enums: BTreeSet<&str> =
        tables::enumerations::all().iter().map(|enumeration| enumeration.name).collect();
    let newest: Vec<Function> = tables::cublaslt::all().into_iter().chain(tables::cudart::all()).collect();
    ensure(newest.len() >= 392, || format!("only {} functions", newest.len()))?;
    for (release, table) in [(newest_of(13)?, newest), (newest_of(12)?, tables::cuda12::all())] {
        let headers = header_text(&release.folder)?;
        let c = CTypes { headers: &headers, enums: &enums };
        // The headers may define a name as another; the declaration below is of whatever it stands for then.
        let mut source = INCLUDES.to_owned();
        for function in &table {
            let parameters: Vec<String> = function.parameters.iter().map(|ty| c.spell(ty)).collect();
            let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
            writeln!(source, "{} {}({parameters});", c.spell(function.returns), function.name)?;
        }
        compile(&release, &format!("signatures{}.o", release.major()), &source, false)?;
    }
    Ok(())
}

fn header_text(folder: &Path) -> Result<String, Stop> {
    let mut text = String::new();
    for header in [
        "cublasLt.h",
        "cublas_api.h",
        "cuda_runtime_api.h",
        "driver_types.h",
        "library_types.h",
        "surface_types.h",
        "texture_types.h",
        "vector_types.h",
    ] {
        let header = fs::read(folder.join("include").join(header))?;
        // Some comments hold declarations too.
        for (index, part) in String::from_utf8_lossy(&header).split("/*").enumerate() {
            text.push_str(if index == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) });
        }
    }
    Ok(text)
}

/// Spells Rust types in C.
struct CTypes<'a> {
    headers: &'a str,
    enums: &'a BTreeSet<&'a str>,
}

impl CTypes<'_> {
    fn spell(&self, ty: &str) -> String {
        let ty = ty.trim();
        if let Some(pointee) = ty.strip_prefix("*mut ") {
            return format!("{} *", self.spell(pointee));
        }
        if let Some(pointee) = ty.strip_prefix("*const ") {
            return format!("{} const *", self.spell(pointee));
        }
        let plain = match ty.trim_start_matches("core::ffi::") {
            "c_void" => "void",
            "c_char" => "char",
            "c_int" | "i32" => "int",
            "c_uint" | "u32" => "unsigned int",
            "c_ulong" => "unsigned long",
            "c_longlong" => "long long",
            "c_ulonglong" => "unsigned long long",
            "usize" => "size_t",
            "u64" => "uint64_t",
            "i64" => "int64_t",
            "f32" => "float",
            "f64" => "double",
            "FILE" => "FILE",
            _ => "",
        };
        if !plain.is_empty() {
            return plain.to_owned();
        }
        let typedef = self.headers.lines().map(str::trim).any(|line| {
            let last = line.strip_suffix(';').and_then(|line| line.split([' ', '}', '*', ')']).next_back());
            (line.starts_with("typedef") || line.starts_with('}')) && last == Some(ty)
        }) || self.headers.contains(&format!("*{ty})("));
        match ty {
            _ if typedef => ty.to_owned(),
            _ if self.enums.contains(ty) => format!("enum {ty}"),
            _ => format!("struct {ty}"),
        }
    }
}

fn ranges() -> Outcome {
    let table = include_str!("../../cublaslt-sys/src/bindings/availability.rs");
    let functions: Vec<&str> = tables::cublaslt::all()
        .into_iter()
        .chain(tables::cudart::all())
        .map(|function| function.name)
        .collect();
    for name in functions {
        let range = availability::cublaslt_function(name).or_else(|| availability::cudart_function(name));
        ensure(range.is_some_and(|range| range.until.is_none()), || {
            format!("{name} is not available to the end")
        })?;
    }
    let mut rows = 0;
    for line in table.lines().filter(|line| line.trim().starts_with("row(")) {
        let versions: Vec<Vec<u32>> = line
            .split('[')
            .skip(1)
            .filter_map(|part| {
                Some(part.split_once(']')?.0.split(", ").map(|n| n.parse().unwrap_or(0)).collect())
            })
            .collect();
        ensure(versions.len() < 2 || versions[0] <= versions[1], || format!("{line} ends before it begins"))?;
        rows += 1;
    }
    ensure(rows > 2000, || format!("only {rows} rows"))
}

fn safe_crate() -> Outcome {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cublaslt/src");
    if !sources.is_dir() {
        return Err(Stop::Ignored("the sources of the safe crate are not here".into()));
    }
    let table: BTreeMap<&str, Function> = tables::cublaslt::all()
        .into_iter()
        .chain(tables::cudart::all())
        .map(|function| (function.name, function))
        .collect();
    let mut used = BTreeSet::new();
    let mut folders = vec![sources];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path)?;
            let names = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            used.extend(names.filter(|name| table.contains_key(name)).map(str::to_owned));
        }
    }
    ensure(used.len() > 30, || format!("only {} functions were found: {used:?}", used.len()))?;
    for name in &used {
        let on_cuda12 = table[name.as_str()].on_cuda12;
        ensure(on_cuda12 == "same", || {
            format!("the safe crate uses {name}, which is {on_cuda12} on CUDA 12")
        })?;
    }
    Ok(())
}
