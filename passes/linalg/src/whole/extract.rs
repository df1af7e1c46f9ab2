//! Elements of tensors that the body of a nest takes: gathered, or read as a vector where they lie side by side.

use dl_arith::{AddIOp, ConstantOp, MulIOp};
use dl_ir::affine::AffineExpr;
use dl_ir::{OpId, OpState, Type, ValueId, ValueRef};
use dl_linalg::{IndexOp, LinalgOp};
use dl_passes_vector::build::VectorBuild;
use dl_passes_vector::masked;
use dl_passes_vector::transfer::{Direction, Transfer, in_bounds_attr};
use dl_tensor::{DimOp, ExtractOp};
use dl_vector::types::{extents, vector_type};
use dl_vector::{ConstantMaskOp, GatherOp};
use rustc_hash::FxHashSet;

use super::body::Body;

/// Where the elements lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pattern {
    /// All are the same one.
    Same,
    /// Side by side along the last dimension.
    Row,
    /// Anywhere.
    Apart,
}

impl Body<'_, '_> {
    /// What a `tensor.extract` gives.
    pub(super) fn extracted(&mut self, op: OpId) -> ValueId {
        let b = &mut self.space.b;
        let (cx, bit) = (b.cx(), b.cx().i1_type());
        let tensor = b.op(op).operand(0).id();
        let element = b.value_type(b.ir().result(op, 0)).id();
        let all = self.space.all();
        let [ty, mask_type] = [element, bit].map(|element| self.space.vector_type(element, all));
        let b = &mut self.space.b;
        let on = b.constant(cx.splat_attr(mask_type, cx.bool_attr(true)).expect("a vector of booleans"), mask_type);
        let off = b.zeros(ty).expect("elements of vectors have a zero");
        let zero = b.constant_index(0);
        let count = b.op(op).num_operands() - 1;
        let pattern = self.pattern(op, ty);
        if pattern == Pattern::Apart {
            let offsets = self.offsets(op, tensor);
            let state = OpState::of::<GatherOp<'_>>(self.space.b.loc)
                .operands([tensor])
                .operands(std::iter::repeat_n(zero, count))
                .operands([offsets, on, off])
                .results([ty]);
            let gather = self.space.create_masked(state, all);
            return self.space.b.ir().result(gather, 0);
        }
        let indices = (0..count).map(|index| self.first_index(op, index, ty)).collect();
        let (affine, rank) = (cx.affine(), extents(cx.ty(ty)).len());
        let zero = affine.constant(0);
        let results: Vec<AffineExpr> = if pattern == Pattern::Same {
            vec![zero; rank]
        } else {
            let dims = (count.saturating_sub(rank)..count).map(|dim| affine.dim(dim as u32));
            std::iter::repeat_n(zero, rank.saturating_sub(count)).chain(dims).collect()
        };
        let padding = self.space.b.poison_of(element);
        let map = affine.intern_map(count as u32, 0, results);
        let transfer =
            Transfer { base: tensor, indices, map, mask: None, direction: Direction::Read { vector: ty, padding } };
        let state = transfer.state(cx, self.space.b.loc, in_bounds_attr(cx, &vec![true; rank]));
        let read = if pattern == Pattern::Same {
            let ty = cx.vector_type(&[1], bit);
            let one =
                self.space.b.value_with::<ConstantMaskOp<'_>>(&[], ty, &[("mask_dim_sizes", cx.dense_i64_array(&[1]))]);
            masked(&mut self.space.b, state, Some(one))
        } else {
            self.space.create_masked(state, all)
        };
        self.space.b.ir().result(read, 0)
    }

    /// An index of the first element.
    fn first_index(&mut self, op: OpId, index: usize, ty: Type) -> ValueId {
        let value = self.operand(op, index + 1);
        let b = &mut self.space.b;
        let (cx, of) = (b.cx(), b.value_type(value));
        if !of.is_vector() {
            return value;
        }
        let row = extents(cx.ty(ty)).last().copied().unwrap_or(1);
        if of.num_elements() != u64::try_from(row).ok() {
            return b.part(value, &vec![0; extents(of).len()]);
        }
        let scalable = cx.ty(ty).scalable_dims().last().copied().unwrap_or(false);
        let row = b.shape_cast(value, vector_type(cx, &[row], &[scalable], cx.index_type()));
        b.part(row, &[0])
    }

