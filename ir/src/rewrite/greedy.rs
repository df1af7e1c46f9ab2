//! The greedy driver: patterns, folding and dead-code elimination until nothing changes.
//!
//! Each iteration seeds a worklist with all operations in scope, taking constants out (equal ones are merged and moved to the
//! start of the isolated operation around them), and works it off last in, first out. Whatever a rewrite touches is put on it
//! again. Regions are then simplified, and another iteration follows if anything has changed: it leaves out operations with
//! [local rewrites](super#local-rewrites) around which nothing has.
//!
//! Nested isolated operations are driven each on their own, after the operation around them, in parallel where the context
//! allows threads. Rewriting carries fuel: patterns that undo each other end with an answer that names them.

mod constants;
mod settled;
mod worklist;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use self::constants::Constants;
use self::worklist::Worklist;
use super::fold::{Fold, materialize, try_fold};
use super::pattern::{AnyPattern, FrozenPatterns, NoMatch};
use super::recurrence::{Applied, Recent, Recurrence};
use super::region_simplify::{self, RegionSimplify};
use crate::action::{self, ActionKind};
use crate::arena::Arena;
use crate::context::Context;
use crate::dialect::OpInfo;
use crate::effects::Observed;
use crate::entity::{OpId, OpName};
use crate::facts::Fact;
use crate::opdef::Trait;
use crate::parallel::evenly;
use crate::rewriter::{Listener, Rewriter};
use crate::symbol::SymbolSnapshot;
use crate::view::OpRef;
use crate::walk::{ops_in_arena, ops_in_arena_post_order};

/// How the greedy driver works.
#[derive(Clone, Debug)]
pub struct GreedyConfig {
    /// Whether the first operation is looked at first, rather than the last one.
    pub top_down: bool,
    /// Most iterations; `None` for no limit.
    pub max_iterations: Option<u32>,
    /// Most pattern applications in one iteration; `None` for no limit but the fuel.
    pub max_rewrites: Option<u64>,
    /// What to do with regions after each iteration.
    pub region_simplify: RegionSimplify,
    /// Whether operations are folded.
    pub fold: bool,
    /// Whether equal constants are merged and moved out.
    pub merge_constants: bool,
    /// How many rewrites of one operation, and 16 for each nested in it besides, may happen in one iteration before they are
    /// taken to have no end.
    pub fuel: u64,
}

impl Default for GreedyConfig {
    fn default() -> Self {
        Self {
            top_down: false,
            max_iterations: Some(10),
            max_rewrites: None,
            region_simplify: RegionSimplify::Aggressive,
            fold: true,
            merge_constants: true,
            fuel: 1_000_000,
        }
    }
}

/// The end of iterations without a limit: patterns that undo each other only in the next iteration.
const MOST_ITERATIONS: u32 = 10_000;

/// What greedy rewriting did.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct GreedyResult {
    /// Whether the IR has changed.
    pub changed: bool,
    /// Whether nothing is left to do: no limit was hit.
    pub converged: bool,
    /// Whether rewriting seems to have no end: the fuel was spent, or iterations without a limit were stopped.
    pub endless: bool,
    /// Where it has not converged: what was applied last.
    pub recurrence: Recurrence,
}

impl GreedyResult {
    fn merge(&mut self, other: Self) {
        self.changed |= other.changed;
        self.converged &= other.converged;
        self.endless |= other.endless;
        self.recurrence.merge(other.recurrence);
    }
}

/// Applies `patterns` to all that is nested in `ir`, nested isolated operations included, but not to its root.
pub fn apply_patterns_greedily(
    cx: &Context,
    ir: &mut Arena,
    patterns: &FrozenPatterns,
    config: &GreedyConfig,
) -> GreedyResult {
    apply_patterns_greedily_among(cx, ir, patterns, config, &SymbolSnapshot::default())
}

/// The same, where `symbols` are those around `ir`, for patterns that ask.
pub fn apply_patterns_greedily_among(
    cx: &Context,
    ir: &mut Arena,
    patterns: &FrozenPatterns,
    config: &GreedyConfig,
    symbols: &SymbolSnapshot,
) -> GreedyResult {
    let root = OpRef::root(cx, ir);
    let own = patterns.ask_for_symbols() && root.has_trait(&Trait::SymbolTable);
    let own = own.then(|| SymbolSnapshot::of(root));
    let symbols = own.as_ref().unwrap_or(symbols);
    let mut result = apply_in(cx, ir, Arena::ROOT, patterns, config, symbols, None);
    let children: Vec<&mut Arena> = ir.children_mut().collect();
    let apply = |child: &mut Arena| {
        let apply = || apply_patterns_greedily_among(cx, child, patterns, config, symbols);
        stacker::maybe_grow(64 * 1024, 1024 * 1024, apply)
    };
    let nested: Vec<GreedyResult> = if cx.threading() && children.len() > 1 {
        evenly(children.into_par_iter()).map(apply).collect()
    } else {
        children.into_iter().map(apply).collect()
    };
    nested.into_iter().for_each(|each| result.merge(each));
    result
}

