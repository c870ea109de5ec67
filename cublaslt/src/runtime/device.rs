//! A GPU, by its ordinal, and making it the current one for a call.

use std::ffi::{c_char, c_int, c_void};
use std::fmt;

use cublaslt_sys as sys;

use crate::error::{Error, Result, cuda, loaded};

/// A GPU that the CUDA runtime sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Device {
    ordinal: i32,
}

impl Device {
    /// How many GPUs there are (`cudaGetDeviceCount`).
    ///
    /// # Errors
    ///
    /// The libraries are missing, or the runtime's own error where there is no GPU or no driver.
    pub fn count() -> Result<i32> {
        loaded()?;
        let mut count = 0;
        // SAFETY: the pointer is to a live integer.
        let status = unsafe { sys::cudaGetDeviceCount(&raw mut count) };
        cuda("cudaGetDeviceCount", status).map_err(|error| {
            // The runtime calls a missing driver an old one.
            if driver_version() == Some(0) { error.because("no NVIDIA driver is installed") } else { error }
        })?;
        Ok(count)
    }

    /// The GPU of that number, counted from 0.
    ///
    /// # Errors
    ///
    /// There is no such GPU; the error says how many there are.
    pub fn new(ordinal: i32) -> Result<Self> {
        let count = Self::count()?;
        if (0..count).contains(&ordinal) {
            return Ok(Self { ordinal });
        }
        Err(Error::invalid(format!("there is no GPU {ordinal}: this machine has {count}, counted from 0")))
    }

    /// The GPU that is current for the calling thread (`cudaGetDevice`).
    ///
    /// # Errors
    ///
    /// As [`Device::count`].
    pub fn current() -> Result<Self> {
        loaded()?;
        let mut ordinal = 0;
        // SAFETY: the pointer is to a live integer.
        cuda("cudaGetDevice", unsafe { sys::cudaGetDevice(&raw mut ordinal) })?;
        Ok(Self { ordinal })
    }

    /// Its number, counted from 0.
    #[must_use]
    pub fn ordinal(self) -> i32 {
        self.ordinal
    }

    /// Major and minor number of the compute capability.
    ///
    /// # Errors
    ///
    /// The runtime's error.
    pub fn compute_capability(self) -> Result<(i32, i32)> {
        Ok((
            self.attribute(sys::cudaDeviceAttr::cudaDevAttrComputeCapabilityMajor)?,
            self.attribute(sys::cudaDeviceAttr::cudaDevAttrComputeCapabilityMinor)?,
        ))
    }

    /// Number of streaming multiprocessors.
    ///
    /// # Errors
    ///
    /// The runtime's error.
    pub fn multiprocessors(self) -> Result<i32> {
        self.attribute(sys::cudaDeviceAttr::cudaDevAttrMultiProcessorCount)
    }

    /// Size of the L2 cache in bytes.
    ///
    /// # Errors
    ///
    /// The runtime's error.
    pub fn l2_cache_bytes(self) -> Result<i32> {
        self.attribute(sys::cudaDeviceAttr::cudaDevAttrL2CacheSize)
    }

    /// Any attribute (`cudaDeviceGetAttribute`).
    ///
    /// # Errors
    ///
    /// The runtime's error.
    pub fn attribute(self, attribute: sys::cudaDeviceAttr) -> Result<i32> {
        let mut value = 0;
        // SAFETY: the pointer is to a live integer.
        let status = unsafe { sys::cudaDeviceGetAttribute(&raw mut value, attribute, self.ordinal) };
        cuda("cudaDeviceGetAttribute", status)?;
        Ok(value)
    }

    /// The product name, such as `NVIDIA H200`, from the driver's `cuDeviceGetName`.
    ///
    /// The runtime tells it only in a struct that differs between CUDA 12 and 13.
    ///
    /// # Errors
    ///
    /// The runtime's error, or the driver's where it lacks the function.
    pub fn name(self) -> Result<String> {
        type DeviceGetName = unsafe extern "C" fn(*mut c_char, c_int, c_int) -> c_int;
        let mut function: *mut c_void = std::ptr::null_mut();
        let mut found = sys::cudaDriverEntryPointQueryResult::default();
        // SAFETY: a C string and pointers to live values.
        let status = unsafe {
            sys::cudaGetDriverEntryPoint(c"cuDeviceGetName".as_ptr(), &raw mut function, 0, &raw mut found)
        };
        cuda("cudaGetDriverEntryPoint", status)?;
        if function.is_null() {
            return Err(Error::invalid(format!("the driver has no cuDeviceGetName: {found:?}")));
        }
        // SAFETY: the driver's function of that name has had this signature since its first version.
        let device_get_name: DeviceGetName = unsafe { std::mem::transmute(function) };
        let mut name = [0_u8; 256];
        // SAFETY: the length leaves room for the ending zero; runtime and driver number the devices alike.
        let status = unsafe { device_get_name(name.as_mut_ptr().cast(), 255, self.ordinal) };
        if status != 0 {
            return Err(Error::invalid(format!("cuDeviceGetName returned {status}")));
        }
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
        Ok(String::from_utf8_lossy(&name[..end]).into_owned())
    }

    /// Waits for everything queued on the GPU (`cudaDeviceSynchronize`).
    ///
    /// # Errors
    ///
    /// The runtime's error, also one of earlier work.
    pub fn synchronize(self) -> Result<()> {
        let _current = self.make_current()?;
        // SAFETY: no arguments.
        cuda("cudaDeviceSynchronize", unsafe { sys::cudaDeviceSynchronize() })
    }

    /// Makes this the calling thread's device until the guard is dropped.
    pub(crate) fn make_current(self) -> Result<CurrentDevice> {
        let previous = Self::current()?;
        if previous != self {
            self.set_current()?;
        }
        Ok(CurrentDevice { previous, current: self })
    }

    fn set_current(self) -> Result<()> {
        // SAFETY: a plain number, which the runtime checks.
        cuda("cudaSetDevice", unsafe { sys::cudaSetDevice(self.ordinal) })
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GPU {}", self.ordinal)?;
        if let Ok(name) = self.name() {
            write!(f, " ({name}")?;
            if let Ok((major, minor)) = self.compute_capability() {
                write!(f, ", compute capability {major}.{minor}")?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// The newest CUDA version that the driver supports, 0 where there is no driver (`cudaDriverGetVersion`).
fn driver_version() -> Option<i32> {
    let mut version = 0;
    // SAFETY: the pointer is to a live integer.
    cuda("cudaDriverGetVersion", unsafe { sys::cudaDriverGetVersion(&raw mut version) }).ok()?;
    Some(version)
}

/// Restores the thread's device when dropped.
pub(crate) struct CurrentDevice {
    previous: Device,
    current: Device,
}

impl Drop for CurrentDevice {
    fn drop(&mut self) {
        if self.previous != self.current {
            // Nothing can be done about a failure here, and later calls set their device themselves.
            let _ = self.previous.set_current();
        }
    }
}
