//! What a pass is, and what it gets to work with.

use std::sync::Arc;

use super::analysis::{Analysis, AnalysisManager, Around, PreservedAnalyses};
use super::executor::{Executor, FailedPass, Place};
use super::manager::PassManager;
use super::options::PassOptions;
use super::panics::caught;
use super::registry::PassRegistry;
use super::report::Report;
use crate::arena::Arena;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialect::OpInfo;
use crate::entity::OpId;
use crate::rewrite::FrozenPatterns;
use crate::rewrite::conversion::{
    ConversionConfig, ConversionTarget, FrozenConversionPatterns, apply_full_conversion, apply_partial_conversion,
};
use crate::rewrite::greedy::{GreedyConfig, GreedyResult, apply_patterns_greedily_among};
use crate::rewriter::Rewriter;
use crate::symbol::SymbolSnapshot;
use crate::view::OpRef;

/// What running a pass gave. The diagnostics of an error may be empty where the pass has emitted them already.
pub type PassResult = Result<(), Diagnostics>;

/// What is known of a pass before it runs.
#[derive(Clone, Copy, Debug)]
pub struct PassInfo {
    /// Its name in pipelines, kebab case.
    pub name: &'static str,
    /// What it does, in one line.
    pub description: &'static str,
    /// What reports call it; the name where there is no other.
    pub title: &'static str,
    /// The name of the only operations that it runs on; `None` for any isolated one.
    pub anchor: Option<&'static str>,
    /// Which operations it runs on, by what is known of their name; `None` for all.
    pub filter: Option<fn(&OpInfo) -> bool>,
    /// Name and meaning of what it counts.
    pub statistics: &'static [(&'static str, &'static str)],
}

impl PassInfo {
    /// A pass that runs on any isolated operation and counts nothing.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name, description, title: name, anchor: None, filter: None, statistics: &[] }
    }

    /// With another name for reports, upstream's class name: `Canonicalizer`.
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = title;
        self
    }

    /// For one kind of operation only: `func.func`.
    pub const fn on(mut self, anchor: &'static str) -> Self {
        self.anchor = Some(anchor);
        self
    }

    /// For operations of which `filter` holds only: those with some interface.
    pub const fn on_ops(mut self, filter: fn(&OpInfo) -> bool) -> Self {
        self.filter = Some(filter);
        self
    }

    /// Whether it can run on operations of this name.
    pub fn takes(&self, op: &OpInfo) -> bool {
        self.anchor.is_none_or(|anchor| *anchor == *op.name) && self.filter.is_none_or(|filter| filter(op))
    }

    /// With what it counts: name and meaning.
    pub const fn statistics(mut self, statistics: &'static [(&'static str, &'static str)]) -> Self {
        self.statistics = statistics;
        self
    }
}

/// A pass: changes one isolated operation and what is nested in it, and nothing else.
///
/// Each thread works with a clone, so nothing may be carried from one operation to the next.
pub trait Pass: Clone + Send + Sync + 'static {
    /// Name, description and the like.
    const INFO: PassInfo;

    /// Its options, if it has any. Mostly `Some(&mut self.options)`.
    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        None
    }

    /// Called when a pipeline text is parsed, when the options are set: the place to parse pipelines that are options.
    ///
    /// # Errors
    /// What is wrong with them.
    fn resolve(&mut self, cx: &Context, registry: &PassRegistry) -> Result<(), Diagnostic> {
        let _ = (cx, registry);
        Ok(())
    }

    /// Called once, before a pipeline runs, when the options are set: the place to build pattern sets.
    ///
    /// # Errors
    /// Why the pass cannot run; no pass of the pipeline does then.
    fn initialize(&mut self, cx: &Context) -> PassResult {
        let _ = cx;
        Ok(())
    }

    /// Does the work.
    ///
    /// # Errors
    /// What went wrong; the pipeline ends here. The IR may be left half changed, but must be such that it can be printed and
    /// dropped.
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult;
}

