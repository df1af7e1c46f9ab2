//! `transform.alternatives`: one region after the other until one succeeds, each on copies.

use dl_ir::{DialectBuilder, InsertPoint, Mapping, OpId, OpRef, ValueId, clone_op};
use dl_transform::AlternativesOp;

use super::on;
use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Results};
use crate::interface::Transformation;
use crate::interpreter::Interpreter;
use crate::payload::{PayloadOp, is_isolated};

pub(super) fn attach(builder: &mut DialectBuilder) {
    on::<AlternativesOp<'_>>(builder, Alternatives);
}

struct Alternatives;

impl Transformation for Alternatives {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let originals = if op.num_operands() == 0 { vec![run.top] } else { run.ops(op.operand(0)) };
        for &original in &originals {
            if run.contains_schedule(original) || run.parent(original).is_none() {
                let error = Failure::definite(op, "scope must not contain the transforms being applied");
                return Err(error.note(run.op(original).loc(), "scope"));
            }
            if !is_isolated(run.op(original)) {
                let error = Failure::definite(op, "only isolated-from-above ops can be alternative scopes");
                return Err(error.note(run.op(original).loc(), "scope"));
            }
        }
        for region in op.regions() {
            let Some(block) = region.entry() else { continue };
            let copies: Vec<PayloadOp> = originals.iter().map(|&original| copy(run, original)).collect();
            let outcome = run.in_region(region, |run| {
                if let Some(arg) = block.args().next() {
                    run.map(arg, copies.iter().copied().map(Entity::Op).collect())?;
                }
                run.run_sequence(block, false, results)
            });
            match outcome {
                Ok(()) => {
                    originals.iter().zip(&copies).for_each(|(&original, &copy)| replace(run, original, copy.id));
                    return Ok(());
                }
                Err(Failure::Silenceable(_)) => copies.iter().for_each(|&copy| erase(run, copy)),
                definite => return definite,
            }
        }
        Err(Failure::silenceable(op, "all alternatives failed"))
    }

    fn consumes<'s>(&self, _: OpRef<'s>, _: usize, _: &Interpreter<'s, '_>) -> bool {
        true
    }
}

/// A copy of `op` before it.
fn copy(run: &mut Interpreter<'_, '_>, op: PayloadOp) -> PayloadOp {
    let id = run.rewrite(op.arena, |rw| {
        let block = rw.ir().block_of(op.id).expect("an operation in a block");
        rw.set_insertion_point(Some(InsertPoint { block, before: Some(op.id) }));
        clone_op(rw, op.id, &mut Mapping::new())
    });
    PayloadOp { arena: op.arena, id }
}

fn replace(run: &mut Interpreter<'_, '_>, original: PayloadOp, by: OpId) {
    run.rewrite(original.arena, |rw| {
        let results: Vec<ValueId> = rw.ir().results(by).collect();
        rw.replace(original.id, &results);
    });
}

fn erase(run: &mut Interpreter<'_, '_>, op: PayloadOp) {
    if run.is_live(op) {
        run.rewrite(op.arena, |rw| rw.erase(op.id));
    }
}
