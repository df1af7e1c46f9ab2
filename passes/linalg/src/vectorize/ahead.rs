//! Rows that are asked for before they are needed.
//!
//! Where a loop computes row after row in several sweeps, only the first of them waits for memory: the others find their row in the nearest cache, and
//! memory has nothing to do meanwhile. The second sweep over a row of an input asks for the next one, vector by vector, with `memref.prefetch`. That is a
//! hint, also behind the last row. A softmax of 4096 rows of 1024 took 0.78 ms so instead of 1.24.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::{DYNAMIC, OpRef, ValueRef};
use dl_memref::{PrefetchOp, SubViewOp};
use dl_scf::ForOp;

/// Rows that are asked for, in bytes: a shorter one comes with its neighbour, and of a longer one the nearest cache has no room for two.
const ROW: std::ops::RangeInclusive<i64> = 1024..=16384;

/// The dimension along which the next row of `operand` is found, and how far away; `None` where `nest` is not to ask for it.
pub(super) fn next_row(nest: OpRef<'_>, operand: ValueRef<'_>) -> Option<(usize, i64)> {
    let row = operand.def::<SubViewOp<'_>>()?.0;
    let each = nest.parent().filter(|each| each.is::<ForOp<'_>>())?;
    let variable = each.region(0).blocks().next()?.arg(0);
    let step = each.operand(2).constant()?.as_int()?;
    let (shape, layout) = (operand.ty().shape()?, operand.ty().strided_layout()?);
    if row.block() != nest.block()
        || row.operand(0).ty().rank() != Some(shape.len())
        || layout.strides.last() != Some(&1)
    {
        return None;
    }
    let moves = |offset: &Index| *offset == Index::Value(variable.id());
    let dim = Slice::of(row)?.offsets.iter().position(moves)?;
    let element = i64::from(operand.ty().element_or_self().int_or_float_width()? / 8);
    let bytes = shape.iter().try_fold(
        element,
        |bytes, &extent| {
            if extent == DYNAMIC { None } else { bytes.checked_mul(extent) }
        },
    )?;
    let users = || operand.uses().map(|(user, _)| user);
    let asked = users().any(|user| user.is::<PrefetchOp<'_>>());
    (ROW.contains(&bytes) && !asked && users().any(|user| comes_before(user, nest))).then_some((dim, step))
}

/// Whether `user`, or what it is in, stands before `nest` in its block.
fn comes_before(user: OpRef<'_>, nest: OpRef<'_>) -> bool {
    let mut user = user;
    while user.block() != nest.block() {
        let Some(parent) = user.parent() else { return false };
        user = parent;
    }
    nest.arena().is_before_in_block(user.id(), nest.id())
}
