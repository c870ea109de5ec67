//! The one macro that turns a table of functions into functions: resolved at first use, or linked.
//!
//! A row is `fn name(parameters) -> type, since "first version", cuda12 WHERE;`. WHERE says what a 12.x library
//! has: `same` (that symbol, with this ABI), `"other" since "version"` (that symbol has this ABI), or `none`.
//! Every function is `unsafe extern "C" fn` at the same path in both modes. One that the library lacks returns an
//! error value of its type.

use core::ffi::{c_char, c_uint};

use crate::{cublasStatus_t, cudaChannelFormatDesc, cudaChannelFormatKind, cudaError};

/// Why a function cannot be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Missing {
    /// The libraries are not loaded.
    #[cfg_attr(feature = "linked", allow(dead_code))]
    Library,
    /// The loaded library has no such function.
    Symbol,
}

/// The value that a function returns in place of what the library would have returned.
pub(crate) trait Failed {
    fn failed(missing: Missing) -> Self;
}

impl Failed for cublasStatus_t {
    fn failed(missing: Missing) -> Self {
        match missing {
            Missing::Library => Self::CUBLAS_STATUS_NOT_INITIALIZED,
            Missing::Symbol => Self::CUBLAS_STATUS_NOT_SUPPORTED,
        }
    }
}

impl Failed for cudaError {
    fn failed(missing: Missing) -> Self {
        match missing {
            Missing::Library => Self::cudaErrorSharedObjectInitFailed,
            Missing::Symbol => Self::cudaErrorSharedObjectSymbolNotFound,
        }
    }
}

impl Failed for *const c_char {
    fn failed(missing: Missing) -> Self {
        match missing {
            Missing::Library => c"the CUDA libraries are not loaded".as_ptr(),
            Missing::Symbol => c"the loaded CUDA library has no such function".as_ptr(),
        }
    }
}

impl Failed for usize {
    fn failed(_: Missing) -> Self {
        0
    }
}

impl Failed for c_uint {
    fn failed(_: Missing) -> Self {
        0
    }
}

impl Failed for cudaChannelFormatDesc {
    fn failed(_: Missing) -> Self {
        Self { x: 0, y: 0, z: 0, w: 0, f: cudaChannelFormatKind::cudaChannelFormatKindNone }
    }
}

#[cfg(not(feature = "linked"))]
macro_rules! functions {
    ($library:ident, $(
        fn $name:ident($($parameter:ident: $ty:ty),*) -> $returns:ty,
        since $since:literal, cuda12 $on_cuda12:tt $(since $since_on_cuda12:literal)?;
    )*) => {
        $crate::functions::table!($(($name $on_cuda12))*);
        $(
            pub unsafe extern "C" fn $name($($parameter: $ty),*) -> $returns {
                static SYMBOL: $crate::loader::Symbol = $crate::loader::Symbol::new(
                    $crate::loader::Table::$library,
                    stringify!($name),
                    $crate::functions::on_cuda12!($name $on_cuda12),
                );
                match SYMBOL.address() {
                    Ok(address) => {
                        type Function = unsafe extern "C" fn($($ty),*) -> $returns;
                        // SAFETY: the address is the library's function of the name that, in this version, has
                        // this signature: the generator compared both, and the tests compare it with the headers.
                        let function = unsafe { core::mem::transmute::<*mut core::ffi::c_void, Function>(address) };
                        // SAFETY: what the C function asks for, the caller answers for.
                        unsafe { function($($parameter),*) }
                    }
                    Err(missing) => $crate::functions::Failed::failed(missing),
                }
            }
        )*
    };
}

/// A list of a table's functions, each with its symbol in a 12.x library.
macro_rules! table {
    ($(($name:ident $on_cuda12:tt))*) => {
        pub(crate) static FUNCTIONS: &[(&str, Option<&str>)] =
            &[$((stringify!($name), $crate::functions::on_cuda12!($name $on_cuda12))),*];
    };
}
pub(crate) use table;

