//! Buffer types of tensors, and casts between them.

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

/// Whether a `memref.cast` from `from` to `to` is valid and cannot fail at run time: no stride or offset that was unknown
/// becomes known.
pub(super) fn cast_cannot_fail(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    let (Some(a), Some(b)) = (from.strided_layout(), to.strided_layout()) else { return false };
    let learns = |a: i64, b: i64| a == DYNAMIC && b != DYNAMIC;
    dl_memref::are_cast_compatible(from, to)
        && !learns(a.offset, b.offset)
        && !a.strides.iter().zip(&b.strides).any(|(&a, &b)| learns(a, b))
}
