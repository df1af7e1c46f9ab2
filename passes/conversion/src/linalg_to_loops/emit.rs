//! The pattern: extents, loops, loads, the body, stores.

use dl_affine::{AffineApplyOp, AffineLoadOp, AffineStoreOp};
use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::interfaces::{Index, has_pure_buffer_semantics};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::walk::ops_in_arena;
use dl_ir::{DYNAMIC, Loc, Mapping, OpId, OpState, Rewriter, ValueId, clone_op};
use dl_linalg::{IndexOp, LinalgOp};
use dl_memref::{DimOp, LoadOp, StoreOp};
use smallvec::SmallVec;

use super::nest::{LoopKind, build_nest, is_affine_bound};

/// Replaces a `linalg` operation on buffers by loops.
pub(super) fn to_loops(op: OpId, rw: &mut Rewriter<'_>, kind: LoopKind) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    if !has_pure_buffer_semantics(view) {
        return Err(NoMatch("not on buffers"));
    }
    let body = nest.body().ok_or(NoMatch("no body"))?.id();
    let (loc, iterators, maps) = (view.loc(), nest.iterator_types(), nest.indexing_maps());
    let dims: Option<Vec<(usize, usize)>> = nest.loops_to_dims().into_iter().collect();
    let dims = dims.ok_or(NoMatch("a loop runs over no dimension of an operand"))?;
    let operands: SmallVec<[ValueId; 4]> = view.operands().ids();
    let reads: SmallVec<[bool; 4]> = (0..operands.len()).map(|i| nest.reads_operand(i)).collect();
    let inits = nest.inits();
    let inits = inits.start()..inits.start() + inits.len();

    rw.set_insertion_before(op);
    // In the order of operands and their dimensions, as upstream has it.
    let mut loops: Vec<usize> = (0..dims.len()).collect();
    loops.sort_by_key(|&at| dims[at]);
    let mut extents = vec![Index::Static(0); dims.len()];
    for at in loops {
        let (i, dim) = dims[at];
        extents[at] = extent(rw, loc, operands[i], dim);
    }
    // Upstream makes affine loops all the same, which are not valid.
    let stays = kind != LoopKind::Affine || extents.iter().all(|&extent| is_affine_bound(rw, extent));
    let kind = if stays { kind } else { LoopKind::Scf };
    let variables = build_nest(rw, kind, loc, &extents, &iterators);
    let mut access = Access { rw, kind, loc, variables };
    let args = access.rw.ir().block_args(body).to_vec();
    let mut mapping = Mapping::new();
    for (i, &value) in operands.iter().enumerate().filter(|&(i, _)| reads[i]) {
        let element = if access.rw.value_type(value).is_memref() { access.load(value, maps[i]) } else { value };
        mapping.map(args[i], element);
    }
    let mut ops: Vec<OpId> = access.rw.ir().block_ops(body).collect();
    let last = ops.pop().ok_or(NoMatch("no terminator"))?;
    for nested in ops {
        access.copy(nested, &mut mapping);
    }
    let yielded: SmallVec<[ValueId; 2]> = access.rw.ir().operands(last).map(|v| mapping.value(v)).collect();
    for (value, i) in yielded.into_iter().zip(inits) {
        access.store(value, operands[i], maps[i]);
    }
    rw.erase(op);
    Ok(())
}

/// Extent `dim` of a buffer.
fn extent(rw: &mut Rewriter<'_>, loc: Loc, buffer: ValueId, dim: usize) -> Index {
    let extent = rw.value_type(buffer).shape().and_then(|shape| shape.get(dim).copied()).unwrap_or(DYNAMIC);
    if extent != DYNAMIC {
        return Index::Static(extent);
    }
    let index = dl_arith::constant_index(rw, dim as i64, loc);
    let dim = OpState::of::<DimOp<'_>>(loc).operands([buffer, index]).results([rw.cx().index_type()]);
    Index::Value(dl_ir::rewrite::create_or_fold(rw, dim)[0])
}

