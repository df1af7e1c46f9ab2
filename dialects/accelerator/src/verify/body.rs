//! What a launch is to the machine that it is for: memories, tiles, types, functions; and that what is on its way is not read before it is there.

use dl_ir::{AttrRef, BlockRef, Diagnostic, OpRef, OpView, RegionRef, TypeRef, ValueRef, walk};
use dl_simulator::ElementType;
use dl_simulator::machine::{Machine, MatrixTypes, MemoryKind, VectorFunction};
use dl_simulator::program::{BinaryOp, PoolOp, ReduceOp, UnaryOp};

use super::Verified;
use crate::{CoreOp, LaunchOp, MatmulTileOp, ReadyOp, target, types};

/// The body takes a buffer in DRAM for each input and each output, and does what the machine can do.
pub(crate) fn verify(op: OpRef<'_>) -> Verified {
    let launch = LaunchOp::wrap(op);
    let Ok(machine) = target::of_launch(launch) else { return Ok(()) };
    let Some(block) = op.body().region(0).entry() else { return Err(op.error("expected a body")) };
    let outside: Vec<TypeRef<'_>> =
        launch.inputs().iter().map(ValueRef::ty).chain(op.results().iter().map(ValueRef::ty)).collect();
    if block.num_args() != outside.len() {
        let (expected, got) = (outside.len(), block.num_args());
        return Err(op.error(format_args!("expected {expected} arguments, for inputs and outputs, but got {got}")));
    }
    for (index, (arg, ty)) in block.args().zip(outside).enumerate() {
        let in_dram = types::memory_of(arg.ty()).is_some_and(|name| machine.memory(name) == Some(machine.dram()));
        let dram = &machine.memories[machine.dram()].name;
        if !arg.ty().is_ranked_memref()
            || !in_dram
            || arg.ty().shape() != ty.shape()
            || arg.ty().element_type() != ty.element_type()
        {
            let got = arg.ty();
            return Err(op.error(format_args!(
                "expected argument {index} to be a buffer in '{dram}' for '{ty}', but got '{got}'"
            )));
        }
        if !arg.ty().has_static_shape() {
            return Err(op.error(format_args!("unsupported: '{ty}', whose extents are not known")));
        }
    }
    for inner in walk::pre_order(op.body()).skip(1) {
        operation(&machine, inner)?;
    }
    Ok(())
}

fn operation(machine: &Machine, op: OpRef<'_>) -> Verified {
    match op.name() {
        "accelerator.core" => {
            let (count, id) = (machine.cores.count() as i64, CoreOp::wrap(op).id().as_int().unwrap_or(i64::MAX));
            if id >= count {
                return Err(
                    op.error(format_args!("expected one of the {count} cores of '{}', but got {id}", machine.name))
                );
            }
            op.region(0).blocks().try_for_each(arrival)
        }
        "accelerator.alloc" => alloc(machine, op),
        "accelerator.matmul_tile" => matmul(machine, MatmulTileOp::wrap(op)),
        "accelerator.binary" => vector(
            machine,
            op,
            case(op).and_then(|case| BinaryOp::ALL.get(case)).map(|kind| VectorFunction::Binary(*kind)),
        ),
        "accelerator.unary" => vector(
            machine,
            op,
            case(op).and_then(|case| UnaryOp::ALL.get(case)).map(|kind| VectorFunction::Unary(*kind)),
        ),
        "accelerator.reduce" => vector(
            machine,
            op,
            case(op).and_then(|case| ReduceOp::ALL.get(case)).map(|kind| VectorFunction::Reduce(*kind)),
        ),
        "accelerator.pool" => {
            let function = |kind: &PoolOp| match kind {
                PoolOp::Max => VectorFunction::PoolMax,
                PoolOp::Average => VectorFunction::PoolAverage,
            };
            vector(machine, op, case(op).and_then(|case| PoolOp::ALL.get(case)).map(function))
        }
        "accelerator.requantize" => vector(machine, op, Some(VectorFunction::Requantize)),
        "accelerator.dequantize" => vector(machine, op, Some(VectorFunction::Dequantize)),
        "accelerator.dma_start" => {
            op.operands().iter().take(2).try_for_each(|buffer| memory(machine, op, buffer).map(|_| ()))
        }
        _ => Ok(()),
    }
}

