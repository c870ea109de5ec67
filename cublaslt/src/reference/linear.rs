//! A linear layer in f64.

use super::Real;

/// The function applied to each element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activation {
    /// v.
    Identity,
    /// max(v, 0).
    Relu,
    /// v/2 · (1 + tanh(√(2/π) · (v + 0.044715·v³))): Hendrycks and Gimpel, "Gaussian error linear units", 2016.
    GeluTanh,
}

impl Activation {
    /// The value at `v`.
    #[must_use]
    pub fn at(self, v: f64) -> f64 {
        match self {
            Self::Identity => v,
            Self::Relu if v > 0.0 || v.is_nan() => v,
            Self::Relu => 0.0,
            Self::GeluTanh => {
                let inner = (2.0 / std::f64::consts::PI).sqrt() * (v + 0.044_715 * v * v * v);
                0.5 * v * (1.0 + inner.tanh())
            }
        }
    }

    /// How much it can stretch a difference.
    pub(super) fn slope(self) -> f64 {
        match self {
            Self::Identity | Self::Relu => 1.0,
            Self::GeluTanh => 1.13,
        }
    }
}

/// y = activation(x·wᵀ + b): x is m×k, w is n×k, b has n elements, y is m×n, all row-major.
#[derive(Clone, Copy, Debug)]
pub struct LinearLayer<'a, T> {
    /// Rows of x and y.
    pub m: usize,
    /// Rows of w, columns of y.
    pub n: usize,
    /// Columns of x and w.
    pub k: usize,
    /// x.
    pub x: &'a [T],
    /// Elements from one row of x to the next.
    pub x_stride: usize,
    /// w.
    pub w: &'a [T],
    /// Elements from one row of w to the next.
    pub w_stride: usize,
    /// The bias.
    pub bias: Option<&'a [T]>,
    /// The activation.
    pub activation: Activation,
}

/// What a layer gives in f64, not yet rounded, and what is needed to say how far off a result may be.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Columns of y.
    pub n: usize,
    /// Length of the sums.
    pub k: usize,
    /// The activation.
    pub activation: Activation,
    /// y, row-major and closely packed.
    pub values: Vec<f64>,
    /// x·wᵀ.
    pub products: Vec<f64>,
    /// x·wᵀ + b, the activation's input.
    pub inputs: Vec<f64>,
    /// Σ|x·w| + |b| for each element.
    pub magnitudes: Vec<f64>,
}

/// Computes the layer on all cores.
///
/// # Panics
///
/// A slice is too short for its shape.
#[must_use]
pub fn linear<T: Real>(layer: &LinearLayer<'_, T>) -> Expected {
    let LinearLayer { m, n, k, activation, .. } = *layer;
    let x = packed(layer.x, m, k, layer.x_stride);
    let w = packed(layer.w, n, k, layer.w_stride);
    let bias: Vec<f64> = match layer.bias {
        Some(bias) => packed(bias, 1, n, n),
        None => vec![0.0; n],
    };
    let mut sums = vec![[0.0; 3]; m * n];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let rows = m.div_ceil(threads).max(1);
    if n > 0 {
        std::thread::scope(|scope| {
            for (part, sums) in sums.chunks_mut(rows * n).enumerate() {
                let (x, w, bias) = (&x, &w, &bias);
                scope.spawn(move || {
                    for (row, sums) in sums.chunks_mut(n).enumerate() {
                        let at = (part * rows + row) * k;
                        let x = &x[at..at + k];
                        for (column, sum) in sums.iter_mut().enumerate() {
                            let [product, magnitude] = dot(x, &w[column * k..(column + 1) * k]);
                            *sum = [product, product + bias[column], magnitude + bias[column].abs()];
                        }
                    }
                });
            }
        });
    }
    Expected {
        n,
        k,
        activation,
        values: sums.iter().map(|[_, input, _]| activation.at(*input)).collect(),
        products: sums.iter().map(|[product, ..]| *product).collect(),
        inputs: sums.iter().map(|[_, input, _]| *input).collect(),
        magnitudes: sums.iter().map(|[.., magnitude]| *magnitude).collect(),
    }
}

