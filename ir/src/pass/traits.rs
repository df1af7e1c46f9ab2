//! What a pass is, and what it gets to work with.

use std::any::TypeId;
use std::sync::Arc;

use super::analysis::{Analysis, AnalysisManager, Preserved};
use super::options::PassOptions;
use super::report::Report;
use crate::arena::Arena;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::rewrite::FrozenPatterns;
use crate::rewrite::conversion::{
    ConversionConfig, ConversionTarget, FrozenConversionPatterns, apply_full_conversion, apply_partial_conversion,
};
use crate::rewrite::greedy::{GreedyConfig, GreedyResult, apply_patterns_greedily};
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
    /// Name and meaning of what it counts.
    pub statistics: &'static [(&'static str, &'static str)],
}

impl PassInfo {
    /// A pass that runs on any isolated operation and counts nothing.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name, description, title: name, anchor: None, statistics: &[] }
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

    /// Called once, before a pipeline runs, when the options are set: the place to build pattern sets.
    fn initialize(&mut self, cx: &Context) -> PassResult {
        let _ = cx;
        Ok(())
    }

    /// Does the work.
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult;
}

/// A pass of any type.
pub trait AnyPass: Send + Sync {
    /// See [`Pass::INFO`].
    fn info(&self) -> PassInfo;
    /// See [`Pass::options`].
    fn options(&mut self) -> Option<&mut dyn PassOptions>;
    /// See [`Pass::initialize`].
    fn initialize(&mut self, cx: &Context) -> PassResult;
    /// See [`Pass::run`].
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult;
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

    fn initialize(&mut self, cx: &Context) -> PassResult {
        Pass::initialize(self, cx)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        Pass::run(self, cx)
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
    pub(super) analyses: &'a mut AnalysisManager,
    pub(super) preserved: Preserved,
    pub(super) report: &'a mut Report,
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
        let start = std::time::Instant::now();
        let (analysis, built) = self.analyses.get::<A>(self.ctx, self.ir);
        if built {
            let name = std::any::type_name::<A>();
            let name = name.rsplit("::").next().unwrap_or(name);
            self.report.add_child(&format!("(A) {name}"), start.elapsed());
        }
        analysis
    }

    /// Says that analysis `A` is still valid. Without this the pass is taken to have invalidated it.
    pub fn preserve<A: Analysis>(&mut self) {
        self.preserved.add(TypeId::of::<A>());
    }

    /// Says that nothing has been changed.
    pub fn preserve_all(&mut self) {
        self.preserved = Preserved::All;
    }

    /// Adds to a statistic, one of those that [`PassInfo::statistics`] names.
    pub fn count(&mut self, statistic: &'static str, add: u64) {
        self.report.count(statistic, add);
    }

    /// Reports a warning, a remark or an error. An error does not by itself fail the pass.
    pub fn emit(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
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
        let result = apply_patterns_greedily(self.ctx, self.ir, patterns, config);
        if result.cycle.is_empty() {
            return Ok(result);
        }
        let names = result.cycle.join("', '");
        Err(self.root().error(format_args!("rewriting does not converge: patterns '{names}' undo each other")).into())
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
