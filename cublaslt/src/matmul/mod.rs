//! Matrix multiplies: a [`Problem`] says what, a [`Plan`] how, an [`Executor`] does it.

mod check;
mod column_major;
mod executor;
mod linear;
mod plan;
mod problem;

pub use executor::{Executor, Run};
pub use linear::{Linear, LinearElement, LinearExecutor, LinearSpec};
pub use plan::{Plan, PlanOptions};
pub use problem::{Bias, Matrix, Problem};
