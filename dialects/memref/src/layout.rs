//! Layouts of views: slices, merged and split dimensions.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::reassociation::collapsed_shape;
use dl_ir::types::{StridedLayout, row_major_strides};
use dl_ir::{Attr, Context, DYNAMIC, Type, TypeRef};

/// `a * b`, dynamic where a factor is or where it does not fit.
fn times(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 {
        return 0;
    }
    if a == DYNAMIC || b == DYNAMIC { DYNAMIC } else { a.checked_mul(b).unwrap_or(DYNAMIC) }
}

/// `a + b`, dynamic where an operand is or where it does not fit.
fn plus(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC { DYNAMIC } else { a.checked_add(b).unwrap_or(DYNAMIC) }
}

/// The layout of a slice of memory with layout `base`.
pub fn sliced(base: &StridedLayout, slice: &Slice) -> StridedLayout {
    let extent = |index: &Index| index.extent();
    let offsets = slice.offsets.iter().map(extent).zip(&base.strides);
    let offset = offsets.fold(base.offset, |sum, (offset, &stride)| plus(sum, times(offset, stride)));
    let strides = slice.strides.iter().map(extent).zip(&base.strides).map(|(step, &stride)| times(step, stride));
    StridedLayout { strides: strides.collect(), offset }
}

/// The layout after splitting each dimension of `source` into the group of dimensions of `shape`.
pub fn expanded(source: TypeRef<'_>, shape: &[i64], groups: &[Vec<usize>]) -> Option<StridedLayout> {
    let layout = source.strided_layout()?;
    let mut strides = vec![1; shape.len()];
    for (group, &stride) in groups.iter().zip(&layout.strides) {
        let mut current = stride;
        for &dim in group.iter().rev() {
            *strides.get_mut(dim)? = current;
            current = times(current, shape[dim]);
        }
    }
    Some(StridedLayout { strides, offset: layout.offset })
}

/// The layout after merging each group of dimensions of `source`. `None` where the dimensions of a group are known to have gaps between
/// them.
pub fn collapsed(source: TypeRef<'_>, groups: &[Vec<usize>]) -> Option<StridedLayout> {
    let (shape, layout) = (source.shape()?, source.strided_layout()?);
    if source.has_identity_layout() {
        // Elements without gaps have none afterwards.
        return Some(StridedLayout { strides: row_major_strides(&collapsed_shape(shape, groups)), offset: 0 });
    }
    if groups.is_empty() {
        return Some(StridedLayout { strides: Vec::new(), offset: layout.offset });
    }
    let mut strides = Vec::with_capacity(groups.len());
    for group in groups {
        // The stride of a dimension of size 1 means nothing: that of the last other one counts, if there is one.
        let last = group.iter().rposition(|&dim| shape[dim] != 1).unwrap_or(0);
        let &innermost = group.get(last)?;
        // A dynamic extent may turn out to be 1 as well.
        let unsure = last > 0 && shape[innermost] == DYNAMIC;
        let stride = if unsure { DYNAMIC } else { layout.strides[innermost] };
        strides.push(stride);
        let mut expected = stride;
        for pair in group.windows(2).rev() {
            let (outer, inner) = (pair[0], pair[1]);
            expected = times(expected, shape[inner]);
            let found = layout.strides[outer];
            if shape[outer] != 1 && expected != DYNAMIC && found != DYNAMIC && expected != found {
                return None;
            }
        }
    }
    Some(StridedLayout { strides, offset: layout.offset })
}

/// The memref type with this layout, without it where it means the identity.
pub fn simplest(cx: &Context, shape: &[i64], element: Type, layout: &StridedLayout, space: Option<Attr>) -> Type {
    if layout.offset == 0 && layout.strides == row_major_strides(shape) && !layout.strides.contains(&DYNAMIC) {
        return cx.memref_type_with(shape, element, None, space);
    }
    cx.strided_memref_type(shape, element, layout, space)
}

/// Whether the elements of a memref lie in row-major order without gaps: each stride is the product of the inner sizes.
pub fn is_contiguous(ty: TypeRef<'_>) -> bool {
    let (Some(layout), Some(shape)) = (ty.strided_layout(), ty.shape()) else { return false };
    if ty.has_identity_layout() {
        return true;
    }
    let mut product = 1_i64;
    for (&extent, &stride) in shape.iter().zip(&layout.strides).rev() {
        if extent == 1 {
            continue;
        }
        if stride == DYNAMIC || stride != product {
            return false;
        }
        product = if extent == DYNAMIC { DYNAMIC } else { product.saturating_mul(extent) };
    }
    true
}
