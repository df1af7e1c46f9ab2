//! `convert-linalg-to-accelerator`: products of matrices, and what is done with each element of the result, become launches.
//!
//! * [`product`] says which operation is a product, and how its operands lie in memory ([`access`]): a convolution is one too.
//! * [`select`] makes instructions of the vector unit of what happens to each element after it.
//! * [`plan`] cuts the product into [`blocks`] that fit the memories ([`place`]), with the fewest predicted cycles ([`cost`]) of all ([`space`]).
//! * [`emit`] makes the launch: transfers, products of tiles and vector instructions, each waiting for what it needs.
//!
//! What the machine cannot do stays as it is, for the host.

pub mod access;
pub mod blocks;
pub mod cost;
pub mod emit;
pub mod place;
pub mod plan;
pub mod product;
pub mod select;
pub mod space;
mod timeline;

use std::sync::{Arc, Mutex};

use dl_accelerator::target;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{Attr, OpId, OpRef, Rewriter};
use dl_linalg::LinalgOp;
use dl_simulator::Machine;

use self::plan::Plan;
use self::product::Product;
use self::select::Epilogue;

dl_ir::pass_options! {
    /// Options of [`LowerLinalg`].
    pub struct LowerLinalgOptions {
        /// Print this many of the best ways to cut each product into blocks, with the cycles predicted for each
        explain "explain": u32 = 0,
    }
}

/// Makes launches of what the machine that the module names can do.
#[derive(Clone, Default)]
pub struct LowerLinalg {
    /// The options.
    pub options: LowerLinalgOptions,
}

impl Pass for LowerLinalg {
    const INFO: PassInfo = PassInfo::new(
        "convert-linalg-to-accelerator",
        "Turn products of matrices on tensors into launches on the accelerator that the module names",
    )
    .title("ConvertLinalgToAccelerator")
    .on("builtin.module")
    .statistics(&[("num-launches", "Number of launches made")]);

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let Some(target) = target::of_module(cx.root()) else {
            let message = "expected the attribute 'accelerator.target' of the module; see accelerator-attach-target";
            return Err(cx.root().error(message).into());
        };
        let machine = target::machine(cx.ctx.attr(target)).map_err(|message| cx.root().error(message))?;
        let notes = Arc::new(Mutex::new(Notes::default()));
        let mut patterns = Patterns::new();
        patterns.add(Lower { machine, target, explain: self.options.explain as usize, notes: notes.clone() });
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        let notes = std::mem::take(&mut *notes.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        cx.count("num-launches", notes.launches);
        cx.print(&notes.text);
        Ok(())
    }
}

/// What there is to say of a run.
#[derive(Default)]
struct Notes {
    launches: u64,
    text: String,
}

/// A product, with what is done to each element of its result, becomes a launch.
struct Lower {
    machine: Machine,
    target: Attr,
    explain: usize,
    notes: Arc<Mutex<Notes>>,
}

impl Pattern for Lower {
    const NAME: &'static str = "accelerator-lower-product";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let nest = LinalgOp::of(rw.op(op)).ok_or(NoMatch("no loop nest"))?;
        let Found { product, epilogue, plans } =
            candidates(nest.op(), &self.machine).ok_or(NoMatch("no product that the machine can do"))?;
        let mut notes = self.notes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        notes.launches += 1;
        if self.explain > 0 {
            notes.text += &plan::explain(rw.op(op), &product, &plans, self.explain);
        }
        emit::emit(rw, op, &self.machine, self.target, &product, &epilogue, &plans[0]);
        Ok(())
    }
}

/// A product, and the ways to compute it, the best first.
pub struct Found {
    /// The product.
    pub product: Product,
    /// What happens to its result.
    pub epilogue: Epilogue,
    /// At least one. The first is possible ([`Plan::is_possible`]).
    pub plans: Vec<Plan>,
}

/// The ways to compute `op` on `machine`. Padding of an operand is left to the host where the machine cannot do it on the way, or takes more than twice as
/// long.
pub fn candidates(op: OpRef<'_>, machine: &Machine) -> Option<Found> {
    let nest = LinalgOp::of(op)?;
    let find = |pads: bool| {
        let product = Product::of(nest, pads)?;
        let epilogue = Epilogue::of(op, &product, machine);
        let plans = plan::plans(machine, &product, &epilogue).ok()?;
        (!plans.is_empty()).then_some(Found { product, epilogue, plans })
    };
    let is_padded = |found: &Found| found.product.lhs.padding.is_some() || found.product.rhs.padding.is_some();
    let cycles = |found: &Found| found.plans[0].prediction.cycles;
    match find(true) {
        Some(padded) if is_padded(&padded) => {
            Some(find(false).filter(|plain| cycles(plain) < cycles(&padded) / 2).unwrap_or(padded))
        }
        Some(plain) => Some(plain),
        None => find(false),
    }
}
