//! Reads ONNX models as programs on tensors.
//!
//! [`import`] makes one function `main` of the main graph: `linalg`, `tensor`, `arith` and `math` operations, `scf` where there is control flow. An
//! extent that the model leaves open is `?`; what ONNX demands of such extents is checked when the program runs. Shapes are
//! computed while importing as far as they can be, so that a model with static inputs comes out static. Names of nodes are locations.
//!
//! Operators are listed in `ops`, one short item each, in files by family.
//!
//! A model is not trusted: whatever is wrong with it is a diagnostic that names the node, and costs no memory to find.

#![forbid(unsafe_code)]

mod builder;
mod element;
mod fault;
mod graph;
#[cfg(test)]
mod hostile;
mod literal;
mod messages;
mod model;
mod node;
mod ops;
mod tensor;

use bytes::Bytes;
use dl_ir::{Arena, Context, Diagnostics};

pub use element::Element;
pub use literal::Literal;

/// Opens a file beside the model, by its relative path, which has been checked: its content, or why there is none.
pub type OpenExternal<'a> = dyn Fn(&str) -> Result<Bytes, String> + 'a;

/// What an import is told besides the model.
#[derive(Default)]
pub struct Options<'a> {
    /// Opens files with weights. Without it a model that has such is an error.
    pub external: Option<&'a OpenExternal<'a>>,
    /// Inputs of the graph that are constants instead: name and value. For inputs that decide ranks or shapes.
    pub bindings: Vec<(String, Literal)>,
}

/// The program of a model, given by the bytes of its file; `name` is for messages.
///
/// # Errors
/// All that is found wrong or unsupported, each with the node.
pub fn import(cx: &Context, name: &str, model: Bytes, options: &Options<'_>) -> Result<Box<Arena>, Diagnostics> {
    let model = model::read(cx, name, model)?;
    graph::import(cx, &model, options)
}

/// The operators that are known, as `domain`, name, and the first and last opset, sorted.
pub fn operators() -> Vec<(&'static str, &'static str, i64, i64)> {
    let mut all: Vec<_> = ops::all().map(|op| (op.domain, op.name, *op.opsets.start(), *op.opsets.end())).collect();
    all.sort_unstable();
    all
}

/// The operators that the nodes of a model name, in order and each once: those of the default domain by their name, others with their domain.
/// Nodes of subgraphs are not looked at.
///
/// # Errors
/// That the bytes are no model.
pub fn used_operators(model: Bytes) -> Result<Vec<String>, String> {
    model::used_operators(model).map_err(|fault| fault.0)
}

/// The names of the inputs of a model, those with a value of their own not among them.
///
/// # Errors
/// That the bytes are no model.
pub fn input_names(model: Bytes) -> Result<Vec<String>, String> {
    model::input_names(model).map_err(|fault| fault.0)
}

/// The elements of a serialized `TensorProto`, as test data and bound inputs are stored.
///
/// # Errors
/// What is wrong with it.
pub fn read_tensor(bytes: Bytes) -> Result<(String, Literal), String> {
    model::read_tensor(bytes).map_err(|fault| fault.0)
}
