//! Reads the headers of one release: runs bindgen and sorts what it found into a [`Declared`].

use std::collections::BTreeMap;
use std::path::Path;

use quote::ToTokens;
use syn::{Expr, ForeignItem, ImplItem, Item, Lit};

/// The headers whose declarations are ours; others are followed only where these mention them.
const OWN_HEADERS: [&str; 8] = [
    "cublasLt",
    "cuda_runtime_api",
    "driver_types",
    "library_types",
    "vector_types",
    "cuComplex",
    "surface_types",
    "texture_types",
];

/// What the headers of one release declare.
#[derive(Default)]
pub struct Declared {
    /// Functions in the order of the headers.
    pub functions: Vec<Function>,
    /// C enums in the order of the headers.
    pub enumerations: Vec<Enumeration>,
    /// Structs, unions and type aliases, by name, in the order of the headers.
    pub types: Vec<(String, Item)>,
    /// Constants from macros, as `pub const` items.
    pub constants: Vec<(String, String)>,
    /// Size, alignment and field offsets of each struct and union.
    pub layouts: BTreeMap<String, Layout>,
}

/// A C function.
pub struct Function {
    pub name: String,
    /// Rust text of the parameters, `name: type`.
    pub parameters: Vec<(String, String)>,
    /// Rust text of the return type, empty for `void`.
    pub returns: String,
}

/// A C enum.
pub struct Enumeration {
    pub name: String,
    pub repr: &'static str,
    pub enumerators: Vec<(String, i64)>,
}

/// Where the bytes of a struct lie.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
    pub offsets: BTreeMap<String, u64>,
}

/// Reads `wrapper` against the headers in `include` for `target`.
pub fn read(wrapper: &Path, include: &Path, target: &str) -> Result<Declared, String> {
    let stubs = concat!(env!("CARGO_MANIFEST_DIR"), "/include");
    let mut builder = bindgen::Builder::default()
        .header(wrapper.to_string_lossy())
        .clang_args(["-nostdinc", "-isystem", stubs, "-target", target, "-I"])
        .clang_arg(include.to_string_lossy())
        .default_enum_style(bindgen::EnumVariation::NewType { is_bitfield: false, is_global: false })
        .generate_comments(false)
        .generate_inline_functions(false)
        .prepend_enum_name(false)
        .size_t_is_usize(true)
        .use_core()
        .ctypes_prefix("core::ffi")
        // Types of cublas_api.h that only attributes of cublasLt.h have.
        .allowlist_type("cublasOperation_t|cublasFillMode_t|cublasEmulationStrategy_t")
        .blocklist_type("FILE")
        .layout_tests(true)
        .parse_callbacks(Box::new(FlagWidth))
        .formatter(bindgen::Formatter::None);
    for header in OWN_HEADERS {
        builder = builder.allowlist_file(format!(r".*[/\\]{header}\.h"));
    }
    let text = builder
        .generate()
        .map_err(|error| format!("the headers in {} do not parse: {error}", include.display()))?
        .to_string();
    let file = syn::parse_file(&text).map_err(|error| format!("bindgen's output does not parse: {error}"))?;
    let mut declared = Declared::default();
    for item in file.items {
        declared.take(item)?;
    }
    for (name, text) in cast_macros(include, &declared)? {
        declared.constants.retain(|(known, _)| *known != name);
        declared.constants.push((name, text));
    }
    Ok(declared)
}

impl Declared {
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The struct, union or alias of that name.
    pub fn item(&self, name: &str) -> Option<&Item> {
        self.types.iter().find(|(known, _)| known == name).map(|(_, item)| item)
    }

