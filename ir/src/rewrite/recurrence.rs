//! Rewriting that does not come to an end: which rewrites took turns.

use std::fmt;

use indexmap::IndexMap;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::entity::OpName;
use crate::view::OpRef;

/// How many of the last rewrites are remembered.
const WINDOW: usize = 1024;

/// One rewrite.
#[derive(Clone, Copy)]
pub(super) enum Applied {
    Pattern(&'static str),
    Fold(OpName),
}

/// The last rewrites. Recording one costs a store.
#[derive(Default)]
pub(super) struct Recent {
    ring: Vec<Applied>,
    count: usize,
}

impl Recent {
    pub(super) fn push(&mut self, applied: Applied) {
        if self.ring.len() < WINDOW {
            self.ring.push(applied);
        } else {
            self.ring[self.count % WINDOW] = applied;
        }
        self.count += 1;
    }

    /// What was applied how often.
    pub(super) fn summary(&self, cx: &Context) -> Recurrence {
        let mut counts: IndexMap<String, usize> = IndexMap::new();
        for applied in &self.ring {
            let name = match applied {
                Applied::Pattern(name) => format!("pattern '{name}'"),
                Applied::Fold(op) => format!("folding of '{}'", cx.op_info(*op).name),
            };
            *counts.entry(name).or_default() += 1;
        }
        let mut rewrites: Vec<(String, usize)> = counts.into_iter().collect();
        rewrites.sort_unstable();
        Recurrence { rewrites }
    }
}

/// The rewrites that were applied last, by name, and how often each: where rewriting does not end, those that undo each other.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// As `pattern 'x'` or `folding of 'y.z'`, sorted; each with its number among the last rewrites.
    pub rewrites: Vec<(String, usize)>,
}

impl Recurrence {
    /// Adds what was applied elsewhere.
    pub(super) fn merge(&mut self, other: Self) {
        for (name, count) in other.rewrites {
            match self.rewrites.iter_mut().find(|(own, _)| *own == name) {
                Some((_, own)) => *own += count,
                None => self.rewrites.push((name, count)),
            }
        }
        self.rewrites.sort_unstable();
    }

    /// An error about `op`, rewriting of which has no end: who takes turns, and how often in a note.
    pub fn error(&self, op: OpRef<'_>) -> Diagnostic {
        self.explain(op.error(format_args!("rewriting does not converge: {self}")))
    }

    /// The same diagnostic with a note about the last rewrites.
    pub fn explain(&self, diagnostic: Diagnostic) -> Diagnostic {
        let last: usize = self.rewrites.iter().map(|(_, count)| count).sum();
        let counts: Vec<String> = self.rewrites.iter().map(|(name, count)| format!("{name} {count} times")).collect();
        if counts.is_empty() {
            return diagnostic;
        }
        let loc = diagnostic.loc;
        diagnostic.note(loc, format!("among the last {last} rewrites: {}", counts.join(", ")))
    }
}

impl fmt::Display for Recurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rewrites.as_slice() {
            [] => f.write_str("regions are simplified again and again"),
            [(only, _)] => write!(f, "{only} applies again and again"),
            [all @ .., (last, _)] => {
                let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
                write!(f, "{} and {last} undo each other", names.join(", "))
            }
        }
    }
}
