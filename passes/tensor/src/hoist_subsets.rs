//! `loop-invariant-subset-hoisting`: a part of a tensor that each iteration of a loop reads and writes back is handed from iteration to iteration by
//! itself.
//!
//! For a tensor that `scf.for` carries, the *chain* is that from the iteration's argument to the yielded value, by insertions and by inner loops that
//! carry the tensor. Reading a part and writing it move out where both say by values from outside of the loop which part it is, it is read before it
//! is written, and nothing else on the chain can touch its elements. Parts are slices, or vectors that are transferred within bounds: what a transfer
//! reads beyond them is padding, which is not what was written there.

use dl_ir::dialect::FoldedValue;
use dl_ir::interfaces::index_list::{Index, Indices};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::fold::fold_results;
use dl_ir::walk::{for_each_arena, ops_in_arena_post_order};
use dl_ir::{Arena, Attr, AttrRef, Context, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};
use dl_scf::{ForOp, YieldOp};
use dl_tensor::{ExtractSliceOp, InsertSliceOp};
use dl_vector::{TransferReadOp, TransferWriteOp};

/// Hoists pairs of operations that read and write a part out of `scf.for`, inner loops first.
#[derive(Clone, Copy, Default)]
pub struct LoopInvariantSubsetHoisting;

impl Pass for LoopInvariantSubsetHoisting {
    const INFO: PassInfo =
        PassInfo::new("loop-invariant-subset-hoisting", "Hoist loop invariant subset ops outside of the loop")
            .title("LoopInvariantSubsetHoisting");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        for_each_arena(cx.ctx, cx.ir, &mut in_arena);
        Ok(())
    }
}

fn in_arena(cx: &Context, ir: &mut Arena) {
    for op in ops_in_arena_post_order(ir, Arena::ROOT) {
        hoist_subsets(&mut Rewriter::new(cx, ir), op);
    }
}

/// Hoists all pairs out of `op`, if that is a loop; answers what it has become.
pub(crate) fn hoist_subsets(rw: &mut Rewriter<'_>, op: OpId) -> OpId {
    let mut current = op;
    while let Some(pair) = find(rw.op(current)) {
        current = hoist(rw, current, &pair);
    }
    current
}

/// What moves out of a loop.
struct Pair {
    /// The number of the tensor among those that the loop carries.
    carried: usize,
    read: OpId,
    write: OpId,
}

/// An operation of a chain.
struct Link<'a> {
    op: OpRef<'a>,
    /// The part of the tensor that it reads or writes, if that is known.
    part: Option<Slice>,
    /// The number of writes and inner loops before it.
    at: usize,
    /// Whether it is in an inner loop.
    is_nested: bool,
}

/// A pair that can be hoisted out of `op`, if that is a loop.
fn find(op: OpRef<'_>) -> Option<Pair> {
    let of = op.cast::<ForOp<'_>>()?;
    (0..of.init_args().len()).find_map(|carried| {
        let links = links(of, carried)?;
        let is_pair = |read: &Link<'_>, write: &Link<'_>| {
            !writes(read.op) && writes(write.op) && read.at <= write.at && is_same_part(read, write)
        };
        // In the order of mlir-opt, which decides about that of what is hoisted.
        let own = || links.iter().filter(|link| !link.is_nested);
        let mut pairs = own().filter_map(|link| {
            let read = own().find(|other| is_pair(other, link)).map(|read| (read, link));
            read.or_else(|| Some((link, own().find(|other| is_pair(link, other))?)))
        });
        let (read, write) = pairs.find(|(read, write)| {
            let is_apart = |other: &Link<'_>| {
                other.part.as_ref().zip(write.part.as_ref()).is_some_and(|(a, b)| a.is_disjoint_from(b))
            };
            let mut others = links.iter().filter(|other| other.op != read.op && other.op != write.op);
            is_invariant(read.op, op) && is_invariant(write.op, op) && others.all(is_apart)
        })?;
        Some(Pair { carried, read: read.op.id(), write: write.op.id() })
    })
}

