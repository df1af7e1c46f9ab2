//! What can go wrong between llvm-dialect text and a program's results.

use std::fmt;

use thiserror::Error;

/// An error of the LLVM back end.
#[derive(Debug, Error)]
pub enum Error {
    /// The MLIR text was rejected: by its parser, by a verifier, or for holding what LLVM IR cannot express. At least one diagnostic.
    #[error("{}", Lines(.0))]
    Mlir(Vec<Diagnostic>),
    /// LLVM rejected a module, or could not generate code for it.
    #[error("LLVM: {0}")]
    Llvm(String),
    /// The target triple, CPU or feature list names nothing LLVM can generate code for.
    #[error("{0}")]
    Target(String),
    /// There is no such function to call, or not one that can be called in this way.
    #[error("{0}")]
    Entry(String),
}

/// The outcome of a step of the LLVM back end.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The error as a tool prints it: each line that starts a message has its place, if there is one, and `error:`.
    pub fn report(&self) -> impl fmt::Display {
        match self {
            Self::Mlir(_) => self.to_string(),
            _ => format!("error: {self}"),
        }
    }
}

/// A message about one place in the MLIR text, with notes about others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The place, if it has one.
    pub position: Option<Position>,
    /// The message, one line as a rule.
    pub message: String,
    /// Notes that belong to it.
    pub notes: Vec<Diagnostic>,
}

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The module is rejected.
    Error,
    /// Something is suspicious.
    Warning,
    /// Something worth knowing.
    Remark,
    /// Belongs to another diagnostic.
    Note,
}

/// A place in a source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// File name.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Remark => "remark",
            Self::Note => "note",
        })
    }
}

/// `file:line:col: error: message`, and a line for each note.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { file, line, column }) = &self.position {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        for note in &self.notes {
            write!(f, "\n{note}")?;
        }
        Ok(())
    }
}

/// Diagnostics, a line each.
struct Lines<'a>(&'a [Diagnostic]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{diagnostic}")?;
        }
        Ok(())
    }
}
