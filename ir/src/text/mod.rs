//! MLIR's text form: reading and printing.
//!
//! Reading is a hand-written lexer and recursive descent over bytes ([`OpParser`]), since dialects extend the syntax. Printing
//! goes through [`AsmPrinter`]. Both know the generic form of any operation; pretty forms come from the definitions
//! ([`CompiledFormat`]) and from dialect hooks.

mod format;
mod lexer;
mod parser;
mod printer;
mod strings;

pub use format::{CompiledFormat, DirectiveArgs, DirectiveView, ParamFormat, ParamHook};
pub(crate) use format::{ParamReader, ParamWriter};
pub use parser::{
    AffineMapOfValues, Argument, AttrEntries, Delimiter, ExternalResource, Failed, MIN_PARALLEL_TEXT, OpParser, Parsed,
    ParsedSource, ResourceValue, TypeList, UnresolvedOperand, parse_attribute, parse_source, parse_type,
};
pub(crate) use parser::{closing_quote, guarded, parse_attribute_fragment, unwrap_module};
pub use printer::{
    AsmPrinter, NameOfElided, PrintOptions, attr_text, loc_text, op_texts, print_file, print_op, print_op_in_place,
    type_text, value_names,
};
pub(crate) use printer::{attr_text_with_resources, text_of};

/// Where the properties of an unregistered operation are kept among its attributes; no attribute in a text has this name.
pub(crate) const PROPERTIES: &str = "<properties>";