/// What is on the chain of a tensor that a loop carries, and on those of inner loops that carry it. For each value the last use comes first. `None`
/// where anything else uses the tensor.
fn links(of: ForOp<'_>, carried: usize) -> Option<Vec<Link<'_>>> {
    let (mut links, mut pending) = (Vec::new(), vec![(of, carried)]);
    while let Some((each, carried)) = pending.pop() {
        let body = each.region().entry()?;
        let (mut value, mut at) = (body.args().nth(carried + 1)?, 0);
        loop {
            let mut uses: Vec<(OpRef<'_>, usize)> = value.uses().collect();
            // A part may be taken in a region that does not run: only those right in the body are.
            if uses.iter().any(|(user, _)| user.block() != Some(body)) {
                return None;
            }
            let ir = each.0.arena();
            uses.sort_by(|(a, _), (b, _)| {
                ir.is_before_in_block(a.id(), b.id()).cmp(&ir.is_before_in_block(b.id(), a.id()))
            });
            let (mut after, mut ends) = (None, false);
            for (user, operand) in uses {
                let result = if user.is::<YieldOp<'_>>() && operand == carried {
                    ends = true;
                    None
                } else if let Some(inner) = user.cast::<ForOp<'_>>() {
                    let inner_carried = operand.checked_sub(FIRST_INIT)?;
                    pending.push((inner, inner_carried));
                    Some(user.result(inner_carried))
                } else if tensor_at(user) == Some(operand) {
                    links.push(Link { op: user, part: part(user), at, is_nested: each.0 != of.0 });
                    writes(user).then(|| user.result(0))
                } else {
                    return None;
                };
                if result.is_some() && after.is_some() {
                    return None;
                }
                after = after.or(result);
            }
            match (after, ends) {
                (None, true) => break,
                (Some(next), false) => value = next,
                _ => return None,
            }
            at += 1;
        }
    }
    Some(links)
}

/// Number of the first operand of `scf.for` that it carries.
const FIRST_INIT: usize = 3;

/// The number of the operand of which `op` reads or writes a part. `None` for other operations.
fn tensor_at(op: OpRef<'_>) -> Option<usize> {
    if op.is::<ExtractSliceOp<'_>>() || op.is::<TransferReadOp<'_>>() {
        Some(0)
    } else if op.is::<InsertSliceOp<'_>>() || op.is::<TransferWriteOp<'_>>() {
        Some(1)
    } else {
        None
    }
}

/// Whether `op`, which reads or writes a part, writes it. The part is its first operand then.
fn writes(op: OpRef<'_>) -> bool {
    tensor_at(op) == Some(1)
}

/// The part that `op` reads or writes; a transfer may touch less. `None` where that is not known.
fn part(op: OpRef<'_>) -> Option<Slice> {
    let known = |index: Index| match index {
        Index::Value(value) => {
            let value = ValueRef::new(op.cx(), op.arena(), value);
            constant(value, MOST_OPS).and_then(AttrRef::as_int).map_or(index, Index::Static)
        }
        Index::Static(_) => index,
    };
    let all = |indices: Indices| indices.into_iter().map(known).collect();
    if let Some(Slice { offsets, sizes, strides }) = Slice::of(op) {
        return Some(Slice { offsets: all(offsets), sizes: all(sizes), strides: all(strides) });
    }
    let indices = op.operand_group(if writes(op) { 2 } else { 1 });
    let lengths = dl_vector::transferred(op)?;
    Some(Slice {
        offsets: indices.iter().map(|index| known(Index::Value(index.id()))).collect(),
        strides: lengths.iter().map(|_| Index::Static(1)).collect(),
        sizes: lengths.into_iter().map(Index::Static).collect(),
    })
}

/// How many operations are looked at, one after the other, to find out that an index is a constant.
const MOST_OPS: usize = 4;

