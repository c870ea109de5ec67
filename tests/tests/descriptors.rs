//! Descriptors on the real library, which needs no GPU for them: sizes, defaults, round trips, versions.

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::fmt::Debug;
use std::ptr;

use cublaslt::descriptor::{MatmulDesc, MatrixLayout, Preference};
use cublaslt::sys::{self, availability};
use cublaslt::types::{
    BatchInvariance, BatchMode, FillMode, IntegerWidth, Order, PointerMode, ReductionSchemes, ScaleMode,
    SearchMode,
};
use cublaslt::{ComputeType, DataType, Device, Epilogue, ErrorKind, Handle, Result, Transpose};
use cublaslt_tests::harness::{Outcome, ensure, library, run, test};

fn main() {
    run(vec![
        test("matmul descriptor: defaults and round trips", matmul_desc),
        test("matrix layout: defaults and round trips", matrix_layout),
        test("preference: defaults and round trips", preference),
        test("every attribute of the headers is in a table", complete),
        test("attributes have the size that the library tells", sizes),
        test("an attribute that the library does not know is named with both versions", versions),
        test("a handle without a GPU is an explained error", handle_without_gpu),
    ])
}

/// Holds the default, sets another value and reads it back. Attributes outside the library's range must be refused.
fn check<D, T: PartialEq + Debug + Copy>(
    descriptor: &mut D,
    name: &str,
    (default, other): (T, T),
    get: impl Fn(&D) -> Result<T>,
    set: impl Fn(&mut D, T) -> Result<()>,
) -> Outcome {
    let loaded = library()?.cublaslt.version();
    if availability::cublaslt_enumerator(name).is_some_and(|range| !range.contains(loaded)) {
        let kind = set(descriptor, other).err().map(|error| error.kind());
        return ensure(kind == Some(ErrorKind::Version), || format!("{name}: {kind:?}, not a version error"));
    }
    let found = get(descriptor)?;
    ensure(found == default, || format!("{name}: the default is {found:?}, not {default:?}"))?;
    set(descriptor, other)?;
    let found = get(descriptor)?;
    ensure(found == other, || format!("{name}: set to {other:?}, read back {found:?}"))
}

/// A row a attribute: getter, setter, C name, default, another value.
macro_rules! rows {
    ($descriptor:expr; $($getter:ident, $setter:ident, $name:ident: $default:expr => $other:expr;)*) => {
        $(
            check(
                $descriptor,
                stringify!($name),
                ($default, $other),
                |descriptor| descriptor.$getter(),
                |descriptor, value| {
                    #[allow(unused_unsafe)]
                    // SAFETY: the library only keeps the pointer; no work is queued.
                    unsafe { descriptor.$setter(value) }.map(|_| ())
                },
            )?;
        )*
    };
}

/// An address that is only stored.
fn address() -> *mut c_void {
    ptr::without_provenance_mut(0x1000)
}

