//! Whether a nest can be vectorized, and how.

use dl_affine::{AffineApplyOp, AffineForOp, AffineLoadOp, AffineStoreOp, AffineYieldOp};
use dl_arith::ConstantOp;
use dl_ir::walk::ops_in_arena;
use dl_ir::{AttrRef, Definition, OpId, OpRef, Rewriter, Trait, ValueId, ValueRef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::candidates::result_along;
use super::{is_element, is_inside};
use crate::access::Access;
use crate::loops::{self, ValueMap};
use crate::reduction::Reduction;

/// What is done with a nest.
pub(super) struct Plan {
    /// The outermost loop, which is one of [`dims`](Self::dims).
    pub(super) root: OpId,
    /// The loops whose iterations become lanes, with the dimension of each.
    pub(super) dims: FxHashMap<OpId, usize>,
    /// The extents of the vectors.
    pub(super) sizes: Vec<i64>,
    /// What the outermost loop carries.
    pub(super) reductions: Vec<Reduction>,
    /// For each access, the dimension of the buffer that each dimension of the vector goes along.
    pub(super) accesses: FxHashMap<OpId, Vec<Option<usize>>>,
    /// The stores that lanes past the end of a loop must not take part in.
    pub(super) masked: FxHashSet<OpId>,
    /// Loops that may have lanes past their end.
    pub(super) partial: FxHashSet<OpId>,
}

/// How the nest around which `root` stands is vectorized; `None` where it cannot be.
pub(super) fn plan(
    rw: &Rewriter<'_>,
    root: OpId,
    dims: FxHashMap<OpId, usize>,
    sizes: &[i64],
    reductions: &[Reduction],
) -> Option<Plan> {
    let partial = dims.keys().copied().filter(|&op| is_partial(rw, op, sizes[dims[&op]])).collect();
    let plan = Plan {
        root,
        dims,
        sizes: sizes.to_vec(),
        reductions: reductions.to_vec(),
        accesses: FxHashMap::default(),
        masked: FxHashSet::default(),
        partial,
    };
    Check { rw, plan, varying: FxHashSet::default() }.nest()
}

/// Whether the loop may end within a vector of this size.
fn is_partial(rw: &Rewriter<'_>, op: OpId, size: i64) -> bool {
    let divisor = loops::trip_count_divisor(loops::view(rw, op));
    divisor != u64::MAX && !divisor.is_multiple_of(size.unsigned_abs())
}

struct Check<'a, 'b> {
    rw: &'a Rewriter<'b>,
    plan: Plan,
    /// Indices that differ between lanes.
    varying: FxHashSet<ValueId>,
}

impl<'a> Check<'a, '_> {
    fn nest(mut self) -> Option<Plan> {
        let root = self.rw.op(self.plan.root);
        for id in ops_in_arena(self.rw.ir(), self.plan.root) {
            let op = self.rw.op(id);
            if let Some(each) = op.cast::<AffineForOp<'_>>() {
                self.each_loop(each)?;
            } else if op.is::<AffineLoadOp<'_>>() || op.is::<AffineStoreOp<'_>>() {
                self.access(op)?;
            } else if op.is::<AffineApplyOp<'_>>() {
                let is_scalar = |value: ValueRef<'_>| self.is_scalar(value);
                if !op.operands().iter().all(is_scalar) {
                    return None;
                }
                if op.operands().iter().any(|value| self.varying.contains(&value.id())) {
                    self.varying.insert(op.result(0).id());
                }
            } else if op.is::<ConstantOp<'_>>() {
                is_element(op.result(0).ty()).then_some(())?;
            } else if op.is::<AffineYieldOp<'_>>() {
                op.operands().iter().all(|value| self.has_lanes(value)).then_some(())?;
            } else {
                self.elementwise(op)?;
            }
        }
        // What leaves the nest is what the outermost loop carries.
        let leaves = |id: &OpId| {
            let results = self.rw.op(*id).results();
            results.iter().flat_map(ValueRef::uses).any(|(user, _)| !is_inside(root, user))
        };
        let inside = ops_in_arena(self.rw.ir(), self.plan.root);
        (!inside.iter().skip(1).any(leaves)).then_some(self.plan)
    }

    fn each_loop(&mut self, each: AffineForOp<'a>) -> Option<()> {
        let id = each.0.id();
        let bounds = each.lower_bound_operands().iter().chain(each.upper_bound_operands().iter());
        for value in bounds {
            if self.varying.contains(&value.id()) || !self.is_scalar(value) {
                return None;
            }
        }
        if !each.inits().iter().all(|value| is_element(value.ty())) {
            return None;
        }
        let Some(&dim) = self.plan.dims.get(&id) else {
            return each.inits().iter().all(|value| self.has_lanes(value)).then_some(());
        };
        self.varying.insert(each.region().entry()?.arg(0).id());
        let enclosing = |other: &&OpId| is_inside(self.rw.op(**other), each.0);
        if self.plan.dims.keys().filter(enclosing).any(|other| self.plan.dims[other] == dim) {
            return None;
        }
        let carries = !each.inits().is_empty();
        if carries && (id != self.plan.root || loops::step(each) != 1 || self.plan.sizes.len() != 1) {
            return None;
        }
        (each.inits().len() == if id == self.plan.root { self.plan.reductions.len() } else { 0 }).then_some(())
    }

    fn access(&mut self, op: OpRef<'a>) -> Option<()> {
        let access = Access::of(op)?;
        let ty = access.memref.ty();
        let at = usize::from(access.is_write);
        let indices = op.operands().iter().skip(at + 1);
        if !ty.has_identity_layout()
            || self.is_in_nest(access.memref)
            || !indices.into_iter().all(|v| self.is_scalar(v))
        {
            return None;
        }
        if access.is_write && !self.has_lanes(op.operand(0)) {
            return None;
        }
        let mut along = vec![None; self.plan.sizes.len()];
        let mut needs_mask = false;
        let mut dims: Vec<(OpId, usize)> = self.plan.dims.iter().map(|(&op, &dim)| (op, dim)).collect();
        dims.sort_unstable();
        for (looping, dim) in dims {
            let each = loops::view(self.rw, looping);
            if !is_inside(each.0, op) {
                continue;
            }
            let Some((result, factor)) = result_along(&access, each, self.plan.sizes[dim]).ok()? else { continue };
            if factor.checked_mul(loops::step(each)) != Some(1) || along.contains(&Some(result)) {
                return None;
            }
            along[dim] = Some(result);
            needs_mask |= self.plan.partial.contains(&looping) && !ends_with_buffer(each, &access, result);
        }
        if access.is_write {
            if along.contains(&None) {
                return None;
            }
            if needs_mask {
                self.plan.masked.insert(op.id());
            }
        }
        self.plan.accesses.insert(op.id(), along);
        Some(())
    }

    /// Operations that do the same to each lane. Lanes past the end of a loop must not fail.
    fn elementwise(&self, op: OpRef<'_>) -> Option<()> {
        let is_mappable = op.has_trait(&Trait::Elementwise) && op.has_trait(&Trait::Vectorizable);
        let types = op.results().iter().all(|result| is_element(result.ty()));
        let safe = self.plan.partial.is_empty() || dl_ir::effects::is_speculatable(op);
        let pure = dl_ir::effects::is_memory_effect_free(op) && op.num_regions() == 0;
        (is_mappable && types && safe && pure && op.operands().iter().all(|value| self.has_lanes(value))).then_some(())
    }

    fn is_in_nest(&self, value: ValueRef<'_>) -> bool {
        let owner = value.parent_block().and_then(|block| block.parent_op());
        owner.is_some_and(|owner| owner.id() == self.plan.root || is_inside(self.rw.op(self.plan.root), owner))
    }

    /// Whether the index exists as a scalar in the new nest, too.
    fn is_scalar(&self, value: ValueRef<'_>) -> bool {
        if !self.is_in_nest(value) {
            return true;
        }
        match value.definition() {
            Definition::Argument(_) => value.index() == 0,
            Definition::Result(_) => {
                value.defining_op().is_some_and(|op| op.is::<AffineApplyOp<'_>>() || op.is::<ConstantOp<'_>>())
            }
        }
    }

    /// Whether the value becomes a vector: it is computed in the nest, or the same in all lanes.
    fn has_lanes(&self, value: ValueRef<'_>) -> bool {
        if self.varying.contains(&value.id()) {
            return false;
        }
        is_element(value.ty())
    }
}

