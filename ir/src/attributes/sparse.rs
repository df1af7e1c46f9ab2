//! What the parts of a `sparse<...>` attribute must satisfy.

use smallvec::SmallVec;

use super::{Attr, AttrData};
use crate::context::Context;
use crate::types::{Type, TypeRef};

/// Whether `indices` and `values` make a `sparse<...>` of type `ty`: one row of indices for each value, each within the shape.
///
/// # Errors
/// Why not.
pub(crate) fn check_sparse(cx: &Context, ty: Type, indices: Attr, values: Attr) -> Result<(), String> {
    let view = cx.ty(ty);
    let shape = view.shape().unwrap_or_default();
    let shape_of = |attr: Attr| cx.attr(attr).ty().and_then(TypeRef::shape).unwrap_or_default();
    let (of_indices, of_values) = (shape_of(indices), shape_of(values));
    let one_dimensional = shape.len() == 1 && of_indices.len() == 1;
    if of_values.len() != 1 {
        return Err("expected 1-d tensor for sparse element values".to_owned());
    }
    let well_formed = (one_dimensional || (of_indices.len() == 2 && of_indices[1] == shape.len() as i64))
        && of_indices[0] == of_values[0];
    if !well_formed {
        return Err(format!(
            "expected shape ({}); inferred shape of indices literal ({}); inferred shape of values literal ({})",
            bracketed(shape),
            bracketed(of_indices),
            bracketed(of_values)
        ));
    }
    let element = |attr: Attr| cx.attr(attr).ty().and_then(TypeRef::element_type);
    if !cx.attr(values).is_dense_elements() || element(values) != view.element_type() {
        return Err(format!("expected dense values of the element type, but got: {}", cx.attr(values)));
    }
    let AttrData::DenseElements { data, .. } = cx.attr_data(indices) else {
        return Err(format!("expected dense indices, but got: {}", cx.attr(indices)));
    };
    if !element(indices).is_some_and(|ty| ty.is_signless_integer_of(64) || ty.is_index()) {
        return Err(format!("expected indices of 64 bits, but got: {}", cx.attr(indices)));
    }
    let index = |i: usize| i64::from_le_bytes(data.element(i, 8).try_into().unwrap_or_default());
    // All rows of a splat are one.
    let rows = if data.is_splat() { of_indices[0].min(1) } else { of_indices[0] };
    for row in 0..rows as usize {
        let at: SmallVec<[i64; 6]> = (0..shape.len()).map(|d| index(row * shape.len() + d)).collect();
        if !at.iter().zip(shape).all(|(i, extent)| (0..*extent).contains(i)) {
            return Err(format!(
                "sparse index #{row} is not contained within the value shape, with index={}, and type='{view}'",
                bracketed(&at)
            ));
        }
    }
    Ok(())
}

/// `[2, 3]`, for messages.
fn bracketed(list: &[i64]) -> String {
    format!("[{}]", list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}
