//! What computes the operands of tiles, tile by tile inside the loops.

use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, Part, Tiling, has_pure_tensor_semantics, inits, tied_operand};
use dl_ir::opdef::Effects;
use dl_ir::{Mapping, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef, clone_op};
use dl_scf::{ForOp, ForallOp};
use dl_tensor::{CastOp, ExtractSliceOp, extract_slice_state};

use super::loops::Tiled;

/// Computes what the tiles of `tiled` read inside the loops, as far as `worth_it` says so, and what these tiles read in turn. It is told the producer
/// and whether several tiles read the same of it, which is then computed for each. Producers that nothing else uses are erased. Answers how many
/// were fused.
///
/// A producer of the inits is fused only where each element is in exactly one tile: others find there what tiles before have computed.
pub fn fuse_producers(rw: &mut Rewriter<'_>, tiled: &Tiled, worth_it: impl Fn(OpRef<'_>, bool) -> bool) -> usize {
    let mut work: Vec<OpId> = slices_read(rw.op(tiled.op));
    let mut fused = 0;
    while let Some(slice) = work.pop() {
        if !rw.ir().is_live(slice) {
            continue;
        }
        let Some(producer) = producer_of(rw.op(slice), tiled) else { continue };
        if !worth_it(rw.op(producer.op), is_read_again(rw.op(slice), tiled)) {
            continue;
        }
        if let Some(tile) = fuse(rw, slice, &producer, tiled) {
            fused += 1;
            work.extend(slices_read(rw.op(tile)));
        }
    }
    fused
}

/// Computes inside of the loop `containing` what the first operation there uses of `producer`: the tile of a slice of it, or all of it where no slice is
/// taken. Answers the operation that computes it; `None` where nothing there uses it, or it has no such tile.
pub fn fuse_into(rw: &mut Rewriter<'_>, producer: OpId, containing: OpId) -> Option<OpId> {
    let is_loop = |op: OpRef<'_>| op.is::<ForallOp<'_>>() || op.is::<ForOp<'_>>();
    let inside = dl_ir::walk::ops_in_arena(rw.ir(), containing);
    let tiled = Tiled {
        op: containing,
        loops: inside.iter().copied().filter(|&op| is_loop(rw.op(op))).collect(),
        variables: Vec::new(),
        results: Vec::new(),
        disjoint: rw.op(containing).is::<ForallOp<'_>>(),
        slice_all: true,
    };
    if is_loop(rw.op(containing)) {
        for &slice in inside.iter().filter(|&&op| rw.op(op).is::<ExtractSliceOp<'_>>()).collect::<Vec<_>>() {
            let Some(found) = producer_of(rw.op(slice), &tiled).filter(|found| found.op == producer) else { continue };
            if let Some(tile) = fuse(rw, slice, &found, &tiled) {
                return Some(tile);
            }
        }
    }
    let uses = |op: OpId| rw.op(op).operands().iter().position(|v| v.defining_op().is_some_and(|d| d.id() == producer));
    let (user, operand) = inside.iter().skip(1).find_map(|&op| Some((op, uses(op)?)))?;
    let result = rw.op(user).operand(operand).index();
    rw.set_insertion_before(user);
    let copy = clone_op(rw, producer, &mut Mapping::new());
    let (old, new) = (rw.op(user).operand(operand).id(), rw.ir().result(copy, result));
    rw.replace_uses_if(old, new, |op, _| op.id() == user);
    Some(copy)
}

