//! Operations that read and write vectors.

use dl_arith::{AddIOp, Build};
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpId, OpState, Rewriter, ValueId};
use dl_vector::types::extents;
use dl_vector::{LoadOp, MaskedLoadOp, MaskedStoreOp, StoreOp, is_masked};

use super::Plan;
use super::tiles::{Whole, has_scalable, part};
use crate::transfer::{Direction, Transfer};

/// Adds the patterns.
pub(super) fn add(plan: &Plan, patterns: &mut Patterns) {
    patterns.add(UnrollTransfer(plan.clone())).add(UnrollAccess(plan.clone()));
}

/// `index + offset`.
fn plus(b: &mut Build<'_, '_>, index: ValueId, offset: i64) -> ValueId {
    if offset == 0 {
        return index;
    }
    let offset = b.constant_index(offset);
    b.same::<AddIOp<'_>>(&[index, offset])
}

/// `vector.transfer_read` and `vector.transfer_write`.
struct UnrollTransfer(Plan);

impl Pattern for UnrollTransfer {
    const NAME: &'static str = "vector-unroll-transfer";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let transfer = Transfer::of(view).ok_or(NoMatch("no transfer"))?;
        if is_masked(view) || has_scalable(view) {
            return Err(NoMatch("masked, or scalable"));
        }
        let vector = transfer.vector_type(rw);
        let element = vector.element_or_self();
        if rw.value_type(transfer.base).element_type() != Some(element) {
            return Err(NoMatch("elements that are vectors"));
        }
        let tiles = self.0.tiles(extents(vector), element, false)?;
        if cx.zero_attr(element.id()).is_none() {
            return Err(NoMatch("elements without zero"));
        }
        // The dimension of the base along which each dimension of the vector runs.
        let affine = cx.affine();
        let base_dims: Vec<Option<usize>> = affine
            .map(transfer.map)
            .results
            .iter()
            .map(|&dim| affine.dim_position(dim).map(|dim| dim as usize))
            .collect();
        // Masks have the dimensions of the vector that are not repeated, in the order of the base.
        let mut mask_dims: Vec<usize> = (0..base_dims.len()).filter(|&dim| base_dims[dim].is_some()).collect();
        mask_dims.sort_by_key(|&dim| base_dims[dim]);
        let bounds = view.attr("in_bounds").ok_or(NoMatch("no bounds"))?.id();
        let loc = view.loc();
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let (mut base, mut written) = (transfer.base, None);
        let mut read = match transfer.direction {
            Direction::Read { vector, .. } => Some(Whole::new(vector)),
            Direction::Write { .. } => None,
        };
        for at in tiles.offsets() {
            let mut indices = transfer.indices.clone();
            for (&dim, &offset) in base_dims.iter().zip(&at) {
                if let Some(dim) = dim {
                    indices[dim] = plus(&mut b, indices[dim], offset);
                }
            }
            let of_mask = |values: &[i64]| mask_dims.iter().map(|&dim| values[dim]).collect::<Vec<i64>>();
            let mask = transfer.mask.map(|mask| part(&mut b, mask, &of_mask(&at), &of_mask(&tiles.shape)));
            let direction = match transfer.direction {
                Direction::Read { padding, .. } => {
                    Direction::Read { vector: cx.vector_type(&tiles.shape, element.id()), padding }
                }
                Direction::Write { vector, result } => {
                    Direction::Write { vector: part(&mut b, vector, &at, &tiles.shape), result }
                }
            };
            let state = Transfer { base, indices, map: transfer.map, mask, direction }.state(cx, loc, bounds);
            match (&mut read, transfer.direction) {
                (Some(read), _) => {
                    let value = b.create_value(state);
                    read.put(&mut b, value, &at);
                }
                (None, Direction::Write { result: Some(_), .. }) => {
                    base = b.create_value(state);
                    written = Some(base);
                }
                (None, _) => {
                    b.create(state);
                }
            }
        }
        let results: Vec<ValueId> = read.map(Whole::value).transpose()?.into_iter().chain(written).collect();
        rw.replace(op, &results);
        Ok(())
    }
}

/// `vector.load`, `vector.store` and those under masks of their own.
struct UnrollAccess(Plan);

impl Pattern for UnrollAccess {
    const NAME: &'static str = "vector-unroll-access";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let reads = view.is::<LoadOp<'_>>() || view.is::<MaskedLoadOp<'_>>();
        if !reads && !view.is::<StoreOp<'_>>() && !view.is::<MaskedStoreOp<'_>>() {
            return Err(NoMatch("no access"));
        }
        let base = view.operands().iter().find(|operand| operand.ty().is_memref()).ok_or(NoMatch("no base"))?;
        let vector = if reads {
            view.result(0).ty()
        } else {
            let stored = view.operands().iter().rfind(|operand| operand.ty().is_vector());
            stored.ok_or(NoMatch("nothing to store"))?.ty()
        };
        let element = vector.element_or_self();
        if has_scalable(view) || base.ty().element_type() != Some(element) {
            return Err(NoMatch("scalable, or elements that are vectors"));
        }
        let tiles = self.0.tiles(extents(vector), element, false)?;
        if cx.zero_attr(element.id()).is_none() {
            return Err(NoMatch("elements without zero"));
        }
        let outer = base.ty().shape().map_or(0, <[i64]>::len).saturating_sub(tiles.shape.len());
        let (name, loc) = (view.name_id(), view.loc());
        let operands: Vec<ValueId> = view.operands().ids().to_vec();
        // What the whole vector is aligned to says nothing of its parts.
        let attrs: Vec<_> =
            view.attrs().filter(|(name, _)| cx.str(*name) != "alignment").map(|(n, value)| (n, value.id())).collect();
        let part_type = cx.vector_type(&tiles.shape, element.id());
        let whole_type = vector.id();
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let mut read = reads.then(|| Whole::new(whole_type));
        for at in tiles.offsets() {
            let mut index = 0;
            let mut taken = Vec::with_capacity(operands.len());
            for &operand in &operands {
                let ty = b.value_type(operand);
                taken.push(if ty.is_vector() {
                    part(&mut b, operand, &at, &tiles.shape)
                } else if ty.is_index() {
                    index += 1;
                    let offset = (index - 1_usize).checked_sub(outer).map_or(0, |dim| at[dim]);
                    plus(&mut b, operand, offset)
                } else {
                    operand
                });
            }
            let state = OpState::new(name, loc).operands(taken).attrs(attrs.iter().copied());
            if let Some(read) = &mut read {
                let value = b.create_value(state.results([part_type]));
                read.put(&mut b, value, &at);
            } else {
                b.create(state);
            }
        }
        let results: Vec<ValueId> = read.map(Whole::value).transpose()?.into_iter().collect();
        rw.replace(op, &results);
        Ok(())
    }
}
