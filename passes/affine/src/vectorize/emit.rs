//! The new nest.

use dl_affine::scope::{affine_scope, is_valid_symbol};
use dl_affine::{AffineApplyOp, AffineForOp, AffineLoadOp, AffineMinOp, AffineStoreOp, AffineYieldOp, ForBound};
use dl_arith::{AtomicRMWKind, ConstantOp, SelectOp};
use dl_ir::affine::AffineExpr;
use dl_ir::{Attr, BlockId, Context, Loc, OpId, OpState, Rewriter, Type, ValueId};
use dl_vector::{BroadcastOp, CombiningKind, CreateMaskOp, ReductionOp, TransferReadOp, TransferWriteOp};
use rustc_hash::FxHashMap;

use super::plan::Plan;
use crate::loops::{self, ValueMap, apply};

/// Makes the nest that the plan describes, in the place of the old one.
pub(super) fn vectorize(rw: &mut Rewriter<'_>, plan: &Plan) {
    rw.set_insertion_after(plan.root);
    let mut emit = Emit {
        rw,
        plan,
        vectors: FxHashMap::default(),
        scalars: FxHashMap::default(),
        uniform: FxHashMap::default(),
        new_loops: FxHashMap::default(),
        combiners: FxHashMap::default(),
        constants_at: Vec::new(),
    };
    let results = emit.each_loop(plan.root);
    rw.replace(plan.root, &results);
}

struct Emit<'a, 'b> {
    rw: &'a mut Rewriter<'b>,
    plan: &'a Plan,
    /// What stands for a value in all lanes, as long as its block is being filled.
    vectors: FxHashMap<ValueId, ValueId>,
    /// The indices of the new nest.
    scalars: FxHashMap<ValueId, ValueId>,
    /// Values from outside of the nest in all lanes.
    uniform: FxHashMap<ValueId, ValueId>,
    new_loops: FxHashMap<OpId, OpId>,
    /// For operations that combine what the outermost loop carries with a value: that value, the mask, and what stands for it where that is off.
    combiners: FxHashMap<OpId, (ValueId, ValueId, ValueId)>,
    /// The bodies of vectorized loops that are being filled, each with the vectors of constants at its start: new ones go to the innermost one.
    constants_at: Vec<(BlockId, FxHashMap<ValueId, ValueId>)>,
}

