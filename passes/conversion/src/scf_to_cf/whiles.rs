//! Conditional loops.

use dl_ir::rewrite::{NoMatch, Pattern, Rewrite};
use dl_ir::{BlockRef, OpDefinition, OpId, RegionRef, Rewriter, ValueId};
use dl_scf::{ConditionOp, WhileOp, YieldOp};
use smallvec::SmallVec;

use super::{branch, cond_branch, inline_before, llvm_attrs, split_at, terminator, view};

fn last_block(region: RegionRef<'_>) -> Result<BlockRef<'_>, NoMatch> {
    region.blocks().last().ok_or(NoMatch("a loop without a region"))
}

/// The condition and the values that `scf.condition` passes.
fn condition_parts(rw: &Rewriter<'_>, op: OpId) -> (ValueId, SmallVec<[ValueId; 4]>) {
    let mut operands = rw.op(op).operands().ids();
    let condition = operands.remove(0);
    (condition, operands)
}

/// A loop becomes the blocks of both regions, joined by branches.
pub(super) fn lower_while(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let each: WhileOp<'_> = view(rw.op(op))?;
    let (inits, annotations, loc) = (each.inits().ids(), llvm_attrs(each.0), each.0.loc());
    let (before, after) = (each.before(), each.after());
    let condition = terminator::<ConditionOp<'_>>(last_block(before)?)?.id();
    let yielded = terminator::<YieldOp<'_>>(last_block(after)?)?.id();
    let entry = before.entry().ok_or(NoMatch("a loop without a region"))?.id();
    let body = after.entry().ok_or(NoMatch("a loop without a region"))?.id();
    let (before, after) = (before.id(), after.id());

    let (head, rest) = split_at(rw, op);
    inline_before(rw, after, rest);
    let to = rw.ir().region_of(body).expect("a block in a region");
    rw.move_blocks(before, to, Some(body));
    rw.set_insertion_to_end(head);
    rw.create(branch(loc, entry, inits));
    let (holds, passed) = condition_parts(rw, condition);
    let state = cond_branch(rw, rw.op(condition).loc(), holds, (body, &passed), (rest, &[]));
    rw.replace_with(condition, state);
    let carried = rw.op(yielded).operands().ids();
    let back = branch(rw.op(yielded).loc(), entry, carried).attrs(annotations);
    rw.replace_with(yielded, back);
    rw.replace(op, &passed);
    Ok(())
}

/// A loop whose second region only passes its arguments on needs no block for it.
pub(super) struct LowerDoWhile;

impl Pattern for LowerDoWhile {
    const NAME: &'static str = "scf-do-while-to-cf";
    const ROOT: Option<&'static str> = Some(WhileOp::NAME);
    const BENEFIT: u16 = 2;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let each: WhileOp<'_> = view(rw.op(op))?;
        let (inits, annotations, loc) = (each.inits().ids(), llvm_attrs(each.0), each.0.loc());
        let after = each.after().entry().filter(|_| each.after().has_one_block());
        let after = after.ok_or(NoMatch("the second region has more than one block"))?;
        let yielded = after.first_op().filter(|op| op.is::<YieldOp<'_>>());
        let yielded = yielded.ok_or(NoMatch("the second region does something"))?;
        if !yielded.operands().iter().eq(after.args()) {
            return Err(NoMatch("the second region does not pass its arguments on as they are"));
        }
        let before = each.before();
        let condition = terminator::<ConditionOp<'_>>(last_block(before)?)?.id();
        let entry = before.entry().ok_or(NoMatch("a loop without a region"))?.id();
        let before = before.id();

        let (head, rest) = split_at(rw, op);
        inline_before(rw, before, rest);
        rw.set_insertion_to_end(head);
        rw.create(branch(loc, entry, inits));
        let (holds, passed) = condition_parts(rw, condition);
        let state = cond_branch(rw, rw.op(condition).loc(), holds, (entry, &passed), (rest, &[]));
        rw.replace_with(condition, state.attrs(annotations));
        rw.replace(op, &passed);
        Ok(())
    }
}
