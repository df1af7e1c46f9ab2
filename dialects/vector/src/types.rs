//! Vector types.

use dl_ir::types::TypeData;
use dl_ir::{Context, Type, TypeRef};

/// `vector<shape x element>`; `scalable` marks the dimensions that grow with the machine. It may be shorter than the shape.
pub fn vector_type(cx: &Context, shape: &[i64], scalable: &[bool], element: Type) -> Type {
    if !scalable.contains(&true) {
        return cx.vector_type(shape, element);
    }
    let marks = (0..shape.len()).map(|i| scalable.get(i).copied().unwrap_or(false)).collect();
    cx.intern_type(TypeData::Vector { shape: shape.into(), scalable: marks, element })
}

/// Whether dimension `index` of a vector type is scalable.
pub fn is_scalable(ty: TypeRef<'_>, index: usize) -> bool {
    ty.scalable_dims().get(index).copied().unwrap_or(false)
}

/// The dimensions of a vector type that `keep` answers for, in order.
pub fn kept_dims(ty: TypeRef<'_>, mut keep: impl FnMut(usize) -> bool) -> (Vec<i64>, Vec<bool>) {
    let dims = ty.shape().unwrap_or(&[]).iter().enumerate();
    dims.filter(|&(i, _)| keep(i)).map(|(i, &extent)| (extent, is_scalable(ty, i))).unzip()
}

/// The extents of a vector type; none for others.
pub fn extents(ty: TypeRef<'_>) -> &[i64] {
    if ty.is_vector() { ty.shape().unwrap_or(&[]) } else { &[] }
}

/// Whether a value of type `from` can be repeated to one of type `to`: a scalar of its element type, or a vector whose dimensions are the last
/// ones of `to`, each the same or 1.
pub fn is_broadcastable(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    if !from.is_vector() {
        return from == to.element_or_self();
    }
    let (a, b) = (extents(from), extents(to));
    let Some(added) = b.len().checked_sub(a.len()) else { return false };
    let fits = |i: usize| {
        let same = a[i] == b[added + i] && is_scalable(from, i) == is_scalable(to, added + i);
        same || a[i] == 1 && !is_scalable(from, i)
    };
    from.element_type() == to.element_type() && (0..a.len()).all(fits)
}

/// Elements of a vector type, scalable dimensions counted once; 1 for a scalar.
pub fn count(ty: TypeRef<'_>) -> Option<i64> {
    extents(ty).iter().try_fold(1_i64, |n, &extent| n.checked_mul(extent))
}
