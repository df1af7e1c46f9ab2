//! Reshapes.

use dl_ir::interfaces::reassociation;
use dl_ir::{DYNAMIC, Diagnostic, OpRef, TypeRef};

/// Groups of adjacent dimensions, in order, that make the smaller shape.
fn reassociation(op: OpRef<'_>, expanded: &[i64], collapsed: &[i64]) -> Result<(), Diagnostic> {
    let groups = op.attr("reassociation").map(reassociation::groups).unwrap_or_default();
    if groups.len() != collapsed.len() {
        return Err(op.error(format_args!(
            "expected collapsed rank ({}) to equal the number of reassociation maps ({}).",
            collapsed.len(),
            groups.len()
        )));
    }
    // One element is what any number of dimensions may be left with.
    if groups.is_empty() {
        return Ok(());
    }
    let mut next = 0;
    for (i, group) in groups.iter().enumerate() {
        for &dim in group {
            if dim != next {
                return Err(op.error(format_args!("expected reassociation map #{i} to be valid and contiguous")));
            }
            next += 1;
        }
    }
    if next != expanded.len() {
        return Err(op.error(format_args!(
            "expected rank of the reassociation maps ({next}) to equal the expanded rank ({})",
            expanded.len()
        )));
    }
    for (i, (&found, inferred)) in collapsed.iter().zip(reassociation::collapsed_shape(expanded, &groups)).enumerate() {
        if inferred == DYNAMIC && found != DYNAMIC {
            return Err(op.error(format_args!(
                "expected dimension {i} of collapsed type to be dynamic since one or more of the corresponding dimensions \
                 in the expanded type is dynamic"
            )));
        }
        if inferred != found {
            return Err(
                op.error(format_args!("expected dimension {i} of collapsed type to be static value of {inferred}"))
            );
        }
    }
    Ok(())
}

fn same_elements(op: OpRef<'_>, expanded: TypeRef<'_>, collapsed: TypeRef<'_>) -> Result<(), Diagnostic> {
    let element = expanded.element_or_self();
    if element == collapsed.element_or_self() {
        return Ok(());
    }
    let expected = op.cx().ty(op.cx().tensor_type(collapsed.shape().unwrap_or(&[]), element.id()));
    Err(op.error(format_args!("expected collapsed type to be '{expected}', but got '{collapsed}'")))
}

pub(crate) fn collapse_shape(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (Some(from), Some(to)) = (op.operand(0).ty().shape(), op.result(0).ty().shape()) else {
        return Ok(());
    };
    if to.len() > from.len() {
        return Err(op.error(format_args!(
            "expected rank expansion, but found source rank {} < result rank {}",
            from.len(),
            to.len()
        )));
    }
    let groups = op.attr("reassociation").map(reassociation::groups).unwrap_or_default();
    if groups.iter().any(Vec::is_empty) {
        return Err(op.error("reassociation indices must not be empty"));
    }
    reassociation(op, from, to)?;
    same_elements(op, op.operand(0).ty(), op.result(0).ty())
}

pub(crate) fn expand_shape(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (Some(from), Some(to)) = (op.operand(0).ty().shape(), op.result(0).ty().shape()) else {
        return Ok(());
    };
    let sizes = op.attr("static_output_shape").and_then(|attr| attr.as_i64_array()).unwrap_or_default();
    if sizes.len() != to.len() {
        return Err(op.error(format_args!(
            "expected number of static shape dims to be equal to the output rank ({}) but found {} inputs instead",
            to.len(),
            sizes.len()
        )));
    }
    let (dynamic, given) = (sizes.iter().filter(|&&size| size == DYNAMIC).count(), op.operand_group(1).len());
    if dynamic != given {
        return Err(op.error(format_args!(
            "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has {dynamic} dynamic \
             dims while output_shape has {given} values"
        )));
    }
    if to.len() < from.len() {
        return Err(op.error(format_args!(
            "expected rank expansion, but found source rank {} > result rank {}",
            from.len(),
            to.len()
        )));
    }
    reassociation(op, to, from)?;
    same_elements(op, op.result(0).ty(), op.operand(0).ty())
}

/// One element type, as many elements, and a shape of as many numbers as the result has dimensions.
pub(crate) fn reshape(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (source, shape, result) = (op.operand(0).ty(), op.operand(1).ty(), op.result(0).ty());
    if source.element_type() != result.element_type() {
        return Err(op.error("element types of source and destination tensor types should be the same"));
    }
    let length = shape.shape().and_then(|shape| shape.first().copied()).unwrap_or(DYNAMIC);
    let Some(rank) = result.rank() else { return Ok(()) };
    if source.has_static_shape() && result.has_static_shape() && source.num_elements() != result.num_elements() {
        return Err(op.error("source and destination tensor should have the same number of elements"));
    }
    if length == DYNAMIC {
        return Err(
            op.error("cannot use shape operand with dynamic length to reshape to statically-ranked tensor type")
        );
    }
    if length != rank as i64 {
        return Err(op.error("length of shape operand differs from the result's tensor rank"));
    }
    Ok(())
}
