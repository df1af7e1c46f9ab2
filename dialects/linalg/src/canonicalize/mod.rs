//! Canonicalization patterns.

mod broadcast;
mod cast;
mod fill;
mod nest;
mod pad;
mod relayout;
mod transpose;

pub(crate) use broadcast::broadcast;
pub use fill::add_fill_patterns;
pub(crate) use relayout::{fold_pack, fold_unpack, pack, unpack};
pub(crate) use transpose::transpose;

use dl_ir::dialect::OpInfo;
use dl_ir::interfaces::{DestinationStyle, inits};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, Rewriter, ValueId};
use smallvec::{SmallVec, smallvec};

use crate::structured::LinalgOp;
use crate::{BroadcastOp, LinalgStructured, MapOp, ReduceOp, TransposeOp};

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

/// Whether a loop nest is valid with operands of these shapes. Dimensions that are no single loop are not looked at.
fn extents_agree(nest: LinalgOp<'_>, shapes: &[&[i64]]) -> bool {
    let affine = nest.op().cx().affine();
    // Their verifiers tell extents that are not known from those that are.
    let exact = matches!(nest.op().name(), MapOp::NAME | ReduceOp::NAME | TransposeOp::NAME | BroadcastOp::NAME);
    let mut extents: SmallVec<[Option<i64>; 8]> = smallvec![None; nest.num_loops()];
    for (map, shape) in nest.indexing_maps().into_iter().zip(shapes) {
        for (&result, &extent) in affine.map(map).results.iter().zip(*shape) {
            let Some(place) = affine.dim_position(result) else { continue };
            if (exact || extent != DYNAMIC) && *extents[place as usize].get_or_insert(extent) != extent {
                return false;
            }
        }
    }
    true
}

/// A buffer that was cast to a less precise type is used as it was, where the operands then still agree.
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
    if let Some(nest) = LinalgOp::of(view).filter(|_| !sources.is_empty()) {
        let shape = |value: ValueId| rw.value_type(value).shape().unwrap_or(&[]);
        let mut shapes: SmallVec<[&[i64]; 4]> = view.operands().iter().map(|v| shape(v.id())).collect();
        let before = shapes.clone();
        sources.iter().for_each(|&(i, source)| shapes[i] = shape(source));
        if !extents_agree(nest, &shapes) {
            sources.retain(|&mut (i, source)| shape(source) == before[i]);
        }
    }
    if sources.is_empty() {
        return Err(NoMatch("no operand is a cast that can be left out"));
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
    nest::nests(patterns);
    structured(patterns);
    fill::add_fill_patterns(patterns);
}
