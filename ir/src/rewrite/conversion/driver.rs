//! The conversion driver: visits operations and legalizes them.

use rayon::prelude::*;
use smallvec::SmallVec;

use super::pattern::{Converted, FrozenConversionPatterns};
use super::rewriter::{ConversionRewriter, State, SymbolRequest};
use super::target::{ConversionTarget, Legality};
use crate::action::{self, ActionKind};
use crate::arena::Arena;
use crate::attributes::Attr;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::entity::{OpId, ValueId};
use crate::opdef::Trait;
use crate::parallel::evenly;
use crate::rewrite::NoMatch;
use crate::rewrite::fold::{Fold, materialize, try_fold_with};
use crate::rewriter::{Listener, Rewriter};
use crate::symbol::{SymbolSnapshot, SymbolTable};
use crate::view::OpRef;

/// How a conversion works.
#[derive(Clone, Copy)]
pub struct ConversionConfig<'a> {
    /// Whether operations that are not legal are folded before patterns are tried.
    pub fold: bool,
    /// The symbols around the converted operation.
    pub symbols: Option<&'a SymbolSnapshot>,
}

impl Default for ConversionConfig<'_> {
    fn default() -> Self {
        Self { fold: true, symbols: None }
    }
}

/// So many rewrites, each of what the one before made, mean that patterns feed one another.
const MAX_GENERATIONS: u32 = 1000;

/// Converts what is in `ir` so that nothing is left that `target` calls illegal. Operations that it says nothing of are
/// converted where a pattern applies.
///
/// # Errors
/// `failed to legalize operation 'x.y' that was explicitly marked illegal`, at the first such operation. The IR is then partly
/// converted.
pub fn apply_partial_conversion(
    cx: &Context,
    ir: &mut Arena,
    target: &ConversionTarget,
    patterns: &FrozenConversionPatterns,
    config: &ConversionConfig<'_>,
) -> Result<(), Diagnostics> {
    Job { cx, target, patterns, config, full: false }.take(ir)
}

/// Converts what is in `ir` so that `target` calls all of it legal.
///
/// # Errors
/// `failed to legalize operation 'x.y'`, at the first that is not. The IR is then partly converted.
pub fn apply_full_conversion(
    cx: &Context,
    ir: &mut Arena,
    target: &ConversionTarget,
    patterns: &FrozenConversionPatterns,
    config: &ConversionConfig<'_>,
) -> Result<(), Diagnostics> {
    Job { cx, target, patterns, config, full: true }.take(ir)
}

/// One conversion.
struct Job<'a> {
    cx: &'a Context,
    target: &'a ConversionTarget,
    patterns: &'a FrozenConversionPatterns,
    config: &'a ConversionConfig<'a>,
    full: bool,
}

/// An operation to be legalized.
#[derive(Clone, Copy)]
struct Work {
    op: OpId,
    /// How many rewrites led to it, each of what the one before made.
    generation: u32,
    /// Number of the rewrite that made it, from 1; 0 where it is not remembered.
    made_by: u32,
}

