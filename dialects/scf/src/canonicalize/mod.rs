//! Canonicalization patterns.

mod combine_ifs;
mod conditional;
mod for_loop;
mod forall;
mod parallel;
mod while_if;
mod while_loop;

pub(crate) use conditional::{execute_region_patterns, if_patterns, index_switch_patterns};
pub(crate) use for_loop::for_patterns;
pub(crate) use forall::forall_patterns;
pub(crate) use parallel::parallel_patterns;
pub(crate) use while_loop::while_patterns;

use dl_ir::{BlockRef, InsertPoint, Loc, OpId, OpState, RegionId, RegionRef, Rewriter, ValueId};
use smallvec::SmallVec;

type Values = SmallVec<[ValueId; 4]>;

/// Moves the operations of the only block of `region` before `op`, with `args` for the arguments of the block. Erases the
/// terminator and answers its operands.
fn inline_before(rw: &mut Rewriter<'_>, op: OpId, region: RegionId, args: &[ValueId]) -> Values {
    let block = rw.ir().entry_block(region).expect("a region that is executed has a block");
    let terminator = rw.ir().last_op(block).expect("a verified block ends with a terminator");
    let parent = rw.ir().block_of(op).expect("an operation being rewritten is in a block");
    rw.inline_block(block, InsertPoint { block: parent, before: Some(op) }, args);
    let values = rw.ir().operands(terminator).collect();
    rw.erase(terminator);
    values
}

/// What the terminator of the only block of `region` hands on.
fn yielded(region: RegionRef<'_>) -> Values {
    let last = region.entry().and_then(BlockRef::last_op);
    last.map_or_else(Values::new, |op| op.operands().ids())
}

/// Removes the operands of the terminator of `region` that are not kept.
fn keep_yielded(rw: &mut Rewriter<'_>, region: RegionId, keep: &[bool]) {
    let Some(terminator) = rw.ir().entry_block(region).and_then(|block| rw.ir().last_op(block)) else {
        return;
    };
    let kept: Values = kept(rw.ir().operands(terminator), keep);
    rw.set_operands(terminator, &kept);
}

/// Those of `all` that are kept.
fn kept<T, C: FromIterator<T>>(all: impl IntoIterator<Item = T>, keep: &[bool]) -> C {
    all.into_iter().zip(keep).filter(|(_, keep)| **keep).map(|(value, _)| value).collect()
}

/// A region that has taken over the blocks of `region`.
fn take_region(rw: &mut Rewriter<'_>, region: RegionId) -> RegionId {
    let new = rw.new_region();
    rw.move_blocks(region, new, None);
    new
}

/// The constant `true` or `false`, at the insertion point.
fn bool_constant(rw: &mut Rewriter<'_>, value: bool, loc: Loc) -> ValueId {
    let cx = rw.cx();
    let state = OpState::named("arith.constant", loc).attr(cx, "value", cx.bool_attr(value));
    rw.create_value(state.results([cx.i1_type()]))
}
