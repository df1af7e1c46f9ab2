//! Transfers of one dimension of elements that are not adjacent in memory: element by element.

use dl_arith::{Build, MulIOp};
use dl_ir::interfaces::Index;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, OpState, Rewriter, ValueId};
use dl_passes_vector::build::VectorBuild;
use dl_passes_vector::transfer::Direction;
use dl_vector::VectorScaleOp;
use dl_vector::types::extents;
use smallvec::SmallVec;

use super::Target;
use super::step::Step;
use crate::scf_build::ScfBuild;

pub(super) fn lower(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    if dl_vector::is_masked(rw.op(op)) {
        return Err(NoMatch("it is masked"));
    }
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let transfer = dl_passes_vector::transfer::Transfer::of(rw.op(op)).ok_or(NoMatch("no transfer"))?;
    let (vector, base) = (transfer.vector_type(rw), rw.value_type(transfer.base));
    let &[extent] = extents(vector) else { return Err(NoMatch("not one dimension")) };
    let unit = base.strided_layout().and_then(|layout| layout.strides.last().copied()).is_none_or(|stride| stride == 1);
    if !base.is_ranked_memref() || cx.affine().is_minor_identity(transfer.map) && unit {
        return Err(NoMatch("adjacent elements"));
    }
    if base.element_type() != Some(vector.element_or_self()) {
        return Err(NoMatch("elements of another type"));
    }
    let target = Target { rank: 0, tensors: false, unroll: false };
    // A scalable vector is no obstacle here: the loop counts what the machine has.
    let step = Step::of_one_dim(op, rw, target)?;
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let lower = b.constant_index(0);
    let mut upper = b.constant_index(extent);
    if vector.is_scalable_vector() {
        let scale = b.value::<VectorScaleOp<'_>>(&[], cx.index_type());
        upper = b.same::<MulIOp<'_>>(&[upper, scale]);
    }
    let bounds = [lower, upper, b.constant_index(1)];
    let element = |indices: SmallVec<[ValueId; 4]>| -> SmallVec<[ValueId; 4]> {
        std::iter::once(step.transfer.base).chain(indices).collect()
    };
    match step.transfer.direction {
        Direction::Read { padding, .. } => {
            let init = b.broadcast(padding, vector.id());
            let value = b.for_loop(bounds, Some(init), |b, at, state| {
                let before = state?;
                let indices = step.indices_at(b, at);
                let inside = |b: &mut Build<'_, '_>| {
                    let value = b.value::<dl_memref::LoadOp<'_>>(&element(indices), vector.element_or_self().id());
                    Some(b.with_part_at(value, before, &[Index::Value(at)]))
                };
                step.guarded(b, at, Some(vector.id()), inside, |_| Some(before))
            });
            let value = value.ok_or(NoMatch("a loop that hands on a value has a result"))?;
            rw.replace(op, &[value]);
        }
        Direction::Write { vector, .. } => {
            b.for_loop(bounds, None, |b, at, _| {
                let indices = step.indices_at(b, at);
                let inside = |b: &mut Build<'_, '_>| {
                    let value = b.part_at(vector, &[Index::Value(at)]);
                    let state = OpState::of::<dl_memref::StoreOp<'_>>(loc).operands([value]).operands(element(indices));
                    b.create(state);
                    None
                };
                step.guarded(b, at, None, inside, |_| None)
            });
            rw.erase(op);
        }
    }
    Ok(())
}
