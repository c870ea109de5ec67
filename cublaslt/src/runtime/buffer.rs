//! Owned device memory.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::RangeBounds;

use cublaslt_sys as sys;

use super::{Device, DeviceSlice, DeviceSliceMut, Stream};
use crate::error::{Error, Result, cuda};
use crate::types::Element;

/// Elements in the memory of a GPU.
///
/// The pointer is aligned to at least 256 bytes. Dropping the buffer waits for all work on its GPU (`cudaFree`
/// does), so dropping it while work that uses it is queued is fine.
#[derive(Debug)]
pub struct DeviceBuffer<T> {
    pointer: *mut T,
    len: usize,
    device: Device,
    elements: PhantomData<T>,
}

// SAFETY: the host never follows the pointer, and the runtime allows every use from any thread.
unsafe impl<T: Send> Send for DeviceBuffer<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for DeviceBuffer<T> {}

impl<T: Element> DeviceBuffer<T> {
    /// `len` elements whose values are whatever the memory held (`cudaMalloc`).
    ///
    /// # Errors
    ///
    /// The size in bytes does not fit `usize`, or the runtime's error, such as too little memory.
    pub fn uninitialized(device: Device, len: usize) -> Result<Self> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| {
            Error::invalid(format!(
                "{len} elements of {} bytes are more bytes than usize holds",
                size_of::<T>()
            ))
        })?;
        let mut pointer: *mut c_void = std::ptr::null_mut();
        if bytes > 0 {
            let _current = device.make_current()?;
            // SAFETY: the pointer is to a live pointer.
            cuda("cudaMalloc", unsafe { sys::cudaMalloc(&raw mut pointer, bytes) })?;
        }
        Ok(Self { pointer: pointer.cast(), len, device, elements: PhantomData })
    }

    /// `len` elements of which every byte is `byte`, set in the order of `stream` (`cudaMemsetAsync`).
    ///
    /// # Errors
    ///
    /// As [`DeviceBuffer::uninitialized`].
    pub fn filled(stream: &Stream, len: usize, byte: u8) -> Result<Self> {
        let buffer = Self::uninitialized(stream.device(), len)?;
        let _current = stream.device().make_current()?;
        let bytes = len * size_of::<T>();
        // SAFETY: the memory was just allocated with that size, and freeing it waits for the work queued here.
        let status =
            unsafe { sys::cudaMemsetAsync(buffer.pointer.cast(), i32::from(byte), bytes, stream.raw()) };
        cuda("cudaMemsetAsync", status)?;
        Ok(buffer)
    }

    /// A copy of `values`; the call returns when the copy is done.
    ///
    /// # Errors
    ///
    /// As [`DeviceBuffer::uninitialized`].
    pub fn from_slice(stream: &Stream, values: &[T]) -> Result<Self> {
        let mut buffer = Self::uninitialized(stream.device(), values.len())?;
        buffer.copy_from_slice(stream, values)?;
        Ok(buffer)
    }

    /// Copies `values` here, in the order of `stream`; the call returns when the copy is done.
    ///
    /// # Errors
    ///
    /// The lengths differ, the stream belongs to another GPU, or the runtime's error.
    pub fn copy_from_slice(&mut self, stream: &Stream, values: &[T]) -> Result<()> {
        self.check_copy(stream, values.len())?;
        let _current = self.device.make_current()?;
        // SAFETY: both sides hold that many bytes, and the wait below keeps `values` borrowed until it is read.
        let status = unsafe {
            sys::cudaMemcpyAsync(
                self.pointer.cast(),
                values.as_ptr().cast(),
                size_of_val(values),
                sys::cudaMemcpyKind::cudaMemcpyHostToDevice,
                stream.raw(),
            )
        };
        cuda("cudaMemcpyAsync", status)?;
        stream.synchronize()
    }

    /// Copies the elements to `values`, in the order of `stream`; the call returns when the copy is done.
    ///
    /// # Errors
    ///
    /// The lengths differ, the stream belongs to another GPU, or the runtime's error, also one of earlier work.
    pub fn copy_to_slice(&self, stream: &Stream, values: &mut [T]) -> Result<()> {
        self.check_copy(stream, values.len())?;
        let _current = self.device.make_current()?;
        // SAFETY: both sides hold that many bytes, every bit pattern is a value of `T`, and the wait below keeps
        // `values` borrowed until it is written.
        let status = unsafe {
            sys::cudaMemcpyAsync(
                values.as_mut_ptr().cast(),
                self.pointer.cast(),
                size_of_val(values),
                sys::cudaMemcpyKind::cudaMemcpyDeviceToHost,
                stream.raw(),
            )
        };
        cuda("cudaMemcpyAsync", status)?;
        stream.synchronize()
    }

    /// The elements, copied as [`DeviceBuffer::copy_to_slice`] does.
    ///
    /// # Errors
    ///
    /// As [`DeviceBuffer::copy_to_slice`].
    pub fn to_vec(&self, stream: &Stream) -> Result<Vec<T>> {
        // SAFETY: an element may have any bit pattern, all zero among them.
        let mut values = vec![unsafe { std::mem::zeroed() }; self.len];
        self.copy_to_slice(stream, &mut values)?;
        Ok(values)
    }

    fn check_copy(&self, stream: &Stream, len: usize) -> Result<()> {
        if len != self.len {
            return Err(Error::invalid(format!(
                "the buffer holds {} elements and the host slice {len}: a copy needs the same number",
                self.len
            )));
        }
        if stream.device() != self.device {
            return Err(Error::invalid(format!(
                "the buffer belongs to {} and the stream to {}",
                self.device,
                stream.device()
            )));
        }
        Ok(())
    }

    /// All elements, to be read.
    #[must_use]
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        // SAFETY: the memory lives as long as the borrow, and freeing it waits for work that uses it.
        unsafe { DeviceSlice::from_raw_parts(self.pointer, self.len, self.device) }
    }

    /// All elements, to be written.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> DeviceSliceMut<'_, T> {
        // SAFETY: as above, and the borrow is the only one.
        unsafe { DeviceSliceMut::from_raw_parts(self.pointer, self.len, self.device) }
    }

    /// The elements in `range`, to be read.
    ///
    /// # Panics
    ///
    /// The range does not lie within the buffer.
    #[must_use]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> DeviceSlice<'_, T> {
        self.as_slice().slice(range)
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The GPU whose memory it is.
    #[must_use]
    pub fn device(&self) -> Device {
        self.device
    }
}

impl<T> Drop for DeviceBuffer<T> {
    fn drop(&mut self) {
        if self.pointer.is_null() {
            return;
        }
        // A failure here is one of earlier work, which whoever waits for it is told.
        let _current = self.device.make_current();
        // SAFETY: allocated here, freed once; the call waits for work on the GPU.
        unsafe { sys::cudaFree(self.pointer.cast()) };
    }
}
