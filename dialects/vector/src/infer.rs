//! Result types that follow from operands and attributes.

use dl_ir::{Arena, Context, OpState, Type, TypeRef};
use smallvec::{SmallVec, smallvec};

use crate::types::{is_scalable, kept_dims, vector_type};

type Inferred = Result<SmallVec<[Type; 2]>, String>;

fn operand<'c>(cx: &'c Context, ir: &Arena, state: &OpState, at: usize) -> Result<TypeRef<'c>, String> {
    let value = state.operands.get(at).ok_or_else(|| "has too few operands".to_owned())?;
    Ok(cx.ty(ir.value_type(*value)))
}

fn ints(cx: &Context, state: &OpState, name: &str) -> Vec<i64> {
    state.get_attr(cx, name).map(|attr| cx.attr(attr).dense_ints().collect()).unwrap_or_default()
}

/// What is at a position of a vector: an element, or a vector of the dimensions that are left.
pub(crate) fn extract(cx: &Context, ir: &Arena, state: &OpState) -> Inferred {
    let source = operand(cx, ir, state, 0)?;
    let count = ints(cx, state, "static_position").len();
    let element = source.element_or_self().id();
    if source.rank().is_none_or(|rank| count >= rank) {
        return Ok(smallvec![element]);
    }
    let (shape, scalable) = kept_dims(source, |i| i >= count);
    Ok(smallvec![vector_type(cx, &shape, &scalable, element)])
}

/// As many rows as the mask chooses, each as in the operands.
pub(crate) fn shuffle(cx: &Context, ir: &Arena, state: &OpState) -> Inferred {
    let source = operand(cx, ir, state, 0)?;
    let count = i64::try_from(ints(cx, state, "mask").len()).unwrap_or(i64::MAX);
    let mut shape = vec![count];
    let mut scalable = vec![false];
    for (i, &extent) in source.shape().unwrap_or(&[]).iter().enumerate().skip(1) {
        shape.push(extent);
        scalable.push(is_scalable(source, i));
    }
    Ok(smallvec![vector_type(cx, &shape, &scalable, source.element_or_self().id())])
}

/// The dimensions that are not reduced; the element where none is left.
pub(crate) fn multi_reduction(cx: &Context, ir: &Arena, state: &OpState) -> Inferred {
    let source = operand(cx, ir, state, 0)?;
    let reduced = ints(cx, state, "reduction_dims");
    let is_kept = |i: usize| !i64::try_from(i).is_ok_and(|i| reduced.contains(&i));
    let (shape, scalable) = kept_dims(source, is_kept);
    let element = source.element_or_self().id();
    let result = if shape.is_empty() { element } else { vector_type(cx, &shape, &scalable, element) };
    Ok(smallvec![result])
}

/// One result for each element.
pub(crate) fn to_elements(cx: &Context, ir: &Arena, state: &OpState) -> Inferred {
    let source = operand(cx, ir, state, 0)?;
    let count = u16::try_from(source.num_elements().unwrap_or(0));
    let count = count.map_err(|_| "unsupported: more than 65535 results".to_owned())?;
    Ok(SmallVec::from_elem(source.element_or_self().id(), count.into()))
}
