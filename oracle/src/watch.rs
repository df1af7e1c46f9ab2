//! Around each pass of a pipeline.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use dl_ir::interfaces::FunctionOp;
use dl_ir::pass::{Instrumentation, PassInfo, fingerprint};
use dl_ir::text::print_op;
use dl_ir::{AttrRef, Loc, OpRef, walk};
use rustc_hash::FxHashMap;

use crate::observe::{Observation, observe};
use crate::refine::{Closeness, Verdict, compare};
use crate::signature::{Signature, given};

/// Operations of the largest module that is looked at.
const MOST_OPS: usize = 100_000;

/// A pass that changes what a function does.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The pass, as it is called in pipelines.
    pub pass: &'static str,
    /// How many passes had begun before it, on any operation.
    pub nth: usize,
    /// The name of the function.
    pub function: String,
    /// Where the function is.
    pub loc: Loc,
    /// The number of the run that shows it.
    pub run: u64,
    /// What the function is given in that run.
    pub given: Vec<String>,
    /// How the runs differ.
    pub why: String,
    /// The function before and after the pass.
    pub texts: [String; 2],
}

impl fmt::Display for Mismatch {
    /// Without the texts of the function.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = self.given.join(", ");
        write!(f, "pass '{}' changes what '{}' does: given ({given}), {}", self.pass, self.function, self.why)
    }
}

/// How many runs of functions that a pass changed could be compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// They were defined before, and the same after.
    pub same: u64,
    /// They were undefined before.
    pub free: u64,
    /// It is not known what happens, before or after.
    pub unknown: u64,
}

/// How much was judged.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    /// By pass.
    pub passes: BTreeMap<&'static str, Tally>,
    /// For each reason why runs could not be compared, how many.
    pub unknown: BTreeMap<String, u64>,
}

impl Summary {
    /// Adds what another one says.
    pub fn add(&mut self, other: Self) {
        for (pass, tally) in other.passes {
            let sum = self.passes.entry(pass).or_default();
            sum.same += tally.same;
            sum.free += tally.free;
            sum.unknown += tally.unknown;
        }
        for (why, times) in other.unknown {
            *self.unknown.entry(why).or_default() += times;
        }
    }
}

/// Runs the public functions of what a pass works on, before and after it. Give the pass manager one copy, keep the other, and ask it in the
/// end. Costs many times what the passes do.
#[derive(Clone)]
pub struct Oracle {
    inputs: u64,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Passes that have begun, by thread, innermost last.
    begun: FxHashMap<ThreadId, Vec<Begun>>,
    /// How many passes have begun.
    passes: usize,
    mismatches: Vec<Mismatch>,
    summary: Summary,
}

/// What a pass has begun to work on: its fingerprint, and the functions in it.
struct Begun {
    nth: usize,
    fingerprint: u64,
    functions: Vec<Before>,
}

/// A function before a pass.
struct Before {
    name: String,
    text: String,
    signature: Signature,
    closeness: Closeness,
    runs: Vec<Observation>,
}

impl Oracle {
    /// One that tries so many inputs for each function.
    pub fn new(inputs: u64) -> Self {
        Self { inputs, state: Arc::default() }
    }