/// The slices that are operands of `op`.
fn slices_read(op: OpRef<'_>) -> Vec<OpId> {
    let mut slices: Vec<OpId> = op
        .operands()
        .iter()
        .filter_map(|operand| operand.def::<ExtractSliceOp<'_>>())
        .map(|slice| slice.0.id())
        .collect();
    slices.dedup();
    slices
}

/// Whether different tiles may read the same slice: some loop does not decide where it is.
fn is_read_again(slice: OpRef<'_>, tiled: &Tiled) -> bool {
    let offsets = Slice::of(slice).map(|slice| slice.offsets).unwrap_or_default();
    !tiled.variables.iter().all(|&variable| offsets.contains(&Index::Value(variable)))
}

/// What computes the source of a slice.
struct Producer {
    op: OpId,
    result: usize,
    /// Operand of the outermost loop by which its result enters the loops, and the operand of the producer that can enter in its place.
    through: Option<(usize, usize)>,
}

fn producer_of(slice: OpRef<'_>, tiled: &Tiled) -> Option<Producer> {
    let source = slice.operand(0);
    let (value, through) = if source.defining_op().is_some() {
        (source, None)
    } else {
        let (init, operand) = init_of(source, tiled)?;
        (init, Some(operand))
    };
    let op = value.defining_op()?;
    // What is in the loops already depends on them.
    let outermost = *tiled.loops.first()?;
    if OpRef::new(slice.cx(), slice.arena(), outermost).is_ancestor_of(op.id()) || op.num_results() == 0 {
        return None;
    }
    op.interface::<dyn Tiling>()?;
    if !has_pure_tensor_semantics(op) || has_effects(op) {
        return None;
    }
    let through = match through {
        Some(operand) if tiled.disjoint => Some((operand, tied_operand(op, value.index())?)),
        Some(_) => return None,
        None => None,
    };
    Some(Producer { op: op.id(), result: value.index(), through })
}

/// Whether computing `op` again, or not at all, can be seen.
fn has_effects(op: OpRef<'_>) -> bool {
    dl_ir::effects::effects_of(op).is_none_or(|effects| effects != Effects::NONE)
}

/// What enters the loops as the argument `value`, with the number of the operand of the outermost loop.
fn init_of<'a>(value: ValueRef<'a>, tiled: &Tiled) -> Option<(ValueRef<'a>, usize)> {
    let mut value = value;
    loop {
        let block = value.owner_block()?;
        let each = block.parent_op().filter(|each| tiled.loops.contains(&each.id()))?;
        let operand = if let Some(forall) = each.cast::<ForallOp<'_>>() {
            let outputs = forall.outputs();
            outputs.start() + value.index().checked_sub(block.num_args() - outputs.len())?
        } else {
            // The first argument is the induction variable; three operands are bounds.
            value.index().checked_sub(1)? + 3
        };
        value = each.operands().get(operand)?;
        if Some(&each.id()) == tiled.loops.first() {
            return Some((value, operand));
        }
    }
}

/// Replaces `slice` by the tile of the producer that computes it. Answers that tile.
fn fuse(rw: &mut Rewriter<'_>, slice: OpId, producer: &Producer, tiled: &Tiled) -> Option<OpId> {
    let view = rw.op(slice);
    let (part, ty, loc) = (Slice::of(view)?, view.result(0).ty(), view.loc());
    let source = view.operand(0);
    let shape = source.ty().shape()?.to_vec();
    if !part.has_unit_strides() {
        return None;
    }
    let drops_dims = ty.rank() != Some(shape.len());
    let whole = |dim: usize| {
        !tiled.slice_all && part.offsets[dim] == Index::Static(0) && part.sizes[dim] == Index::Static(shape[dim])
    };
    let dims: Vec<Part> = (0..shape.len())
        .map(|dim| if whole(dim) { None } else { Some((part.offsets[dim], part.sizes[dim])) })
        .collect();
    let (ty, source) = (ty.id(), source.id());
    let op = rw.op(producer.op);
    let tiling = rw.cx().op_info(op.name_id()).interface::<dyn Tiling>()?;
    let mut parts = tiling.parts_for_result(op, producer.result, &dims)?;
    let marks: Vec<bool> = parts.iter().map(Option::is_some).collect();
    if !tiling.can_tile(op, &marks) {
        return None;
    }
    let mut outs: Vec<ValueId> = inits(op)?.ids().to_vec();
    let first_out = inits(op)?.start();
    if let Some((operand, own)) = producer.through {
        // The producer's own init enters the loops, and each tile of it is overwritten there.
        let own_value = outs[own - first_out];
        let outermost = *tiled.loops.first()?;
        rw.set_operand(outermost, operand, own_value);
        outs[own - first_out] = source;
    }
    rw.set_insertion_before(slice);
    if tiled.slice_all && parts.contains(&None) {
        let extents = tiling.extents(rw, producer.op)?;
        parts.iter_mut().zip(extents).for_each(|(part, extent)| *part = part.or(Some((Index::Static(0), extent))));
    }
    let tile = tiling.tile(rw, producer.op, &parts, &outs)?;
    let mut value = rw.ir().result(tile, producer.result);
    if drops_dims {
        let all = |index| part.sizes.iter().map(|_| Index::Static(index)).collect();
        let whole = Slice { offsets: all(0), sizes: part.sizes.clone(), strides: all(1) };
        rw.set_insertion_after(tile);
        let state = extract_slice_state(rw, value, &whole, ty, loc);
        value = rw.create_value(state);
    } else if rw.value_type(value).id() != ty {
        rw.set_insertion_after(tile);
        value = rw.create_value(OpState::of::<CastOp<'_>>(loc).operands([value]).results([ty]));
    }
    rw.replace(slice, &[value]);
    if rw.op(producer.op).is_trivially_dead() {
        rw.erase(producer.op);
    }
    Some(tile)
}
