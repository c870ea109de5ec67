//! Algorithms: what the heuristic proposes and how it is configured.

mod config;
mod heuristic;

pub use config::AlgorithmConfig;
pub use heuristic::{Algorithm, Candidate, Layouts, MAX_CANDIDATES, heuristics};
