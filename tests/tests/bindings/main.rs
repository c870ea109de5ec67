//! The generated bindings against the real headers and libraries: symbols, signatures, layouts, values.

mod c;
mod releases;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use cublaslt::sys::availability;
use cublaslt_tests::harness::{Outcome, Stop, ensure, run, test};

use c::{CTypes, INCLUDES};
use releases::{Release, newest_of, numbers, releases, releases_of};
use tables::{Field, Function, Layout, generated};

// The generated files name these from the root of the crate.
use cublaslt::sys::FILE;
use tables::{enumerations, functions};

fn main() {
    run(vec![
        test("every declared symbol is exported, in every release that is here", exported),
        test("every exported symbol is declared or listed with a reason", unwrapped),
        test("struct layouts are those of C", struct_layouts),
        test("structs that CUDA 12 shares have the same size there", shared_sizes),
        test("every struct and each of its fields is among them", struct_coverage),
        test("enums have their size and sign in C", enum_types),
        test("enumerators have their values in C", enumerator_values),
        test("constants have their values in C", constants),
        test("type aliases and callbacks are those of the headers", aliases),
        test("function signatures are those of the headers", signatures),
        test("what is called on CUDA 12 has the signature of 13 there", same_on_12),
        test("availability ranges are sane", ranges),
        test("the safe crate uses only functions that are the same on 12 and 13", safe_crate),
    ])
}

/// Declared in the headers since 12.1, and exported by none of the libraries.
const NEVER_EXPORTED: [&str; 1] = ["cublasLtDisableCpuInstructionsSetMask"];

fn exported() -> Outcome {
    let releases: Vec<_> = releases()?.into_iter().filter(Release::has_libraries).collect();
    if releases.is_empty() {
        return Err(Stop::Ignored("no libraries are beside the headers".into()));
    }
    for release in releases {
        let mut checked = 0;
        let runtime = release.runtime()?;
        for (library, table, version) in [
            ("cublasLt", generated::cublaslt::all(), numbers(&release.version)),
            ("cudart", generated::cudart::all(), runtime.clone()),
            ("cudart", if release.major() == 12 { generated::cuda12::all() } else { Vec::new() }, runtime),
        ] {
            let exports = release.exports(library)?;
            for function in table {
                let named = if release.major() == 12 {
                    function.on_12()
                } else {
                    Some((function.name, function.since))
                };
                let Some((symbol, since)) = named else { continue };
                if NEVER_EXPORTED.contains(&symbol) {
                    ensure(!exports.contains(symbol), || {
                        format!("{symbol} is exported by {}", release.version)
                    })?;
                } else if numbers(since)[..2] <= version[..2] {
                    ensure(exports.contains(symbol), || {
                        format!("{library} {} lacks {symbol}", release.version)
                    })?;
                    checked += 1;
                }
            }
        }
        ensure(checked > 300, || format!("only {checked} symbols of {} were checked", release.version))?;
    }
    Ok(())
}

