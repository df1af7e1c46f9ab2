//! Passes on the `scf` dialect.
//!
//! [`bounds`] says what is known of the induction variables of its loops; [`nest`] makes nests of loops.

#![forbid(unsafe_code)]

pub mod bounds;
mod coalescing;
mod for_to_while;
mod forall;
mod loop_canonicalization;
pub mod nest;
mod outline;
mod parallel_fusion;
mod parallel_tiling;
mod parallel_to_nested;
mod peeling;
mod pipelining;
mod range_folding;
mod specialization;
mod transform_ops;
mod unroll;

pub use coalescing::coalesce_nest;
pub use for_to_while::ForToWhile;
pub use forall::{ForallToFor, ForallToParallel, forall_to_parallel};
pub use loop_canonicalization::ForLoopCanonicalization;
pub use parallel_fusion::ParallelLoopFusion;
pub use parallel_tiling::{ParallelLoopTiling, ParallelLoopTilingOptions};
pub use parallel_to_nested::ParallelToNestedFors;
pub use peeling::{ForLoopPeeling, ForLoopPeelingOptions};
pub use pipelining::{ForLoopPipelining, ForLoopPipeliningOptions};
pub use range_folding::ForLoopRangeFolding;
pub use specialization::{ForLoopSpecialization, ParallelLoopSpecialization};
pub use unroll::{promote_single_iteration, unroll_by};

use dl_ir::pass::{PassCx, PassRegistry, PassResult};
use dl_ir::walk::ops_of_kind;
use dl_ir::{Context, OpDefinition, OpId, Rewriter};

/// Attaches to the operations of schedules what those do that this crate knows.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&transform_ops::TransformOps);
}

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<ForLoopCanonicalization>();
    registry.pass::<ForLoopPeeling>();
    registry.pass::<ForLoopPipelining>();
    registry.pass::<ForLoopRangeFolding>();
    registry.pass::<ForLoopSpecialization>();
    registry.pass::<ForToWhile>();
    registry.pass::<ForallToFor>();
    registry.pass::<ForallToParallel>();
    registry.pass::<ParallelLoopFusion>();
    registry.pass::<ParallelLoopSpecialization>();
    registry.pass::<ParallelLoopTiling>();
    registry.pass::<ParallelToNestedFors>();
}

/// Applies `rewrite` to the operations of kind `T` on which the pass runs, inner ones first.
fn rewrite_each<T: OpDefinition>(
    cx: &mut PassCx<'_>,
    rewrite: &mut dyn FnMut(&mut Rewriter<'_>, OpId) -> PassResult,
) -> PassResult {
    let mut result = Ok(());
    dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
        for op in ops_of_kind::<T>(cx, ir) {
            if result.is_ok() && ir.is_live(op) {
                result = rewrite(&mut Rewriter::new(cx, ir), op);
            }
        }
    });
    result
}
