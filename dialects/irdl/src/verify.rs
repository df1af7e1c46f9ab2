//! Verifiers.

use dl_ir::{Diagnostic, OpDefinition, OpRef, OpView};
use rustc_hash::FxHashMap;

use crate::names::{is_namespace, verify_name, verify_names};
use crate::{
    AttributeOp, AttributesOp, BaseOp, OperandsOp, OperationOp, ParametersOp, RegionOp, RegionsOp, ResultsOp, TypeOp,
};

type Verified = Result<(), Diagnostic>;

pub(crate) fn verify_dialect(op: OpRef<'_>) -> Verified {
    let name = op.symbol_name().unwrap_or_default();
    if !is_namespace(name) {
        return Err(op.error("invalid dialect name"));
    }
    verify_name(op, "dialect", name)
}

pub(crate) fn verify_type(op: OpRef<'_>) -> Verified {
    verify_at_most_one(op, &[ParametersOp::NAME])?;
    verify_name(op, "type", TypeOp::wrap(op).sym_name().as_str().unwrap_or_default())
}

pub(crate) fn verify_attribute(op: OpRef<'_>) -> Verified {
    verify_at_most_one(op, &[ParametersOp::NAME])?;
    verify_name(op, "attribute", AttributeOp::wrap(op).sym_name().as_str().unwrap_or_default())
}

pub(crate) fn verify_operation(op: OpRef<'_>) -> Verified {
    verify_at_most_one(op, &[OperandsOp::NAME, ResultsOp::NAME, AttributesOp::NAME, RegionsOp::NAME])?;
    verify_name(op, "operation", OperationOp::wrap(op).sym_name().as_str().unwrap_or_default())
}

/// No name of `names` is that of two operations in the body of `op`.
fn verify_at_most_one(op: OpRef<'_>, names: &[&str]) -> Verified {
    for name in names {
        if op.region(0).ops().filter(|child| child.name() == *name).nth(1).is_some() {
            let message = format!(
                "failed to verify AtMostOneChildOf trait: the operation contains at least two operations of type {name}"
            );
            return Err(Diagnostic::error(op.loc(), message));
        }
    }
    Ok(())
}

/// Operands, results and regions of an operation have names that differ.
pub(crate) fn verify_value_names(op: OpRef<'_>) -> Verified {
    let mut known: FxHashMap<&str, &str> = FxHashMap::default();
    for child in op.region(0).ops() {
        let (kind, names) = if let Some(child) = child.cast::<OperandsOp<'_>>() {
            ("operands", child.names())
        } else if let Some(child) = child.cast::<ResultsOp<'_>>() {
            ("results", child.names())
        } else if let Some(child) = child.cast::<RegionsOp<'_>>() {
            ("regions", child.names())
        } else {
            continue;
        };
        for name in names.elements().filter_map(dl_ir::AttrRef::as_str) {
            if let Some(other) = known.insert(name, kind) {
                return Err(op.error(format_args!("contains a value named '{name}' for both its {other} and {kind}")));
            }
        }
    }
    Ok(())
}

pub(crate) fn verify_parameters(op: OpRef<'_>) -> Verified {
    let view = ParametersOp::wrap(op);
    verify_names(op, "parameter", view.names(), view.args().len())
}

pub(crate) fn verify_operands(op: OpRef<'_>) -> Verified {
    let view = OperandsOp::wrap(op);
    verify_variadicity(op, "operand", view.variadicity(), view.args().len())?;
    verify_names(op, "operand", view.names(), view.args().len())
}

pub(crate) fn verify_results(op: OpRef<'_>) -> Verified {
    let view = ResultsOp::wrap(op);
    verify_variadicity(op, "result", view.variadicity(), view.args().len())?;
    verify_names(op, "result", view.names(), view.args().len())
}

fn verify_variadicity(op: OpRef<'_>, kind: &str, variadicity: dl_ir::AttrRef<'_>, count: usize) -> Verified {
    let given = crate::variadicities(variadicity).count();
    if given == count {
        return Ok(());
    }
    Err(op.error(format_args!(
        "the number of {kind}s and their variadicities must be the same, but got {count} and {given} respectively"
    )))
}

pub(crate) fn verify_attributes(op: OpRef<'_>) -> Verified {
    let view = AttributesOp::wrap(op);
    let (names, values) = (view.attribute_value_names().elements().len(), view.attribute_values().len());
    if names == values {
        return Ok(());
    }
    Err(op.error(format_args!(
        "the number of attribute names and their constraints must be the same but got {names} and {values} respectively"
    )))
}

pub(crate) fn verify_region(op: OpRef<'_>) -> Verified {
    let view = RegionOp::wrap(op);
    if !view.entry_block_args().is_empty() && view.constrained_arguments().is_none() {
        return Err(op.error("expects attribute 'constrainedArguments' where it has constraints of arguments"));
    }
    match view.number_of_blocks().and_then(dl_ir::AttrRef::as_int) {
        Some(count) if count < 1 => {
            Err(op.error(format_args!("the number of blocks is expected to be >= 1 but got {count}")))
        }
        _ => Ok(()),
    }
}

pub(crate) fn verify_regions(op: OpRef<'_>) -> Verified {
    let view = RegionsOp::wrap(op);
    verify_names(op, "region", view.names(), view.args().len())
}

pub(crate) fn verify_base(op: OpRef<'_>) -> Verified {
    let view = BaseOp::wrap(op);
    match (view.base_ref(), view.base_name()) {
        (Some(_), Some(_)) | (None, None) => {
            Err(op.error("the base type or attribute should be specified by either a name or a reference"))
        }
        (None, Some(name)) if !name.as_str().is_some_and(|name| name.starts_with(['!', '#'])) => {
            Err(op.error("the base type or attribute name should start with '!' or '#'"))
        }
        _ => Ok(()),
    }
}
