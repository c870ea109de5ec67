//! The macro behind every enum-like type of this crate.

/// Makes a transparent newtype over an enumeration of `cublaslt_sys` with short names for its values.
///
/// `Display` prints the short text of a known value and the C name, or the number, of any other.
macro_rules! newtype {
    (
        $(#[$meta:meta])*
        $name:ident($raw:ident) {
            $( $(#[$value_meta:meta])* $constant:ident = $c_name:ident, $text:literal; )*
        }
    ) => {
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(cublaslt_sys::$raw);

        impl $name {
            $(
                $(#[$value_meta])*
                #[doc = concat!("\n\n`", stringify!($c_name), "`")]
                pub const $constant: Self = Self(cublaslt_sys::$raw::$c_name);
            )*

            /// The value as the C library knows it.
            #[must_use]
            pub const fn raw(self) -> cublaslt_sys::$raw {
                self.0
            }

            /// Takes a value of the C library, known or not.
            #[must_use]
            pub const fn from_raw(raw: cublaslt_sys::$raw) -> Self {
                Self(raw)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match *self {
                    $( Self::$constant => f.pad($text), )*
                    #[allow(unreachable_patterns)]
                    _ => std::fmt::Debug::fmt(&self.0, f),
                }
            }
        }

        // SAFETY: transparent over a C integer, so every bit pattern is a value.
        unsafe impl crate::descriptor::AttributeValue for $name {}
    };
}
pub(crate) use newtype;
