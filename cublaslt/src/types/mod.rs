//! The C enums as Rust types: newtypes over the C integer, so that a value this crate does not know is still a value.

mod compute_type;
mod data_type;
mod element;
mod epilogue;
mod modes;
mod newtype;

pub use compute_type::ComputeType;
pub use data_type::DataType;
pub use element::Element;
pub use epilogue::{Activation, Epilogue};
pub use modes::{
    BatchInvariance, BatchMode, FillMode, IntegerWidth, Order, PointerMode, ReductionSchemes, ScaleMode,
    SearchMode, Transpose,
};
pub(crate) use newtype::newtype;
