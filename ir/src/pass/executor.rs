//! The work of running a pipeline: passes in order, nested operations in parallel.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::analysis::{AnalysisManager, Around, PreservedAnalyses};
use super::manager::{Anchor, PassManager, text_of_pass};
use super::panics::caught;
use super::printing::IrPrinting;
use super::report::Report;
use super::reproducer::{nested_pipeline, reproducer_text};
use super::run::{Reproduce, RunOptions};
use super::schedule::{Schedule, Step, collection_name};
use super::traits::{AnyPass, PassCx, PassInfo, PassResult};
use crate::action::{self, ActionKind};
use crate::arena::Arena;
use crate::context::Context;
use crate::diagnostics::Diagnostics;
use crate::entity::OpId;
use crate::opdef::Trait;
use crate::parallel::evenly;
use crate::symbol::SymbolSnapshot;
use crate::view::OpRef;

/// What is around the outermost arena that can be reached: for each operation, outermost first, its number among the children
/// of the one before, its name and its symbol name.
#[derive(Clone, Default)]
pub(super) struct Place(pub(super) Vec<(usize, String, Option<String>)>);

/// The arena a pipeline runs on, within the outermost one that can be reached: printing may need that too.
pub(super) struct Scope<'a> {
    /// Whether something is around `top`.
    pub(super) is_nested: bool,
    /// Where `top` stands, itself included; nothing where nothing is around, or nothing is printed.
    pub(super) place: Place,
    pub(super) top: &'a mut Arena,
    /// Numbers of the children on the way down.
    pub(super) path: Vec<usize>,
}

impl Scope<'_> {
    fn arena(&mut self) -> &mut Arena {
        let mut at = &mut *self.top;
        for &child in &self.path {
            at = at.children[child].as_deref_mut().expect("a nested operation that is being worked on");
        }
        at
    }

    pub(super) fn arena_ref(&self) -> &Arena {
        self.on_the_way().last().expect("the outermost arena is always there")
    }

    /// The arenas from `top` to the one that is worked on.
    pub(super) fn on_the_way(&self) -> impl Iterator<Item = &Arena> {
        let mut at = Some(&*self.top);
        let mut path = self.path.iter();
        std::iter::from_fn(move || {
            let this = at?;
            at = path.next().and_then(|&child| this.children[child].as_deref());
            Some(this)
        })
    }

    fn is_outermost(&self) -> bool {
        !self.is_nested && self.path.is_empty()
    }
}

/// A pass that has failed.
pub(super) struct FailedPass {
    pub(super) pass: PassInfo,
    /// Name of the operation that it ran on.
    pub(super) op: String,
    pub(super) symbol: Option<String>,
    pub(super) crashed: bool,
    /// What does it again, with this pass alone; where asked for.
    pub(super) reproducer: Option<String>,
}

#[derive(Default)]
pub(super) struct Ran {
    pub(super) diagnostics: Diagnostics,
    /// What passes have printed, and what they have put out.
    pub(super) text: String,
    pub(super) output: String,
    pub(super) failed: bool,
    /// The passes that have failed, those that ran pipelines before the passes in these.
    pub(super) failures: Vec<FailedPass>,
}

impl Ran {
    fn append(&mut self, other: Self) {
        self.diagnostics.append(other.diagnostics);
        self.text.push_str(&other.text);
        self.output.push_str(&other.output);
        self.failed |= other.failed;
        self.failures.extend(other.failures);
    }
}

/// A nested operation and which schedule of a group is for it.
struct Target {
    stub: OpId,
    child: usize,
    schedule: usize,
}

/// Runs schedules.
pub(super) struct Executor<'a> {
    pub(super) cx: &'a Context,
    pub(super) options: &'a RunOptions,
}

