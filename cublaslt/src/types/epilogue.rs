//! What the library does to the product before it is stored.

use super::newtype;

newtype! {
    /// The operation fused behind the multiply: `cublasLtEpilogue_t`.
    Epilogue(cublasLtEpilogue_t) {
        /// Scaling only.
        DEFAULT = CUBLASLT_EPILOGUE_DEFAULT, "DEFAULT";
        /// max(v, 0).
        RELU = CUBLASLT_EPILOGUE_RELU, "RELU";
        /// ReLU, and a bit mask of where the input was positive.
        RELU_AUX = CUBLASLT_EPILOGUE_RELU_AUX, "RELU_AUX";
        /// A bias vector is added to every column of the column-major D.
        BIAS = CUBLASLT_EPILOGUE_BIAS, "BIAS";
        /// Bias, then ReLU.
        RELU_BIAS = CUBLASLT_EPILOGUE_RELU_BIAS, "RELU_BIAS";
        /// Bias, then ReLU, and the bit mask.
        RELU_AUX_BIAS = CUBLASLT_EPILOGUE_RELU_AUX_BIAS, "RELU_AUX_BIAS";
        /// Gradient of ReLU, by the bit mask.
        DRELU = CUBLASLT_EPILOGUE_DRELU, "DRELU";
        /// Gradient of ReLU, and the bias gradient.
        DRELU_BGRAD = CUBLASLT_EPILOGUE_DRELU_BGRAD, "DRELU_BGRAD";
        /// GELU in its tanh form.
        GELU = CUBLASLT_EPILOGUE_GELU, "GELU";
        /// GELU, and its input.
        GELU_AUX = CUBLASLT_EPILOGUE_GELU_AUX, "GELU_AUX";
        /// Bias, then GELU.
        GELU_BIAS = CUBLASLT_EPILOGUE_GELU_BIAS, "GELU_BIAS";
        /// Bias, then GELU, and GELU's input.
        GELU_AUX_BIAS = CUBLASLT_EPILOGUE_GELU_AUX_BIAS, "GELU_AUX_BIAS";
        /// Gradient of GELU, by its input.
        DGELU = CUBLASLT_EPILOGUE_DGELU, "DGELU";
        /// Gradient of GELU, and the bias gradient.
        DGELU_BGRAD = CUBLASLT_EPILOGUE_DGELU_BGRAD, "DGELU_BGRAD";
        /// Bias gradient: sums of A over k.
        BGRADA = CUBLASLT_EPILOGUE_BGRADA, "BGRADA";
        /// Bias gradient: sums of B over k.
        BGRADB = CUBLASLT_EPILOGUE_BGRADB, "BGRADB";
    }
}

/// The function applied to each element of a linear layer's output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Activation {
    /// The identity.
    #[default]
    None,
    /// max(v, 0).
    Relu,
    /// GELU in its tanh form: v/2 · (1 + tanh(√(2/π) · (v + 0.044715·v³))).
    Gelu,
}

impl Epilogue {
    /// The epilogue of a linear layer's forward pass.
    #[must_use]
    pub const fn forward(activation: Activation, bias: bool) -> Self {
        match (activation, bias) {
            (Activation::None, false) => Self::DEFAULT,
            (Activation::None, true) => Self::BIAS,
            (Activation::Relu, false) => Self::RELU,
            (Activation::Relu, true) => Self::RELU_BIAS,
            (Activation::Gelu, false) => Self::GELU,
            (Activation::Gelu, true) => Self::GELU_BIAS,
        }
    }

    /// Whether a bias vector is read.
    #[must_use]
    pub const fn reads_bias(self) -> bool {
        matches!(
            self,
            Self::BIAS | Self::RELU_BIAS | Self::GELU_BIAS | Self::RELU_AUX_BIAS | Self::GELU_AUX_BIAS
        )
    }
}
