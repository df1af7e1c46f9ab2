//! Running a test in the reference interpreter.

use dl_interpreter::{Interpreter, Options};
use dl_ir::interfaces::FunctionOp;
use dl_ir::interp::{Array, Value};
use dl_ir::symbol::SymbolTable;
use dl_ir::{Diagnostics, OpRef, TypeRef, verify};
use dl_onnx::Literal;

use crate::case::{Case, Outcome};
use crate::compare::{self, Output};

/// More operations than any of the tests needs.
const MAX_STEPS: u64 = 200_000_000;

/// Imports the model with these inputs bound, and runs it on the others.
pub(crate) fn run(case: &Case, bound: &[usize]) -> Outcome {
    match try_run(case, bound) {
        Ok(outcome) | Err(outcome) => outcome,
    }
}

fn try_run(case: &Case, bound: &[usize]) -> Result<Outcome, Outcome> {
    let cx = dl_tools::standard().context();
    let inputs = case.inputs();
    let mut bindings = Vec::new();
    let mut arguments = Vec::new();
    for (at, (name, literal)) in inputs.iter().flatten().enumerate() {
        if bound.contains(&at) {
            bindings.push((name.clone(), literal.clone()));
        } else {
            arguments.push(literal.clone());
        }
    }
    let options = dl_onnx::Options { bindings, ..Default::default() };
    let module = dl_onnx::import(&cx, &case.name, case.bytes(), &options).map_err(|errors| of_errors(&errors))?;
    inputs.map_err(Outcome::Unsupported)?;
    verify::verify(&cx, &module).map_err(|errors| Outcome::Fail(format!("not valid: {}", text(&errors))))?;
    let root = OpRef::root(&cx, &module);
    let symbols = SymbolTable::new(root);
    let function = symbols.get("main").ok_or_else(|| Outcome::Fail("no function 'main'".to_owned()))?;
    let types = function.interface::<dyn FunctionOp>().map(|it| it.inputs(function)).unwrap_or_default();
    if types.len() != arguments.len() {
        return Err(Outcome::Fail(format!("{} arguments for {} inputs", arguments.len(), types.len())));
    }
    let values = arguments.iter().zip(types).map(|(literal, ty)| value(literal, cx.ty(ty)));
    let values = values.collect::<Option<Vec<Value>>>().ok_or_else(|| Outcome::Fail("an input".to_owned()))?;
    let mut interpreter = Interpreter::new(root, Options { steps: Some(MAX_STEPS), ..Options::default() });
    let results = interpreter.run(function, &values).results;
    let results = results.map_err(|error| Outcome::Fail(format!("running: {}", error.message)))?;
    let mut outputs = Vec::new();
    for result in &results {
        let array = result.as_array().ok_or_else(|| Outcome::Fail("a result is no tensor".to_owned()))?;
        let mut bytes = Vec::new();
        for element in array.elements() {
            element.write_bytes(&mut bytes).ok_or_else(|| Outcome::Fail(format!("an element is {element}")))?;
        }
        outputs.push(Output { shape: array.shape().to_vec(), bytes });
    }
    Ok(compare::compare(outputs, &case.outputs().map_err(Outcome::Unsupported)?))
}

fn value(literal: &Literal, ty: TypeRef<'_>) -> Option<Value> {
    let size = literal.element.bytes();
    let elements = literal.bytes().chunks_exact(size).map(|bytes| Value::of_bytes(ty.element_or_self(), bytes));
    Some(Array::new(&literal.shape, elements.collect::<Option<Vec<Value>>>()?).into())
}

/// A model that cannot be imported: unsupported if all that is wrong is that.
fn of_errors(errors: &Diagnostics) -> Outcome {
    let unsupported = errors.iter().all(|error| error.message.contains("unsupported"));
    if unsupported { Outcome::Unsupported(text(errors)) } else { Outcome::Fail(format!("import: {}", text(errors))) }
}

fn text(errors: &Diagnostics) -> String {
    errors.iter().map(|error| error.message.clone()).collect::<Vec<_>>().join("; ")
}