    fn take(&mut self, item: Item) -> Result<(), String> {
        match item {
            Item::ForeignMod(block) => {
                for item in block.items {
                    let ForeignItem::Fn(function) = item else {
                        return Err(format!("unexpected extern item {}", item.to_token_stream()));
                    };
                    self.functions.push(Function::from_signature(&function.sig));
                }
            }
            Item::Const(constant) if constant.ident == "_" => self.take_layout(&constant.expr),
            Item::Const(constant) => {
                self.constants.push((constant.ident.to_string(), pretty_item(Item::Const(constant))));
            }
            Item::Struct(item) if is_newtype(&item) => {
                self.enumeration(&item.ident.to_string());
            }
            Item::Impl(block) => self.take_enumerators(&block)?,
            Item::Use(alias) => {
                // `pub use self::cudaError as cudaError_t;`
                let syn::UseTree::Path(path) = &alias.tree else { return Ok(()) };
                if let syn::UseTree::Rename(rename) = &*path.tree {
                    let item: Item =
                        syn::parse_str(&format!("pub type {} = {};", rename.rename, rename.ident))
                            .map_err(|error| error.to_string())?;
                    self.types.push((rename.rename.to_string(), item));
                }
            }
            Item::Struct(ref s) => self.types.push((s.ident.to_string(), item)),
            Item::Union(ref u) => self.types.push((u.ident.to_string(), item)),
            Item::Type(ref t) => self.types.push((t.ident.to_string(), item)),
            other => return Err(format!("unexpected item {}", other.to_token_stream())),
        }
        Ok(())
    }

    /// The enumeration of that name; bindgen writes its constants and its type in either order.
    fn enumeration(&mut self, name: &str) -> &mut Enumeration {
        let at = self.enumerations.iter().position(|e| e.name == name).unwrap_or_else(|| {
            self.enumerations.push(Enumeration {
                name: name.to_owned(),
                repr: "u32",
                enumerators: Vec::new(),
            });
            self.enumerations.len() - 1
        });
        &mut self.enumerations[at]
    }

    fn take_enumerators(&mut self, block: &syn::ItemImpl) -> Result<(), String> {
        let name = block.self_ty.to_token_stream().to_string();
        let enumeration = self.enumeration(&name);
        for item in &block.items {
            let ImplItem::Const(constant) = item else { return Err(format!("unexpected item in {name}")) };
            let Expr::Call(call) = &constant.expr else { return Err(format!("unexpected value in {name}")) };
            let value = integer(&call.args[0]).ok_or_else(|| format!("no number for {}", constant.ident))?;
            enumeration.enumerators.push((constant.ident.to_string(), value));
        }
        // The compiler picks the type of a C enum: int on Windows, unsigned on Linux where nothing is negative.
        enumeration.repr =
            if enumeration.enumerators.iter().any(|(_, value)| *value < 0) { "i32" } else { "u32" };
        Ok(())
    }

    /// Reads bindgen's `["Size of X"][size_of::<X>() - 8usize];` statements.
    fn take_layout(&mut self, expr: &Expr) {
        let Expr::Block(block) = expr else { return };
        for statement in &block.block.stmts {
            let syn::Stmt::Expr(Expr::Index(index), _) = statement else { continue };
            let Some(label) = first_string(&index.expr) else { continue };
            let Expr::Binary(difference) = &*index.index else { continue };
            let Some(value) = integer(&difference.right).and_then(|v| u64::try_from(v).ok()) else {
                continue;
            };
            if let Some(name) = label.strip_prefix("Size of ") {
                self.layouts.entry(name.into()).or_default().size = value;
            } else if let Some(name) = label.strip_prefix("Alignment of ") {
                self.layouts.entry(name.into()).or_default().align = value;
            } else if let Some((name, field)) =
                label.strip_prefix("Offset of field: ").and_then(|path| path.split_once("::"))
            {
                self.layouts.entry(name.into()).or_default().offsets.insert(field.into(), value);
            }
        }
    }
}

impl Function {
    fn from_signature(signature: &syn::Signature) -> Self {
        let parameters = signature
            .inputs
            .iter()
            .filter_map(|input| match input {
                syn::FnArg::Typed(typed) => {
                    Some((typed.pat.to_token_stream().to_string(), pretty_type(&typed.ty)))
                }
                syn::FnArg::Receiver(_) => None,
            })
            .collect();
        let returns = match &signature.output {
            syn::ReturnType::Default => String::new(),
            syn::ReturnType::Type(_, ty) => pretty_type(ty),
        };
        Self { name: signature.ident.to_string(), parameters, returns }
    }

