//! The generated tables as data: they are rows of macros, so here other macros of the same names read them.

/// A row of a function table.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// Rust text of the parameters' types.
    pub(crate) parameters: Vec<&'static str>,
    pub(crate) returns: &'static str,
    pub(crate) since: &'static str,
    pub(crate) on_cuda12: &'static str,
    pub(crate) since_on_cuda12: Option<&'static str>,
}

impl Function {
    /// Its symbol in a 12.x library and the first release that has it there.
    pub(crate) fn on_12(&self) -> Option<(&'static str, &'static str)> {
        match self.on_cuda12 {
            "none" => None,
            "same" => Some((self.name, self.since)),
            other => Some((other, self.since_on_cuda12.unwrap_or(self.since))),
        }
    }
}

/// A struct with its size and alignment in Rust, and its name in C.
pub(crate) struct Layout {
    pub(crate) name: &'static str,
    pub(crate) c_name: &'static str,
    pub(crate) size: usize,
    pub(crate) align: usize,
    pub(crate) fields: Vec<Field>,
}

/// A field, perhaps of a struct or union within the struct.
pub(crate) struct Field {
    /// Path in Rust.
    pub(crate) path: &'static str,
    /// Path in C.
    pub(crate) c_path: &'static str,
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

/// A C enum with its size and sign in Rust.
pub(crate) struct Enumeration {
    pub(crate) name: &'static str,
    pub(crate) size: usize,
    pub(crate) signed: bool,
    pub(crate) enumerators: Vec<(&'static str, i64)>,
}

/// Reads the rows of a function table.
pub(crate) mod functions {
    macro_rules! functions {
        ($library:ident, $(
            fn $name:ident($($parameter:ident: $ty:ty),*) -> $returns:ty,
            since $since:literal, cuda12 $on_cuda12:tt $(since $since_on_cuda12:literal)?;
        )*) => {
            pub(crate) fn all() -> Vec<crate::tables::Function> {
                vec![$( crate::tables::Function {
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
pub(crate) mod enumerations {
    macro_rules! enumerations {
        ($( $name:ident: $repr:ty { $( $enumerator:ident = $value:literal, )* } )*) => {
            pub(crate) fn all() -> Vec<crate::tables::Enumeration> {
                vec![$( crate::tables::Enumeration {
                    name: stringify!($name),
                    size: size_of::<cublaslt::sys::$name>(),
                    signed: <$repr>::MIN != 0,
                    enumerators: vec![$( (stringify!($enumerator), $value) ),*],
                } ),*]
            }
        };
    }
    pub(crate) use enumerations;
}

/// Size of what a function points to.
fn size_behind<T, F>(_: fn(*const T) -> *const F) -> usize {
    size_of::<F>()
}

/// Reads the rows of a table of layouts, for the types at a path.
macro_rules! read_layouts {
    ($function:ident, $types:path; $( $name:ident $c_name:literal {
        $( $($field:ident).+ $c_field:literal, )*
    } )*) => {
        pub(crate) fn $function() -> Vec<Layout> {
            #[allow(clippy::wildcard_imports)]
            use $types::*;
            vec![$( Layout {
                name: stringify!($name),
                c_name: $c_name,
                size: size_of::<$name>(),
                align: align_of::<$name>(),
                fields: vec![$( Field {
                    path: stringify!($($field).+),
                    c_path: $c_field,
                    offset: std::mem::offset_of!($name, $($field).+),
                    // SAFETY: never called.
                    size: size_behind(|whole: *const $name| unsafe { &raw const (*whole).$($field).+ }),
                } ),*],
            } ),*]
        }
    };
}
macro_rules! layouts { ($($rows:tt)*) => { read_layouts! { layouts_of_newest, cublaslt::sys; $($rows)* } }; }
macro_rules! layouts_cuda12 { ($($rows:tt)*) => { read_layouts! { layouts_of_12, cublaslt::sys::cuda12; $($rows)* } }; }
include!("../../../cublaslt-sys/src/bindings/layouts.rs");

/// The generated files; what they import is not used here.
#[allow(unused_imports, clippy::unreadable_literal)]
#[rustfmt::skip]
pub(crate) mod generated {
    pub(crate) mod types {}
    pub(crate) mod cuda12_types {}
    pub(crate) mod enumerations {
        include!("../../../cublaslt-sys/src/bindings/enumerations.rs");
    }
    pub(crate) mod cublaslt {
        include!("../../../cublaslt-sys/src/bindings/cublaslt.rs");
    }
    pub(crate) mod cuda12 {
        include!("../../../cublaslt-sys/src/bindings/cuda12.rs");
    }
    pub(crate) mod cudart {
        include!("../../../cublaslt-sys/src/bindings/cudart.rs");
    }
}

/// Every function of the newest headers.
pub(crate) fn newest_functions() -> Vec<Function> {
    generated::cublaslt::all().into_iter().chain(generated::cudart::all()).collect()
}

/// The text of types, constants and availability, which are declarations rather than rows.
pub(crate) const TYPES: &str = include_str!("../../../cublaslt-sys/src/bindings/types.rs");
pub(crate) const CUDA12_TYPES: &str = include_str!("../../../cublaslt-sys/src/bindings/cuda12_types.rs");
pub(crate) const CONSTANTS: &str = include_str!("../../../cublaslt-sys/src/bindings/constants.rs");
pub(crate) const AVAILABILITY: &str = include_str!("../../../cublaslt-sys/src/bindings/availability.rs");

/// The declarations of one kind (`type`, `const`) in a text: what stands before and after the `=`.
pub(crate) fn declarations<'a>(text: &'a str, kind: &str) -> Vec<(&'a str, &'a str)> {
    text.split(&format!("pub {kind} "))
        .skip(1)
        .filter_map(|rest| rest.split_once(';')?.0.split_once(" = "))
        .collect()
}

/// The structs and unions that a text declares, with their fields; not those that only pointers lead to.
pub(crate) fn structs(text: &'static str) -> Vec<(&'static str, Vec<&'static str>)> {
    let lines = text.lines().map(str::trim);
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines {
        if let Some(rest) = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub union ")) {
            found.push((rest.trim_end_matches(" {"), Vec::new()));
        } else if let (Some((name, _)), Some((_, fields))) =
            (line.strip_prefix("pub ").and_then(|line| line.split_once(": ")), found.last_mut())
        {
            fields.push(name);
        }
    }
    found.retain(|(_, fields)| !fields.is_empty());
    found
}
