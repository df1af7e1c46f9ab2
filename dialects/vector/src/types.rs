//! Vector types.

use dl_ir::types::TypeData;
use dl_ir::{Context, Type, TypeRef};

/// `vector<shape x element>`; `scalable` marks the dimensions that grow with the machine. It may be shorter than the shape.
pub(crate) fn vector_type(cx: &Context, shape: &[i64], scalable: &[bool], element: Type) -> Type {
    if !scalable.contains(&true) {
        return cx.vector_type(shape, element);
    }
    let marks = (0..shape.len()).map(|i| scalable.get(i).copied().unwrap_or(false)).collect();
    cx.intern_type(TypeData::Vector { shape: shape.into(), scalable: marks, element })
}

/// Whether dimension `index` of a vector type is scalable.
pub(crate) fn is_scalable(ty: TypeRef<'_>, index: usize) -> bool {
    ty.scalable_dims().get(index).copied().unwrap_or(false)
}

/// The dimensions of a vector type that `keep` answers for, in order.
pub(crate) fn kept_dims(ty: TypeRef<'_>, mut keep: impl FnMut(usize) -> bool) -> (Vec<i64>, Vec<bool>) {
    let dims = ty.shape().unwrap_or(&[]).iter().enumerate();
    dims.filter(|&(i, _)| keep(i)).map(|(i, &extent)| (extent, is_scalable(ty, i))).unzip()
}