/// Which rewrite led to which, of the last ones before [`MAX_GENERATIONS`]: the pattern, `None` for a fold, and the rewrite
/// before, as in [`Work::made_by`]. Mostly empty.
#[derive(Default)]
pub(super) struct History(Vec<(Option<&'static str>, u32)>);

impl History {
    /// How many generations are remembered.
    const REMEMBERED: u32 = 64;

    /// What comes of rewriting `work`.
    fn after(&mut self, work: Work, pattern: Option<&'static str>) -> Work {
        let generation = work.generation + 1;
        if generation + Self::REMEMBERED <= MAX_GENERATIONS {
            return Work { generation, ..work };
        }
        self.0.push((pattern, work.made_by));
        Work { generation, made_by: self.0.len() as u32, ..work }
    }

    /// The patterns of the last rewrites that led up to number `at`, sorted.
    fn names(&self, at: u32) -> Vec<String> {
        let before = |&at: &u32| self.0.get((at as usize).wrapping_sub(1)).map(|&(_, before)| before);
        let rewrites = std::iter::successors(Some(at), before).filter_map(|at| {
            let &(pattern, _) = self.0.get((at as usize).wrapping_sub(1))?;
            Some(pattern.map_or_else(|| "folding".to_owned(), |name| format!("pattern '{name}'")))
        });
        let mut names: Vec<String> = rewrites.collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Collects the operations that a pattern makes.
#[derive(Default)]
struct Created(Vec<OpId>);

impl Listener for Created {
    fn created(&mut self, _: &Arena, op: OpId) {
        self.0.push(op);
    }
}

impl Job<'_> {
    /// Converts, as an action that can be watched.
    fn take(&self, ir: &mut Arena) -> Result<(), Diagnostics> {
        action::take(self.cx, ActionKind::Conversion, ir, |cx, ir| OpRef::root(cx, ir), |ir| self.run(ir))
            .unwrap_or(Ok(()))
    }

    fn run(&self, ir: &mut Arena) -> Result<(), Diagnostics> {
        let root = OpRef::root(self.cx, ir);
        let legality = self.target.legality(root);
        if legality == Legality::RecursivelyLegal {
            return Ok(());
        }
        if self.is_failure(legality) {
            return Err(self.failure(root, legality));
        }
        let none = SymbolSnapshot::default();
        let requests = self.arena(ir, State::default(), self.config.symbols.unwrap_or(&none))?;
        match requests.first() {
            None => Ok(()),
            Some(SymbolRequest { name, .. }) => {
                let message =
                    format_args!("unsupported: the conversion needs to declare the symbol '{name}' outside of it");
                Err(OpRef::root(self.cx, ir).error(message).into())
            }
        }
    }

    /// Whether an operation of this legality that nothing converts is an error.
    fn is_failure(&self, legality: Legality) -> bool {
        legality == Legality::Illegal || (self.full && legality == Legality::Unknown)
    }

    fn failure(&self, op: OpRef<'_>, legality: Legality) -> Diagnostics {
        let explicit =
            if legality == Legality::Illegal && !self.full { " that was explicitly marked illegal" } else { "" };
        Diagnostic::error(op.loc(), format!("failed to legalize operation '{}'{explicit}", op.name())).into()
    }

    /// Converts one arena and all nested in it; answers the symbols that must be declared outside.
    fn arena(
        &self,
        ir: &mut Arena,
        mut state: State,
        symbols: &SymbolSnapshot,
    ) -> Result<Vec<SymbolRequest>, Diagnostics> {
        let mut work: Vec<Work> = self
            .visible_ops(ir)
            .into_iter()
            .rev()
            .filter(|&op| op != Arena::ROOT)
            .map(|op| Work { op, generation: 0, made_by: 0 })
            .collect();
        self.legalize_all(ir, &mut state, symbols, &mut work)?;
        let is_table = OpRef::root(self.cx, ir).has_trait(&Trait::SymbolTable);
        let own = is_table.then(|| SymbolSnapshot::of(OpRef::root(self.cx, ir)));
        self.children(ir, &mut state, own.as_ref().unwrap_or(symbols))?;
        if is_table {
            let made = self.declare(ir, std::mem::take(&mut state.requests))?;
            work.extend(made.into_iter().rev().map(|op| Work { op, generation: 0, made_by: 0 }));
            self.legalize_all(ir, &mut state, symbols, &mut work)?;
        }
        state.casts.finish(&mut Rewriter::new(self.cx, ir), self.patterns)?;
        Ok(state.requests)
    }

    /// The operations of the arena in pre-order, without those inside recursively legal ones.
    fn visible_ops(&self, ir: &Arena) -> Vec<OpId> {
        let (mut order, mut stack) = (Vec::new(), vec![Arena::ROOT]);
        while let Some(op) = stack.pop() {
            order.push(op);
            if op != Arena::ROOT && self.is_recursively_legal(ir, op) {
                continue;
            }
            let start = stack.len();
            for &region in ir.op_regions(op) {
                for block in ir.region_blocks(region) {
                    stack.extend(ir.block_ops(block));
                }
            }
            stack[start..].reverse();
        }
        order
    }

    fn legality(&self, ir: &Arena, op: OpId) -> Legality {
        self.target.legality(OpRef::new(self.cx, ir, op))
    }

    fn is_recursively_legal(&self, ir: &Arena, op: OpId) -> bool {
        let view = OpRef::new(self.cx, ir, op);
        self.target.may_be_recursively_legal(view) && self.target.legality(view) == Legality::RecursivelyLegal
    }

    /// Converts the nested isolated operations, each on its own. The symbols that they ask for are asked for by `state`.
    fn children(&self, ir: &mut Arena, state: &mut State, symbols: &SymbolSnapshot) -> Result<(), Diagnostics> {
        if ir.children().next().is_none() {
            return Ok(());
        }
        let stubs: Vec<OpId> = self
            .visible_ops(ir)
            .into_iter()
            .filter(|&op| OpRef::new(self.cx, ir, op).is_stub() && !self.is_recursively_legal(ir, op))
            .collect();
        let states: Vec<State> = stubs.iter().map(|stub| state.children.remove(stub).unwrap_or_default()).collect();
        let jobs: Vec<(&mut Arena, State)> = ir.children_of(&stubs).into_iter().zip(states).collect();
        let convert = |(child, state): (&mut Arena, State)| {
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.arena(child, state, symbols))
        };
        let results: Vec<_> = if self.cx.threading() && jobs.len() > 1 {
            evenly(jobs.into_par_iter()).map(convert).collect()
        } else {
            jobs.into_iter().map(convert).collect()
        };
        for result in results {
            result?.into_iter().for_each(|request| state.ask_for(request));
        }
        Ok(())
    }

    /// Makes the requested symbols that are not there yet at the start of the symbol table; answers what was made. Those that are there must fit.
    fn declare(&self, ir: &mut Arena, requests: Vec<SymbolRequest>) -> Result<Vec<OpId>, Diagnostics> {
        let body = ir.op_regions(Arena::ROOT).first().and_then(|&region| ir.entry_block(region));
        let Some(body) = body.filter(|_| !requests.is_empty()) else { return Ok(Vec::new()) };
        let (mut missing, mut faults) = (Vec::new(), Diagnostics::default());
        let table = SymbolTable::new(OpRef::root(self.cx, ir));
        for request in requests {
            match table.get(&request.name) {
                None => missing.push(request.make),
                Some(symbol) => {
                    if let Err(fault) = (request.check)(symbol) {
                        faults.push(fault);
                    }
                }
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut created = Created::default();
        let mut rw = Rewriter::with_listener(self.cx, ir, &mut created);
        for make in missing {
            rw.set_insertion_to_start(body);
            make(&mut rw);
        }
        Ok(created.0)
    }

    fn legalize_all(
        &self,
        ir: &mut Arena,
        state: &mut State,
        symbols: &SymbolSnapshot,
        work: &mut Vec<Work>,
    ) -> Result<(), Diagnostics> {
        while let Some(next) = work.pop() {
            if !ir.is_live(next.op) || state.casts.contains(next.op) {
                continue;
            }
            let legality = self.legality(ir, next.op);
            if matches!(legality, Legality::Legal | Legality::RecursivelyLegal) {
                continue;
            }
            if next.generation > MAX_GENERATIONS {
                let by = state.history.names(next.made_by);
                let (verb, by) = (if by.len() == 1 { "makes" } else { "make" }, by.join(" and "));
                let message = format_args!("conversion does not terminate: {by} {verb} it again and again");
                return Err(OpRef::new(self.cx, ir, next.op).error(message).into());
            }
            if self.config.fold && self.fold(ir, state, next, work) {
                continue;
            }
            if !self.rewrite(ir, state, symbols, next, work) && self.is_failure(legality) {
                return Err(self.failure(OpRef::new(self.cx, ir, next.op), legality));
            }
        }
        Ok(())
    }

    /// Folds an operation, if the constants that this takes are legal or some pattern may convert them.
    fn fold(&self, ir: &mut Arena, state: &mut State, work: Work, pending: &mut Vec<Work>) -> bool {
        let mut created = Created::default();
        let mut rw = Rewriter::with_listener(self.cx, ir, &mut created);
        let known = |rw: &Rewriter<'_>, value: ValueId| {
            state.constants.get(&value).copied().or_else(|| rw.value(value).constant().map(Attr::from))
        };
        let folded = match try_fold_with(&mut rw, work.op, known) {
            Fold::None => return false,
            Fold::InPlace => {
                pending.push(state.history.after(work, None));
                return true;
            }
            Fold::Values(folded) => folded,
        };
        let Some(values) = materialize(&mut rw, work.op, &folded) else { return false };
        let convertible = |op: OpId| {
            self.legality(ir, op) == Legality::Legal
                || self.patterns.has_root(OpRef::new(self.cx, ir, op).info().hash())
        };
        if created.0.iter().all(|&op| convertible(op)) {
            Rewriter::new(self.cx, ir).replace(work.op, &values);
            let next = state.history.after(work, None);
            pending.extend(created.0.into_iter().rev().map(|op| Work { op, ..next }));
            true
        } else {
            let mut rw = Rewriter::new(self.cx, ir);
            created.0.into_iter().rev().for_each(|op| rw.erase(op));
            false
        }
    }

    /// Applies the first pattern that matches.
    fn rewrite(
        &self,
        ir: &mut Arena,
        state: &mut State,
        symbols: &SymbolSnapshot,
        work: Work,
        pending: &mut Vec<Work>,
    ) -> bool {
        let hash = OpRef::new(self.cx, ir, work.op).info().hash();
        for pattern in self.patterns.of(hash) {
            let mut created = Created::default();
            let rw = Rewriter::with_listener(self.cx, ir, &mut created);
            let converter = self.patterns.converter_of(pattern);
            let mut rw = ConversionRewriter { rw, state, converter, symbols };
            let operands: SmallVec<[ValueId; 4]> = rw.ir().operands(work.op).collect();
            let converted: Option<SmallVec<[SmallVec<[ValueId; 1]>; 4]>> =
                operands.into_iter().map(|value| rw.converted(value)).collect();
            let Some(converted) = converted else { continue };
            rw.set_insertion_before(work.op);
            let span = tracing::trace_span!("conversion pattern", name = pattern.name);
            let kind = ActionKind::Pattern(pattern.name);
            let apply = |rw: &mut ConversionRewriter<'_>| {
                span.in_scope(|| (pattern.rewrite)(work.op, Converted(&converted), rw))
            };
            let taken = action::take(self.cx, kind, &mut rw, |cx, rw| OpRef::new(cx, rw.ir(), work.op), apply);
            let applied = taken.unwrap_or(Err(NoMatch("left out")));
            if let Err(reason) = applied {
                tracing::trace!(pattern = pattern.name, reason = reason.0, "no match");
            } else {
                tracing::debug!(pattern = pattern.name, "applied");
                let next = state.history.after(work, Some(pattern.name));
                pending.extend(created.0.into_iter().rev().map(|op| Work { op, ..next }));
                // A root that was changed in place is looked at again where it still must change.
                if ir.is_live(work.op) && self.is_failure(self.legality(ir, work.op)) {
                    pending.push(next);
                }
                return true;
            }
        }
        false
    }
}
