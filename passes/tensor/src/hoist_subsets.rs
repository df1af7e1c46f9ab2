//! `loop-invariant-subset-hoisting`: a slice that each iteration of a loop reads and writes back is handed from iteration to iteration by itself.
//!
//! For a tensor that `scf.for` carries, the *chain* is that of insertions from the iteration's argument to the yielded value. A slice of the chain and
//! an insertion of it move out where their offsets, sizes and strides are the same values from outside of the loop, the slice is taken before the
//! insertion, and nothing else in the chain can touch these elements.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::{for_each_arena, ops_in_arena_post_order};
use dl_ir::{Arena, Context, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};
use dl_scf::{ForOp, YieldOp};
use dl_tensor::{ExtractSliceOp, InsertSliceOp};

/// Hoists pairs of slices and insertions out of `scf.for`, inner loops first.
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
        let mut current = op;
        while let Some(pair) = find(OpRef::new(cx, ir, current)) {
            current = hoist(&mut Rewriter::new(cx, ir), current, &pair);
        }
    }
}

/// What moves out of a loop.
struct Pair {
    /// The number of the tensor among those that the loop carries.
    carried: usize,
    extract: OpId,
    insert: OpId,
}

/// A slice or insertion of a chain, with the number of insertions before it.
struct Link<'a> {
    op: OpRef<'a>,
    slice: Slice,
    at: usize,
}

/// A pair that can be hoisted out of `op`, if that is a loop.
fn find(op: OpRef<'_>) -> Option<Pair> {
    let of = op.cast::<ForOp<'_>>()?;
    let body = of.region().entry()?;
    (0..of.init_args().len()).find_map(|carried| {
        let links = chain(body.args().nth(carried + 1)?, carried)?;
        let pairs = links.iter().filter(|link| link.op.is::<InsertSliceOp<'_>>()).flat_map(|insert| {
            let before = links.iter().filter(move |link| link.op.is::<ExtractSliceOp<'_>>() && link.at <= insert.at);
            before.map(move |extract| (extract, insert))
        });
        let (extract, insert) = pairs.into_iter().find(|(extract, insert)| {
            let part = insert.op.operand(0);
            extract.slice == insert.slice
                && extract.op.result(0).ty() == part.ty()
                && is_invariant(&extract.slice, op)
                && links.iter().all(|other| {
                    other.op == extract.op || other.op == insert.op || other.slice.is_disjoint_from(&insert.slice)
                })
        })?;
        Some(Pair { carried, extract: extract.op.id(), insert: insert.op.id() })
    })
}

/// The slices and insertions from an argument of the iteration to the value of the same number that is yielded. `None` where anything else uses the
/// tensor.
fn chain(start: ValueRef<'_>, carried: usize) -> Option<Vec<Link<'_>>> {
    let (mut links, mut value, mut at) = (Vec::new(), start, 0);
    loop {
        let mut next = None;
        let mut ends = false;
        for (user, operand) in value.uses() {
            let slice = Slice::of(user);
            if user.is::<ExtractSliceOp<'_>>() && operand == 0 {
                links.push(Link { op: user, slice: slice?, at });
            } else if user.is::<InsertSliceOp<'_>>() && operand == 1 && next.is_none() {
                next = Some(user);
                links.push(Link { op: user, slice: slice?, at });
            } else if user.is::<YieldOp<'_>>()
                && user.parent() == start.parent_block()?.parent_op()
                && operand == carried
            {
                ends = true;
            } else {
                return None;
            }
        }
        // A slice may be taken in a region that does not run: only those right in the body are.
        let body = start.parent_block()?;
        if links.iter().any(|link| link.op.block() != Some(body)) {
            return None;
        }
        match (next, ends) {
            (None, true) => return Some(links),
            (Some(insert), false) => value = insert.result(0),
            _ => return None,
        }
        at += 1;
    }
}

/// Whether all that says where the slice is comes from outside of the loop.
fn is_invariant(slice: &Slice, of: OpRef<'_>) -> bool {
    let mut all = slice.offsets.iter().chain(&slice.sizes).chain(&slice.strides);
    all.all(|index| match *index {
        Index::Value(value) => !ValueRef::new(of.cx(), of.arena(), value).is_defined_in(of),
        Index::Static(_) => true,
    })
}

/// Makes the slice a value that the loop carries; answers the loop that is in its place.
fn hoist(rw: &mut Rewriter<'_>, op: OpId, pair: &Pair) -> OpId {
    let of = rw.op(op).cast::<ForOp<'_>>().map(|of| (of.init_args().ids(), of.region().id()));
    let Some((inits, region)) = of else { return op };
    let (loc, part, dest) = (rw.op(op).loc(), rw.op(pair.insert).operand(0).id(), rw.op(pair.insert).operand(1).id());
    let Some(slice) = Slice::of(rw.op(pair.extract)) else { return op };
    let ty = rw.ir().value_type(part);
    rw.set_insertion_before(op);
    let state = dl_tensor::extract_slice_state(rw, inits[pair.carried], &slice, ty, rw.op(pair.extract).loc());
    let init = rw.create_value(state);

    let body = rw.ir().entry_block(region).expect("a loop has a body");
    let arg = rw.add_block_arg(body, ty);
    let (taken, inserted) = (rw.ir().result(pair.extract, 0), rw.ir().result(pair.insert, 0));
    rw.replace_all_uses(taken, arg);
    let end = rw.ir().last_op(body).expect("a body ends");
    // What is inserted may have been the slice itself.
    let part = if part == taken { arg } else { part };
    rw.replace_all_uses(inserted, dest);
    let yielded: Vec<ValueId> = rw.ir().operands(end).chain([part]).collect();
    rw.set_operands(end, &yielded);
    let insert_loc = rw.op(pair.insert).loc();
    rw.erase(pair.insert);
    rw.erase(pair.extract);

    let moved = rw.new_region();
    rw.move_blocks(region, moved, None);
    let operands: Vec<ValueId> = rw.ir().operands(op).chain([init]).collect();
    let types: Vec<_> = rw.op(op).results().types().into_iter().chain([ty]).collect();
    let attrs: Vec<_> = rw.op(op).attrs().map(|(name, attr)| (name, attr.id())).collect();
    let state = OpState::of::<ForOp<'_>>(loc).operands(operands).results(types).attrs(attrs).region(moved);
    rw.set_insertion_before(op);
    let made = rw.create(state);
    let mut results: Vec<ValueId> = rw.ir().results(made).collect();
    let last = results.pop().expect("one result has been added");
    let whole_type = rw.ir().value_type(results[pair.carried]);
    let whole = dl_tensor::insert_slice_state(rw, last, results[pair.carried], &slice, whole_type, insert_loc);
    results[pair.carried] = rw.create_value(whole);
    rw.replace(op, &results);
    made
}
