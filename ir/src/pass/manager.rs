//! Pipelines as values.

use super::schedule::Schedule;
use super::traits::{AnyPass, Pass};

/// The operations that a pass manager runs on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// Any isolated operation that all passes of the manager can run on.
    Any,
    /// Those of this name.
    Op(String),
}

impl Anchor {
    /// The anchor written `text`: `any` or the name of an operation.
    pub fn new(text: &str) -> Self {
        if text == "any" { Self::Any } else { Self::Op(text.to_owned()) }
    }

    /// As written in pipelines.
    pub fn text(&self) -> &str {
        match self {
            Self::Any => "any",
            Self::Op(name) => name,
        }
    }

    /// Whether it takes operations called `name`.
    pub fn accepts(&self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Op(own) => own == name,
        }
    }
}

/// One step of a pipeline, as it was written.
pub(super) enum Item {
    Pass(Box<dyn AnyPass>),
    Nested(PassManager),
}

impl Clone for Item {
    fn clone(&self) -> Self {
        match self {
            Self::Pass(pass) => Self::Pass(pass.clone_box()),
            Self::Nested(nested) => Self::Nested(nested.clone()),
        }
    }
}

/// Passes to run in order on one kind of operation. Belongs to the context that it first runs in.
#[derive(Clone)]
pub struct PassManager {
    anchor: Anchor,
    pub(super) items: Vec<Item>,
    /// What the items come to, with the passes initialized; made by the first run after a change.
    pub(super) schedule: Option<Schedule>,
}

impl PassManager {
    /// An empty pipeline for `anchor`.
    pub fn new(anchor: Anchor) -> Self {
        Self { anchor, items: Vec::new(), schedule: None }
    }

    /// What it runs on.
    pub fn anchor(&self) -> &Anchor {
        &self.anchor
    }

    /// Adds a pass after those it has.
    pub fn add(&mut self, pass: impl Pass) -> &mut Self {
        self.add_boxed(Box::new(pass))
    }

    /// Adds a pass of any type.
    pub fn add_boxed(&mut self, pass: Box<dyn AnyPass>) -> &mut Self {
        self.schedule = None;
        self.items.push(Item::Pass(pass));
        self
    }

    /// Adds an empty pipeline for nested operations of this kind, after what it has. Neighbours run in one sweep over the nested
    /// operations, unless one is for [any](Anchor::Any) operation and could take those of another.
    pub fn nest(&mut self, anchor: Anchor) -> &mut Self {
        self.schedule = None;
        self.items.push(Item::Nested(Self::new(anchor)));
        let Some(Item::Nested(nested)) = self.items.last_mut() else { unreachable!("it was just added") };
        nested
    }

    /// Whether it does nothing.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Number of passes and nested pipelines, not counting those inside.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The pipeline as text that parses back to it, in one line.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, None);
        out
    }

    /// The pipeline as text, one pass a line: what `--dump-pass-pipeline` shows.
    pub fn pretty_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Some(0));
        out
    }

    fn write(&self, out: &mut String, indent: Option<usize>) {
        let line = |out: &mut String, depth: usize| {
            if indent.is_some() {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', 2 * depth));
            }
        };
        let depth = indent.unwrap_or(0);
        out.push_str(self.anchor.text());
        out.push('(');
        for (i, item) in self.items.iter().enumerate() {
            if i != 0 {
                out.push(',');
            }
            line(out, depth + 1);
            match item {
                Item::Pass(pass) => out.push_str(&text_of_pass(&**pass)),
                Item::Nested(nested) => nested.write(out, indent.map(|depth| depth + 1)),
            }
        }
        if !self.items.is_empty() {
            line(out, depth);
        }
        out.push(')');
    }
}

/// A pass as written in pipelines: its name and all of its options.
pub(super) fn text_of_pass(pass: &dyn AnyPass) -> String {
    let mut text = pass.info().name.to_owned();
    if let Some(options) = pass.clone_box().options() {
        text.push_str(&options.print());
    }
    text
}
