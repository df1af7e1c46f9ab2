//! What is done with an input, and what must hold then.
//!
//! A target fails by panicking or by answering a [`Finding`]. Rejecting an input with a diagnostic is always fine.

mod accelerator;
mod bytecode;
mod files;
pub mod oracle;
mod passes;
mod pipeline;
mod read;
mod rewrites;
mod round_trip;

use std::fmt;

use dl_ir::bytecode::load_source;
use dl_ir::diagnostics::{ColorChoice, Renderer};
use dl_ir::{Arena, Context, Diagnostics, verify};

use crate::Lab;

/// What must hold and does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which property is violated.
    pub what: &'static str,
    /// The details.
    pub details: String,
}

impl Finding {
    /// `what`, with `details`.
    pub fn new(what: &'static str, details: impl Into<String>) -> Self {
        Self { what, details: details.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.details)
    }
}

/// Whether all held.
pub type Checked = Result<(), Finding>;

/// A fuzz target.
pub struct Target {
    /// Its name on command lines.
    pub name: &'static str,
    /// What it checks, in one line.
    pub about: &'static str,
    /// Which inputs it takes.
    pub input: Input,
    run: fn(&mut Lab, &[u8]) -> Checked,
}

/// What the inputs of a target are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// Text IR, any bytes.
    Ir,
    /// Text IR whose first line may be a [pipeline line](crate::corpus::PIPELINE).
    IrWithPipeline,
    /// IR as bytecode or text, any bytes.
    Bytecode,
    /// The text of a pass pipeline.
    Pipeline,
    /// A program for an accelerator, in binary form or in text.
    Accelerator,
    /// A binary file, any bytes.
    Binary,
}

/// All targets.
pub const TARGETS: [Target; 11] = [
    Target { name: "parse", about: "any bytes give IR or an error with a place", input: Input::Ir, run: read::parse },
    Target {
        name: "verify",
        about: "whatever parses is verified or rejected with an error, the same for any number of threads",
        input: Input::Ir,
        run: read::verify,
    },
    Target {
        name: "round-trip",
        about: "verified IR, printed in any form, parses to the same IR and prints to the same bytes",
        input: Input::Ir,
        run: round_trip::run,
    },
    Target {
        name: "bytecode",
        about: "any bytes are read or rejected, and verified IR comes back from bytecode of any version as it was",
        input: Input::Bytecode,
        run: bytecode::run,
    },
    Target {
        name: "passes",
        about: "passes on verified IR succeed or report an error, and their results verify and round-trip",
        input: Input::IrWithPipeline,
        run: passes::run,
    },
    Target {
        name: "rewrites",
        about: "folds and canonicalization patterns leave what functions do as it was, one by one and all together",
        input: Input::Ir,
        run: rewrites::run,
    },
    Target {
        name: "pipeline",
        about: "pipeline texts parse or are rejected, and what is parsed prints to a text that means the same",
        input: Input::Pipeline,
        run: pipeline::run,
    },
    Target {
        name: "accelerator",
        about: "accelerator programs are loaded or rejected, round-trip in both forms, and run or are refused",
        input: Input::Accelerator,
        run: accelerator::run,
    },
    Target {
        name: "onnx",
        about: "models are imported as programs that verify, or are rejected",
        input: Input::Binary,
        run: files::onnx,
    },
    Target {
        name: "npy",
        about: "arrays are read or rejected, are no larger than their files, and come back as they were when written",
        input: Input::Binary,
        run: files::npy,
    },
    Target {
        name: "oracle",
        about: "passes leave what functions do as it was",
        input: Input::IrWithPipeline,
        run: oracle::run,
    },
];

impl Target {
    /// The target called `name`.
    pub fn find(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Does with `input` what the target is for.
    ///
    /// # Errors
    /// What must hold and does not.
    pub fn run(&self, lab: &mut Lab, input: &[u8]) -> Checked {
        (self.run)(lab, input)
    }
}

/// The module in `text`, which may be bytecode, or the errors rendered, which must be there and have words.
fn parse(cx: &Context, text: &[u8]) -> Result<Result<Box<Arena>, String>, Finding> {
    let source = cx.add_source("input.mlir", text);
    match load_source(cx, &source) {
        Ok(parsed) => {
            if parsed.warnings.has_errors() {
                return Err(Finding::new("parsing succeeds with errors", rendered(cx, &parsed.warnings)?));
            }
            rendered(cx, &parsed.warnings)?;
            Ok(Ok(parsed.module))
        }
        Err(errors) => Ok(Err(rejection(cx, "the parser", &errors)?)),
    }
}

/// The module in `text` if it parses and verifies.
pub(crate) fn parse_verified(cx: &Context, text: &[u8]) -> Result<Result<Box<Arena>, String>, Finding> {
    let module = match parse(cx, text)? {
        Ok(module) => module,
        Err(errors) => return Ok(Err(errors)),
    };
    match verify::verify(cx, &module) {
        Ok(()) => Ok(Ok(module)),
        Err(errors) => Ok(Err(rejection(cx, "the verifier", &errors)?)),
    }
}

/// The messages of `who`, which rejects something, rendered. A schedule may end with a remark, as upstream's does where a producer does not fuse.
fn rejection(cx: &Context, who: &str, errors: &Diagnostics) -> Result<String, Finding> {
    let text = rendered(cx, errors)?;
    if errors.is_empty() {
        return Err(Finding::new("a rejection without a message", who.to_owned()));
    }
    Ok(text)
}

/// Messages as a user sees them.
fn rendered(cx: &Context, diagnostics: &Diagnostics) -> Result<String, Finding> {
    let renderer = Renderer::new(cx, ColorChoice::Never);
    let mut text = String::new();
    for diagnostic in diagnostics {
        if diagnostic.message.is_empty() {
            return Err(Finding::new("a message without words", text));
        }
        text += &renderer.render(diagnostic);
    }
    Ok(text)
}