/// Whether everything past the end of the loop is outside of the buffer along dimension `result`: its upper bound is the extent.
fn ends_with_buffer(each: AffineForOp<'_>, access: &Access<'_>, result: usize) -> bool {
    let affine = access.op.cx().affine();
    let data = affine.map(access.map);
    let Some(form) = affine.linear_form(data.results[result], data.num_dims, data.num_symbols) else { return false };
    let factors = form.dims.iter().chain(&form.symbols);
    if form.constant < 0 || factors.filter(|&&factor| factor != 0).count() != 1 {
        return false;
    }
    let Some(upper) = ValueMap::upper_bound(each) else { return false };
    let bounds = affine.map(upper.map);
    let extent = access.memref.ty().shape().and_then(|shape| shape.get(result).copied());
    bounds.results.iter().any(|&bound| {
        if let Some(number) = affine.constant_value(bound) {
            return extent
                .is_some_and(|extent| extent >= 0 && number.checked_add(form.constant).is_some_and(|n| n >= extent));
        }
        let position = affine
            .dim_position(bound)
            .or_else(|| affine.symbol_position(bound).map(|position| position + bounds.num_dims));
        let value = position.and_then(|at| upper.operands.get(at as usize));
        value.is_some_and(|&value| is_extent(value, access.memref, result))
    })
}

/// Whether `value` is the extent of `memref` along dimension `dim`.
fn is_extent(value: ValueRef<'_>, memref: ValueRef<'_>, dim: usize) -> bool {
    if let Some(asked) = value.def::<dl_memref::DimOp<'_>>() {
        let index = asked.index().constant().and_then(AttrRef::as_int).and_then(|at| usize::try_from(at).ok());
        return index == Some(dim) && asked.source() == memref;
    }
    let Some(shape) = memref.ty().shape() else { return false };
    let before = shape[..dim].iter().filter(|&&extent| extent == dl_ir::DYNAMIC).count();
    let is_dynamic = shape.get(dim) == Some(&dl_ir::DYNAMIC);
    let sizes = memref.def::<dl_memref::AllocOp<'_>>().map(|op| op.dynamic_sizes());
    is_dynamic && sizes.and_then(|sizes| sizes.get(before)) == Some(value)
}
