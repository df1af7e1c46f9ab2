//! Running a pipeline.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rayon::prelude::*;

use super::analysis::AnalysisManager;
use super::analysis::Preserved;
use super::instrument::{IrPrinting, text_of};
use super::manager::{Item, PassManager};
use super::report::Report;
use super::traits::{AnyPass, PassCx};
use crate::arena::Arena;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::entity::OpId;
use crate::opdef::Trait;
use crate::symbol::SymbolSnapshot;
use crate::text::PrintOptions;
use crate::view::OpRef;

/// How a pipeline is run.
pub struct RunOptions {
    /// Whether the IR is verified after each pass that changed it.
    pub verify: bool,
    /// Printing of IR on the way.
    pub printing: Option<IrPrinting>,
    /// Whether a failure gives a [reproducer](PassOutcome::reproducer).
    pub reproducer: bool,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { verify: true, printing: None, reproducer: false }
    }
}

/// What running a pipeline gave.
#[derive(Default, Debug)]
pub struct PassOutcome {
    /// What passes and the verifier reported, in program order.
    pub diagnostics: Diagnostics,
    /// Whether a pass or the verifier failed. The IR is then not to be used.
    pub failed: bool,
    /// Times and statistics.
    pub report: Report,
    /// After a failure, where asked for: a file that does it again.
    pub reproducer: Option<String>,
}

impl PassManager {
    /// Runs the pipeline on `ir`, the outermost operation.
    pub fn run(&mut self, cx: &Context, ir: &mut Arena, options: &RunOptions) -> PassOutcome {
        let mut outcome = PassOutcome::default();
        let root = OpRef::root(cx, ir);
        if !self.anchor().accepts(root.name()) {
            let message = format!("can't run '{}' pass manager on '{}' op", self.anchor().text(), root.name());
            outcome.diagnostics.push(Diagnostic::error(root.loc(), message));
            outcome.failed = true;
            return outcome;
        }
        let mut failed = false;
        self.for_each_pass(&mut |pass| {
            if let Err(errors) = pass.initialize(cx) {
                outcome.diagnostics.append(errors);
                failed = true;
            }
        });
        let input = options
            .reproducer
            .then(|| text_of(root, &PrintOptions { generic: true, debug_info: true, ..PrintOptions::default() }));
        if !failed {
            let symbols = SymbolSnapshot::default();
            let mut analyses = AnalysisManager::default();
            let executor = Executor { cx, options };
            let mut scope = Scope { is_nested: false, top: ir, path: Vec::new() };
            let ran = executor.pipeline(self, &mut scope, &mut analyses, &symbols, &mut outcome.report);
            outcome.diagnostics.append(ran.diagnostics);
            failed = ran.failed;
        }
        outcome.failed = failed;
        if failed && let Some(input) = input {
            outcome.reproducer = Some(reproducer(&self.text(), &input, cx.threading(), options.verify));
        }
        outcome
    }
}

/// The input with the pipeline that failed on it, as `--run-reproducer` takes it.
fn reproducer(pipeline: &str, input: &str, threading: bool, verify: bool) -> String {
    let pipeline = pipeline.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "{}\n\n{{-#\n  external_resources: {{\n    mlir_reproducer: {{\n      pipeline: \"{pipeline}\",\n      \
         disable_threading: {},\n      verify_each: {verify}\n    }}\n  }}\n#-}}\n",
        input.trim_end(),
        !threading
    )
}

/// The arena a pipeline runs on, within the outermost one: printing may need that too.
struct Scope<'a> {
    /// Whether something is around `top`.
    is_nested: bool,
    top: &'a mut Arena,
    /// Numbers of the children on the way down.
    path: Vec<usize>,
}

impl Scope<'_> {
    fn arena(&mut self) -> &mut Arena {
        let mut at = &mut *self.top;
        for &child in &self.path {
            at = at.children[child].as_deref_mut().expect("a nested operation that is being worked on");
        }
        at
    }

    fn arena_ref(&self) -> &Arena {
        let mut at = &*self.top;
        for &child in &self.path {
            at = at.children[child].as_deref().expect("a nested operation that is being worked on");
        }
        at
    }
}

