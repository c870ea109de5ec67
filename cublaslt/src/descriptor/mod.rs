//! The library's descriptors: created and destroyed by it, every attribute with its type.
//!
//! One file a descriptor; its table of attributes names each by its C name, so that one search finds it.

mod attribute;
mod common;
mod matmul;
mod matrix;
mod preference;

pub use attribute::AttributeValue;
pub(crate) use attribute::{attributes, read};
pub(crate) use common::descriptor;
pub use matmul::MatmulDesc;
pub use matrix::MatrixLayout;
pub use preference::Preference;