/// A pass of any type.
pub trait AnyPass: Send + Sync {
    /// See [`Pass::INFO`].
    fn info(&self) -> PassInfo;
    /// See [`Pass::options`].
    fn options(&mut self) -> Option<&mut dyn PassOptions>;
    /// See [`Pass::resolve`].
    ///
    /// # Errors
    /// Those of [`Pass::resolve`].
    fn resolve(&mut self, cx: &Context, registry: &PassRegistry) -> Result<(), Diagnostic>;
    /// See [`Pass::initialize`].
    ///
    /// # Errors
    /// That it panicked, and what it said then. Panics are caught here, in code that is compiled with the pass: a panic in a plugin
    /// must not be caught by the tool that has loaded it.
    fn initialize(&mut self, cx: &Context) -> Result<PassResult, String>;
    /// See [`Pass::run`].
    ///
    /// # Errors
    /// Those of [`initialize`](Self::initialize).
    fn run(&mut self, cx: &mut PassCx<'_>) -> Result<PassResult, String>;
    /// A copy.
    fn clone_box(&self) -> Box<dyn AnyPass>;
}

impl<P: Pass> AnyPass for P {
    fn info(&self) -> PassInfo {
        P::INFO
    }

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Pass::options(self)
    }

    fn resolve(&mut self, cx: &Context, registry: &PassRegistry) -> Result<(), Diagnostic> {
        Pass::resolve(self, cx, registry)
    }

    fn initialize(&mut self, cx: &Context) -> Result<PassResult, String> {
        caught(|| Pass::initialize(self, cx))
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> Result<PassResult, String> {
        caught(|| Pass::run(self, cx))
    }

    fn clone_box(&self) -> Box<dyn AnyPass> {
        Box::new(self.clone())
    }
}

/// What a pass works with.
pub struct PassCx<'a> {
    /// The context.
    pub ctx: &'a Context,
    /// The operation to change, with all that is nested in it.
    pub ir: &'a mut Arena,
    /// Whether nothing is around the operation.
    pub is_outermost: bool,
    /// The symbols of the table around the operation, as they were before the passes on its members began.
    pub symbols: &'a SymbolSnapshot,
    /// Warnings, remarks and errors, in order.
    pub diags: Diagnostics,
    pub(super) text: String,
    pub(super) output: String,
    pub(super) executor: &'a Executor<'a>,
    pub(super) place: Place,
    pub(super) analyses: &'a mut AnalysisManager,
    pub(super) around: Around<'a>,
    pub(super) preserved: PreservedAnalyses,
    pub(super) report: &'a mut Report,
    /// Passes of dynamic pipelines that have failed.
    pub(super) failures: Vec<FailedPass>,
}

