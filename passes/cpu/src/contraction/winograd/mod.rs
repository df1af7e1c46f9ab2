//! `linalg-winograd`: convolutions of three by three by fewer multiplications.
//!
//! A convolution with a known filter, in steps of one and with the features of its result innermost, is computed tile by tile: tiles of the input
//! are transformed, multiplied by the transformed filter, element by element but summed over the channels, which makes matrix products, and
//! transformed back. F(2, 3) takes 4/9 of the multiplications and is at least as accurate as the direct sum; F(4, 3) takes 1/4 and is
//! less accurate, so it must be asked for.
//!
//! * `algorithm` has the matrices, and the errors,
//! * `shape` says whether an operation is such a convolution (legality),
//! * `cost` whether it pays, and how many tiles are at work at once (profitability),
//! * `filter` transforms the filter when compiling,
//! * `emit` makes the loops.
//!
//! What is infinite or not a number in a tile of the input makes all results of the tile not a number, not only those that it is a part of.

mod algorithm;
mod cost;
mod emit;
mod filter;
mod shape;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dl_dl::target;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpId, Rewriter};
use dl_linalg::LinalgOp;
use dl_machine::Machine;

use self::algorithm::Algorithm;
use self::shape::Convolution;

dl_ir::pass_options! {
    /// Options of [`Winograd`].
    pub struct WinogradOptions {
        /// Most results of a tile along a dimension: 0 for none, 2 where rounding errors may not grow, 4 for the fewest multiplications
        tile "tile": u32 = 2,
    }
}

/// Makes tiles of convolutions of three by three, where that is quicker.
#[derive(Clone, Default)]
pub struct Winograd {
    /// The options.
    pub options: WinogradOptions,
}

impl Pass for Winograd {
    const INFO: PassInfo =
        PassInfo::new("linalg-winograd", "Compute convolutions of three by three by Winograd's minimal filtering")
            .title("Winograd")
            .on("builtin.module")
            .statistics(&[("num-convolutions", "Number of convolutions computed so")]);

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let Some(machine) = target::of_module(cx.root()) else {
            return Err(cx
                .root()
                .error("expected the attribute 'dl.target' of the module; see dl-attach-target")
                .into());
        };
        let count = Arc::new(AtomicU64::new(0));
        let mut patterns = Patterns::new();
        patterns.add(Tile { machine, most: u64::from(self.options.tile), count: count.clone() });
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        cx.count("num-convolutions", count.load(Ordering::Relaxed));
        Ok(())
    }
}

/// A convolution becomes tiles.
struct Tile {
    machine: Machine,
    /// Most results of a tile along a dimension.
    most: u64,
    /// How often it applied.
    count: Arc<AtomicU64>,
}

impl Pattern for Tile {
    const NAME: &'static str = "linalg-winograd-tile";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let nest = LinalgOp::of(rw.op(op)).ok_or(NoMatch("no loop nest"))?;
        let convolution = Convolution::of(nest).ok_or(NoMatch("no convolution of three by three in steps of one"))?;
        let plan = cost::choose(&self.machine, &convolution.problem(), self.most)
            .ok_or(NoMatch("the direct sum is as quick"))?;
        let algorithm = Algorithm::of(plan.outputs as usize).ok_or(NoMatch("no tiles of this size"))?;
        let filter = filter::transformed(rw.cx(), &convolution, &algorithm).ok_or(NoMatch("a filter not at hand"))?;
        emit::emit(op, rw, &convolution, &algorithm, &plan, filter, &self.machine);
        self.count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}
