//! Setting and getting attributes: the size comes from the value's type, the version is checked before the call.

use std::ffi::c_void;
use std::fmt::Debug;

use cublaslt_sys as sys;

use crate::error::{Error, Result, cublas, loaded};

/// A type that an attribute can have.
///
/// # Safety
///
/// Every bit pattern must be a value, and there must be no padding: the library writes the bytes.
pub unsafe trait AttributeValue: Copy {}

macro_rules! plain_values {
    ($($ty:ty),*) => {
        $(
            // SAFETY: a plain number or pointer; every bit pattern is a value.
            unsafe impl AttributeValue for $ty {}
        )*
    };
}
plain_values!(i8, i32, u32, i64, u64, f32, *mut c_void, *const c_void, sys::cublasLtEmulationDesc_t);

/// The library's pair of functions for one kind of descriptor.
pub(crate) trait Attributes {
    /// The C enum that numbers the attributes.
    type Attribute: Copy + Debug;
    /// Names of the two C functions.
    const SET: &'static str;
    const GET: &'static str;

    /// # Safety
    ///
    /// `value` must be to `size` readable bytes, and mean what the attribute asks for.
    unsafe fn set_raw(
        &mut self,
        attribute: Self::Attribute,
        value: *const c_void,
        size: usize,
    ) -> sys::cublasStatus_t;

    /// # Safety
    ///
    /// `value` must be to `size` writable bytes.
    unsafe fn get_raw(
        &self,
        attribute: Self::Attribute,
        value: *mut c_void,
        size: usize,
        written: *mut usize,
    ) -> sys::cublasStatus_t;

    /// Sets an attribute after holding that the loaded library knows it.
    ///
    /// # Safety
    ///
    /// The value must mean what the attribute asks for; a pointer must stay valid as long as it is set.
    unsafe fn set<T: AttributeValue>(&mut self, attribute: Self::Attribute, value: T) -> Result<()> {
        check_version(&format!("{attribute:?}"))?;
        // SAFETY: the pointer is to a value of that size; the caller answers for its meaning.
        let status = unsafe { self.set_raw(attribute, (&raw const value).cast(), size_of::<T>()) };
        cublas(Self::SET, status)
            .map_err(|error| error.with_problem(&format_args!("attribute {attribute:?}")))
    }

    /// Reads an attribute after holding that the loaded library knows it.
    fn get<T: AttributeValue>(&self, attribute: Self::Attribute) -> Result<T> {
        check_version(&format!("{attribute:?}"))?;
        read(Self::GET, attribute, |value, size, written| {
            // SAFETY: `read` passes memory of that size.
            unsafe { self.get_raw(attribute, value, size, written) }
        })
    }
}

/// Reads the value that a C function writes to the memory it is given, and holds that it has the size of `T`.
///
/// The function gets where to write, how many bytes there are, and where to tell how many it wrote.
pub(crate) fn read<T: AttributeValue>(
    call: &'static str,
    attribute: impl Debug,
    function: impl FnOnce(*mut c_void, usize, *mut usize) -> sys::cublasStatus_t,
) -> Result<T> {
    // SAFETY: every bit pattern of `T` is a value, all zero among them.
    let mut value: T = unsafe { std::mem::zeroed() };
    let mut written = 0;
    let status = function((&raw mut value).cast(), size_of::<T>(), &raw mut written);
    cublas(call, status).map_err(|error| error.with_problem(&format_args!("attribute {attribute:?}")))?;
    if written != size_of::<T>() {
        return Err(Error::invalid(format!(
            "{attribute:?} has {written} bytes in the loaded library and {} here",
            size_of::<T>()
        )));
    }
    Ok(value)
}

/// Holds that the loaded library knows the enumerator of that C name.
pub(crate) fn check_version(enumerator: &str) -> Result<()> {
    let loaded = loaded()?.cublaslt.version();
    match sys::availability::cublaslt_enumerator(enumerator) {
        Some(range) if !range.contains(loaded) => {
            let until = range.until.map_or(String::new(), |until| format!(" and up to {until}"));
            Err(Error::version(format!(
                "{enumerator} needs cuBLASLt from {}{until}; loaded is {loaded}",
                range.since
            )))
        }
        _ => Ok(()),
    }
}

/// Makes a getter, and a setter where there is one, for each attribute in a table.
///
/// A row is `getter, setter: Type = C_NAME;` for a plain value, `getter, unsafe setter: Type = C_NAME;` for a
/// pointer that the library will follow, and `getter: Type = C_NAME;` for what can only be read.
macro_rules! attributes {
    ($descriptor:ty, $enumeration:ident; $($rest:tt)*) => {
        impl $descriptor {
            attributes!(@rows $enumeration; $($rest)*);
        }
    };
    (@rows $enumeration:ident;) => {};
    (@rows $enumeration:ident;
        $(#[$meta:meta])* $getter:ident, unsafe $setter:ident: $ty:ty = $c_name:ident; $($rest:tt)*
    ) => {
        attributes!(@getter $enumeration $(#[$meta])* $getter: $ty = $c_name);
        $(#[$meta])*
        #[doc = concat!("\n\nSets `", stringify!($c_name), "`.")]
        ///
        /// # Safety
        ///
        /// The pointer must be null or valid for what the attribute says, in device memory, until all work
        /// that was queued while it was set is done.
        ///
        /// # Errors
        ///
        /// The loaded library does not know the attribute, or its own error.
        pub unsafe fn $setter(&mut self, value: $ty) -> crate::Result<&mut Self> {
            // SAFETY: the caller answers for the pointer.
            unsafe { crate::descriptor::attribute::Attributes::set(self, sys::$enumeration::$c_name, value) }?;
            Ok(self)
        }
        attributes!(@rows $enumeration; $($rest)*);
    };
    (@rows $enumeration:ident;
        $(#[$meta:meta])* $getter:ident, $setter:ident: $ty:ty = $c_name:ident; $($rest:tt)*
    ) => {
        attributes!(@getter $enumeration $(#[$meta])* $getter: $ty = $c_name);
        $(#[$meta])*
        #[doc = concat!("\n\nSets `", stringify!($c_name), "`.")]
        ///
        /// # Errors
        ///
        /// The loaded library does not know the attribute, or its own error.
        pub fn $setter(&mut self, value: $ty) -> crate::Result<&mut Self> {
            // SAFETY: the type is the attribute's, and no pointer is stored.
            unsafe { crate::descriptor::attribute::Attributes::set(self, sys::$enumeration::$c_name, value) }?;
            Ok(self)
        }
        attributes!(@rows $enumeration; $($rest)*);
    };
    (@rows $enumeration:ident;
        $(#[$meta:meta])* $getter:ident: $ty:ty = $c_name:ident; $($rest:tt)*
    ) => {
        attributes!(@getter $enumeration $(#[$meta])* $getter: $ty = $c_name);
        attributes!(@rows $enumeration; $($rest)*);
    };
    (@getter $enumeration:ident $(#[$meta:meta])* $getter:ident: $ty:ty = $c_name:ident) => {
        $(#[$meta])*
        #[doc = concat!("\n\nReads `", stringify!($c_name), "`.")]
        ///
        /// # Errors
        ///
        /// The loaded library does not know the attribute, or its own error.
        pub fn $getter(&self) -> crate::Result<$ty> {
            crate::descriptor::attribute::Attributes::get(self, sys::$enumeration::$c_name)
        }
    };
}
pub(crate) use attributes;
