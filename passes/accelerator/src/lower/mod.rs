//! `convert-linalg-to-accelerator`: what a machine can do of a program on tensors becomes launches. First come products of matrices with what is done with
//! each element of the result, then everything else that the vector unit does ([`rows`]). Of products:
//!
//! * [`product`] says which operation is a product, and how its operands lie in memory ([`access`]): a convolution is one too.
//! * [`select`] makes instructions of the vector unit of what happens to each element after it.
//! * [`plan`] cuts the product into [`blocks`] that fit the memories ([`place`]), with the fewest predicted cycles ([`cost`]) of all ([`space`]).
//! * [`emit`] makes the launch: transfers, products of tiles and vector instructions, each waiting for what it needs.
//!
//! What the machine cannot do stays as it is, for the host.

pub mod access;
pub mod blocks;
mod build;
pub mod cost;
pub mod emit;
pub mod place;
pub mod plan;
pub mod product;
mod queue;
pub mod rows;
pub mod select;
pub mod selector;
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
use dl_tensor::PadOp;

use self::plan::Plan;
use self::product::Product;
use self::select::Epilogue;

dl_ir::pass_options! {
    /// Options of [`LowerLinalg`].
    pub struct LowerLinalgOptions {
        /// Print this many of the best ways to cut each launch into blocks, with the cycles predicted for each
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
        "Turn what the accelerator that the module names can do of a program on tensors into launches on it",
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
        let lower = Lower { machine, target, explain: self.options.explain as usize, notes: notes.clone() };
        let (mut products, mut rows, mut pads) = (Patterns::new(), Patterns::new(), Patterns::new());
        products.add(Products(lower.clone()));
        rows.add(Rows { lower: lower.clone(), pads: false });
        pads.add(Rows { lower, pads: true });
        // A chain begins with its first operation, and padding that nobody did on the way comes last.
        let in_order = GreedyConfig { top_down: true, ..GreedyConfig::default() };
        let mut changed = cx.rewrite_greedily(&products.freeze(), &GreedyConfig::default())?.changed;
        changed |= cx.rewrite_greedily(&rows.freeze(), &in_order)?.changed;
        changed |= cx.rewrite_greedily(&pads.freeze(), &in_order)?.changed;
        if !changed {
            cx.preserve_all();
        }
        let notes = std::mem::take(&mut *notes.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        cx.count("num-launches", notes.launches);
        // Functions are worked on in any order.
        let mut texts = notes.texts;
        texts.sort_by(|(a, _), (b, _)| a.cmp(b));
        texts.iter().for_each(|(_, text)| cx.print(text));
        Ok(())
    }
}

/// File, line and column.
type Position = (String, u64, u64);

/// What there is to say of a run.
#[derive(Default)]
struct Notes {
    launches: u64,
    /// What is said of each, by file, line and column.
    texts: Vec<(Position, String)>,
}

/// What all patterns share.
#[derive(Clone)]
struct Lower {
    machine: Machine,
    target: Attr,
    explain: usize,
    notes: Arc<Mutex<Notes>>,
}

impl Lower {
    /// Counts a launch, and says what there is to say of it.
    fn note(&self, op: OpRef<'_>, explanation: impl FnOnce(usize) -> String) {
        let mut notes = self.notes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        notes.launches += 1;
        if self.explain > 0 {
            let at = op.cx().file_position(op.loc());
            let position = at.map(|at| (at.file.clone(), at.line.into(), at.column.into())).unwrap_or_default();
            notes.texts.push((position, explanation(self.explain)));
        }
    }
}

/// A product, with what is done to each element of its result, becomes a launch.
struct Products(Lower);

impl Pattern for Products {
    const NAME: &'static str = "accelerator-lower-product";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let nest = LinalgOp::of(rw.op(op)).ok_or(NoMatch("no loop nest"))?;
        let found = candidates(nest.op(), &self.0.machine).ok_or(NoMatch("no product that the machine can do"))?;
        if is_better_as_rows(nest.op(), &self.0.machine, &found) {
            return Err(NoMatch("the vector unit is faster"));
        }
        let Found { product, epilogue, plans } = found;
        self.0.note(rw.op(op), |count| plan::explain(rw.op(op), &product, &plans, count));
        emit::emit(rw, op, &self.0.machine, self.0.target, &product, &epilogue, &plans[0]);
        Ok(())
    }
}

/// Operations on the same rows become a launch.
struct Rows {
    lower: Lower,
    /// Whether it is about paddings, or about all else.
    pads: bool,
}

impl Pattern for Rows {
    const NAME: &'static str = "accelerator-lower-rows";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let Lower { machine, target, .. } = &self.lower;
        if rw.op(op).is::<PadOp<'_>>() != self.pads {
            return Err(NoMatch("is for another time"));
        }
        let found = rows::candidates(rw.op(op), machine).ok_or(NoMatch("nothing that the vector unit can do"))?;
        self.lower.note(rw.op(op), |count| rows::explain(rw.op(op), &found, count));
        rows::emit::emit(rw, (machine, *target), &found);
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

/// The ways to compute `op` on `machine`. Where the transfers of blocks pad an operand, that must pay: padding is done before if that is faster, or by the
/// host where the machine cannot do it.
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
    let padding = || -> u64 {
        let pads = op.operands().iter().filter_map(|operand| operand.defining_op());
        let each = pads.filter(|pad| pad.is::<PadOp<'_>>()).filter_map(|pad| rows::candidates(pad, machine));
        each.map(|found| found.plans[0].prediction.cycles).sum()
    };
    match find(true) {
        Some(padded) if is_padded(&padded) => {
            Some(find(false).filter(|plain| cycles(plain) + padding() < cycles(&padded)).unwrap_or(padded))
        }
        Some(plain) => Some(plain),
        None => find(false),
    }
}

/// Whether the vector unit is faster at what looks like products of columns, one for each of a batch: a convolution of each channel by itself.
fn is_better_as_rows(op: OpRef<'_>, machine: &Machine, found: &Found) -> bool {
    let is_by_channel = found.product.batch.extent() > 1 && found.product.groups[1].extent() == 1;
    let rows = || rows::candidates(op, machine).map(|rows| rows.plans[0].prediction.cycles);
    is_by_channel && rows().is_some_and(|cycles| cycles < found.plans[0].prediction.cycles)
}
