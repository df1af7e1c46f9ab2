//! Calls with values of the interpreter: arrays become values, and values arrays.

use dl_ir::attributes::DenseElement;
use dl_ir::interfaces::FunctionOp;
use dl_ir::interp::{Array as Elements, Lifetime, Memory, Odometer, Value};
use dl_ir::symbol::SymbolTable;
use dl_ir::{Diagnostics, Loc, OpRef, TypeRef};
use dl_runtime::Array;
use dl_runtime::call::EntryPoint;
use dl_tools_support::messages;

/// A function that is called from outside.
pub(super) struct Boundary<'p> {
    /// The function.
    pub(super) function: OpRef<'p>,
    entry: EntryPoint,
}

impl<'p> Boundary<'p> {
    /// The function of a module that is the entry.
    ///
    /// # Errors
    /// That there is none.
    pub(super) fn new(module: OpRef<'p>, entry: EntryPoint) -> Result<Self, Diagnostics> {
        match SymbolTable::new(module).get(&entry.name) {
            Some(function) => Ok(Self { function, entry }),
            None => Err(messages::error(format!("no function '{}'", entry.name))),
        }
    }

    fn fault(&self, message: &str) -> Diagnostics {
        messages::error(format!("function '{}': {message}", self.entry.name))
    }

    /// The arguments as values; each memref gets a buffer of its own.
    ///
    /// # Errors
    /// What cannot be handed over.
    pub(super) fn enter(&self, arguments: &[Array], memory: &mut Memory) -> Result<Vec<Value>, Diagnostics> {
        let (cx, kind) = (self.function.cx(), self.function.interface::<dyn FunctionOp>());
        let inputs = kind.map(|kind| kind.inputs(self.function)).unwrap_or_default();
        let mut values = Vec::with_capacity(arguments.len());
        for (array, &ty) in arguments.iter().zip(&inputs) {
            values.push(to_value(array, cx.ty(ty), memory).map_err(|why| self.fault(&why))?);
        }
        Ok(values)
    }

    /// The results of a call with `values`, which `arguments` have become; memrefs among the arguments are read back.
    ///
    /// # Errors
    /// What cannot be handed out.
    pub(super) fn leave(
        &self,
        arguments: &mut [Array],
        values: &[Value],
        returned: &[Value],
        memory: &Memory,
    ) -> Result<Vec<Array>, Diagnostics> {
        let (cx, kind) = (self.function.cx(), self.function.interface::<dyn FunctionOp>());
        let inputs = kind.map(|kind| kind.inputs(self.function)).unwrap_or_default();
        let results = kind.map(|kind| kind.results(self.function)).unwrap_or_default();
        for (at, (array, value)) in arguments.iter_mut().zip(values).enumerate() {
            if value.as_memref().is_some() {
                let changed = to_array(value, cx.ty(inputs[at]), array, memory);
                *array = changed.map_err(|why| self.fault(&format!("argument {}: {why}", at + 1)))?;
            }
        }
        let expected = &self.entry.signature.results;
        let mut arrays = Vec::with_capacity(returned.len());
        for (at, ((value, &ty), expected)) in returned.iter().zip(&results).zip(expected).enumerate() {
            let empty = Array::from_bytes(expected.dtype(), &[0], &[]);
            let empty = empty.map_err(|error| self.fault(&error.to_string()))?;
            let array = to_array(value, cx.ty(ty), &empty, memory);
            arrays.push(array.map_err(|why| self.fault(&format!("result {}: {why}", at + 1)))?);
        }
        Ok(arrays)
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
