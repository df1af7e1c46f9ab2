//! What the operations mean when run.

mod nest;
mod relayout;
mod softmax;
mod winograd;

use dl_ir::DialectBuilder;
use dl_ir::interp::leave;

use crate::{
    BroadcastOp, ContractOp, ElementwiseOp, GenericOp, IndexOp, MapOp, NAMED, PackOp, ReduceOp, SoftmaxOp, TransposeOp,
    UnPackOp, WinogradFilterTransformOp, WinogradInputTransformOp, WinogradOutputTransformOp, YieldOp,
};

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    for op in NAMED {
        b.op(op.name).interpret(nest::run);
    }
    b.on::<GenericOp<'_>>().interpret(nest::run);
    b.on::<ContractOp<'_>>().interpret(nest::run);
    b.on::<ElementwiseOp<'_>>().interpret(nest::run);
    b.on::<MapOp<'_>>().interpret(nest::run);
    b.on::<ReduceOp<'_>>().interpret(nest::run);
    b.on::<TransposeOp<'_>>().interpret(nest::run);
    b.on::<BroadcastOp<'_>>().interpret(nest::run);
    b.on::<SoftmaxOp<'_>>().interpret(softmax::softmax);
    b.on::<IndexOp<'_>>().interpret(nest::index);
    b.on::<YieldOp<'_>>().interpret(leave);
    b.on::<PackOp<'_>>().interpret(relayout::pack);
    b.on::<UnPackOp<'_>>().interpret(relayout::unpack);
    b.on::<WinogradFilterTransformOp<'_>>().interpret(winograd::filter);
    b.on::<WinogradInputTransformOp<'_>>().interpret(winograd::input);
    b.on::<WinogradOutputTransformOp<'_>>().interpret(winograd::output);
}
