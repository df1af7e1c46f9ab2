//! The body of a nest on vectors.

use dl_arith::ConstantOp;
use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::rewrite::create_or_fold;
use dl_ir::{DYNAMIC, Mapping, OpId, OpRef, OpState, Trait, Type, ValueId, clone_op};
use dl_linalg::{IndexOp, IteratorType, LinalgOp};
use dl_passes_vector::build::VectorBuild;
use dl_passes_vector::transfer::{Direction, Transfer, in_bounds_attr};
use dl_tensor::ExtractOp;
use dl_vector::types::{extents, is_broadcastable, kept_dims, vector_type};
use dl_vector::{BroadcastOp, MultiDimReductionOp, StepOp};

use super::space::Space;
use crate::combiner::{combined_value, combining_kind};

/// A nest whose body is being computed on vectors.
pub(super) struct Body<'r, 'c> {
    pub(super) space: Space<'r, 'c>,
    /// The nest.
    pub(super) op: OpId,
    /// What stands for the values of the body. Those from outside stand for themselves: they are made vectors where they are used.
    pub(super) values: Mapping,
}

impl<'r, 'c> Body<'r, 'c> {
    pub(super) fn new(space: Space<'r, 'c>, op: OpId) -> Self {
        Self { space, op, values: Mapping::new() }
    }

