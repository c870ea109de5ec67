//! Element types as real numbers: exact to f64, and back with one rounding.

use half::{bf16, f16};

/// A floating-point type of a matrix.
pub trait Real: Copy + Send + Sync {
    /// Largest relative error of rounding to the type: half the distance from 1 to the next value.
    const UNIT_ROUNDOFF: f64;

    /// The value, exactly.
    fn to_f64(self) -> f64;

    /// The nearest value of the type, ties to even; beyond the largest finite value, infinity.
    fn round(value: f64) -> Self;
}

impl Real for f32 {
    const UNIT_ROUNDOFF: f64 = 1.0 / (1_u64 << 24) as f64;

    fn to_f64(self) -> f64 {
        self.into()
    }

    #[allow(clippy::cast_possible_truncation)] // the language rounds to nearest even
    fn round(value: f64) -> Self {
        value as f32
    }
}

impl Real for f16 {
    const UNIT_ROUNDOFF: f64 = 1.0 / 2048.0;

    fn to_f64(self) -> f64 {
        self.into()
    }

    fn round(value: f64) -> Self {
        // What is left for the conversion is exact or an overflow.
        Self::from_f64(round_to_grid(value, 11, -14))
    }
}

impl Real for bf16 {
    const UNIT_ROUNDOFF: f64 = 1.0 / 256.0;

    fn to_f64(self) -> f64 {
        self.into()
    }

    fn round(value: f64) -> Self {
        Self::from_f64(round_to_grid(value, 8, -126))
    }
}

/// Rounds to `precision` significant bits, fewer below 2^`min_exponent`, where values are equally spaced.
///
/// The conversions of `half` drop the low half of an f64 first, which loses what breaks a tie.
fn round_to_grid(value: f64, precision: i32, min_exponent: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    #[allow(clippy::cast_possible_truncation)] // between -1075 and 1023
    let exponent = value.abs().log2().floor() as i32;
    // log2 may be off by one right below a power of two.
    let exponent = if 2_f64.powi(exponent) > value.abs() { exponent - 1 } else { exponent };
    let spacing = 2_f64.powi(exponent.max(min_exponent) - precision + 1);
    (value / spacing).round_ties_even() * spacing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_rounds_to_itself() {
        for bits in 0..=u16::MAX {
            let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
            if !half.is_nan() {
                assert_eq!(f16::round(half.to_f64()).to_bits(), bits, "{half}");
            }
            if !brain.is_nan() {
                assert_eq!(bf16::round(brain.to_f64()).to_bits(), bits, "{brain}");
            }
        }
    }

    /// Between each two neighbours, subnormal ones too: the middle goes to the even one, and the nearest f64 on
    /// either side of it, which differs in its last bit alone, to the nearer. Beyond the last is infinity.
    fn rounds_between_neighbours<T: Real>(infinity: u16, from_bits: fn(u16) -> T, to_bits: fn(T) -> u16) {
        for bits in 0..infinity {
            let low = from_bits(bits).to_f64();
            // Above the largest finite value, the next step of its exponent stands for infinity.
            let high = if bits + 1 == infinity {
                2.0 * low - from_bits(bits - 1).to_f64()
            } else {
                from_bits(bits + 1).to_f64()
            };
            let middle = low.midpoint(high);
            for (value, nearest) in
                [(middle.next_down(), bits), (middle, bits + bits % 2), (middle.next_up(), bits + 1)]
            {
                assert_eq!(to_bits(T::round(value)), nearest, "{value:e}");
                assert_eq!(to_bits(T::round(-value)), nearest | 0x8000, "-{value:e}");
            }
        }
    }

    #[test]
    fn every_value_between_neighbours_goes_to_the_nearer() {
        rounds_between_neighbours(0x7c00, f16::from_bits, f16::to_bits);
        rounds_between_neighbours(0x7f80, bf16::from_bits, bf16::to_bits);
    }

    #[test]
    fn ties_go_to_even_and_what_breaks_a_tie_is_seen() {
        // Between 1 and the next bf16, 1 + 2^-7.
        let tie = 1.0 + 2_f64.powi(-8);
        assert_eq!(bf16::round(tie), bf16::ONE);
        assert_eq!(bf16::round(tie + 2_f64.powi(-50)).to_f64(), 1.0 + 2_f64.powi(-7));
        assert_eq!(bf16::round(-tie - 2_f64.powi(-50)).to_f64(), -1.0 - 2_f64.powi(-7));
        let tie = 1.0 + 3.0 * 2_f64.powi(-8);
        assert_eq!(bf16::round(tie).to_f64(), 1.0 + 2_f64.powi(-6));
        let tie = 1.0 + 2_f64.powi(-11);
        assert_eq!(f16::round(tie), f16::ONE);
        assert_eq!(f16::round(tie + 2_f64.powi(-50)).to_f64(), 1.0 + 2_f64.powi(-10));
    }

    #[test]
    fn the_ends_of_the_range_are_kept() {
        assert_eq!(f16::round(65519.0).to_f64(), 65504.0);
        assert_eq!(f16::round(65520.0), f16::INFINITY);
        assert_eq!(f16::round(-1e9), f16::NEG_INFINITY);
        assert_eq!(f16::round(2_f64.powi(-25)).to_f64(), 0.0);
        assert_eq!(f16::round(1.5 * 2_f64.powi(-25)).to_f64(), 2_f64.powi(-24));
        assert!(bf16::round(f64::NAN).is_nan());
        assert_eq!(<f32 as Real>::round(1e300), f32::INFINITY);
    }
}
