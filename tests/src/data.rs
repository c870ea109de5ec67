//! Random test data: both signs, never zero, another seed each time.

use cublaslt::reference::Real;

/// A source of values; print its seed where a test fails.
pub struct Source {
    generator: fastrand::Rng,
    seed: u64,
}

impl Source {
    /// A source with a fresh seed, or the one in `CUBLASLT_TEST_SEED`.
    #[must_use]
    pub fn new() -> Self {
        let seed = std::env::var("CUBLASLT_TEST_SEED").ok().and_then(|text| text.parse().ok());
        let seed = seed.unwrap_or_else(|| fastrand::u64(..));
        Self { generator: fastrand::Rng::with_seed(seed), seed }
    }

    /// What `CUBLASLT_TEST_SEED` must be for the same values.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Values of both signs with magnitudes between a tenth of `scale` and `scale`.
    pub fn values<T: Real>(&mut self, len: usize, scale: f64) -> Vec<T> {
        (0..len)
            .map(|_| {
                let magnitude = scale * (0.1 + 0.9 * self.generator.f64());
                T::round(if self.generator.bool() { magnitude } else { -magnitude })
            })
            .collect()
    }
}

impl Default for Source {
    fn default() -> Self {
        Self::new()
    }
}
