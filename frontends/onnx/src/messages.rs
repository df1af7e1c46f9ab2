//! The messages of an ONNX model, which `proto/onnx.proto` defines.

#![allow(missing_docs, unreachable_pub, dead_code, clippy::all, clippy::pedantic, reason = "generated code")]

include!("generated/onnx.rs");