/// The matrix without the gaps between its rows, in f64.
fn packed<T: Real>(values: &[T], rows: usize, cols: usize, stride: usize) -> Vec<f64> {
    (0..rows).flat_map(|row| &values[row * stride..row * stride + cols]).map(|value| value.to_f64()).collect()
}

/// Σ a·b and Σ |a·b|, in eight sums each so that the processor can work on them at once.
fn dot(a: &[f64], b: &[f64]) -> [f64; 2] {
    const LANES: usize = 8;
    let (mut sums, mut magnitudes) = ([0.0; LANES], [0.0; LANES]);
    let (a_parts, b_parts) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = a_parts.remainder().iter().zip(b_parts.remainder());
    for (a, b) in a_parts.zip(b_parts) {
        for lane in 0..LANES {
            let product = a[lane] * b[lane];
            sums[lane] += product;
            magnitudes[lane] += product.abs();
        }
    }
    for (a, b) in rest {
        sums[0] += a * b;
        magnitudes[0] += (a * b).abs();
    }
    [sums.iter().sum(), magnitudes.iter().sum()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x = [1 2; 3 -4], w = [1 0; 2 -1; -1 1], b = [10 -20 0.5]; strides leave gaps that hold NaN.
    fn layer(activation: Activation, bias: Option<&'static [f32]>) -> LinearLayer<'static, f32> {
        const GAP: f32 = f32::NAN;
        LinearLayer {
            m: 2,
            n: 3,
            k: 2,
            x: &[1.0, 2.0, GAP, 3.0, -4.0],
            x_stride: 3,
            w: &[1.0, 0.0, GAP, GAP, 2.0, -1.0, GAP, GAP, -1.0, 1.0],
            w_stride: 4,
            bias,
            activation,
        }
    }

    #[test]
    fn products_and_bias_are_where_they_belong() {
        let expected = linear(&layer(Activation::Identity, Some(&[10.0, -20.0, 0.5])));
        assert_eq!(expected.values, [11.0, -20.0, 1.5, 13.0, -10.0, -6.5]);
        assert_eq!(expected.magnitudes, [11.0, 24.0, 3.5, 13.0, 30.0, 7.5]);
        let expected = linear(&layer(Activation::Identity, None));
        assert_eq!(expected.values, [1.0, 0.0, 1.0, 3.0, 10.0, -7.0]);
    }

    #[test]
    fn relu_keeps_what_is_positive() {
        let expected = linear(&layer(Activation::Relu, Some(&[10.0, -20.0, 0.5])));
        assert_eq!(expected.values, [11.0, 0.0, 1.5, 13.0, 0.0, 0.0]);
    }

    #[test]
    fn gelu_has_its_published_values() {
        // The formula in Python's math module.
        for (v, gelu) in [
            (0.0, 0.0),
            (1.0, 0.841_191_990_608_306_6),
            (-1.0, -0.158_808_009_391_693_5),
            (3.0, 2.996_362_607_918_227),
            (-0.5, -0.154_285_990_174_856_06),
        ] {
            assert!((Activation::GeluTanh.at(v) - gelu).abs() < 1e-12, "{v}: {}", Activation::GeluTanh.at(v));
        }
    }

    #[test]
    fn long_sums_use_every_term() {
        let ones = vec![1.0_f32; 1001];
        let layer = LinearLayer {
            m: 1,
            n: 1,
            k: 1001,
            x: &ones,
            x_stride: 1001,
            w: &ones,
            w_stride: 1001,
            bias: None,
            activation: Activation::Identity,
        };
        assert_eq!(linear(&layer).values, [1001.0]);
    }

    #[test]
    fn empty_layers_are_empty() {
        let layer = LinearLayer { m: 0, x: &[], ..layer(Activation::Identity, None) };
        assert!(linear(&layer).values.is_empty());
    }
}
