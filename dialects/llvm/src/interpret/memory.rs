//! Memory: bytes.

use dl_ir::interfaces::FunctionOp;
use dl_ir::interp::{Array, BufferId, Flow, Lifetime, Machine, MemRef, Outcome, Step, Value};
use dl_ir::{AttrRef, Diagnostic, DialectBuilder, TypeRef};

use super::constants::value_of;
use super::layout::{of_bytes, to_bytes};
use super::on;
use super::pointer::Pointer;
use crate::layout::{member, size};
use crate::types::{array_parts, struct_members};
use crate::{
    AddressOfOp, AliasOp, AllocaOp, DSOLocalEquivalentOp, GEP_DYNAMIC_INDEX, GEPOp, GlobalOp, LoadOp, MemcpyInlineOp,
    MemcpyOp, MemmoveOp, MemsetInlineOp, MemsetOp, StoreOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<AllocaOp<'_>>().interpret(alloca);
    b.on::<LoadOp<'_>>().interpret(load);
    b.on::<StoreOp<'_>>().interpret(store);
    on::<GEPOp<'_>>(b, getelementptr);
    b.on::<AddressOfOp<'_>>().interpret(addressof);
    b.on::<DSOLocalEquivalentOp<'_>>().interpret(dso_local_equivalent);
    b.on::<MemcpyOp<'_>>().interpret(memcpy);
    b.on::<MemcpyInlineOp<'_>>().interpret(memcpy);
    b.on::<MemmoveOp<'_>>().interpret(memmove);
    b.on::<MemsetOp<'_>>().interpret(memset);
    b.on::<MemsetInlineOp<'_>>().interpret(memset);
}

pub(super) fn pointer(step: Step<'_, '_>, value: &Value) -> Result<Pointer, Diagnostic> {
    match value {
        Value::Poison => Err(step.undefined("use of poison as an address")),
        value => Pointer::of(value).ok_or_else(|| step.unsupported(format_args!("{value} as an address"))),
    }
}

fn buffer(step: Step<'_, '_>, pointer: Pointer) -> Result<BufferId, Diagnostic> {
    pointer.buffer.ok_or_else(|| step.undefined("access through a null pointer"))
}

/// Bytes from `pointer` on; poison where nothing was written, since that is what `undef` is.
fn read(
    step: Step<'_, '_>,
    machine: &mut dyn Machine<'_>,
    pointer: Pointer,
    len: u64,
) -> Result<Vec<Value>, Diagnostic> {
    if len == 0 {
        return Ok(Vec::new());
    }
    let buffer = buffer(step, pointer)?;
    let memory = machine.memory();
    // First the last byte: what is too long is so at once.
    step.defined(memory.peek(buffer, pointer.offset.saturating_add_unsigned(len - 1)))?;
    let byte = |at: u64| {
        let found = memory.peek(buffer, pointer.offset.saturating_add_unsigned(at));
        step.defined(found).map(|byte| byte.cloned().unwrap_or(Value::Poison))
    };
    (0..len).map(byte).collect()
}

fn write(
    step: Step<'_, '_>,
    machine: &mut dyn Machine<'_>,
    pointer: Pointer,
    bytes: Vec<Value>,
) -> Result<(), Diagnostic> {
    for (at, byte) in bytes.into_iter().enumerate() {
        let position = pointer.offset.saturating_add_unsigned(at as u64);
        step.defined(machine.memory().store(buffer(step, pointer)?, position, Some(byte)))?;
    }
    Ok(())
}

fn element_type<'a>(step: Step<'a, '_>) -> Result<TypeRef<'a>, Diagnostic> {
    step.op.attr("elem_type").and_then(AttrRef::as_type).ok_or_else(|| step.op.error("has no element type"))
}

fn alloca<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (count, each) = (step.int(step.one(0)?)?.to_u64(), size(element_type(step)?));
    let each = step.defined(each)?;
    let len = count.and_then(|count| count.checked_mul(each)).and_then(|len| usize::try_from(len).ok());
    let len = len.ok_or_else(|| step.unsupported("so much memory"))?;
    let buffer = machine.memory().allocate(len, Lifetime::Stack, step.op.loc());
    Ok(Value::from(Pointer { buffer: Some(step.defined(buffer)?), offset: 0 }).into())
}

fn stored_len(step: Step<'_, '_>, ty: TypeRef<'_>) -> Result<u64, Diagnostic> {
    // As many bytes as a store of poison would write.
    let bytes = to_bytes(&Value::Poison, ty);
    Ok(step.defined(bytes)?.len() as u64)
}

/// The value of type `ty` at the pointer `place`.
pub(super) fn load_as(
    step: Step<'_, '_>,
    machine: &mut dyn Machine<'_>,
    place: &Value,
    ty: TypeRef<'_>,
) -> Result<Value, Diagnostic> {
    let bytes = read(step, machine, pointer(step, place)?, stored_len(step, ty)?)?;
    let value = of_bytes(&bytes, ty);
    step.defined(value)
}

/// Writes a value of type `ty` to the pointer `place`.
pub(super) fn store_as(
    step: Step<'_, '_>,
    machine: &mut dyn Machine<'_>,
    place: &Value,
    value: &Value,
    ty: TypeRef<'_>,
) -> Result<(), Diagnostic> {
    let bytes = to_bytes(value, ty);
    write(step, machine, pointer(step, place)?, step.defined(bytes)?)
}

fn load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    load_as(step, machine, step.one(0)?, step.op.result(0).ty()).map(Flow::from)
}

fn store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    store_as(step, machine, step.one(1)?, step.one(0)?, step.op.operand(0).ty())?;
    Ok(Flow::none())
}

