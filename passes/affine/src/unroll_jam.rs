//! `affine-loop-unroll-jam`: several iterations of an outer loop at once, in each iteration of the loops inside.
//!
//! Legal where what an iteration does to memory is not seen by one of the next few that then comes before it. Loops that carry values stay as
//! they are; those inside may carry some.

use dl_affine::{AffineForOp, AffineIfOp, AffineYieldOp};
use dl_ir::interfaces::FunctionOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{BlockId, Mapping, OpId, OpRef, OpState, Rewriter, Type, ValueId, clone_op};

use crate::access::{Access, level_of};
use crate::dependence::{Meeting, Pair, meeting};
use crate::loops::{self, ValueMap, Values};
use crate::unroll::{has_single_bounds, split_off_rest};

dl_ir::pass_options! {
    /// Options of [`AffineLoopUnrollJam`].
    pub struct AffineLoopUnrollJamOptions {
        /// Iterations that are executed at once
        unroll_jam_factor "unroll-jam-factor": u64 = 4,
    }
}

/// Unrolls and jams the loop that a function begins with.
#[derive(Clone, Default)]
pub struct AffineLoopUnrollJam {
    /// The options.
    pub options: AffineLoopUnrollJamOptions,
}

/// More copies than this would only fill memory.
const MOST_COPIES: u64 = 1 << 10;

impl Pass for AffineLoopUnrollJam {
    const INFO: PassInfo = PassInfo::new("affine-loop-unroll-jam", "Unroll and jam affine loops")
        .title("AffineLoopUnrollAndJam")
        .on_ops(|op| op.interface::<dyn FunctionOp>().is_some());

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        let first = rw.op(dl_ir::Arena::ROOT).region(0).entry().and_then(dl_ir::BlockRef::first_op);
        if let Some(op) = first.filter(|op| op.is::<AffineForOp<'_>>()).map(OpRef::id) {
            unroll_and_jam(&mut rw, op, self.options.unroll_jam_factor);
        }
        Ok(())
    }
}

/// Executes `factor` iterations of the loop at once. What is left over becomes a loop of its own after it. Answers whether that was done, or there
/// was nothing to do.
pub fn unroll_and_jam(rw: &mut Rewriter<'_>, op: OpId, factor: u64) -> bool {
    let each = loops::view(rw, op);
    let count = loops::constant_trip_count(each);
    if factor <= 1 {
        return count != Some(1) || loops::promote_single_iteration(rw, op);
    }
    if rw.ir().block_ops(loops::body(rw, op)).next() == Some(loops::terminator(rw, op)) {
        return true;
    }
    let is_even = loops::trip_count_divisor(each).is_multiple_of(factor);
    let supported = factor <= MOST_COPIES
        && count.is_none_or(|count| count >= factor)
        && each.0.num_results() == 0
        && (is_even || has_single_bounds(each))
        && is_legal(each, factor);
    let step = i64::try_from(factor).ok().and_then(|factor| loops::step(each).checked_mul(factor));
    let Some(step) = step.filter(|_| supported) else { return false };
    if !is_even && !split_off_rest(rw, op, factor) {
        return false;
    }
    jam(rw, op, factor, step);
    true
}

/// Whether the nest has the form that can be jammed, and no dependence is turned around.
fn is_legal(of: AffineForOp<'_>, factor: u64) -> bool {
    let mut accesses = Vec::new();
    for id in ops_in_arena(of.0.arena(), of.0.id()).into_iter().skip(1) {
        let op = OpRef::new(of.0.cx(), of.0.arena(), id);
        if let Some(inner) = op.cast::<AffineForOp<'_>>() {
            let bounds = [inner.lower_bound_operands(), inner.upper_bound_operands()];
            if !bounds.into_iter().all(|all| all.iter().all(|value| !value.is_defined_in(of.0))) {
                return false;
            }
        } else if let Some(access) = Access::of(op) {
            accesses.push(access);
        } else if !op.is::<AffineIfOp<'_>>()
            && !op.is::<AffineYieldOp<'_>>()
            && !dl_ir::effects::is_memory_effect_free(op)
        {
            return false;
        }
    }
    let Some(level) = level_of(of) else { return false };
    let Some(reach) = i64::try_from(factor - 1).ok().and_then(|n| n.checked_mul(loops::step(of))) else { return false };
    accesses.iter().all(|a| {
        accesses.iter().filter(|b| a.is_write || b.is_write).all(|b| match meeting(a, b) {
            Meeting::Never => true,
            Meeting::Unknown => false,
            Meeting::Where(pair) => keeps_order(&pair.carried_at(level).at_most(level, reach), level, a, b),
        })
    })
}

/// Whether of the pairs, whose second instance is of one of the next iterations at `level`, none changes its order.
fn keeps_order(pairs: &Pair, level: usize, a: &Access<'_>, b: &Access<'_>) -> bool {
    let mut same = pairs.clone();
    for inner in level + 1..pairs.depth() {
        if same.backward_at(inner).is_possible() {
            return false;
        }
        same = same.same_at(inner);
    }
    are_copied_together(a.op, b.op) || pairs.is_in_order() || !same.is_possible()
}

/// Whether both stand in one block with no loop from the one to the other: then each copy has both.
fn are_copied_together(a: OpRef<'_>, b: OpRef<'_>) -> bool {
    if a.block() != b.block() {
        return false;
    }
    let (first, last) = if a == b || a.arena().is_before_in_block(a.id(), b.id()) { (a, b) } else { (b, a) };
    let mut next = Some(first);
    while let Some(op) = next.filter(|&op| op != last) {
        if op.is::<AffineForOp<'_>>() {
            return false;
        }
        next = op.next();
    }
    true
}

