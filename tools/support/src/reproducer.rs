//! Files that do a failed run of passes again.

use std::io::Write as _;

use dl_ir::Diagnostic;

use crate::files::{reason, write};

/// Writes a reproducer to `file`, or to a new file among the temporary ones, and tells where in the note of `failure`, which says
/// what has failed.
pub fn write_reproducer(failure: &mut Diagnostic, file: Option<&str>, text: &str) {
    let written = match file {
        Some(file) => write(file, text.as_bytes()).map(|()| file.to_owned()),
        None => write_temporary(text),
    };
    let outcome = match written {
        Ok(file) => format!("reproducer generated at `{file}`"),
        Err(why) => format!("failed to create output stream: {why}"),
    };
    if let Some(note) = failure.notes.first_mut() {
        note.message = format!("{}: {outcome}", note.message);
    }
}

fn write_temporary(text: &str) -> Result<String, String> {
    let why = |error: std::io::Error| format!("cannot write a temporary file: {}", reason(&error));
    let mut file = tempfile::Builder::new().prefix("dl-reproducer-").suffix(".mlir").tempfile().map_err(why)?;
    file.write_all(text.as_bytes()).map_err(why)?;
    let (_, path) = file.keep().map_err(|error| why(error.error))?;
    Ok(path.display().to_string())
}