#[derive(Default)]
struct Ran {
    diagnostics: Diagnostics,
    failed: bool,
}

/// A nested operation and which pipeline of a group is for it.
struct Target {
    stub: OpId,
    child: usize,
    pipeline: usize,
}

struct Executor<'a> {
    cx: &'a Context,
    options: &'a RunOptions,
}

impl Executor<'_> {
    fn pipeline(
        &self,
        pm: &mut PassManager,
        scope: &mut Scope<'_>,
        analyses: &mut AnalysisManager,
        symbols: &SymbolSnapshot,
        report: &mut Report,
    ) -> Ran {
        let mut ran = Ran::default();
        for item in &mut pm.items {
            let step = match item {
                Item::Pass(pass) => self.pass(pass.as_mut(), scope, analyses, symbols, report),
                Item::Nested(group) => self.nested(group, scope, analyses, symbols, report),
            };
            ran.diagnostics.append(step.diagnostics);
            if step.failed {
                ran.failed = true;
                break;
            }
        }
        ran
    }

    fn pass(
        &self,
        pass: &mut dyn AnyPass,
        scope: &mut Scope<'_>,
        analyses: &mut AnalysisManager,
        symbols: &SymbolSnapshot,
        report: &mut Report,
    ) -> Ran {
        let info = pass.info();
        let printing = self.options.printing.as_ref().filter(|printing| printing.is_active());
        let mut before = None;
        if let Some(printing) = printing {
            printing.before(self.cx, scope.top, scope.arena_ref(), &info);
            before = printing.fingerprint(self.cx, scope.arena_ref(), &info);
        }
        let report = report.push_pass(info.title, info.statistics);
        let span = tracing::info_span!("pass", name = info.name);
        let start = Instant::now();
        let mut cx = PassCx {
            ctx: self.cx,
            is_outermost: !scope.is_nested && scope.path.is_empty(),
            ir: scope.arena(),
            symbols,
            diags: Diagnostics::default(),
            analyses,
            preserved: Preserved::default(),
            report,
        };
        let result = span.in_scope(|| catch_unwind(AssertUnwindSafe(|| pass.run(&mut cx))));
        let PassCx { diags, preserved, .. } = cx;
        report.set_time(start.elapsed());
        let mut ran = Ran { diagnostics: diags, failed: false };
        let crashed = result.is_err();
        let result = result.unwrap_or_else(|payload| {
            let why = panic_message(payload.as_ref());
            let root = OpRef::root(self.cx, scope.arena_ref());
            Err(root.error(format_args!("pass '{}' crashed: {why}; this is a bug in the pass", info.name)).into())
        });
        if let Err(errors) = result {
            ran.diagnostics.append(errors);
            ran.failed = true;
        } else {
            let unchanged = matches!(preserved, Preserved::All);
            analyses.invalidate(&preserved);
            if self.options.verify
                && !unchanged
                && let Err(errors) = crate::verify::verify(self.cx, scope.arena_ref())
            {
                ran.diagnostics.append(errors);
                ran.failed = true;
            }
        }
        // What a crashed pass left behind may not even be printable.
        if let Some(printing) = printing
            && !crashed
        {
            printing.after(self.cx, scope.top, scope.arena_ref(), &info, before.as_deref(), ran.failed);
        }
        ran
    }

    /// Runs a group of pipelines on the isolated operations directly inside, each on those of its kind.
    fn nested(
        &self,
        group: &mut [PassManager],
        scope: &mut Scope<'_>,
        analyses: &mut AnalysisManager,
        symbols: &SymbolSnapshot,
        report: &mut Report,
    ) -> Ran {
        let parent = scope.arena_ref();
        let root = OpRef::root(self.cx, parent);
        let own = root.has_trait(&Trait::SymbolTable).then(|| SymbolSnapshot::of(root));
        let symbols = own.as_ref().unwrap_or(symbols);
        let mut targets = Vec::new();
        for op in root.regions().flat_map(|region| region.ops()) {
            // `any` takes only what no pipeline of its own is for.
            let exact = group.iter().position(|pm| pm.anchor().text() == op.name());
            let any = || group.iter().position(|pm| pm.anchor().accepts(op.name()));
            let Some(pipeline) = exact.or_else(any) else { continue };
            if op.is_stub() {
                let child = parent.op(op.id()).first_region as usize;
                targets.push(Target { stub: op.id(), child, pipeline });
            } else if exact.is_some() {
                let message = "trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'";
                return Ran { diagnostics: op.error(message).into(), failed: true };
            }
        }
        let start = Instant::now();
        let printing = self.options.printing.as_ref().is_some_and(IrPrinting::is_active);
        let parallel = self.cx.threading() && !printing && targets.len() > 1;
        let results = if parallel {
            self.in_parallel(group, scope, &targets, analyses, symbols)
        } else {
            self.in_order(group, scope, &targets, analyses, symbols)
        };
        let mut all = Ran::default();
        let mut reports: Vec<Report> =
            group.iter().map(|pm| Report::new(&format!("'{}' Pipeline", pm.anchor().text()))).collect();
        for (target, (ran, report)) in targets.iter().zip(results) {
            all.diagnostics.append(ran.diagnostics);
            all.failed |= ran.failed;
            reports[target.pipeline].merge(&report);
        }
        let elapsed = start.elapsed();
        let total: std::time::Duration = reports.iter_mut().map(|each| each.add_up_children()).sum();
        for mut each in reports {
            if parallel && !total.is_zero() {
                each.scale_wall(elapsed, total);
            }
            report.push(each);
        }
        all
    }

    /// All are worked on, also after one has failed: what is reported must not depend on threads.
    fn in_order(
        &self,
        group: &mut [PassManager],
        scope: &mut Scope<'_>,
        targets: &[Target],
        analyses: &mut AnalysisManager,
        symbols: &SymbolSnapshot,
    ) -> Vec<(Ran, Report)> {
        let run = |target: &Target| {
            let mut report = Report::default();
            let mut known = analyses.take_child(target.child);
            scope.path.push(target.child);
            let ran = self.pipeline(&mut group[target.pipeline], scope, &mut known, symbols, &mut report);
            scope.path.pop();
            analyses.set_child(target.child, known);
            (ran, report)
        };
        targets.iter().map(run).collect()
    }

    fn in_parallel(
        &self,
        group: &[PassManager],
        scope: &mut Scope<'_>,
        targets: &[Target],
        analyses: &mut AnalysisManager,
        symbols: &SymbolSnapshot,
    ) -> Vec<(Ran, Report)> {
        let stubs: Vec<OpId> = targets.iter().map(|target| target.stub).collect();
        let known: Vec<AnalysisManager> = targets.iter().map(|target| analyses.take_child(target.child)).collect();
        let arenas = scope.arena().children_of(&stubs);
        let jobs: Vec<_> = arenas.into_iter().zip(known).zip(targets).collect();
        let results: Vec<_> = jobs
            .into_par_iter()
            .map_init(
                || group.to_vec(),
                |group, ((arena, mut known), target)| {
                    let mut report = Report::default();
                    let mut scope = Scope { is_nested: true, top: arena, path: Vec::new() };
                    let ran = self.pipeline(&mut group[target.pipeline], &mut scope, &mut known, symbols, &mut report);
                    (ran, report, known)
                },
            )
            .collect();
        let put_back = |((ran, report, known), target): ((Ran, Report, AnalysisManager), &Target)| {
            analyses.set_child(target.child, known);
            (ran, report)
        };
        results.into_iter().zip(targets).map(put_back).collect()
    }
}

/// What a panic said.
fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown cause".to_owned())
}