    /// The types of parameters and result, by which two declarations are compared.
    pub fn types(&self) -> Vec<&str> {
        self.parameters.iter().map(|(_, ty)| ty.as_str()).chain([self.returns.as_str()]).collect()
    }
}

/// Gives the numerical-implementation flags the width of their type, `cublasLtNumericalImplFlags_t`.
#[derive(Debug)]
struct FlagWidth;

impl bindgen::callbacks::ParseCallbacks for FlagWidth {
    fn int_macro(&self, name: &str, _value: i64) -> Option<bindgen::callbacks::IntKind> {
        name.starts_with("CUBLASLT_NUMERICAL_IMPL_FLAGS").then_some(bindgen::callbacks::IntKind::U64)
    }
}

/// bindgen's newtype for a C enum: `#[repr(transparent)] pub struct X(pub core::ffi::c_uint);`.
fn is_newtype(item: &syn::ItemStruct) -> bool {
    matches!(&item.fields, syn::Fields::Unnamed(_))
        && item.attrs.iter().any(|attribute| attribute.to_token_stream().to_string().contains("transparent"))
}

fn integer(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(value) => value.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(negated) => integer(&negated.expr).map(|value| -value),
        _ => None,
    }
}

fn first_string(expr: &Expr) -> Option<String> {
    let Expr::Array(array) = expr else { return None };
    match array.elems.first()? {
        Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// One item as formatted text.
pub fn pretty_item(item: Item) -> String {
    prettyplease::unparse(&syn::File { shebang: None, attrs: Vec::new(), items: vec![item] })
}

fn pretty_type(ty: &syn::Type) -> String {
    let item: Item = syn::parse_quote!(type T = #ty;);
    let text = pretty_item(item);
    let text = text.trim_start_matches("type T = ").trim_end().trim_end_matches(';');
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace(",)", ")")
        .replace("( ", "(")
        .replace(", >", ">")
}

/// The text of the headers whose declarations are ours, without comments, some of which hold declarations too.
pub fn own_text(include: &Path) -> Result<String, String> {
    let mut text = String::new();
    for header in OWN_HEADERS {
        let path = include.join(format!("{header}.h"));
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for (index, part) in String::from_utf8_lossy(&bytes).split("/*").enumerate() {
            text.push_str(if index == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) });
        }
    }
    Ok(text)
}

/// Macros that hold a cast or a constant of another name, which bindgen passes over.
fn cast_macros(include: &Path, declared: &Declared) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for line in own_text(include)?.lines() {
        let Some(definition) = line.trim_start().strip_prefix('#') else { continue };
        let Some(definition) = definition.trim_start().strip_prefix("define ") else { continue };
        let Some((name, value)) = definition.trim().split_once(char::is_whitespace) else { continue };
        if !(name.starts_with("cuda") || name.starts_with("CUBLASLT")) || name.contains('(') {
            continue;
        }
        let value = value.trim();
        if let Some(text) = cast_macro(name, value, declared) {
            found.push((name.to_owned(), text));
        }
    }
    Ok(found)
}

fn cast_macro(name: &str, value: &str, declared: &Declared) -> Option<String> {
    if let Some(number) = value.strip_prefix("((int)").and_then(|rest| rest.strip_suffix(')')) {
        return Some(format!("pub const {name}: i32 = {number};\n"));
    }
    if let Some(number) = value.strip_prefix("((cudaStream_t)").and_then(|rest| rest.strip_suffix(')')) {
        return Some(format!(
            "pub const {name}: cudaStream_t = core::ptr::without_provenance_mut({number});\n"
        ));
    }
    if value == "(~0u)" {
        return Some(format!("pub const {name}: u32 = u32::MAX;\n"));
    }
    if declared.enumerations.iter().any(|e| e.name == value) || declared.types.iter().any(|(t, _)| t == value)
    {
        return Some(format!("pub type {name} = {value};\n"));
    }
    let of = declared.enumerations.iter().find(|e| e.enumerators.iter().any(|(n, _)| n == value))?;
    Some(format!("pub const {name}: {} = {}::{value};\n", of.name, of.name))
}
