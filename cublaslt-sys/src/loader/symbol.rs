//! A function's address, looked up at its first call.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::functions::Missing;

/// Which table a function stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    Cublaslt,
    Cudart,
    /// The 12.x declarations of functions that differ: not for any other runtime.
    Cudart12,
}

/// A function's address, looked up at its first call.
pub(crate) struct Symbol {
    address: AtomicPtr<c_void>,
    table: Table,
    name: &'static str,
    on_cuda12: Option<&'static str>,
}

impl Symbol {
    pub(crate) const fn new(table: Table, name: &'static str, on_cuda12: Option<&'static str>) -> Self {
        Self { address: AtomicPtr::new(ptr::null_mut()), table, name, on_cuda12 }
    }

    #[inline]
    pub(crate) fn address(&self) -> Result<*mut c_void, Missing> {
        let address = self.address.load(Ordering::Acquire);
        if address.is_null() { self.look_up() } else { Ok(address) }
    }

    #[cold]
    fn look_up(&self) -> Result<*mut c_void, Missing> {
        let libraries = super::load().map_err(|_| Missing::Library)?;
        let library = match self.table {
            Table::Cublaslt => &libraries.cublaslt,
            Table::Cudart | Table::Cudart12 => &libraries.cudart,
        };
        let name = match (self.table, library.version().major) {
            (_, 12) => self.on_cuda12,
            (Table::Cudart12, _) => None,
            _ => Some(self.name),
        };
        let address = name.and_then(|name| library.symbol(name)).ok_or(Missing::Symbol)?;
        // Released, so that whoever sees the address also sees the library that was loaded before.
        self.address.store(address, Ordering::Release);
        Ok(address)
    }
}
