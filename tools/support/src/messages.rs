//! Diagnostics on standard error.

use std::io::{self, IsTerminal as _, Write as _};

use dl_ir::diagnostics::{ColorChoice, Renderer};
use dl_ir::{Context, Diagnostic, Diagnostics, Loc};

/// Shows diagnostics, each with its place and source line where it has one; in colour on a terminal.
pub fn show(cx: &Context, diagnostics: &Diagnostics) {
    show_in(cx, diagnostics, color_of_terminal());
}

/// The same, with or without colour.
pub fn show_in(cx: &Context, diagnostics: &Diagnostics, color: ColorChoice) {
    let renderer = Renderer::new(cx, color);
    let text: String = diagnostics.iter().map(|diagnostic| renderer.render(diagnostic)).collect();
    eprint(&text);
}

/// Colours, if standard error is a terminal.
pub fn color_of_terminal() -> ColorChoice {
    if io::stderr().is_terminal() { ColorChoice::Always } else { ColorChoice::Never }
}

/// Prints to standard error. Nobody is left to be told where that is closed.
pub fn eprint(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Prints to standard output, before what is written there later. Nobody is left to be told where that is closed.
pub fn print(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}

/// An error without a place in a source: about a file, a flag or a value.
pub fn error(message: impl Into<String>) -> Diagnostics {
    Diagnostic::error(Loc::UNKNOWN, message).into()
}
