//! What the tests share: a harness that says why a test is ignored, and random data.

pub mod data;
pub mod harness;
