//! Tensors that were cast to a less precise type.

use dl_ir::{DYNAMIC, ValueRef};

/// What a `tensor.cast` casts, where its source knows at least as much as its result.
pub(super) fn cast_source(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let cast = value.defining_op().filter(|d| d.name() == "tensor.cast")?;
    let source = cast.operand(0);
    let (a, b) = (source.ty().shape()?, value.ty().shape()?);
    let knows = |(&a, &b): (&i64, &i64)| a == b || b == DYNAMIC;
    (source.ty().encoding() == value.ty().encoding() && a.len() == b.len() && a.iter().zip(b).all(knows))
        .then_some(source)
}
