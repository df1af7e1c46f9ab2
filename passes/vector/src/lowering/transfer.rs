//! Transfers of adjacent elements in bounds, as loads and stores.

use dl_arith::Build;
use dl_ir::affine::AffineMap;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Context, OpDefinition, OpId, OpState, Rewriter, TypeRef};
use dl_vector::types::{extents, vector_type};
use dl_vector::{LoadOp, MaskedLoadOp, MaskedStoreOp, StoreOp, TransferReadOp, TransferWriteOp};

use crate::build::VectorBuild;
use crate::masking::masking;
use crate::transfer::{Direction, Transfer, in_bounds};

/// Adds the patterns, for vectors of at most `max_rank` dimensions where that is given.
pub fn transfers(max_rank: Option<usize>, patterns: &mut Patterns) {
    let max_rank = max_rank.unwrap_or(usize::MAX);
    let lower = move |op: OpId, rw: &mut Rewriter<'_>| lower(op, rw, max_rank);
    patterns.add_dynamic("vector-read-to-load", Some(TransferReadOp::NAME), 1, lower);
    patterns.add_dynamic("vector-write-to-store", Some(TransferWriteOp::NAME), 1, lower);
}

/// The dimensions that a map onto the last dimensions in order repeats instead. `None` where it is no such map.
pub(super) fn repeated_dims(cx: &Context, map: AffineMap) -> Option<Vec<usize>> {
    let affine = cx.affine();
    let data = affine.map(map);
    let skipped = (data.num_dims as usize).checked_sub(data.results.len())?;
    let mut repeated = Vec::new();
    for (i, &expr) in data.results.iter().enumerate() {
        match (affine.dim_position(expr), affine.constant_value(expr)) {
            (Some(dim), _) if dim as usize == skipped + i => {}
            (None, Some(0)) => repeated.push(i),
            _ => return None,
        }
    }
    Some(repeated)
}

/// Whether elements next to one another in the last dimension are so in memory.
pub(super) fn has_unit_stride(memref: TypeRef<'_>) -> bool {
    memref.is_ranked_memref()
        && memref.strided_layout().is_some_and(|layout| layout.strides.last().is_none_or(|&stride| stride == 1))
}

fn lower(op: OpId, rw: &mut Rewriter<'_>, max_rank: usize) -> Rewrite {
    let (view, cx) = (rw.op(op), rw.cx());
    if masking(view).is_some() {
        return Err(NoMatch("it is masked"));
    }
    let transfer = Transfer::of(view).ok_or(NoMatch("no transfer"))?;
    let (bounds, loc) = (in_bounds(view), view.loc());
    let (vector, base) = (transfer.vector_type(rw), rw.value_type(transfer.base));
    let rank = extents(vector).len();
    if rank > max_rank {
        return Err(NoMatch("several dimensions"));
    }
    let repeated = repeated_dims(cx, transfer.map).ok_or(NoMatch("no map onto the last dimensions"))?;
    if !has_unit_stride(base) {
        return Err(NoMatch("not of adjacent elements of a memref"));
    }
    if bounds.contains(&false) {
        return Err(NoMatch("it may be out of bounds"));
    }
    if transfer.mask.is_some() && rank != 1 {
        return Err(NoMatch("a mask of several dimensions"));
    }
    let element = base.element_type().ok_or(NoMatch("no elements"))?;
    match transfer.direction {
        Direction::Read { padding, .. } => {
            let mut shape = extents(vector).to_vec();
            let mut scalable = vector.scalable_dims().to_vec();
            for &dim in &repeated {
                shape[dim] = 1;
                if let Some(scalable) = scalable.get_mut(dim) {
                    *scalable = false;
                }
            }
            let own = vector_type(cx, &shape, &scalable, vector.element_or_self().id());
            if element != own && element != vector.element_or_self() {
                return Err(NoMatch("elements of another type"));
            }
            if transfer.mask.is_some() && !repeated.is_empty() {
                return Err(NoMatch("a mask of what is repeated"));
            }
            rw.set_insertion_before(op);
            let mut b = Build::new(rw, loc);
            let state = match transfer.mask {
                Some(mask) => {
                    let fill = b.broadcast(padding, own);
                    OpState::of::<MaskedLoadOp<'_>>(loc)
                        .operands([transfer.base])
                        .operands(transfer.indices.iter().copied())
                        .operands([mask, fill])
                }
                None => {
                    OpState::of::<LoadOp<'_>>(loc).operands([transfer.base]).operands(transfer.indices.iter().copied())
                }
            };
            let mut value = b.create_value(state.results([own]));
            if !repeated.is_empty() {
                value = b.broadcast(value, vector.id());
            }
            rw.replace(op, &[value]);
        }
        Direction::Write { vector: value, .. } => {
            if !repeated.is_empty() || element != vector && element != vector.element_or_self() {
                return Err(NoMatch("elements of another type"));
            }
            rw.set_insertion_before(op);
            let indices = transfer.indices.iter().copied();
            let state = match transfer.mask {
                Some(mask) => OpState::of::<MaskedStoreOp<'_>>(loc)
                    .operands([transfer.base])
                    .operands(indices)
                    .operands([mask, value]),
                None => OpState::of::<StoreOp<'_>>(loc).operands([value, transfer.base]).operands(indices),
            };
            rw.create(state);
            rw.erase(op);
        }
    }
    Ok(())
}
