//! Verifiers of what stands in lists of patterns, and of bounds.

use dl_ir::{Diagnostic, OpRef, OpView, RegionRef};

use crate::{ApplyToLLVMConversionPatternsOp, SimplifyBoundedAffineOpsOp};

type Verified = Result<(), Diagnostic>;

/// Dialects that upstream converts to `llvm` by patterns of their own.
const CONVERTIBLE: [&str; 10] = ["arith", "cf", "complex", "func", "index", "math", "memref", "nvvm", "ub", "vector"];

pub(crate) fn verify_apply_patterns(op: OpRef<'_>) -> Verified {
    let interface = "PatternDescriptorOpInterface";
    let Some(other) = op.regions().find_map(|region| without(region, interface)) else { return Ok(()) };
    Err(lacks(op, other, &format!("expected children ops to implement {interface}")))
}

pub(crate) fn verify_conversion_patterns(op: OpRef<'_>) -> Verified {
    let interface = "ConversionPatternDescriptorOpInterface";
    let mut regions = op.regions();
    if let Some(other) = regions.next().and_then(|region| without(region, interface)) {
        return Err(lacks(op, other, &format!("expected pattern children ops to implement {interface}")));
    }
    let Some(converter) = regions.next() else { return Ok(()) };
    if converter.ops().count() != 1 {
        return Err(op.error("expected exactly one op in default type converter region"));
    }
    let interface = "TypeConverterBuilderOpInterface";
    match without(converter, interface) {
        Some(other) => Err(lacks(op, other, &format!("expected default converter child op to implement {interface}"))),
        None => Ok(()),
    }
}

/// The first operation of `region` that does not say that it is an `interface`. Of those that others add to the dialect nothing is known.
fn without<'a>(region: RegionRef<'a>, interface: &str) -> Option<OpRef<'a>> {
    let is_added = |op: OpRef<'_>| !op.info().is_registered() && op.info().dialect() == "transform";
    region.ops().find(|&op| !op.names_interface(interface) && !is_added(op))
}

fn lacks(op: OpRef<'_>, other: OpRef<'_>, message: &str) -> Diagnostic {
    op.error(message).note(other.loc(), "op without interface")
}

pub(crate) fn verify_dialect_to_llvm(op: OpRef<'_>) -> Verified {
    let name = ApplyToLLVMConversionPatternsOp::wrap(op).dialect_name().as_str().unwrap_or_default();
    if CONVERTIBLE.contains(&name) {
        return Ok(());
    }
    let what = match op.cx().dialect(name) {
        Some(_) => "dialect does not implement ConvertToLLVMPatternInterface or extension was not loaded",
        None => "unknown dialect or dialect not loaded",
    };
    Err(op.error(format_args!("{what}: {name}")))
}

pub(crate) fn verify_bounded_values(op: OpRef<'_>) -> Verified {
    let view = SimplifyBoundedAffineOpsOp::wrap(op);
    let values = view.bounded_values().len();
    for (bounds, what) in [(view.lower_bounds(), "lower"), (view.upper_bounds(), "upper")] {
        let found = bounds.dense_ints().count();
        if found != values {
            let message = format_args!("incorrect number of {what} bounds, expected {values} but found {found}");
            return Err(op.error(message));
        }
    }
    Ok(())
}