fn unwrapped() -> Outcome {
    let list = include_str!("../../unwrapped-symbols.txt");
    let patterns: Vec<&str> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let newest = newest_of(13)?;
    if !newest.has_libraries() {
        return Err(Stop::Ignored(format!("the libraries of {} are not here", newest.version)));
    }
    let declared: BTreeSet<&str> =
        tables::newest_functions().into_iter().map(|function| function.name).collect();
    let mut used = BTreeSet::new();
    let mut missing = Vec::new();
    for library in ["cublasLt", "cudart"] {
        let exports = newest.exports(library)?;
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

fn struct_layouts() -> Outcome {
    compare_layouts(&newest_of(13)?, &tables::layouts_of_newest())?;
    compare_layouts(&newest_of(12)?, &tables::layouts_of_12())
}

/// Sizes and alignments only: some fields are named today that were part of what was reserved. The opaque structs
/// grew, but only the library makes them, or is told their size.
fn shared_sizes() -> Outcome {
    let passed: BTreeSet<&str> = tables::newest_functions().iter().flat_map(type_names).collect();
    let differing: BTreeSet<&str> = tables::layouts_of_12().iter().map(|layout| layout.name).collect();
    for release in releases_of(12)? {
        let headers = c::header_text(&release.folder)?;
        let words: BTreeSet<&str> = c::words(&headers).collect();
        let mut shared = tables::layouts_of_newest();
        shared.retain(|Layout { name, .. }| {
            let there = passed.contains(name) && words.contains(name);
            there && !differing.contains(name) && !name.ends_with("Opaque_t")
        });
        for layout in &mut shared {
            layout.fields.clear();
        }
        compare_layouts(&release, &shared)?;
    }
    Ok(())
}

/// The names in the types of a function's parameters, and in what those stand for.
fn type_names(function: &Function) -> BTreeSet<&'static str> {
    let aliases: BTreeMap<&str, &str> = tables::declarations(tables::TYPES, "type").into_iter().collect();
    let mut found = BTreeSet::new();
    let mut left: Vec<&str> = function.parameters.iter().flat_map(|ty| c::words(ty)).collect();
    while let Some(name) = left.pop() {
        if found.insert(name) {
            left.extend(aliases.get(name).into_iter().flat_map(|ty| c::words(ty)));
        }
    }
    found
}

fn compare_layouts(release: &Release, layouts: &[Layout]) -> Outcome {
    let (mut statements, mut in_rust) = (String::new(), String::new());
    for Layout { name, c_name, size, align, fields } in layouts {
        writeln!(statements, "printf(\"{name} %zu %zu\\n\", sizeof({c_name}), _Alignof({c_name}));")?;
        writeln!(in_rust, "{name} {size} {align}")?;
        for Field { c_path, offset, size, .. } in fields {
            writeln!(
                statements,
                "printf(\"{name}.{c_path} %zu %zu\\n\", offsetof({c_name}, {c_path}), \
                 sizeof((({c_name} *)0)->{c_path}));"
            )?;
            writeln!(in_rust, "{name}.{c_path} {offset} {size}")?;
        }
    }
    let in_c = c::output(release, &format!("layouts{}", layouts.len()), &statements)?;
    let differing: Vec<_> = in_c.lines().zip(in_rust.lines()).filter(|(c, rust)| c != rust).collect();
    ensure(differing.is_empty(), || format!("C and Rust in {}: {differing:?}", release.version))?;
    ensure(in_c == in_rust && !layouts.is_empty(), || "not every struct was compared".into())
}

fn struct_coverage() -> Outcome {
    for (text, layouts) in
        [(tables::TYPES, tables::layouts_of_newest()), (tables::CUDA12_TYPES, tables::layouts_of_12())]
    {
        let rows: BTreeMap<&str, BTreeSet<&str>> = layouts
            .into_iter()
            .map(|layout| (layout.name, layout.fields.into_iter().map(|field| field.path).collect()))
            .collect();
        // Structs without a name of their own are compared as fields of those that hold them.
        let structs = tables::structs(text).into_iter().filter(|(name, _)| !name.contains("__bindgen_ty_"));
        for (name, fields) in structs {
            let row = rows.get(name);
            ensure(row.is_some(), || format!("{name} has no row in layouts.rs"))?;
            // Padding begins with an underscore and has no row; so does an anonymous union, which has.
            let padding = |field: &str| field.starts_with('_') && !field.starts_with("__bindgen_anon_");
            for field in fields.into_iter().filter(|field| !padding(field)) {
                let covered = row.is_some_and(|row| {
                    row.iter().any(|path| path.split('.').next().is_some_and(|first| first == field))
                });
                ensure(covered, || format!("{name}.{field} has no row in layouts.rs"))?;
            }
        }
    }
    Ok(())
}

fn enum_types() -> Outcome {
    let release = newest_of(13)?;
    let headers = c::header_text(&release.folder)?;
    let enumerations = generated::enumerations::all();
    let types = CTypes::new(&headers, &enumerations);
    let (mut statements, mut in_rust) = (String::new(), String::new());
    for enumeration in &enumerations {
        let (name, c_name) = (enumeration.name, types.spell(enumeration.name));
        writeln!(statements, "printf(\"{name} %zu %d\\n\", sizeof({c_name}), ({c_name})-1 < 0);")?;
        writeln!(in_rust, "{name} {} {}", enumeration.size, i32::from(enumeration.signed))?;
    }
    let in_c = c::output(&release, "enums", &statements)?;
    let differing: Vec<_> = in_c.lines().zip(in_rust.lines()).filter(|(c, rust)| c != rust).collect();
    ensure(in_c == in_rust, || format!("C and Rust in {}: {differing:?}", release.version))
}

fn enumerator_values() -> Outcome {
    let (newest, older) = (newest_of(13)?, newest_of(12)?);
    let values: BTreeMap<&str, i64> =
        generated::enumerations::all().into_iter().flat_map(|enumeration| enumeration.enumerators).collect();
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
        let mut statements = String::new();
        for name in &names {
            writeln!(statements, "printf(\"{name} %lld\\n\", (long long){name});")?;
        }
        for line in c::output(release, &format!("enumerators{}", release.major()), &statements)?.lines() {
            let (name, value) = line.split_once(' ').unwrap_or_default();
            ensure(values.get(name).is_some_and(|ours| ours.to_string() == value), || {
                format!("{line} in C of {}, {:?} here", release.version, values.get(name))
            })?;
            compared += 1;
        }
    }
    ensure(compared == values.len(), || format!("{compared} of {} were compared", values.len()))
}

