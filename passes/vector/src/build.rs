//! Making `vector` operations in a row.

use dl_arith::Build;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::split;
use dl_ir::{Attr, Context, OpState, Type, TypeRef, ValueId};
use dl_vector::types::{extents, kept_dims, vector_type};
use dl_vector::{
    BroadcastOp, CombiningKind, CreateMaskOp, ExtractOp, ExtractStridedSliceOp, InsertOp, InsertStridedSliceOp,
    ShapeCastOp, ShuffleOp, TransposeOp, combining,
};
use smallvec::SmallVec;

/// What a [`Build`] can make of the `vector` dialect.
pub trait VectorBuild {
    /// `vector.extract source[position]`.
    fn part(&mut self, source: ValueId, position: &[i64]) -> ValueId;

    /// The same at a position that is known only when running.
    fn part_at(&mut self, source: ValueId, position: &[Index]) -> ValueId;

    /// `vector.insert value, dest[position]`.
    fn with_part(&mut self, value: ValueId, dest: ValueId, position: &[i64]) -> ValueId;

    /// The same at a position that is known only when running.
    fn with_part_at(&mut self, value: ValueId, dest: ValueId, position: &[Index]) -> ValueId;

    /// `vector.broadcast`.
    fn broadcast(&mut self, value: ValueId, ty: Type) -> ValueId;

    /// `vector.shuffle a, b mask`.
    fn shuffle(&mut self, a: ValueId, b: ValueId, mask: &[i64]) -> ValueId;

    /// `vector.shape_cast`.
    fn shape_cast(&mut self, value: ValueId, ty: Type) -> ValueId;

    /// `vector.transpose`.
    fn transpose(&mut self, value: ValueId, permutation: &[i64]) -> ValueId;

    /// The columns of a square of which `rows`, a power of two of them, are the rows: by shuffles of two rows.
    fn transposed_rows(&mut self, rows: Vec<ValueId>) -> Vec<ValueId>;

    /// `vector.extract_strided_slice` with unit strides along the leading dimensions.
    fn slice(&mut self, source: ValueId, offsets: &[i64], sizes: &[i64]) -> ValueId;

    /// `vector.insert_strided_slice` with unit strides.
    fn with_slice(&mut self, part: ValueId, dest: ValueId, offsets: &[i64]) -> ValueId;

    /// `vector.create_mask`.
    fn create_mask(&mut self, sizes: &[ValueId], ty: Type) -> ValueId;

    /// `ub.poison`.
    fn poison_of(&mut self, ty: Type) -> ValueId;

    /// `arith.constant` of zeros; `None` for a type that has none.
    fn zeros(&mut self, ty: Type) -> Option<ValueId>;

    /// `combined` where `mask` is on, `otherwise` elsewhere; `combined` where there is no mask.
    fn passthru(&mut self, mask: Option<ValueId>, combined: ValueId, otherwise: ValueId) -> ValueId;

    /// The two combined as `kind` says where `mask` is on, `acc` elsewhere.
    fn combine(
        &mut self,
        kind: CombiningKind,
        value: ValueId,
        acc: ValueId,
        fastmath: Option<Attr>,
        mask: Option<ValueId>,
    ) -> ValueId;
}

impl VectorBuild for Build<'_, '_> {
    fn part(&mut self, source: ValueId, position: &[i64]) -> ValueId {
        let attr = self.cx().dense_i64_array(position);
        let state = OpState::of::<ExtractOp<'_>>(self.loc).operands([source]);
        let state = state.attr(self.cx(), "static_position", attr);
        self.create_value(state)
    }

    fn part_at(&mut self, source: ValueId, position: &[Index]) -> ValueId {
        let (known, values) = split(position);
        let attr = self.cx().dense_i64_array(&known);
        let state = OpState::of::<ExtractOp<'_>>(self.loc).operands([source]).operands(values);
        let state = state.attr(self.cx(), "static_position", attr);
        self.create_value(state)
    }

    fn with_part(&mut self, value: ValueId, dest: ValueId, position: &[i64]) -> ValueId {
        let (ty, attr) = (self.ir().value_type(dest), self.cx().dense_i64_array(position));
        self.value_with::<InsertOp<'_>>(&[value, dest], ty, &[("static_position", attr)])
    }

    fn with_part_at(&mut self, value: ValueId, dest: ValueId, position: &[Index]) -> ValueId {
        let (known, values) = split(position);
        let (ty, attr) = (self.ir().value_type(dest), self.cx().dense_i64_array(&known));
        let operands: SmallVec<[ValueId; 4]> = [value, dest].into_iter().chain(values).collect();
        self.value_with::<InsertOp<'_>>(&operands, ty, &[("static_position", attr)])
    }

    fn broadcast(&mut self, value: ValueId, ty: Type) -> ValueId {
        self.value::<BroadcastOp<'_>>(&[value], ty)
    }

    fn shuffle(&mut self, a: ValueId, b: ValueId, mask: &[i64]) -> ValueId {
        let attr = self.cx().dense_i64_array(mask);
        let state = OpState::of::<ShuffleOp<'_>>(self.loc).operands([a, b]).attr(self.cx(), "mask", attr);
        self.create_value(state)
    }

    fn shape_cast(&mut self, value: ValueId, ty: Type) -> ValueId {
        self.value::<ShapeCastOp<'_>>(&[value], ty)
    }

    fn transpose(&mut self, value: ValueId, permutation: &[i64]) -> ValueId {
        let (cx, ty) = (self.cx(), self.value_type(value));
        let ty = transposed(ty, permutation);
        let attr = cx.dense_i64_array(permutation);
        self.value_with::<TransposeOp<'_>>(&[value], ty, &[("permutation", attr)])
    }

