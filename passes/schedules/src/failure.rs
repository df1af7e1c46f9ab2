//! How transformations fail.

use dl_ir::{Diagnostic, Diagnostics, Loc, OpRef};

/// Why a transformation failed.
#[derive(Debug)]
pub enum Failure {
    /// It does not apply, and the payload is as it should be. Whoever applied it may go on: a sequence that suppresses failures, or alternatives.
    Silenceable(Diagnostics),
    /// The schedule ends.
    Definite(Diagnostics),
}

/// What applying a transformation gave.
pub type Outcome = Result<(), Failure>;

impl Failure {
    /// A failure of `op`, an operation of the schedule, that may be silenced.
    pub fn silenceable(op: OpRef<'_>, message: impl Into<String>) -> Self {
        Self::Silenceable(Diagnostic::error(op.loc(), message).into())
    }

    /// A failure of `op`, an operation of the schedule, that ends it.
    pub fn definite(op: OpRef<'_>, message: impl Into<String>) -> Self {
        Self::Definite(Diagnostic::error(op.loc(), message).into())
    }

    /// That `op` asks for something that this interpreter does not do.
    pub fn unsupported(op: OpRef<'_>, what: impl std::fmt::Display) -> Self {
        Self::Definite(op.error(format_args!("unsupported: {what}")).into())
    }

    /// With a note after the last message.
    #[must_use]
    pub fn note(self, loc: Loc, message: impl Into<String>) -> Self {
        let noted = |mut all: Diagnostics| {
            let mut list = all.take();
            if let Some(last) = list.pop() {
                list.push(last.note(loc, message));
            }
            let mut all = Diagnostics::default();
            list.into_iter().for_each(|each| all.push(each));
            all
        };
        match self {
            Self::Silenceable(all) => Self::Silenceable(noted(all)),
            Self::Definite(all) => Self::Definite(noted(all)),
        }
    }

    /// What went wrong, however bad it is.
    pub fn into_diagnostics(self) -> Diagnostics {
        match self {
            Self::Silenceable(all) | Self::Definite(all) => all,
        }
    }

    /// The messages, without their notes.
    pub fn message(&self) -> String {
        let (Self::Silenceable(all) | Self::Definite(all)) = self;
        all.iter().map(|each| each.message.as_str()).collect::<Vec<_>>().join("\n")
    }
}
