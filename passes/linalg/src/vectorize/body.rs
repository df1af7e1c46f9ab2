//! What is inside of the loops: loads, the body on vectors or elements, stores.

use dl_affine::AffineApplyOp;
use dl_arith::flags::fastmath;
use dl_arith::{AddFOp, AddIOp, Build, FastMathFlags, MulFOp};
use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::{Mapping, OpId, OpState, Trait, Type, ValueId, clone_op};
use dl_linalg::{IndexOp, LinalgOp};
use dl_memref::{LoadOp, PrefetchOp, StoreOp};
use dl_passes_vector::build::VectorBuild;
use dl_vector::{CombiningKind, MaskedLoadOp, MaskedStoreOp, StepOp};
use rustc_hash::FxHashSet;

use super::plan::{Access, Output, Plan, Varying};
use super::reduction::Reduction;

/// How many iterations of the lane loop are computed at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    /// One for each lane, or for each lane that is on.
    Lanes(Option<ValueId>),
    /// One.
    Element,
}

/// A loop nest that is being computed.
pub(super) struct Body<'r, 'c> {
    pub(super) b: Build<'r, 'c>,
    pub(super) plan: Plan,
    pub(super) operands: Vec<ValueId>,
    pub(super) first_init: usize,
    /// The current iteration of each loop that is open; the lane loop has none of its own.
    pub(super) variables: Vec<Option<ValueId>>,
    maps: Vec<AffineMap>,
    args: Vec<ValueId>,
    reads: Vec<bool>,
    yields: Vec<ValueId>,
    /// The operations, and whether what they compute differs between lanes.
    ops: Vec<(OpId, bool)>,
    /// Sums and the products in them that may be rounded once.
    contracted: FxHashSet<OpId>,
}

