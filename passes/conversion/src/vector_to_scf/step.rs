//! One step of taking a transfer apart: along the leading dimension of the vector.

use dl_arith::{AndIOp, Build, CmpIPredicate};
use dl_ir::interfaces::Index;
use dl_ir::rewrite::NoMatch;
use dl_ir::{OpId, Rewriter, Type, ValueId};
use dl_passes_vector::build::VectorBuild;
use dl_passes_vector::transfer::{Direction, Transfer, dim_of, in_bounds};
use dl_vector::types::{extents, is_scalable};
use smallvec::SmallVec;

use super::Target;
use crate::scf_build::ScfBuild;

/// A transfer, and what is known of its bounds.
#[derive(Clone)]
pub(super) struct Step {
    /// The operation that all began with, at which affine operands are judged.
    pub(super) anchor: OpId,
    pub(super) transfer: Transfer,
    pub(super) bounds: SmallVec<[bool; 4]>,
    /// The mask as a value: `transfer` has none.
    pub(super) mask: Option<ValueId>,
}

impl Step {
    /// Of a transfer whose leading dimension is to be taken apart.
    pub(super) fn of(op: OpId, rw: &Rewriter<'_>, target: Target) -> Result<Self, NoMatch> {
        let view = rw.op(op);
        let transfer = Transfer::of(view).ok_or(NoMatch("no transfer"))?;
        let vector = transfer.vector_type(rw);
        if extents(vector).len() <= target.rank {
            return Err(NoMatch("few enough dimensions"));
        }
        if is_scalable(vector, 0) {
            return Err(NoMatch("the leading dimension is scalable"));
        }
        Self::checked(op, rw, target)
    }

    /// The same for a loop over elements, as many as the machine has.
    pub(super) fn of_one_dim(op: OpId, rw: &Rewriter<'_>, target: Target) -> Result<Self, NoMatch> {
        Self::checked(op, rw, target)
    }

    fn checked(op: OpId, rw: &Rewriter<'_>, target: Target) -> Result<Self, NoMatch> {
        let view = rw.op(op);
        let transfer = Transfer::of(view).ok_or(NoMatch("no transfer"))?;
        let (vector, base) = (transfer.vector_type(rw), rw.value_type(transfer.base));
        if base.is_tensor() && !target.tensors {
            return Err(NoMatch("transfers of tensors stay"));
        }
        if base.element_type() != Some(vector.element_or_self()) {
            return Err(NoMatch("elements of another type"));
        }
        if rw.cx().affine().map(transfer.map).results.iter().any(|&expr| {
            let affine = rw.cx().affine();
            affine.dim_position(expr).is_none() && affine.constant_value(expr) != Some(0)
        }) {
            return Err(NoMatch("a map that is no permutation"));
        }
        let mask = transfer.mask;
        Ok(Self { anchor: op, bounds: in_bounds(view), mask, transfer: Transfer { mask: None, ..transfer } })
    }

    /// The dimension of the base that the leading one of the vector is; `None` for one that is repeated.
    pub(super) fn dim(&self, rw: &Rewriter<'_>) -> Option<usize> {
        let affine = rw.cx().affine();
        let &first = affine.map(self.transfer.map).results.first()?;
        affine.dim_position(first).map(|dim| dim as usize)
    }

    /// The index along dimension `dim` of the base at `at`.
    fn index_at(&self, b: &mut Build<'_, '_>, dim: usize, at: ValueId) -> ValueId {
        let (base, loc) = (self.transfer.indices[dim], b.loc);
        let sum = dl_affine::apply::sum(b, self.anchor, Index::Value(base), Index::Value(at), loc);
        match sum {
            Some(Index::Value(value)) => value,
            Some(Index::Static(value)) => b.constant_index(value),
            // A constant that overflows is computed as it is when running.
            None => b.same::<dl_arith::AddIOp<'_>>(&[base, at]),
        }
    }

    /// The indices at `at` along the leading dimension.
    pub(super) fn indices_at(&self, b: &mut Build<'_, '_>, at: ValueId) -> SmallVec<[ValueId; 4]> {
        let mut indices = self.transfer.indices.clone();
        if let Some(dim) = self.dim(b) {
            indices[dim] = self.index_at(b, dim, at);
        }
        indices
    }

    /// Whether a mask of one dimension is decided on by now.
    pub(super) fn decides_mask(&self, rw: &Rewriter<'_>) -> bool {
        let one_dim = self.mask.is_some_and(|mask| extents(rw.value_type(mask)).len() == 1);
        one_dim && self.dim(rw).is_some()
    }

    /// Makes what `inside` makes where the transfer is in bounds and not masked off at `at`, else what `outside` makes.
    pub(super) fn guarded(
        &self,
        b: &mut Build<'_, '_>,
        at: ValueId,
        ty: Option<Type>,
        inside: impl FnOnce(&mut Build<'_, '_>) -> Option<ValueId>,
        outside: impl FnOnce(&mut Build<'_, '_>) -> Option<ValueId>,
    ) -> Option<ValueId> {
        let mut condition = None;
        if let Some(dim) = self.dim(b).filter(|_| self.bounds.first() == Some(&false)) {
            let extent = dim_of(b, self.transfer.base, dim);
            let index = self.index_at(b, dim, at);
            condition = Some(b.compare(CmpIPredicate::Sgt, extent, index));
        }
        if let Some(mask) = self.mask.filter(|_| self.decides_mask(b)) {
            let on = b.part_at(mask, &[Index::Value(at)]);
            condition = Some(match condition {
                Some(condition) => b.same::<AndIOp<'_>>(&[condition, on]),
                None => on,
            });
        }
        match condition {
            Some(condition) => b.if_else(condition, ty, inside, outside),
            None => inside(b),
        }
    }

    /// The transfer at a position along the leading dimension: of a vector without that, at `indices`.
    pub(super) fn inner(&self, rw: &Rewriter<'_>, indices: SmallVec<[ValueId; 4]>, direction: Direction) -> Self {
        let affine = rw.cx().affine();
        let data = affine.map(self.transfer.map);
        let map = affine.intern_map(data.num_dims, 0, data.results[1..].to_vec());
        let transfer = Transfer { indices, map, direction, ..self.transfer.clone() };
        Self { anchor: self.anchor, transfer, bounds: self.bounds[1..].into(), mask: None }
    }

    /// The transfer as an operation.
    pub(super) fn make(&self, b: &mut Build<'_, '_>) -> Option<ValueId> {
        let (cx, loc) = (b.cx(), b.loc);
        let bounds = dl_passes_vector::transfer::in_bounds_attr(cx, &self.bounds);
        let transfer = Transfer { mask: self.mask, ..self.transfer.clone() };
        let op = b.create(transfer.state(cx, loc, bounds));
        b.ir().results(op).next()
    }
}
