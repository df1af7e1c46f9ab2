//! MLIR's bytecode: reading and writing.
//!
//! Source of the format: the MLIR documentation "MLIR Bytecode Format", `mlir/Bytecode/Encoding.h` and the tables
//! `BuiltinDialectBytecode.td` of LLVM 22, versions 0 to 6. What upstream reads it may have written, and the other way round;
//! `docs/bytecode.md` has an overview.
//!
//! A file is a magic number, a version, the name of its producer, and sections: strings, dialects and operation names, attributes and
//! types, resources, properties, operations. Everything in them is a number of variable length, mostly the index of
//! something in another section.

mod custom;
mod encoding;
mod layout;
mod read;
mod write;

pub use custom::{AttrEncoding, FieldEncoding, TypeEncoding, TypeField};
pub use encoding::VERSION;
pub use read::read_bytecode;
pub use write::{WriteOptions, write_bytecode};

use crate::context::Context;
use crate::diagnostics::Diagnostics;
use crate::location::Source;
use crate::text::{ParsedSource, parse_source};

/// Whether `bytes` are a bytecode file, by how they begin.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(&encoding::MAGIC)
}

/// Reads a whole source in either form, as it begins: the operations of a file as the body of a module, or the one module that the
/// file consists of.
///
/// # Errors
/// Everything that was found wrong, in the order of the source.
pub fn load_source(cx: &Context, source: &Source) -> Result<ParsedSource, Diagnostics> {
    if is_bytecode(source.text()) { read_bytecode(cx, source) } else { parse_source(cx, source) }
}
