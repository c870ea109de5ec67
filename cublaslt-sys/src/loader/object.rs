//! Which files the process has open as libraries: two functions of the C library's loader, declared here.

use core::ffi::c_void;
use std::path::PathBuf;

#[cfg(target_os = "linux")]
mod dl {
    use core::ffi::{CStr, c_char, c_int, c_void};
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::PathBuf;

    /// `Dl_info` of dlfcn.h.
    #[repr(C)]
    pub(super) struct Info {
        pub(super) file: *const c_char,
        base: *mut c_void,
        symbol: *const c_char,
        address: *mut c_void,
    }

    impl Info {
        pub(super) const EMPTY: Self = Self {
            file: core::ptr::null(),
            base: core::ptr::null_mut(),
            symbol: core::ptr::null(),
            address: core::ptr::null_mut(),
        };
    }

    /// The beginning of `dl_phdr_info` of link.h; the loader passes a pointer to a longer struct.
    #[cfg(not(feature = "linked"))]
    #[repr(C)]
    pub(super) struct PhdrInfo {
        base: usize,
        pub(super) file: *const c_char,
    }

    unsafe extern "C" {
        pub(super) fn dladdr(address: *const c_void, info: *mut Info) -> c_int;
        #[cfg(not(feature = "linked"))]
        pub(super) fn dl_iterate_phdr(
            callback: unsafe extern "C" fn(*mut PhdrInfo, usize, *mut c_void) -> c_int,
            data: *mut c_void,
        ) -> c_int;
    }

    /// # Safety
    ///
    /// `file` must be null or to a C string.
    pub(super) unsafe fn path(file: *const c_char) -> Option<PathBuf> {
        if file.is_null() {
            return None;
        }
        // SAFETY: not null, so a C string.
        let file = unsafe { CStr::from_ptr(file) };
        Some(PathBuf::from(OsStr::from_bytes(file.to_bytes())))
    }
}

/// The file that holds an address, where the system tells.
#[cfg(target_os = "linux")]
pub(super) fn containing(address: *mut c_void) -> Option<PathBuf> {
    let mut info = dl::Info::EMPTY;
    // SAFETY: any address may be asked for, and the pointer is to a live struct.
    if unsafe { dl::dladdr(address, &raw mut info) } == 0 {
        return None;
    }
    // SAFETY: on success the name is a C string that lives as long as the library is open.
    unsafe { dl::path(info.file) }
}

/// Every file that the process has open as a library, under whatever path it was opened.
#[cfg(all(target_os = "linux", not(feature = "linked")))]
pub(super) fn all() -> Vec<PathBuf> {
    unsafe extern "C" fn collect(info: *mut dl::PhdrInfo, _: usize, data: *mut c_void) -> core::ffi::c_int {
        // SAFETY: the loader passes a live struct with a C string, and `data` is the vector below.
        unsafe { (*data.cast::<Vec<PathBuf>>()).extend(dl::path((*info).file)) };
        0
    }

    let mut paths: Vec<PathBuf> = Vec::new();
    // SAFETY: the callback takes the pointer for what it is and does not unwind.
    unsafe { dl::dl_iterate_phdr(collect, (&raw mut paths).cast()) };
    paths
}

#[cfg(not(target_os = "linux"))]
pub(super) fn containing(_: *mut c_void) -> Option<PathBuf> {
    None
}

#[cfg(all(not(target_os = "linux"), not(feature = "linked")))]
pub(super) fn all() -> Vec<PathBuf> {
    Vec::new()
}
