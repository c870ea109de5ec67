//! A queue of work on a GPU.

use std::sync::Arc;

use cublaslt_sys as sys;

use super::Device;
use crate::error::{Result, cuda};

/// A CUDA stream: work queued on it runs in order. Clones are the same stream.
#[derive(Clone, Debug)]
pub struct Stream(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    raw: sys::cudaStream_t,
    device: Device,
    owned: bool,
}

// SAFETY: the runtime allows every use of a stream from any thread; the handle is freed once, by the last owner.
unsafe impl Send for Inner {}
// SAFETY: as above; calls on one stream from several threads are queued by the runtime.
unsafe impl Sync for Inner {}

impl Stream {
    /// A new stream that does not wait for the default stream (`cudaStreamCreateWithFlags`).
    ///
    /// # Errors
    ///
    /// The runtime's error.
    pub fn new(device: Device) -> Result<Self> {
        let _current = device.make_current()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { sys::cudaStreamCreateWithFlags(&raw mut raw, sys::cudaStreamNonBlocking) };
        cuda("cudaStreamCreateWithFlags", status)?;
        Ok(Self(Arc::new(Inner { raw, device, owned: true })))
    }

    /// The legacy default stream of a GPU.
    #[must_use]
    pub fn legacy_default(device: Device) -> Self {
        Self(Arc::new(Inner { raw: std::ptr::null_mut(), device, owned: false }))
    }

    /// Takes a stream that belongs to somebody else, such as another crate or PyTorch. It is never destroyed here.
    ///
    /// # Safety
    ///
    /// `raw` must be a stream of `device` and live until every clone of the result, and everything made from it,
    /// is dropped.
    #[must_use]
    pub unsafe fn from_raw(raw: sys::cudaStream_t, device: Device) -> Self {
        Self(Arc::new(Inner { raw, device, owned: false }))
    }

    /// The handle, for calls that this crate does not have. It lives as long as this stream.
    #[must_use]
    pub fn raw(&self) -> sys::cudaStream_t {
        self.0.raw
    }

    /// The GPU it belongs to.
    #[must_use]
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// Waits until all work queued so far is done (`cudaStreamSynchronize`).
    ///
    /// # Errors
    ///
    /// The runtime's error, also one of earlier work.
    pub fn synchronize(&self) -> Result<()> {
        let _current = self.0.device.make_current()?;
        // SAFETY: the handle is live.
        cuda("cudaStreamSynchronize", unsafe { sys::cudaStreamSynchronize(self.0.raw) })
    }

    /// Whether the stream is being captured into a graph (`cudaStreamIsCapturing`).
    ///
    /// # Errors
    ///
    /// The runtime's error.
    pub fn is_capturing(&self) -> Result<bool> {
        let _current = self.0.device.make_current()?;
        let mut status = sys::cudaStreamCaptureStatus::default();
        // SAFETY: the handle is live and the pointer is to a live value.
        cuda("cudaStreamIsCapturing", unsafe { sys::cudaStreamIsCapturing(self.0.raw, &raw mut status) })?;
        Ok(status != sys::cudaStreamCaptureStatus::cudaStreamCaptureStatusNone)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.owned {
            // SAFETY: created here, destroyed once; queued work still completes. A failure can only be one of
            // earlier work, which whoever waits for it is told.
            unsafe { sys::cudaStreamDestroy(self.raw) };
        }
    }
}