fn constants() -> Outcome {
    let declared = tables::declarations(tables::CONSTANTS, "const");
    ensure(declared.len() > 100, || format!("only {} constants", declared.len()))?;
    let mut statements = String::new();
    for (name_and_type, value) in declared {
        let (name, _) = name_and_type.split_once(": ").unwrap_or_default();
        let value = match value {
            "u32::MAX" => "0xffffffffu",
            _ => value.trim_start_matches("core::ptr::without_provenance_mut(").trim_end_matches(')'),
        };
        // An enumerator is in C what its last part is in Rust.
        let value = value.rsplit("::").next().unwrap_or(value);
        writeln!(
            statements,
            "if ((long long)({name}) != (long long)({value})) \
             printf(\"{name} is %lld, here {value}\\n\", (long long)({name}));"
        )?;
    }
    let differing = c::output(&newest_of(13)?, "constants", &statements)?;
    ensure(differing.is_empty(), || differing)
}

fn aliases() -> Outcome {
    let enumerations = generated::enumerations::all();
    for (release, texts) in [
        (newest_of(13)?, [tables::TYPES, tables::CONSTANTS].as_slice()),
        (newest_of(12)?, &[tables::CUDA12_TYPES]),
    ] {
        let headers = c::header_text(&release.folder)?;
        let types = CTypes::new(&headers, &enumerations);
        let mut source = INCLUDES.to_owned();
        for (name, ty) in texts.iter().flat_map(|text| tables::declarations(text, "type")) {
            // The first line fails where C has no such type, the second where it is another one.
            writeln!(source, "static {name} *pointer_to_{name};\ntypedef {};", types.declare(name, ty))?;
        }
        c::compile(&release, &source)?;
    }
    Ok(())
}

fn signatures() -> Outcome {
    let newest = tables::newest_functions();
    ensure(newest.len() >= 392, || format!("only {} functions", newest.len()))?;
    declare(&newest_of(13)?, newest.iter().map(|function| (function.name, function)))?;
    let only_12 = generated::cuda12::all();
    declare(&newest_of(12)?, only_12.iter().map(|function| (function.name, function)))
}

