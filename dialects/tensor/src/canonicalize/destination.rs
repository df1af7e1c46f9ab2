//! Operations in destination-passing style, of any dialect, on tensors that were cast to a less precise type.

use dl_ir::dialect::OpInfo;
use dl_ir::interfaces::{DestinationStyle, LoopLike, OffsetSizeStride, Relayout, tied_operand};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpId, OpState, Rewriter, Type, ValueId};
use smallvec::SmallVec;

use super::cast_source;
use crate::CastOp;

/// The operation computes on the tensors as they were before; its results are cast instead.
fn use_source_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let mut sources: SmallVec<[(usize, ValueId, Type); 4]> = SmallVec::new();
    for (i, operand) in view.operands().iter().enumerate() {
        sources.extend(cast_source(operand).map(|source| (i, source.id(), source.ty().id())));
    }
    if sources.is_empty() {
        return Err(NoMatch("no operand is a cast that only forgets"));
    }
    let mut results: SmallVec<[(ValueId, Type, Type); 2]> = SmallVec::new();
    for (i, result) in view.results().iter().enumerate() {
        let new = tied_operand(view, i).and_then(|operand| sources.iter().find(|(at, ..)| *at == operand));
        results.extend(new.map(|&(.., ty)| (result.id(), result.ty().id(), ty)));
    }
    let loc = view.loc();
    for &(i, source, _) in &sources {
        rw.set_operand(op, i, source);
    }
    for (result, old, new) in results {
        rw.set_value_type(result, new);
        rw.set_insertion_after(op);
        let back = rw.create(OpState::of::<CastOp<'_>>(loc).operands([result]).results([old]));
        let cast = rw.op(back).result(0).id();
        rw.replace_uses_if(result, cast, |user, _| user.id() != back);
    }
    Ok(())
}

/// Slices, loops and changes of layout must know more of the shapes of their operands and have patterns of their own.
fn is_wanted(op: &OpInfo) -> bool {
    op.interface::<dyn DestinationStyle>().is_some()
        && op.interface::<dyn OffsetSizeStride>().is_none()
        && op.interface::<dyn LoopLike>().is_none()
        && op.interface::<dyn Relayout>().is_none()
}

pub(super) fn destination(patterns: &mut Patterns) {
    patterns.add_fn_where("tensor-use-source-of-cast", is_wanted, use_source_of_cast);
}
