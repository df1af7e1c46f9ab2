//! Counted loops.

use dl_arith::{AddIOp, CmpIPredicate};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, Rewriter, ValueId, ValueRef};
use dl_scf::{ForOp, YieldOp};
use smallvec::SmallVec;

use super::{branch, cond_branch, inline_before, llvm_attrs, split_at, terminator, view};
use dl_arith::Build;

/// A loop becomes a block for its condition, with the counter and the carried values as arguments, and its body, which
/// branches back. What LLVM is told about the loop goes to that branch.
pub(super) fn lower_for(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let each: ForOp<'_> = view(rw.op(op))?;
    let (lower, upper, step) = (each.lower_bound().id(), each.upper_bound().id(), each.step().id());
    let (inits, region, loc) = (each.init_args().ids(), each.region(), each.0.loc());
    let predicate = if each.unsigned_cmp().is_some() { CmpIPredicate::Ult } else { CmpIPredicate::Slt };
    let condition = region.entry().ok_or(NoMatch("a loop without body"))?;
    let first = condition.first_op().ok_or(NoMatch("a loop with an empty body"))?.id();
    let last = region.blocks().last().ok_or(NoMatch("a loop without body"))?;
    let yielded = terminator::<YieldOp<'_>>(last)?;
    let args: SmallVec<[ValueId; 4]> = condition.args().map(ValueRef::id).collect();
    let annotations = llvm_attrs(each.0);
    let (region, condition, yielded) = (region.id(), condition.id(), yielded.id());

    let (head, end) = split_at(rw, op);
    let body = rw.split_block(first);
    inline_before(rw, region, end);
    rw.set_insertion_before(yielded);
    let stepped = Build::new(rw, loc).same::<AddIOp<'_>>(&[args[0], step]);
    let carried = rw.op(yielded).operands().ids();
    let back = branch(loc, condition, std::iter::once(stepped).chain(carried)).attrs(annotations);
    rw.create(back);
    rw.erase(yielded);

    rw.set_insertion_to_end(head);
    rw.create(branch(loc, condition, std::iter::once(lower).chain(inits)));
    rw.set_insertion_to_end(condition);
    let goes_on = Build::new(rw, loc).compare(predicate, args[0], upper);
    let state = cond_branch(rw, loc, goes_on, (body, &[]), (end, &[]));
    rw.create(state);
    rw.replace(op, &args[1..]);
    Ok(())
}
