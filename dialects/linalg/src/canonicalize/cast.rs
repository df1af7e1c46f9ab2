//! Operations in destination-passing style on tensors that were cast to a less precise type.

use dl_ir::interfaces::{inits, tied_operand};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpId, OpState, Rewriter, Type, ValueId, ValueRef};
use smallvec::SmallVec;

/// What a `tensor.cast` casts, where its source knows at least as much as its result.
pub(super) fn cast_source(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let cast = value.defining_op().filter(|d| d.name() == "tensor.cast")?;
    let source = cast.operand(0);
    let (a, b) = (source.ty().shape()?, value.ty().shape()?);
    let knows = |(&a, &b): (&i64, &i64)| a == b || b == DYNAMIC;
    (source.ty().encoding() == value.ty().encoding() && a.len() == b.len() && a.iter().zip(b).all(knows))
        .then_some(source)
}

/// The operation computes on the tensors as they were before; its results are cast instead.
fn use_source_of_tensor_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if inits(view).is_none() || view.info().interface::<dyn crate::LinalgStructured>().is_none() {
        return Err(NoMatch("no loop nest"));
    }
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
        let back = rw.create(OpState::named("tensor.cast", loc).operands([result]).results([old]));
        let cast = rw.op(back).result(0).id();
        rw.replace_uses_if(result, cast, |user, _| user.id() != back);
    }
    Ok(())
}

pub(super) fn cast(patterns: &mut Patterns) {
    patterns.add_fn_where("linalg-use-source-of-tensor-cast", super::is_structured, use_source_of_tensor_cast);
}
