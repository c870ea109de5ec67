//! Safe, thin and complete access to NVIDIA cuBLASLt: matrix multiplies with what follows fused into them.
//!
//! Three levels, each usable alone: [`sys`] (raw) → [`descriptor`] and [`algo`] (typed, one to one with the C
//! API) → [`matmul`] (sound and safe). The libraries are opened on first use, so programs build and start on a
//! machine without CUDA.
//!
//! ```no_run
//! use cublaslt::{Activation, Device, DeviceBuffer, Handle, Linear, LinearSpec, Stream};
//! use half::bf16;
//!
//! # fn main() -> cublaslt::Result<()> {
//! let device = Device::new(0)?;
//! let stream = Stream::new(device)?;
//! let handle = Handle::new(device)?;
//!
//! // y = gelu(x·wᵀ + b): x is 128×4096, w 1024×4096, y 128×1024, all row-major.
//! let spec = LinearSpec::new(128, 1024, 4096).bias().activation(Activation::Gelu);
//! let linear = Linear::<bf16>::new(&handle, &spec)?;
//! let mut executor = linear.executor(&stream)?;
//!
//! let x = DeviceBuffer::from_slice(&stream, &vec![bf16::ONE; 128 * 4096])?;
//! let w = DeviceBuffer::from_slice(&stream, &vec![bf16::ONE; 1024 * 4096])?;
//! let b = DeviceBuffer::from_slice(&stream, &vec![bf16::ONE; 1024])?;
//! let mut y = DeviceBuffer::<bf16>::uninitialized(device, 128 * 1024)?;
//! executor.run(&x, &w, Some(b.as_slice()), &mut y)?;
//! println!("{}", y.to_vec(&stream)?[0]);
//! # Ok(())
//! # }
//! ```

pub use cublaslt_sys as sys;

pub mod algo;
pub mod descriptor;
mod error;
mod handle;
pub mod matmul;
#[cfg(feature = "reference")]
pub mod reference;
pub mod runtime;
pub mod types;

pub use error::{Error, ErrorKind, Result};
pub use handle::Handle;
pub use matmul::{Executor, Linear, LinearExecutor, LinearSpec, Plan, PlanOptions, Problem, Run};
pub use runtime::{Device, DeviceBuffer, DeviceSlice, DeviceSliceMut, Event, Stream};
pub use types::{Activation, ComputeType, DataType, Element, Epilogue, Transpose};
