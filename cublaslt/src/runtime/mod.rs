//! The few parts of the CUDA runtime that a matrix multiply needs.
//!
//! Only functions whose ABI is the same on CUDA 12 and 13 are used here.

mod buffer;
mod device;
mod event;
mod slice;
mod stream;

pub use buffer::DeviceBuffer;
pub use device::Device;
pub use event::Event;
pub use slice::{DeviceSlice, DeviceSliceMut};
pub use stream::Stream;
