//! Transfers of the parts of a vector in loops: the vector lies in a buffer, whose type is that of the parts at each depth.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Context, OpId, OpState, Rewriter, Trait, Type, TypeRef, ValueId};
use dl_memref::{AllocaOp, LoadOp, StoreOp};
use dl_passes_vector::build::{VectorBuild, without_leading};
use dl_passes_vector::transfer::Direction;
use dl_vector::TypeCastOp;
use dl_vector::types::{extents, is_scalable};
use smallvec::SmallVec;

use super::Target;
use super::step::Step;
use crate::scf_build::ScfBuild;

/// Memory that holds a vector, and where in it.
#[derive(Clone)]
struct Place {
    buffer: ValueId,
    indices: SmallVec<[ValueId; 4]>,
}

impl Place {
    fn of(buffer: ValueId) -> Self {
        Self { buffer, indices: SmallVec::new() }
    }

    /// The same memory with one more dimension and vectors with one less.
    fn unpacked(&self, b: &mut Build<'_, '_>) -> Self {
        let ty = unpacked(b.value_type(self.buffer));
        Self { buffer: b.value::<TypeCastOp<'_>>(&[self.buffer], ty), indices: self.indices.clone() }
    }

    fn at(&self, index: ValueId) -> Self {
        let mut place = self.clone();
        place.indices.push(index);
        place
    }

    fn load(&self, b: &mut Build<'_, '_>) -> ValueId {
        let ty = b.value_type(self.buffer).element_or_self().id();
        let operands: SmallVec<[ValueId; 4]> =
            std::iter::once(self.buffer).chain(self.indices.iter().copied()).collect();
        b.value::<LoadOp<'_>>(&operands, ty)
    }

    fn store(&self, b: &mut Build<'_, '_>, value: ValueId) {
        let state = OpState::of::<StoreOp<'_>>(b.loc).operands([value, self.buffer]);
        b.create(state.operands(self.indices.iter().copied()));
    }
}

/// `memref<4xvector<5x6xf32>>` becomes `memref<4x5xvector<6xf32>>`.
fn unpacked(ty: TypeRef<'_>) -> Type {
    let vector = ty.element_or_self();
    let mut shape = ty.shape().unwrap_or(&[]).to_vec();
    shape.extend(extents(vector).first());
    ty.cx().memref_type(&shape, without_leading(vector, 1))
}

/// A buffer for one vector of each of these types at the start of what frees them.
fn allocate(rw: &mut Rewriter<'_>, op: OpId, types: &[Type]) -> Result<SmallVec<[ValueId; 2]>, NoMatch> {
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let mut scope = rw.op(op).parent();
    while let Some(parent) = scope.filter(|parent| !parent.has_trait(&Trait::AutomaticAllocationScope)) {
        scope = parent.parent();
    }
    let scope = scope.filter(|scope| scope.num_regions() == 1).ok_or(NoMatch("nothing frees what is allocated"))?;
    let block = scope.region(0).entry().ok_or(NoMatch("nothing frees what is allocated"))?.id();
    let point = rw.insertion_point();
    rw.set_insertion_to_start(block);
    let buffer =
        |ty: &Type| OpState::of::<AllocaOp<'_>>(loc).operand_segments(cx, &[0, 0]).results([cx.memref_type(&[], *ty)]);
    let buffers = types.iter().map(|ty| rw.create_value(buffer(ty))).collect();
    rw.set_insertion_point(point);
    Ok(buffers)
}

/// Whether every dimension that is taken apart is of a known extent.
fn check(cx: &Context, ty: Type, rank: usize) -> Result<(), NoMatch> {
    let view = cx.ty(ty);
    let outer = extents(view).len().saturating_sub(rank);
    if (0..outer).any(|i| is_scalable(view, i)) {
        return Err(NoMatch("a dimension that is taken apart is scalable"));
    }
    Ok(())
}

pub(super) fn lower(op: OpId, rw: &mut Rewriter<'_>, target: Target) -> Rewrite {
    let mut step = Step::of(op, rw, target)?;
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let vector = step.transfer.vector_type(rw).id();
    check(cx, vector, target.rank)?;
    rw.set_insertion_before(op);
    let types: Vec<Type> = std::iter::once(vector).chain(step.mask.map(|mask| rw.ir().value_type(mask))).collect();
    let buffers = allocate(rw, op, &types)?;
    let buffer = Place::of(buffers[0]);
    let mut masks = None;
    if let (Some(mask), Some(&place)) = (step.mask, buffers.get(1)) {
        let place = Place::of(place);
        let mut b = Build::new(rw, loc);
        place.store(&mut b, mask);
        step.mask = Some(place.load(&mut b));
        masks = Some(place);
    }
    let mut b = Build::new(rw, loc);
    match step.transfer.direction {
        Direction::Read { .. } => {
            unpack(&mut b, &step, &buffer, masks.as_ref(), target.rank);
            let value = buffer.load(&mut b);
            rw.replace(op, &[value]);
        }
        Direction::Write { vector, .. } => {
            buffer.store(&mut b, vector);
            match unpack(&mut b, &step, &buffer, masks.as_ref(), target.rank) {
                Some(tensor) => rw.replace(op, &[tensor]),
                None => rw.erase(op),
            }
        }
    }
    Ok(())
}

/// Makes the loop over the leading dimension of what lies at `data`. Answers the tensor that results from a write to one.
fn unpack(b: &mut Build<'_, '_>, step: &Step, data: &Place, masks: Option<&Place>, rank: usize) -> Option<ValueId> {
    let cx = b.cx();
    let vector = b.value_type(data.buffer).element_or_self();
    let (extent, inner_type) = (extents(vector)[0], without_leading(vector, 1));
    let data = data.unpacked(b);
    let repeated = step.dim(b).is_none();
    let one_dim = step.mask.is_some_and(|mask| extents(b.value_type(mask)).len() == 1);
    let masks = masks.map(|masks| if repeated || one_dim { masks.clone() } else { masks.unpacked(b) });
    let bounds = [0, extent, 1].map(|bound| b.constant_index(bound));
    let result = match step.transfer.direction {
        Direction::Read { .. } => None,
        Direction::Write { result, .. } => result,
    };
    let init = result.map(|_| step.transfer.base);
    b.for_loop(bounds, init, |b, at, state| {
        let place = data.at(at);
        let base = state.unwrap_or(step.transfer.base);
        let inside = |b: &mut Build<'_, '_>| {
            let indices = step.indices_at(b, at);
            let deeper = extents(cx.ty(inner_type)).len() > rank;
            let direction = match step.transfer.direction {
                Direction::Read { padding, .. } => Direction::Read { vector: inner_type, padding },
                Direction::Write { vector, result } => {
                    Direction::Write { vector: if deeper { vector } else { place.load(b) }, result }
                }
            };
            let mut inner = step.inner(b, indices, direction);
            inner.transfer.base = base;
            let masks = masks.as_ref().map(|masks| if repeated { masks.clone() } else { masks.at(at) });
            let masks = masks.filter(|_| repeated || !one_dim);
            inner.mask = masks.as_ref().map(|masks| masks.load(b));
            if deeper {
                return unpack(b, &inner, &place, masks.as_ref(), rank);
            }
            let value = inner.make(b);
            if matches!(step.transfer.direction, Direction::Read { .. }) {
                place.store(b, value?);
                return None;
            }
            value
        };
        let outside = |b: &mut Build<'_, '_>| {
            if let Direction::Read { padding, .. } = step.transfer.direction {
                let padding = b.broadcast(padding, inner_type);
                place.store(b, padding);
            }
            state
        };
        step.guarded(b, at, result, inside, outside)
    })
}
