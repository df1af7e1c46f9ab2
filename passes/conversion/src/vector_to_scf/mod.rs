//! `convert-vector-to-scf`: transfers of several dimensions, or of elements that are not adjacent, as loops over simpler ones.
//!
//! Where loops are unrolled, parts of vectors are extracted and inserted. Otherwise vectors go through memory, where parts can be had at
//! positions that are known only when running.

mod loops;
mod one_dim;
mod print;
mod scalable_write;
mod step;
mod unrolled;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::{GreedyConfig, apply_patterns_greedily};
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, Rewriter};
use dl_passes_vector::lowering;
use dl_vector::{PrintOp, TransferReadOp, TransferWriteOp};

dl_ir::pass_options! {
    /// Options of [`ConvertVectorToScf`].
    pub struct VectorToScfOptions {
        /// Unroll the loops over parts of vectors
        full_unroll "full-unroll": bool = false,
        /// Most dimensions of the transfers that are left
        target_rank "target-rank": u32 = 1,
        /// Take transfers of tensors apart too
        lower_tensors "lower-tensors": bool = false,
        /// Take scalable vectors apart, which takes loops
        lower_scalable "lower-scalable": bool = false,
    }
}

/// Takes transfers apart.
#[derive(Clone, Default)]
pub struct ConvertVectorToScf {
    /// The options.
    pub options: VectorToScfOptions,
}

impl Pass for ConvertVectorToScf {
    const INFO: PassInfo =
        PassInfo::new("convert-vector-to-scf", "Lower the operations from the vector dialect into the SCF dialect")
            .title("ConvertVectorToSCF");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        // What cannot be taken apart stays: that is no failure.
        let mut maps = Patterns::new();
        lowering::transfer_maps(&mut maps);
        apply_patterns_greedily(cx.ctx, cx.ir, &maps.freeze(), &GreedyConfig::default());
        let mut patterns = Patterns::new();
        self.populate(&mut patterns);
        apply_patterns_greedily(cx.ctx, cx.ir, &patterns.freeze(), &GreedyConfig::default());
        Ok(())
    }
}

/// What the patterns need to know.
#[derive(Clone, Copy)]
struct Target {
    rank: usize,
    tensors: bool,
    unroll: bool,
}

/// Takes a read apart.
struct Read(Target);

/// Takes a write apart.
struct Write(Target);

fn lower(op: OpId, rw: &mut Rewriter<'_>, target: Target) -> Rewrite {
    if dl_vector::is_masked(rw.op(op)) {
        return Err(NoMatch("it is masked"));
    }
    if target.unroll { unrolled::lower(op, rw, target) } else { loops::lower(op, rw, target) }
}

impl Pattern for Read {
    const NAME: &'static str = "vector-transfer-read-to-scf";
    const ROOT: Option<&'static str> = Some(TransferReadOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        lower(op, rw, self.0)
    }
}

impl Pattern for Write {
    const NAME: &'static str = "vector-transfer-write-to-scf";
    const ROOT: Option<&'static str> = Some(TransferWriteOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        lower(op, rw, self.0)
    }
}

/// Takes a write of a scalable matrix apart.
struct ScalableWrite(Target);

impl Pattern for ScalableWrite {
    const NAME: &'static str = "vector-scalable-write-to-scf";
    const ROOT: Option<&'static str> = Some(TransferWriteOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        scalable_write::lower(op, rw, self.0)
    }
}

impl ConvertVectorToScf {
    fn populate(&self, patterns: &mut Patterns) {
        let rank = usize::try_from(self.options.target_rank).unwrap_or(usize::MAX);
        let target = Target { rank, tensors: self.options.lower_tensors, unroll: self.options.full_unroll };
        patterns.add(Read(target)).add(Write(target));
        if self.options.lower_scalable {
            patterns.add(ScalableWrite(target));
        }
        if rank == 1 {
            patterns.add_fn("vector-strided-read-to-scf", Some(TransferReadOp::NAME), one_dim::lower).add_fn(
                "vector-strided-write-to-scf",
                Some(TransferWriteOp::NAME),
                one_dim::lower,
            );
        }
        patterns.add_fn("vector-print-to-scf", Some(PrintOp::NAME), print::lower);
    }
}
