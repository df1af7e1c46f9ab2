//! Result types that follow from operands.

use dl_ir::{Arena, Context, OpState, Type};
use smallvec::SmallVec;

/// Each result has the type of its operand.
pub(crate) fn same_as_operands(_: &Context, ir: &Arena, state: &OpState) -> Result<SmallVec<[Type; 2]>, String> {
    Ok(state.operands.iter().map(|&value| ir.value_type(value)).collect())
}

/// The base buffer without dimensions, the offset, and as many sizes and strides as there are dimensions.
pub(crate) fn strided_metadata(cx: &Context, ir: &Arena, state: &OpState) -> Result<SmallVec<[Type; 2]>, String> {
    let source = state.operands.first().map(|&value| cx.ty(ir.value_type(value)));
    let Some((source, rank)) = source.and_then(|source| Some((source, source.rank()?))) else {
        return Err("requires a ranked memref".to_owned());
    };
    let space = source.memory_space().map(|space| space.id());
    let base = cx.memref_type_with(&[], source.element_or_self().id(), None, space);
    let mut types = SmallVec::from_elem(cx.index_type(), 2 + 2 * rank);
    types[0] = base;
    Ok(types)
}
