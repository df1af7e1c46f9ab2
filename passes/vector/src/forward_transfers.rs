//! `vector-forward-transfers`: a read from where a vector has just been written gives that vector, and a write that the next one covers is not needed.
//!
//! Each read looks at what comes before it, each write at what comes after it, in its block and then around the operations whose regions it
//! is in, until something may write or read the same memory. Different allocations are different memory, and so are an allocation and an argument
//! of the function; arguments may be the same. Transfers at positions whose distance is known and large enough do not meet. A region may run
//! several times, or not at all: what is in it counts as before and after each of its operations.
//!
//! Only transfers in bounds take part. Costs for each transfer the number of operations up to the first that ends the search, at most
//! [`MAX_STEPS`].

use dl_affine::AffineApplyOp;
use dl_ir::affine::{AffineExprData, AffineOp};
use dl_ir::opdef::{Effects, Trait};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, AttrRef, Context, OpId, OpRef, Rewriter, ValueId, ValueRef};
use dl_memref::{AllocOp, AllocaOp, CastOp, SubViewOp};
use dl_vector::types::extents;
use dl_vector::{TransferReadOp, TransferWriteOp};

use crate::masking::masking;
use crate::transfer::in_bounds;

/// How many operations a search looks at, at most.
const MAX_STEPS: usize = 10_000;

/// Forwards what is written to reads, and erases writes that are overwritten.
#[derive(Clone, Copy, Default)]
pub struct ForwardTransfers;

impl Pass for ForwardTransfers {
    const INFO: PassInfo = PassInfo::new(
        "vector-forward-transfers",
        "Give reads the vector that was written there, and erase writes that are overwritten",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut changed = 0_u64;
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| changed += forward_in_arena(cx, ir));
        if changed == 0 {
            cx.preserve_all();
        }
        Ok(())
    }
}

fn forward_in_arena(cx: &Context, ir: &mut Arena) -> u64 {
    let mut rw = Rewriter::new(cx, ir);
    let mut changed = 0;
    let all = dl_ir::walk::ops_in_arena(rw.ir(), Arena::ROOT);
    let reads: Vec<OpId> = all.iter().copied().filter(|&op| rw.op(op).is::<TransferReadOp<'_>>()).collect();
    for read in reads {
        if let Some(vector) = written_before(rw.op(read)) {
            rw.replace(read, &[vector]);
            changed += 1;
        }
    }
    let writes: Vec<OpId> = all.into_iter().filter(|&op| rw.ir().is_live(op)).collect();
    for write in writes.into_iter().filter(|&op| rw.op(op).is::<TransferWriteOp<'_>>()).collect::<Vec<_>>() {
        if is_overwritten(rw.op(write)) {
            rw.erase(write);
            changed += 1;
        }
    }
    changed
}

/// A transfer of a memref in bounds.
struct Access<'a> {
    op: OpRef<'a>,
    base: ValueRef<'a>,
    indices: Vec<ValueRef<'a>>,
    mask: Option<ValueId>,
}

