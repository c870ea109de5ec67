//! The part that every kind of descriptor has in common: ownership, the raw pointer, the pair of attribute functions.

/// Makes the type of a descriptor from the C type, the C enum of its attributes and three C functions.
macro_rules! descriptor {
    (
        $(#[$meta:meta])*
        $name:ident($raw:ident), $attribute:ident, $set:ident, $get:ident, $destroy:ident
    ) => {
        $(#[$meta])*
        #[derive(Debug)]
        pub struct $name {
            raw: sys::$raw,
        }

        // SAFETY: plain host memory of the library's that nothing else refers to.
        unsafe impl Send for $name {}
        // SAFETY: shared use only reads it.
        unsafe impl Sync for $name {}

        impl $name {
            /// The C pointer, for calls that this crate does not have. It lives as long as this value.
            #[must_use]
            pub fn raw(&self) -> sys::$raw {
                self.raw
            }
        }

        impl crate::descriptor::attribute::Attributes for $name {
            type Attribute = sys::$attribute;
            const SET: &'static str = stringify!($set);
            const GET: &'static str = stringify!($get);

            unsafe fn set_raw(
                &mut self,
                attribute: Self::Attribute,
                value: *const std::ffi::c_void,
                size: usize,
            ) -> sys::cublasStatus_t {
                // SAFETY: the descriptor is live, and the caller answers for the value.
                unsafe { sys::$set(self.raw, attribute, value, size) }
            }

            unsafe fn get_raw(
                &self,
                attribute: Self::Attribute,
                value: *mut std::ffi::c_void,
                size: usize,
                written: *mut usize,
            ) -> sys::cublasStatus_t {
                // SAFETY: the descriptor is live, and the caller answers for the memory.
                unsafe { sys::$get(self.raw, attribute, value, size, written) }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: created by the library for this value and destroyed once.
                unsafe { sys::$destroy(self.raw) };
            }
        }
    };
}
pub(crate) use descriptor;
