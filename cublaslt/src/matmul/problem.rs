//! What is to be computed, in row-major terms.

use std::fmt;

use crate::types::{ComputeType, DataType, Epilogue, Transpose};

/// D = epilogue(alpha · op(A) · op(B) + beta · D), all matrices row-major.
///
/// op(A) is m×k, op(B) is k×n and D is m×n. A leading dimension is the number of elements from one stored row to
/// the next. The bias has one element a column of D.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Problem {
    /// Rows of op(A) and D.
    pub m: usize,
    /// Columns of op(B) and D.
    pub n: usize,
    /// Columns of op(A), rows of op(B).
    pub k: usize,
    /// A, as it is stored.
    pub a: Matrix,
    /// B, as it is stored.
    pub b: Matrix,
    /// D, as it is stored.
    pub d: Matrix,
    /// What is done to A.
    pub transpose_a: Transpose,
    /// What is done to B.
    pub transpose_b: Transpose,
    /// The arithmetic.
    pub compute: ComputeType,
    /// Type of alpha and beta.
    pub scale_type: DataType,
    /// What is done behind the multiply.
    pub epilogue: Epilogue,
    /// The bias, which must be there if and only if the epilogue reads one.
    pub bias: Option<Bias>,
}

/// A matrix in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Matrix {
    /// What messages call it.
    pub name: &'static str,
    /// Element type.
    pub data_type: DataType,
    /// Elements from one stored row to the next.
    pub leading_dimension: usize,
    /// Alignment in bytes that its pointer will have, a power of two.
    pub alignment: u32,
}

/// A bias vector in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bias {
    /// Element type.
    pub data_type: DataType,
    /// Alignment in bytes that its pointer will have, a power of two.
    pub alignment: u32,
}

/// The alignment of memory straight from `cudaMalloc`, in bytes.
pub(super) const ALLOCATION_ALIGNMENT: u32 = 256;

impl Problem {
    /// A plain multiply with all matrices of one type, closely packed, at the alignment of fresh allocations.
    ///
    /// Sums are kept in `f32`, for `f64` in `f64`.
    #[must_use]
    pub fn new(data_type: DataType, m: usize, n: usize, k: usize) -> Self {
        let matrix = |name, leading_dimension| Matrix {
            name,
            data_type,
            leading_dimension,
            alignment: ALLOCATION_ALIGNMENT,
        };
        let wide = data_type == DataType::F64;
        Self {
            m,
            n,
            k,
            a: matrix("A", k),
            b: matrix("B", n),
            d: matrix("D", n),
            transpose_a: Transpose::N,
            transpose_b: Transpose::N,
            compute: if wide { ComputeType::F64 } else { ComputeType::F32 },
            scale_type: if wide { DataType::F64 } else { DataType::F32 },
            epilogue: Epilogue::DEFAULT,
            bias: None,
        }
    }

    /// Rows and columns of A as it is stored.
    #[must_use]
    pub fn stored_a(&self) -> (usize, usize) {
        if self.transpose_a == Transpose::N { (self.m, self.k) } else { (self.k, self.m) }
    }

    /// Rows and columns of B as it is stored.
    #[must_use]
    pub fn stored_b(&self) -> (usize, usize) {
        if self.transpose_b == Transpose::N { (self.k, self.n) } else { (self.n, self.k) }
    }

    /// Number of floating-point operations: a multiply and an add for each of m·n·k.
    #[must_use]
    pub fn flops(&self) -> f64 {
        2.0 * self.m as f64 * self.n as f64 * self.k as f64
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let matrix =
            |f: &mut fmt::Formatter<'_>, matrix: &Matrix, (rows, cols): (usize, usize), transpose| {
                write!(f, "{}[{rows}×{cols}", matrix.data_type)?;
                if matrix.leading_dimension != cols {
                    write!(f, ", ld {}", matrix.leading_dimension)?;
                }
                f.write_str("]")?;
                match transpose {
                    Transpose::N => Ok(()),
                    Transpose::T => f.write_str("ᵀ"),
                    _ => f.write_str("ᴴ"),
                }
            };
        matrix(f, &self.a, self.stored_a(), self.transpose_a)?;
        f.write_str(" · ")?;
        matrix(f, &self.b, self.stored_b(), self.transpose_b)?;
        write!(f, " → {}", self.d.data_type)?;
        if self.d.leading_dimension != self.n {
            write!(f, " (ld {})", self.d.leading_dimension)?;
        }
        write!(f, ", compute {}, epilogue {}", self.compute, self.epilogue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_types_shapes_and_epilogue() {
        let mut problem = Problem::new(DataType::BF16, 512, 4096, 4096);
        problem.transpose_b = Transpose::T;
        problem.epilogue = Epilogue::GELU_BIAS;
        assert_eq!(
            problem.to_string(),
            "bf16[512×4096] · bf16[4096×4096]ᵀ → bf16, compute 32F, epilogue GELU_BIAS"
        );
        problem.a.leading_dimension = 5000;
        problem.d.leading_dimension = 4100;
        assert!(problem.to_string().starts_with("bf16[512×4096, ld 5000]"));
        assert!(problem.to_string().contains("→ bf16 (ld 4100)"));
    }
}
