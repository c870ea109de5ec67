//! Holding a result against the reference.

use std::fmt;

use super::{Activation, Expected, Real};

/// How the operands were multiplied and summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Operands as they are, products exact, each added to a sum in f32 on its own.
    F32,
    /// `f16` or `bf16` operands on tensor cores: at least eight exact products are added before a sum in f32 is
    /// rounded or cut off.
    TensorCore,
    /// `f32` operands cut to 10 fraction bits, then as on tensor cores.
    Tf32,
}

/// How far a result is from the reference.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// ‖result − reference‖ / ‖reference‖ over all elements, Frobenius. NaN if any element is.
    pub relative_norm: f64,
    /// Largest |result − reference| / bound; at most 1 is right. NaN if any element is.
    pub worst: f64,
    /// Elements beyond their bound.
    pub mismatches: usize,
    /// The first of them.
    pub first: Option<Mismatch>,
    /// Number of elements compared.
    pub elements: usize,
}

/// An element beyond its bound.
#[derive(Clone, Copy, Debug)]
pub struct Mismatch {
    /// Row of y.
    pub row: usize,
    /// Column of y.
    pub column: usize,
    /// What was found.
    pub got: f64,
    /// What the reference gives.
    pub expected: f64,
    /// Largest difference allowed.
    pub bound: f64,
}

impl Comparison {
    /// Whether every element is within its bound and the relative norm within `limit`; NaN never is.
    #[must_use]
    pub fn passes(&self, limit: f64) -> bool {
        self.mismatches == 0 && self.worst <= 1.0 && self.relative_norm <= limit
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "relative norm {:.2e}, worst element at {:.2} of its bound, {} elements",
            self.relative_norm, self.worst, self.elements
        )?;
        if let Some(Mismatch { row, column, got, expected, bound }) = self.first {
            write!(
                f,
                "; {} beyond, the first at [{row}, {column}]: {got} where {expected} ± {bound:.2e} is expected",
                self.mismatches
            )?;
        }
        Ok(())
    }
}

impl Expected {
    /// Compares y, whose rows are `stride` elements apart.
    ///
    /// The bound of an element with product p = x·wᵀ, activation input v = p + b, output r and S = Σ|x·w| + |b| is
    /// u·|r| + slope · (e · S + u·(|p| + |v|)) + t·|v| + smallest normal.
    ///
    /// - u is the rounding of the output type. Where the library adds the bias and applies the activation in a pass
    ///   of their own, as it does behind a split-K sum, it rounds p and v to the output type too.
    /// - e·S bounds the error of the sum: for k products added one by one, k·2⁻²⁴ (Higham, "Accuracy and Stability
    ///   of Numerical Algorithms", §4.2); on tensor cores (k/8 + 16)·2⁻²³; TF32 adds 2⁻⁹ for two operands cut to
    ///   10 bits.
    /// - t is the error of the GPU's `tanh.approx.f32`, 2⁻¹¹ relative (PTX ISA), in v/2·(1 + tanh): 2⁻¹², for GELU
    ///   only.
    ///
    /// # Panics
    ///
    /// `got` is too short.
    #[must_use]
    pub fn compare<T: Real>(&self, got: &[T], stride: usize, arithmetic: Arithmetic) -> Comparison {
        let (mut difference, mut norm, mut worst, mut mismatches, mut first) = (0.0, 0.0, 0.0_f64, 0, None);
        let sum_error = self.sum_error(arithmetic);
        let tanh_error = if self.activation == Activation::GeluTanh { 1.0 / 4096.0 } else { 0.0 };
        for (index, expected) in self.values.iter().copied().enumerate() {
            let (row, column) = (index / self.n, index % self.n);
            let got = got[row * stride + column].to_f64();
            let (product, input) = (self.products[index].abs(), self.inputs[index].abs());
            let before_activation = sum_error * self.magnitudes[index] + T::UNIT_ROUNDOFF * (product + input);
            let bound = T::UNIT_ROUNDOFF * expected.abs()
                + self.activation.slope() * before_activation
                + tanh_error * input
                + f64::from(f32::MIN_POSITIVE);
            let error = (got - expected).abs();
            difference += error * error;
            norm += expected * expected;
            let ratio = error / bound;
            if ratio.is_nan() || ratio > worst {
                worst = ratio;
            }
            if ratio > 1.0 || ratio.is_nan() {
                mismatches += 1;
                first = first.or(Some(Mismatch { row, column, got, expected, bound }));
            }
        }
        let relative_norm = if norm == 0.0 && difference == 0.0 { 0.0 } else { (difference / norm).sqrt() };
        Comparison { relative_norm, worst, mismatches, first, elements: self.values.len() }
    }

    #[allow(clippy::cast_precision_loss)]
    fn sum_error(&self, arithmetic: Arithmetic) -> f64 {
        let k = self.k as f64;
        let tensor_core = (k / 8.0 + 16.0) * 2_f64.powi(-23);
        match arithmetic {
            Arithmetic::F32 => (k + 2.0) * 2_f64.powi(-24),
            Arithmetic::TensorCore => tensor_core,
            Arithmetic::Tf32 => tensor_core + 2_f64.powi(-9),
        }
    }
}

#[cfg(test)]
mod tests {
    use half::bf16;

    use super::super::{LinearLayer, linear};
    use super::*;

