//! `--oracle`: what the program does before and after each pass, compared.

use std::sync::{Arc, Mutex, PoisonError};

use dl_ir::action::{Action, ActionHandler, ActionKind};
use dl_ir::location::Source;
use dl_ir::pass::RunOptions;
use dl_ir::{Diagnostic, Diagnostics};
use dl_oracle::{Mismatch, Oracle};

use super::run::Tool;

/// What is to be named when something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guilty {
    /// The pass.
    Pass,
    /// The pass and, where it applies patterns, the first one without which all would be well.
    Rewrite,
}

/// On how many inputs functions run.
const INPUTS: u64 = 16;

/// Watches a run. The options get a copy that is told of passes.
pub(super) fn attach(options: &mut RunOptions) -> Oracle {
    let oracle = Oracle::new(INPUTS);
    options.instrumentations.push(Box::new(oracle.clone()));
    oracle
}

/// What the oracle has found, as errors.
pub(super) fn report(oracle: &Oracle, tool: &Tool<'_>, source: &Source) -> Diagnostics {
    let mut errors = Diagnostics::default();
    for found in oracle.mismatches() {
        let mut error = Diagnostic::error(found.loc, found.to_string());
        if tool.options.oracle == Some(Guilty::Rewrite) {
            error = error.note(found.loc, guilty_rewrite(tool, source, &found));
        }
        let [before, after] = &found.texts;
        errors.push(error.note(found.loc, format!("before:\n{before}")).note(found.loc, format!("after:\n{after}")));
    }
    errors
}

/// Runs all again, with fewer and fewer patterns of the guilty pass.
fn guilty_rewrite(tool: &Tool<'_>, source: &Source, found: &Mismatch) -> String {
    let trial = |limit: usize| Trial::run(tool, source, found, limit);
    let Some(all) = trial(usize::MAX).filter(|all| all.wrong && all.tried > 0) else {
        return "it is not a pattern that does it".to_owned();
    };
    if trial(0).is_none_or(|none| none.wrong) {
        return "it happens without any pattern: by a fold, or by what the pass itself does".to_owned();
    }
    // All is well after `good` patterns and wrong after `bad`.
    let (mut good, mut bad, mut last) = (0, all.tried, all);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        match trial(middle) {
            Some(some) if some.wrong => (bad, last) = (middle, some),
            _ => good = middle,
        }
    }
    format!("it is well until pattern '{}' is applied to '{}'", last.pattern, last.operation)
}

/// A run in which the guilty pass may try some patterns only.
#[derive(Clone, Default)]
struct Trial {
    nth: usize,
    limit: usize,
    /// How many passes have begun.
    passes: usize,
    /// How many patterns the guilty pass has tried.
    tried: usize,
    /// The last of them, and on which operation.
    pattern: &'static str,
    operation: String,
    /// Whether something is wrong in the end.
    wrong: bool,
}

impl Trial {
    /// `None` if it does not come to the end of the guilty pass.
    fn run(tool: &Tool<'_>, source: &Source, found: &Mismatch, limit: usize) -> Option<Self> {
        let shared = Arc::new(Mutex::new(Self { nth: found.nth, limit, ..Self::default() }));
        let mut cx = tool.registry.context();
        cx.allow_unregistered(tool.options.allow_unregistered);
        cx.set_threading(false);
        cx.set_action_handler(Box::new(Limit(Arc::clone(&shared))));
        let source = cx.add_source(source.name(), source.text());
        let mut module = tool.parse(&cx, &source).ok()?.module;
        let mut pipeline = tool.pipeline(&cx).ok()?;
        let mut options = RunOptions { verify: false, ..RunOptions::default() };
        let oracle = attach(&mut options);
        let failed = pipeline.run(&cx, &mut module, &options).failed;
        let mut trial = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
        trial.wrong = oracle.mismatches().iter().any(|other| other.nth == found.nth);
        (!failed || trial.passes > found.nth + 1).then_some(trial)
    }
}

struct Limit(Arc<Mutex<Trial>>);

impl ActionHandler for Limit {
    fn begin(&self, action: &Action<'_>) -> Option<u64> {
        let trial = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match action.kind {
            ActionKind::Pass(_) => trial.passes += 1,
            ActionKind::Pattern(name) if trial.passes == trial.nth + 1 => {
                if trial.tried >= trial.limit {
                    return None;
                }
                trial.tried += 1;
                trial.pattern = name;
                trial.operation = action.op.name().to_owned();
            }
            _ => {}
        }
        Some(0)
    }

    fn end(&self, _: ActionKind, _: u64) {}
}
