//! The `accelerator` dialect: programs for machines with memories of their own.
//!
//! A [`LaunchOp`] runs a program on the machine that its [`target`] describes: tensors go in and tensors come out, so around it nothing is
//! different from any other computation. Inside, each [`CoreOp`] lists what a core does: transfers between memories, products of tiles,
//! functions of vectors. All of them are asynchronous. Each gives a token, which is signalled when it is complete, and takes those that it
//! waits for. Loops, index arithmetic and views of buffers are those of `scf`, `arith`, `affine` and `memref`.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from `ods/Accelerator.td`. [`encode`] makes the instructions of a launch;
//! what a launch means when run is what `dl_simulator` makes of these.

#![forbid(unsafe_code)]

mod canonicalize;
pub mod encode;
mod generated;
mod interpret;
pub mod target;
pub mod types;
mod verify;

pub use generated::*;

use dl_ir::{Dialect, DialectBuilder};

/// The `accelerator` dialect.
pub struct Accelerator;

impl Dialect for Accelerator {
    fn namespace(&self) -> &'static str {
        "accelerator"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS).types(TYPES).attrs(ATTRS).enums(ENUMS).alias_name(target::alias_name);
        b.on::<LaunchOp<'_>>()
            .verify(verify::launch)
            .verify_in_place(verify::body::verify)
            .interpret(interpret::launch);
        b.on::<DmaStartOp<'_>>().verify(verify::dma_start).canonicalize(|patterns| {
            canonicalize::tokens::<DmaStartOp<'_>>(patterns);
            canonicalize::transfers(patterns);
        });
        b.on::<WaitOp<'_>>().canonicalize(|patterns| {
            canonicalize::tokens::<WaitOp<'_>>(patterns);
            canonicalize::waits(patterns);
        });
        b.on::<MatmulTileOp<'_>>().verify(verify::matmul_tile).canonicalize(canonicalize::tokens::<MatmulTileOp<'_>>);
        b.on::<BinaryOp<'_>>().verify(verify::binary).canonicalize(canonicalize::tokens::<BinaryOp<'_>>);
        b.on::<UnaryOp<'_>>().verify(verify::unary).canonicalize(canonicalize::tokens::<UnaryOp<'_>>);
        b.on::<ReduceOp<'_>>().verify(verify::reduce).canonicalize(canonicalize::tokens::<ReduceOp<'_>>);
        b.on::<PoolOp<'_>>().verify(verify::pool).canonicalize(canonicalize::tokens::<PoolOp<'_>>);
        b.on::<RequantizeOp<'_>>().verify(verify::scaling).canonicalize(canonicalize::tokens::<RequantizeOp<'_>>);
        b.on::<DequantizeOp<'_>>().verify(verify::scaling).canonicalize(canonicalize::tokens::<DequantizeOp<'_>>);
    }
}
