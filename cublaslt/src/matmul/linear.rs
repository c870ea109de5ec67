//! The fused linear layer: y = activation(x·wᵀ + b).

use std::marker::PhantomData;

use half::{bf16, f16};

use super::{Bias, Executor, Plan, PlanOptions, Problem, Run};
use crate::error::Result;
use crate::handle::Handle;
use crate::runtime::{DeviceSlice, DeviceSliceMut, Stream};
use crate::types::{Activation, ComputeType, Element, Epilogue, Transpose};

/// An element type that a linear layer takes: `f32`, `f16`, `bf16`.
pub trait LinearElement: Element {}
impl LinearElement for f32 {}
impl LinearElement for f16 {}
impl LinearElement for bf16 {}

/// A linear layer: x is m×k, w is n×k, the bias has n elements, y is m×n, all row-major.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinearSpec {
    m: usize,
    n: usize,
    k: usize,
    activation: Activation,
    bias: bool,
    tf32: bool,
    strides: [usize; 3],
    alignments: [u32; 4],
    workspace_limit: Option<usize>,
}

/// Alignment of a bias that is planned for unless said otherwise, in bytes: that of vector loads.
const BIAS_ALIGNMENT: u32 = 16;

impl LinearSpec {
    /// y = x·wᵀ for m rows (tokens), n outputs and k inputs; rows closely packed, memory straight from the allocator.
    #[must_use]
    pub fn new(m: usize, n: usize, k: usize) -> Self {
        let allocated = super::problem::ALLOCATION_ALIGNMENT;
        Self {
            m,
            n,
            k,
            activation: Activation::None,
            bias: false,
            tf32: false,
            strides: [k, k, n],
            alignments: [allocated, allocated, allocated, BIAS_ALIGNMENT],
            workspace_limit: None,
        }
    }

    /// With a bias of n elements of the layer's type.
    #[must_use]
    pub fn bias(mut self) -> Self {
        self.bias = true;
        self
    }

    /// With an activation.
    #[must_use]
    pub fn activation(mut self, activation: Activation) -> Self {
        self.activation = activation;
        self
    }

    /// `f32` only: operands are rounded to TF32 (10 fraction bits) and multiplied on tensor cores, which is
    /// several times as fast.
    #[must_use]
    pub fn tf32(mut self) -> Self {
        self.tf32 = true;
        self
    }

    /// With rows of x, w and y that many elements apart, where they are not closely packed.
    #[must_use]
    pub fn row_strides(mut self, x: usize, w: usize, y: usize) -> Self {
        self.strides = [x, w, y];
        self
    }

    /// With pointers of x, w and y aligned to that many bytes only (default 256 each); parts of larger buffers
    /// need this.
    #[must_use]
    pub fn alignments(mut self, x: u32, w: u32, y: u32) -> Self {
        self.alignments[..3].copy_from_slice(&[x, w, y]);
        self
    }

    /// With a bias pointer aligned to that many bytes only (default 16).
    #[must_use]
    pub fn bias_alignment(mut self, bytes: u32) -> Self {
        self.alignments[3] = bytes;
        self
    }

    /// With another largest workspace, in bytes; see [`PlanOptions::workspace_limit`].
    #[must_use]
    pub fn workspace_limit(mut self, bytes: usize) -> Self {
        self.workspace_limit = Some(bytes);
        self
    }

    /// The layer as a problem with elements of type `T`.
    #[must_use]
    pub fn problem<T: LinearElement>(&self) -> Problem {
        let mut problem = Problem::new(T::DATA_TYPE, self.m, self.n, self.k);
        problem.transpose_b = Transpose::T;
        for (index, (matrix, name)) in
            [(&mut problem.a, "x"), (&mut problem.b, "w"), (&mut problem.d, "y")].into_iter().enumerate()
        {
            matrix.name = name;
            matrix.leading_dimension = self.strides[index].max(1);
            matrix.alignment = self.alignments[index];
        }
        problem.epilogue = Epilogue::forward(self.activation, self.bias);
        problem.bias = self.bias.then_some(Bias { data_type: T::DATA_TYPE, alignment: self.alignments[3] });
        if self.tf32 {
            problem.compute = ComputeType::F32_FAST_TF32;
        }
        problem
    }
}

/// A planned linear layer. Plan once, make an executor for each stream, run many times.
#[derive(Clone, Debug)]
pub struct Linear<T> {
    plan: Plan,
    element: PhantomData<T>,
}

impl<T: LinearElement> Linear<T> {
    /// Plans the layer.
    ///
    /// # Errors
    ///
    /// As [`Plan::new`]; also if TF32 is asked for a type other than `f32`.
    pub fn new(handle: &Handle, spec: &LinearSpec) -> Result<Self> {
        let options = PlanOptions { workspace_limit: spec.workspace_limit, ..PlanOptions::default() };
        Ok(Self { plan: Plan::new(handle, spec.problem::<T>(), options)?, element: PhantomData })
    }

    /// What runs the layer on a stream.
    ///
    /// # Errors
    ///
    /// As [`Plan::executor`].
    pub fn executor(&self, stream: &Stream) -> Result<LinearExecutor<T>> {
        Ok(LinearExecutor { executor: self.plan.executor(stream)?, element: PhantomData })
    }

    /// The plan beneath.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// What runs a linear layer on one stream.
#[derive(Debug)]
pub struct LinearExecutor<T> {
    executor: Executor,
    element: PhantomData<T>,
}

impl<T: LinearElement> LinearExecutor<T> {
    /// Queues y = activation(x·wᵀ + b) on the stream and returns.
    ///
    /// # Errors
    ///
    /// As [`Executor::run`].
    pub fn run<'a>(
        &mut self,
        x: impl Into<DeviceSlice<'a, T>>,
        w: impl Into<DeviceSlice<'a, T>>,
        bias: Option<DeviceSlice<'a, T>>,
        y: impl Into<DeviceSliceMut<'a, T>>,
    ) -> Result<()> {
        let run = Run::new(x, w, y);
        self.executor.run(match bias {
            Some(bias) => run.bias(bias),
            None => run,
        })
    }

    /// The executor beneath.
    pub fn executor(&mut self) -> &mut Executor {
        &mut self.executor
    }
}
