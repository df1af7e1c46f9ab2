//! The judge of rewrites: every fold and every canonicalization pattern leaves what a program does as it was.
//!
//! A function is rewritten one fold or pattern at a time, as the greedy driver does it. Before and after each step the reference
//! interpreter runs the function on the same generated inputs, and the runs are compared ([`dl_oracle`]).
//! At last `canonicalize` and `cse` run on the function as it was, and are compared with it too.
//!
//! So a wrong rewrite is named, with the function before and after it. What the interpreter cannot run is counted, by its reason.

mod explore;
mod rewrites;

use dl_ir::effects::effects_of;
use dl_ir::opdef::Effects;
use dl_ir::pass::{Anchor, PassManager, RunOptions};
use dl_ir::rewrite::FrozenPatterns;
use dl_ir::symbol::SymbolSnapshot;
use dl_ir::text::print_op;
use dl_ir::{Arena, Context, OpId, OpRef, clone_arena, walk};
use dl_oracle::{Closeness, Ending, Observation, Signature, Verdict, compare, observe};
use indexmap::IndexMap;

pub use self::explore::{DIALECTS, Explorer, registered};
use self::rewrites::Order;
pub use self::rewrites::Rewrite;

/// Operations of the largest function that is looked at.
const MOST_OPS: usize = 300;

/// Most rewrites of one function.
const MOST_REWRITES: usize = 200;

/// What was found out.
#[derive(Default, Debug)]
pub struct Report {
    /// For each kind of rewrite, on how many inputs functions did the same before and after.
    pub judged: IndexMap<Rewrite, usize>,
    /// For each reason why a rewrite was not judged on an input, how often.
    pub unknown: IndexMap<String, usize>,
    /// What is wrong.
    pub wrong: Vec<Wrong>,
}

impl Report {
    /// Whether there was an input on which `rewrite` left what a function does as it was. A pattern under `*` may be of any operation.
    pub fn has_judged(&self, rewrite: &Rewrite) -> bool {
        self.judged.iter().filter(|&(_, &times)| times > 0).any(|(done, _)| match (done, rewrite) {
            (Rewrite::Pattern(a, _), Rewrite::Pattern(b, any)) if any == "*" => a == b,
            _ => done == rewrite,
        })
    }

    /// Adds what another one says.
    pub fn add(&mut self, other: Self) {
        for (rewrite, times) in other.judged {
            *self.judged.entry(rewrite).or_default() += times;
        }
        for (why, times) in other.unknown {
            *self.unknown.entry(why).or_default() += times;
        }
        self.wrong.extend(other.wrong);
    }
}

/// A rewrite that changes what a function does.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The rewrite; `None` for `canonicalize` and `cse` as a whole.
    pub rewrite: Option<Rewrite>,
    /// How the two functions differ, and what they are.
    pub details: String,
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.rewrite {
            Some(rewrite) => write!(f, "{rewrite}: {}", self.details),
            None => write!(f, "canonicalize and cse: {}", self.details),
        }
    }
}

/// Runs functions before and after rewrites.
pub struct Judge<'c> {
    cx: &'c Context,
    patterns: FrozenPatterns,
    /// How many inputs each function runs on.
    inputs: u64,
    /// What was found out.
    pub report: Report,
}

impl<'c> Judge<'c> {
    /// One that knows the patterns of all operations of `cx`, and tries so many inputs.
    pub fn new(cx: &'c Context, inputs: u64) -> Self {
        let patterns = dl_passes::transforms::canonicalization_patterns(cx).freeze();
        Self { cx, patterns, inputs, report: Report::default() }
    }

    /// Judges what can be rewritten in the functions of `module`, which is verified. In the end it is rewritten.
    pub fn check(&mut self, module: &mut Arena) {
        let original = clone_arena(self.cx, module);
        let functions = functions(self.cx, module);
        let mut first = Vec::new();
        for &function in &functions {
            first.push(self.check_function(module, function, Order::Greedy));
        }
        self.check_pipeline(original, &functions, &first);
    }