impl<'r, 'c> Body<'r, 'c> {
    /// Takes a nest apart; `None` where it has no body.
    pub(super) fn new(b: Build<'r, 'c>, op: OpId, plan: Plan, contracts: bool) -> Option<Self> {
        let nest = LinalgOp::of(b.op(op))?;
        let (body, yields) = (nest.body()?, nest.yielded()?);
        let varying = Varying::of(nest, plan.lane_loop, &plan.accesses);
        let first_init = nest.inits().start();
        let mut contracted = FxHashSet::default();
        for (index, output) in plan.outputs.iter().enumerate().filter(|_| contracts) {
            let reduction = Reduction::of(yields.get(index)?, body.arg(first_init + index));
            let is_sum = |it: &Reduction| it.kind == CombiningKind::Add && matches!(output, Output::Reduced(_));
            let Some(sum) = reduction.filter(is_sum) else { continue };
            let products = b.op(sum.op).operands().iter().filter_map(|operand| operand.def::<MulFOp<'_>>());
            contracted.extend(products.filter(|product| product.0.result(0).has_one_use()).map(|it| it.0.id()));
            contracted.insert(sum.op);
        }
        let operands: Vec<ValueId> = b.op(op).operands().ids().to_vec();
        Some(Self {
            first_init,
            variables: vec![None; nest.num_loops()],
            maps: nest.indexing_maps(),
            args: (0..operands.len()).map(|at| body.arg(at).id()).collect(),
            reads: (0..operands.len()).map(|at| nest.reads_operand(at)).collect(),
            yields: yields.ids().to_vec(),
            ops: body
                .ops()
                .filter(|op| !op.has_trait(&Trait::Terminator))
                .map(|op| (op.id(), varying.contains(op)))
                .collect(),
            contracted,
            operands,
            plan,
            b,
        })
    }

    /// The type of a value for `width`, given its type in the body.
    pub(super) fn widened(&self, ty: Type, width: Width) -> Type {
        match width {
            Width::Lanes(_) => self.b.cx().vector_type(&[self.plan.lanes], ty),
            Width::Element => ty,
        }
    }

    /// The element type of an operand.
    pub(super) fn element(&self, operand: usize) -> Type {
        self.b.value_type(self.operands[operand]).element_or_self().id()
    }

    /// Computes what is the same for all lanes, for the current iteration of the open loops.
    pub(super) fn shared(&mut self) -> Mapping {
        let mut mapping = Mapping::new();
        for at in 0..self.first_init {
            if !self.reads[at] || self.plan.accesses[at] != Access::Uniform {
                continue;
            }
            let value = self.operands[at];
            let value = if self.b.value_type(value).is_memref() { self.load_element(at, None) } else { value };
            mapping.map(self.args[at], value);
        }
        for (op, varies) in self.ops.clone() {
            if varies {
                continue;
            }
            match self.index_of(op).and_then(|dim| self.variables[dim]) {
                Some(variable) => mapping.map(self.b.ir().result(op, 0), variable),
                None => {
                    clone_op(&mut self.b, op, &mut mapping);
                }
            }
        }
        mapping
    }

    /// Computes the body from each of the iterations `lanes` of the lane loop on, with the accumulators for each of the inits that have one, and
    /// writes the outputs that each point writes, but those that lie across. Answers what the body hands over, for each. Operation by operation all of them are computed, so
    /// that what the machine looks at next does not wait for what it computes.
    pub(super) fn points(
        &mut self,
        shared: &Mapping,
        accumulators: &[Vec<Option<ValueId>>],
        lanes: &[ValueId],
        width: Width,
    ) -> Vec<Vec<ValueId>> {
        let mut mappings = vec![shared.clone(); lanes.len()];
        for at in 0..self.operands.len() {
            for ((mapping, accumulators), &lane) in mappings.iter_mut().zip(accumulators).zip(lanes) {
                let accumulator = at.checked_sub(self.first_init).and_then(|init| accumulators[init]);
                if let Some(value) = accumulator {
                    mapping.map(self.args[at], value);
                } else if self.reads[at] && (self.plan.accesses[at] == Access::Contiguous) {
                    let value = self.load(at, lane, width);
                    mapping.map(self.args[at], value);
                }
            }
        }
        for (op, varies) in self.ops.clone() {
            if varies {
                mappings.iter_mut().zip(lanes).for_each(|(mapping, &lane)| self.compute(op, mapping, lane, width));
            }
        }
        let yields = self.yields.clone();
        let mut yielded = Vec::with_capacity(lanes.len());
        for mapping in &mappings {
            yielded.push(yields.iter().map(|&value| self.wide(mapping.value(value), width)).collect::<Vec<_>>());
        }
        for init in 0..yields.len() {
            let operand = self.first_init + init;
            if self.plan.outputs[init] == Output::Written && self.plan.accesses[operand] != Access::Across {
                for (values, &lane) in yielded.iter().zip(lanes) {
                    self.store(operand, values[init], lane, width);
                }
            }
        }
        yielded
    }

    /// Computes an operation of the body that differs between lanes.
    fn compute(&mut self, op: OpId, mapping: &mut Mapping, lane: ValueId, width: Width) {
        let result = self.b.ir().result(op, 0);
        if self.index_of(op).is_some() {
            let value = self.lane_indices(lane, width);
            mapping.map(result, value);
            return;
        }
        if width == Width::Element {
            clone_op(&mut self.b, op, mapping);
            return;
        }
        let view = self.b.op(op);
        let cx = self.b.cx();
        let mut state =
            OpState::new(view.name_id(), view.loc()).attrs(view.attrs().map(|(name, attr)| (name, attr.id())));
        if self.contracted.contains(&op) {
            let flags = fastmath(view).union(FastMathFlags::CONTRACT).union(FastMathFlags::REASSOC);
            state.set_attr(cx.ident("fastmath"), flags.attr(cx));
        }
        let types: Vec<Type> = view.results().iter().map(|result| result.ty().id()).collect();
        let operands: Vec<ValueId> = view.operands().iter().map(|operand| mapping.value(operand.id())).collect();
        let operands: Vec<ValueId> = operands.into_iter().map(|operand| self.wide(operand, width)).collect();
        let types: Vec<Type> = types.into_iter().map(|ty| self.widened(ty, width)).collect();
        let new = self.b.create(state.operands(operands).results(types));
        let results: Vec<(ValueId, ValueId)> = self.b.ir().results(op).zip(self.b.ir().results(new)).collect();
        for (old, new) in results {
            mapping.map(old, new);
        }
    }

    /// A value for all lanes.
    pub(super) fn wide(&mut self, value: ValueId, width: Width) -> ValueId {
        let ty = self.b.value_type(value);
        if width == Width::Element || ty.is_vector() {
            return value;
        }
        let wide = self.widened(ty.id(), width);
        self.b.broadcast(value, wide)
    }

    /// The iterations of the lane loop that are computed from `lane` on.
    fn lane_indices(&mut self, lane: ValueId, width: Width) -> ValueId {
        if width == Width::Element {
            return lane;
        }
        let ty = self.widened(self.b.cx().index_type(), width);
        let step = self.b.value::<StepOp<'_>>(&[], ty);
        let lane = self.wide(lane, width);
        self.b.same::<AddIOp<'_>>(&[lane, step])
    }

    /// `index + by`.
    pub(super) fn offset(&mut self, index: ValueId, by: i64) -> ValueId {
        if by == 0 {
            return index;
        }
        let by = self.b.constant_index(by);
        self.b.same::<AddIOp<'_>>(&[index, by])
    }

    /// Makes `value` what the body reads of an input.
    pub(super) fn map_input(&self, mapping: &mut Mapping, input: usize, value: ValueId) {
        mapping.map(self.args[input], value);
    }

    /// The loop that a `linalg.index` names.
    fn index_of(&self, op: OpId) -> Option<usize> {
        let index = self.b.op(op).cast::<IndexOp<'_>>()?;
        usize::try_from(index.dim().as_int()?).ok()
    }

    /// What the lanes read of an operand from iteration `lane` on.
    pub(super) fn load(&mut self, operand: usize, lane: ValueId, width: Width) -> ValueId {
        if self.plan.accesses[operand] == Access::Uniform || width == Width::Element {
            return self.load_element(operand, Some(lane));
        }
        let indices = self.indices(operand, Some(lane));
        let memref = self.operands[operand];
        let ty = self.widened(self.element(operand), width);
        let Width::Lanes(Some(mask)) = width else {
            self.ask_ahead(operand, &indices);
            let state = OpState::of::<dl_vector::LoadOp<'_>>(self.b.loc).operands([memref]).operands(indices);
            return self.b.create_value(state.results([ty]));
        };
        let off = self.off(ty);
        let state = OpState::of::<MaskedLoadOp<'_>>(self.b.loc).operands([memref]).operands(indices);
        self.b.create_value(state.operands([mask, off]).results([ty]))
    }

    /// Asks for the vector of the next row where the plan says so.
    fn ask_ahead(&mut self, operand: usize, indices: &[ValueId]) {
        let Some(&Some((dim, step))) = self.plan.ahead.get(operand) else { return };
        let step = self.b.constant_index(step);
        let mut indices = indices.to_vec();
        indices[dim] = self.b.same::<AddIOp<'_>>(&[indices[dim], step]);
        let cx = self.b.cx();
        let state = OpState::of::<PrefetchOp<'_>>(self.b.loc).operands([self.operands[operand]]).operands(indices);
        let state = state.attr(cx, "isWrite", cx.bool_attr(false)).attr(cx, "localityHint", cx.i32_attr(3));
        self.b.create(state.attr(cx, "isDataCache", cx.bool_attr(true)));
    }

    /// What lanes that are off hold.
    fn off(&mut self, ty: Type) -> ValueId {
        match self.b.zeros(ty) {
            Some(zeros) => zeros,
            None => self.b.poison_of(ty),
        }
    }

    /// One element of an operand. The lane loop must not index it where `lane` is not given.
    pub(super) fn load_element(&mut self, operand: usize, lane: Option<ValueId>) -> ValueId {
        let indices = self.indices(operand, lane);
        let (memref, element) = (self.operands[operand], self.element(operand));
        let state = OpState::of::<LoadOp<'_>>(self.b.loc).operands([memref]).operands(indices);
        self.b.create_value(state.results([element]))
    }

    /// Writes what the lanes hold to an operand, from iteration `lane` on.
    pub(super) fn store(&mut self, operand: usize, value: ValueId, lane: ValueId, width: Width) {
        let indices = self.indices(operand, Some(lane));
        let memref = self.operands[operand];
        let loc = self.b.loc;
        let state = match width {
            _ if !self.b.value_type(value).is_vector() => OpState::of::<StoreOp<'_>>(loc).operands([value, memref]),
            Width::Lanes(Some(mask)) => {
                let state = OpState::of::<MaskedStoreOp<'_>>(loc).operands([memref]).operands(indices);
                self.b.create(state.operands([mask, value]));
                return;
            }
            Width::Lanes(None) | Width::Element => {
                let state = OpState::of::<dl_vector::StoreOp<'_>>(loc).operands([value, memref]);
                match self.vector_bytes(operand) {
                    Some(bytes) if self.plan.streamed[operand - self.first_init] => {
                        let cx = self.b.cx();
                        state.attr(cx, "nontemporal", cx.bool_attr(true)).attr(cx, "alignment", cx.i64_attr(bytes))
                    }
                    _ => state,
                }
            }
        };
        self.b.create(state.operands(indices));
    }

    /// The size of a vector of elements of an operand.
    fn vector_bytes(&self, operand: usize) -> Option<i64> {
        let bits = self.b.cx().ty(self.element(operand)).int_or_float_width()?;
        Some(self.plan.lanes * i64::from(bits / 8))
    }

    /// Writes one element to an operand that the lane loop does not index.
    pub(super) fn store_element(&mut self, operand: usize, value: ValueId) {
        let indices = self.indices(operand, None);
        let state = OpState::of::<StoreOp<'_>>(self.b.loc).operands([value, self.operands[operand]]);
        self.b.create(state.operands(indices));
    }

    /// One value for each dimension of an operand.
    fn indices(&mut self, operand: usize, lane: Option<ValueId>) -> Vec<ValueId> {
        let results: Vec<AffineExpr> = self.b.cx().affine().map(self.maps[operand]).results.to_vec();
        let mut variables = self.variables.clone();
        if lane.is_some() {
            variables[self.plan.lane_loop] = lane;
        }
        results.into_iter().map(|expr| self.index(expr, &variables)).collect()
    }

    /// The value of an expression of the loops.
    fn index(&mut self, expr: AffineExpr, variables: &[Option<ValueId>]) -> ValueId {
        let (cx, affine) = (self.b.cx(), self.b.cx().affine());
        let of_loop = affine.dim_position(expr).and_then(|dim| variables.get(dim as usize).copied().flatten());
        if let Some(variable) = of_loop {
            return variable;
        }
        if let Some(value) = affine.constant_value(expr) {
            return self.b.constant_index(value);
        }
        let used = |at: usize| affine.is_function_of_dim(expr, at as u32);
        let operands: Vec<ValueId> =
            variables.iter().enumerate().filter(|(at, _)| used(*at)).filter_map(|(_, variable)| *variable).collect();
        let map = affine.intern_map(variables.len() as u32, 0, [expr]);
        let map = affine.drop_unused_dims(&[map])[0];
        let state = OpState::of::<AffineApplyOp<'_>>(self.b.loc).attr(cx, "map", cx.affine_map_attr(map));
        self.b.create_value(state.operands(operands).results([cx.index_type()]))
    }

    /// Two values of a reduction combined.
    pub(super) fn combine(&mut self, reduction: Reduction, value: ValueId, acc: ValueId) -> ValueId {
        let cx = self.b.cx();
        if reduction.selects {
            return self.choose(reduction.kind, value, acc);
        }
        let view = self.b.op(reduction.op);
        let flags = fastmath(view).union(FastMathFlags::REASSOC);
        let is_sum = view.is::<AddFOp<'_>>() || view.is::<MulFOp<'_>>();
        let flags = if is_sum { Some(flags.attr(cx)) } else { view.attr("fastmath").map(|attr| attr.id()) };
        self.b.combine(reduction.kind, value, acc, flags, None)
    }

    /// `value` where it is less or greater than `acc`, else that.
    fn choose(&mut self, kind: CombiningKind, value: ValueId, acc: ValueId) -> ValueId {
        use dl_arith::{CmpFOp, CmpFPredicate};
        let cx = self.b.cx();
        let predicate = if kind == CombiningKind::Maxnumf { CmpFPredicate::Ogt } else { CmpFPredicate::Olt };
        let ty = self.b.value_type(value);
        let bit = cx.i1_type();
        let ty = if ty.is_vector() { cx.vector_type(&[self.plan.lanes], bit) } else { bit };
        let attr = cx.i64_attr(predicate.value() as i64);
        let better = self.b.value_with::<CmpFOp<'_>>(&[value, acc], ty, &[("predicate", attr)]);
        self.b.select(better, value, acc)
    }
}
