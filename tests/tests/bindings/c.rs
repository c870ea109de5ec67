//! The C side: headers, compiler, and Rust types spelled in C.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use cublaslt_tests::harness::{Stop, ensure};

use crate::releases::Release;
use crate::tables::Enumeration;

/// Compiles C against a release's headers; the errors are the reason of failure.
pub(crate) fn compile(release: &Release, source: &str) -> Result<(), Stop> {
    compiler(release, source, &["-fsyntax-only"])
}

/// What a C program prints that consists of these statements.
pub(crate) fn output(release: &Release, name: &str, statements: &str) -> Result<String, Stop> {
    let program = std::env::temp_dir().join(format!("cublaslt-bindings-{}-{name}", std::process::id()));
    let source = format!("{INCLUDES}int main(void) {{\n{statements}return 0;\n}}\n");
    compiler(release, &source, &["-o", &program.to_string_lossy()])?;
    let output = Command::new(&program).output();
    fs::remove_file(&program)?;
    let output = output?;
    ensure(output.status.success(), || format!("{name} ended with {}", output.status))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn compiler(release: &Release, source: &str, arguments: &[&str]) -> Result<(), Stop> {
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-w", "-I"])
        .arg(release.folder.join("include"))
        .args(["-x", "c", "-"])
        .args(arguments);
    let mut child = cc
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Stop::Ignored(format!("no C compiler: {error}")))?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(source.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure(output.status.success(), || errors.lines().take(20).collect::<Vec<_>>().join("\n"))
}

pub(crate) const INCLUDES: &str =
    "#include <stddef.h>\n#include <stdio.h>\n#include <cublasLt.h>\n#include <cuda_runtime_api.h>\n";

/// The declarations that types are spelled by, without the comments.
pub(crate) fn header_text(folder: &Path) -> Result<String, Stop> {
    let mut text = String::new();
    for header in [
        "cublasLt.h",
        "cublas_api.h",
        "cuComplex.h",
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

/// The names in a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Spells Rust types in C.
pub(crate) struct CTypes<'a> {
    headers: &'a str,
    enums: BTreeSet<&'static str>,
}

impl<'a> CTypes<'a> {
    /// By these headers, with these enums.
    pub(crate) fn new(headers: &'a str, enumerations: &[Enumeration]) -> Self {
        Self { headers, enums: enumerations.iter().map(|enumeration| enumeration.name).collect() }
    }

    /// The declaration of a name with a type, which may be a pointer to a function.
    pub(crate) fn declare(&self, name: &str, ty: &str) -> String {
        let Some((parameters, returns)) = ty
            .split_once("extern \"C\" fn(")
            .and_then(|(_, function)| function.trim_end_matches(['>', ',', '\n', ' ']).rsplit_once(')'))
        else {
            return format!("{} {name}", self.spell(ty));
        };
        let types = parameters.split(',').filter_map(|parameter| Some(parameter.split_once(':')?.1));
        let returns = returns.trim().strip_prefix("->").map_or("void".to_owned(), |ty| self.spell(ty));
        format!("{returns} (*{name})({})", self.parameters(types))
    }

    /// A list of parameters.
    pub(crate) fn parameters<'t>(&self, types: impl IntoIterator<Item = &'t str>) -> String {
        let types: Vec<String> = types.into_iter().map(|ty| self.spell(ty)).collect();
        if types.is_empty() { "void".to_owned() } else { types.join(", ") }
    }

    /// A type.
    pub(crate) fn spell(&self, ty: &str) -> String {
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
