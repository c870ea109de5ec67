//! Rust types that a device buffer can hold.

use half::{bf16, f16};

use super::DataType;

/// A type whose values lie in device memory as the library expects them.
///
/// # Safety
///
/// Every bit pattern must be a value, there must be no padding, and `DATA_TYPE` must describe the type's bytes.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The library's name of the type.
    const DATA_TYPE: DataType;
}

macro_rules! elements {
    ($($ty:ty => $data_type:ident),* $(,)?) => {
        $(
            // SAFETY: a plain number without padding, of the size and meaning that the data type names.
            unsafe impl Element for $ty {
                const DATA_TYPE: DataType = DataType::$data_type;
            }
        )*
    };
}

elements! {
    f64 => F64,
    f32 => F32,
    f16 => F16,
    bf16 => BF16,
    i32 => I32,
    i8 => I8,
    u8 => U8,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits<T: Element>() {
        assert_eq!(T::DATA_TYPE.bits(), Some(u32::try_from(size_of::<T>() * 8).unwrap()));
    }

    #[test]
    fn sizes_agree_with_the_data_types() {
        bits::<f64>();
        bits::<f32>();
        bits::<f16>();
        bits::<bf16>();
        bits::<i32>();
        bits::<i8>();
        bits::<u8>();
    }
}
