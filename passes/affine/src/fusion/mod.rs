//! `affine-loop-fusion`: nests of loops over the same range as one.
//!
//! Two nests of a block are fused at a depth where the loops down to there have equal bounds. *Legal* where no iteration of the second touches
//! what a later iteration of the first touches, unless both only read, and where one of them can move next to the other. *Profitable* where the
//! second reads what the first writes, or both read the same buffer. Nests that go over a buffer in different orders are fused [`by_element`].
//! Nothing is computed more often than before. A buffer that only the new nest uses, each iteration a part of its own, then becomes as small as
//! that part.

mod by_element;

use dl_affine::compose::compose;
use dl_affine::{AffineForOp, AffineIfOp, AffineYieldOp};
use dl_ir::opdef::Effects;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::{ops_in_arena, ops_in_arena_post_order};
use dl_ir::{Arena, BlockId, InsertPoint, OpId, OpRef, Rewriter, ValueId, ValueRef};
use dl_passes_transforms::alias::underlying;
use rustc_hash::FxHashSet;

use crate::access::{Access, is_structure, level_of};
use crate::data_copy::contract;
use crate::dependence::{Meeting, meeting};
use crate::loops::{self, ValueMap};

/// Which nests are fused.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum FusionMode {
    /// Both kinds.
    #[default]
    Greedy,
    /// One that reads what the other writes.
    Producer,
    /// Both read the same.
    Sibling,
}

dl_ir::option_choices! {
    FusionMode {
        Greedy = "greedy": "Perform greedy (both producer-consumer and sibling) fusion",
        Producer = "producer": "Perform only producer-consumer fusion",
        Sibling = "sibling": "Perform only sibling fusion",
    }
}

dl_ir::pass_options! {
    /// Options of [`AffineLoopFusion`].
    pub struct AffineLoopFusionOptions {
        /// Taken for compatibility: nothing is computed twice
        compute_tolerance "compute-tolerance": String = "0.3".to_owned(),
        /// Memory space for buffers that have become small
        fast_mem_space "fast-mem-space": Option<u64> = None,
        /// KiB of the largest buffer that goes to that memory space
        local_buf_threshold "local-buf-threshold": u64 = 0,
        /// Taken for compatibility: as many loops as possible are fused
        maximal "maximal": bool = false,
        /// Which nests are fused
        mode "mode": FusionMode = FusionMode::Greedy,
    }
}

/// Fuses nests of `affine.for` that stand in one block.
#[derive(Clone, Default)]
pub struct AffineLoopFusion {
    /// The options.
    pub options: AffineLoopFusionOptions,
}

/// In blocks with more nests than this only neighbours are looked at.
const MOST_NESTS: usize = 64;

impl Pass for AffineLoopFusion {
    const INFO: PassInfo = PassInfo::new("affine-loop-fusion", "Fuse affine loop nests").title("AffineLoopFusion");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let options = &self.options;
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
            for op in ops_in_arena_post_order(ir, Arena::ROOT) {
                if !ir.is_live(op) {
                    continue;
                }
                let regions = ir.op_regions(op).to_vec();
                let blocks: Vec<BlockId> = regions.into_iter().flat_map(|region| ir.region_blocks(region)).collect();
                let mut rw = Rewriter::new(cx, ir);
                blocks.into_iter().for_each(|block| fuse_in_block(&mut rw, block, options));
            }
        });
        Ok(())
    }
}

/// Fuses each nest, the last one first, with the closest one before it that it can be fused with, until that is done: first what hands something on,
/// then what reads the same.
fn fuse_in_block(rw: &mut Rewriter<'_>, block: BlockId, options: &AffineLoopFusionOptions) {
    let modes = match options.mode {
        FusionMode::Greedy => &[FusionMode::Producer, FusionMode::Sibling][..],
        FusionMode::Producer => &[FusionMode::Producer],
        FusionMode::Sibling => &[FusionMode::Sibling],
    };
    for &mode in modes {
        let mut nests = nests(rw, block);
        let mut at = nests.len();
        while at > 1 {
            at -= 1;
            let reach = if nests.len() > MOST_NESTS { 1 } else { at };
            let second = nests[at];
            if (at - reach..at).rev().any(|earlier| try_fuse(rw, nests[earlier], second, mode, options)) {
                // The nest of both may stand where the first one was. It is looked at again.
                nests = self::nests(rw, block);
                at = nests.iter().position(|&nest| nest == second).map_or(0, |at| at + 1);
            }
        }
    }
}