impl<'a> Access<'a> {
    fn of(op: OpRef<'a>) -> Option<Self> {
        let (base, indices, mask) = if let Some(read) = op.cast::<TransferReadOp<'_>>() {
            (read.base(), read.indices(), read.mask())
        } else {
            let write = op.cast::<TransferWriteOp<'_>>()?;
            (write.base(), write.indices(), write.mask())
        };
        let known = base.ty().is_ranked_memref() && masking(op).is_none() && in_bounds(op).iter().all(|&bound| bound);
        known.then(|| Self { op, base, indices: indices.iter().collect(), mask: mask.map(|mask| mask.id()) })
    }

    fn vector_type(&self) -> dl_ir::TypeRef<'a> {
        if self.op.is::<TransferReadOp<'_>>() { self.op.result(0).ty() } else { self.op.operand(0).ty() }
    }

    /// Whether both are of the same elements in the same order.
    fn is_of_same_elements(&self, other: &Self) -> bool {
        self.vector_type() == other.vector_type()
            && without_casts(self.base) == without_casts(other.base)
            && self.op.attr("permutation_map") == other.op.attr("permutation_map")
            && self.indices.len() == other.indices.len()
            && self.indices.iter().zip(&other.indices).all(|(a, b)| is_same_index(*a, *b))
    }

    /// Whether the elements of both are known to be apart: of the same memref, at positions with a known distance that is not less than the vector is long.
    fn is_apart(&self, other: &Self) -> bool {
        let cx = self.op.cx();
        let plain = |access: &Self| {
            let map = access.op.attr("permutation_map").and_then(AttrRef::as_affine_map);
            map.is_some_and(|map| cx.affine().is_minor_identity(map)) && !access.vector_type().is_scalable_vector()
        };
        if self.base != other.base || !plain(self) || !plain(other) {
            return false;
        }
        let length = |access: &Self, dim: usize| {
            let lanes = extents(access.vector_type());
            let added = access.indices.len() - lanes.len().min(access.indices.len());
            dim.checked_sub(added).and_then(|dim| lanes.get(dim)).copied().unwrap_or(1)
        };
        (0..self.indices.len()).any(|dim| {
            let ((from_a, a), (from_b, b)) = (distance(self.indices[dim]), distance(other.indices[dim]));
            from_a == from_b
                && (a.checked_add(length(self, dim)).is_some_and(|end| end <= b)
                    || b.checked_add(length(other, dim)).is_some_and(|end| end <= a))
        })
    }
}

/// What an index is a known number of elements behind, and how many: behind nothing where it is a constant.
fn distance(index: ValueRef<'_>) -> (Option<ValueRef<'_>>, i64) {
    if let Some(constant) = index.constant().and_then(AttrRef::as_int) {
        return (None, constant);
    }
    added_by_apply(index).map_or((Some(index), 0), |(start, added)| (Some(start), added))
}

/// The operand and the number of an `affine.apply` that adds these two.
fn added_by_apply(index: ValueRef<'_>) -> Option<(ValueRef<'_>, i64)> {
    let apply = index.def::<AffineApplyOp<'_>>()?;
    let affine = index.cx().affine();
    let map = affine.map(apply.map().as_affine_map()?);
    let (&[sum], 1) = (&map.results[..], apply.0.num_operands()) else { return None };
    let AffineExprData::Binary { op: AffineOp::Add, lhs, rhs } = affine.expr(sum) else { return None };
    let is_operand = affine.dim_position(lhs).or_else(|| affine.symbol_position(lhs)).is_some();
    let added = affine.constant_value(rhs).filter(|_| is_operand)?;
    Some((apply.0.operand(0), added))
}

fn is_same_index(a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
    a == b || a.constant().and_then(AttrRef::as_int).is_some_and(|a| b.constant().and_then(AttrRef::as_int) == Some(a))
}