fn constant(value: ValueRef<'_>, most: usize) -> Option<AttrRef<'_>> {
    if let Some(constant) = value.constant() {
        return Some(constant);
    }
    let def = value.defining_op().filter(|def| most > 0 && def.num_regions() == 0 && def.num_results() == 1)?;
    let known = |operand| constant(operand, most - 1).map(|constant| constant.id());
    let operands: Vec<Option<Attr>> = def.operands().iter().map(known).collect();
    match *fold_results(def, &operands)?.first()? {
        FoldedValue::Constant(attr) => Some(def.cx().attr(attr)),
        FoldedValue::Value(value) => constant(ValueRef::new(def.cx(), def.arena(), value), most - 1),
    }
}

/// Whether what is read is what is written there: slices of the same place, or transfers of the same elements, all of them in the tensor.
fn is_same_part(read: &Link<'_>, write: &Link<'_>) -> bool {
    let same_type = read.op.result(0).ty() == write.op.operand(0).ty();
    let same_kind = match (read.op.cast::<TransferReadOp<'_>>(), write.op.cast::<TransferWriteOp<'_>>()) {
        (None, None) => true,
        (Some(read), Some(write)) => {
            let is_whole = |bounds: AttrRef<'_>| bounds.elements().all(|bound| bound.as_bool() == Some(true));
            read.permutation_map() == write.permutation_map()
                && read.mask().is_none()
                && write.mask().is_none()
                && is_whole(read.in_bounds())
                && is_whole(write.in_bounds())
        }
        _ => false,
    };
    same_type && same_kind && read.part.is_some() && read.part == write.part
}

/// Whether all that says which part it is comes from outside of the loop.
fn is_invariant(op: OpRef<'_>, of: OpRef<'_>) -> bool {
    let first = if writes(op) { 2 } else { 1 };
    op.operands().iter().skip(first).all(|value| !value.is_defined_in(of))
}

/// Makes the part a value that the loop carries; answers the loop that is in its place.
fn hoist(rw: &mut Rewriter<'_>, op: OpId, pair: &Pair) -> OpId {
    let Some((inits, region)) = rw.op(op).cast::<ForOp<'_>>().map(|of| (of.init_args().ids(), of.region().id())) else {
        return op;
    };
    let &Pair { carried, read, write } = pair;
    let (loc, dest) = (rw.op(op).loc(), rw.op(write).operand(1).id());
    let (taken, inserted) = (rw.ir().result(read, 0), rw.ir().result(write, 0));
    let ty = rw.ir().value_type(taken);

    let body = rw.ir().entry_block(region).expect("a loop has a body");
    let arg = rw.add_block_arg(body, ty);
    rw.replace_all_uses(taken, arg);
    rw.replace_all_uses(inserted, dest);
    let end = rw.ir().last_op(body).expect("a body ends");
    let part = rw.op(write).operand(0).id();
    let yielded: Vec<ValueId> = rw.ir().operands(end).chain([part]).collect();
    rw.set_operands(end, &yielded);
    rw.move_before(read, op);
    rw.set_operand(read, 0, inits[carried]);

    rw.move_after(write, op);
    let moved = rw.new_region();
    rw.move_blocks(region, moved, None);
    let operands: Vec<ValueId> = rw.ir().operands(op).chain([taken]).collect();
    let types: Vec<_> = rw.op(op).results().types().into_iter().chain([ty]).collect();
    let attrs: Vec<_> = rw.op(op).attrs().map(|(name, attr)| (name, attr.id())).collect();
    let state = OpState::of::<ForOp<'_>>(loc).operands(operands).results(types).attrs(attrs).region(moved);
    rw.set_insertion_before(op);
    let made = rw.create(state);
    let mut results: Vec<ValueId> = rw.ir().results(made).collect();
    let last = results.pop().expect("one result has been added");
    rw.set_operand(write, 0, last);
    rw.set_operand(write, 1, results[carried]);
    results[carried] = inserted;
    rw.replace(op, &results);
    made
}
