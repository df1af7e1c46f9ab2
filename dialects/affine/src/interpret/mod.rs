//! What the operations mean when run.

mod access;
mod control;
mod dma;
mod maps;

use dl_ir::DialectBuilder;
use dl_ir::interp::leave;

use crate::{
    AffineApplyOp, AffineDelinearizeIndexOp, AffineDmaStartOp, AffineDmaWaitOp, AffineForOp, AffineIfOp,
    AffineLinearizeIndexOp, AffineLoadOp, AffineMaxOp, AffineMinOp, AffineParallelOp, AffinePrefetchOp, AffineStoreOp,
    AffineVectorLoadOp, AffineVectorStoreOp, AffineYieldOp,
};

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<AffineApplyOp<'_>>().interpret(maps::apply);
    b.on::<AffineMinOp<'_>>().interpret(maps::min);
    b.on::<AffineMaxOp<'_>>().interpret(maps::max);
    b.on::<AffineDelinearizeIndexOp<'_>>().interpret(maps::delinearize);
    b.on::<AffineLinearizeIndexOp<'_>>().interpret(maps::linearize);
    b.on::<AffineLoadOp<'_>>().interpret(access::load);
    b.on::<AffineStoreOp<'_>>().interpret(access::store);
    b.on::<AffineVectorLoadOp<'_>>().interpret(access::vector_load);
    b.on::<AffineVectorStoreOp<'_>>().interpret(access::vector_store);
    b.on::<AffinePrefetchOp<'_>>().interpret(access::prefetch);
    b.on::<AffineDmaStartOp<'_>>().interpret(dma::start);
    b.on::<AffineDmaWaitOp<'_>>().interpret(dma::wait);
    b.on::<AffineForOp<'_>>().interpret(control::for_);
    b.on::<AffineIfOp<'_>>().interpret(control::if_);
    b.on::<AffineParallelOp<'_>>().interpret(control::parallel);
    b.on::<AffineYieldOp<'_>>().interpret(leave);
}
