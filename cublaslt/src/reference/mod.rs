//! The CPU reference: the same problems computed in f64 from their formulas, for tests on machines with and
//! without a GPU.
//!
//! It shares no code with what it checks. [`linear`] computes a layer and [`Expected::compare`] holds a result
//! against it.

mod compare;
mod linear;
mod real;

pub use compare::{Arithmetic, Comparison, Mismatch};
pub use linear::{Activation, Expected, LinearLayer, linear};
pub use real::Real;