    pub(super) fn nest(&self) -> LinalgOp<'_> {
        LinalgOp::of(self.space.b.op(self.op)).expect("a nest")
    }

    /// Computes the nest; answers what is to be instead of its results.
    pub(super) fn compute(mut self) -> Vec<ValueId> {
        self.read_operands();
        let ops: Vec<OpId> = self.nest().body().into_iter().flat_map(|body| body.ops()).map(OpRef::id).collect();
        let mut results = Vec::new();
        for op in ops {
            let view = self.space.b.op(op);
            if view.has_trait(&Trait::Terminator) {
                results = self.write_results(op);
            } else if let Some(dim) = view.cast::<IndexOp<'_>>().and_then(|index| index.dim().as_int()) {
                let indices = self.indices(dim as usize);
                self.replace(op, indices);
            } else if view.is::<ExtractOp<'_>>() {
                let elements = self.extracted(op);
                self.replace(op, elements);
            } else if view.is::<ConstantOp<'_>>() {
                clone_op(&mut self.space.b, op, &mut self.values);
            } else if let Some(reduced) = self.reduced(op) {
                self.replace(op, reduced);
            } else {
                self.compute_elements(op);
            }
        }
        results
    }

    fn replace(&mut self, op: OpId, value: ValueId) {
        let result = self.space.b.ir().result(op, 0);
        self.values.map(result, value);
    }

    /// What stands for an operand of an operation of the body.
    pub(super) fn operand(&self, op: OpId, index: usize) -> ValueId {
        self.values.value(self.space.b.op(op).operand(index).id())
    }

    /// Reads all operands.
    fn read_operands(&mut self) {
        let nest = self.nest();
        let (maps, first_init) = (nest.indexing_maps(), nest.inits().start());
        let operands: Vec<ValueId> = nest.op().operands().ids().to_vec();
        let Some(body) = nest.body() else { return };
        let args: Vec<ValueId> = body.args().map(|arg| arg.id()).collect();
        let zero = self.space.b.constant_index(0);
        for (at, (&operand, &arg)) in operands.iter().zip(&args).enumerate() {
            let is_scalar =
                !self.space.b.value_type(operand).has_rank() || self.space.b.value_type(operand).is_vector();
            let value = if is_scalar { operand } else { self.read(operand, maps[at], at < first_init, zero) };
            self.values.map(arg, value);
        }
    }

    /// Reads an operand: an input as a vector of all loops, an output as one of the loops that are dimensions of it.
    fn read(&mut self, operand: ValueId, map: AffineMap, is_input: bool, zero: ValueId) -> ValueId {
        let (cx, affine) = (self.space.b.cx(), self.space.b.cx().affine());
        let element = self.space.b.value_type(operand).element_or_self().id();
        let (read_map, ty) = if is_input {
            let all = self.space.all();
            (affine.inverse_projected_permutation(map), self.space.vector_type(element, all))
        } else {
            (self.inverse(map), self.space.vector_type(element, self.kept_loops(map)))
        };
        let read_map = read_map.expect("a projected permutation");
        let rank = affine.map(map).results.len();
        let padding = self.space.b.poison_of(element);
        let transfer = Transfer {
            base: operand,
            indices: std::iter::repeat_n(zero, rank).collect(),
            map: read_map,
            mask: None,
            direction: Direction::Read { vector: ty, padding },
        };
        let read = self.transfer(&transfer, map);
        let value = self.space.b.ir().result(read, 0);
        if extents(cx.ty(ty)).is_empty() { self.space.b.part(value, &[]) } else { value }
    }

    /// The loops that are dimensions of an operand, in the order of the loops.
    fn kept_loops(&self, map: AffineMap) -> AffineMap {
        let affine = self.space.b.cx().affine();
        let data = affine.map(map);
        let kept: Vec<AffineExpr> =
            (0..data.num_dims).map(|dim| affine.dim(dim)).filter(|dim| data.results.contains(dim)).collect();
        affine.intern_map(data.num_dims, 0, kept)
    }

    /// From the dimensions of an operand to the loops that it has, in their order.
    fn inverse(&self, map: AffineMap) -> Option<AffineMap> {
        let affine = self.space.b.cx().affine();
        affine.inverse_permutation(affine.drop_unused_dims(&[map])[0])
    }

    /// Writes what the body hands on.
    fn write_results(&mut self, terminator: OpId) -> Vec<ValueId> {
        let nest = self.nest();
        let (maps, first_init) = (nest.indexing_maps(), nest.inits().start());
        let inits: Vec<ValueId> = nest.inits().ids().to_vec();
        let mut results = Vec::new();
        for (at, init) in inits.into_iter().enumerate() {
            let value = self.operand(terminator, at);
            results.extend(self.write(value, init, maps[first_init + at]));
        }
        results
    }

    fn write(&mut self, value: ValueId, init: ValueId, map: AffineMap) -> Option<ValueId> {
        let (cx, affine) = (self.space.b.cx(), self.space.b.cx().affine());
        let base = self.space.b.value_type(init);
        let ty = self.space.vector_type(base.element_or_self().id(), self.kept_loops(map));
        let is_scalar = extents(cx.ty(ty)).is_empty();
        let rank = affine.map(map).results.len();
        let write_map = if is_scalar {
            affine.minor_identity_map(rank as u32, 0)
        } else {
            self.inverse(map).expect("a projected permutation")
        };
        let zero = self.space.b.constant_index(0);
        let vector = if is_scalar && !self.space.b.value_type(value).is_vector() {
            self.space.b.broadcast(value, ty)
        } else {
            self.broadcast_to(value, ty)
        };
        let transfer = Transfer {
            base: init,
            indices: std::iter::repeat_n(zero, rank).collect(),
            map: write_map,
            mask: None,
            direction: Direction::Write { vector, result: base.is_tensor().then(|| base.id()) },
        };
        let write = self.transfer(&transfer, map);
        self.space.b.ir().results(write).next()
    }

    /// Makes a transfer of an operand with this map. What is masked is in bounds.
    fn transfer(&mut self, transfer: &Transfer, map: AffineMap) -> OpId {
        let (cx, affine) = (self.space.b.cx(), self.space.b.cx().affine());
        let loops = dims_of(affine, map);
        let is_masked = self.space.mask(loops).is_some();
        let shape = self.space.b.value_type(transfer.base).shape().unwrap_or(&[]);
        let is_taken_to_fit = |&expr: &AffineExpr| {
            let extent = affine.dim_position(expr).and_then(|dim| shape.get(dim as usize));
            self.space.fills_dynamic && extent == Some(&DYNAMIC)
        };
        let results = &affine.map(transfer.map).results;
        let bounds: Vec<bool> = results.iter().map(|expr| is_masked || is_taken_to_fit(expr)).collect();
        let state = transfer.state(cx, self.space.b.loc, in_bounds_attr(cx, &bounds));
        self.space.create_masked(state, loops)
    }

    /// `value` as a vector of type `ty`, where it can be repeated to that.
    pub(super) fn broadcast_to(&mut self, value: ValueId, ty: Type) -> ValueId {
        let (from, to) = (self.space.b.value_type(value), self.space.b.cx().ty(ty));
        if extents(to).is_empty() || from == to || !is_broadcastable(from, to) {
            return value;
        }
        let state = OpState::of::<BroadcastOp<'_>>(self.space.b.loc).operands([value]).results([ty]);
        create_or_fold(&mut self.space.b, state)[0]
    }

    /// The iterations of loop `dim`, for each element of a vector.
    fn indices(&mut self, dim: usize) -> ValueId {
        let rank = self.space.shape.len();
        let (cx, index) = (self.space.b.cx(), self.space.b.cx().index_type());
        let ty = vector_type(cx, &[self.space.shape[dim]], &[self.space.is_scalable(dim)], index);
        let step = self.space.b.value::<StepOp<'_>>(&[], ty);
        if dim + 1 == rank {
            return step;
        }
        let mut order: Vec<u32> = (0..rank as u32).collect();
        order.swap(dim, rank - 1);
        let map = cx.affine().multi_dim_map(rank as u32, &order).expect("loops");
        let ty = self.space.vector_type(index, map);
        let wide = self.space.b.broadcast(step, ty);
        let order: Vec<i64> = order.into_iter().map(i64::from).collect();
        self.space.b.transpose(wide, &order)
    }

    /// What an operation that takes elements to an accumulator gives, where they are to be reduced.
    fn reduced(&mut self, op: OpId) -> Option<ValueId> {
        let nest = self.nest();
        let (body, first_init) = (nest.body()?, nest.inits().start());
        let view = self.space.b.op(op);
        let is_acc = |value: &dl_ir::ValueRef<'_>| {
            value.owner_block() == Some(body) && value.defining_op().is_none() && value.index() >= first_init
        };
        let acc = view.operands().iter().find(is_acc)?;
        let element = combined_value(acc, acc.index() - first_init)?;
        let reduces: Vec<bool> = nest.iterator_types().iter().map(|&it| it == IteratorType::Reduction).collect();
        let kind = combining_kind(view);
        let [source, acc] = [element, acc].map(|value| self.values.value(value.id()));
        let (from, to) = (self.space.b.value_type(source), self.space.b.value_type(acc));
        if !from.is_vector() || (to.is_vector() && extents(from) == extents(to)) {
            return None;
        }
        let cx = self.space.b.cx();
        let dims: Vec<i64> = (0..).zip(reduces).filter(|(_, reduces)| *reduces).map(|(dim, _)| dim).collect();
        let loc = self.space.b.op(op).loc();
        let state = OpState::of::<MultiDimReductionOp<'_>>(loc)
            .operands([source, acc])
            .attr(cx, "kind", kind?.attr(cx))
            .attr(cx, "reduction_dims", cx.dense_i64_array(&dims))
            .results([to.id()]);
        let all = self.space.all();
        let made = self.space.create_masked(state, all);
        Some(self.space.b.ir().result(made, 0))
    }

    /// Computes an operation on vectors of the shape of its first operand of most dimensions.
    fn compute_elements(&mut self, op: OpId) {
        let operands: Vec<ValueId> =
            (0..self.space.b.op(op).num_operands()).map(|index| self.operand(op, index)).collect();
        let types = operands.iter().map(|&operand| self.space.b.value_type(operand)).filter(|ty| ty.is_vector());
        let widest = types.reduce(|widest, ty| if extents(ty).len() > extents(widest).len() { ty } else { widest });
        let view = self.space.b.op(op);
        let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let (name, loc) = (view.name_id(), view.loc());
        let scalars: Vec<Type> = view.results().types().to_vec();
        let (operands, results) = match widest {
            Some(widest) => {
                let (shape, scalable) = kept_dims(widest, |_| true);
                let cx = self.space.b.cx();
                let wide = |element: Type| vector_type(cx, &shape, &scalable, element);
                let operands: Vec<ValueId> = operands
                    .into_iter()
                    .map(|operand| {
                        let element = self.space.b.value_type(operand).element_or_self().id();
                        self.broadcast_to(operand, wide(element))
                    })
                    .collect();
                (operands, scalars.into_iter().map(wide).collect())
            }
            None => (operands, scalars),
        };
        let state = OpState::new(name, loc).attrs(attrs).operands(operands).results(results);
        let made = self.space.b.create(state);
        let pairs: Vec<(ValueId, ValueId)> =
            self.space.b.ir().results(op).zip(self.space.b.ir().results(made)).collect();
        pairs.into_iter().for_each(|(old, new)| self.values.map(old, new));
    }
}

/// The map without results that are constants.
fn dims_of(affine: &dl_ir::affine::AffineStore, map: AffineMap) -> AffineMap {
    let data = affine.map(map);
    let dims: Vec<AffineExpr> =
        data.results.iter().copied().filter(|&expr| affine.dim_position(expr).is_some()).collect();
    affine.intern_map(data.num_dims, 0, dims)
}