/// Applies `patterns` to the operations of this arena in the regions of `scope`, but not to `scope` itself.
pub fn apply_patterns_greedily_in(
    cx: &Context,
    ir: &mut Arena,
    scope: OpId,
    patterns: &FrozenPatterns,
    config: &GreedyConfig,
) -> GreedyResult {
    apply_in(cx, ir, scope, patterns, config, &SymbolSnapshot::default(), None)
}

/// The same, where `symbols` are those around the arena, and `listener` is told of what patterns, folds and the merging of constants change. It is not told
/// of what the simplification of regions erases.
pub fn apply_patterns_greedily_heard(
    cx: &Context,
    ir: &mut Arena,
    scope: OpId,
    patterns: &FrozenPatterns,
    config: &GreedyConfig,
    symbols: &SymbolSnapshot,
    listener: &mut dyn Listener,
) -> GreedyResult {
    apply_in(cx, ir, scope, patterns, config, symbols, Some(listener))
}

fn apply_in<'a>(
    cx: &'a Context,
    ir: &mut Arena,
    scope: OpId,
    patterns: &'a FrozenPatterns,
    config: &'a GreedyConfig,
    symbols: &'a SymbolSnapshot,
    listener: Option<&'a mut dyn Listener>,
) -> GreedyResult {
    let mut driver = Driver {
        cx,
        symbols,
        patterns,
        rewrites: FxHashMap::default(),
        config,
        worklist: Worklist::new(scope, listener),
        recent: Recent::default(),
        observed: Observed::default(),
    };
    driver.run(ir, scope)
}

/// What a single step did with an operation.
enum Step {
    Unchanged,
    Changed,
    Rewritten,
}

/// What working off the worklist did in an iteration.
#[derive(Default)]
struct Work {
    changed: bool,
    rewrites: u64,
    /// How many changes may follow before they are taken to have no end.
    fuel: u64,
}

/// What one iteration did.
struct Iteration {
    /// Whether code that is never reached was erased.
    erased: bool,
    /// Whether anything else changed, so that another iteration may find something.
    changed: bool,
    /// Whether the fuel ran out.
    spent: bool,
}

/// What to try on operations of one name.
struct Rewrites<'a> {
    name: OpName,
    info: &'a OpInfo,
    patterns: Box<[&'a AnyPattern]>,
    /// Whether the patterns and folds are all [local](super#local-rewrites), and may be left out: nobody counts the attempts.
    are_local: bool,
}

impl<'a> Rewrites<'a> {
    fn of(cx: &'a Context, name: OpName, all: &'a FrozenPatterns) -> Self {
        let info = cx.op_info(name);
        let patterns: Box<[_]> = all.of(info).collect();
        let folds = info.hooks.fold.is_some() || info.hooks.fold_in_place.is_some();
        let folds_locally = || cx.dialect(info.dialect()).is_some_and(|dialect| dialect.local_folds);
        let are_local = info.has_fact(Fact::NoRegions)
            && (!folds || folds_locally())
            && patterns.iter().all(|pattern| pattern.is_local())
            && cx.action_handler().is_none();
        Self { name, info, patterns, are_local }
    }

    /// Folds `op`, or applies the first pattern that matches.
    #[inline(always)]
    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId, fold: bool, recent: &mut Recent) -> Step {
        let cx = rw.cx();
        let Self { name, info, .. } = *self;
        if fold && !info.has_trait(&Trait::ConstantLike) {
            match try_fold(rw, op) {
                Fold::None => {}
                Fold::InPlace => {
                    recent.push(Applied::Fold(name));
                    return Step::Changed;
                }
                Fold::Values(folded) => {
                    if let Some(values) = materialize(rw, op, &folded) {
                        recent.push(Applied::Fold(name));
                        rw.replace(op, &values);
                        return Step::Changed;
                    }
                }
            }
        }
        for pattern in &self.patterns {
            rw.set_insertion_before(op);
            let kind = ActionKind::Pattern(pattern.name);
            let taken = action::take(cx, kind, rw, |_, rw| rw.op(op), |rw| pattern.rewrite(op, rw));
            match taken.unwrap_or(Err(NoMatch("left out"))) {
                Ok(()) => {
                    recent.push(Applied::Pattern(pattern.name));
                    tracing::debug!(pattern = pattern.name, op = %info.name, "applied");
                    return Step::Rewritten;
                }
                Err(reason) => tracing::trace!(pattern = pattern.name, op = %info.name, reason = reason.0, "no match"),
            }
        }
        Step::Unchanged
    }
}

struct Driver<'a> {
    cx: &'a Context,
    patterns: &'a FrozenPatterns,
    /// What to try on operations that have been met.
    rewrites: FxHashMap<OpName, Rewrites<'a>>,
    config: &'a GreedyConfig,
    symbols: &'a SymbolSnapshot,
    worklist: Worklist<'a>,
    recent: Recent,
    observed: Observed,
}

