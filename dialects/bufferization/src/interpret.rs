//! What the operations mean when run.
//!
//! A tensor holds its elements, so a buffer made of one is a copy, and a tensor made of a buffer is what the buffer holds then. That
//! both may be the same memory is for programs that cannot tell the difference: the rules of the dialect leave it undefined to write to one
//! while the other is in use.

use dl_ir::interp::{
    Array, Flow, Lifetime, Machine, MemRef, Memory, Odometer, Outcome, Step, Value, Values, concrete_shape,
};
use dl_ir::{DYNAMIC, Diagnostic, DialectBuilder, TypeRef};

use crate::{AllocTensorOp, CloneOp, DeallocOp, DeallocTensorOp, MaterializeInDestinationOp, ToBufferOp, ToTensorOp};

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<AllocTensorOp<'_>>().interpret(alloc_tensor);
    b.on::<CloneOp<'_>>().interpret(clone);
    b.on::<DeallocOp<'_>>().interpret(dealloc);
    b.on::<DeallocTensorOp<'_>>().interpret(dealloc_tensor);
    b.on::<MaterializeInDestinationOp<'_>>().interpret(materialize_in_destination);
    b.on::<ToBufferOp<'_>>().interpret(to_buffer);
    b.on::<ToTensorOp<'_>>().interpret(to_tensor);
}

/// What a view of elements of type `element` holds; poison where nothing was written.
fn contents(step: Step<'_, '_>, memory: &Memory, view: &MemRef, element: TypeRef<'_>) -> Result<Array, Diagnostic> {
    let mut array = step.defined(Array::filled(&view.shape, &Value::Poison))?;
    let mut indices = Odometer::new(&view.shape);
    for slot in array.elements_mut() {
        let Some(index) = indices.next() else { break };
        if let Some(value) = step.defined(memory.read(view, index, element))? {
            *slot = value;
        }
    }
    Ok(array)
}

/// Writes the elements of `array` to a view of its shape. Poison leaves what is there undefined.
fn fill(step: Step<'_, '_>, memory: &mut Memory, view: &MemRef, array: &Array) -> Result<(), Diagnostic> {
    if view.shape[..] != *array.shape() {
        return Err(step.undefined(format_args!("shapes {:?} and {:?} differ", array.shape(), view.shape)));
    }
    let mut indices = Odometer::new(&view.shape);
    for element in array.elements() {
        let Some(index) = indices.next() else { break };
        step.defined(memory.write(view, index, Some(element.clone())))?;
    }
    Ok(())
}

/// A new buffer with the elements of `array`.
fn buffer_of(step: Step<'_, '_>, memory: &mut Memory, array: &Array, life: Lifetime) -> Result<MemRef, Diagnostic> {
    let view = step.defined(memory.allocate_shape(array.shape(), life, step.op.loc()))?;
    fill(step, memory, &view, array)?;
    Ok(view)
}

/// A copy, or elements that are not known yet.
fn alloc_tensor<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    if let Some(copied) = step.group(1).first() {
        return Ok(copied.clone().into());
    }
    let shape = concrete_shape(step.op.result(0).ty(), &step.indices(step.group(0))?);
    let shape = shape.ok_or_else(|| step.op.error("has too few sizes"))?;
    step.defined(Array::filled(&shape, &Value::Poison)).map(Flow::from)
}

fn clone<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, element) = (step.memref(step.one(0)?)?, step.op.operand(0).ty().element_or_self());
    let ty = step.op.result(0).ty();
    let fits = |(&known, &extent): (&i64, &i64)| known == DYNAMIC || known == extent;
    if ty.shape().is_some_and(|known| known.len() != source.shape.len() || !known.iter().zip(&*source.shape).all(fits))
    {
        return Err(step.undefined(format_args!("a memref of shape {:?} as '{ty}'", source.shape)));
    }
    let array = contents(step, machine.memory(), source, element)?;
    let copy = buffer_of(step, machine.memory(), &array, Lifetime::Heap)?;
    machine.memory().share(source.buffer, copy.buffer);
    Ok(Flow::from(copy))
}

/// Frees each buffer whose condition holds, once, unless a retained memref is a view of it: that one then has to be freed later, which
/// its condition says.
fn dealloc<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let mut owned = Vec::new();
    for (memref, condition) in step.group(0).iter().zip(step.group(1)) {
        if step.bool(condition)? {
            owned.push(step.memref(memref)?.buffer);
        }
    }
    let retained = step.group(2).iter().map(|value| Ok(step.memref(value)?.buffer)).collect::<Result<Vec<_>, _>>()?;
    let updated: Values = retained.iter().map(|buffer| Value::bool(owned.contains(buffer))).collect();
    let mut freed = Vec::new();
    for buffer in owned {
        if !retained.contains(&buffer) && !freed.contains(&buffer) {
            step.defined(machine.memory().free(buffer))?;
            freed.push(buffer);
        }
    }
    Ok(Flow::Next(updated))
}

/// A tensor has no memory to free.
fn dealloc_tensor<'a>(_: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Flow::none())
}

/// Into a buffer, or as another name of the source.
fn materialize_in_destination<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, dest) = (step.array(step.one(0)?)?, step.one(1)?);
    if let Value::MemRef(view) = dest {
        fill(step, machine.memory(), view, source)?;
        return Ok(Flow::none());
    }
    let shape = step.array(dest)?.shape();
    if shape != source.shape() {
        return Err(step.undefined(format_args!("shapes {:?} and {shape:?} differ", source.shape())));
    }
    Ok(step.one(0)?.clone().into())
}

fn to_buffer<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let array = step.array(step.one(0)?)?;
    let view = buffer_of(step, machine.memory(), array, Lifetime::Static)?;
    if ToBufferOp(step.op).read_only().is_some() {
        machine.memory().freeze(view.buffer);
    }
    Ok(Flow::from(view))
}

fn to_tensor<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (view, element) = (step.memref(step.one(0)?)?, step.op.operand(0).ty().element_or_self());
    contents(step, machine.memory(), view, element).map(Flow::from)
}