    /// A layer with operands of both signs, and its result rounded to bf16.
    fn layer_and_result(bias: bool) -> (Expected, Vec<bf16>) {
        let (m, n, k) = (5, 7, 64);
        let value = |index: usize| bf16::round(((index * 37 + 11) % 101) as f64 / 50.0 - 1.0);
        let x: Vec<bf16> = (0..m * k).map(value).collect();
        let w: Vec<bf16> = (0..n * k).map(|index| value(index * 3 + 1)).collect();
        let b: Vec<bf16> = (0..n).map(|index| value(index + 5)).collect();
        let expected = linear(&LinearLayer {
            m,
            n,
            k,
            x: &x,
            x_stride: k,
            w: &w,
            w_stride: k,
            bias: bias.then_some(&b),
            activation: Activation::GeluTanh,
        });
        let result = expected.values.iter().map(|value| bf16::round(*value)).collect();
        (expected, result)
    }

    fn compare(expected: &Expected, result: &[bf16]) -> Comparison {
        expected.compare(result, 7, Arithmetic::TensorCore)
    }

    #[test]
    fn the_rounded_reference_passes() {
        let (expected, result) = layer_and_result(true);
        let comparison = compare(&expected, &result);
        assert!(comparison.passes(1e-2), "{comparison}");
        assert_eq!(comparison.elements, 35);
    }

    #[test]
    fn one_wrong_element_of_either_sign_fails_whatever_the_norm() {
        for wrong_by in [0.3, -0.3] {
            let (expected, mut result) = layer_and_result(true);
            result[8] = bf16::round(result[8].to_f64() + wrong_by);
            let comparison = compare(&expected, &result);
            assert!(!comparison.passes(f64::INFINITY), "{wrong_by}: {comparison}");
            let first = comparison.first.unwrap();
            assert_eq!((first.row, first.column, comparison.mismatches), (1, 1, 1));
        }
    }

    #[test]
    fn the_norm_is_held_to_its_limit() {
        let (expected, result) = layer_and_result(true);
        assert!(!compare(&expected, &result).passes(1e-6), "rounding to bf16 is more than that");
    }

    #[test]
    fn nan_never_passes() {
        for at in [0, 34] {
            let (expected, mut result) = layer_and_result(true);
            result[at] = bf16::NAN;
            let comparison = compare(&expected, &result);
            assert!(!comparison.passes(f64::INFINITY), "{comparison}");
            assert!(comparison.mismatches > 0);
        }
    }

    #[test]
    fn a_missing_bias_and_a_transposed_result_fail() {
        let (expected, _) = layer_and_result(true);
        let (_, without_bias) = layer_and_result(false);
        assert!(!compare(&expected, &without_bias).passes(f64::INFINITY));
        let (expected, result) = layer_and_result(true);
        let transposed: Vec<bf16> = (0..35).map(|index| result[index % 5 * 7 + index / 5]).collect();
        assert!(!compare(&expected, &transposed).passes(f64::INFINITY));
    }

    /// x·wᵀ + b with k terms a sum, and what a GPU may make of it: operands passed through `operand`, sums in f32.
    fn layer_in_f32(k: usize, operand: fn(f32) -> f32) -> (Expected, Vec<f32>) {
        let (m, n) = (5, 7);
        let value = |index: usize| <f32 as Real>::round(((index * 37 + 11) % 101) as f64 / 49.0 - 1.01);
        let x: Vec<f32> = (0..m * k).map(value).collect();
        let w: Vec<f32> = (0..n * k).map(|index| value(index * 3 + 1)).collect();
        let b: Vec<f32> = (0..n).map(|index| value(index + 5)).collect();
        let mut result = Vec::new();
        for row in x.chunks(k) {
            for (column, bias) in w.chunks(k).zip(&b) {
                let products = row.iter().zip(column).map(|(x, w)| operand(*x) * operand(*w));
                result.push(products.sum::<f32>() + bias);
            }
        }
        let layer = LinearLayer {
            m,
            n,
            k,
            x: &x,
            x_stride: k,
            w: &w,
            w_stride: k,
            bias: Some(&b),
            activation: Activation::Identity,
        };
        (linear(&layer), result)
    }

    #[test]
    fn sums_in_f32_are_within_their_bound() {
        for k in [1, 64, 4096] {
            let (expected, result) = layer_in_f32(k, |value| value);
            let comparison = expected.compare(&result, 7, Arithmetic::F32);
            assert!(comparison.passes(1e-5), "k = {k}: {comparison}");
        }
    }

    #[test]
    fn operands_cut_to_tf32_are_within_its_bound_and_beyond_that_of_f32() {
        for k in [1, 64, 4096] {
            let (expected, result) = layer_in_f32(k, |value| f32::from_bits(value.to_bits() & 0xffff_e000));
            let comparison = expected.compare(&result, 7, Arithmetic::Tf32);
            assert!(comparison.mismatches == 0, "k = {k}: {comparison}");
            let comparison = expected.compare(&result, 7, Arithmetic::F32);
            assert!(comparison.mismatches > 0, "k = {k}: {comparison}");
        }
    }

    #[test]
    fn operands_cut_to_bf16_are_beyond_the_bound_of_tf32() {
        let (expected, result) = layer_in_f32(64, |value| f32::from_bits(value.to_bits() & 0xffff_0000));
        assert!(expected.compare(&result, 7, Arithmetic::Tf32).mismatches > 0);
    }
}