    /// Quarters trade places, then the quarters of each, down to single elements: two vectors become two others at each step (Eklundh, "A fast computer
    /// method for matrix transposing", 1972).
    fn transposed_rows(&mut self, mut rows: Vec<ValueId>) -> Vec<ValueId> {
        let count = rows.len();
        let mut half = count / 2;
        while half > 0 {
            // Lane `lane` of the vectors that are made of rows `at` and `at + half`: of the halves that come first, and of those that come last.
            let (mut first, mut last) = (Vec::new(), Vec::new());
            for lane in 0..count {
                first.push(if lane & half == 0 { lane } else { count + lane - half } as i64);
                last.push(if lane & half == 0 { lane + half } else { count + lane } as i64);
            }
            for at in (0..count).filter(|at| at & half == 0) {
                let (upper, lower) = (rows[at], rows[at + half]);
                rows[at] = self.shuffle(upper, lower, &first);
                rows[at + half] = self.shuffle(upper, lower, &last);
            }
            half /= 2;
        }
        rows
    }

    fn slice(&mut self, source: ValueId, offsets: &[i64], sizes: &[i64]) -> ValueId {
        let (cx, ty) = (self.cx(), self.value_type(source));
        let (mut shape, scalable) = kept_dims(ty, |_| true);
        shape[..sizes.len()].copy_from_slice(sizes);
        let part = vector_type(cx, &shape, &scalable, ty.element_or_self().id());
        let attrs = [
            ("offsets", numbers(cx, offsets)),
            ("sizes", numbers(cx, sizes)),
            ("strides", numbers(cx, &vec![1; offsets.len()])),
        ];
        self.value_with::<ExtractStridedSliceOp<'_>>(&[source], part, &attrs)
    }

    fn with_slice(&mut self, part: ValueId, dest: ValueId, offsets: &[i64]) -> ValueId {
        let (cx, ty) = (self.cx(), self.ir().value_type(dest));
        let rank = extents(self.value_type(part)).len();
        let attrs = [("offsets", numbers(cx, offsets)), ("strides", numbers(cx, &vec![1; rank]))];
        self.value_with::<InsertStridedSliceOp<'_>>(&[part, dest], ty, &attrs)
    }

    fn create_mask(&mut self, sizes: &[ValueId], ty: Type) -> ValueId {
        self.value::<CreateMaskOp<'_>>(sizes, ty)
    }

    fn poison_of(&mut self, ty: Type) -> ValueId {
        let attr = self.cx().dialect_attr("ub.poison", &[]);
        self.value_with::<dl_ub::PoisonOp<'_>>(&[], ty, &[("value", attr)])
    }

    fn zeros(&mut self, ty: Type) -> Option<ValueId> {
        let zero = self.cx().zero_attr(ty)?;
        Some(self.constant(zero, ty))
    }

    fn passthru(&mut self, mask: Option<ValueId>, combined: ValueId, otherwise: ValueId) -> ValueId {
        mask.map_or(combined, |mask| self.select(mask, combined, otherwise))
    }

    fn combine(
        &mut self,
        kind: CombiningKind,
        value: ValueId,
        acc: ValueId,
        fastmath: Option<Attr>,
        mask: Option<ValueId>,
    ) -> ValueId {
        let (cx, ty) = (self.cx(), self.value_type(value));
        let float = ty.element_or_self().is_float();
        let state = OpState::named(combining(kind, float), self.loc).operands([value, acc]).results([ty.id()]);
        let state = state.maybe_attr(cx, "fastmath", fastmath.filter(|_| float));
        let combined = dl_ir::rewrite::create_or_fold(self, state)[0];
        self.passthru(mask, combined, acc)
    }
}

/// An array of 64-bit integers, as slices store offsets.
fn numbers(cx: &Context, values: &[i64]) -> Attr {
    cx.array_attr(&values.iter().map(|&value| cx.i64_attr(value)).collect::<Vec<_>>())
}

/// A vector type with its dimensions permuted.
pub fn transposed(ty: TypeRef<'_>, permutation: &[i64]) -> Type {
    let (shape, scalable) = kept_dims(ty, |_| true);
    let at = |dim: &i64| usize::try_from(*dim).ok();
    let new_shape: Vec<i64> = permutation.iter().filter_map(|dim| shape.get(at(dim)?).copied()).collect();
    let new_scalable: Vec<bool> = permutation.iter().filter_map(|dim| scalable.get(at(dim)?).copied()).collect();
    vector_type(ty.cx(), &new_shape, &new_scalable, ty.element_or_self().id())
}

/// A vector type without its first `count` dimensions.
pub fn without_leading(ty: TypeRef<'_>, count: usize) -> Type {
    let (shape, scalable) = kept_dims(ty, |i| i >= count);
    vector_type(ty.cx(), &shape, &scalable, ty.element_or_self().id())
}

/// The positions in a box of these extents, in row-major order.
pub fn positions(extents: &[i64]) -> Positions {
    let empty = extents.iter().any(|&extent| extent <= 0);
    Positions { extents: extents.into(), next: (!empty).then(|| smallvec::smallvec![0; extents.len()]) }
}

/// See [`positions`].
pub struct Positions {
    extents: SmallVec<[i64; 4]>,
    next: Option<SmallVec<[i64; 4]>>,
}

impl Iterator for Positions {
    type Item = SmallVec<[i64; 4]>;

    fn next(&mut self) -> Option<Self::Item> {
        let current = self.next.clone()?;
        self.next = None;
        let mut next = current.clone();
        for (at, &extent) in next.iter_mut().zip(&self.extents).rev() {
            *at += 1;
            if *at < extent {
                self.next = Some(next);
                break;
            }
            *at = 0;
        }
        Some(current)
    }
}
