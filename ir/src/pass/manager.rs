//! Pipelines as values.

use super::traits::{AnyPass, Pass};

/// The operations that a pass manager runs on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// Any isolated operation.
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

/// One step of a pipeline.
pub(super) enum Item {
    Pass(Box<dyn AnyPass>),
    /// One manager for each kind of nested operation; all are worked on in one sweep over the operations.
    Nested(Vec<PassManager>),
}

/// Passes to run in order on one kind of operation.
pub struct PassManager {
    anchor: Anchor,
    pub(super) items: Vec<Item>,
}

impl Clone for PassManager {
    fn clone(&self) -> Self {
        let copy = |item: &Item| match item {
            Item::Pass(pass) => Item::Pass(pass.clone_box()),
            Item::Nested(nested) => Item::Nested(nested.clone()),
        };
        Self { anchor: self.anchor.clone(), items: self.items.iter().map(copy).collect() }
    }
}

impl PassManager {
    /// An empty pipeline for `anchor`.
    pub fn new(anchor: Anchor) -> Self {
        Self { anchor, items: Vec::new() }
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
        self.items.push(Item::Pass(pass));
        self
    }

    /// The pipeline for nested operations of this kind, after the passes added so far: the one that was nested last, if it is
    /// for the same kind.
    pub fn nest(&mut self, anchor: Anchor) -> &mut Self {
        if !matches!(self.items.last(), Some(Item::Nested(_))) {
            self.items.push(Item::Nested(Vec::new()));
        }
        let Some(Item::Nested(group)) = self.items.last_mut() else { unreachable!("a group was just added") };
        let at = if let Some(at) = group.iter().position(|pm| pm.anchor == anchor) {
            at
        } else {
            group.push(Self::new(anchor));
            group.len() - 1
        };
        &mut group[at]
    }

    /// Whether it does nothing.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Number of passes and nested pipelines, not counting those inside.
    pub fn len(&self) -> usize {
        self.items.iter().map(|item| if let Item::Nested(group) = item { group.len() } else { 1 }).sum()
    }

    /// Calls `visit` with every pass, also in nested pipelines.
    pub(super) fn for_each_pass(&mut self, visit: &mut dyn FnMut(&mut dyn AnyPass)) {
        let mut pending: Vec<&mut Self> = vec![self];
        while let Some(pm) = pending.pop() {
            for item in &mut pm.items {
                match item {
                    Item::Pass(pass) => visit(pass.as_mut()),
                    Item::Nested(group) => pending.extend(group),
                }
            }
        }
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
        let mut first = true;
        for item in &self.items {
            let mut separate = |out: &mut String| {
                if !std::mem::take(&mut first) {
                    out.push(',');
                }
                line(out, depth + 1);
            };
            match item {
                Item::Pass(pass) => {
                    separate(out);
                    out.push_str(pass.info().name);
                    if let Some(options) = pass.clone_box().options() {
                        out.push_str(&options.print());
                    }
                }
                Item::Nested(group) => {
                    for nested in group {
                        separate(out);
                        nested.write(out, indent.map(|depth| depth + 1));
                    }
                }
            }
        }
        if !self.items.is_empty() {
            line(out, depth);
        }
        out.push(')');
    }
}
