//! The `quant` dialect: quantized types, and casts to and from them.
//!
//! `generated` holds the definitions of the operations, written by `cargo xtask ods` from MLIR's own. The types have none there:
//! [`types`] says what they are and how they are represented.

#![forbid(unsafe_code)]

mod bytecode;
mod conditions;
mod generated;
mod type_syntax;
pub mod types;
mod verify;

pub use generated::*;

use dl_ir::{Dialect, DialectBuilder};

/// The `quant` dialect.
pub struct Quant;

impl Dialect for Quant {
    fn namespace(&self) -> &'static str {
        "quant"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder
            .ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhere)
            .types(types::TYPES)
            .type_encodings(bytecode::ENCODINGS);
        type_syntax::register(builder);
        builder.on::<QuantizeCastOp<'_>>().verify(verify::verify_quantize);
        builder.on::<DequantizeCastOp<'_>>().verify(verify::verify_dequantize);
        builder.on::<StorageCastOp<'_>>().verify(verify::verify_storage);
    }
}
