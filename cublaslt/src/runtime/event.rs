//! A mark in a stream, to wait for or to time by.

use cublaslt_sys as sys;

use super::{Device, Stream};
use crate::error::{Error, Result, cuda};

/// A CUDA event.
#[derive(Debug)]
pub struct Event {
    raw: sys::cudaEvent_t,
    device: Device,
}

// SAFETY: the runtime allows every use of an event from any thread; it is destroyed once, by its owner.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    /// A new event that records time (`cudaEventCreate`).
    ///
    /// # Errors
    ///
    /// The runtime's error.
    pub fn new(device: Device) -> Result<Self> {
        let _current = device.make_current()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        cuda("cudaEventCreate", unsafe { sys::cudaEventCreate(&raw mut raw) })?;
        Ok(Self { raw, device })
    }

    /// The handle, for calls that this crate does not have.
    #[must_use]
    pub fn raw(&self) -> sys::cudaEvent_t {
        self.raw
    }

    /// Marks the present end of the stream (`cudaEventRecord`).
    ///
    /// # Errors
    ///
    /// The stream belongs to another GPU, or the runtime's error.
    pub fn record(&self, stream: &Stream) -> Result<()> {
        if stream.device() != self.device {
            return Err(Error::invalid(format!(
                "an event of {} cannot be recorded on a stream of {}",
                self.device,
                stream.device()
            )));
        }
        let _current = self.device.make_current()?;
        // SAFETY: both handles are live.
        cuda("cudaEventRecord", unsafe { sys::cudaEventRecord(self.raw, stream.raw()) })
    }

    /// Waits until the mark is reached (`cudaEventSynchronize`).
    ///
    /// # Errors
    ///
    /// The runtime's error, also one of earlier work.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is live.
        cuda("cudaEventSynchronize", unsafe { sys::cudaEventSynchronize(self.raw) })
    }

    /// Milliseconds from `earlier` to this event; both must have been reached (`cudaEventElapsedTime`).
    ///
    /// # Errors
    ///
    /// The runtime's error, `cudaErrorNotReady` if one was not reached.
    pub fn milliseconds_since(&self, earlier: &Self) -> Result<f32> {
        let mut milliseconds = 0.0;
        // SAFETY: both handles are live and the pointer is to a live value.
        let status = unsafe { sys::cudaEventElapsedTime(&raw mut milliseconds, earlier.raw, self.raw) };
        cuda("cudaEventElapsedTime", status)?;
        Ok(milliseconds)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: created here, destroyed once; the runtime frees it when its mark is reached.
        unsafe { sys::cudaEventDestroy(self.raw) };
    }
}