fn nests(rw: &Rewriter<'_>, block: BlockId) -> Vec<OpId> {
    rw.ir().block_ops(block).filter(|&op| rw.op(op).is::<AffineForOp<'_>>()).collect()
}

/// Fuses the two nests if that is legal and of use; answers whether it was. What is left of both is `second`.
fn try_fuse(
    rw: &mut Rewriter<'_>,
    first: OpId,
    second: OpId,
    mode: FusionMode,
    options: &AffineLoopFusionOptions,
) -> bool {
    let most = options.local_buf_threshold.saturating_mul(1024);
    let space = |bytes| options.fast_mem_space.filter(|_| bytes <= most);
    if mode == FusionMode::Producer
        && let Some(plan) = by_element::plan(rw.op(first), rw.op(second))
    {
        by_element::fuse(rw, first, &plan);
        contract(rw, plan.buffer, plan.to, space);
        return true;
    }
    let Some(plan) = plan(rw.op(first), rw.op(second), mode) else { return false };
    if let Some(innermost) = fuse(rw, first, second, &plan) {
        plan.handed_on.iter().for_each(|&buffer| contract(rw, buffer, innermost, space));
    }
    true
}

/// How two nests become one.
struct Plan {
    /// How many loops become one each.
    depth: usize,
    /// Whether the first one moves to the second rather than the other way round.
    at_second: bool,
    /// The buffers that the first one writes and the second one reads.
    handed_on: Vec<ValueId>,
}

/// Where the nests can be fused, and that is of use.
fn plan(first: OpRef<'_>, second: OpRef<'_>, mode: FusionMode) -> Option<Plan> {
    let (a, b) = (first.cast::<AffineForOp<'_>>()?, second.cast::<AffineForOp<'_>>()?);
    let (accesses_a, accesses_b) = (accesses(a)?, accesses(b)?);
    if !is_profitable(&accesses_a, &accesses_b, mode) {
        return None;
    }
    let at_second = can_move(first, second, first);
    if !at_second && !can_move(first, second, second) {
        return None;
    }
    let most = equal_prefix(a, b);
    let outer = level_of(a)?;
    let depth = (1..=most).rev().find(|&depth| keeps_order(&accesses_a, &accesses_b, outer..outer + depth))?;
    let mut reads: FxHashSet<ValueId> = accesses_b.iter().filter(|b| !b.is_write).map(|b| b.memref.id()).collect();
    let writes = accesses_a.iter().filter(|a| a.is_write).map(|a| a.memref.id());
    Some(Plan { depth, at_second, handed_on: writes.filter(|buffer| reads.remove(buffer)).collect() })
}

/// The accesses in the nest. `None` where it carries values, or something in it is neither an access, nor pure, nor a loop or condition.
fn accesses(of: AffineForOp<'_>) -> Option<Vec<Access<'_>>> {
    let mut accesses = Vec::new();
    if of.0.num_results() > 0 {
        return None;
    }
    for id in ops_in_arena(of.0.arena(), of.0.id()) {
        let op = OpRef::new(of.0.cx(), of.0.arena(), id);
        if let Some(access) = Access::of(op) {
            accesses.push(access);
        } else {
            let is_structure = op.is::<AffineForOp<'_>>() || op.is::<AffineIfOp<'_>>() || op.is::<AffineYieldOp<'_>>();
            if !is_structure && !dl_ir::effects::is_memory_effect_free(op) {
                return None;
            }
        }
    }
    Some(accesses)
}

/// Whether the second nest reads what the first one writes, or for siblings, what it reads.
fn is_profitable(first: &[Access<'_>], second: &[Access<'_>], mode: FusionMode) -> bool {
    let share = |writes: bool| {
        let reads = second.iter().filter(|access| !access.is_write);
        reads.into_iter().any(|b| first.iter().any(|a| a.is_write == writes && a.memref == b.memref))
    };
    share(mode == FusionMode::Producer)
}

/// Loops from the outside in that have the same bounds and steps, each alone in the one before.
fn equal_prefix(a: AffineForOp<'_>, b: AffineForOp<'_>) -> usize {
    let mut pairs: Vec<(ValueId, ValueId)> = Vec::new();
    let nests = loops::perfect_nest(a).into_iter().zip(loops::perfect_nest(b));
    nests
        .take_while(|(x, y)| {
            let same = have_equal_bounds(*x, *y, &pairs) && x.0.num_results() == 0 && y.0.num_results() == 0;
            let variable = |of: &AffineForOp<'_>| of.region().entry().map(|body| body.arg(0).id());
            pairs.extend(variable(x).zip(variable(y)));
            same
        })
        .count()
}

/// Whether both count the same, given that the values of each pair are equal.
fn have_equal_bounds(a: AffineForOp<'_>, b: AffineForOp<'_>, pairs: &[(ValueId, ValueId)]) -> bool {
    let equal = |x: Option<ValueMap<'_>>, y: Option<ValueMap<'_>>| {
        let (Some(x), Some(y)) = (x, y) else { return false };
        let (map_x, of_x) = compose(a.0, x.map, x.operands.into_iter());
        let (map_y, of_y) = compose(b.0, y.map, y.operands.into_iter());
        let same = |(x, y): (&ValueRef<'_>, &ValueRef<'_>)| x.id() == y.id() || pairs.contains(&(x.id(), y.id()));
        map_x == map_y && of_x.len() == of_y.len() && of_x.iter().zip(&of_y).all(same)
    };
    loops::step(a) == loops::step(b)
        && equal(ValueMap::lower_bound(a), ValueMap::lower_bound(b))
        && equal(ValueMap::upper_bound(a), ValueMap::upper_bound(b))
}

/// Whether no iteration of these loops of the second nest touches what a later one of the first nest touches, unless both read.
fn keeps_order(first: &[Access<'_>], second: &[Access<'_>], levels: std::ops::Range<usize>) -> bool {
    first.iter().all(|a| {
        second.iter().filter(|b| a.is_write || b.is_write).all(|b| match meeting(a, b) {
            Meeting::Never => true,
            Meeting::Unknown => false,
            Meeting::Where(pair) => {
                levels.clone().all(|level| !pair.same_until(level).backward_at(level).is_possible())
            }
        })
    })
}

/// Whether `moved`, one of both nests, can stand next to the other: nothing between touches what it writes, writes what it touches, or makes a
/// value that it uses.
fn can_move(first: OpRef<'_>, second: OpRef<'_>, moved: OpRef<'_>) -> bool {
    let Some(own) = touched(moved) else { return false };
    let mut next = first.next();
    while let Some(between) = next.filter(|&op| op != second) {
        let Some(others) = touched(between) else { return false };
        let conflict = others
            .iter()
            .any(|(value, writes)| own.iter().any(|(other, own_writes)| value == other && (*writes || *own_writes)));
        let is_used = between
            .results()
            .iter()
            .flat_map(ValueRef::uses)
            .any(|(user, _)| user == moved || moved.is_ancestor_of(user.id()));
        if conflict || is_used {
            return false;
        }
        next = between.next();
    }
    true
}

/// The buffers that `op` and what is in it touches, and whether it writes them. `None` where that is not known.
fn touched(op: OpRef<'_>) -> Option<Vec<(ValueId, bool)>> {
    let mut found = Vec::new();
    for id in ops_in_arena(op.arena(), op.id()) {
        let each = OpRef::new(op.cx(), op.arena(), id);
        if is_structure(each) {
            continue;
        }
        let effects = dl_ir::effects::effects_of(each)?;
        if effects.is_empty() || effects == Effects::ALLOCATE {
            continue;
        }
        let writes = effects.contains(Effects::WRITE) || effects.contains(Effects::FREE);
        let before = found.len();
        let buffers = each.operands().iter().filter(|value| value.ty().is_memref());
        found.extend(buffers.map(|value| (underlying(value).id(), writes)));
        if found.len() == before {
            return None;
        }
    }
    Some(found)
}

/// Makes one nest of both: the body of the first goes before that of the second. Answers the innermost loop of both.
fn fuse(rw: &mut Rewriter<'_>, first: OpId, second: OpId, plan: &Plan) -> Option<OpId> {
    if !plan.at_second {
        rw.move_after(second, first);
    }
    let inner = |rw: &Rewriter<'_>, op: OpId| -> Vec<OpId> {
        loops::perfect_nest(loops::view(rw, op)).iter().take(plan.depth).map(|each| each.0.id()).collect()
    };
    let (of_first, of_second) = (inner(rw, first), inner(rw, second));
    for (&a, &b) in of_first.iter().zip(&of_second) {
        let (from, to) = (loops::variable(rw, a), loops::variable(rw, b));
        rw.replace_all_uses(from, to);
    }
    let (&from, &to) = of_first.last().zip(of_second.last())?;
    let end = loops::terminator(rw, from);
    let block = loops::body(rw, to);
    let before = rw.block(block).first_op().map(OpRef::id);
    let moved: Vec<OpId> = rw.ir().block_ops(loops::body(rw, from)).filter(|&op| op != end).collect();
    for op in moved {
        rw.move_to(op, InsertPoint { block, before });
    }
    rw.erase(first);
    Some(to)
}
