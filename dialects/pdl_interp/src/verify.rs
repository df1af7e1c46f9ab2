//! Verifiers.

use dl_ir::{Diagnostic, OpRef, OpView};
use dl_pdl::inference::{infers_results, registered};
use dl_pdl::types::range_of;

use crate::{CreateOperationOp, ForEachOp};

type Verified = Result<(), Diagnostic>;

pub(crate) fn verify_create_operation(op: OpRef<'_>) -> Verified {
    let view = CreateOperationOp::wrap(op);
    let (names, values) = (view.input_attribute_names().elements().len(), view.input_attributes().len());
    if names != values {
        return Err(op.error(format_args!("has names for {names} attributes, but values for {values}")));
    }
    if view.inferred_result_types().is_none() {
        return Ok(());
    }
    if !view.input_result_types().is_empty() {
        return Err(op.error("with inferred results cannot also have explicit result types"));
    }
    let name = view.name().as_str().unwrap_or_default();
    if registered(op.cx(), name).is_some_and(infers_results) {
        return Ok(());
    }
    Err(op.error(format_args!(
        "has inferred results, but the created operation '{name}' does not support result type inference (or is not registered)"
    )))
}

pub(crate) fn verify_foreach(op: OpRef<'_>) -> Verified {
    let view = ForEachOp::wrap(op);
    let entry = view.region().entry().filter(|block| block.num_args() == 1);
    let Some(variable) = entry.map(|block| block.arg(0)) else {
        return Err(op.error("requires exactly one argument"));
    };
    if range_of(variable.ty()) != Some(view.values().ty().id()) {
        return Err(op.error("operand must be a range of loop variable type"));
    }
    Ok(())
}

/// A switch has a block for each of its values, and one for all others.
pub(crate) fn verify_switch(op: OpRef<'_>) -> Verified {
    let Some(values) = op.attr("caseValues") else { return Ok(()) };
    let elements = values.ty().and_then(dl_ir::TypeRef::num_elements).and_then(|n| usize::try_from(n).ok());
    let (values, blocks) = (elements.unwrap_or(values.elements().len()), op.num_successors().saturating_sub(1));
    if values == blocks {
        return Ok(());
    }
    Err(op.error(format_args!(
        "expected number of cases to match the number of case values, got {blocks} but expected {values}"
    )))
}
