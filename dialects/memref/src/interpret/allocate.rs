//! Allocation and its end.

use dl_ir::interp::{
    Cells, Flow, Lifetime, Machine, MemRef, Odometer, Outcome, Step, concrete_shape, leave, row_major,
};
use dl_ir::{DYNAMIC, Diagnostic, DialectBuilder, TypeRef};

use crate::{AllocOp, AllocaOp, AllocaScopeOp, AllocaScopeReturnOp, DeallocOp, ReallocOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<AllocOp<'_>>().interpret(alloc);
    b.on::<AllocaOp<'_>>().interpret(alloca);
    b.on::<AllocaScopeOp<'_>>().interpret(alloca_scope);
    b.on::<AllocaScopeReturnOp<'_>>().interpret(leave);
    b.on::<DeallocOp<'_>>().interpret(dealloc);
    b.on::<ReallocOp<'_>>().interpret(realloc);
}

/// A new buffer for a memref of type `ty` with these dynamic extents.
pub(super) fn allocate<'a>(
    step: Step<'a, '_>,
    machine: &mut dyn Machine<'a>,
    ty: TypeRef<'_>,
    sizes: &[i64],
    lifetime: Lifetime,
) -> Result<MemRef, Diagnostic> {
    let shape = concrete_shape(ty, sizes).ok_or_else(|| step.op.error("has too few sizes"))?;
    let loc = step.op.loc();
    if let Some(count) = lanes(ty).filter(|_| ty.has_identity_layout()) {
        // Lanes are what memory is made of, so that vectors of another shape can be seen in it.
        let mut extents = shape.clone();
        extents.push(count);
        let all = step.defined(machine.memory().allocate_shape(&extents, lifetime, loc))?;
        let strides = row_major(&shape);
        return Ok(MemRef { shape, strides, cells: Cells::Lanes { shift: 0, count }, ..all });
    }
    if ty.has_identity_layout() {
        return step.defined(machine.memory().allocate_shape(&shape, lifetime, loc));
    }
    let layout = ty.strided_layout().filter(|layout| layout.offset >= 0 && !layout.strides.iter().any(|&s| s < 0));
    let Some(layout) = layout.filter(|layout| layout.offset != DYNAMIC && !layout.strides.contains(&DYNAMIC)) else {
        return Err(step.unsupported(format_args!("allocation with the layout of '{ty}'")));
    };
    // Up to the last element.
    let last = shape.iter().zip(&layout.strides).try_fold(layout.offset, |last, (&extent, &stride)| {
        last.checked_add(extent.checked_sub(1)?.checked_mul(stride)?)
    });
    let len =
        if shape.contains(&0) { Some(0) } else { last.and_then(|last| usize::try_from(last).ok()?.checked_add(1)) };
    let Some(len) = len.filter(|_| shape.iter().all(|&extent| extent >= 0)) else {
        return Err(step.undefined("a buffer of negative or too large extent"));
    };
    let buffer = step.defined(machine.memory().allocate(len, lifetime, loc))?;
    let strides = layout.strides.as_slice().into();
    Ok(MemRef { buffer, offset: layout.offset, shape, strides, cells: Cells::Whole })
}

/// How many lanes each element of a memref of vectors has.
fn lanes(ty: TypeRef<'_>) -> Option<i64> {
    let vector = ty.element_type().filter(|element| element.is_vector() && !element.is_scalable_vector())?;
    vector.shape()?.iter().try_fold(1_i64, |count, &extent| count.checked_mul(extent))
}

fn alloc<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let sizes = step.indices(step.group(0))?;
    allocate(step, machine, step.op.result(0).ty(), &sizes, Lifetime::Heap).map(Flow::from)
}

/// Lives until control leaves the closest scope around it, which the machine sees to.
fn alloca<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let sizes = step.indices(step.group(0))?;
    allocate(step, machine, step.op.result(0).ty(), &sizes, Lifetime::Stack).map(Flow::from)
}

fn alloca_scope<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    machine.run_region(step.op.region(0), &[]).map(Flow::Next)
}

fn dealloc<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let memref = step.memref(step.one(0)?)?;
    step.defined(machine.memory().free(memref.buffer))?;
    Ok(Flow::none())
}

/// A new buffer that begins with what the old one held, whose life ends.
fn realloc<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.memref(step.one(0)?)?;
    let (from, to) = (step.op.operand(0).ty(), step.op.result(0).ty());
    let sizes = step.indices(step.group(1))?;
    let result = allocate(step, machine, to, &sizes, Lifetime::Heap)?;
    let kept: Vec<i64> = source.shape.iter().zip(&result.shape).map(|(&old, &new)| old.min(new)).collect();
    let mut indices = Odometer::new(&kept);
    while let Some(index) = indices.next() {
        let value = step.defined(machine.memory().read(source, index, from.element_or_self()))?;
        step.defined(machine.memory().write(&result, index, value))?;
    }
    step.defined(machine.memory().free(source.buffer))?;
    Ok(result.into())
}
