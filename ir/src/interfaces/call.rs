//! Operations that call.

use crate::attributes::AttrRef;
use crate::diagnostics::Diagnostic;
use crate::types::Type;
use crate::view::{OpRef, Operands, ValueRef};

/// What a call calls.
#[derive(Clone, Copy, Debug)]
pub enum Callee<'a> {
    /// A symbol: `@f` or `@m::@f`.
    Symbol(AttrRef<'a>),
    /// A function value.
    Value(ValueRef<'a>),
}

/// An operation that transfers control to a callable operation, and gets it back with the results.
pub trait CallOp: Send + Sync {
    /// What it calls, `None` where that is not known (inline assembly).
    fn callee<'a>(&self, op: OpRef<'a>) -> Option<Callee<'a>>;

    /// The operands that become the arguments of the callee.
    fn arguments<'a>(&self, op: OpRef<'a>) -> Operands<'a>;
}

/// A call that names a function in the attribute `callee` and passes it all of its operands.
pub struct DirectCall;

impl CallOp for DirectCall {
    fn callee<'a>(&self, op: OpRef<'a>) -> Option<Callee<'a>> {
        op.attr("callee").map(Callee::Symbol)
    }

    fn arguments<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        op.operands()
    }
}

/// Checks that the operands and results of the call `op` are those of a function with these inputs and results.
///
/// # Errors
/// The first that is not.
pub fn verify_call(op: OpRef<'_>, inputs: &[Type], results: &[Type]) -> Result<(), Diagnostic> {
    verify_operands(op, inputs)?;
    verify_results(op, results)
}

fn verify_operands(op: OpRef<'_>, inputs: &[Type]) -> Result<(), Diagnostic> {
    if op.num_operands() != inputs.len() {
        return Err(op.error("incorrect number of operands for callee"));
    }
    for (i, (operand, &ty)) in op.operands().iter().zip(inputs).enumerate() {
        if operand.ty() != ty {
            return Err(op.error(format_args!(
                "operand type mismatch: expected operand type '{}', but provided '{}' for operand number {i}",
                op.cx().ty(ty),
                operand.ty()
            )));
        }
    }
    Ok(())
}

fn verify_results(op: OpRef<'_>, results: &[Type]) -> Result<(), Diagnostic> {
    if op.num_results() != results.len() {
        return Err(op.error("incorrect number of results for callee"));
    }
    for (i, (result, &ty)) in op.results().iter().zip(results).enumerate() {
        if result.ty() != ty {
            let list = |types: &[Type]| {
                let texts: Vec<String> = types.iter().map(|&ty| format!("'{}'", op.cx().ty(ty))).collect();
                texts.join(", ")
            };
            let here = format!("      op result types: {}", list(&op.results().types()));
            let there = format!("function result types: {}", list(results));
            let error = op.error(format_args!("result type mismatch at index {i}"));
            return Err(error.note(op.loc(), here).note(op.loc(), there));
        }
    }
    Ok(())
}
