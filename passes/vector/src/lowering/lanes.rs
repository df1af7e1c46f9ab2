//! Masked loads and stores, and gathers, lane by lane: each under a condition of its own.

use dl_arith::{AddIOp, Build, IndexCastOp};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter, Type, TypeRef, ValueId};
use dl_memref::{LoadOp as ScalarLoadOp, StoreOp as ScalarStoreOp};
use dl_scf::{IfOp, YieldOp};
use dl_vector::types::{extents, is_scalable};
use dl_vector::{GatherOp, LoadOp, MaskedLoadOp, MaskedStoreOp};

use crate::build::VectorBuild;
use crate::masking::masking;

/// Vectors of more lanes stay: each lane is a region of its own.
const MOST_LANES: i64 = 1024;

/// Adds the patterns for vectors of one dimension.
pub fn masked_lanes(patterns: &mut Patterns) {
    patterns
        .add_fn("vector-masked-load-of-lanes", Some(MaskedLoadOp::NAME), masked_load)
        .add_fn("vector-masked-store-of-lanes", Some(MaskedStoreOp::NAME), masked_store)
        .add_fn("vector-gather-of-lanes", Some(GatherOp::NAME), gather);
}

/// The number of lanes of a vector of one dimension.
fn lanes_of(ty: TypeRef<'_>) -> Result<i64, NoMatch> {
    match *extents(ty) {
        [lanes] if !is_scalable(ty, 0) && lanes <= MOST_LANES => Ok(lanes),
        _ => Err(NoMatch("no vector of a few lanes")),
    }
}

fn masked_load(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = MaskedLoadOp::wrap(rw.op(op));
    let (base, mut indices) = (view.base().id(), view.indices().ids().to_vec());
    let (mask, initial) = (view.mask().id(), view.pass_thru().id());
    let (ty, loc, alignment) = (view.result().ty(), view.0.loc(), view.alignment().map(|attr| attr.id()));
    let (lanes, element, vector) = (lanes_of(ty)?, ty.element_or_self().id(), ty.id());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let value = (0..lanes).fold(initial, |value, lane| {
        move_on(&mut b, &mut indices, lane);
        let condition = b.part(mask, &[lane]);
        let at = indices.iter().copied();
        choose(&mut b, condition, value, vector, |b| {
            let state = OpState::of::<ScalarLoadOp<'_>>(loc).operands([base]).operands(at);
            let state = state.results([element]).maybe_attr(b.cx(), "alignment", alignment);
            let loaded = b.create_value(state);
            b.with_part(loaded, value, &[lane])
        })
    });
    rw.replace(op, &[value]);
    Ok(())
}

fn masked_store(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = MaskedStoreOp::wrap(rw.op(op));
    let (base, mut indices) = (view.base().id(), view.indices().ids().to_vec());
    let (mask, stored) = (view.mask().id(), view.value_to_store().id());
    let (loc, alignment) = (view.0.loc(), view.alignment().map(|attr| attr.id()));
    let lanes = lanes_of(view.value_to_store().ty())?;
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    for lane in 0..lanes {
        move_on(&mut b, &mut indices, lane);
        let condition = b.part(mask, &[lane]);
        let at = indices.iter().copied();
        conditional(&mut b, condition, |b| {
            let part = b.part(stored, &[lane]);
            let state = OpState::of::<ScalarStoreOp<'_>>(loc).operands([part, base]).operands(at);
            let state = state.maybe_attr(b.cx(), "alignment", alignment);
            b.create(state);
        });
    }
    rw.erase(op);
    Ok(())
}

