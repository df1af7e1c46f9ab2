//! Running a pipeline: what is asked for, and what it gives.

use super::analysis::{AnalysisManager, Around};
use super::executor::{Executor, Place, Scope};
use super::instrumentation::Instrumentation;
use super::manager::PassManager;
use super::printing::IrPrinting;
use super::report::Report;
use super::reproducer::{failure_report, reproducer_text};
use super::schedule::Schedule;
use crate::arena::Arena;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::location::Loc;
use crate::symbol::SymbolSnapshot;
use crate::view::OpRef;

/// Whether a failure gives a [reproducer](PassOutcome::reproducer).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Reproduce {
    /// No.
    #[default]
    No,
    /// Of the whole pipeline. Costs a printed copy of the input.
    Pipeline,
    /// Of the pass that failed alone. Costs a printed copy of the IR before each pass, and no threads must be at work.
    FailedPass,
}

/// How a pipeline is run.
pub struct RunOptions {
    /// Whether the IR is verified after each pass that changed it.
    pub verify: bool,
    /// Printing of IR on the way.
    pub printing: Option<IrPrinting>,
    /// Whether a failure gives a reproducer.
    pub reproduce: Reproduce,
    /// Who is told of passes and analyses.
    pub instrumentations: Vec<Box<dyn Instrumentation>>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { verify: true, printing: None, reproduce: Reproduce::No, instrumentations: Vec::new() }
    }
}

/// What running a pipeline gave.
#[derive(Default, Debug)]
pub struct PassOutcome {
    /// What passes and the verifier reported, in program order.
    pub diagnostics: Diagnostics,
    /// What passes have printed, in program order: see [`PassCx::print`](super::PassCx::print).
    pub text: String,
    /// What passes have put out, in program order: see [`PassCx::put_out`](super::PassCx::put_out).
    pub output: String,
    /// Whether a pass or the verifier failed. The IR is then not to be used.
    pub failed: bool,
    /// Whether a pass has panicked.
    pub crashed: bool,
    /// After a failure of passes, an error without a note that says which: `Pipeline failed while executing [...]`.
    pub failure: Option<Diagnostic>,
    /// Times and statistics.
    pub report: Report,
    /// After a failure, where asked for: a file that does it again.
    pub reproducer: Option<String>,
}

impl PassManager {
    /// Runs the pipeline on `ir`, the outermost operation.
    pub fn run(&mut self, cx: &Context, ir: &mut Arena, options: &RunOptions) -> PassOutcome {
        let root = OpRef::root(cx, ir);
        if let Err(faults) = self.check(cx, root, options) {
            return PassOutcome { diagnostics: faults, failed: true, ..PassOutcome::default() };
        }
        let loc = root.loc();
        let input =
            (options.reproduce == Reproduce::Pipeline).then(|| reproducer_text(cx, root, &self.text(), options));
        let mut outcome = PassOutcome::default();
        let schedule = match self.prepare(cx) {
            Ok(schedule) => schedule,
            Err(faults) => return PassOutcome { diagnostics: faults, failed: true, ..outcome },
        };
        let executor = Executor { cx, options };
        let mut scope = Scope { is_nested: false, place: Place::default(), top: ir, path: Vec::new() };
        let ran = executor.schedule(
            schedule,
            &mut scope,
            &mut AnalysisManager::default(),
            Around::default(),
            &SymbolSnapshot::default(),
            &mut outcome.report,
        );
        outcome.diagnostics = ran.diagnostics;
        outcome.text = ran.text;
        outcome.output = ran.output;
        outcome.failed = ran.failed;
        if let Some(first) = ran.failures.first() {
            outcome.crashed = ran.failures.iter().any(|failed| failed.crashed);
            outcome.failure = Some(failure_report(loc, &ran.failures, options.reproduce));
            outcome.reproducer = input.or_else(|| first.reproducer.clone());
        }
        outcome
    }

    /// What the pipeline comes to, its passes initialized.
    pub(super) fn prepare(&mut self, cx: &Context) -> Result<&mut Schedule, Diagnostics> {
        if self.schedule.is_none() {
            self.schedule = Some(Schedule::new(cx, self)?);
        }
        Ok(self.schedule.as_mut().expect("it was just made"))
    }

    /// Whether it can run like this, and on `root`.
    fn check(&self, cx: &Context, root: OpRef<'_>, options: &RunOptions) -> Result<(), Diagnostics> {
        let error = |loc, message: String| Err(Diagnostic::error(loc, message).into());
        if cx.threading() && options.printing.as_ref().is_some_and(|printing| printing.module_scope) {
            let message =
                "IR print for module scope can't be setup on a pass-manager without disabling multi-threading first.";
            return error(Loc::UNKNOWN, message.to_owned());
        }
        if cx.threading() && options.reproduce == Reproduce::FailedPass {
            let message = "Local crash reproduction may not be used without disabling mutli-threading first.";
            return error(Loc::UNKNOWN, message.to_owned());
        }
        if !self.anchor().accepts(root.name()) {
            let message = format!("can't run '{}' pass manager on '{}' op", self.anchor().text(), root.name());
            return error(root.loc(), message);
        }
        Ok(())
    }
}