/// What stands for values of the body in each of the iterations that are executed at once.
struct Copies {
    mappings: Vec<Mapping>,
    /// The induction variable of the old loop and of the new one.
    variable: (ValueId, ValueId),
    /// The step of the old loop.
    step: i64,
}

fn jam(rw: &mut Rewriter<'_>, op: OpId, factor: u64, step: i64) {
    let each = loops::view(rw, op);
    let (Some(lower), Some(upper)) = (ValueMap::lower_bound(each), ValueMap::upper_bound(each)) else { return };
    let (lower, upper, old_step, loc) = (lower.to_bound(), upper.to_bound(), loops::step(each), each.0.loc());
    rw.set_insertion_before(op);
    let new = crate::build::empty_loop(rw, &lower, &upper, step, loc);
    let (old_variable, new_variable) = (loops::variable(rw, op), loops::variable(rw, new));
    let mut copies = Copies {
        mappings: (0..factor).map(|_| Mapping::new()).collect(),
        variable: (old_variable, new_variable),
        step: old_step,
    };
    copies.mappings[0].map(old_variable, new_variable);
    let end = loops::terminator(rw, new);
    rw.set_insertion_before(end);
    copy_block(rw, loops::body(rw, op), &mut copies);
    rw.erase(op);
    loops::promote_single_iteration(rw, new);
}

/// Copies what is in the block but its terminator to the insertion point: what stands between loops once for each iteration, loops once with all
/// iterations inside.
fn copy_block(rw: &mut Rewriter<'_>, block: BlockId, copies: &mut Copies) {
    let all: Vec<OpId> = rw.ir().block_ops(block).collect();
    let Some((_, inside)) = all.split_last() else { return };
    let groups: Vec<Vec<OpId>> =
        inside.chunk_by(|&a, &b| !is_loop(rw, a) && !is_loop(rw, b)).map(<[OpId]>::to_vec).collect();
    for group in groups {
        if let [op] = group[..]
            && is_loop(rw, op)
        {
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || copy_loop(rw, op, copies));
            continue;
        }
        let loc = rw.op(group[0]).loc();
        for at in 0..copies.mappings.len() {
            let (old, new) = copies.variable;
            if at > 0 && rw.ir().has_uses(old) {
                let map = loops::shift_map(rw.cx().affine(), copies.step.saturating_mul(at as i64));
                let moved = loops::apply(rw, map, &[new], loc);
                copies.mappings[at].map(old, moved);
            }
            for &op in &group {
                clone_op(rw, op, &mut copies.mappings[at]);
            }
        }
    }
}

fn is_loop(rw: &Rewriter<'_>, op: OpId) -> bool {
    rw.op(op).is::<AffineForOp<'_>>()
}

/// Copies a loop inside: once, with what it carries for each iteration.
fn copy_loop(rw: &mut Rewriter<'_>, op: OpId, copies: &mut Copies) {
    let each = loops::view(rw, op);
    let (cx, loc) = (rw.cx(), each.0.loc());
    let (Some(lower), Some(upper)) = (ValueMap::lower_bound(each), ValueMap::upper_bound(each)) else { return };
    let (lower, upper, step, inits) = (lower.to_bound(), upper.to_bound(), loops::step(each), each.inits().ids());
    let types: Vec<Type> = each.0.results().types().to_vec();
    let count = types.len();
    let body = loops::body(rw, op);
    let old_args = rw.ir().block_args(body).to_vec();
    let all_inits: Vec<ValueId> =
        copies.mappings.iter().flat_map(|mapping| inits.iter().map(|&init| mapping.value(init))).collect();
    let all_types: Vec<Type> = types.repeat(copies.mappings.len());
    let region = rw.new_region();
    let args: Vec<Type> = std::iter::once(cx.index_type()).chain(all_types.iter().copied()).collect();
    let block = rw.append_block(region, &args);
    let state = AffineForOp::state(cx, &lower, &upper, step, &all_inits, region, loc).results(all_types);
    let new = rw.create(state);
    let after = rw.insertion_point();
    let new_args = rw.ir().block_args(block).to_vec();
    for (at, mapping) in copies.mappings.iter_mut().enumerate() {
        mapping.map(old_args[0], new_args[0]);
        for (slot, &old) in old_args[1..].iter().enumerate() {
            mapping.map(old, new_args[1 + at * count + slot]);
        }
    }
    rw.set_insertion_to_end(block);
    copy_block(rw, body, copies);
    let old_end = loops::terminator(rw, op);
    let yielded: Values = rw.ir().operands(old_end).collect();
    let all: Vec<ValueId> =
        copies.mappings.iter().flat_map(|mapping| yielded.iter().map(|&value| mapping.value(value))).collect();
    rw.create(OpState::of::<AffineYieldOp<'_>>(loc).operands(all));
    rw.set_insertion_point(after);
    let (old_results, new_results): (Vec<ValueId>, Vec<ValueId>) =
        (rw.ir().results(op).collect(), rw.ir().results(new).collect());
    for (at, mapping) in copies.mappings.iter_mut().enumerate() {
        for (slot, &old) in old_results.iter().enumerate() {
            mapping.map(old, new_results[at * count + slot]);
        }
    }
}
