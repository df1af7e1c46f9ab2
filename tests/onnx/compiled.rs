//! Running a test as machine code in this process, by way of `dl-run` as a library.

use std::cell::RefCell;

use dl_driver::backend::Backends;
use dl_driver::codegen::CodegenOptions;
use dl_driver::model;
use dl_driver::onnx::{Model, array};
use dl_ir::{Context, Diagnostic, Diagnostics, Loc};
use dl_plugin::Registry;
use dl_runtime::{Array, Signature};

use crate::case::{Case, Outcome};
use crate::compare::{self, Output};

/// What is the same for all tests. Types and locations pile up in a context, so it is made anew now and then.
struct Tools {
    registry: Registry,
    context: Context,
    tests: usize,
}

/// Tests for which one context serves.
const TESTS_PER_CONTEXT: usize = 50;

thread_local! {
    static TOOLS: RefCell<Option<Tools>> = const { RefCell::new(None) };
}

/// Compiles the model with these inputs bound by a back end, and runs it on the others.
pub(crate) fn run(back_end: &str, case: &Case, bound: &[usize]) -> Outcome {
    TOOLS.with_borrow_mut(|tools| {
        if tools.as_ref().is_some_and(|tools| tools.tests >= TESTS_PER_CONTEXT) {
            *tools = None;
        }
        let tools = tools.get_or_insert_with(|| {
            let registry = dl_tools::standard();
            let context = registry.context();
            Tools { registry, context, tests: 0 }
        });
        tools.tests += 1;
        match try_run(tools, back_end, case, bound) {
            Ok(outcome) | Err(outcome) => outcome,
        }
    })
}

fn try_run(tools: &Tools, back_end: &str, case: &Case, bound: &[usize]) -> Result<Outcome, Outcome> {
    let inputs = case.inputs();
    let (mut bindings, mut arguments) = (Vec::new(), Vec::new());
    for (at, (name, literal)) in inputs.iter().flatten().enumerate() {
        if bound.contains(&at) {
            bindings.push((name.clone(), literal.clone()));
        } else {
            arguments.push(literal.clone());
        }
    }
    inputs.map_err(Outcome::Unsupported)?;
    let expected = case.outputs().map_err(Outcome::Unsupported)?;
    let model = Model::of(&case.name, case.bytes(), &case.root, bindings);
    // Test data has numbers of some types as integers of the same size.
    let given = |signature: &Signature| {
        let given = arguments.iter().zip(&signature.inputs).map(|(literal, ty)| {
            let array = array(literal)?;
            if array.dtype().size() != ty.dtype().size() {
                return Ok(array);
            }
            Array::from_bytes(ty.dtype(), array.shape(), array.bytes()).map_err(|error| error.to_string())
        });
        let given = given.collect::<Result<Vec<Array>, String>>();
        given.map_err(|error| Diagnostic::error(Loc::UNKNOWN, error).into())
    };
    let (options, backends) = (CodegenOptions::default(), Backends::standard());
    let results = backends
        .find(back_end)
        .and_then(|backend| model::call(&tools.context, &tools.registry.passes, model, backend, &options, given));
    let results = results.map_err(|errors| of_errors(&errors))?;
    Ok(compare::compare(results.iter().map(output).collect(), &expected))
}

fn output(array: &Array) -> Output {
    let shape = array.shape().iter().map(|&extent| extent as i64).collect();
    Output { shape, bytes: array.bytes().to_vec() }
}

/// What is wrong with a model: unsupported if all that is wrong is that.
fn of_errors(errors: &Diagnostics) -> Outcome {
    let text: Vec<&str> = errors.iter().map(|error| &error.message[..]).collect();
    let unsupported = text.iter().all(|text| text.contains("unsupported"));
    let text = text.join("; ");
    if unsupported { Outcome::Unsupported(text) } else { Outcome::Fail(text) }
}
