//! `buffer-hoisting` and `buffer-loop-hoisting`: allocations further up.

use dl_ir::dominance::Dominance;
use dl_ir::interfaces::{LoopLike, RegionBranchOp, RegionPoint};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, BlockId, Context, Definition, OpRef, Rewriter, ValueId};
use dl_memref::{AllocOp, AllocaOp};
use rustc_hash::FxHashSet;

use super::flow::{BufferFlow, Values, escapes, frees, users};

/// Moves allocations to the block that dominates all their uses, but not out of loops: a buffer that is handed on from several branches
/// can then be freed in one place.
#[derive(Clone, Copy, Default)]
pub struct BufferHoisting;

impl Pass for BufferHoisting {
    const INFO: PassInfo = PassInfo::new("buffer-hoisting", "Move allocations up to where all their uses are below")
        .title("BufferHoistingPass")
        .on("func.func");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        hoist(cx.ctx, cx.ir, Way::ToDominator);
        Ok(())
    }
}

/// Moves allocations out of loops that do not hand them on from one iteration to the next.
#[derive(Clone, Copy, Default)]
pub struct BufferLoopHoisting;

impl Pass for BufferLoopHoisting {
    const INFO: PassInfo = PassInfo::new("buffer-loop-hoisting", "Move allocations out of loops")
        .title("BufferLoopHoistingPass")
        .on("func.func");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        hoist(cx.ctx, cx.ir, Way::OutOfLoops);
        Ok(())
    }
}

/// Where allocations go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    ToDominator,
    OutOfLoops,
}

fn hoist(cx: &Context, ir: &mut Arena, way: Way) {
    let flow = BufferFlow::new(cx, ir);
    let dominance = Dominance::new(cx, ir);
    for id in ops_in_arena(ir, Arena::ROOT) {
        let op = OpRef::new(cx, ir, id);
        let is_candidate = op.is::<AllocOp<'_>>() || way == Way::OutOfLoops && op.is::<AllocaOp<'_>>();
        if !is_candidate {
            continue;
        }
        let aliases = flow.aliases(op.result(0).id());
        let Some(block) = placement(&dominance, op, &aliases, way) else { continue };
        if Some(block) == ir.block_of(id) {
            continue;
        }
        // Before what the allocation stood in, else at the end of the block.
        let Some(before) = ir.ancestor_in_block(id, block).or_else(|| ir.last_op(block)) else { continue };
        Rewriter::new(cx, ir).move_before(id, before);
    }
}

/// The block that the allocation `op` is to move to; its own one where it is to stay.
fn placement(dominance: &Dominance, op: OpRef<'_>, aliases: &Values, way: Way) -> Option<BlockId> {
    let ir = op.arena();
    let own = ir.block_of(op.id())?;
    if way == Way::OutOfLoops
        && users(op.cx(), ir, aliases).any(|(user, index)| frees(user) || escapes(user, index) && !is_call(user))
    {
        // Iterations must not free, or leave behind, one and the same buffer.
        return Some(own);
    }
    let of_uses = common_dominator(dominance, op, aliases)?;
    let of_operands = lowest_block(dominance, ir, op.operands().iter().map(|v| v.id()));
    let limit = match way {
        Way::ToDominator => Some(match of_operands {
            Some(block) if dominance.block_dominates(ir, of_uses, block) => block,
            _ => of_uses,
        }),
        Way::OutOfLoops => of_operands,
    };
    let (mut found, mut at) = (own, own);
    while limit.is_none_or(|limit| limit != at && dominance.block_dominates(ir, limit, at)) {
        if let Some(above) = dominance.immediate_dominator(at) {
            at = above;
            if way == Way::ToDominator {
                found = at;
            }
            continue;
        }
        let is_entry = ir.region_of(at).and_then(|region| ir.entry_block(region)) == Some(at);
        let Some(parent) = ir.region_of(at).and_then(|region| ir.region_parent(region)).filter(|_| is_entry) else {
            break;
        };
        let Some(outer) = ir.block_of(parent) else { break };
        let view = OpRef::new(op.cx(), ir, parent);
        let may_leave = match way {
            Way::ToDominator => view.interface::<dyn RegionBranchOp>().is_some() && !is_loop(view),
            // What dominates the loop and uses the buffer gets it from an earlier iteration.
            Way::OutOfLoops => is_loop(view) && !is_parallel(view) && !dominance.block_dominates(ir, of_uses, outer),
        };
        if !may_leave {
            break;
        }
        at = outer;
        found = at;
    }
    Some(found)
}

fn is_call(op: OpRef<'_>) -> bool {
    op.interface::<dyn dl_ir::interfaces::CallOp>().is_some()
}

/// The block that dominates the allocation and all uses of its aliases.
fn common_dominator(dominance: &Dominance, op: OpRef<'_>, aliases: &Values) -> Option<BlockId> {
    let ir = op.arena();
    let mut common = ir.block_of(op.id())?;
    for (user, _) in users(op.cx(), ir, aliases) {
        common = nearest(dominance, ir, common, ir.block_of(user.id())?)?;
    }
    for &alias in aliases {
        if let Definition::Argument(block) = ir.definition(alias) {
            common = nearest(dominance, ir, common, block)?;
        }
    }
    Some(common)
}

/// The lowest block that dominates both.
fn nearest(dominance: &Dominance, ir: &Arena, mut a: BlockId, b: BlockId) -> Option<BlockId> {
    while !dominance.block_dominates(ir, a, b) {
        a = match dominance.immediate_dominator(a) {
            Some(above) => above,
            None => ir.block_of(ir.region_parent(ir.region_of(a)?)?)?,
        };
    }
    Some(a)
}

/// Of the blocks in which `values` are defined, that which all others dominate.
fn lowest_block(dominance: &Dominance, ir: &Arena, values: impl Iterator<Item = ValueId>) -> Option<BlockId> {
    let mut lowest: Option<BlockId> = None;
    for value in values {
        let block = match ir.definition(value) {
            Definition::Argument(block) => block,
            Definition::Result(op) => ir.block_of(op)?,
        };
        if lowest.is_none_or(|lowest| dominance.block_dominates(ir, lowest, block)) {
            lowest = Some(block);
        }
    }
    lowest
}

/// Whether regions of `op` may execute repeatedly.
pub(super) fn is_loop(op: OpRef<'_>) -> bool {
    if op.interface::<dyn LoopLike>().is_some() {
        return true;
    }
    let Some(branch) = op.interface::<dyn RegionBranchOp>() else { return false };
    (0..op.num_regions()).any(|start| {
        let (mut seen, mut pending) = (FxHashSet::default(), vec![RegionPoint::Region(start)]);
        while let Some(at) = pending.pop() {
            for next in branch.successors(op, at) {
                if next == RegionPoint::Region(start) {
                    return true;
                }
                if next != RegionPoint::Parent && seen.insert(next) {
                    pending.push(next);
                }
            }
        }
        false
    })
}

/// Whether iterations of the loop `op` may overlap in time.
fn is_parallel(op: OpRef<'_>) -> bool {
    op.is::<dl_scf::ParallelOp<'_>>()
        || op.is::<dl_scf::ForallOp<'_>>()
        || op.is::<dl_affine::AffineParallelOp<'_>>()
        || !op.name().starts_with("scf.") && !op.name().starts_with("affine.")
}
