//! Running a plan: its own descriptors and workspace, one stream, one library call a run.

use std::ffi::c_void;
use std::marker::PhantomData;

use cublaslt_sys as sys;

use super::check::extent;
use super::{Matrix, Plan, column_major};
use crate::algo::Layouts;
use crate::descriptor::MatmulDesc;
use crate::error::{Error, Result, cublas};
use crate::runtime::{Device, DeviceBuffer, DeviceSlice, DeviceSliceMut, Stream};
use crate::types::{DataType, Element};

/// What runs a plan on one stream. Another stream needs another executor, so that none shares a workspace.
#[derive(Debug)]
pub struct Executor {
    plan: Plan,
    stream: Stream,
    desc: MatmulDesc,
    layouts: Layouts,
    workspace: DeviceBuffer<u8>,
    /// What the descriptor's bias pointer was set to last.
    bias: *const c_void,
    /// Elements that A, B and D must have.
    extents: [usize; 3],
}

// SAFETY: the pointer is a device address that is only compared; everything else may be sent.
unsafe impl Send for Executor {}
// SAFETY: a shared executor can only be looked at.
unsafe impl Sync for Executor {}

/// The buffers and factors of one run.
#[derive(Debug)]
pub struct Run<'a> {
    a: Operand,
    b: Operand,
    d: Operand,
    bias: Option<Operand>,
    alpha: f64,
    beta: f64,
    memory: PhantomData<&'a mut [u8]>,
}

/// A buffer without its element type.
#[derive(Clone, Copy, Debug)]
struct Operand {
    pointer: *mut c_void,
    len: usize,
    data_type: DataType,
    device: Device,
}

impl<'a> Run<'a> {
    /// D = epilogue(A·B), that is alpha 1 and beta 0.
    pub fn new<A: Element, B: Element, D: Element>(
        a: impl Into<DeviceSlice<'a, A>>,
        b: impl Into<DeviceSlice<'a, B>>,
        d: impl Into<DeviceSliceMut<'a, D>>,
    ) -> Self {
        let mut d = d.into();
        let d = Operand {
            pointer: d.as_mut_ptr().cast(),
            len: d.len(),
            data_type: D::DATA_TYPE,
            device: d.device(),
        };
        Self {
            a: Operand::read(a.into()),
            b: Operand::read(b.into()),
            d,
            bias: None,
            alpha: 1.0,
            beta: 0.0,
            memory: PhantomData,
        }
    }

    /// With a bias, one element a column of D.
    #[must_use]
    pub fn bias<T: Element>(mut self, bias: impl Into<DeviceSlice<'a, T>>) -> Self {
        self.bias = Some(Operand::read(bias.into()));
        self
    }

    /// With another factor of the product; rounded to the problem's scale type.
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// With what D holds added, times this factor; rounded to the problem's scale type. At 0, D is not read.
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Self {
        self.beta = beta;
        self
    }
}

impl Operand {
    fn read<T: Element>(slice: DeviceSlice<'_, T>) -> Self {
        Self {
            pointer: slice.as_ptr().cast_mut().cast(),
            len: slice.len(),
            data_type: T::DATA_TYPE,
            device: slice.device(),
        }
    }
}

impl Executor {
    pub(super) fn new(plan: &Plan, stream: &Stream) -> Result<Self> {
        let problem = plan.problem();
        let device = plan.handle().device();
        if stream.device() != device {
            return Err(Error::invalid(format!(
                "the plan is for {device} and the stream of {}",
                stream.device()
            ))
            .with_problem(problem));
        }
        if stream.is_capturing()? {
            return Err(Error::invalid(
                "the stream is being captured: make the executor before, since its workspace is allocated; \
                 running it while capturing is fine",
            )
            .with_problem(problem));
        }
        let (a_rows, a_cols) = problem.stored_a();
        let (b_rows, b_cols) = problem.stored_b();
        Ok(Self {
            desc: column_major::descriptor(problem)?,
            layouts: column_major::layouts(problem)?,
            workspace: DeviceBuffer::uninitialized(device, plan.workspace_bytes())?,
            bias: std::ptr::null(),
            extents: [
                extent(a_rows, a_cols, problem.a.leading_dimension),
                extent(b_rows, b_cols, problem.b.leading_dimension),
                extent(problem.m, problem.n, problem.d.leading_dimension),
            ],
            plan: plan.clone(),
            stream: stream.clone(),
        })
    }

