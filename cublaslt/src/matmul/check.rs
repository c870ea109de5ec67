//! What is wrong with a problem in itself, told before the library is asked.

use super::problem::{Matrix, Problem};
use crate::error::{Error, Result};
use crate::types::{ComputeType, DataType, Epilogue, Transpose};

/// Type, arithmetic and scale type that go together, from the table of supported combinations in the library's
/// documentation of `cublasLtMatmul`.
const COMBINATIONS: [(DataType, &[ComputeType], DataType); 4] = [
    (DataType::F64, &[ComputeType::F64, ComputeType::F64_PEDANTIC], DataType::F64),
    (
        DataType::F32,
        &[
            ComputeType::F32,
            ComputeType::F32_PEDANTIC,
            ComputeType::F32_FAST_TF32,
            ComputeType::F32_FAST_16BF,
            ComputeType::F32_FAST_16F,
        ],
        DataType::F32,
    ),
    (DataType::F16, &[ComputeType::F32, ComputeType::F32_PEDANTIC], DataType::F32),
    (DataType::BF16, &[ComputeType::F32, ComputeType::F32_PEDANTIC], DataType::F32),
];

/// Holds that the problem makes sense: types, sizes, leading dimensions, alignments, bias.
pub(super) fn check(problem: &Problem) -> Result<()> {
    types(problem)
        .and_then(|()| epilogue(problem))
        .and_then(|()| sizes(problem))
        .map_err(|error| error.with_problem(problem))
}

fn types(problem: &Problem) -> Result<()> {
    let Problem { a, b, d, compute, scale_type, .. } = problem;
    let combination = COMBINATIONS.iter().find(|(data_type, ..)| *data_type == a.data_type);
    let Some((data_type, computes, scale)) = combination else {
        return Err(Error::invalid(format!(
            "{} has type {}; this version takes f64, f32, f16 and bf16",
            a.name, a.data_type
        )));
    };
    for matrix in [b, d] {
        if matrix.data_type != *data_type {
            return Err(Error::invalid(format!(
                "{} has type {} and {} has {}: this version takes matrices of one type",
                a.name, a.data_type, matrix.name, matrix.data_type
            )));
        }
    }
    if !computes.contains(compute) {
        let documented: Vec<String> = computes.iter().map(ToString::to_string).collect();
        return Err(Error::invalid(format!(
            "compute type {compute} is not documented for {data_type}; use {}",
            documented.join(", ")
        )));
    }
    if scale_type != scale {
        return Err(Error::invalid(format!(
            "alpha and beta have type {scale_type}; {data_type} needs {scale}"
        )));
    }
    for (name, transpose) in [(a.name, problem.transpose_a), (b.name, problem.transpose_b)] {
        if ![Transpose::N, Transpose::T, Transpose::C].contains(&transpose) {
            return Err(Error::invalid(format!(
                "the transpose of {name} is {transpose}, which is none of N, T, C"
            )));
        }
    }
    Ok(())
}

fn epilogue(problem: &Problem) -> Result<()> {
    let epilogue = problem.epilogue;
    let forward = [
        Epilogue::DEFAULT,
        Epilogue::RELU,
        Epilogue::GELU,
        Epilogue::BIAS,
        Epilogue::RELU_BIAS,
        Epilogue::GELU_BIAS,
    ];
    if !forward.contains(&epilogue) {
        return Err(Error::invalid(format!(
            "epilogue {epilogue} is not available in a problem of this version, only at the level of descriptors"
        )));
    }
    if problem.a.data_type == DataType::F64 && epilogue != Epilogue::DEFAULT {
        return Err(Error::invalid(format!("epilogue {epilogue} is not documented for f64; use DEFAULT")));
    }
    match (epilogue.reads_bias(), problem.bias) {
        (true, None) => {
            Err(Error::invalid(format!("epilogue {epilogue} needs a bias, and none is described")))
        }
        (false, Some(_)) => {
            Err(Error::invalid(format!("a bias is described, and epilogue {epilogue} reads none")))
        }
        (true, Some(bias)) if bias.data_type != problem.d.data_type => Err(Error::invalid(format!(
            "the bias has type {}; with {} of type {} it needs {}",
            bias.data_type, problem.d.name, problem.d.data_type, problem.d.data_type
        ))),
        (true, Some(bias)) => alignment("the bias", bias.data_type, bias.alignment),
        (false, None) => Ok(()),
    }
}

