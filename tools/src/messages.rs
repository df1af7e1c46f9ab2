//! Diagnostics on standard error.

use std::io::{self, IsTerminal as _, Write as _};

use dl_ir::diagnostics::{ColorChoice, Renderer};
use dl_ir::{Context, Diagnostic, Diagnostics, Loc};

/// Shows diagnostics, each with its place and source line where it has one; in colour on a terminal.
pub(crate) fn show(cx: &Context, diagnostics: &Diagnostics) {
    let color = if io::stderr().is_terminal() { ColorChoice::Always } else { ColorChoice::Never };
    let renderer = Renderer::new(cx, color);
    let text: String = diagnostics.iter().map(|diagnostic| renderer.render(diagnostic)).collect();
    // Nobody is left to be told where standard error is closed.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// An error without a place in a source: about a file, a flag or a value.
pub(crate) fn error(message: impl Into<String>) -> Diagnostics {
    Diagnostic::error(Loc::UNKNOWN, message).into()
}
