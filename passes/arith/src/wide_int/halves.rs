//! Wide integers as vectors of two halves, the low one first: `i64` as `vector<2xi32>`, `vector<3xi64>` as `vector<3x2xi32>`.

use dl_arith::{Build, CmpIPredicate, ConstantOp, SelectOp};
use dl_ir::{Attr, OpDefinition, OpState, Type, TypeRef, ValueId};
use dl_passes_vector::build::VectorBuild;
use dl_vector::{ExtractStridedSliceOp, InsertStridedSliceOp};

/// Makes operations on halves.
pub(super) struct Halves<'b, 'r, 'c> {
    pub(super) b: &'b mut Build<'r, 'c>,
    /// Bits of a half.
    pub(super) width: u32,
}

impl<'c> Halves<'_, '_, 'c> {
    /// The type of a value.
    pub(super) fn ty(&self, value: ValueId) -> TypeRef<'c> {
        self.b.cx().ty(self.b.ir().value_type(value))
    }

    /// One half of the elements of a wide value: a scalar, or a vector whose last dimension is of size 1.
    pub(super) fn half(&mut self, wide: ValueId, at: i64) -> ValueId {
        let (cx, ty) = (self.b.cx(), self.ty(wide));
        let shape = ty.shape().unwrap_or_default();
        if shape.len() <= 1 {
            return self.b.part(wide, &[at]);
        }
        let last = shape.len() - 1;
        let list = |of: &dyn Fn(usize) -> i64| {
            cx.array_attr(&(0..shape.len()).map(|dim| cx.i64_attr(of(dim))).collect::<Vec<Attr>>())
        };
        let offsets = list(&|dim| if dim == last { at } else { 0 });
        let sizes = list(&|dim| if dim == last { 1 } else { shape[dim] });
        let strides = list(&|_| 1);
        let mut one = shape.to_vec();
        one[last] = 1;
        let result = cx.vector_type(&one, ty.element_or_self().id());
        self.b.value_with::<ExtractStridedSliceOp<'_>>(
            &[wide],
            result,
            &[("offsets", offsets), ("sizes", sizes), ("strides", strides)],
        )
    }

    /// Both halves.
    pub(super) fn halves(&mut self, wide: ValueId) -> [ValueId; 2] {
        [self.half(wide, 0), self.half(wide, 1)]
    }

    /// `wide` with another half.
    pub(super) fn with_half(&mut self, half: ValueId, wide: ValueId, at: i64) -> ValueId {
        let (cx, rank) = (self.b.cx(), self.ty(wide).shape().unwrap_or_default().len());
        if !self.ty(half).is_vector() {
            return self.b.with_part(half, wide, &[at]);
        }
        let offsets: Vec<Attr> = (0..rank).map(|dim| cx.i64_attr(if dim + 1 == rank { at } else { 0 })).collect();
        let strides = vec![cx.i64_attr(1); rank];
        let ty = self.b.ir().value_type(wide);
        self.b.value_with::<InsertStridedSliceOp<'_>>(
            &[half, wide],
            ty,
            &[("offsets", cx.array_attr(&offsets)), ("strides", cx.array_attr(&strides))],
        )
    }

    /// The wide value of type `ty` with these halves.
    pub(super) fn joined(&mut self, ty: Type, [low, high]: [ValueId; 2]) -> ValueId {
        let zero = self.constant(ty, 0);
        let with_low = self.with_half(low, zero, 0);
        self.with_half(high, with_low, 1)
    }

    /// A constant of an integer type, or the splat of one. Bits that do not fit are dropped.
    pub(super) fn constant(&mut self, ty: Type, value: i64) -> ValueId {
        let (cx, view) = (self.b.cx(), self.b.cx().ty(ty));
        let element = view.element_or_self();
        let value = cx.ap_int_attr(
            element.id(),
            dl_ir::number::ApInt::from_i64(64, value).sext_or_trunc(element.int_width().unwrap_or(64)),
        );
        let attr = if view.is_shaped() { cx.splat_attr(ty, value).unwrap_or(value) } else { value };
        self.b.value_with::<ConstantOp<'_>>(&[], ty, &[("value", attr)])
    }

    /// Without the last dimension of size 1.
    pub(super) fn without_unit(&mut self, value: ValueId) -> ValueId {
        let ty = self.ty(value);
        let Some((_, rest)) = ty.shape().and_then(<[i64]>::split_last) else { return value };
        let narrow = self.b.cx().vector_type(rest, ty.element_or_self().id());
        self.b.shape_cast(value, narrow)
    }

    /// With a last dimension of size 1.
    pub(super) fn with_unit(&mut self, value: ValueId) -> ValueId {
        let ty = self.ty(value);
        let Some(shape) = ty.shape() else { return value };
        let shape: Vec<i64> = shape.iter().copied().chain([1]).collect();
        let wider = self.b.cx().vector_type(&shape, ty.element_or_self().id());
        self.b.shape_cast(value, wider)
    }

    /// `ty` with other elements.
    pub(super) fn shaped(&self, like: ValueId, element: Type) -> Type {
        let ty = self.ty(like);
        if ty.is_shaped() { ty.with_element(element) } else { element }
    }

    /// The type of one half of values of the wide type `ty`, as [`half`](Self::half) gives it.
    pub(super) fn half_type(&self, ty: Type) -> Type {
        let view = self.b.cx().ty(ty);
        let shape = view.shape().unwrap_or_default();
        let element = view.element_or_self().id();
        if shape.len() <= 1 {
            return element;
        }
        let mut one = shape.to_vec();
        one[shape.len() - 1] = 1;
        self.b.cx().vector_type(&one, element)
    }

    /// `arith.cmpi`, also of vectors.
    pub(super) fn compare(&mut self, predicate: CmpIPredicate, x: ValueId, y: ValueId) -> ValueId {
        let cx = self.b.cx();
        let ty = self.shaped(x, cx.i1_type());
        self.b.value_with::<dl_arith::CmpIOp<'_>>(&[x, y], ty, &[("predicate", predicate.attr(cx))])
    }

    /// `arith.select`.
    pub(super) fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let ty = self.b.ir().value_type(yes);
        self.b.value::<SelectOp<'_>>(&[condition, yes, no], ty)
    }

    /// An operation on values of one type.
    pub(super) fn same<T: OpDefinition>(&mut self, operands: &[ValueId]) -> ValueId {
        self.b.same::<T>(operands)
    }

    /// A cast; `value` itself where it has the type.
    pub(super) fn cast<T: OpDefinition>(&mut self, value: ValueId, ty: Type) -> ValueId {
        if self.b.ir().value_type(value) == ty { value } else { self.b.value::<T>(&[value], ty) }
    }

    /// An operation with a second result, a bit that says whether something was carried.
    pub(super) fn with_carry<T: OpDefinition>(&mut self, x: ValueId, y: ValueId) -> [ValueId; 2] {
        let carry = self.shaped(x, self.b.cx().i1_type());
        self.two::<T>(x, y, carry)
    }

    /// An operation with a second result of type `second`.
    pub(super) fn two<T: OpDefinition>(&mut self, x: ValueId, y: ValueId, second: Type) -> [ValueId; 2] {
        let ty = self.b.ir().value_type(x);
        let state = OpState::of::<T>(self.b.loc).operands([x, y]).results([ty, second]);
        let op = self.b.create(state);
        [self.b.ir().result(op, 0), self.b.ir().result(op, 1)]
    }
}
