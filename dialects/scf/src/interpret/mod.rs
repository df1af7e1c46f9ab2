//! What the operations mean when run. Parallel loops run in order.

mod loops;
mod parallel;
mod regions;

use dl_ir::DialectBuilder;
use dl_ir::interp::leave;

use crate::{
    ConditionOp, ExecuteRegionOp, ForOp, ForallOp, IfOp, InParallelOp, IndexSwitchOp, ParallelOp, ReduceOp,
    ReduceReturnOp, WhileOp, YieldOp,
};

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<YieldOp<'_>>().interpret(leave);
    b.on::<ConditionOp<'_>>().interpret(leave);
    b.on::<ReduceOp<'_>>().interpret(leave);
    b.on::<ReduceReturnOp<'_>>().interpret(leave);
    b.on::<InParallelOp<'_>>().interpret(leave);
    b.on::<IfOp<'_>>().interpret(regions::if_);
    b.on::<IndexSwitchOp<'_>>().interpret(regions::index_switch);
    b.on::<ExecuteRegionOp<'_>>().interpret(regions::execute_region);
    b.on::<ForOp<'_>>().interpret(loops::for_);
    b.on::<WhileOp<'_>>().interpret(loops::while_);
    b.on::<ParallelOp<'_>>().interpret(parallel::parallel);
    b.on::<ForallOp<'_>>().interpret(parallel::forall);
}
