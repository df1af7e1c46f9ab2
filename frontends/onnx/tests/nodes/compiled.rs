//! Running a test as a user does: `dl-run MODEL.onnx`, with inputs and outputs in `.npy` files.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use dl_onnx::{Element, Literal};
use dl_runtime::{Array, DType};

use crate::case::{Case, Outcome};
use crate::compare::{self, Output};

/// Runs the tool with these inputs bound, and the others as arguments.
pub(crate) fn run(case: &Case, bound: &[usize], tool: &Path) -> Outcome {
    match try_run(case, bound, tool) {
        Ok(outcome) | Err(outcome) => outcome,
    }
}

fn try_run(case: &Case, bound: &[usize], tool: &Path) -> Result<Outcome, Outcome> {
    let fail = |why: String| Outcome::Fail(why);
    let scratch = tempfile::tempdir().map_err(|error| fail(error.to_string()))?;
    let mut command = Command::new(tool);
    command.arg(&case.model).arg("--no-cache");
    let inputs = case.inputs();
    for (at, (name, literal)) in inputs.iter().flatten().enumerate() {
        let path = scratch.path().join(format!("in{at}.npy"));
        array(literal).and_then(|array| array.write_npy(&path).map_err(|error| error.to_string())).map_err(fail)?;
        if bound.contains(&at) {
            command.arg(format!("--onnx-bind={name}=@{}", path.display()));
        } else {
            command.arg(format!("--input=@{}", path.display()));
        }
    }
    let expected = case.outputs();
    let count = expected.as_ref().map_or(1, Vec::len);
    let paths: Vec<_> = (0..count).map(|at| scratch.path().join(format!("out{at}.npy"))).collect();
    for path in &paths {
        command.arg(format!("--output=@{}", path.display()));
    }
    let messages = scratch.path().join("messages");
    let log = File::create(&messages).map_err(|error| fail(error.to_string()))?;
    let status = command.stderr(log).status().map_err(|error| fail(error.to_string()))?;
    if !status.success() {
        let messages = std::fs::read_to_string(&messages).unwrap_or_default();
        let errors: Vec<&str> = messages.lines().filter(|line| line.contains("error: ")).collect();
        let text = errors.join("; ");
        let unsupported = !errors.is_empty() && errors.iter().all(|line| line.contains("unsupported"));
        return Err(if unsupported { Outcome::Unsupported(text) } else { fail(format!("{status}: {text}")) });
    }
    inputs.map_err(Outcome::Unsupported)?;
    let expected = expected.map_err(Outcome::Unsupported)?;
    let mut outputs = Vec::new();
    for path in &paths {
        let array = Array::read_npy(path).map_err(|error| fail(error.to_string()))?;
        let shape = array.shape().iter().map(|&extent| extent as i64).collect();
        outputs.push(Output { shape, bytes: array.bytes().to_vec() });
    }
    Ok(compare::compare(outputs, &expected))
}

fn array(literal: &Literal) -> Result<Array, String> {
    let dtype = match literal.element {
        Element::F32 => DType::F32,
        Element::F64 => DType::F64,
        Element::F16 => DType::F16,
        Element::BF16 => DType::BF16,
        Element::I8 => DType::I8,
        Element::I16 => DType::I16,
        Element::I32 => DType::I32,
        Element::I64 => DType::I64,
        Element::U8 => DType::U8,
        Element::U16 => DType::U16,
        Element::U32 => DType::U32,
        Element::U64 => DType::U64,
        Element::Bool => DType::Bool,
    };
    let shape: Vec<usize> = literal.shape.iter().map(|&extent| extent as usize).collect();
    Array::from_bytes(dtype, &shape, literal.bytes()).map_err(|error| error.to_string())
}
