//! Diagnostics are values: code that finds a fault returns or collects a [`Diagnostic`]; tools render them.
//!
//! Parallel work collects into one [`Diagnostics`] each, joined in program order, so that output never depends on timing.

mod render;
mod suggest;

pub use render::{ColorChoice, Renderer};
pub use suggest::{closest, did_you_mean};

use crate::location::Loc;

/// How bad it is, from the worst on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input or the IR is wrong: the tool fails.
    Error,
    /// Suspicious, but not wrong.
    Warning,
    /// Information that was asked for.
    Remark,
    /// More about the diagnostic that it is attached to.
    Note,
    /// A hint for people, shown as a note. Tests need not expect it.
    Help,
}

impl Severity {
    /// The word in messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Remark => "remark",
            Self::Note | Self::Help => "note",
        }
    }
}

/// A message about a place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "a diagnostic does nothing until it is returned or collected"]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub loc: Loc,
    /// What, in lower case and without a full stop.
    pub message: String,
    /// More places or words, in order.
    pub notes: Vec<Diagnostic>,
    /// Which code has found it.
    pub origin: Origin,
}

/// The place in the compiler that has made a diagnostic: for whoever wonders about one (`--mlir-print-stacktrace-on-diagnostic`). Does
/// not count when diagnostics are compared.
#[derive(Clone, Copy, Debug)]
pub struct Origin(&'static std::panic::Location<'static>);

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origin {}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Diagnostic {
    /// An error at `loc`.
    #[track_caller]
    pub fn error(loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, loc, message)
    }

    /// A warning at `loc`.
    #[track_caller]
    pub fn warning(loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, loc, message)
    }

    /// A remark at `loc`.
    #[track_caller]
    pub fn remark(loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Remark, loc, message)
    }

    /// A message of this severity at `loc`, without notes.
    #[track_caller]
    pub fn new(severity: Severity, loc: Loc, message: impl Into<String>) -> Self {
        Self {
            severity,
            loc,
            message: message.into(),
            notes: Vec::new(),
            origin: Origin(std::panic::Location::caller()),
        }
    }

    /// The same with a note.
    #[track_caller]
    pub fn note(mut self, loc: Loc, message: impl Into<String>) -> Self {
        self.notes.push(Self::new(Severity::Note, loc, message));
        self
    }
}

/// Diagnostics in the order they were found.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a message after those that are there.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds a note, or help, to the last one, if there is one.
    pub fn note_last(&mut self, severity: Severity, loc: Loc, message: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.notes.push(Diagnostic::new(severity, loc, message));
        }
    }

    /// Puts those about places in sources in the order of the text; those of one place keep theirs.
    pub(crate) fn sort_by_loc(&mut self) {
        self.list.sort_by_key(|diagnostic| diagnostic.loc);
    }

    /// Adds those of another collection, after these.
    pub fn append(&mut self, other: Self) {
        self.list.extend(other.list);
    }

    /// All messages in the order in which they came.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// Whether there is none at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes all of them out.
    pub fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.list)
    }

    /// Drops those after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { list: vec![diagnostic] }
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