impl PassCx<'_> {
    /// A view of the operation.
    pub fn root(&self) -> OpRef<'_> {
        OpRef::root(self.ctx, self.ir)
    }

    /// A rewriter of the operation's arena.
    pub fn rewriter(&mut self) -> Rewriter<'_> {
        Rewriter::new(self.ctx, self.ir)
    }

    /// An analysis of the operation, kept from before where still valid.
    pub fn analysis<A: Analysis>(&mut self) -> Arc<A> {
        let analysis = self.analyses.get::<A>(self.ctx, self.ir);
        self.report_built(None);
        analysis
    }

    /// An analysis of the operation, if it is known.
    pub fn cached_analysis<A: Analysis>(&self) -> Option<Arc<A>> {
        self.analyses.cached()
    }

    /// An analysis of the isolated operation `child` nested in this arena, kept from before where still valid.
    ///
    /// # Panics
    /// When `child` is not isolated.
    pub fn child_analysis<A: Analysis>(&mut self, child: OpId) -> Arc<A> {
        let index = self.child_index(child);
        let ir = self.ir.child_of(child).expect("an isolated operation");
        let analysis = self.analyses.child(index).get::<A>(self.ctx, ir);
        self.report_built(Some(index));
        analysis
    }

    /// An analysis of an operation around this one, the closest that knows it. Those are never computed from inside, since
    /// others are at work there.
    pub fn cached_parent_analysis<A: Analysis>(&self) -> Option<Arc<A>> {
        self.around.find()
    }

    fn report_built(&mut self, child: Option<usize>) {
        let built = match child {
            Some(index) => self.analyses.child(index).take_built(),
            None => self.analyses.take_built(),
        };
        for (name, time) in built {
            self.report.add_child(&format!("(A) {name}"), time);
            self.executor.after_analysis(name, OpRef::root(self.ctx, self.ir));
        }
    }

    fn child_index(&self, op: OpId) -> usize {
        self.ir.child_index(op).expect("an isolated operation")
    }

    /// Says that analysis `A` is still valid, of this operation and of all nested in it. Without this the pass is taken to have
    /// invalidated it.
    pub fn preserve<A: Analysis>(&mut self) {
        self.preserved.add::<A>();
    }

    /// Says that nothing has been changed.
    pub fn preserve_all(&mut self) {
        self.preserved.add_all();
    }

    /// Runs a pipeline on `op`: this operation itself ([`Arena::ROOT`]), or an isolated operation nested in its arena. What it
    /// reports is among the diagnostics of this pass, and analyses are kept as in any nested pipeline.
    ///
    /// # Errors
    /// Where a pass of the pipeline has failed; its diagnostics have been emitted already.
    pub fn run_pipeline(&mut self, pipeline: &mut PassManager, op: OpId) -> PassResult {
        let child = (op != Arena::ROOT).then(|| self.child_index(op));
        self.executor.dynamic(self, pipeline, child)
    }

    /// Adds to a statistic, one of those that [`PassInfo::statistics`] names.
    pub fn count(&mut self, statistic: &'static str, add: u64) {
        self.report.count(statistic, add);
    }

    /// Reports a warning, a remark or an error. An error does not by itself fail the pass.
    pub fn emit(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    /// Prints something for the user that is no diagnostic, such as statistics. Tools show it when the pipeline has run, in program order
    /// whatever threads did.
    pub fn print(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The same for what belongs to the output itself, as parts of the program that the user has asked for: tools show it before what comes out at the
    /// end.
    pub fn put_out(&mut self, text: &str) {
        self.output.push_str(text);
    }

    /// Applies patterns greedily to all that is nested in the operation.
    ///
    /// # Errors
    /// Where patterns undo each other; they are named.
    pub fn rewrite_greedily(
        &mut self,
        patterns: &FrozenPatterns,
        config: &GreedyConfig,
    ) -> Result<GreedyResult, Diagnostics> {
        let result = apply_patterns_greedily_among(self.ctx, self.ir, patterns, config, self.symbols);
        if result.endless { Err(result.recurrence.error(self.root()).into()) } else { Ok(result) }
    }

    /// Converts what is nested in the operation as far as `target` asks for it.
    ///
    /// # Errors
    /// See [`apply_partial_conversion`].
    pub fn convert_partially(&mut self, target: &ConversionTarget, patterns: &FrozenConversionPatterns) -> PassResult {
        let config = ConversionConfig { symbols: Some(self.symbols), ..ConversionConfig::default() };
        apply_partial_conversion(self.ctx, self.ir, target, patterns, &config)
    }

    /// Converts all that is nested in the operation.
    ///
    /// # Errors
    /// See [`apply_full_conversion`].
    pub fn convert_fully(&mut self, target: &ConversionTarget, patterns: &FrozenConversionPatterns) -> PassResult {
        let config = ConversionConfig { symbols: Some(self.symbols), ..ConversionConfig::default() };
        apply_full_conversion(self.ctx, self.ir, target, patterns, &config)
    }
}