/// The base, the first of `v`, moved by whole elements, then into members. The others are the indices that are no constants.
fn getelementptr(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let cx = step.op.cx();
    let mut ty = element_type(step)?;
    let mut dynamic = v[1..].iter();
    let mut offset = 0_i64;
    let constants: Vec<i64> = step.op.attr("rawConstantIndices").into_iter().flat_map(AttrRef::dense_ints).collect();
    for (at, &constant) in constants.iter().enumerate() {
        let index = if constant == i64::from(GEP_DYNAMIC_INDEX) {
            step.index(dynamic.next().ok_or_else(|| step.op.error("has too few indices"))?)?
        } else {
            constant
        };
        if at > 0 && struct_members(ty).is_some() {
            let member = member(ty, usize::try_from(index).unwrap_or(usize::MAX));
            let (inner, start) = step.defined(member)?;
            ty = cx.ty(inner);
            offset = offset.wrapping_add_unsigned(start);
            continue;
        }
        if at > 0 {
            let inner = array_parts(ty).map(|(element, _)| element).or(ty.element_type().map(TypeRef::id));
            ty = cx.ty(inner.ok_or_else(|| step.op.error(format_args!("has an index into '{ty}'")))?);
        }
        let each = size(ty);
        offset = offset.wrapping_add(index.wrapping_mul(step.defined(each)? as i64));
    }
    Ok(pointer(step, &v[0])?.moved(offset).into())
}

/// Of a function it is the function, of an alias what that stands for, of a global its bytes, which are made when they are first asked for.
fn addressof<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let name = step.op.attr("global_name").ok_or_else(|| step.op.error("has no name"))?;
    let Some(symbol) = machine.symbol(name) else { return Err(step.op.error(format_args!("{name} is not defined"))) };
    if symbol.interface::<dyn FunctionOp>().is_some() {
        return Ok(Value::Function(name.id()).into());
    }
    if symbol.is::<AliasOp<'_>>() {
        let left = machine.run_region(symbol.region(0), &[])?;
        let place = left.into_iter().next().ok_or_else(|| symbol.error("has no value"))?;
        return Ok(place.into());
    }
    let Some(global) = symbol.cast::<GlobalOp<'a>>() else {
        return Err(step.unsupported(format_args!("the address of {name}")));
    };
    let key = format!("llvm.mlir.global {:p} {:?}", std::ptr::from_ref(symbol.arena()), symbol.id());
    let view = if let Some(Value::MemRef(view)) = machine.kept(&key) {
        view
    } else {
        let bytes = initial(step, global, machine)?;
        let constant = symbol.attr("constant").is_some();
        let lifetime = if constant { Lifetime::Constant } else { Lifetime::Static };
        let buffer = machine.memory().allocate(bytes.len(), lifetime, symbol.loc());
        let buffer = step.defined(buffer)?;
        for (at, byte) in bytes.iter().enumerate() {
            step.defined(machine.memory().initialize(buffer, at as i64, Some(byte.clone())))?;
        }
        let view = std::sync::Arc::new(MemRef::whole(buffer, &[bytes.len() as i64]));
        machine.keep(&key, Value::MemRef(std::sync::Arc::clone(&view)));
        view
    };
    Ok(Value::from(Pointer { buffer: Some(view.buffer), offset: 0 }).into())
}

/// The function itself: what is called is the same.
fn dso_local_equivalent<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let name = step.op.attr("function_name").ok_or_else(|| step.op.error("has no name"))?;
    Ok(Value::Function(name.id()).into())
}

/// The bytes that a global begins with.
fn initial<'a>(
    step: Step<'a, '_>,
    global: GlobalOp<'a>,
    machine: &mut dyn Machine<'a>,
) -> Result<Vec<Value>, Diagnostic> {
    let op = global.0.body();
    let ty = op.attr("global_type").and_then(AttrRef::as_type).ok_or_else(|| op.error("has no type"))?;
    let value = match (op.attr("value"), op.region(0).is_empty()) {
        (Some(value), _) => value_of(step, value, ty, machine)?,
        (None, false) => {
            let left = machine.run_region(op.region(0), &[])?;
            left.into_iter().next().ok_or_else(|| op.error("has no initial value"))?
        }
        (None, true) => {
            return Err(
                step.unsupported(format_args!("the external global '{}'", op.symbol_name().unwrap_or_default()))
            );
        }
    };
    let bytes = to_bytes(&value, ty);
    step.defined(bytes)
}

fn len(step: Step<'_, '_>) -> Result<u64, Diagnostic> {
    let len = match step.op.attr("len") {
        Some(len) => len.as_ap_int().and_then(dl_ir::number::ApInt::to_u64),
        None => step.int(step.one(2)?)?.to_u64(),
    };
    len.ok_or_else(|| step.unsupported("so much memory"))
}

fn memmove<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (to, from, len) = (pointer(step, step.one(0)?)?, pointer(step, step.one(1)?)?, len(step)?);
    let bytes = read(step, machine, from, len)?;
    write(step, machine, to, bytes)?;
    Ok(Flow::none())
}

/// Both ranges are the same, or have nothing in common.
fn memcpy<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (to, from, len) = (pointer(step, step.one(0)?)?, pointer(step, step.one(1)?)?, len(step)?);
    let apart = to.offset.abs_diff(from.offset);
    if to.buffer == from.buffer && apart != 0 && apart < len {
        return Err(step.undefined("a copy between overlapping ranges"));
    }
    memmove(step, machine)
}

fn memset<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (to, byte, len) = (pointer(step, step.one(0)?)?, step.one(1)?, len(step)?);
    let count = i64::try_from(len).ok().and_then(|len| Array::filled(&[len], byte).ok());
    let bytes = count.ok_or_else(|| step.unsupported("so much memory"))?;
    write(step, machine, to, bytes.elements().to_vec())?;
    Ok(Flow::none())
}