    /// How many elements before each of those that are taken the tensor has.
    fn offsets(&mut self, op: OpId, tensor: ValueId) -> ValueId {
        let index = self.space.b.cx().index_type();
        let ty = self.space.vector_type(index, self.space.all());
        let count = self.space.b.op(op).num_operands() - 1;
        let first = self.operand(op, 1);
        let mut offsets = self.broadcast_to(first, ty);
        for dim in 1..count {
            let at = self.space.b.constant_index(dim as i64);
            let extent = self.space.b.value::<DimOp<'_>>(&[tensor, at], index);
            let extent = self.broadcast_to(extent, ty);
            let rows = self.space.b.same::<MulIOp<'_>>(&[offsets, extent]);
            let next = self.operand(op, dim + 1);
            let next = self.broadcast_to(next, ty);
            offsets = self.space.b.same::<AddIOp<'_>>(&[next, rows]);
        }
        offsets
    }

    /// Where the elements lie that a vector of type `ty` is made of.
    fn pattern(&mut self, op: OpId, ty: Type) -> Pattern {
        let all = self.space.all();
        let is_masked = self.space.mask(all).is_some();
        let nest = self.nest();
        let extract = ExtractOp(self.space.b.op(op));
        let shape = extract.tensor().ty().shape().unwrap_or(&[]);
        let (vector, trips) = (self.space.b.cx().ty(ty), nest.static_loop_ranges().unwrap_or_default());
        let extents = extents(vector);
        let Some((last, leading)) = shape.split_last() else { return Pattern::Same };
        debug_assert!(*last != 0, "there is no element of it");
        if extents.iter().filter(|&&extent| extent > 1).count() != 1 {
            return Pattern::Apart;
        }
        let indices: Vec<ValueRef<'_>> = extract.indices().iter().collect();
        let stays = |at: usize| leading[at] == 1 || is_invariant(nest, &trips, indices[at]);
        let Some(&row) = indices.last().filter(|_| (0..leading.len()).all(stays)) else { return Pattern::Apart };
        if is_invariant(nest, &trips, row) {
            return Pattern::Same;
        }
        // Of a mask there are as many dimensions as the tensor has.
        let fits = extents.last() != Some(&1) && (!is_masked || extents.len() <= shape.len());
        if fits && counts_up(nest, &trips, row) { Pattern::Row } else { Pattern::Apart }
    }
}

/// Whether `value` is the same for all iterations of the nest.
fn is_invariant(nest: LinalgOp<'_>, trips: &[i64], value: ValueRef<'_>) -> bool {
    let (mut pending, mut seen) = (vec![value], FxHashSet::default());
    while let Some(value) = pending.pop() {
        if !value.is_defined_in(nest.op()) || !seen.insert(value.id()) {
            continue;
        }
        let Some(maker) = value.defining_op() else { return false };
        match maker.cast::<IndexOp<'_>>().and_then(|index| index.dim().as_int()) {
            Some(dim) if usize::try_from(dim).ok().and_then(|dim| trips.get(dim)) != Some(&1) => return false,
            Some(_) => {}
            None if maker.is::<ConstantOp<'_>>() => {}
            None => pending.extend(maker.operands().iter()),
        }
    }
    true
}

/// Whether `value` is the iteration of the innermost loop that runs more than once, and what stays the same.
fn counts_up(nest: LinalgOp<'_>, trips: &[i64], value: ValueRef<'_>) -> bool {
    let last = trips.iter().rposition(|&trips| trips != 1).unwrap_or(0);
    let (mut pending, mut found) = (vec![value], 0);
    while let Some(value) = pending.pop() {
        if is_invariant(nest, trips, value) {
            continue;
        }
        let Some(maker) = value.defining_op() else { return false };
        let index = maker.cast::<IndexOp<'_>>().and_then(|index| index.dim().as_int());
        if index.is_some_and(|dim| usize::try_from(dim) == Ok(last)) && found == 0 {
            found += 1;
        } else if maker.is::<AddIOp<'_>>() {
            pending.extend(maker.operands().iter());
        } else {
            return false;
        }
    }
    found == 1
}
