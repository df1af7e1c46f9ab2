//! The messages of an ONNX model, written from `proto/onnx.proto`.

#![allow(missing_docs, unreachable_pub, dead_code, clippy::all, clippy::pedantic, reason = "generated code")]

include!("onnx.rs");