    /// As [`check`](Self::check), but from the last operation to the first one, patterns of low benefit before others, and folds last.
    pub fn check_backwards(&mut self, module: &mut Arena) {
        for function in functions(self.cx, module) {
            self.check_function(module, function, Order::Backwards);
        }
    }

    /// The runs of the function before any rewrite, if it was rewritten.
    fn check_function(&mut self, module: &mut Arena, function: OpId, order: Order) -> Option<Vec<Observation>> {
        let view = OpRef::new(self.cx, module, function);
        if walk::pre_order(view).take(MOST_OPS + 1).count() > MOST_OPS {
            self.count_unknown("a function of many operations".to_owned());
            return None;
        }
        if may_outdate_tensors(view) {
            self.count_unknown("a tensor that stands for a buffer, which may be written to meanwhile".to_owned());
            return None;
        }
        let close = Closeness::of(view);
        let symbols = SymbolSnapshot::of(OpRef::root(self.cx, module));
        let written = Signature::of(view.body()).written;
        let (mut first, mut before) = (None, self.observe(module, function, written));
        // A function that no input runs to an end cannot be judged. It is rewritten all the same: patterns must not panic.
        let hopeless = before.iter().all(|run| matches!(run.ending, Ending::Unknown(_)));
        if hopeless {
            self.compare(None, &before, &before, close);
        }
        let (mut rewrites, mut text) = (0, self.text(module, function));
        loop {
            let start = rewrites;
            for path in arenas(module, function) {
                let Some(arena) = at_path(module, &path) else { continue };
                let mut ops = walk::ops_in_arena(arena, Arena::ROOT).split_off(1);
                if order == Order::Backwards {
                    ops.reverse();
                }
                for op in ops {
                    while rewrites < MOST_REWRITES {
                        let Some(arena) = at_path(module, &path) else { break };
                        let rewrite = rewrites::apply(self.cx, arena, op, &self.patterns, &symbols, order);
                        let Some(rewrite) = rewrite else { break };
                        rewrites += 1;
                        if hopeless {
                            continue;
                        }
                        let after = self.observe(module, function, written);
                        let (last_text, wrong) = (text, self.compare(Some(&rewrite), &before, &after, close));
                        text = self.text(module, function);
                        if let Some(why) = wrong {
                            let details = format!("{why}\nbefore:\n{last_text}\nafter:\n{text}");
                            self.report.wrong.push(Wrong { rewrite: Some(rewrite), details });
                            return None;
                        }
                        let last = std::mem::replace(&mut before, after);
                        first.get_or_insert(last);
                    }
                }
            }
            if rewrites == start || rewrites >= MOST_REWRITES {
                return first;
            }
        }
    }

    /// `canonicalize` and `cse` on the functions as they were.
    fn check_pipeline(&mut self, original: Arena, functions: &[OpId], first: &[Option<Vec<Observation>>]) {
        let mut module = original;
        // Copies have ids of their own.
        let copies = self::functions(self.cx, &module);
        let before: Vec<String> = copies.iter().map(|&function| self.text(&module, function)).collect();
        let view = |&function: &OpId| OpRef::new(self.cx, &module, function);
        let closeness: Vec<Closeness> = copies.iter().map(|function| Closeness::of(view(function))).collect();
        let written: Vec<bool> = copies.iter().map(|function| Signature::of(view(function).body()).written).collect();
        let mut passes = PassManager::new(Anchor::new("builtin.module"));
        passes.add(dl_passes::transforms::Canonicalize::default());
        passes.add(dl_passes::transforms::Cse);
        let outcome = passes.run(self.cx, &mut module, &RunOptions { verify: false, ..RunOptions::default() });
        let now = self::functions(self.cx, &module);
        if outcome.failed || copies.len() != functions.len() || now.len() != copies.len() {
            return;
        }
        for (at, runs) in first.iter().enumerate() {
            let Some(runs) = runs else { continue };
            let after = self.observe(&module, now[at], written[at]);
            if let Some(why) = self.compare(None, runs, &after, closeness[at]) {
                let after = self.text(&module, now[at]);
                let details = format!("{why}\nbefore:\n{}\nafter:\n{after}", before[at]);
                self.report.wrong.push(Wrong { rewrite: None, details });
            }
        }
    }

