//! Reading inputs and writing outputs; `-` is standard input or output.

use std::io::{self, Read as _, Write as _};
use std::sync::Arc;

use bytes::Bytes;
use dl_ir::location::TextMemory;

use crate::mapping;

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

/// An input that is kept as long as something refers to it.
pub struct Input {
    /// For messages.
    pub name: String,
    /// Its content.
    pub text: Bytes,
    /// What holds the content, where it can be given back while it is read.
    pub memory: Option<Arc<dyn TextMemory>>,
}

/// Opens an input: a large file is mapped to memory.
///
/// # Errors
/// What went wrong, in a line that names the file.
pub fn open(input: &str) -> Result<Input, String> {
    if input != "-"
        && let Some(mapping) = mapping::map(input)
    {
        let memory: Arc<dyn TextMemory> = Arc::new(mapping.clone());
        return Ok(Input { name: input.to_owned(), text: Bytes::from_owner(mapping), memory: Some(memory) });
    }
    let (name, text) = read(input)?;
    Ok(Input { name, text: text.into(), memory: None })
}

/// Writes a whole output. A reader of standard output that has seen enough is no error.
///
/// # Errors
/// What went wrong, in a line that names the file.
pub fn write(output: &str, content: &[u8]) -> Result<(), String> {
    let mut output = Output::new(output);
    output.write_all(content).map_err(|error| output.message(&error))?;
    output.finish()
}

/// An output that is written piece by piece; `-` is standard output. A file is made with the first piece, so that there is none of
/// a program that fails before it has something to say. A reader of standard output that has seen enough is no error.
pub struct Output {
    name: String,
    sink: Sink,
}

enum Sink {
    /// Nothing has been written.
    Unopened,
    Stdout(io::Stdout),
    File(std::fs::File),
    /// Nobody reads.
    Closed,
}

impl Output {
    /// The output that the command line calls `name`.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), sink: Sink::Unopened }
    }

    /// What to say of `error`: a line that names the output.
    pub fn message(&self, error: &io::Error) -> String {
        match self.name.as_str() {
            "-" => format!("cannot write to standard output: {}", reason(error)),
            name => format!("cannot open output file '{name}': {}", reason(error)),
        }
    }

    fn open(&mut self) -> io::Result<()> {
        if matches!(self.sink, Sink::Unopened) {
            self.sink = match self.name.as_str() {
                "-" => Sink::Stdout(io::stdout()),
                name => Sink::File(mapping::create(name)?),
            };
        }
        Ok(())
    }

    /// Makes the file if nothing has been written, and hands on what is buffered.
    ///
    /// # Errors
    /// What went wrong, in a line that names the output.
    pub fn finish(&mut self) -> Result<(), String> {
        self.open().and_then(|()| self.flush()).map_err(|error| self.message(&error))
    }

    /// Removes the file, also one from before: what it would have held cannot be made. Anything but a regular file stays, and so does `input`.
    pub fn discard(&mut self, input: &str) {
        self.sink = Sink::Closed;
        let path = std::path::Path::new(&self.name);
        let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
        let is_input = || path.canonicalize().ok() == std::path::Path::new(input).canonicalize().ok();
        if self.name != "-" && is_file && !is_input() {
            // Where it cannot be removed, the exit code has to do.
            let _ = std::fs::remove_file(path);
        }
    }

    fn unless_closed(&mut self, result: io::Result<()>) -> io::Result<()> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && matches!(self.sink, Sink::Stdout(_)) => {
                self.sink = Sink::Closed;
                Ok(())
            }
            result => result,
        }
    }
}

impl io::Write for Output {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.open()?;
        let written = match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write_all(piece),
            Sink::File(file) => file.write_all(piece),
            Sink::Closed | Sink::Unopened => Ok(()),
        };
        self.unless_closed(written).map(|()| piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.sink {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::File(_) | Sink::Closed | Sink::Unopened => Ok(()),
        };
        self.unless_closed(flushed)
    }
}

/// What the system says, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
