//! Rendering for humans: `file:line:col: error: message`, the source line and a caret, as LLVM's source manager prints them.

use std::fmt::Write as _;

use super::{Diagnostic, Severity};
use crate::context::Context;

/// Whether messages carry ANSI colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorChoice {
    /// Plain text.
    Never,
    /// Colours: for a terminal.
    Always,
}

/// Renders diagnostics against the sources of a context.
pub struct Renderer<'c> {
    cx: &'c Context,
    color: ColorChoice,
}

/// Longest part of a source line that is shown: one-line files of many megabytes exist.
const MAX_SNIPPET: usize = 240;

/// How many calls on the way to a place are shown.
const MAX_CALLERS: usize = 10;

impl<'c> Renderer<'c> {
    /// A renderer for locations of `cx`.
    pub fn new(cx: &'c Context, color: ColorChoice) -> Self {
        Self { cx, color }
    }

    /// The diagnostic, from where its place was called if that is known, and its notes; each with its source line where it has
    /// one.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        let mut out = String::new();
        self.one(diagnostic, &mut out);
        for caller in self.cx.callers(diagnostic.loc).take(MAX_CALLERS) {
            self.one(&Diagnostic::new(Severity::Note, caller, "called from"), &mut out);
        }
        for note in &diagnostic.notes {
            self.one(note, &mut out);
        }
        out
    }

    fn one(&self, d: &Diagnostic, out: &mut String) {
        let (bold, tint, reset) = match self.color {
            ColorChoice::Never => ("", "", ""),
            ColorChoice::Always => ("\x1b[1m", tint(d.severity), "\x1b[0m"),
        };
        let position = self.cx.file_position(d.loc);
        let place = match &position {
            Some(p) => format!("{}:{}:{}: ", p.file, p.line, p.column),
            None if d.loc.is_unknown() => String::new(),
            None => format!("{}: ", crate::text::loc_text(self.cx, d.loc)),
        };
        let word = d.severity.word();
        let _ = writeln!(out, "{bold}{place}{tint}{word}: {reset}{bold}{}{reset}", d.message);
        if let Some((source, offset)) = self.cx.source_position(d.loc) {
            let (line, column) = source.line_at(offset);
            snippet(line, column, tint, reset, out);
        }
    }
}

fn tint(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "\x1b[31m",
        Severity::Warning => "\x1b[35m",
        Severity::Remark => "\x1b[34m",
        Severity::Note | Severity::Help => "\x1b[36m",
    }
}

/// The source line and a caret under byte `column` (from 0). A long line is shown around the caret only.
fn snippet(line: &[u8], column: usize, tint: &str, reset: &str, out: &mut String) {
    let start = column.saturating_sub(MAX_SNIPPET / 2);
    let end = line.len().min(start + MAX_SNIPPET);
    let start = start.min(end);
    let shown = String::from_utf8_lossy(&line[start..end]);
    let before = String::from_utf8_lossy(&line[start..column.clamp(start, end)]);
    let pad: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let _ = writeln!(out, "{shown}\n{pad}{tint}^{reset}");
}
