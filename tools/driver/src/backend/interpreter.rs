//! The reference interpreter as a back end.

use dl_interpreter::Options;
use dl_ir::attributes::DenseElement;
use dl_ir::interfaces::FunctionOp;
use dl_ir::interp::{Array as Elements, Lifetime, Memory, Odometer, Value};
use dl_ir::symbol::SymbolTable;
use dl_ir::{Diagnostics, Loc, OpRef, TypeRef};
use dl_runtime::Array;
use dl_runtime::call::EntryPoint;
use dl_tools_support::{files, messages};

use super::{Backend, Loaded};
use crate::codegen::{CodegenOptions, EmitKind};
use crate::program::Program;

/// The reference interpreter, which takes programs of any stage and stops at undefined behaviour.
pub struct Interpreter {
    /// Most operations that it runs.
    pub steps: Option<u64>,
}

impl Backend for Interpreter {
    fn name(&self) -> &'static str {
        "interpreter"
    }

    fn pipeline(&self, _: &CodegenOptions, _: bool, _: usize) -> Result<Option<String>, Diagnostics> {
        Ok(None)
    }

    fn load<'p>(
        &self,
        program: &'p mut Program<'_>,
        entry: EntryPoint,
        _: &CodegenOptions,
    ) -> Result<Box<dyn Loaded + 'p>, Diagnostics> {
        let Some(function) = SymbolTable::new(program.root()).get(&entry.name) else {
            return Err(messages::error(format!("no function '{}'", entry.name)));
        };
        Ok(Box::new(Interpreted { module: program.root(), function, entry, steps: self.steps }))
    }

    fn emit(&self, _: &mut Program<'_>, _: EmitKind, _: &CodegenOptions) -> Result<Vec<u8>, Diagnostics> {
        Err(messages::error("unsupported on the interpreter: it makes no machine code".to_owned()))
    }
}

/// A function of a program.
struct Interpreted<'p> {
    module: OpRef<'p>,
    function: OpRef<'p>,
    entry: EntryPoint,
    steps: Option<u64>,
}

impl Loaded for Interpreted<'_> {
    fn run(&self, arguments: &mut [Array]) -> Result<Vec<Array>, Diagnostics> {
        let Self { module, function, entry, steps } = self;
        let cx = module.cx();
        let kind = function.interface::<dyn FunctionOp>();
        let inputs = kind.map(|kind| kind.inputs(*function)).unwrap_or_default();
        let results = kind.map(|kind| kind.results(*function)).unwrap_or_default();
        let mut interpreter =
            dl_interpreter::Interpreter::new(*module, Options { steps: *steps, ..Options::default() });
        let fault = |message: String| messages::error(format!("function '{}': {message}", entry.name));
        let mut values = Vec::with_capacity(arguments.len());
        for (array, &ty) in arguments.iter().zip(&inputs) {
            values.push(to_value(array, cx.ty(ty), interpreter.memory()).map_err(fault)?);
        }
        let run = interpreter.run(*function, &values);
        files::write("-", run.printed.as_bytes()).map_err(messages::error)?;
        let returned = run.results.map_err(Diagnostics::from)?;
        for (at, (array, value)) in arguments.iter_mut().zip(&values).enumerate() {
            if value.as_memref().is_some() {
                let changed = to_array(value, cx.ty(inputs[at]), array, interpreter.memory());
                *array = changed.map_err(|why| fault(format!("argument {}: {why}", at + 1)))?;
            }
        }
        let expected = &entry.signature.results;
        let mut arrays = Vec::with_capacity(returned.len());
        for (at, ((value, &ty), expected)) in returned.iter().zip(&results).zip(expected).enumerate() {
            let empty = Array::from_bytes(expected.dtype(), &[0], &[]).map_err(|error| fault(error.to_string()))?;
            let array = to_array(value, cx.ty(ty), &empty, interpreter.memory());
            arrays.push(array.map_err(|why| fault(format!("result {}: {why}", at + 1)))?);
        }
        Ok(arrays)
    }

    fn prepare<'a>(&'a self, _: &'a mut [Array]) -> Result<Box<dyn FnMut() + 'a>, Diagnostics> {
        Err(messages::error(
            "unsupported on the interpreter: calls are not timed, as it is not made to be fast".to_owned(),
        ))
    }
}

/// The value of type `ty` that an array stands for; a memref gets a buffer of its own.
fn to_value(array: &Array, ty: TypeRef<'_>, memory: &mut Memory) -> Result<Value, String> {
    let element = ty.element_or_self();
    let unknown = || format!("unsupported: elements of type '{element}'");
    let size = DenseElement::of(element).ok_or_else(unknown)?.bytes();
    let number = |bytes: &[u8]| Value::of_bytes(element, &host_to_little(bytes)).ok_or_else(unknown);
    let elements = array.bytes().chunks_exact(size.max(1)).map(number).collect::<Result<Vec<_>, _>>()?;
    if !ty.is_shaped() {
        return elements.into_iter().next().ok_or_else(|| "a scalar without a value".to_owned());
    }
    let shape: Vec<i64> = array.shape().iter().map(|&extent| extent as i64).collect();
    if !ty.is_memref() {
        return Ok(Elements::new(&shape, elements).into());
    }
    let memref = memory.allocate_shape(&shape, Lifetime::Heap, Loc::UNKNOWN)?;
    for (at, element) in elements.into_iter().enumerate() {
        memory.store(memref.buffer, at as i64, Some(element))?;
    }
    Ok(memref.into())
}

/// A value of type `ty` as an array with elements as those of `like`.
fn to_array(value: &Value, ty: TypeRef<'_>, like: &Array, memory: &Memory) -> Result<Array, String> {
    let (shape, elements) = match value {
        Value::Array(array) => (array.shape().to_vec(), array.elements().to_vec()),
        Value::MemRef(view) => {
            let (mut elements, mut indices) = (Vec::new(), Odometer::new(&view.shape));
            while let Some(index) = indices.next() {
                let element = memory.read(view, index, ty.element_or_self())?;
                elements.push(element.ok_or_else(|| format!("element {index:?} was never written"))?);
            }
            (view.shape.to_vec(), elements)
        }
        scalar => (Vec::new(), vec![scalar.clone()]),
    };
    let mut bytes = Vec::new();
    for (at, element) in elements.iter().enumerate() {
        let mut one = Vec::new();
        if element.write_bytes(&mut one).is_none() {
            return Err(if shape.is_empty() { element.to_string() } else { format!("element {at} is {element}") });
        }
        bytes.extend(host_to_little(&one));
    }
    let shape: Vec<usize> = shape.iter().map(|&extent| extent as usize).collect();
    Array::from_bytes(like.dtype(), &shape, &bytes).map_err(|error| error.to_string())
}

/// Between the host's order of bytes and that of the interpreter.
fn host_to_little(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if cfg!(target_endian = "big") {
        bytes.reverse();
    }
    bytes
}