    /// What was found, in the order of passes; that of functions within a pass that runs on several at once is not determined.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        self.lock().mismatches.clone()
    }

    /// How much was judged.
    pub fn summary(&self) -> Summary {
        self.lock().summary.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn runs(&self, root: OpRef<'_>, function: OpRef<'_>, signature: &Signature) -> Vec<Observation> {
        (0..self.inputs).map(|run| observe(root, function, signature, run)).collect()
    }

    fn before(&self, root: OpRef<'_>, function: OpRef<'_>) -> Before {
        let signature = Signature::before_pass(root, function);
        Before {
            name: function.symbol_name().unwrap_or_default().to_owned(),
            text: text(function),
            closeness: Closeness::of(root),
            runs: self.runs(root, function, &signature),
            signature,
        }
    }

    /// Compares a function with what is left of it.
    fn judge(&self, pass: &PassInfo, nth: usize, root: OpRef<'_>, before: &Before, after: Option<OpRef<'_>>) {
        let wrong = |function: OpRef<'_>, run, why, text| Mismatch {
            pass: pass.name,
            nth,
            function: before.name.clone(),
            loc: function.loc(),
            run,
            given: given(function.cx(), &before.signature, run),
            why,
            texts: [before.text.clone(), text],
        };
        let Some(after) = after else {
            let found = wrong(root, 0, "the function is gone".to_owned(), String::new());
            self.lock().mismatches.push(found);
            return;
        };
        let runs = self.runs(root, after, &before.signature);
        let state = &mut *self.lock();
        for (run, (first, second)) in before.runs.iter().zip(&runs).enumerate() {
            let tally = state.summary.passes.entry(pass.name).or_default();
            match compare(first, second, before.closeness) {
                Verdict::Same => tally.same += 1,
                Verdict::Free => tally.free += 1,
                Verdict::Unknown(why) => {
                    tally.unknown += 1;
                    *state.summary.unknown.entry(why).or_default() += 1;
                }
                Verdict::Differs(why) => {
                    state.mismatches.push(wrong(after, run as u64, why, text(after)));
                    return;
                }
            }
        }
    }
}

impl Instrumentation for Oracle {
    fn before_pass(&self, _: &PassInfo, op: OpRef<'_>) {
        let small = walk::pre_order(op).take(MOST_OPS + 1).count() <= MOST_OPS;
        let functions = if small { public_functions(op) } else { Vec::new() };
        // Nobody knows what is behind a pointer.
        let takes_pointer = |function: &OpRef<'_>| {
            let args = Signature::of(*function).args;
            args.iter().any(|&ty| dl_llvm::types::is_ptr(function.cx().ty(ty)))
        };
        let functions = functions
            .into_iter()
            .filter(|function| !takes_pointer(function))
            .map(|function| self.before(op, function))
            .collect();
        let fingerprint = fingerprint(op);
        let state = &mut *self.lock();
        let begun = Begun { nth: state.passes, fingerprint, functions };
        state.passes += 1;
        state.begun.entry(thread::current().id()).or_default().push(begun);
    }

    fn after_pass(&self, pass: &PassInfo, op: OpRef<'_>, succeeded: bool) {
        let begun = self.lock().begun.get_mut(&thread::current().id()).and_then(Vec::pop);
        // What a function does depends on those that it calls, so all are run if anything has changed.
        let Some(begun) = begun.filter(|begun| succeeded && begun.fingerprint != fingerprint(op)) else { return };
        let functions = public_functions(op);
        for before in &begun.functions {
            let after = functions.iter().copied().find(|after| after.symbol_name() == Some(&before.name));
            self.judge(pass, begun.nth, op, before, after);
        }
    }
}

/// `root`, if it is a function, or those that stand in it, with a body, that anyone may call.
pub fn public_functions(root: OpRef<'_>) -> Vec<OpRef<'_>> {
    let is_one = |op: &OpRef<'_>| {
        let function = op.interface::<dyn FunctionOp>();
        let public = op.attr(dl_ir::symbol::VISIBILITY).and_then(AttrRef::as_str).is_none_or(|kind| kind == "public");
        public && function.is_some_and(|function| !function.is_declaration(*op))
    };
    if root.interface::<dyn FunctionOp>().is_some() {
        return Some(root).filter(is_one).into_iter().collect();
    }
    root.regions().flat_map(|region| region.ops().collect::<Vec<_>>()).map(OpRef::body).filter(is_one).collect()
}

fn text(function: OpRef<'_>) -> String {
    let mut text = Vec::new();
    // Memory can be written to.
    let _ = print_op(function, &Default::default(), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
