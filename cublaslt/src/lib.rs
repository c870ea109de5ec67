//! Safe cuBLASLt.