impl<'b> Emit<'_, 'b> {
    fn cx(&self) -> &'b Context {
        self.rw.cx()
    }

    fn vector_type(&self, element: Type) -> Type {
        self.cx().vector_type(&self.plan.sizes, element)
    }

    fn scalar(&self, value: ValueId) -> ValueId {
        self.scalars.get(&value).copied().unwrap_or(value)
    }

    fn bound(&self, of: &ValueMap<'_>) -> ForBound {
        ForBound { map: of.map, operands: of.operands.iter().map(|value| self.scalar(value.id())).collect() }
    }

    /// Makes the loop; answers what stands for its results.
    fn each_loop(&mut self, op: OpId) -> Vec<ValueId> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.make_loop(op))
    }

    fn make_loop(&mut self, op: OpId) -> Vec<ValueId> {
        let each = loops::view(self.rw, op);
        let (Some(lower), Some(upper)) = (ValueMap::lower_bound(each), ValueMap::upper_bound(each)) else {
            return each.0.results().ids().to_vec();
        };
        let (lower, upper) = (self.bound(&lower), self.bound(&upper));
        let (loc, step, inits) = (each.0.loc(), loops::step(each), each.inits().ids());
        let dim = self.plan.dims.get(&op).copied();
        let step = dim.map_or(step, |dim| step.saturating_mul(self.plan.sizes[dim]));
        let start: Vec<ValueId> = if dim.is_some() {
            inits.iter().enumerate().map(|(at, &init)| self.first_lanes(at, init, loc)).collect()
        } else {
            inits.iter().map(|&init| self.lanes(init)).collect()
        };
        let types: Vec<Type> = start.iter().map(|&value| self.rw.ir().value_type(value)).collect();
        let region = self.rw.new_region();
        let args: Vec<Type> = std::iter::once(self.cx().index_type()).chain(types.iter().copied()).collect();
        let block = self.rw.append_block(region, &args);
        let state = AffineForOp::state(self.cx(), &lower, &upper, step, &start, region, loc).results(types);
        let new = self.rw.create(state);
        self.new_loops.insert(op, new);
        let after = self.rw.insertion_point();

        let body = loops::body(self.rw, op);
        let (old_args, new_args) = (self.rw.ir().block_args(body).to_vec(), self.rw.ir().block_args(block).to_vec());
        self.scalars.insert(old_args[0], new_args[0]);
        self.rw.set_insertion_to_end(block);
        if dim.is_some() {
            self.constants_at.push((block, FxHashMap::default()));
            self.mask_reductions(op, new, &start);
        }
        // Vectors that are made in the body are of no use after it.
        let before = self.vectors.clone();
        self.vectors.extend(old_args[1..].iter().copied().zip(new_args[1..].iter().copied()));
        let ops: Vec<OpId> = self.rw.ir().block_ops(body).collect();
        for inner in ops {
            self.operation(inner);
        }
        self.vectors = before;
        if dim.is_some() {
            self.constants_at.pop();
        }
        self.rw.set_insertion_point(after);
        let results: Vec<ValueId> = self.rw.ir().results(new).collect();
        if dim.is_some() {
            return results.into_iter().enumerate().map(|(at, value)| self.reduce(at, value, inits[at], loc)).collect();
        }
        let old: Vec<ValueId> = self.rw.ir().results(op).collect();
        self.vectors.extend(old.into_iter().zip(results.iter().copied()));
        results
    }

    fn operation(&mut self, op: OpId) {
        let view = self.rw.op(op);
        if view.is::<AffineForOp<'_>>() {
            self.each_loop(op);
        } else if view.is::<AffineLoadOp<'_>>() {
            self.load(op);
        } else if view.is::<AffineStoreOp<'_>>() {
            self.store(op);
        } else if view.is::<AffineYieldOp<'_>>() {
            let (loc, operands) = (view.loc(), view.operands().ids());
            let operands: Vec<ValueId> = operands.into_iter().map(|value| self.lanes(value)).collect();
            self.rw.create(OpState::of::<AffineYieldOp<'_>>(loc).operands(operands));
        } else if view.is::<AffineApplyOp<'_>>() || view.is::<ConstantOp<'_>>() && self.is_index_of_access(op) {
            let (name, loc, operands) = (view.name_id(), view.loc(), view.operands().ids());
            let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
            let (ty, result) = (view.result(0).ty().id(), view.result(0).id());
            let operands: Vec<ValueId> = operands.into_iter().map(|value| self.scalar(value)).collect();
            let new = self.rw.create_value(OpState::new(name, loc).operands(operands).attrs(attrs).results([ty]));
            self.scalars.insert(result, new);
        } else if !view.is::<ConstantOp<'_>>() {
            self.widen(op);
        }
    }

    /// Whether something uses the constant as an index or bound.
    fn is_index_of_access(&self, op: OpId) -> bool {
        let result = self.rw.op(op).result(0);
        result.uses().any(|(user, at)| {
            user.is::<AffineLoadOp<'_>>()
                || user.is::<AffineStoreOp<'_>>() && at > 0
                || user.is::<AffineApplyOp<'_>>()
                || user.is::<AffineForOp<'_>>()
        })
    }

    fn widen(&mut self, op: OpId) {
        let view = self.rw.op(op);
        let (name, loc, operands) = (view.name_id(), view.loc(), view.operands().ids());
        let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let (types, old) = (view.results().types(), view.results().ids());
        let combined = self.combiners.get(&op).copied();
        let operands: Vec<ValueId> = operands
            .into_iter()
            .map(|value| {
                let lanes = self.lanes(value);
                match combined.filter(|&(combined, _, _)| combined == value) {
                    Some((_, mask, neutral)) => {
                        let ty = self.rw.ir().value_type(lanes);
                        let state = OpState::of::<SelectOp<'_>>(loc).operands([mask, lanes, neutral]).results([ty]);
                        self.rw.create_value(state)
                    }
                    None => lanes,
                }
            })
            .collect();
        let types: Vec<Type> = types.into_iter().map(|ty| self.vector_type(ty)).collect();
        let new = self.rw.create(OpState::new(name, loc).operands(operands).attrs(attrs).results(types));
        let results: Vec<ValueId> = self.rw.ir().results(new).collect();
        self.vectors.extend(old.into_iter().zip(results));
    }

    /// What stands for `value` in all lanes.
    fn lanes(&mut self, value: ValueId) -> ValueId {
        let of_constants = || self.constants_at.iter().find_map(|(_, constants)| constants.get(&value));
        if let Some(&known) = self.vectors.get(&value).or_else(|| self.uniform.get(&value)).or_else(of_constants) {
            return known;
        }
        let loc = self.rw.value(value).loc();
        let ty = self.rw.ir().value_type(value);
        let vector = self.vector_type(ty);
        let point = self.rw.insertion_point();
        let constant = self.rw.value(value).defining_op().filter(|op| op.is::<ConstantOp<'_>>());
        let splat = constant.and_then(|op| self.cx().splat_attr(vector, op.attr("value")?.id()));
        if let (Some(splat), Some(&(block, _))) = (splat, self.constants_at.last()) {
            let is_empty = self.rw.block(block).is_empty();
            if !is_empty {
                self.rw.set_insertion_to_start(block);
            }
            let new = self.constant(splat, vector, loc);
            if !is_empty {
                self.rw.set_insertion_point(point);
            }
            if let Some((_, constants)) = self.constants_at.last_mut() {
                constants.insert(value, new);
            }
            return new;
        }
        let scalar = self.scalar(value);
        self.rw.set_insertion_after_value(scalar);
        let new = self.rw.create_value(OpState::of::<BroadcastOp<'_>>(loc).operands([scalar]).results([vector]));
        // At the end of a block the point is after what has just been made there.
        self.rw.set_insertion_point(point);
        if self.scalars.contains_key(&value) {
            self.vectors.insert(value, new);
        } else {
            self.uniform.insert(value, new);
        }
        new
    }

    fn constant(&mut self, value: Attr, ty: Type, loc: Loc) -> ValueId {
        let state = OpState::of::<ConstantOp<'_>>(loc).attr(self.cx(), "value", value);
        self.rw.create_value(state.results([ty]))
    }

    /// The indices of the access, as values.
    fn indices(&mut self, op: OpId, first: usize) -> Vec<ValueId> {
        let view = self.rw.op(op);
        let loc = view.loc();
        let operands: Vec<ValueId> = view.operands().iter().skip(first).map(|value| value.id()).collect();
        let operands: Vec<ValueId> = operands.into_iter().map(|value| self.scalar(value)).collect();
        let affine = self.cx().affine();
        let Some(map) = view_map(self.rw, op) else { return operands };
        let data = affine.map(map);
        if affine.is_identity(map) && data.num_symbols == 0 {
            return operands;
        }
        let results: Vec<AffineExpr> = data.results.to_vec();
        results.into_iter().map(|result| apply(self.rw, affine.with_results(map, [result]), &operands, loc)).collect()
    }

    /// The permutation map and the `in_bounds` attribute of a transfer, of which no dimension is promised to be in bounds.
    fn transfer_attrs(&self, op: OpId, rank: usize) -> [(&'static str, Attr); 2] {
        let (cx, affine) = (self.cx(), self.cx().affine());
        let along = &self.plan.accesses[&op];
        let exprs: Vec<AffineExpr> =
            along.iter().map(|dim| dim.map_or_else(|| affine.constant(0), |dim| affine.dim(dim as u32))).collect();
        let bounds: Vec<Attr> = along.iter().map(|_| cx.bool_attr(false)).collect();
        let map = affine.intern_map(rank as u32, 0, exprs);
        [("permutation_map", cx.affine_map_attr(map)), ("in_bounds", cx.array_attr(&bounds))]
    }

    fn load(&mut self, op: OpId) {
        let view = self.rw.op(op);
        let (loc, memref, result) = (view.loc(), view.operand(0).id(), view.result(0).id());
        let element = view.result(0).ty().id();
        let indices = self.indices(op, 1);
        let cx = self.cx();
        let padding = dl_ub::poison(self.rw, element, loc);
        let attrs = self.transfer_attrs(op, indices.len());
        let mut state = OpState::of::<TransferReadOp<'_>>(loc)
            .operand_segments(cx, &[1, indices.len(), 1, 0])
            .operands([memref])
            .operands(indices)
            .operands([padding])
            .results([self.vector_type(element)]);
        for (name, attr) in attrs {
            state = state.attr(cx, name, attr);
        }
        let new = self.rw.create_value(state);
        self.vectors.insert(result, new);
    }

    fn store(&mut self, op: OpId) {
        let view = self.rw.op(op);
        let (loc, value, memref) = (view.loc(), view.operand(0).id(), view.operand(1).id());
        let vector = self.lanes(value);
        let indices = self.indices(op, 2);
        let mask = self.plan.masked.contains(&op).then(|| self.mask_of_store(op, loc));
        let cx = self.cx();
        let attrs = self.transfer_attrs(op, indices.len());
        let mut state = OpState::of::<TransferWriteOp<'_>>(loc)
            .operand_segments(cx, &[1, 1, indices.len(), usize::from(mask.is_some())])
            .operands([vector, memref])
            .operands(indices)
            .operands(mask);
        for (name, attr) in attrs {
            state = state.attr(cx, name, attr);
        }
        self.rw.create(state);
    }

    /// The mask of a store: on for lanes before the end of all loops. Its dimensions are in the order of those of the buffer.
    fn mask_of_store(&mut self, op: OpId, loc: Loc) -> ValueId {
        let along = &self.plan.accesses[&op];
        let mut order: Vec<usize> = (0..along.len()).collect();
        order.sort_unstable_by_key(|&dim| along[dim]);
        let around: Vec<OpId> =
            std::iter::successors(self.rw.ir().parent_op(op), |&at| self.rw.ir().parent_op(at)).collect();
        let mut left = Vec::new();
        for &dim in &order {
            let looping = around.iter().copied().find(|each| self.plan.dims.get(each) == Some(&dim));
            left.extend(looping.map(|looping| self.iterations_left(looping, loc)));
        }
        let sizes: Vec<i64> = order.iter().map(|&dim| self.plan.sizes[dim]).collect();
        let ty = self.cx().vector_type(&sizes, self.cx().i1_type());
        self.rw.create_value(OpState::of::<CreateMaskOp<'_>>(loc).operands(left).results([ty]))
    }

    /// The distance from the induction variable of the new loop to its end; its step counts lanes one by one.
    fn iterations_left(&mut self, looping: OpId, loc: Loc) -> ValueId {
        let (cx, affine) = (self.cx(), self.cx().affine());
        let new = self.new_loops[&looping];
        let each = loops::view(self.rw, new);
        let variable = loops::variable(self.rw, new);
        let Some(upper) = ValueMap::upper_bound(each) else { return variable };
        let data = affine.map(upper.map);
        let operands: Vec<ValueId> = upper.operands.iter().map(|value| value.id()).collect();
        if let [bound] = *data.results {
            let results = [affine.sub(bound, affine.dim(data.num_dims))];
            let map = affine.intern_map(data.num_dims + 1, data.num_symbols, results);
            let (dims, symbols) = operands.split_at(data.num_dims as usize);
            return apply(self.rw, map, &[dims, &[variable], symbols].concat(), loc);
        }
        let map = cx.affine_map_attr(upper.map);
        let state = OpState::of::<AffineMinOp<'_>>(loc).operands(operands).attr(cx, "map", map);
        let end = self.rw.create_value(state.results([cx.index_type()]));
        let scope = affine_scope(self.rw.op(new));
        let (dims, symbols, at) =
            if is_valid_symbol(self.rw.value(end), scope) { (1, 1, affine.symbol(0)) } else { (2, 0, affine.dim(1)) };
        let map = affine.intern_map(dims, symbols, [affine.sub(at, affine.dim(0))]);
        apply(self.rw, map, &[variable, end], loc)
    }

    /// Masks what the outermost loop combines with what it carries, where lanes may lie past its end.
    fn mask_reductions(&mut self, op: OpId, new: OpId, neutral: &[ValueId]) {
        if op != self.plan.root || neutral.is_empty() || !self.plan.partial.contains(&op) {
            return;
        }
        let loc = self.rw.op(new).loc();
        let left = self.iterations_left(op, loc);
        let ty = self.vector_type(self.cx().i1_type());
        let mask = self.rw.create_value(OpState::of::<CreateMaskOp<'_>>(loc).operands([left]).results([ty]));
        let end = loops::terminator(self.rw, op);
        for (at, reduction) in self.plan.reductions.iter().enumerate() {
            let combiner = self.rw.op(end).operand(at).defining_op().map(dl_ir::OpRef::id);
            if let Some(combiner) = combiner {
                self.combiners.insert(combiner, (reduction.value, mask, neutral[at]));
            }
        }
    }

    /// What lanes of what the loop carries at `at`, which is `init` at first, begin with: a value that changes nothing when it is combined with
    /// others. A sum that begins with another constant than -0.0 never becomes -0.0, so that 0.0 changes nothing there.
    fn first_lane(&self, at: usize, init: ValueId) -> Option<Attr> {
        let (cx, kind) = (self.cx(), self.plan.reductions[at].kind);
        let element = self.rw.ir().value_type(init);
        let neutral = neutral_element(cx, kind, element);
        let given = self.rw.value(init).constant().map(|constant| constant.id());
        let is_sum = kind == AtomicRMWKind::Addf && given.is_some() && given != neutral;
        if is_sum { Some(cx.float_attr(element, 0.0)) } else { neutral }
    }

    /// All lanes of what the loop carries at `at` before its first iteration.
    fn first_lanes(&mut self, at: usize, init: ValueId, loc: Loc) -> ValueId {
        let vector = self.vector_type(self.rw.ir().value_type(init));
        let value = self.first_lane(at, init);
        let splat = value.and_then(|value| self.cx().splat_attr(vector, value)).expect("lanes are numbers");
        self.constant(splat, vector, loc)
    }

    /// Combines the lanes of `vector` and the initial value.
    fn reduce(&mut self, at: usize, vector: ValueId, init: ValueId, loc: Loc) -> ValueId {
        let kind = self.plan.reductions[at].kind;
        let element = self.rw.ir().value_type(init);
        let combining = combining_kind(kind).expect("only these are reductions");
        let state =
            OpState::of::<ReductionOp<'_>>(loc).operands([vector]).attr(self.cx(), "kind", combining.attr(self.cx()));
        let value = self.rw.create_value(state.results([element]));
        let given = self.rw.value(init).constant().map(|constant| constant.id());
        if given.is_some() && given == self.first_lane(at, init) {
            return value;
        }
        let end = loops::terminator(self.rw, self.plan.root);
        let Some(combiner) = self.rw.op(end).operand(at).defining_op() else { return value };
        let (name, attrs) = (combiner.name_id(), combiner.attrs().map(|(n, a)| (n, a.id())).collect::<Vec<_>>());
        self.rw.create_value(OpState::new(name, loc).operands([value, init]).attrs(attrs).results([element]))
    }
}

fn view_map(rw: &Rewriter<'_>, op: OpId) -> Option<dl_ir::affine::AffineMap> {
    rw.op(op).attr("map")?.as_affine_map()
}

/// What combined with any value gives that value.
fn neutral_element(cx: &Context, kind: AtomicRMWKind, ty: Type) -> Option<Attr> {
    let float = |value: f64| Some(cx.float_attr(ty, value));
    let width = cx.ty(ty).int_or_float_width().unwrap_or(64).min(64);
    let (most, least) = (i64::MAX >> (64 - width), i64::MIN >> (64 - width));
    match kind {
        AtomicRMWKind::Addf => float(-0.0),
        AtomicRMWKind::Mulf => float(1.0),
        AtomicRMWKind::Minimumf => float(f64::INFINITY),
        AtomicRMWKind::Maximumf => float(f64::NEG_INFINITY),
        AtomicRMWKind::Minnumf => float(f64::NAN),
        AtomicRMWKind::Maxnumf => float(-f64::NAN),
        AtomicRMWKind::Addi | AtomicRMWKind::Ori | AtomicRMWKind::Xori | AtomicRMWKind::Maxu => {
            Some(cx.int_attr(ty, 0))
        }
        AtomicRMWKind::Muli => Some(cx.int_attr(ty, 1)),
        AtomicRMWKind::Andi | AtomicRMWKind::Minu => Some(cx.int_attr(ty, -1)),
        AtomicRMWKind::Mins => Some(cx.int_attr(ty, most)),
        AtomicRMWKind::Maxs => Some(cx.int_attr(ty, least)),
        AtomicRMWKind::Assign => None,
    }
}

fn combining_kind(kind: AtomicRMWKind) -> Option<CombiningKind> {
    Some(match kind {
        AtomicRMWKind::Addf | AtomicRMWKind::Addi => CombiningKind::Add,
        AtomicRMWKind::Mulf | AtomicRMWKind::Muli => CombiningKind::Mul,
        AtomicRMWKind::Minimumf => CombiningKind::Minimumf,
        AtomicRMWKind::Maximumf => CombiningKind::Maximumf,
        AtomicRMWKind::Minnumf => CombiningKind::Minnumf,
        AtomicRMWKind::Maxnumf => CombiningKind::Maxnumf,
        AtomicRMWKind::Mins => CombiningKind::Minsi,
        AtomicRMWKind::Maxs => CombiningKind::Maxsi,
        AtomicRMWKind::Minu => CombiningKind::Minui,
        AtomicRMWKind::Maxu => CombiningKind::Maxui,
        AtomicRMWKind::Andi => CombiningKind::And,
        AtomicRMWKind::Ori => CombiningKind::Or,
        AtomicRMWKind::Xori => CombiningKind::Xor,
        AtomicRMWKind::Assign => return None,
    })
}
