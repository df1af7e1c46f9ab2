//! Verifiers of sequences and what stands in them.

use dl_ir::{AttrRef, BlockRef, Diagnostic, OpRef, OpView, Trait, TypeRef};

use crate::assembly::options::operand_of;
use crate::consumed;
use crate::types::{Kind, is_op_handle, kind};
use crate::verify_symbols::verify_no_recursion;
use crate::{
    AlternativesOp, ApplyRegisteredPassOp, ForeachOp, NumAssociationsOp, SequenceOp, TuneAlternativesOp, TuneKnobOp,
    WithPDLPatternsOp,
};

type Verified = Result<(), Diagnostic>;

/// The attribute of symbol tables that hold named sequences.
pub(crate) const WITH_NAMED_SEQUENCE: &str = "transform.with_named_sequence";

/// Attributes of this dialect on operations of any dialect.
pub(crate) fn verify_attr(op: OpRef<'_>, name: &str, attr: AttrRef<'_>) -> Verified {
    let message = match name {
        WITH_NAMED_SEQUENCE if op.has_trait(&Trait::SymbolTable) => return verify_no_recursion(op),
        WITH_NAMED_SEQUENCE => "attribute can only be attached to operations with symbol tables",
        "transform.target_tag" if !attr.is_string() => {
            return Err(op.error("\"transform.target_tag\" attribute must be a string"));
        }
        "transform.target_tag"
        | "transform.silence_tracking_failures"
        | "transform.readonly"
        | "transform.consumed" => {
            return Ok(());
        }
        _ => return Err(Diagnostic::error(op.loc(), format!("unknown attribute: \"{name}\""))),
    };
    Err(Diagnostic::error(op.loc(), format!("\"{name}\" {message}")))
}

const TOP_LEVEL: &str = "PossibleTopLevelTransformOpTrait";

/// Operations that run on their own or nested in another: what they run on comes as arguments of their first region.
fn verify_top_level(op: OpRef<'_>) -> Verified {
    let Some(region) = op.body().regions().next() else { return Err(op.error("expects at least one region")) };
    let Some(body) = region.entry() else { return Err(op.error("expects a single-block region")) };
    let mut args = body.args();
    let Some(first) = args.next() else {
        return Err(op.error("expects the entry block to have at least one argument"));
    };
    if !is_op_handle(first.ty()) {
        let message = "expects the first entry block argument to be of type implementing TransformHandleTypeInterface";
        return Err(op.error(message));
    }
    if op.operands().iter().next().is_some_and(|operand| operand.ty() != first.ty()) {
        return Err(op.error("expects the type of the block argument to match the type of the operand"));
    }
    if let Some(at) = args.position(|arg| kind(arg.ty()).is_none()) {
        let message = "expects trailing entry block arguments to be of type implementing TransformHandleTypeInterface, \
            TransformValueHandleTypeInterface or TransformParamTypeInterface";
        return Err(op.error(message).note(op.loc(), format!("argument #{} does not", at + 1)));
    }
    let outer = ancestors(op).find(|outer| outer.names_interface(TOP_LEVEL));
    match outer.filter(|_| op.num_operands() != body.num_args()) {
        Some(outer) => {
            let error = op.error("expects operands to be provided for a nested op");
            Err(error.note(outer.loc(), "nested in another possible top-level op"))
        }
        None => Ok(()),
    }
}

fn ancestors(op: OpRef<'_>) -> impl Iterator<Item = OpRef<'_>> {
    std::iter::successors(op.parent(), |op| op.parent())
}

/// Arguments are consumed by one operation at most.
pub(crate) fn verify_consumed_once(op: OpRef<'_>) -> Verified {
    let Some(body) = op.regions().next().and_then(|region| region.entry()) else { return Ok(()) };
    // Most are used once: what is nested then need not be looked at for each operation around it.
    for at in (0..body.num_args()).filter(|&at| body.arg(at).uses().nth(1).is_some()) {
        let mut consumers = consumed::consumers(body, at);
        if let (Some(one), Some(other)) = (consumers.next(), consumers.next()) {
            let mut error = op.error(format_args!("block argument #{at} has more than one potential consumer"));
            for (user, operand) in [one, other] {
                error = error.note(user.loc(), format!("used here as operand #{operand}"));
            }
            return Err(error);
        }
    }
    Ok(())
}

pub(crate) fn verify_sequence(op: OpRef<'_>) -> Verified {
    verify_top_level(op)?;
    let view = SequenceOp::wrap(op);
    if view.root().is_none() && !view.extra_bindings().is_empty() {
        return Err(op.error("does not expect extra operands when used as top-level"));
    }
    let Some(body) = view.body().entry() else { return Ok(()) };
    let last = body.last_op();
    let is_added = |op: OpRef<'_>| !op.info().is_registered() && op.info().dialect() == "transform";
    let fits = |op: OpRef<'_>| {
        op.names_interface("TransformOpInterface") || op.names_interface("MatchOpInterface") || is_added(op)
    };
    if let Some(child) = body.ops().find(|&child| !fits(child) && Some(child) != last) {
        let error = op.error("expected children ops to implement TransformOpInterface");
        return Err(error.note(child.loc(), "op without interface"));
    }
    let Some(last) = last.filter(|last| last.has_trait(&Trait::Terminator)) else {
        return Err(op.error("expects to have a terminator in the body"));
    };
    if last.operands().types() != op.results().types() {
        let error = op.error("expects the types of the terminator operands to match the types of the result");
        return Err(error.note(last.loc(), "terminator"));
    }
    Ok(())
}