fn sizes(problem: &Problem) -> Result<()> {
    for (name, size) in [("m", problem.m), ("n", problem.n), ("k", problem.k)] {
        if i32::try_from(size).is_err() {
            return Err(Error::invalid(format!("{name} is {size}; the library takes at most {}", i32::MAX)));
        }
    }
    if problem.k == 0 && problem.m > 0 && problem.n > 0 {
        return Err(Error::invalid("k is 0: there is nothing to sum; at least 1 is needed"));
    }
    for (matrix, (rows, cols)) in [
        (&problem.a, problem.stored_a()),
        (&problem.b, problem.stored_b()),
        (&problem.d, (problem.m, problem.n)),
    ] {
        layout(matrix, rows, cols)?;
    }
    Ok(())
}

fn layout(matrix: &Matrix, rows: usize, cols: usize) -> Result<()> {
    let Matrix { name, data_type, leading_dimension, .. } = *matrix;
    if leading_dimension < cols.max(1) {
        return Err(Error::invalid(format!(
            "the leading dimension of {name} is {leading_dimension}; rows of {cols} elements need at least {}",
            cols.max(1)
        )));
    }
    let bits = u128::from(data_type.bits().unwrap_or(0));
    let bytes = (rows as u128 * leading_dimension as u128 * bits).div_ceil(8);
    if i64::try_from(bytes).is_err() || i64::try_from(leading_dimension).is_err() {
        return Err(Error::invalid(format!(
            "{name} of {rows} rows with leading dimension {leading_dimension} takes {bytes} bytes; the most is {}",
            i64::MAX
        )));
    }
    alignment(name, data_type, matrix.alignment)
}

fn alignment(name: &str, data_type: DataType, alignment: u32) -> Result<()> {
    let element = data_type.bits().unwrap_or(8).div_ceil(8);
    if alignment.is_power_of_two() && alignment >= element {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "the alignment of {name} is {alignment} bytes; a power of two of at least {element} is needed"
    )))
}

/// Elements from the first to behind the last of a stored matrix: the last row need not be padded.
pub(super) fn extent(rows: usize, cols: usize, leading_dimension: usize) -> usize {
    if rows == 0 || cols == 0 { 0 } else { (rows - 1) * leading_dimension + cols }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matmul::Bias;

    fn linear() -> Problem {
        let mut problem = Problem::new(DataType::BF16, 8, 16, 32);
        problem.transpose_b = Transpose::T;
        problem.b.leading_dimension = 32;
        problem
    }

    fn refusal(change: impl FnOnce(&mut Problem)) -> String {
        let mut problem = linear();
        change(&mut problem);
        check(&problem).expect_err("the problem should be refused").to_string()
    }

    #[test]
    fn a_linear_layer_is_accepted() {
        check(&linear()).unwrap();
    }

    #[test]
    fn a_short_leading_dimension_is_named() {
        let text = refusal(|problem| problem.b.leading_dimension = 31);
        assert!(text.contains("leading dimension of B is 31") && text.contains("at least 32"), "{text}");
    }

    #[test]
    fn tf32_needs_f32() {
        let text = refusal(|problem| problem.compute = ComputeType::F32_FAST_TF32);
        assert!(text.contains("32F_FAST_TF32 is not documented for bf16"), "{text}");
    }

    #[test]
    fn bias_and_epilogue_go_together() {
        let text = refusal(|problem| problem.epilogue = Epilogue::BIAS);
        assert!(text.contains("BIAS needs a bias"), "{text}");
        let text = refusal(|problem| problem.bias = Some(Bias { data_type: DataType::BF16, alignment: 16 }));
        assert!(text.contains("DEFAULT reads none"), "{text}");
    }

    #[test]
    fn mixed_types_are_named() {
        let text = refusal(|problem| problem.d.data_type = DataType::I8);
        assert!(text.contains("D has i8"), "{text}");
    }

    #[test]
    fn sizes_do_not_wrap() {
        let text = refusal(|problem| problem.m = 1 << 40);
        assert!(text.contains("m is 1099511627776"), "{text}");
        let text = refusal(|problem| problem.a.leading_dimension = usize::MAX);
        assert!(text.contains("18446744073709551615"), "{text}");
    }

    #[test]
    fn an_odd_alignment_is_named() {
        let text = refusal(|problem| problem.a.alignment = 24);
        assert!(text.contains("alignment of A is 24"), "{text}");
        let text = refusal(|problem| problem.d.alignment = 1);
        assert!(text.contains("at least 2"), "{text}");
    }

    #[test]
    fn empty_problems_are_accepted_and_empty_sums_are_not() {
        let mut problem = linear();
        problem.m = 0;
        check(&problem).unwrap();
        let text = refusal(|problem| problem.k = 0);
        assert!(text.contains("k is 0"), "{text}");
    }

    #[test]
    fn the_last_row_needs_no_padding() {
        assert_eq!(extent(3, 5, 8), 21);
        assert_eq!(extent(0, 5, 8), 0);
    }
}
