//! Masked accesses, gathers and scatters: those with all lanes on, with none, and those of consecutive elements.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::masks::uniform;
use crate::types::extents;
use crate::{
    CompressStoreOp, ExpandLoadOp, GatherOp, LoadOp, MaskOp, MaskedLoadOp, MaskedStoreOp, ScatterOp, StepOp, StoreOp,
};

/// What these operations have in common.
struct Access<'a> {
    op: OpRef<'a>,
    base: ValueRef<'a>,
    indices: SmallVec<[ValueId; 4]>,
    mask: ValueRef<'a>,
    /// What is stored, or taken where the mask is off.
    value: ValueRef<'a>,
}

impl<'a> Access<'a> {
    fn of(op: OpRef<'a>) -> Option<Self> {
        let last = op.num_operands().checked_sub(2)?;
        let indices = op.operand_group(1).ids();
        Some(Self { op, base: op.operand(0), indices, mask: op.operand(last), value: op.operand(last + 1) })
    }

    /// The parts of an operation `T` on the same elements, without those operands of this one that are not `operands`.
    fn state<T: OpDefinition>(&self, operands: impl IntoIterator<Item = ValueId>) -> OpState {
        let alignment = self.op.attr("alignment").map(|attr| attr.id());
        let state = OpState::of::<T>(self.op.loc()).operands(operands).results(self.op.results().types());
        state.maybe_attr(self.op.cx(), "alignment", alignment)
    }
}

fn access<'r>(rw: &'r Rewriter<'_>, op: OpId) -> Result<Access<'r>, NoMatch> {
    let access = Access::of(rw.op(op)).ok_or(NoMatch("too few operands"))?;
    let is_masked = access.op.parent().is_some_and(|parent| parent.is::<MaskOp<'_>>());
    if is_masked { Err(NoMatch("it is masked from outside")) } else { Ok(access) }
}

/// Without a lane a load gives what it has for lanes that are off, and a store does nothing.
fn no_lanes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let access = access(rw, op)?;
    if uniform(access.mask) != Some(false) {
        return Err(NoMatch("a lane may be on"));
    }
    let value = if access.op.is::<ScatterOp<'_>>() { access.base.id() } else { access.value.id() };
    if access.op.num_results() == 0 {
        rw.erase(op);
    } else if rw.ir().value_type(value) == rw.ir().value_type(rw.ir().result(op, 0)) {
        rw.replace(op, &[value]);
    } else {
        return Err(NoMatch("the types differ"));
    }
    Ok(())
}

/// With all lanes a load needs no mask.
fn load_of_all(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let access = access(rw, op)?;
    if uniform(access.mask) != Some(true) {
        return Err(NoMatch("a lane may be off"));
    }
    let operands = std::iter::once(access.base.id()).chain(access.indices.iter().copied());
    let state = access.state::<LoadOp<'_>>(operands);
    rw.replace_with(op, state);
    Ok(())
}

/// With all lanes a store needs no mask.
fn store_of_all(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let access = access(rw, op)?;
    if uniform(access.mask) != Some(true) {
        return Err(NoMatch("a lane may be off"));
    }
    let operands = [access.value.id(), access.base.id()].into_iter().chain(access.indices.iter().copied());
    let state = access.state::<StoreOp<'_>>(operands);
    rw.replace_with(op, state);
    Ok(())
}

/// Whether lane `i` of a vector of one dimension is `i`.
fn counts_up(indices: ValueRef<'_>) -> bool {
    if extents(indices.ty()).len() != 1 {
        return false;
    }
    if indices.def::<StepOp<'_>>().is_some() {
        return true;
    }
    let values = indices.constant().filter(|c| !indices.ty().is_scalable_vector() && c.ty() == Some(indices.ty()));
    let mut expected = 0_i64..;
    values
        .and_then(|values| values.dense_values())
        .is_some_and(|mut values| values.all(|v| v.as_int() == expected.next()))
}

/// Whether neighbours along the last dimension of a memref are neighbours in memory.
fn is_contiguous(base: ValueRef<'_>) -> bool {
    base.ty().strided_layout().is_some_and(|layout| layout.strides.last() == Some(&1))
}

/// A gather, or scatter, of elements that follow one another is a load, or store, of them.
fn consecutive(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let access = access(rw, op)?;
    let indices = access.op.operand(access.op.num_operands() - 3);
    if !access.base.ty().is_ranked_memref() || !is_contiguous(access.base) || !counts_up(indices) {
        return Err(NoMatch("the elements do not follow one another in memory"));
    }
    let operands = std::iter::once(access.base.id())
        .chain(access.indices.iter().copied())
        .chain([access.mask.id(), access.value.id()]);
    let state = if access.op.is::<GatherOp<'_>>() {
        access.state::<MaskedLoadOp<'_>>(operands)
    } else {
        access.state::<MaskedStoreOp<'_>>(operands)
    };
    rw.replace_with(op, state);
    Ok(())
}

pub(crate) fn masked_load(patterns: &mut Patterns) {
    let root = Some(MaskedLoadOp::NAME);
    patterns.add_fn("vector-access-of-no-lanes", root, no_lanes).add_fn("vector-load-of-all", root, load_of_all);
}

pub(crate) fn expand_load(patterns: &mut Patterns) {
    let root = Some(ExpandLoadOp::NAME);
    patterns.add_fn("vector-access-of-no-lanes", root, no_lanes).add_fn("vector-load-of-all", root, load_of_all);
}

pub(crate) fn masked_store(patterns: &mut Patterns) {
    let root = Some(MaskedStoreOp::NAME);
    patterns.add_fn("vector-access-of-no-lanes", root, no_lanes).add_fn("vector-store-of-all", root, store_of_all);
}

pub(crate) fn compress_store(patterns: &mut Patterns) {
    let root = Some(CompressStoreOp::NAME);
    patterns.add_fn("vector-access-of-no-lanes", root, no_lanes).add_fn("vector-store-of-all", root, store_of_all);
}

pub(crate) fn gather(patterns: &mut Patterns) {
    let root = Some(GatherOp::NAME);
    patterns.add_fn("vector-access-of-no-lanes", root, no_lanes).add_fn("vector-consecutive", root, consecutive);
}

pub(crate) fn scatter(patterns: &mut Patterns) {
    let root = Some(ScatterOp::NAME);
    patterns.add_fn("vector-access-of-no-lanes", root, no_lanes).add_fn("vector-consecutive", root, consecutive);
}
