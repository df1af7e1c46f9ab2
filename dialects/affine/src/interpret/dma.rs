//! Transfers between memories, at affine positions.

use dl_ir::Diagnostic;
use dl_ir::interp::{Machine, Outcome, Step, Value};
use dl_memref::transfer::{self, Place, Rows, Transfer};

use super::maps::eval;
use crate::dma_parts;

/// The elements that the memrefs of a transfer are named with, and the numbers after them.
fn parts<'a, 'v>(step: Step<'a, 'v>) -> Result<(Vec<Place<'a, 'v>>, &'v [Value]), Diagnostic> {
    let (positions, numbers) = dma_parts(step.op).ok_or_else(|| step.op.error("has too few operands"))?;
    let places = positions.iter().map(|position| {
        let indices = &step.operands[position.at + 1..][..position.indices.len()];
        let index = eval(step, position.map, indices)?.into();
        Ok(Place { memref: &step.operands[position.at], ty: position.memref.ty(), index })
    });
    Ok((places.collect::<Result<_, Diagnostic>>()?, &step.operands[step.operands.len() - numbers.len()..]))
}

pub(super) fn start<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (places, numbers) = parts(step)?;
    let (Ok([source, target, tag]), [count, rows @ ..]) = (<[Place<'_, '_>; 3]>::try_from(places), numbers) else {
        return Err(step.op.error("has too few operands"));
    };
    let rows = match rows {
        [stride, length] => Some(Rows { stride: step.index(stride)?, length: step.index(length)? }),
        _ => None,
    };
    transfer::start(step, machine, &Transfer { source, target, tag, count: step.index(count)?, rows })
}

pub(super) fn wait<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    match parts(step)? {
        (places, [count]) if places.len() == 1 => transfer::wait(step, machine, &places[0], step.index(count)?),
        _ => Err(step.op.error("has too few operands")),
    }
}