/// Where a 12.x library has the function, as a value.
macro_rules! on_cuda12 {
    ($name:ident same) => {
        Some(stringify!($name))
    };
    ($name:ident none) => {
        None
    };
    ($name:ident $other:literal) => {
        Some($other)
    };
}
pub(crate) use on_cuda12;

// The build script sets `cuda12` where the libraries that are linked are 12.x, and `cublaslt_has` and `cudart_has`
// for each known release up to theirs. So each row below is either an extern declaration of a symbol that is
// there, or a function that says that it is not.
#[cfg(feature = "linked")]
macro_rules! functions {
    ($library:ident, $(
        fn $name:ident $parameters:tt -> $returns:ty,
        since $since:literal, cuda12 $on_cuda12:tt $(since $since_on_cuda12:literal)?;
    )*) => {
        $crate::functions::table!($(($name $on_cuda12))*);
        $(
            $crate::functions::linked! {
                $library $name $parameters $returns, $since, $on_cuda12 $($since_on_cuda12)?
            }
        )*
    };
}

#[cfg(feature = "linked")]
macro_rules! linked {
    (Cublaslt $($row:tt)*) => { $crate::functions::linked!(@row cublaslt_has $($row)*); };
    (Cudart $($row:tt)*) => { $crate::functions::linked!(@row cudart_has $($row)*); };
    (Cudart12 $name:ident $parameters:tt $returns:ty, $since:literal, same) => {
        #[cfg(all(cuda12, cudart_has = $since))]
        $crate::functions::declare!($name $parameters $returns, $name);
        #[cfg(not(all(cuda12, cudart_has = $since)))]
        $crate::functions::absent!($name $parameters $returns);
    };
    (@row $has:ident $name:ident $parameters:tt $returns:ty, $since:literal, same) => {
        #[cfg($has = $since)]
        $crate::functions::declare!($name $parameters $returns, $name);
        #[cfg(not($has = $since))]
        $crate::functions::absent!($name $parameters $returns);
    };
    (@row $has:ident $name:ident $parameters:tt $returns:ty, $since:literal, none) => {
        #[cfg(all(not(cuda12), $has = $since))]
        $crate::functions::declare!($name $parameters $returns, $name);
        #[cfg(not(all(not(cuda12), $has = $since)))]
        $crate::functions::absent!($name $parameters $returns);
    };
    (@row $has:ident $name:ident $parameters:tt $returns:ty, $since:literal, $other:literal $since_other:literal) => {
        #[cfg(all(not(cuda12), $has = $since))]
        $crate::functions::declare!($name $parameters $returns, $name);
        #[cfg(all(cuda12, $has = $since_other))]
        $crate::functions::declare!($name $parameters $returns, $other);
        #[cfg(not(any(all(not(cuda12), $has = $since), all(cuda12, $has = $since_other))))]
        $crate::functions::absent!($name $parameters $returns);
    };
}
#[cfg(feature = "linked")]
pub(crate) use linked;

/// Declares a linked function under its own or another symbol.
#[cfg(feature = "linked")]
macro_rules! declare {
    ($name:ident ($($parameter:ident: $ty:ty),*) $returns:ty, $symbol:ident) => {
        unsafe extern "C" {
            pub fn $name($($parameter: $ty),*) -> $returns;
        }
    };
    ($name:ident ($($parameter:ident: $ty:ty),*) $returns:ty, $symbol:literal) => {
        unsafe extern "C" {
            #[link_name = $symbol]
            pub fn $name($($parameter: $ty),*) -> $returns;
        }
    };
}
#[cfg(feature = "linked")]
pub(crate) use declare;

/// A function that the linked library does not have.
#[cfg(feature = "linked")]
macro_rules! absent {
    ($name:ident ($($parameter:ident: $ty:ty),*) $returns:ty) => {
        pub unsafe extern "C" fn $name($(_: $ty),*) -> $returns {
            $crate::functions::Failed::failed($crate::functions::Missing::Symbol)
        }
    };
}
#[cfg(feature = "linked")]
pub(crate) use absent;

pub(crate) use functions;
