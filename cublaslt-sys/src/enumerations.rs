//! The macro that turns a table of C enums into newtypes: any value is valid, known ones print their C name.

use core::fmt;

macro_rules! enumerations {
    ($( $name:ident: $repr:ty { $( $enumerator:ident = $value:literal, )* } )*) => {
        $(
            #[repr(transparent)]
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
            pub struct $name(pub $repr);

            impl $name {
                $( pub const $enumerator: Self = Self($value); )*
            }

            impl core::fmt::Debug for $name {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    static NAMES: &[(i64, &str)] = &[$( ($value, stringify!($enumerator)) ),*];
                    $crate::enumerations::debug(f, stringify!($name), i64::from(self.0), NAMES)
                }
            }
        )*
    };
}
pub(crate) use enumerations;

/// Prints the first enumerator of that value, or the type and the number.
pub(crate) fn debug(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: i64,
    names: &[(i64, &str)],
) -> fmt::Result {
    match names.iter().find(|(known, _)| *known == value) {
        Some((_, enumerator)) => f.pad(enumerator),
        None => write!(f, "{name}({value})"),
    }
}

#[cfg(test)]
mod tests {
    use crate::{cublasStatus_t, cudaError};

    #[test]
    fn known_values_print_their_name_and_others_their_number() {
        assert_eq!(format!("{:?}", cudaError::cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
        assert_eq!(format!("{:?}", cublasStatus_t(1234)), "cublasStatus_t(1234)");
    }
}