/// Access to elements inside the loops.
struct Access<'a, 'b> {
    rw: &'a mut Rewriter<'b>,
    kind: LoopKind,
    loc: Loc,
    variables: Vec<ValueId>,
}

impl Access<'_, '_> {
    /// The element of `buffer` that `map` gives for the current iteration.
    fn load(&mut self, buffer: ValueId, map: AffineMap) -> ValueId {
        let indices = self.indices(map);
        let element = self.rw.value_type(buffer).element_or_self().id();
        let state = match self.kind {
            LoopKind::Affine => self.with_map(OpState::of::<AffineLoadOp<'_>>(self.loc), indices.len()),
            LoopKind::Scf | LoopKind::Parallel => OpState::of::<LoadOp<'_>>(self.loc),
        };
        self.rw.create_value(state.operands([buffer]).operands(indices).results([element]))
    }

    fn store(&mut self, value: ValueId, buffer: ValueId, map: AffineMap) {
        let indices = self.indices(map);
        let state = match self.kind {
            LoopKind::Affine => self.with_map(OpState::of::<AffineStoreOp<'_>>(self.loc), indices.len()),
            LoopKind::Scf | LoopKind::Parallel => OpState::of::<StoreOp<'_>>(self.loc),
        };
        self.rw.create(state.operands([value, buffer]).operands(indices));
    }

    fn with_map(&self, state: OpState, rank: usize) -> OpState {
        let cx = self.rw.cx();
        state.attr(cx, "map", cx.affine_map_attr(cx.affine().identity_map(rank as u32)))
    }

    /// One value for each result of `map`.
    fn indices(&mut self, map: AffineMap) -> SmallVec<[ValueId; 4]> {
        let results: SmallVec<[AffineExpr; 4]> = self.rw.cx().affine().map(map).results.iter().copied().collect();
        results.into_iter().map(|expr| self.index(expr)).collect()
    }

    /// The value of an expression of the loops: an induction variable, a constant, or an `affine.apply` of those used.
    fn index(&mut self, expr: AffineExpr) -> ValueId {
        let (cx, affine) = (self.rw.cx(), self.rw.cx().affine());
        if let Some(position) = affine.dim_position(expr) {
            return self.variables[position as usize];
        }
        if let Some(value) = affine.constant_value(expr) {
            return dl_arith::constant_index(self.rw, value, self.loc);
        }
        let map = affine.intern_map(self.variables.len() as u32, 0, [expr]);
        let used = |&(i, _): &(usize, &ValueId)| affine.is_function_of_dim(expr, i as u32);
        let operands: SmallVec<[ValueId; 4]> =
            self.variables.iter().enumerate().filter(used).map(|(_, &value)| value).collect();
        let map = affine.drop_unused_dims(&[map])[0];
        let state = OpState::of::<AffineApplyOp<'_>>(self.loc).attr(cx, "map", cx.affine_map_attr(map));
        self.rw.create_value(state.operands(operands).results([cx.index_type()]))
    }

    /// The induction variable that a `linalg.index` names.
    fn variable_of(&self, op: OpId) -> Option<ValueId> {
        let index = self.rw.op(op).cast::<IndexOp<'_>>()?;
        let dim = usize::try_from(index.dim().as_int()?).ok()?;
        self.variables.get(dim).copied()
    }

    /// Copies an operation of the body; an index, also one inside its regions, becomes the induction variable.
    fn copy(&mut self, op: OpId, mapping: &mut Mapping) {
        if let Some(variable) = self.variable_of(op) {
            mapping.map(self.rw.ir().result(op, 0), variable);
            return;
        }
        let copy = clone_op(self.rw, op, mapping);
        for nested in ops_in_arena(self.rw.ir(), copy) {
            if let Some(variable) = self.variable_of(nested) {
                self.rw.replace(nested, &[variable]);
            }
        }
    }
}
