//! `linalg-lower-contractions`: matrix products and their kin as register-blocked nests of vector operations.
//!
//! Any `linalg` operation on tensors that sums products of two inputs is one, whatever its name and its maps: plain and transposed, batched
//! and broadcast products, convolutions in any layout. Each step is a module:
//!
//! * [`shape`] says what the loops are: which one runs along the vectors, which one along the rows of a tile, which ones are summed over.
//! * [`plan`] is the cost model. It chooses the tile and decides what is packed, from extents and a `dl_machine::Machine`.
//! * [`epilogue`] finds what is done with each element of the result, which then happens in registers.
//! * [`dots`] takes what is better done with vectors along a loop that is summed over.
//! * [`group`] uses instructions that add up products of neighbours.
//! * [`tiles`] uses matrix registers.
//! * `ahead` asks for weights, and for rows, before they are needed.
//! * `border` pads an image where it is used.
//! * `fill` says when a panel is filled.
//! * `narrow` takes the last columns, where a vector has room for more.
//! * `depth` says how the loops go by that are summed over.
//! * [`winograd`], a pass of its own, takes convolutions of three by three before.
//! * `nest` makes the nest before it where an input is to lie in panels.
//!
//! The nest reads and writes tensors with `vector.transfer_read` and `vector.transfer_write`, and carries the accumulators in loops of `scf`.
//! What is not taken here stays as it is, for the loops of `convert-linalg-to-affine-loops`.

mod access;
mod ahead;
mod border;
mod constant;
mod depth;
pub mod dots;
pub mod epilogue;
mod fill;
pub mod group;
mod kernel;
mod narrow;
mod nest;
pub mod pack;
pub mod plan;
pub mod shape;
pub mod tiles;
mod walk;
mod widen;
pub mod winograd;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dl_dl::target;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpId, Rewriter};
use dl_linalg::LinalgOp;
use dl_machine::Machine;

use self::epilogue::Epilogue;
use self::plan::Around;
use self::shape::Contraction;

/// Makes register-blocked nests of contractions on tensors.
#[derive(Clone, Default)]
pub struct LowerContractions;

impl Pass for LowerContractions {
    const INFO: PassInfo = PassInfo::new(
        "linalg-lower-contractions",
        "Turn matrix products and their kin on tensors into register-blocked nests of vector operations",
    )
    .title("LowerContractions")
    .on("builtin.module")
    .statistics(&[("num-contractions", "Number of contractions turned into nests")]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let Some(machine) = target::of_module(cx.root()) else {
            return Err(cx
                .root()
                .error("expected the attribute 'dl.target' of the module; see dl-attach-target")
                .into());
        };
        let mut patterns = Patterns::new();
        let count = Arc::new(AtomicU64::new(0));
        patterns.add(Lower { machine, count: count.clone() });
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        cx.count("num-contractions", count.load(Ordering::Relaxed));
        Ok(())
    }
}

/// Any contraction becomes a nest.
struct Lower {
    machine: Machine,
    /// How often it applied.
    count: Arc<AtomicU64>,
}

impl Pattern for Lower {
    const NAME: &'static str = "linalg-lower-contraction";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let nest = LinalgOp::of(rw.op(op)).ok_or(NoMatch("no loop nest"))?;
        let (affine, machine) = (rw.cx().affine(), &self.machine);
        let bits = |shape: &Contraction| rw.cx().ty(shape.result.element).int_or_float_width();
        let depth = Contraction::along_depth(nest);
        let dots = depth.as_ref().and_then(|shape| dots::choose(affine, machine, shape, bits(shape)?));
        let wide = Contraction::along_result(nest);
        let epilogue = wide.as_ref().and_then(|shape| Epilogue::of(rw.op(op), shape));
        let keeps_sums = |shape: &Contraction| {
            epilogue.as_ref().is_none_or(|epilogue| epilogue.result.element == shape.result.element)
        };
        let around = Around {
            dots: dots.is_some(),
            epilogue: epilogue.is_some(),
            keeps_sums: wide.as_ref().is_some_and(keeps_sums),
        };
        let plan = wide.as_ref().and_then(|shape| plan::choose(rw.cx(), machine, shape, bits(shape)?, around));
        match (wide, plan, depth, dots) {
            (Some(shape), Some(plan), ..) => {
                nest::emit(op, rw, &shape, &plan, epilogue.as_ref(), machine.has_fma());
            }
            (_, None, Some(shape), Some(dots)) => dots::emit(op, rw, &shape, &dots, machine.has_fma()),
            _ => return Err(NoMatch("no contraction on tensors that vectors serve")),
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}
