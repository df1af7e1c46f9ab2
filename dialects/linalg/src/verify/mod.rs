//! What definitions do not say about valid operations.

mod contraction;
mod convolution;
mod payload;
mod relayout;
mod structured;
mod winograd;

pub(crate) use contraction::{batched_matmul, contract, matmul};
pub(crate) use convolution::REMEMBERED_MAPS;
pub(crate) use payload::{broadcast, map, reduce, transpose};
pub(crate) use relayout::{pack, unpack};
pub(crate) use structured::structured;
pub(crate) use winograd::{winograd_filter, winograd_input, winograd_output, winograd_tile};

use dl_ir::{AttrRef, DYNAMIC, Diagnostic, OpRef};

use crate::structured::{LinalgOp, element};

/// Attributes of this dialect on operations of any dialect.
pub(crate) fn op_attr(op: OpRef<'_>, name: &str, _: AttrRef<'_>) -> Result<(), Diagnostic> {
    if name == REMEMBERED_MAPS {
        return Ok(());
    }
    Err(Diagnostic::error(op.loc(), format!("attribute '\"{name}\"' not supported by the linalg dialect")))
}

/// One value for each init of the enclosing operation, of its element type.
pub(crate) fn yield_op(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(parent) = op.parent() else { return Ok(()) };
    let Some(nest) = LinalgOp::of(parent) else {
        return Err(op.error("expected parent op with LinalgOp interface"));
    };
    let inits = nest.inits();
    if op.num_operands() != inits.len() {
        return Err(op.error(format_args!(
            "expected number of yield values ({}) to match the number of inits / outs operands of the enclosing LinalgOp \
             ({})",
            op.num_operands(),
            inits.len()
        )));
    }
    for (i, (value, init)) in op.operands().iter().zip(inits.iter()).enumerate() {
        let expected = element(init.ty());
        if value.ty() != expected {
            return Err(op.error(format_args!(
                "type of yield operand {} ('{}') doesn't match the element type of the enclosing linalg.generic op \
                 ('{expected}')",
                i + 1,
                value.ty()
            )));
        }
    }
    Ok(())
}

/// A scalar, filled in by the type of the elements.
pub(crate) fn fill(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if let (Some(value), Some(output)) = (op.operand_group(0).get(0), op.operand_group(1).get(0)) {
        let (value, element) = (value.ty(), output.ty().element_or_self());
        if value.is_shaped() && value != element {
            return Err(op.error("expected op with scalar input"));
        }
        if value != element {
            return Err(op.error(format_args!(
                "expected fill value type ('{value}') to match output element type ('{element}')"
            )));
        }
    }
    structured(op)
}

/// The index of a loop that there is.
pub(crate) fn index(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(nest) = op.parent().and_then(LinalgOp::of) else {
        return Err(op.error("expected parent op with LinalgOp interface"));
    };
    let dim = op.attr("dim").and_then(|attr| attr.as_int()).unwrap_or(0);
    let loops = nest.num_loops();
    if usize::try_from(dim).is_ok_and(|dim| dim < loops) {
        return Ok(());
    }
    Err(op.error(format_args!(
        "expected dim ({dim}) to be lower than the number of loops ({loops}) of the enclosing LinalgOp"
    )))
}

/// Input and output of one shape, and a dimension of theirs.
pub(crate) fn softmax(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (Some(input), Some(output)) = (op.operand(0).ty().shape(), op.operand(1).ty().shape()) else {
        return Ok(());
    };
    let compatible = |(&a, &b): (&i64, &i64)| a == DYNAMIC || b == DYNAMIC || a == b;
    if input.len() != output.len() || !input.iter().zip(output).all(compatible) {
        return Err(op.error("incompatible output shape"));
    }
    let dimension = op.attr("dimension").and_then(|attr| attr.as_int()).unwrap_or(0);
    if usize::try_from(dimension).is_ok_and(|dimension| dimension < input.len()) {
        return dl_ir::interfaces::verify_destination_style(op);
    }
    Err(op.error("incorrect dimension specified"))
}