    /// Queues the multiply on the executor's stream (`cublasLtMatmul`) and returns.
    ///
    /// It allocates nothing and waits for nothing, so it may be captured into a graph; the buffers and this
    /// executor must then outlive the graph.
    ///
    /// # Errors
    ///
    /// A buffer has the wrong type, is too short, less aligned than planned for, or on another GPU; a bias is
    /// missing or not wanted; or the library's own error. Nothing is launched then.
    #[allow(clippy::needless_pass_by_value)] // a run is made for one call
    pub fn run(&mut self, run: Run<'_>) -> Result<()> {
        self.checked(&run).map_err(|error| error.with_problem(self.plan.problem()))?;
        let Some(candidate) = self.plan.candidate() else { return Ok(()) };
        let device = self.plan.handle().device();
        let _current = device.make_current()?;
        if let Some(bias) = run.bias
            && bias.pointer.cast_const() != self.bias
        {
            // SAFETY: the bias was checked, and its memory outlives the work as a run's memory must.
            unsafe { self.desc.set_bias_pointer_unchecked(bias.pointer) }?;
            self.bias = bias.pointer;
        }
        #[allow(clippy::cast_possible_truncation)] // rounding to the scale type is what is documented
        let (narrow, wide) = ([run.alpha as f32, run.beta as f32], [run.alpha, run.beta]);
        let (alpha, beta): (*const c_void, *const c_void) = if self.plan.problem().scale_type == DataType::F64
        {
            ((&raw const wide[0]).cast(), (&raw const wide[1]).cast())
        } else {
            ((&raw const narrow[0]).cast(), (&raw const narrow[1]).cast())
        };
        // SAFETY: the buffers were checked against the layouts for type, length, alignment and GPU; the library's
        // A is our B; the factors are read during the call; the workspace is as large as the algorithm asked for
        // and is used on this stream only.
        let status = unsafe {
            sys::cublasLtMatmul(
                self.plan.handle().raw(),
                self.desc.raw(),
                alpha,
                run.b.pointer,
                self.layouts.a.raw(),
                run.a.pointer,
                self.layouts.b.raw(),
                beta,
                run.d.pointer,
                self.layouts.c.raw(),
                run.d.pointer,
                self.layouts.d.raw(),
                candidate.algorithm.raw(),
                self.workspace.as_mut_slice().as_mut_ptr().cast(),
                candidate.workspace_bytes,
                self.stream.raw(),
            )
        };
        cublas("cublasLtMatmul", status)
            .map_err(|error| error.with_problem(self.plan.problem()).with_gpu(&device))
    }

    /// The plan it runs.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The stream it runs on.
    #[must_use]
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    fn checked(&self, run: &Run<'_>) -> Result<()> {
        let problem = self.plan.problem();
        let [a, b, d] = self.extents;
        self.matches(&problem.a, &run.a, a)?;
        self.matches(&problem.b, &run.b, b)?;
        self.matches(&problem.d, &run.d, d)?;
        match (problem.bias, &run.bias) {
            (None, None) => Ok(()),
            (Some(bias), Some(operand)) => {
                let vector = Matrix {
                    name: "the bias",
                    data_type: bias.data_type,
                    leading_dimension: problem.n,
                    alignment: bias.alignment,
                };
                self.matches(&vector, operand, problem.n)
            }
            (Some(_), None) => Err(Error::invalid("the plan needs a bias, and the run has none")),
            (None, Some(_)) => Err(Error::invalid("the run has a bias, and the plan reads none")),
        }
    }

    fn matches(&self, planned: &Matrix, given: &Operand, extent: usize) -> Result<()> {
        let name = planned.name;
        if given.data_type != planned.data_type {
            return Err(Error::invalid(format!(
                "{name} is planned as {} and given as {}",
                planned.data_type, given.data_type
            )));
        }
        if given.len < extent {
            return Err(Error::invalid(format!(
                "{name} needs {extent} elements, and the buffer has {}",
                given.len
            )));
        }
        let device = self.plan.handle().device();
        if given.device != device {
            return Err(Error::invalid(format!(
                "the plan is for {device}, and {name} is on {}",
                given.device
            )));
        }
        if extent > 0 && given.pointer.is_null() {
            return Err(Error::invalid(format!("{name} is a null pointer")));
        }
        let address = given.pointer.addr();
        if !address.is_multiple_of(planned.alignment as usize) {
            return Err(Error::invalid(format!(
                "{name} is planned for pointers aligned to {} bytes, and {address:#x} is aligned to {}; plan for that alignment",
                planned.alignment,
                1_usize << address.trailing_zeros()
            )));
        }
        Ok(())
    }
}
