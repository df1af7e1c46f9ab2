//! Buffer types of tensors, and what their layouts say.

use dl_ir::attributes::AttrData;
use dl_ir::{Attr, Context, DYNAMIC, Type, TypeData, TypeRef};

/// The row-major buffer of a tensor: `memref<4xf32>` of `tensor<4xf32>`, `memref<*xf32>` of `tensor<*xf32>`.
pub(super) fn identity_layout_type(cx: &Context, tensor: Type, space: Option<Attr>) -> Type {
    match cx.type_data(tensor) {
        TypeData::RankedTensor { shape, element, .. } => cx.memref_type_with(shape, *element, None, space),
        TypeData::UnrankedTensor { element } => cx.intern_type(TypeData::UnrankedMemRef { element: *element, space }),
        _ => tensor,
    }
}

/// The buffer of a tensor with strides and offset known at run time only:
/// `memref<4xf32, strided<[?], offset: ?>>` of `tensor<4xf32>`.
pub(super) fn dynamic_layout_type(cx: &Context, tensor: Type, space: Option<Attr>) -> Type {
    match cx.type_data(tensor) {
        TypeData::RankedTensor { shape, element, .. } => {
            let layout = cx.strided_attr(&vec![DYNAMIC; shape.len()], DYNAMIC);
            cx.memref_type_with(shape, *element, Some(layout), space)
        }
        _ => identity_layout_type(cx, tensor, space),
    }
}

/// Strides and offset of a ranked memref, [`DYNAMIC`] where unknown; `None` when the layout is not a strided one.
pub(super) fn strides_and_offset(ty: TypeRef<'_>) -> Option<(Vec<i64>, i64)> {
    let TypeData::MemRef { shape, layout, .. } = ty.data() else { return None };
    let Some(layout) = layout else { return Some((row_major_strides(shape), 0)) };
    match ty.cx().attr_data(*layout) {
        AttrData::Strided { strides, offset } => Some((strides.to_vec(), *offset)),
        AttrData::AffineMap(map) => {
            let affine = ty.cx().affine();
            let data = affine.map(*map);
            let [result] = &*data.results else { return None };
            let form = affine.strided_form(*result, data.num_dims)?;
            let value = |expr| affine.constant_value(expr).unwrap_or(DYNAMIC);
            Some((form.strides.iter().map(|&s| value(s)).collect(), value(form.offset)))
        }
        _ => None,
    }
}

/// Strides of row-major order; those left of a dynamic extent are dynamic.
pub(super) fn row_major_strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for i in (1..shape.len()).rev() {
        strides[i - 1] = multiply(strides[i], shape[i]);
    }
    strides
}

/// The product of two extents or strides, dynamic when one is or when it does not fit.
pub(super) fn multiply(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC { DYNAMIC } else { a.checked_mul(b).unwrap_or(DYNAMIC) }
}

/// The sum of two offsets, dynamic when one is or when it does not fit.
pub(super) fn sum(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC { DYNAMIC } else { a.checked_add(b).unwrap_or(DYNAMIC) }
}

/// Whether `memref.cast` takes `from` to `to`: same element, rank and space, no two known extents, strides or offsets that
/// differ.
pub(super) fn are_cast_compatible(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    if from.element_type() != to.element_type() || from.memory_space() != to.memory_space() {
        return false;
    }
    let (Some(a), Some(b)) = (from.shape(), to.shape()) else { return from != to };
    let agree = |a: &i64, b: &i64| a == b || *a == DYNAMIC || *b == DYNAMIC;
    if a.len() != b.len() || !a.iter().zip(b).all(|(a, b)| agree(a, b)) {
        return false;
    }
    if from.memref_layout() == to.memref_layout() {
        return true;
    }
    match (strides_and_offset(from), strides_and_offset(to)) {
        (Some((a, from_offset)), Some((b, to_offset))) => {
            agree(&from_offset, &to_offset) && a.iter().zip(&b).all(|(a, b)| agree(a, b))
        }
        _ => false,
    }
}

/// Whether a `memref.cast` from `from` to `to` cannot fail at run time: nothing unknown becomes known.
pub(super) fn cast_cannot_fail(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    let (Some((a, from_offset)), Some((b, to_offset))) = (strides_and_offset(from), strides_and_offset(to)) else {
        return false;
    };
    let learns = |a: i64, b: i64| a == DYNAMIC && b != DYNAMIC;
    are_cast_compatible(from, to) && !learns(from_offset, to_offset) && !a.iter().zip(&b).any(|(&a, &b)| learns(a, b))
}
