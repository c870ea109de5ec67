//! The library's handle on a GPU.

use std::sync::Arc;

use cublaslt_sys as sys;

use crate::error::{Result, cublas, loaded};
use crate::runtime::Device;

/// A cuBLASLt handle (`cublasLtCreate`). Clones are the same handle; it is destroyed with the last of them and
/// of the plans made with it.
///
/// Creating one costs about 20 ms; make one for a GPU and keep it. The library allows its use from any thread.
#[derive(Clone, Debug)]
pub struct Handle(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    raw: sys::cublasLtHandle_t,
    device: Device,
}

// SAFETY: the library documents its handle as usable from several threads; it is destroyed once, by its last owner.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl Handle {
    /// A new handle for a GPU.
    ///
    /// # Errors
    ///
    /// The libraries are missing (the error lists where they were looked for), or the library's own error.
    pub fn new(device: Device) -> Result<Self> {
        loaded()?;
        let _current = device.make_current()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { sys::cublasLtCreate(&raw mut raw) };
        cublas("cublasLtCreate", status).map_err(|error| error.with_gpu(&device))?;
        Ok(Self(Arc::new(Inner { raw, device })))
    }

    /// The handle, for calls that this crate does not have. It lives as long as this one or a clone of it.
    #[must_use]
    pub fn raw(&self) -> sys::cublasLtHandle_t {
        self.0.raw
    }

    /// The GPU it was made for.
    #[must_use]
    pub fn device(&self) -> Device {
        self.0.device
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The library frees device memory here, so its GPU must be the current one; if that fails, so will this,
        // and there is nobody to tell.
        let _current = self.device.make_current();
        // SAFETY: created here and destroyed once.
        unsafe { sys::cublasLtDestroy(self.raw) };
    }
}