impl Driver<'_> {
    fn run(&mut self, ir: &mut Arena, scope: OpId) -> GreedyResult {
        let mut result = GreedyResult { converged: true, ..GreedyResult::default() };
        let mut iteration = 0;
        loop {
            if iteration >= self.config.max_iterations.unwrap_or(MOST_ITERATIONS) {
                // The last iteration changed something: another one might too.
                result.converged = iteration == 0;
                result.endless = self.config.max_iterations.is_none();
                if !result.converged {
                    result.recurrence = self.recent.summary(self.cx);
                }
                return result;
            }
            iteration += 1;
            let kind = ActionKind::GreedyIteration(iteration);
            let taken =
                action::take(self.cx, kind, ir, |cx, ir| OpRef::new(cx, ir, scope), |ir| self.iterate(ir, scope));
            let Some(done) = taken else { return result };
            if done.spent {
                result.changed = true;
                result.converged = false;
                result.endless = true;
                result.recurrence = self.recent.summary(self.cx);
                return result;
            }
            result.changed |= done.changed | done.erased;
            if !done.changed {
                return result;
            }
        }
    }

    /// Works off all operations in scope once, with those that turn up on the way.
    fn iterate(&mut self, ir: &mut Arena, scope: OpId) -> Iteration {
        // Patterns may rely on dominance, which says nothing of code that is never reached.
        let erased = region_simplify::erase_unreachable_blocks(&mut Rewriter::new(self.cx, ir), scope);
        self.seed(ir, scope);
        let mut work = Work { fuel: self.config.fuel + 16 * ir.num_op_slots() as u64, ..Work::default() };
        loop {
            let is_done = self.work_off(ir, &mut work);
            if work.fuel == 0 {
                break;
            }
            let mut rw = Rewriter::with_listener(self.cx, ir, &mut self.worklist);
            let simplified = region_simplify::simplify(&mut rw, scope, self.config.region_simplify);
            work.changed |= simplified;
            // What is left of a branch can mostly go at once: there is no need to look at everything for that.
            if !is_done || !simplified || self.worklist.is_empty() {
                break;
            }
            // It was told of in order. The first block of a chain takes in one after the other; the last one first, each would take in all after it.
            self.worklist.reverse();
        }
        Iteration { erased, changed: work.changed, spent: work.fuel == 0 }
    }

    /// Fills the worklist with the operations in scope, constants merged and left out.
    fn seed(&mut self, ir: &mut Arena, scope: OpId) {
        self.worklist.clear();
        self.observed.clear();
        let mut order = if self.config.top_down { ops_in_arena(ir, scope) } else { ops_in_arena_post_order(ir, scope) };
        order.retain(|&op| op != scope);
        if self.config.merge_constants {
            let mut constants = Constants::new(ir.num_op_slots());
            order.retain(|&op| {
                let mut rw = Rewriter::with_listener(self.cx, ir, &mut self.worklist);
                !constants.insert(&mut rw, op)
            });
        }
        if self.config.top_down {
            order.reverse();
        }
        self.worklist.seed(order, ir.num_op_slots());
    }

    /// Works off the worklist. Answers whether it is empty then: no limit was hit.
    fn work_off(&mut self, ir: &mut Arena, work: &mut Work) -> bool {
        while self.config.max_rewrites.is_none_or(|max| work.rewrites < max) {
            let Some(op) = self.worklist.pop() else { return true };
            match self.step(ir, op) {
                Step::Unchanged => continue,
                Step::Changed => {}
                Step::Rewritten => work.rewrites += 1,
            }
            work.changed = true;
            work.fuel -= 1;
            if work.fuel == 0 {
                break;
            }
        }
        false
    }

    /// Does what there is to do with an operation.
    fn step(&mut self, ir: &mut Arena, op: OpId) -> Step {
        // Erasing a region puts what its operations use on the worklist, also what is erased with it.
        if !ir.is_live(op) {
            return Step::Unchanged;
        }
        let view = OpRef::new(self.cx, ir, op);
        let name = view.name_id();
        if self.observed.is_trivially_dead(view) {
            Rewriter::with_listener(self.cx, ir, &mut self.worklist).erase(op);
            return Step::Changed;
        }
        let rewrites = self.rewrites.entry(name).or_insert_with(|| Rewrites::of(self.cx, name, self.patterns));
        let is_settled = rewrites.are_local && self.worklist.settled.contains(op);
        if is_settled && !cfg!(debug_assertions) {
            return Step::Unchanged;
        }
        let mut rw = Rewriter::with_listener(self.cx, ir, &mut self.worklist).with_symbols(self.symbols);
        let step = rewrites.apply(&mut rw, op, self.config.fold, &mut self.recent);
        let is_unchanged = matches!(step, Step::Unchanged);
        debug_assert!(is_unchanged || !is_settled, "what rewrites '{}' is not local", rewrites.info.name);
        if is_unchanged && rewrites.are_local {
            self.worklist.settled.insert(ir, op);
        }
        step
    }
}