fn matmul_desc() -> Outcome {
    library()?;
    let (null, some) = (ptr::null_mut::<c_void>(), address());
    let unset = DataType::from_raw(sys::cudaDataType_t(u32::MAX));
    let desc = &mut MatmulDesc::new(ComputeType::F32, DataType::F32)?;
    rows! { desc;
        compute_type, set_compute_type, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: ComputeType::F32 => ComputeType::F32_FAST_TF32;
        scale_type, set_scale_type, CUBLASLT_MATMUL_DESC_SCALE_TYPE: DataType::F32 => DataType::F64;
        pointer_mode, set_pointer_mode, CUBLASLT_MATMUL_DESC_POINTER_MODE: PointerMode::HOST => PointerMode::DEVICE;
        transa, set_transa, CUBLASLT_MATMUL_DESC_TRANSA: Transpose::N => Transpose::T;
        transb, set_transb, CUBLASLT_MATMUL_DESC_TRANSB: Transpose::N => Transpose::C;
        transc, set_transc, CUBLASLT_MATMUL_DESC_TRANSC: Transpose::N => Transpose::T;
        fill_mode, set_fill_mode, CUBLASLT_MATMUL_DESC_FILL_MODE: FillMode::FULL => FillMode::LOWER;
        epilogue, set_epilogue, CUBLASLT_MATMUL_DESC_EPILOGUE: Epilogue::DEFAULT => Epilogue::GELU_AUX_BIAS;
        bias_pointer, set_bias_pointer, CUBLASLT_MATMUL_DESC_BIAS_POINTER: null.cast_const() => some.cast_const();
        bias_batch_stride, set_bias_batch_stride, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE: 0 => 64;
        epilogue_aux_pointer, set_epilogue_aux_pointer, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: null => some;
        epilogue_aux_ld, set_epilogue_aux_ld, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: 0 => 128;
        epilogue_aux_batch_stride, set_epilogue_aux_batch_stride, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE: 0 => 256;
        alpha_vector_batch_stride, set_alpha_vector_batch_stride, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE: 0 => 7;
        sm_count_target, set_sm_count_target, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET: 0 => 100;
        a_scale_pointer, set_a_scale_pointer, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER: null.cast_const() => some.cast_const();
        b_scale_pointer, set_b_scale_pointer, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER: null.cast_const() => some.cast_const();
        c_scale_pointer, set_c_scale_pointer, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER: null.cast_const() => some.cast_const();
        d_scale_pointer, set_d_scale_pointer, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER: null.cast_const() => some.cast_const();
        amax_d_pointer, set_amax_d_pointer, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER: null => some;
        epilogue_aux_data_type, set_epilogue_aux_data_type, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: unset => DataType::F16;
        epilogue_aux_scale_pointer, set_epilogue_aux_scale_pointer, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER: null.cast_const() => some.cast_const();
        epilogue_aux_amax_pointer, set_epilogue_aux_amax_pointer, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER: null => some;
        fast_accum, set_fast_accum, CUBLASLT_MATMUL_DESC_FAST_ACCUM: 0 => 1;
        bias_data_type, set_bias_data_type, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: unset => DataType::BF16;
        a_scale_mode, set_a_scale_mode, CUBLASLT_MATMUL_DESC_A_SCALE_MODE: ScaleMode::SCALAR_32F => ScaleMode::VEC32_UE8M0;
        b_scale_mode, set_b_scale_mode, CUBLASLT_MATMUL_DESC_B_SCALE_MODE: ScaleMode::SCALAR_32F => ScaleMode::VEC16_UE4M3;
        c_scale_mode, set_c_scale_mode, CUBLASLT_MATMUL_DESC_C_SCALE_MODE: ScaleMode::SCALAR_32F => ScaleMode::VEC32_UE8M0;
        d_scale_mode, set_d_scale_mode, CUBLASLT_MATMUL_DESC_D_SCALE_MODE: ScaleMode::SCALAR_32F => ScaleMode::VEC32_UE8M0;
        epilogue_aux_scale_mode, set_epilogue_aux_scale_mode, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE: ScaleMode::SCALAR_32F => ScaleMode::VEC32_UE8M0;
        d_out_scale_pointer, set_d_out_scale_pointer, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER: null => some;
        d_out_scale_mode, set_d_out_scale_mode, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE: ScaleMode::SCALAR_32F => ScaleMode::VEC16_UE4M3;
        emulation_descriptor, set_emulation_descriptor, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR: ptr::null_mut() => some.cast();
        alpha_batch_stride, set_alpha_batch_stride, CUBLASLT_MATMUL_DESC_ALPHA_BATCH_STRIDE: 0 => 3;
        beta_batch_stride, set_beta_batch_stride, CUBLASLT_MATMUL_DESC_BETA_BATCH_STRIDE: 0 => 5;
        batch_invariance_flags, set_batch_invariance_flags, CUBLASLT_MATMUL_DESC_BATCH_INVARIANCE_FLAGS: BatchInvariance::UNSET => BatchInvariance::ALIGN_16B;
        atomic_sync_num_chunks_d_rows, set_atomic_sync_num_chunks_d_rows, CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_ROWS: 0 => 2;
        atomic_sync_num_chunks_d_cols, set_atomic_sync_num_chunks_d_cols, CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_COLS: 0 => 4;
        atomic_sync_in_counters_pointer, set_atomic_sync_in_counters_pointer, CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_IN_COUNTERS_POINTER: null => some;
        atomic_sync_out_counters_pointer, set_atomic_sync_out_counters_pointer, CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_OUT_COUNTERS_POINTER: null => some;
    }
    Ok(())
}