/// Declares functions, under the names that they have there, a second time behind a release's headers.
fn declare<'t>(release: &Release, functions: impl IntoIterator<Item = (&'t str, &'t Function)>) -> Outcome {
    let enumerations = generated::enumerations::all();
    let headers = c::header_text(&release.folder)?;
    let types = CTypes::new(&headers, &enumerations);
    let mut source = INCLUDES.to_owned();
    for (name, function) in functions {
        let parameters = types.parameters(function.parameters.iter().copied());
        let returns = types.spell(function.returns);
        // Some headers define a name as another, while the library exports both. The second line fails where C has
        // no such function, the third where it is another one.
        writeln!(
            source,
            "#undef {name}\nvoid *pointer_to_{name} = (void *){name};\n{returns} {name}({parameters});"
        )?;
    }
    c::compile(release, &source)
}

fn same_on_12() -> Outcome {
    let differing: BTreeSet<&str> = tables::layouts_of_12().iter().map(|layout| layout.name).collect();
    let newest = tables::newest_functions();
    let callable: Vec<_> = newest.iter().filter(|function| function.on_cuda12 != "none").collect();
    for function in &callable {
        let other = type_names(function).into_iter().find(|name| differing.contains(name));
        ensure(other.is_none(), || format!("{} is called on 12, where {other:?} differs", function.name))?;
    }
    for release in releases_of(12)? {
        let runtime = release.runtime()?;
        let there: Vec<_> = callable
            .iter()
            .filter_map(|function| {
                let (name, since) = function.on_12()?;
                let cublaslt = name.starts_with("cublasLt");
                let version = if cublaslt { numbers(&release.version) } else { runtime.clone() };
                (numbers(since)[..2] <= version[..2]).then_some((name, *function))
            })
            .collect();
        ensure(there.len() > 280, || format!("only {} functions in {}", there.len(), release.version))?;
        declare(&release, there)?;
    }
    Ok(())
}

fn ranges() -> Outcome {
    for (table, range_of) in [
        (generated::cublaslt::all(), availability::cublaslt_function as fn(&str) -> _),
        (generated::cudart::all(), availability::cudart_function),
    ] {
        for Function { name, since, .. } in table {
            let range = range_of(name);
            ensure(range.is_some_and(|range| range.until.is_none()), || {
                format!("{name} is not available to the end")
            })?;
            let first = numbers(since)[..3].to_vec();
            ensure(range.is_some_and(|range| numbers(&range.since.to_string()) == first), || {
                format!("{name} is since {since} in its table, but {range:?}")
            })?;
        }
    }
    let mut known: BTreeMap<&str, BTreeSet<Vec<u32>>> = BTreeMap::new();
    let (mut library, mut rows) = ("", 0);
    for line in tables::AVAILABILITY.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("pub(crate) static ") {
            library = name.split('_').next().unwrap_or_default();
        }
        let versions = line.split('[').skip(1).filter_map(|part| Some(part.split_once(']')?.0));
        let versions: Vec<Vec<u32>> = versions.map(|version| numbers(&version.replace(", ", "."))).collect();
        if line.starts_with("row(") {
            ensure(versions.is_sorted(), || format!("{line} ends before it begins"))?;
            let unknown = versions.iter().find(|version| !known[library].contains(*version));
            ensure(unknown.is_none(), || format!("{line}: there is no release {unknown:?}"))?;
            rows += 1;
        } else if line.starts_with('[') {
            known.entry(library).or_default().extend(versions);
        }
    }
    ensure(rows > 2000, || format!("only {rows} rows"))?;
    let mut seen = BTreeSet::new();
    for (name, _) in generated::enumerations::all().into_iter().flat_map(|one| one.enumerators) {
        ensure(seen.insert(name), || format!("{name} is an enumerator of two enums, or twice of one"))?;
        let range = availability::cublaslt_enumerator(name).or_else(|| availability::cudart_enumerator(name));
        ensure(range.is_some(), || format!("{name} has no range"))?;
    }
    Ok(())
}

fn safe_crate() -> Outcome {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cublaslt/src");
    if !sources.is_dir() {
        return Err(Stop::Ignored("the sources of the safe crate are not here".into()));
    }
    let table: BTreeMap<&str, Function> =
        tables::newest_functions().into_iter().map(|function| (function.name, function)).collect();
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
            used.extend(c::words(&text).filter(|name| table.contains_key(name)).map(str::to_owned));
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