/// A buffer must have its last dimension in a row, unless there is one lane.
fn gather(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = GatherOp::wrap(rw.op(op));
    if masking(view.0).is_some() {
        return Err(NoMatch("it is masked"));
    }
    let (base, offsets) = (view.base().id(), view.offsets().ids().to_vec());
    let (lists, mask, initial) = (view.indices().id(), view.mask().id(), view.pass_thru().id());
    let (ty, loc, alignment) = (view.result().ty(), view.0.loc(), view.alignment().map(|attr| attr.id()));
    let (lanes, element, vector) = (lanes_of(ty)?, ty.element_or_self().id(), ty.id());
    let (base_type, list_type) = (view.base().ty(), view.indices().ty());
    let is_in_a_row = || base_type.strided_layout().is_some_and(|layout| layout.strides.last() == Some(&1));
    if base_type.is_memref() && lanes > 1 && !is_in_a_row() {
        return Err(NoMatch("elements are apart"));
    }
    let is_tensor = base_type.is_tensor();
    let index_lists = rw.cx().vector_type(&[lanes], rw.cx().index_type());
    let needs_cast = !list_type.element_or_self().is_index();
    let one_lane = rw.cx().vector_type(&[1], element);
    let Some((&last, outer)) = offsets.split_last() else { return Err(NoMatch("no index")) };
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let lists = if needs_cast { b.value::<IndexCastOp<'_>>(&[lists], index_lists) } else { lists };
    let value = (0..lanes).fold(initial, |value, lane| {
        let condition = b.part(mask, &[lane]);
        let distance = b.part(lists, &[lane]);
        let at = b.same::<AddIOp<'_>>(&[last, distance]);
        let indices = outer.iter().copied().chain([at]);
        choose(&mut b, condition, value, vector, |b| {
            let read = if is_tensor {
                let state = OpState::of::<dl_tensor::ExtractOp<'_>>(loc).operands([base]).operands(indices);
                b.create_value(state.results([element]))
            } else {
                let state = OpState::of::<LoadOp<'_>>(loc).operands([base]).operands(indices);
                let state = state.results([one_lane]).maybe_attr(b.cx(), "alignment", alignment);
                let loaded = b.create_value(state);
                b.part(loaded, &[0])
            };
            b.with_part(read, value, &[lane])
        })
    });
    rw.replace(op, &[value]);
    Ok(())
}

/// Moves the last index on to that of `lane` from that of the lane before.
fn move_on(b: &mut Build<'_, '_>, indices: &mut [ValueId], lane: i64) {
    if let Some(last) = indices.last_mut().filter(|_| lane > 0) {
        let one = b.constant_index(1);
        *last = b.same::<AddIOp<'_>>(&[*last, one]);
    }
}

/// What `make` makes where the condition holds, `otherwise` elsewhere.
fn choose(
    b: &mut Build<'_, '_>,
    condition: ValueId,
    otherwise: ValueId,
    ty: Type,
    make: impl FnOnce(&mut Build<'_, '_>) -> ValueId,
) -> ValueId {
    let loc = b.loc;
    let point = b.insertion_point();
    let [yes, no] = [b.new_region(), b.new_region()];
    let block = b.append_block(yes, &[]);
    b.set_insertion_to_end(block);
    let made = make(b);
    b.create(OpState::of::<YieldOp<'_>>(loc).operands([made]));
    let block = b.append_block(no, &[]);
    b.set_insertion_to_end(block);
    b.create(OpState::of::<YieldOp<'_>>(loc).operands([otherwise]));
    b.set_insertion_point(point);
    b.create_value(OpState::of::<IfOp<'_>>(loc).operands([condition]).results([ty]).region(yes).region(no))
}

/// What `make` makes, where the condition holds.
fn conditional(b: &mut Build<'_, '_>, condition: ValueId, make: impl FnOnce(&mut Build<'_, '_>)) {
    let loc = b.loc;
    let point = b.insertion_point();
    let [yes, no] = [b.new_region(), b.new_region()];
    let block = b.append_block(yes, &[]);
    b.set_insertion_to_end(block);
    make(b);
    b.create(OpState::of::<YieldOp<'_>>(loc));
    b.set_insertion_point(point);
    b.create(OpState::of::<IfOp<'_>>(loc).operands([condition]).region(yes).region(no));
}