fn matrix_layout() -> Outcome {
    library()?;
    let (null, some) = (ptr::null::<c_void>(), address().cast_const());
    let layout = &mut MatrixLayout::new(DataType::BF16, 100, 200, 104)?;
    rows! { layout;
        data_type, set_data_type, CUBLASLT_MATRIX_LAYOUT_TYPE: DataType::BF16 => DataType::F32;
        order, set_order, CUBLASLT_MATRIX_LAYOUT_ORDER: Order::COL => Order::ROW;
        rows, set_rows, CUBLASLT_MATRIX_LAYOUT_ROWS: 100 => 10;
        cols, set_cols, CUBLASLT_MATRIX_LAYOUT_COLS: 200 => 1 << 20;
        leading_dimension, set_leading_dimension, CUBLASLT_MATRIX_LAYOUT_LD: 104 => 1 << 21;
        batch_count, set_batch_count, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: 1 => 3;
        strided_batch_offset, set_strided_batch_offset, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: 0 => 1 << 33;
        plane_offset, set_plane_offset, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET: 0 => 1 << 34;
        batch_mode, set_batch_mode, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE: BatchMode::STRIDED => BatchMode::POINTER_ARRAY;
        grouped_rows_array, set_grouped_rows_array, CUBLASLT_GROUPED_MATRIX_LAYOUT_ROWS_ARRAY: null => some;
        grouped_cols_array, set_grouped_cols_array, CUBLASLT_GROUPED_MATRIX_LAYOUT_COLS_ARRAY: null => some;
        grouped_ld_array, set_grouped_ld_array, CUBLASLT_GROUPED_MATRIX_LAYOUT_LD_ARRAY: null => some;
        grouped_rows_cols_integer_width, set_grouped_rows_cols_integer_width, CUBLASLT_GROUPED_MATRIX_LAYOUT_ROWS_COLS_ARRAY_INTEGER_WIDTH: IntegerWidth::BITS_32 => IntegerWidth::BITS_64;
        grouped_ld_integer_width, set_grouped_ld_integer_width, CUBLASLT_GROUPED_MATRIX_LAYOUT_LD_ARRAY_INTEGER_WIDTH: IntegerWidth::BITS_32 => IntegerWidth::BITS_64;
    }
    Ok(())
}

fn preference() -> Outcome {
    library()?;
    let preference = &mut Preference::new()?;
    rows! { preference;
        search_mode, set_search_mode, CUBLASLT_MATMUL_PREF_SEARCH_MODE: SearchMode::BEST_FIT => SearchMode::LIMITED_BY_ALGO_ID;
        max_workspace_bytes, set_max_workspace_bytes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES: 0 => 1 << 33;
        reduction_scheme_mask, set_reduction_scheme_mask, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK: ReductionSchemes::ALL => ReductionSchemes::COMPUTE_TYPE;
        min_alignment_a_bytes, set_min_alignment_a_bytes, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES: 256 => 2;
        min_alignment_b_bytes, set_min_alignment_b_bytes, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES: 256 => 4;
        min_alignment_c_bytes, set_min_alignment_c_bytes, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES: 256 => 8;
        min_alignment_d_bytes, set_min_alignment_d_bytes, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES: 256 => 16;
        max_waves_count, set_max_waves_count, CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT: 0.0 => 2.5;
        impl_mask, set_impl_mask, CUBLASLT_MATMUL_PREF_IMPL_MASK: u64::MAX => sys::CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA;
        grouped_average_reduction_dim, set_grouped_average_reduction_dim, CUBLASLT_MATMUL_PREF_GROUPED_AVERAGE_REDUCTION_DIM: 0 => 64;
        grouped_desc_d_average_rows, set_grouped_desc_d_average_rows, CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_ROWS: 0 => 65;
        grouped_desc_d_average_cols, set_grouped_desc_d_average_cols, CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_COLS: 0 => 66;
    }
    Ok(())
}

