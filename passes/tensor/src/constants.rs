//! Constant tensors put together and taken apart.

use dl_ir::attributes::DenseData;
use dl_ir::{Attr, AttrData, AttrRef, Context, Type};

/// The numbers of a constant, element by element where it is a splat. `None` for constants of other forms.
fn bytes(constant: AttrRef<'_>, size: usize) -> Option<Vec<u8>> {
    let AttrData::DenseElements { data, .. } = constant.data() else { return None };
    if !data.is_splat() {
        return Some(data.bytes().to_vec());
    }
    let shape = constant.ty()?.shape()?;
    let count = shape.iter().try_fold(1_usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?))?;
    Some(data.element(0, size).repeat(count))
}

/// The constant of type `ty` that has these one after the other along `dim`. `None` where they are of other forms. Costs a copy.
pub fn concatenated(cx: &Context, parts: &[AttrRef<'_>], dim: usize, ty: Type) -> Option<Attr> {
    let size = parts.first()?.dense_element()?.bytes();
    if size == 0 {
        return None;
    }
    let mut runs = Vec::with_capacity(parts.len());
    let outer: i64 = cx.ty(ty).shape()?.get(..dim)?.iter().product();
    for &part in parts {
        let shape = part.ty()?.shape()?;
        let run: i64 = shape.get(dim..)?.iter().product();
        runs.push((bytes(part, size)?, usize::try_from(run).ok()?.checked_mul(size)?));
    }
    let outer = usize::try_from(outer).ok()?;
    let mut joined = Vec::with_capacity(runs.iter().map(|(bytes, _)| bytes.len()).sum());
    for at in 0..outer {
        for (bytes, run) in &runs {
            joined.extend_from_slice(bytes.get(at * run..(at + 1) * run)?);
        }
    }
    Some(cx.intern_attr(AttrData::DenseElements { ty, data: DenseData::elements(joined, size) }))
}

/// The slice of a constant at these offsets, of these sizes and strides, as a constant of type `ty`. `None` for constants of other forms, or a
/// slice that reaches over the end. Costs a copy of the slice.
pub fn sliced(cx: &Context, whole: AttrRef<'_>, [offsets, sizes, strides]: [&[i64]; 3], ty: Type) -> Option<Attr> {
    let size = whole.dense_element()?.bytes();
    let shape = whole.ty()?.shape()?;
    let AttrData::DenseElements { data, .. } = whole.data() else { return None };
    if size == 0 || data.is_splat() || [offsets, sizes, strides].iter().any(|list| list.len() != shape.len()) {
        return None;
    }
    let steps = dl_ir::types::row_major_strides(shape);
    let mut at = 0_i64;
    for dim in 0..shape.len() {
        let last = offsets[dim].checked_add(sizes[dim].checked_sub(1)?.checked_mul(strides[dim])?)?;
        if sizes[dim] < 1 || offsets[dim].min(last) < 0 || offsets[dim].max(last) >= shape[dim] {
            return None;
        }
        at += offsets[dim] * steps[dim];
    }
    let count = sizes.iter().try_fold(1_usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?))?;
    let mut taken = Vec::with_capacity(count.checked_mul(size)?);
    let mut index = vec![0; sizes.len()];
    for _ in 0..count {
        taken.extend_from_slice(data.element(usize::try_from(at).ok()?, size));
        for dim in (0..index.len()).rev() {
            index[dim] += 1;
            at += steps[dim] * strides[dim];
            if index[dim] < sizes[dim] {
                break;
            }
            at -= steps[dim] * strides[dim] * sizes[dim];
            index[dim] = 0;
        }
    }
    Some(cx.intern_attr(AttrData::DenseElements { ty, data: DenseData::elements(taken, size) }))
}
