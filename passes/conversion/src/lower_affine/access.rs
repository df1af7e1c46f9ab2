//! Maps applied to values, and accesses at affine positions.

use dl_affine::expand::expand_map;
use dl_affine::{
    AffineApplyOp, AffineLoadOp, AffineMaxOp, AffineMinOp, AffinePrefetchOp, AffineStoreOp, AffineVectorLoadOp,
    AffineVectorStoreOp, dma_parts,
};
use dl_arith::{Build, MaxSIOp, MinSIOp};
use dl_ir::affine::AffineMap;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpRef, OpState, OpView, Operands, Rewriter, ValueId, ValueRef};
use smallvec::SmallVec;

/// The map of an affine operation.
pub(super) fn map_of(attr: AttrRef<'_>) -> Result<AffineMap, NoMatch> {
    attr.as_affine_map().ok_or(NoMatch("the attribute is no affine map"))
}

/// The typed view of `op`.
pub(super) fn view<'a, T: OpView<'a>>(op: OpRef<'a>) -> Result<T, NoMatch> {
    op.cast().ok_or(NoMatch("an operation of another kind"))
}

/// Folds `values` from the left with a binary operation.
pub(super) fn reduce<T: OpDefinition>(b: &mut Build<'_, '_>, values: &[ValueId]) -> Option<ValueId> {
    values.iter().copied().reduce(|a, c| b.same::<T>(&[a, c]))
}

/// The map results for an operation, computed before it.
fn indices(rw: &mut Rewriter<'_>, op: OpId, map: AffineMap, operands: &[ValueId]) -> SmallVec<[ValueId; 4]> {
    let loc = rw.op(op).loc();
    rw.set_insertion_before(op);
    expand_map(&mut Build::new(rw, loc), map, operands)
}

pub(super) fn lower_apply(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let apply: AffineApplyOp<'_> = view(rw.op(op))?;
    let (map, operands) = (map_of(apply.map())?, apply.map_operands().ids());
    let values = indices(rw, op, map, &operands);
    rw.replace(op, &values);
    Ok(())
}

pub(super) fn lower_min(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let min: AffineMinOp<'_> = view(rw.op(op))?;
    let (map, operands) = (map_of(min.map())?, min.operands().ids());
    lower_extremum::<MinSIOp<'_>>(op, map, &operands, rw)
}

pub(super) fn lower_max(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let max: AffineMaxOp<'_> = view(rw.op(op))?;
    let (map, operands) = (map_of(max.map())?, max.operands().ids());
    lower_extremum::<MaxSIOp<'_>>(op, map, &operands, rw)
}

fn lower_extremum<T: OpDefinition>(op: OpId, map: AffineMap, operands: &[ValueId], rw: &mut Rewriter<'_>) -> Rewrite {
    if rw.cx().affine().map(map).results.is_empty() {
        return Err(NoMatch("a map without results has no extremum"));
    }
    let loc = rw.op(op).loc();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let values = expand_map(&mut b, map, operands);
    let extremum: SmallVec<[ValueId; 1]> = reduce::<T>(&mut b, &values).into_iter().collect();
    rw.replace(op, &extremum);
    Ok(())
}

/// What an access reads or writes, and where.
struct Access {
    map: AffineMap,
    indices: SmallVec<[ValueId; 4]>,
}

impl Access {
    fn new(map: AttrRef<'_>, indices: Operands<'_>) -> Result<Self, NoMatch> {
        Ok(Self { map: map_of(map)?, indices: indices.ids() })
    }

    /// Replaces `op` by `new` with the operands `before`, then the indices.
    fn replace(self, rw: &mut Rewriter<'_>, op: OpId, new: OpState, before: &[ValueId]) -> Rewrite {
        let at = indices(rw, op, self.map, &self.indices);
        rw.replace_with(op, new.operands(before.iter().copied()).operands(at));
        Ok(())
    }
}

pub(super) fn lower_load(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let load: AffineLoadOp<'_> = view(rw.op(op))?;
    let access = Access::new(load.map(), load.indices())?;
    let new = OpState::of::<dl_memref::LoadOp<'_>>(load.0.loc()).results([load.result().ty().id()]);
    let memref = load.memref().id();
    access.replace(rw, op, new, &[memref])
}