/// The sources of the tables, which name each attribute as C does.
const TABLES: [(&str, &str); 3] = [
    ("cublasLtMatmulDescAttributes_t", include_str!("../../cublaslt/src/descriptor/matmul.rs")),
    ("cublasLtMatrixLayoutAttribute_t", include_str!("../../cublaslt/src/descriptor/matrix.rs")),
    ("cublasLtMatmulPreferenceAttributes_t", include_str!("../../cublaslt/src/descriptor/preference.rs")),
];

/// The enumerators of a C enum, from the generated table.
fn enumerators(enumeration: &str) -> BTreeSet<&'static str> {
    include_str!("../../cublaslt-sys/src/bindings/enumerations.rs")
        .lines()
        .skip_while(|line| !line.trim().starts_with(&format!("{enumeration}:")))
        .skip(1)
        .map_while(|line| Some(line.trim().split_once(" = ")?.0))
        .collect()
}

fn complete() -> Outcome {
    for (enumeration, table) in TABLES {
        let all = enumerators(enumeration);
        ensure(all.len() > 10, || format!("{enumeration} has only {} enumerators", all.len()))?;
        for name in all {
            ensure(table.contains(&format!("= {name};")), || format!("no table has {name}"))?;
        }
    }
    Ok(())
}

/// Asks the library itself for the size of each attribute, and compares it with what the getters use: a getter whose
/// size is wrong fails in the round trips, so here only the library's answer is checked for being there.
fn sizes() -> Outcome {
    let loaded = library()?.cublaslt.version();
    let desc = MatmulDesc::new(ComputeType::F32, DataType::F32)?;
    let mut asked = 0;
    for number in 0..64 {
        let attribute = sys::cublasLtMatmulDescAttributes_t(number);
        let mut size = 0;
        // SAFETY: asking with no buffer returns the size only.
        let status = unsafe {
            sys::cublasLtMatmulDescGetAttribute(desc.raw(), attribute, ptr::null_mut(), 0, &raw mut size)
        };
        let known = status == sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS;
        let name = format!("{attribute:?}");
        let declared = availability::cublaslt_enumerator(&name);
        if declared.is_some_and(|range| range.contains(loaded)) {
            ensure(known && (1..=8).contains(&size), || format!("{name}: {status:?}, {size} bytes"))?;
            asked += 1;
        }
    }
    ensure(asked >= 25, || format!("only {asked} attributes were known"))
}

fn versions() -> Outcome {
    let loaded = library()?.cublaslt.version();
    let mut desc = MatmulDesc::new(ComputeType::F32, DataType::F32)?;
    let (result, name) = if loaded.major >= 13 {
        let result = desc.set_atomic_sync_num_chunks_d_rows(1).map(|_| ());
        (
            result,
            "CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_ROWS needs cuBLASLt from 12.2.5 and up to 12.9.3",
        )
    } else {
        let result = desc.set_alpha_batch_stride(1).map(|_| ());
        (result, "CUBLASLT_MATMUL_DESC_ALPHA_BATCH_STRIDE needs cuBLASLt from 13.")
    };
    let text = result.err().map(|error| error.to_string()).unwrap_or_default();
    ensure(text.starts_with(name) && text.contains(&format!("loaded is {loaded}")), || text.clone())
}

fn handle_without_gpu() -> Outcome {
    library()?;
    if let Ok(device) = Device::new(0) {
        Handle::new(device)?;
        return Ok(());
    }
    let text = Device::new(0).err().map(|error| error.to_string()).unwrap_or_default();
    ensure(text.starts_with("cudaGetDeviceCount: cudaError"), || {
        format!("{text:?} should name call and status")
    })
}
