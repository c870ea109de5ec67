//! Everything about a multiply that is decided beforehand.

use std::fmt;
use std::sync::Arc;

use super::{Executor, Problem, check, column_major};
use crate::algo::{Candidate, heuristics};
use crate::error::Result;
use crate::handle::Handle;
use crate::runtime::Stream;
use crate::types::ReductionSchemes;

/// What a plan may use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlanOptions {
    /// Largest workspace in bytes. Unset: 32 MiB on compute capability 9.0 and later, 4 MiB before. It takes part
    /// in the choice of the algorithm, and so in the rounding of the results.
    pub workspace_limit: Option<usize>,
    /// Ways of adding up a split-K product that are allowed besides none. Unset: in the compute type only. The
    /// others keep partial sums in the output type, where an `f16` one overflows beyond 65504 though the whole
    /// sum does not.
    pub reductions: Option<ReductionSchemes>,
}

/// A problem with its pinned algorithm. Immutable, and shared between threads as it is or by a clone.
#[derive(Clone, Debug)]
pub struct Plan(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    problem: Problem,
    handle: Handle,
    /// `None` where D is empty and there is nothing to do.
    candidate: Option<Candidate>,
    workspace_limit: usize,
}

const MIB: usize = 1024 * 1024;

impl Plan {
    /// Plans a problem: checks it, asks the heuristic, and takes its first answer.
    ///
    /// # Errors
    ///
    /// The problem is wrong in itself, the library has no algorithm for it, or a call fails. The error says which,
    /// with the problem in one line.
    pub fn new(handle: &Handle, problem: Problem, options: PlanOptions) -> Result<Self> {
        check::check(&problem)?;
        let workspace_limit = match options.workspace_limit {
            Some(limit) => limit,
            None if handle.device().compute_capability()? >= (9, 0) => 32 * MIB,
            None => 4 * MIB,
        };
        let candidate = if problem.m == 0 || problem.n == 0 {
            None
        } else {
            let reductions = options.reductions.unwrap_or(ReductionSchemes::COMPUTE_TYPE);
            let found = find(handle, &problem, workspace_limit, reductions);
            Some(found.map_err(|error| error.with_problem(&problem).with_gpu(&handle.device()))?)
        };
        Ok(Self(Arc::new(Inner { problem, handle: handle.clone(), candidate, workspace_limit })))
    }

    /// What runs this plan on a stream: it has descriptors and a workspace of its own.
    ///
    /// # Errors
    ///
    /// The stream belongs to another GPU or is being captured, or there is too little memory for the workspace.
    pub fn executor(&self, stream: &Stream) -> Result<Executor> {
        Executor::new(self, stream)
    }

    /// The problem it is for.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// The library handle that it keeps alive.
    #[must_use]
    pub fn handle(&self) -> &Handle {
        &self.0.handle
    }

    /// The pinned algorithm, or `None` where D is empty and nothing is launched.
    #[must_use]
    pub fn candidate(&self) -> Option<&Candidate> {
        self.0.candidate.as_ref()
    }

    /// Workspace that each executor has, in bytes.
    #[must_use]
    pub fn workspace_bytes(&self) -> usize {
        self.0.candidate.map_or(0, |candidate| candidate.workspace_bytes)
    }

    /// Largest workspace that the choice of the algorithm was allowed, in bytes.
    #[must_use]
    pub fn workspace_limit(&self) -> usize {
        self.0.workspace_limit
    }
}

fn find(
    handle: &Handle,
    problem: &Problem,
    workspace_limit: usize,
    reductions: ReductionSchemes,
) -> Result<Candidate> {
    let candidates = heuristics(
        handle,
        &column_major::descriptor(problem)?,
        &column_major::layouts(problem)?,
        &column_major::preference(problem, workspace_limit, reductions)?,
    )?;
    Ok(candidates[0])
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; ", self.0.problem)?;
        match self.0.candidate.map(|candidate| candidate.algorithm.config()) {
            None => f.write_str("nothing to do"),
            Some(Ok(config)) => write!(f, "{config}; workspace {} bytes", self.workspace_bytes()),
            Some(Err(error)) => write!(f, "algorithm unreadable: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_and_handles_go_between_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Plan>();
        shared::<Handle>();
    }
}
