//! Transfers between memories.

use dl_ir::interp::{Machine, Outcome, Step};
use dl_ir::{Diagnostic, DialectBuilder};

use crate::assembly::DmaParts;
use crate::transfer::{self, Place, Rows, Transfer};
use crate::{DmaStartOp, DmaWaitOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<DmaStartOp<'_>>().interpret(start);
    b.on::<DmaWaitOp<'_>>().interpret(wait);
}

/// The element of the memref that is operand number `at`, which its indices follow.
fn place<'a, 'v>(step: Step<'a, 'v>, at: usize) -> Result<Place<'a, 'v>, Diagnostic> {
    let ty = step.op.operand(at).ty();
    let index = step.indices(&step.operands[at + 1..][..ty.rank().unwrap_or(0)])?;
    Ok(Place { memref: &step.operands[at], ty, index })
}

fn start<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let parts = DmaParts::of(step.op).ok_or_else(|| step.op.error("has too few operands"))?;
    let [source, target, tag] = parts.memrefs;
    let rows = match parts.stride {
        Some(at) => Some(Rows { stride: step.index(&step.operands[at])?, length: step.index(&step.operands[at + 1])? }),
        None => None,
    };
    let count = step.index(&step.operands[parts.num_elements])?;
    let (source, target, tag) = (place(step, source)?, place(step, target)?, place(step, tag)?);
    transfer::start(step, machine, &Transfer { source, target, tag, count, rows })
}

fn wait<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (tag, count) = (place(step, 0)?, step.index(step.one(2)?)?);
    transfer::wait(step, machine, &tag, count)
}
