//! Borrowed parts of device memory.

use std::marker::PhantomData;
use std::ops::{Bound, Range, RangeBounds};

use super::{Device, DeviceBuffer};
use crate::types::Element;

/// Elements in device memory that are read: pointer, length and GPU.
#[derive(Clone, Copy, Debug)]
pub struct DeviceSlice<'a, T> {
    pointer: *const T,
    len: usize,
    device: Device,
    memory: PhantomData<&'a [T]>,
}

/// Elements in device memory that are written: pointer, length and GPU.
#[derive(Debug)]
pub struct DeviceSliceMut<'a, T> {
    pointer: *mut T,
    len: usize,
    device: Device,
    memory: PhantomData<&'a mut [T]>,
}

// SAFETY: the host never follows the pointer; it is a borrow of memory whose elements may be sent.
unsafe impl<T: Send + Sync> Send for DeviceSlice<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for DeviceSlice<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Send for DeviceSliceMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for DeviceSliceMut<'_, T> {}

impl<T: Element> DeviceSlice<'_, T> {
    /// Takes memory that belongs to somebody else, such as another crate or PyTorch.
    ///
    /// # Safety
    ///
    /// `pointer` must be to `len` elements in the memory of `device`, aligned for `T`. They must stay allocated
    /// until all work that reads them is done, and nothing may write them meanwhile.
    #[must_use]
    pub unsafe fn from_raw_parts(pointer: *const T, len: usize, device: Device) -> Self {
        Self { pointer, len, device, memory: PhantomData }
    }

    /// The part of it in `range`.
    ///
    /// # Panics
    ///
    /// The range does not lie within it.
    #[must_use]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Self {
        let range = within(range, self.len);
        // SAFETY: `within` holds the range inside the memory this slice was made for.
        unsafe { Self::from_raw_parts(self.pointer.wrapping_add(range.start), range.len(), self.device) }
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

    /// The device pointer.
    #[must_use]
    pub fn as_ptr(&self) -> *const T {
        self.pointer
    }
}

impl<T: Element> DeviceSliceMut<'_, T> {
    /// Takes memory that belongs to somebody else, such as another crate or PyTorch.
    ///
    /// # Safety
    ///
    /// `pointer` must be to `len` elements in the memory of `device`, aligned for `T`. They must stay allocated
    /// until all work that writes them is done, and nothing else may read or write them meanwhile.
    #[must_use]
    pub unsafe fn from_raw_parts(pointer: *mut T, len: usize, device: Device) -> Self {
        Self { pointer, len, device, memory: PhantomData }
    }

    /// The part of it in `range`.
    ///
    /// # Panics
    ///
    /// The range does not lie within it.
    #[must_use]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> DeviceSliceMut<'_, T> {
        let range = within(range, self.len);
        let pointer = self.pointer.wrapping_add(range.start);
        // SAFETY: `within` holds the range inside the memory, and `self` stays borrowed as long as the part.
        unsafe { DeviceSliceMut::from_raw_parts(pointer, range.len(), self.device) }
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

    /// The device pointer.
    #[must_use]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.pointer
    }
}

impl<'a, T: Element> From<&'a DeviceBuffer<T>> for DeviceSlice<'a, T> {
    fn from(buffer: &'a DeviceBuffer<T>) -> Self {
        buffer.as_slice()
    }
}

impl<'a, T: Element> From<&'a mut DeviceBuffer<T>> for DeviceSliceMut<'a, T> {
    fn from(buffer: &'a mut DeviceBuffer<T>) -> Self {
        buffer.as_mut_slice()
    }
}

/// The range in numbers, held inside `0..len`.
fn within(range: impl RangeBounds<usize>, len: usize) -> Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(start) => start.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(end) => end.saturating_add(1),
        Bound::Excluded(end) => *end,
        Bound::Unbounded => len,
    };
    assert!(start <= end && end <= len, "the range {start}..{end} does not lie within 0..{len}");
    start..end
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn ranges_inside_are_taken_as_they_are() {
        assert_eq!(within(.., 4), 0..4);
        assert_eq!(within(1..=2, 4), 1..3);
        assert_eq!(within(4.., 4), 4..4);
    }

    #[test]
    #[should_panic(expected = "3..5 does not lie within 0..4")]
    fn a_range_past_the_end_is_refused() {
        within(3..5, 4);
    }

    #[test]
    #[should_panic(expected = "does not lie within")]
    fn an_end_that_would_wrap_is_refused() {
        within(..=usize::MAX, 4);
    }
}
