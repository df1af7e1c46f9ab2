//! Which outputs are written past the caches.
//!
//! A store to a line that is not in a cache reads the line first, to write it back later. Where a buffer is too large to stay, both are for nothing:
//! a non-temporal store of a whole vector writes to memory at once. It must be aligned to the vector, and what is written so must not be read again
//! soon. So an output is streamed that
//!
//! * is a part of an allocation as large as the option `streamed-bytes` says, of known extents and aligned to vectors,
//! * begins, in each row, at a multiple of a vector,
//! * is not read by the nest, and the allocation by nothing else inside the outermost operation around the nest.
//!
//! Stores like these are not ordered with others: `llvm-fence-nontemporal-stores` sees to it that who is told of the results finds them.

use dl_ir::interfaces::Index;
use dl_ir::{AttrRef, OpRef, ValueRef};
use dl_linalg::LinalgOp;
use dl_memref::{AllocOp, CastOp, CollapseShapeOp, ExpandShapeOp, SubViewOp};
use rustc_hash::FxHashSet;

/// Whether output `at` of `nest` is written past the caches by vectors of `lanes` elements; `least` is the size in bytes from which on buffers are.
pub(super) fn is_streamed(nest: LinalgOp<'_>, at: usize, lanes: i64, least: u64) -> bool {
    let operand = nest.op().operand(nest.inits().start() + at);
    !nest.reads_operand(nest.inits().start() + at) && is_aligned(operand, lanes, least).unwrap_or(false) && {
        let root = super::plan::root(operand);
        !is_touched_nearby(root, nest.op())
    }
}

/// Whether each row of `operand` begins at a multiple of a vector, in a buffer of at least so many bytes.
fn is_aligned(operand: ValueRef<'_>, lanes: i64, least: u64) -> Option<bool> {
    let whole = |steps: i64| steps % lanes == 0;
    let layout = operand.ty().strided_layout()?;
    let (&last, outer) = layout.strides.split_last()?;
    if last != 1 || !outer.iter().all(|&stride| stride >= 0 && whole(stride)) {
        return Some(false);
    }
    let mut value = operand;
    loop {
        let op = value.defining_op()?;
        if let Some(view) = op.cast::<SubViewOp<'_>>() {
            let source = view.source();
            let strides = source.ty().strided_layout()?.strides;
            let slice = dl_ir::interfaces::offset_size_stride::Slice::of(op)?;
            let steps = slice.offsets.iter().zip(&strides).map(|(offset, &stride)| match offset {
                Index::Static(offset) => offset.checked_mul(stride),
                Index::Value(_) => Some(stride),
            });
            for step in steps {
                if step.is_none_or(|step| step < 0 || !whole(step)) {
                    return Some(false);
                }
            }
            value = source;
        } else if op.is::<CastOp<'_>>() || op.is::<ExpandShapeOp<'_>>() || op.is::<CollapseShapeOp<'_>>() {
            value = op.operand(0);
        } else {
            let ty = op.cast::<AllocOp<'_>>().map(|_| value.ty())?;
            let element = u64::from(ty.element_or_self().int_or_float_width()? / 8);
            let bytes = ty.num_elements()?.checked_mul(element)?;
            let alignment = op.attr("alignment").and_then(AttrRef::as_int)?;
            let is_plain = ty.strided_layout()?.offset == 0;
            return Some(is_plain && bytes >= least && alignment % (lanes * element as i64) == 0);
        }
    }
}

/// Whether something but `nest` accesses `root`, or a view of it, inside the outermost operation around `nest`.
fn is_touched_nearby(root: ValueRef<'_>, nest: OpRef<'_>) -> bool {
    let around = outermost(nest, root);
    let mut pending = vec![root];
    let mut seen = FxHashSet::default();
    while let Some(value) = pending.pop() {
        for (user, _) in value.uses() {
            if user.id() == nest.id() || !seen.insert(user.id()) {
                continue;
            }
            if user.interface::<dyn dl_ir::interfaces::ViewLike>().is_some() {
                pending.extend(user.results().iter());
            } else if outermost(user, root) == around {
                return true;
            }
        }
    }
    false
}

/// The operation beside the one that makes `root` that `op` is in.
fn outermost(op: OpRef<'_>, root: ValueRef<'_>) -> dl_ir::OpId {
    let block = root.defining_op().and_then(|op| op.block()).map(|block| block.id());
    let mut op = op;
    while op.block().map(|block| block.id()) != block {
        let Some(parent) = op.parent() else { break };
        op = parent;
    }
    op.id()
}