/// The memref that has the same elements at the same positions: casts, and subviews from the start without strides, lead on.
fn without_casts(value: ValueRef<'_>) -> ValueRef<'_> {
    let mut value = value;
    while let Some(op) = value.defining_op() {
        let leads_on = op.is::<CastOp<'_>>() && op.operand(0).ty().is_ranked_memref() || is_from_start(op);
        if !leads_on {
            break;
        }
        value = op.operand(0);
    }
    value
}

fn is_from_start(op: OpRef<'_>) -> bool {
    use dl_ir::interfaces::offset_size_stride::Slice;
    op.is::<SubViewOp<'_>>()
        && op.operand(0).ty().rank() == op.result(0).ty().rank()
        && Slice::of(op).is_some_and(|slice| slice.has_zero_offsets() && slice.has_unit_strides())
}

/// The memref that a view is part of.
fn root(value: ValueRef<'_>) -> ValueRef<'_> {
    const VIEWS: [&str; 9] = [
        "memref.cast",
        "memref.subview",
        "memref.view",
        "memref.reinterpret_cast",
        "memref.collapse_shape",
        "memref.expand_shape",
        "memref.reshape",
        "memref.transpose",
        "memref.memory_space_cast",
    ];
    let mut value = value;
    while let Some(op) = value.defining_op().filter(|op| VIEWS.contains(&op.name())) {
        value = op.operand(0);
    }
    value
}

/// Whether views of both may share elements.
fn may_alias(a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
    let (a, b) = (root(a), root(b));
    let is_new =
        |value: ValueRef<'_>| value.defining_op().is_some_and(|op| op.is::<AllocOp<'_>>() || op.is::<AllocaOp<'_>>());
    // An argument of the function was there before.
    let is_argument =
        |value: ValueRef<'_>| value.owner_block().and_then(|block| block.parent_op()).is_some_and(|op| op.is_root());
    a == b || !(is_new(a) && (is_new(b) || is_argument(b)) || is_new(b) && is_argument(a))
}

/// Whether `op`, or what is in its regions, may have one of these effects on elements of the access.
fn may_touch(op: OpRef<'_>, access: &Access<'_>, effects: &[Effects], steps: &mut usize) -> bool {
    for inner in dl_ir::walk::pre_order(op) {
        *steps += 1;
        if *steps > MAX_STEPS {
            return true;
        }
        if inner.has_trait(&Trait::RecursiveMemoryEffects) {
            continue;
        }
        let Some(found) = dl_ir::effects::effects_of(inner) else { return true };
        if !effects.iter().any(|&effect| found.contains(effect)) {
            continue;
        }
        let memrefs: Vec<ValueRef<'_>> = inner.operands().iter().filter(|value| value.ty().is_memref()).collect();
        let apart = Access::of(inner).is_some_and(|other| other.is_apart(access));
        if memrefs.is_empty() || !apart && memrefs.into_iter().any(|memref| may_alias(memref, access.base)) {
            return true;
        }
    }
    false
}

/// The vector that the elements of a read were written from.
fn written_before(read: OpRef<'_>) -> Option<ValueId> {
    let access = Access::of(read)?;
    let (effects, mut steps) = ([Effects::WRITE, Effects::FREE], 0);
    let mut at = read;
    loop {
        if let Some(before) = at.prev() {
            let write = before.cast::<TransferWriteOp<'_>>().and_then(|_| Access::of(before));
            if let Some(write) = write
                && write.is_of_same_elements(&access)
            {
                return value_read(&write, &access);
            }
            if may_touch(before, &access, &effects, &mut steps) {
                return None;
            }
            at = before;
            continue;
        }
        at = around(at, |block| block.region().and_then(|region| region.entry()) == Some(block))?;
        if may_touch(at, &access, &effects, &mut steps) {
            return None;
        }
    }
}

/// What a read gives of what was written there: the vector, but where lanes are masked off, which give the padding.
fn value_read(write: &Access<'_>, read: &Access<'_>) -> Option<ValueId> {
    let vector = write.op.operand(0);
    match (write.mask, read.mask) {
        (None, None) => Some(vector.id()),
        (Some(a), Some(b)) if a == b => {
            let padding = read.op.cast::<TransferReadOp<'_>>()?.padding().constant()?;
            let splat = vector.constant()?.splat_value()?;
            (splat == padding).then(|| vector.id())
        }
        _ => None,
    }
}

/// Whether all that is written is written again before anything can read it.
fn is_overwritten(write: OpRef<'_>) -> bool {
    let Some(access) = Access::of(write) else { return false };
    let (effects, mut steps) = ([Effects::READ, Effects::FREE], 0);
    let mut at = write;
    loop {
        if let Some(after) = at.next() {
            let next = after.cast::<TransferWriteOp<'_>>().and_then(|_| Access::of(after));
            if let Some(next) = next
                && next.is_of_same_elements(&access)
                && (next.mask.is_none() || next.mask == access.mask)
            {
                return true;
            }
            if after.num_successors() > 0 || may_touch(after, &access, &effects, &mut steps) {
                return false;
            }
            at = after;
            continue;
        }
        let Some(outer) = around(at, |_| true) else { return false };
        if may_touch(outer, &access, &effects, &mut steps) {
            return false;
        }
        at = outer;
    }
}

/// The operation around `op`, unless the function is: what is before and after it is before and after `op`.
fn around<'a>(op: OpRef<'a>, is_entry: impl FnOnce(dl_ir::BlockRef<'a>) -> bool) -> Option<OpRef<'a>> {
    let block = op.block()?;
    let parent = block.parent_op().filter(|parent| !parent.is_root() && is_entry(block))?;
    parent.has_trait(&Trait::RecursiveMemoryEffects).then_some(parent)
}