fn case(op: OpRef<'_>) -> Option<usize> {
    usize::try_from(op.attr("kind").and_then(AttrRef::enum_value)?).ok()
}

/// The memory of the machine that a buffer is in.
fn memory(machine: &Machine, op: OpRef<'_>, buffer: ValueRef<'_>) -> Result<usize, Diagnostic> {
    let ty = buffer.ty();
    let Some(name) = types::memory_of(ty) else {
        return Err(op.error(format_args!("expected a buffer in a memory of the machine, but got '{ty}'")));
    };
    machine.memory(name).ok_or_else(|| op.error(format_args!("machine '{}' has no memory '{name}'", machine.name)))
}

fn element(op: OpRef<'_>, ty: TypeRef<'_>) -> Result<ElementType, Diagnostic> {
    types::element_type(ty)
        .ok_or_else(|| op.error(format_args!("unsupported: elements of type '{}'", ty.element_or_self())))
}

/// In bounds, where it has an address, and aligned.
fn alloc(machine: &Machine, op: OpRef<'_>) -> Verified {
    let ty = op.result(0).ty();
    let index = memory(machine, op, op.result(0))?;
    let memory = &machine.memories[index];
    let size = element(op, ty)?.size();
    let Some(layout) = ty.strided_layout().filter(|layout| layout.offset == 0) else {
        return Err(op.error(format_args!("unsupported: a buffer of type '{ty}'")));
    };
    let last =
        ty.shape().unwrap_or_default().iter().zip(&layout.strides).try_fold(0_u64, |last, (&extent, &stride)| {
            let step = u64::try_from(extent.max(1) - 1).ok()?.checked_mul(u64::try_from(stride).ok()?)?;
            last.checked_add(step)
        });
    let bytes = last.and_then(|last| last.checked_add(1)?.checked_mul(size));
    let offset = op.attr("offset").and_then(AttrRef::as_int).and_then(|offset| u64::try_from(offset).ok());
    if memory.kind == MemoryKind::Dram && offset.is_some() {
        return Err(
            op.error(format_args!("unsupported: an address in '{}', where the host places buffers", memory.name))
        );
    }
    let end = bytes.and_then(|bytes| bytes.checked_add(offset.unwrap_or(0)));
    if end.is_none_or(|end| end > memory.size) {
        return Err(op.error(format_args!("does not fit '{}', which has {} bytes", memory.name, memory.size)));
    }
    if !offset.unwrap_or(0).is_multiple_of(memory.alignment) {
        return Err(op.error(format_args!(
            "expected an address in '{}' that is a multiple of {}",
            memory.name, memory.alignment
        )));
    }
    Ok(())
}

fn matmul(machine: &Machine, op: MatmulTileOp<'_>) -> Verified {
    let at = op.0;
    let Some(unit) = &machine.matrix else {
        return Err(at.error(format_args!("machine '{}' has no matrix unit", machine.name)));
    };
    for (what, buffer, expected) in [
        ("left operand", op.lhs(), unit.lhs),
        ("right operand", op.rhs(), unit.rhs),
        ("sums", op.sums(), unit.accumulator),
    ] {
        let found = memory(machine, at, buffer)?;
        if found != expected {
            let [expected, got] = [expected, found].map(|index| &machine.memories[index].name);
            return Err(at.error(format_args!("expected the {what} in '{expected}', but got '{got}'")));
        }
    }
    let types = MatrixTypes {
        lhs: element(at, op.lhs().ty())?,
        rhs: element(at, op.rhs().ty())?,
        accumulator: element(at, op.sums().ty())?,
    };
    if !unit.types.contains(&types) {
        return Err(at.error(format_args!("machine '{}' has no products {types}", machine.name)));
    }
    let extent =
        |value: ValueRef<'_>, dim: usize| value.ty().shape().and_then(|shape| shape.get(dim).copied()).unwrap_or(-1);
    let tile = [extent(op.lhs(), 0), extent(op.rhs(), 1), extent(op.lhs(), 1)];
    for ((name, got), limit) in ["m", "n", "k"].into_iter().zip(tile).zip(unit.limits()) {
        if got > i64::from(limit) {
            return Err(at.error(format_args!("expected {name} to be at most {limit}, but got {got}")));
        }
    }
    Ok(())
}

