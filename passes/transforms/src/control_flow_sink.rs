//! `control-flow-sink`: moves operations into the only region that needs them.

use dl_ir::interfaces::RegionBranchOp;
use dl_ir::opdef::Trait;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Context, InsertPoint, OpId, RegionId, Rewriter};

/// Moves operations without effects whose results are used in one region only into it, where the region is executed at most once each
/// time that the operation around it is: what they compute is then computed when it is needed.
#[derive(Clone, Copy, Default)]
pub struct ControlFlowSink;

impl Pass for ControlFlowSink {
    const INFO: PassInfo = PassInfo::new("control-flow-sink", "Sink operations into conditional blocks")
        .title("ControlFlowSink")
        .statistics(&[("num-sunk", "Number of operations sunk")]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut sunk = in_arena(cx.ctx, cx.ir);
        sunk += dl_ir::walk::map_nested_arenas(cx.ctx, cx.ir, &in_arena).into_iter().sum::<u64>();
        cx.count("num-sunk", sunk);
        if sunk == 0 {
            cx.preserve_all();
        }
        // Operations move, blocks and branches do not.
        cx.preserve::<dl_ir::dominance::Dominance>();
        Ok(())
    }
}

fn in_arena(cx: &Context, ir: &mut Arena) -> u64 {
    // Parents come first in this list: reversed, what is inside comes before what is around.
    let ops = dl_ir::walk::ops_in_arena(ir, Arena::ROOT);
    let mut rw = Rewriter::new(cx, ir);
    let mut sunk = 0;
    for op in ops.into_iter().rev().filter(|&op| op != Arena::ROOT) {
        let view = rw.op(op);
        let Some(branch) = view.interface::<dyn RegionBranchOp>() else { continue };
        let once = (0..view.num_regions()).filter(|&index| branch.runs_at_most_once(view, index));
        let regions: Vec<RegionId> = once.map(|index| view.region(index).id()).collect();
        sunk += regions.into_iter().map(|region| sink_into(&mut rw, region)).sum::<u64>();
    }
    sunk
}

/// Moves what only operations in `region` need to its start. Answers how many operations.
fn sink_into(rw: &mut Rewriter<'_>, region: RegionId) -> u64 {
    let Some(entry) = rw.ir().entry_block(region) else { return 0 };
    let blocks = rw.ir().region_blocks(region);
    let mut pending: Vec<OpId> = blocks.flat_map(|block| rw.ir().block_ops(block)).collect();
    let mut sunk = 0;
    while let Some(user) = pending.pop() {
        let operands: Vec<_> = rw.ir().operands(user).collect();
        for value in operands {
            let Some(op) = rw.ir().defining_op(value).filter(|&op| can_sink(rw, op, region)) else { continue };
            let before = rw.ir().block_ops(entry).next();
            rw.move_to(op, InsertPoint { block: entry, before });
            sunk += 1;
            pending.push(op);
        }
    }
    sunk
}

/// Whether `op` stands outside of `region` and may as well stand at its start.
fn can_sink(rw: &Rewriter<'_>, op: OpId, region: RegionId) -> bool {
    let ir = rw.ir();
    let view = rw.op(op);
    !is_in(ir, op, region)
        && !view.has_trait(&Trait::Terminator)
        && view.results().iter().all(|result| result.uses().all(|(user, _)| is_in(ir, user.id(), region)))
        && dl_ir::effects::is_memory_effect_free(view)
}

/// Whether `op` stands in `region`, at any depth.
fn is_in(ir: &Arena, op: OpId, region: RegionId) -> bool {
    std::iter::successors(Some(op), |&op| ir.parent_op(op))
        .any(|op| ir.block_of(op).and_then(|block| ir.region_of(block)) == Some(region))
}