pub(super) fn lower_store(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let store: AffineStoreOp<'_> = view(rw.op(op))?;
    let access = Access::new(store.map(), store.indices())?;
    let new = OpState::of::<dl_memref::StoreOp<'_>>(store.0.loc());
    let operands = [store.value().id(), store.memref().id()];
    access.replace(rw, op, new, &operands)
}

pub(super) fn lower_prefetch(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let prefetch: AffinePrefetchOp<'_> = view(rw.op(op))?;
    let access = Access::new(prefetch.map(), prefetch.indices())?;
    let new = OpState::of::<dl_memref::PrefetchOp<'_>>(prefetch.0.loc())
        .attr(rw.cx(), "isWrite", prefetch.is_write().id())
        .attr(rw.cx(), "localityHint", prefetch.locality_hint().id())
        .attr(rw.cx(), "isDataCache", prefetch.is_data_cache().id());
    let memref = prefetch.memref().id();
    access.replace(rw, op, new, &[memref])
}

/// Why neither `vector.load` nor `vector.store` does what `op` does, if it loads or stores a vector.
pub(super) fn bad_vector(op: OpRef<'_>) -> Option<&'static str> {
    let (memref, vector) = if let Some(load) = op.cast::<AffineVectorLoadOp<'_>>() {
        (load.memref().ty(), load.result().ty())
    } else {
        let store = op.cast::<AffineVectorStoreOp<'_>>()?;
        (store.memref().ty(), store.value().ty())
    };
    if memref.rank() < vector.rank() {
        return Some("unsupported: a vector of more dimensions than the memref has");
    }
    let is_contiguous = dl_vector::is_contiguous(memref, vector);
    (!is_contiguous).then_some("unsupported: elements of a vector that do not lie next to each other")
}

pub(super) fn lower_vector_load(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let load: AffineVectorLoadOp<'_> = view(rw.op(op))?;
    let access = Access::new(load.map(), load.indices())?;
    let new = OpState::of::<dl_vector::LoadOp<'_>>(load.0.loc()).results([load.result().ty().id()]);
    let memref = load.memref().id();
    access.replace(rw, op, new, &[memref])
}

pub(super) fn lower_vector_store(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let store: AffineVectorStoreOp<'_> = view(rw.op(op))?;
    let access = Access::new(store.map(), store.indices())?;
    let new = OpState::of::<dl_vector::StoreOp<'_>>(store.0.loc());
    let operands = [store.value().id(), store.memref().id()];
    access.replace(rw, op, new, &operands)
}

type Values = SmallVec<[ValueId; 4]>;

/// Where each memref of a copy is accessed, computed before `op`: the memref and the indices, memref after memref.
fn dma_places(rw: &mut Rewriter<'_>, op: OpId) -> Result<(Vec<Values>, Values), NoMatch> {
    let (positions, numbers) = dma_parts(rw.op(op)).ok_or(NoMatch("operands are missing"))?;
    let parts: Vec<_> = positions.iter().map(|each| (each.memref.id(), each.map, each.indices.ids())).collect();
    let numbers = numbers.iter().map(ValueRef::id).collect();
    let place = |(memref, map, operands): (ValueId, AffineMap, Values)| {
        std::iter::once(memref).chain(indices(rw, op, map, &operands)).collect()
    };
    Ok((parts.into_iter().map(place).collect(), numbers))
}

pub(super) fn lower_dma_start(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (places, numbers) = dma_places(rw, op)?;
    let ([source, dest, tag], [count, strides @ ..]) = (&places[..], &numbers[..]) else {
        return Err(NoMatch("no copy from a place to a place"));
    };
    let new = OpState::of::<dl_memref::DmaStartOp<'_>>(rw.op(op).loc());
    let operands = [source, dest, &[*count][..], tag, strides].concat();
    rw.replace_with(op, new.operands(operands));
    Ok(())
}

pub(super) fn lower_dma_wait(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (places, numbers) = dma_places(rw, op)?;
    let new = OpState::of::<dl_memref::DmaWaitOp<'_>>(rw.op(op).loc());
    rw.replace_with(op, new.operands(places.concat()).operands(numbers));
    Ok(())
}