fn vector(machine: &Machine, op: OpRef<'_>, function: Option<VectorFunction>) -> Verified {
    let Some(unit) = &machine.vector else {
        return Err(op.error(format_args!("machine '{}' has no vector unit", machine.name)));
    };
    let Some(function) = function else { return Err(op.error("of an unknown kind")) };
    if unit.cycles(function).is_none() {
        return Err(op.error(format_args!("machine '{}' has no vector function '{}'", machine.name, function.name())));
    }
    for buffer in op.operands().iter().filter(|operand| operand.ty().is_memref()) {
        let index = memory(machine, op, buffer)?;
        if !unit.memories.contains(&index) {
            let name = &machine.memories[index].name;
            return Err(op.error(format_args!("the vector unit of '{}' does not reach '{name}'", machine.name)));
        }
    }
    for buffer in op.operands().iter().take(2) {
        let element = element(op, buffer.ty())?;
        if !unit.types.contains(&element) {
            return Err(op.error(format_args!("machine '{}' has no vectors of {element}", machine.name)));
        }
    }
    Ok(())
}

/// A transfer that nobody has waited for yet.
struct Pending<'a> {
    at: OpRef<'a>,
    destination: ValueRef<'a>,
}

/// In each block, what a transfer brings is read only after its token, or that of a later transfer, has been waited for. This looks at one view at a
/// time; that no two instructions race at all is checked once their addresses are known, by `dl_simulator::check`.
fn arrival(block: BlockRef<'_>) -> Verified {
    let mut blocks = vec![block];
    while let Some(block) = blocks.pop() {
        for op in block.ops() {
            blocks.extend(op.regions().flat_map(RegionRef::blocks));
        }
        arrival_in(block)?;
    }
    Ok(())
}

fn arrival_in(block: BlockRef<'_>) -> Verified {
    let mut pending: Vec<Pending<'_>> = Vec::new();
    for op in block.ops() {
        if op.num_regions() > 0 {
            // What is waited for inside is not followed.
            pending.clear();
            continue;
        }
        for token in op.operands().iter().filter(|operand| operand.ty().is_dialect_type("accelerator.token")) {
            let source = token.defining_op();
            if source.is_some_and(|source| source.is::<ReadyOp<'_>>()) {
                continue;
            }
            match source.and_then(|source| pending.iter().position(|each| each.at == source)) {
                // All before it in its queue are complete as well.
                Some(index) => drop(pending.drain(..=index)),
                // The token of another operation, which may have waited for anything.
                None => pending.clear(),
            }
        }
        let is_load = op.name() == "accelerator.dma_start";
        let reads = op.operands().iter().filter(|operand| operand.ty().is_memref());
        if !is_load && op.name().starts_with("accelerator.") && op.name() != "accelerator.dealloc" {
            for buffer in reads {
                if let Some(found) = pending.iter().find(|each| each.destination == buffer) {
                    let error = op.error("uses what a transfer brings before its token is waited for");
                    return Err(error.note(found.at.loc(), "the transfer"));
                }
            }
        }
        if is_load {
            pending.push(Pending { at: op, destination: op.operand(1) });
        }
    }
    Ok(())
}