/// The operation is isolated: its results are seen from outside only.
pub(crate) fn verify_alternatives(op: OpRef<'_>) -> Verified {
    verify_top_level(op)?;
    for region in AlternativesOp::wrap(op.body()).alternatives() {
        let Some(last) = region.entry().and_then(BlockRef::last_op) else { continue };
        if last.operands().types() != op.results().types() {
            let error = op.error("expects terminator operands to have the same type as results of the operation");
            return Err(error.note(last.loc(), "terminator"));
        }
    }
    Ok(())
}

pub(crate) fn verify_with_patterns(op: OpRef<'_>) -> Verified {
    verify_top_level(op)?;
    let Some(body) = WithPDLPatternsOp::wrap(op).body().entry() else { return Ok(()) };
    let mut found: Option<OpRef<'_>> = None;
    for child in body.ops().filter(|child| child.name() != "pdl.pattern") {
        if !child.names_interface(TOP_LEVEL) {
            let error = op.error("expects only pattern and top-level transform ops in its body");
            return Err(error.note(child.loc(), "offending op"));
        }
        if let Some(first) = found.replace(child) {
            let error = op.error("expects only one non-pattern op in its body");
            return Err(error.note(first.loc(), "first non-pattern op").note(child.loc(), "second non-pattern op"));
        }
    }
    if let Some(outer) = ancestors(op).find(|outer| outer.is::<WithPDLPatternsOp<'_>>()) {
        return Err(op.error("cannot be nested").note(outer.loc(), "parent operation"));
    }
    if found.is_none() {
        return Err(op.error("expects at least one non-pattern op"));
    }
    Ok(())
}

pub(crate) fn verify_foreach(op: OpRef<'_>) -> Verified {
    let view = ForeachOp::wrap(op);
    let Some(body) = view.body().entry() else { return Ok(()) };
    let same = |a: TypeRef<'_>, b: TypeRef<'_>| kind(a) == kind(b);
    if view.targets().len() != body.num_args() {
        return Err(op.error("expects the same number of targets as the body has block arguments"));
    }
    if !view.targets().iter().zip(body.args()).all(|(target, arg)| same(target.ty(), arg.ty())) {
        let message = "expects co-indexed targets and the body's block arguments to have the same op/value/param type";
        return Err(op.error(message));
    }
    let Some(last) = body.last_op() else { return Ok(()) };
    if last.num_operands() != op.num_results() {
        return Err(op.error("expects the same number of results as the yield terminator has operands"));
    }
    if !op.results().iter().zip(last.operands().iter()).all(|(result, operand)| same(result.ty(), operand.ty())) {
        return Err(op.error("expects co-indexed results and yield operands to have the same op/value/param type"));
    }
    Ok(())
}

pub(crate) fn verify_num_associations(op: OpRef<'_>) -> Verified {
    let ty = NumAssociationsOp::wrap(op).num().ty();
    let param = ty.params().first().filter(|_| ty.is_dialect_type("transform.param"));
    match param.and_then(|&param| ty.cx().attr(param).as_type()) {
        Some(wanted) if wanted.id() != ty.cx().i64_type() => {
            let message = format!(
                "expected the type of the parameter attribute ('i64') to match the parameter type ('{wanted}')"
            );
            Err(Diagnostic::error(op.loc(), message))
        }
        _ => Ok(()),
    }
}

pub(crate) fn verify_knob(op: OpRef<'_>) -> Verified {
    let view = TuneKnobOp::wrap(op);
    let Some(selected) = view.selected() else { return Ok(()) };
    let options = view.options();
    if options.is_array() && !options.elements().any(|option| option == selected) {
        return Err(op.error("provided `selected` attribute is not an element of `options` array of attributes"));
    }
    Ok(())
}

pub(crate) fn verify_tune_alternatives(op: OpRef<'_>) -> Verified {
    let Some(selected) = TuneAlternativesOp::wrap(op).selected_region_attr().and_then(AttrRef::as_int) else {
        return Ok(());
    };
    let regions = op.num_regions();
    if usize::try_from(selected).is_ok_and(|selected| selected < regions) {
        return Ok(());
    }
    Err(op.error(format_args!(
        "'selected_region' attribute specifies region at index {selected} while op has only {regions} regions"
    )))
}

/// Options that come as operands name each operand once.
pub(crate) fn verify_registered_pass(op: OpRef<'_>) -> Verified {
    let view = ApplyRegisteredPassOp::wrap(op);
    let count = view.dynamic_options().len();
    let mut used = vec![false; count];
    let mut left: Vec<AttrRef<'_>> =
        view.options().entries().iter().rev().map(|&(_, value)| op.cx().attr(value)).collect();
    while let Some(value) = left.pop() {
        if value.is_array() {
            let at = left.len();
            left.extend(value.elements());
            left[at..].reverse();
            continue;
        }
        let Some(index) = operand_of(value) else { continue };
        match used.get_mut(index) {
            None => {
                return Err(op.error(format_args!(
                    "dynamic option index {index} is out of bounds for the number of dynamic options: {count}"
                )));
            }
            Some(true) => {
                return Err(op.error(format_args!("dynamic option index {index} is already used in options")));
            }
            Some(used) => *used = true,
        }
    }
    if used.contains(&false) {
        let message = "a param operand does not have a corresponding param_operand attr in the options dict";
        return Err(op.error(message));
    }
    Ok(())
}

/// A handle is split into handles of its own kind.
pub(crate) fn verify_split_handle(op: OpRef<'_>) -> Verified {
    let Some(operand) = op.operands().iter().next() else { return Ok(()) };
    let wanted: Option<Kind> = kind(operand.ty());
    if op.results().iter().any(|result| kind(result.ty()) != wanted) {
        return Err(op.error("expects result types to implement the same transform interface as the operand type"));
    }
    Ok(())
}