    /// What `function` does; `written` says whether what is unknown may write to memory, as in the function that it was at first.
    fn observe(&self, module: &Arena, function: OpId, written: bool) -> Vec<Observation> {
        let root = OpRef::root(self.cx, module);
        let function = OpRef::new(self.cx, module, function).body();
        let signature = Signature { written, ..Signature::of(function) };
        (0..self.inputs).map(|run| observe(root, function, &signature, run)).collect()
    }

    /// Counts what is the same and what is unknown; the first difference.
    fn compare(
        &mut self,
        rewrite: Option<&Rewrite>,
        before: &[Observation],
        after: &[Observation],
        close: Closeness,
    ) -> Option<String> {
        let mut same = 0;
        for (input, (before, after)) in before.iter().zip(after).enumerate() {
            match compare(before, after, close) {
                Verdict::Same => same += 1,
                Verdict::Free => {}
                Verdict::Unknown(why) => self.count_unknown(why),
                Verdict::Differs(why) => return Some(format!("on input {input}, {why}")),
            }
        }
        if let Some(rewrite) = rewrite {
            *self.report.judged.entry(rewrite.clone()).or_default() += same;
        }
        None
    }

    fn count_unknown(&mut self, why: String) {
        *self.report.unknown.entry(why).or_default() += 1;
    }

    fn text(&self, module: &Arena, function: OpId) -> String {
        let mut text = Vec::new();
        // Memory can be written to.
        let _ = print_op(OpRef::new(self.cx, module, function), &Default::default(), &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// Whether a buffer may change while a tensor stands for it: then it is open which of its states the tensor has.
fn may_outdate_tensors(function: OpRef<'_>) -> bool {
    let may_write = |op: OpRef<'_>| effects_of(op).is_none_or(|effects| effects.contains(Effects::WRITE));
    let inner = || walk::pre_order(function).skip(1);
    inner().any(|op| op.name() == "bufferization.to_tensor") && inner().any(|op| op.num_regions() == 0 && may_write(op))
}

/// The functions with a body that stand directly in `module`.
fn functions(cx: &Context, module: &Arena) -> Vec<OpId> {
    let ops = OpRef::root(cx, module).regions().flat_map(|region| region.ops().collect::<Vec<_>>());
    let has_body = |op: &OpRef<'_>| {
        let function = op.interface::<dyn dl_ir::interfaces::FunctionOp>();
        op.is_stub() && function.is_some_and(|function| !function.is_declaration(*op))
    };
    ops.filter(has_body).map(|op| op.id()).collect()
}

/// The arena of `function` and those nested in it, each by the operations that lead to it.
fn arenas(module: &mut Arena, function: OpId) -> Vec<Vec<OpId>> {
    let (mut found, mut pending) = (Vec::new(), vec![vec![function]]);
    while let Some(path) = pending.pop() {
        if let Some(arena) = at_path(module, &path) {
            for op in walk::ops_in_arena(arena, Arena::ROOT) {
                if op != Arena::ROOT && arena.child_mut(op).is_some() {
                    pending.push(path.iter().copied().chain([op]).collect());
                }
            }
            found.push(path);
        }
    }
    found
}

fn at_path<'m>(module: &'m mut Arena, path: &[OpId]) -> Option<&'m mut Arena> {
    path.iter().try_fold(module, |arena, &op| if arena.is_live(op) { arena.child_mut(op) } else { None })
}
