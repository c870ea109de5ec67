//! The configuration inside an algorithm.

use std::fmt;

use cublaslt_sys as sys;

use super::Algorithm;
use crate::descriptor::{AttributeValue, read};
use crate::error::Result;
use crate::types::ReductionSchemes;

type Attribute = sys::cublasLtMatmulAlgoConfigAttributes_t;

/// How an algorithm is configured, each part by the library's own number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AlgorithmConfig {
    /// Number of the kernel family: `CUBLASLT_ALGO_CONFIG_ID`.
    pub id: i32,
    /// Tile of D that a thread block computes: `CUBLASLT_ALGO_CONFIG_TILE_ID`.
    pub tile: sys::cublasLtMatmulTile_t,
    /// Depth and number of the pipeline's stages: `CUBLASLT_ALGO_CONFIG_STAGES_ID`.
    pub stages: sys::cublasLtMatmulStages_t,
    /// Number of parts k is split into: `CUBLASLT_ALGO_CONFIG_SPLITK_NUM`.
    pub split_k: u32,
    /// How the parts are added up: `CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME`.
    pub reduction: ReductionSchemes,
    /// Whether thread blocks are swizzled over D: `CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING`.
    pub swizzle: u32,
    /// Number private to the algorithm: `CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION`.
    pub custom_option: u32,
    /// Shape of a tensor-core instruction: `CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID`.
    pub inner_shape: u16,
    /// Shape of a cluster of thread blocks: `CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID`.
    pub cluster_shape: u16,
}

// SAFETY: a plain integer.
unsafe impl AttributeValue for u16 {}
// SAFETY: transparent over a C integer.
unsafe impl AttributeValue for sys::cublasLtMatmulTile_t {}
// SAFETY: as above.
unsafe impl AttributeValue for sys::cublasLtMatmulStages_t {}

impl AlgorithmConfig {
    /// Reads the configuration of an algorithm (`cublasLtMatmulAlgoConfigGetAttribute`).
    pub(super) fn of(algorithm: &Algorithm) -> Result<Self> {
        Ok(Self {
            id: get(algorithm, Attribute::CUBLASLT_ALGO_CONFIG_ID)?,
            tile: get(algorithm, Attribute::CUBLASLT_ALGO_CONFIG_TILE_ID)?,
            stages: get(algorithm, Attribute::CUBLASLT_ALGO_CONFIG_STAGES_ID)?,
            split_k: get(algorithm, Attribute::CUBLASLT_ALGO_CONFIG_SPLITK_NUM)?,
            reduction: get(algorithm, Attribute::CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME)?,
            swizzle: get(algorithm, Attribute::CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING)?,
            custom_option: get(algorithm, Attribute::CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION)?,
            inner_shape: get(algorithm, Attribute::CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID)?,
            cluster_shape: get(algorithm, Attribute::CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID)?,
        })
    }
}

fn get<T: AttributeValue>(algorithm: &Algorithm, attribute: Attribute) -> Result<T> {
    read("cublasLtMatmulAlgoConfigGetAttribute", attribute, |value, size, written| {
        // SAFETY: the algorithm is live, and `read` passes memory of that size.
        unsafe { sys::cublasLtMatmulAlgoConfigGetAttribute(algorithm.raw(), attribute, value, size, written) }
    })
}

impl fmt::Display for AlgorithmConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tile = format!("{:?}", self.tile);
        let stages = format!("{:?}", self.stages);
        write!(
            f,
            "algorithm {}, tile {}, stages {}, split-K {}, reduction {}, swizzle {}, custom option {}, inner shape {}, cluster shape {}",
            self.id,
            tile.trim_start_matches("CUBLASLT_MATMUL_TILE_"),
            stages.trim_start_matches("CUBLASLT_MATMUL_STAGES_"),
            self.split_k,
            self.reduction,
            self.swizzle,
            self.custom_option,
            self.inner_shape,
            self.cluster_shape
        )
    }
}