impl Executor<'_> {
    pub(super) fn schedule(
        &self,
        schedule: &mut Schedule,
        scope: &mut Scope<'_>,
        analyses: &mut AnalysisManager,
        around: Around<'_>,
        symbols: &SymbolSnapshot,
        report: &mut Report,
    ) -> Ran {
        let mut ran = Ran::default();
        for step in &mut schedule.steps {
            ran.append(match step {
                Step::Pass(pass) => self.pass(pass.as_mut(), scope, analyses, around, symbols, report),
                Step::Nested(group) => self.nested(group, scope, analyses, around, symbols, report),
            });
            if ran.failed {
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
        around: Around<'_>,
        symbols: &SymbolSnapshot,
        report: &mut Report,
    ) -> Ran {
        let info = pass.info();
        let root = OpRef::root(self.cx, scope.arena_ref());
        if let Some(why) = cannot_run(&info, root) {
            return Ran { diagnostics: root.error(why).into(), failed: true, ..Ran::default() };
        }
        let span = tracing::info_span!("pass", name = info.name, op = root.name(), symbol = root.symbol_name());
        let _entered = span.enter();
        tracing::info!("run");
        let reproducer = (self.options.reproduce == Reproduce::FailedPass).then(|| self.reproducer(pass, scope));
        let printing = self.options.printing.as_ref().filter(|printing| printing.is_active());
        let mut before = None;
        if let Some(printing) = printing {
            printing.before(self.cx, scope, &info);
            before = printing.fingerprint(self.cx, scope.arena_ref(), &info);
        }
        for each in &self.options.instrumentations {
            each.before_pass(&info, OpRef::root(self.cx, scope.arena_ref()));
        }
        let report = report.push_pass(info.title, info.statistics);
        let start = Instant::now();
        let mut cx = PassCx {
            ctx: self.cx,
            is_outermost: scope.is_outermost(),
            executor: self,
            place: if printing.is_some() { place_of(self.cx, scope) } else { Place::default() },
            ir: scope.arena(),
            symbols,
            diags: Diagnostics::default(),
            text: String::new(),
            output: String::new(),
            analyses,
            around,
            preserved: PreservedAnalyses::default(),
            report,
            failures: Vec::new(),
        };
        let kind = ActionKind::Pass(info.title);
        let run = |cx: &mut PassCx<'_>| pass.run(cx);
        let taken = action::take(self.cx, kind, &mut cx, |cx, pass| OpRef::root(cx, pass.ir), run);
        let result = taken.unwrap_or_else(|| {
            cx.preserve_all();
            Ok(Ok(()))
        });
        let PassCx { diags, text, output, preserved, failures, .. } = cx;
        report.set_time(start.elapsed());
        let mut ran = Ran { diagnostics: diags, text, output, ..Ran::default() };
        let result = result.and_then(|result| {
            if result.is_ok() {
                analyses.invalidate(&preserved);
                if self.options.verify && !preserved.is_all() {
                    return caught(|| self.verify(scope.arena_ref()));
                }
            }
            Ok(result)
        });
        let crashed = result.is_err();
        let result = result.unwrap_or_else(|why| {
            let root = OpRef::root(self.cx, scope.arena_ref());
            Err(root.error(format_args!("pass '{}' crashed: {why}; this is a bug in the pass", info.name)).into())
        });
        if let Err(errors) = result {
            ran.diagnostics.append(errors);
            ran.failed = true;
        }
        if ran.failed {
            let root = OpRef::root(self.cx, scope.arena_ref());
            let (op, symbol) = (root.name().to_owned(), root.symbol_name().map(str::to_owned));
            ran.failures.push(FailedPass { pass: info, op, symbol, crashed, reproducer });
            ran.failures.extend(failures);
        }
        // What a crashed pass left behind may not even be printable.
        if !crashed {
            if let Some(printing) = printing {
                printing.after(self.cx, scope, &info, before, ran.failed);
            }
            for each in self.options.instrumentations.iter().rev() {
                each.after_pass(&info, OpRef::root(self.cx, scope.arena_ref()), !ran.failed);
            }
        }
        ran
    }

    fn verify(&self, ir: &Arena) -> Result<(), Diagnostics> {
        let _span = tracing::debug_span!("verify").entered();
        crate::verify::verify_with(self.cx, ir, self.cx.threading())
    }

    /// What runs this pass alone on the IR as it is now.
    fn reproducer(&self, pass: &dyn AnyPass, scope: &Scope<'_>) -> String {
        let names = scope.on_the_way().map(|ir| OpRef::root(self.cx, ir).name());
        let pipeline = nested_pipeline(names, &text_of_pass(pass));
        reproducer_text(self.cx, OpRef::root(self.cx, scope.top), &pipeline, self.options)
    }

    pub(super) fn after_analysis(&self, name: &'static str, op: OpRef<'_>) {
        for each in &self.options.instrumentations {
            each.after_analysis(name, op);
        }
    }

    /// Runs a pipeline that a pass asks for on its own operation or on one nested in it.
    pub(super) fn dynamic(&self, cx: &mut PassCx<'_>, pipeline: &mut PassManager, child: Option<usize>) -> PassResult {
        let anchor = pipeline.anchor().clone();
        let schedule = pipeline.prepare(self.cx)?;
        let is_nested = !cx.is_outermost;
        let mut scope = Scope { is_nested, place: cx.place.clone(), top: &mut *cx.ir, path: Vec::from_iter(child) };
        let root = OpRef::root(self.cx, scope.arena_ref());
        if !anchor.accepts(root.name()) {
            let message = format_args!("can't run '{}' pass manager on '{}' op", anchor.text(), root.name());
            return Err(root.error(message).into());
        }
        let mut report = Report::default();
        let start = Instant::now();
        let ran = match child {
            None => self.schedule(schedule, &mut scope, cx.analyses, cx.around, cx.symbols, &mut report),
            Some(index) => {
                let parent = OpRef::root(self.cx, scope.top);
                let own = parent.has_trait(&Trait::SymbolTable).then(|| SymbolSnapshot::of(parent));
                let mut known = cx.analyses.take_child(index);
                let around = cx.analyses.around(&cx.around);
                let symbols = own.as_ref().unwrap_or(cx.symbols);
                let ran = self.schedule(schedule, &mut scope, &mut known, around, symbols, &mut report);
                cx.analyses.set_child(index, known);
                ran
            }
        };
        // Runs on several operations add up, as those of a nested pipeline do.
        let all = cx.report.child(&pipeline_name(&anchor));
        all.merge(&report);
        all.add_time(start.elapsed());
        cx.diags.append(ran.diagnostics);
        cx.text.push_str(&ran.text);
        cx.output.push_str(&ran.output);
        cx.failures.extend(ran.failures);
        if ran.failed { Err(Diagnostics::default()) } else { Ok(()) }
    }

    /// Runs a group of schedules on the isolated operations directly inside, each on those of its kind.
    fn nested(
        &self,
        group: &mut [Schedule],
        scope: &mut Scope<'_>,
        analyses: &mut AnalysisManager,
        around: Around<'_>,
        symbols: &SymbolSnapshot,
        report: &mut Report,
    ) -> Ran {
        let parent = scope.arena_ref();
        let root = OpRef::root(self.cx, parent);
        let own = root.has_trait(&Trait::SymbolTable).then(|| SymbolSnapshot::of(root));
        let symbols = own.as_ref().unwrap_or(symbols);
        let mut targets = Vec::new();
        for op in root.regions().flat_map(|region| region.ops()) {
            let exact = group.iter().position(|schedule| schedule.anchor.text() == op.name());
            let any = || group.iter().position(|schedule| schedule.anchor == Anchor::Any && schedule.takes(op.info()));
            let Some(schedule) = exact.or_else(any) else { continue };
            if let Some(child) = parent.child_index(op.id()) {
                targets.push(Target { stub: op.id(), child, schedule });
            } else if exact.is_some() {
                let message = "trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'";
                return Ran { diagnostics: op.error(message).into(), failed: true, ..Ran::default() };
            }
        }
        let start = Instant::now();
        let printing = self.options.printing.as_ref().is_some_and(IrPrinting::is_active);
        let parallel = self.cx.threading() && !printing && targets.len() > 1;
        let results = if parallel {
            self.in_parallel(group, scope, &targets, analyses, around, symbols)
        } else {
            self.in_order(group, scope, &targets, analyses, around, symbols)
        };
        let mut all = Ran::default();
        let mut reports: Vec<Report> =
            group.iter().map(|schedule| Report::new(&pipeline_name(&schedule.anchor))).collect();
        for (target, (ran, report)) in targets.iter().zip(results) {
            all.append(ran);
            reports[target.schedule].merge(&report);
        }
        let elapsed = start.elapsed();
        let total: Duration = reports.iter_mut().map(Report::add_up_children).sum();
        if parallel && !total.is_zero() {
            reports.iter_mut().for_each(|each| each.scale_wall(elapsed, total));
        }
        if group.len() > 1 {
            let mut collection = Report::new(&collection_name(group));
            reports.into_iter().for_each(|each| collection.push(each));
            collection.add_up_children();
            report.push(collection);
        } else {
            reports.into_iter().for_each(|each| report.push(each));
        }
        all
    }

    /// All are worked on, also after one has failed: what is reported must not depend on threads.
    fn in_order(
        &self,
        group: &mut [Schedule],
        scope: &mut Scope<'_>,
        targets: &[Target],
        analyses: &mut AnalysisManager,
        around: Around<'_>,
        symbols: &SymbolSnapshot,
    ) -> Vec<(Ran, Report)> {
        let run = |target: &Target| {
            let mut report = Report::default();
            let mut known = analyses.take_child(target.child);
            scope.path.push(target.child);
            let inner = analyses.around(&around);
            let ran = self.schedule(&mut group[target.schedule], scope, &mut known, inner, symbols, &mut report);
            scope.path.pop();
            analyses.set_child(target.child, known);
            (ran, report)
        };
        targets.iter().map(run).collect()
    }

    fn in_parallel(
        &self,
        group: &[Schedule],
        scope: &mut Scope<'_>,
        targets: &[Target],
        analyses: &mut AnalysisManager,
        around: Around<'_>,
        symbols: &SymbolSnapshot,
    ) -> Vec<(Ran, Report)> {
        let stubs: Vec<OpId> = targets.iter().map(|target| target.stub).collect();
        let known: Vec<AnalysisManager> = targets.iter().map(|target| analyses.take_child(target.child)).collect();
        let arenas = scope.arena().children_of(&stubs);
        let jobs: Vec<_> = arenas.into_iter().zip(known).zip(targets).collect();
        let span = tracing::Span::current();
        let inner = analyses.around(&around);
        let results: Vec<_> = evenly(jobs.into_par_iter())
            .map_init(
                || group.to_vec(),
                |group, ((arena, mut known), target)| {
                    let _entered = span.enter();
                    let mut report = Report::default();
                    let mut scope = Scope { is_nested: true, place: Place::default(), top: arena, path: Vec::new() };
                    let schedule = &mut group[target.schedule];
                    let ran = self.schedule(schedule, &mut scope, &mut known, inner, symbols, &mut report);
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

/// Why a pass cannot run on an operation, if so.
fn cannot_run(pass: &PassInfo, op: OpRef<'_>) -> Option<String> {
    if !op.info().is_registered() {
        Some("trying to schedule a pass on an unregistered operation".to_owned())
    } else if !op.has_trait(&Trait::IsolatedFromAbove) {
        Some("trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'".to_owned())
    } else if !pass.takes(op.info()) {
        Some(format!("trying to schedule pass '{}' on an unsupported operation", pass.title))
    } else {
        None
    }
}

/// Where the arena that is worked on stands, itself included.
pub(super) fn place_of(cx: &Context, scope: &Scope<'_>) -> Place {
    let mut place = scope.place.clone();
    let numbers = std::iter::once(0).chain(scope.path.iter().copied());
    let known = usize::from(!place.0.is_empty());
    place.0.extend(scope.on_the_way().zip(numbers).skip(known).map(|(ir, number)| {
        let op = OpRef::root(cx, ir);
        (number, op.name().to_owned(), op.symbol_name().map(str::to_owned))
    }));
    place
}

fn pipeline_name(anchor: &Anchor) -> String {
    format!("'{}' Pipeline", anchor.text())
}
