//! Single elements of memory, as operations of several dialects read and write them.

use super::machine::Machine;
use super::memory::MemRef;
use super::step::Step;
use super::value::Value;
use crate::diagnostics::Diagnostic;

/// Reads the element at `index` of the memref that is operand number `operand`.
///
/// # Errors
/// That the access is undefined, or that nothing was written there.
pub fn read_element<'a>(
    step: Step<'a, '_>,
    machine: &mut dyn Machine<'a>,
    operand: usize,
    index: &[i64],
) -> Result<Value, Diagnostic> {
    let memref = step.memref(&step.operands[operand])?;
    let ty = step.op.operand(operand).ty().element_or_self();
    let read = machine.memory().read(memref, index, ty);
    step.defined(read.and_then(|found| found.ok_or_else(|| "read of memory that was never written".to_owned())))
}

/// Writes `value` to the element at `index` of `memref`.
///
/// # Errors
/// That the access is undefined.
pub fn write_element<'a>(
    step: Step<'a, '_>,
    machine: &mut dyn Machine<'a>,
    memref: &MemRef,
    index: &[i64],
    value: Value,
) -> Result<(), Diagnostic> {
    step.defined(machine.memory().write(memref, index, Some(value)))
}
