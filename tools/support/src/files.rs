//! Reading inputs and writing outputs; `-` is standard input or output.

use std::io::{self, Read as _, Write as _};

/// Name for messages, and content.
///
/// # Errors
/// What went wrong, in a line that names the file.
pub fn read(input: &str) -> Result<(String, Vec<u8>), String> {
    if input == "-" {
        let mut text = Vec::new();
        io::stdin()
            .read_to_end(&mut text)
            .map_err(|error| format!("cannot read standard input: {}", reason(&error)))?;
        return Ok(("<stdin>".to_owned(), text));
    }
    match std::fs::read(input) {
        Ok(text) => Ok((input.to_owned(), text)),
        Err(error) => Err(format!("cannot open input file '{input}': {}", reason(&error))),
    }
}

/// Writes a whole output. A reader of standard output that has seen enough is no error.
///
/// # Errors
/// What went wrong, in a line that names the file.
pub fn write(output: &str, content: &[u8]) -> Result<(), String> {
    if output == "-" {
        let mut stdout = io::stdout().lock();
        return match stdout.write_all(content).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(format!("cannot write to standard output: {}", reason(&error)))
            }
            _ => Ok(()),
        };
    }
    std::fs::write(output, content).map_err(|error| format!("cannot open output file '{output}': {}", reason(&error)))
}

/// What the system says, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
