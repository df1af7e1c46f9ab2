//! Canonicalization patterns.

mod cast;
mod fill;
mod transpose;

pub(crate) use transpose::transpose;

use dl_ir::dialect::OpInfo;
use dl_ir::interfaces::{DestinationStyle, has_pure_tensor_semantics, inits};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, Rewriter, ValueId};
use smallvec::SmallVec;

use crate::structured::LinalgOp;
use crate::{GenericOp, LinalgStructured};

/// A copy of buffers of which none has an element does nothing.
fn erase_without_elements(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if LinalgOp::of(view).is_none() || view.num_results() != 0 {
        return Err(NoMatch("not a loop nest on buffers"));
    }
    let empty = |ty: dl_ir::TypeRef<'_>| ty.is_ranked_memref() && ty.shape().is_some_and(|shape| shape.contains(&0));
    if !view.operands().iter().any(|v| empty(v.ty())) {
        return Err(NoMatch("every operand may have an element"));
    }
    rw.erase(op);
    Ok(())
}

/// A generic operation on tensors that hands its inputs over unchanged, by identity maps, is those inputs.
fn erase_identity(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let affine = rw.cx().affine();
    let maps = nest.indexing_maps();
    if !has_pure_tensor_semantics(view) || maps.iter().any(|&map| !affine.is_identity(map)) {
        return Err(NoMatch("not on tensors by identity maps"));
    }
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let last = body.last_op().ok_or(NoMatch("no terminator"))?;
    if body.first_op() != Some(last) {
        return Err(NoMatch("the body computes something"));
    }
    let mut values: SmallVec<[ValueId; 4]> = SmallVec::new();
    for (value, result) in last.operands().iter().zip(view.results().iter()) {
        let argument = value.owner_block() == Some(body);
        let source = if argument { view.operands().get(value.index()) } else { None };
        let source = source.filter(|source| source.ty() == result.ty());
        values.push(source.ok_or(NoMatch("a result is no operand of its type"))?.id());
    }
    rw.replace(op, &values);
    Ok(())
}

/// A buffer that was cast to a less precise type is used as it was.
fn use_source_of_memref_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if inits(view).is_none() {
        return Err(NoMatch("not in destination-passing style"));
    }
    let mut sources: SmallVec<[(usize, ValueId); 4]> = SmallVec::new();
    for (i, operand) in view.operands().iter().enumerate() {
        let cast = operand.defining_op().filter(|d| d.name() == "memref.cast");
        let source = cast.map(|cast| cast.operand(0)).filter(|source| source.ty().is_ranked_memref());
        sources.extend(source.map(|source| (i, source.id())));
    }
    if sources.is_empty() {
        return Err(NoMatch("no operand is a cast"));
    }
    for (i, source) in sources {
        rw.set_operand(op, i, source);
    }
    Ok(())
}

pub(super) fn is_structured(info: &OpInfo) -> bool {
    info.interface::<dyn LinalgStructured>().is_some()
}

fn has_destination(info: &OpInfo) -> bool {
    info.interface::<dyn DestinationStyle>().is_some()
}

/// Patterns for every loop nest of the dialect, whatever its name.
fn structured(patterns: &mut Patterns) {
    patterns.add_fn_where("linalg-erase-without-elements", is_structured, erase_without_elements).add_fn_where(
        "linalg-use-source-of-memref-cast",
        has_destination,
        use_source_of_memref_cast,
    );
}

/// The patterns of `generic`, and those that look at every loop nest: they are added once, with it.
pub(crate) fn generic(patterns: &mut Patterns) {
    patterns.add_fn("linalg-erase-identity", Some(GenericOp::NAME), erase_identity);
    structured(patterns);
    cast::cast(patterns);
    fill::fill(patterns);
}
