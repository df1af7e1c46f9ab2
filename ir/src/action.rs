//! Actions: the steps of the compiler that can be watched, and left out to see what becomes of it.
//!
//! A handler in the [`Context`] is asked before each pass, each round of greedy rewriting and each attempt to apply a pattern. Without
//! one, all that this costs is to look for it. Source of names and tags: the MLIR documentation "Action: Tracing and Debugging
//! MLIR-based Compilers".

use std::fmt;

use crate::context::Context;
use crate::view::OpRef;

/// A step that is about to be taken, and what it is about.
#[derive(Clone, Copy)]
pub struct Action<'a> {
    /// What is done.
    pub kind: ActionKind,
    /// To which operation.
    pub op: OpRef<'a>,
}

/// What is done in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// A pass of this title runs.
    Pass(&'static str),
    /// Greedy rewriting of the regions of the operation, for the so-manieth time, from 1.
    GreedyIteration(u32),
    /// A dialect conversion of the operation and what is in it.
    Conversion,
    /// The pattern of this name is tried.
    Pattern(&'static str),
}

impl ActionKind {
    /// The word that stands for all actions of this kind.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Pass(_) => "pass-execution",
            Self::GreedyIteration(_) => "GreedyPatternRewriteIteration",
            Self::Conversion => "apply-conversion",
            Self::Pattern(_) => "apply-pattern",
        }
    }
}

impl fmt::Display for Action<'_> {
    /// What is done, without the text of the operation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ActionKind::Pass(title) => {
                write!(f, "`pass-execution` running `{title}` on Operation `{}`", self.op.name())
            }
            ActionKind::GreedyIteration(number) => write!(f, "GreedyPatternRewriteIteration({number})"),
            ActionKind::Conversion => f.write_str("apply-conversion"),
            ActionKind::Pattern(name) => write!(f, "`apply-pattern pattern: {name}"),
        }
    }
}

/// Watches actions. Those on different operations may be taken by several threads at once; on one thread they nest.
pub trait ActionHandler: Send + Sync {
    /// Called before an action. What it answers is handed to [`end`](Self::end); `None` leaves the action out, and all goes on as if
    /// it had done nothing.
    fn begin(&self, action: &Action<'_>) -> Option<u64>;

    /// Called after an action that was taken, on the same thread.
    fn end(&self, kind: ActionKind, begun: u64);
}

/// Takes the action of `kind` on the operation of `state` that `op` answers, unless the handler of `cx` leaves it out; `None` then.
pub(crate) fn take<S, T>(
    cx: &Context,
    kind: ActionKind,
    state: &mut S,
    op: impl for<'s> FnOnce(&'s Context, &'s S) -> OpRef<'s>,
    action: impl FnOnce(&mut S) -> T,
) -> Option<T> {
    let Some(handler) = cx.action_handler() else { return Some(action(state)) };
    let begun = handler.begin(&Action { kind, op: op(cx, state) })?;
    let result = action(state);
    handler.end(kind, begun);
    Some(result)
}
