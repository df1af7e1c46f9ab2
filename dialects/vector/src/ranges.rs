//! In which range the elements of results are.

use dl_ir::int_range::IntRange;
use dl_ir::interfaces::{InferIntRange, ResultRange};
use dl_ir::number::ApInt;
use dl_ir::{DialectBuilder, OpDefinition, OpRef};

use crate::{BroadcastOp, ExtractOp, InsertOp, ShapeCastOp, StepOp, TransposeOp};

pub(crate) fn register(b: &mut DialectBuilder) {
    attach::<BroadcastOp<'_>>(b, |_, of| of.first().cloned());
    attach::<ExtractOp<'_>>(b, |_, of| of.first().cloned());
    attach::<ShapeCastOp<'_>>(b, |_, of| of.first().cloned());
    attach::<TransposeOp<'_>>(b, |_, of| of.first().cloned());
    attach::<InsertOp<'_>>(b, |_, of| Some(of[0].union(&of[1])));
    attach::<StepOp<'_>>(b, |op, _| {
        let ty = op.result(0).ty();
        let (width, &[count]) = (IntRange::width_of(ty)?, ty.shape()?) else { return None };
        let last = u64::try_from(count).ok()?.checked_sub(1).filter(|_| !ty.is_scalable_vector())?;
        Some(IntRange::unsigned(ApInt::zero(width), ApInt::from_u64(width, last)))
    });
}

fn attach<T: OpDefinition>(b: &mut DialectBuilder, range: fn(OpRef<'_>, &[IntRange]) -> Option<IntRange>) {
    b.on::<T>().interface::<dyn InferIntRange>(Box::new(ResultRange(range)));
}
