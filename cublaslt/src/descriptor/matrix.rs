//! How a matrix lies in memory.

use std::ffi::c_void;

use cublaslt_sys as sys;

use super::{attributes, descriptor};
use crate::error::{Result, cublas, loaded};
use crate::types::{BatchMode, DataType, IntegerWidth, Order};

descriptor! {
    /// A matrix layout (`cublasLtMatrixLayout_t`).
    MatrixLayout(cublasLtMatrixLayout_t), cublasLtMatrixLayoutAttribute_t,
    cublasLtMatrixLayoutSetAttribute, cublasLtMatrixLayoutGetAttribute, cublasLtMatrixLayoutDestroy
}

impl MatrixLayout {
    /// A new layout of `rows` by `cols` elements, column-major until its order is set
    /// (`cublasLtMatrixLayoutCreate`). The leading dimension is in elements.
    ///
    /// # Errors
    ///
    /// The libraries are missing, or the library's own error.
    pub fn new(data_type: DataType, rows: u64, cols: u64, leading_dimension: i64) -> Result<Self> {
        loaded()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        let status = unsafe {
            sys::cublasLtMatrixLayoutCreate(&raw mut raw, data_type.raw(), rows, cols, leading_dimension)
        };
        cublas("cublasLtMatrixLayoutCreate", status)?;
        Ok(Self { raw })
    }
}

attributes! { MatrixLayout, cublasLtMatrixLayoutAttribute_t;
    /// Element type.
    data_type, set_data_type: DataType = CUBLASLT_MATRIX_LAYOUT_TYPE;
    /// Where elements lie. Default: column-major.
    order, set_order: Order = CUBLASLT_MATRIX_LAYOUT_ORDER;
    /// Number of rows.
    rows, set_rows: u64 = CUBLASLT_MATRIX_LAYOUT_ROWS;
    /// Number of columns.
    cols, set_cols: u64 = CUBLASLT_MATRIX_LAYOUT_COLS;
    /// Leading dimension in elements: from column to column, or from row to row where rows come first.
    leading_dimension, set_leading_dimension: i64 = CUBLASLT_MATRIX_LAYOUT_LD;
    /// Number of matrices. Default: 1.
    batch_count, set_batch_count: i32 = CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT;
    /// Elements from one matrix of a batch to the next; 0 uses the same for all. Default: 0.
    strided_batch_offset, set_strided_batch_offset: i64 = CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET;
    /// Bytes from the real to the imaginary plane of a planar complex matrix; 0 is interleaved. Default: 0.
    plane_offset, set_plane_offset: i64 = CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET;
    /// How the matrices of a batch are found. Default: strided.
    batch_mode, set_batch_mode: BatchMode = CUBLASLT_MATRIX_LAYOUT_BATCH_MODE;
    /// Device array with the rows of each matrix of a grouped batch. Default: null.
    grouped_rows_array, unsafe set_grouped_rows_array: *const c_void = CUBLASLT_GROUPED_MATRIX_LAYOUT_ROWS_ARRAY;
    /// Device array with the columns of each matrix of a grouped batch. Default: null.
    grouped_cols_array, unsafe set_grouped_cols_array: *const c_void = CUBLASLT_GROUPED_MATRIX_LAYOUT_COLS_ARRAY;
    /// Device array with the leading dimension of each matrix of a grouped batch. Default: null.
    grouped_ld_array, unsafe set_grouped_ld_array: *const c_void = CUBLASLT_GROUPED_MATRIX_LAYOUT_LD_ARRAY;
    /// Integer width of the arrays of rows and columns. Default: 32 bits.
    grouped_rows_cols_integer_width, set_grouped_rows_cols_integer_width: IntegerWidth = CUBLASLT_GROUPED_MATRIX_LAYOUT_ROWS_COLS_ARRAY_INTEGER_WIDTH;
    /// Integer width of the array of leading dimensions. Default: 32 bits.
    grouped_ld_integer_width, set_grouped_ld_integer_width: IntegerWidth = CUBLASLT_GROUPED_MATRIX_LAYOUT_LD_ARRAY_INTEGER_WIDTH;
}
