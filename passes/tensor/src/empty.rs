//! Parts and reshapes of a `tensor.empty` are empty tensors themselves: there are no elements to keep.

use dl_ir::interfaces::index_list::split;
use dl_ir::interfaces::reify_shapes;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter};
use dl_tensor::{CastOp, CollapseShapeOp, ConcatOp, EmptyOp, ExpandShapeOp, ExtractSliceOp};

/// Adds the patterns that fold `tensor.empty` into slices, reshapes and concatenations.
pub fn add_empty_patterns(patterns: &mut Patterns) {
    patterns
        .add_fn("tensor-slice-of-empty", Some(ExtractSliceOp::NAME), slice_of_empty)
        .add_fn("tensor-expand-of-empty", Some(ExpandShapeOp::NAME), made_of_empty)
        .add_fn("tensor-collapse-of-empty", Some(CollapseShapeOp::NAME), made_of_empty)
        .add_fn("tensor-concat-of-empty", Some(ConcatOp::NAME), made_of_empty);
}

fn slice_of_empty(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let slice = ExtractSliceOp(rw.op(op));
    if slice.source().def::<EmptyOp<'_>>().is_none() {
        return Err(NoMatch("the source is not empty"));
    }
    // A slice that drops a dynamic dimension has a size that is not one of the result.
    let ty = slice.result().ty();
    let sizes = slice.sizes().ids();
    if ty.num_dynamic_dims() != sizes.len() {
        return Err(NoMatch("a dynamic dimension is dropped"));
    }
    let (ty, loc) = (ty.id(), slice.0.loc());
    rw.replace_with(op, OpState::of::<EmptyOp<'_>>(loc).operands(sizes).results([ty]));
    Ok(())
}

/// A reshape or concatenation of empty tensors is an empty tensor of the shape of the result.
fn made_of_empty(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let sources = if view.is::<ConcatOp<'_>>() { view.num_operands() } else { 1 };
    let empty = view.operands().iter().take(sources).all(|operand| operand.def::<EmptyOp<'_>>().is_some());
    if !empty || view.num_operands() == 0 {
        return Err(NoMatch("a source is not empty"));
    }
    let (ty, loc) = (view.result(0).ty(), view.loc());
    if ty.encoding().is_some() {
        return Err(NoMatch("encoded"));
    }
    let (result, element) = (ty.id(), ty.element_or_self().id());
    rw.set_insertion_before(op);
    let shape = reify_shapes(rw, op).and_then(|mut shapes| shapes.pop()).ok_or(NoMatch("no shape"))?;
    let (shape, sizes) = split(&shape);
    let ty = rw.cx().tensor_type(&shape, element);
    let empty = rw.create_value(OpState::of::<EmptyOp<'_>>(loc).operands(sizes).results([ty]));
    if ty == result {
        rw.replace(op, &[empty]);
    } else {
        rw.replace_with(op, OpState::of::<CastOp<'_>>(loc).operands([empty]).results([result]));
    }
    Ok(())
}
