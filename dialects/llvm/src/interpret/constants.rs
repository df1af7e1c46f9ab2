//! Constants.

use dl_ir::interp::{Array, Machine, Outcome, Step, Value};
use dl_ir::{AttrRef, Diagnostic, DialectBuilder, TypeRef};

use super::layout;
use crate::types::{array_parts, struct_members};
use crate::{ConstantOp, PoisonOp, UndefOp, ZeroOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<ConstantOp<'_>>().interpret(constant);
    b.on::<ZeroOp<'_>>().interpret(zero);
    b.on::<PoisonOp<'_>>().interpret(poison);
    // Any value may be taken for undef, another one each time, so that no program can tell it from poison but by freezing it.
    b.on::<UndefOp<'_>>().interpret(poison);
}

fn constant<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let attr = step.op.attr("value").ok_or_else(|| step.op.error("has no value"))?;
    value_of(step, attr, step.op.result(0).ty(), machine).map(Into::into)
}

/// The value of type `ty` that an attribute stands for: its own where that is a number or a vector, and element by element for arrays
/// and structs.
pub(super) fn value_of<'a>(
    step: Step<'a, '_>,
    attr: AttrRef<'a>,
    ty: TypeRef<'a>,
    machine: &mut dyn Machine<'a>,
) -> Result<Value, Diagnostic> {
    let cx = ty.cx();
    if let Some(members) = struct_members(ty) {
        let parts: Vec<AttrRef<'a>> = attr.elements().collect();
        if !attr.is_array() || parts.len() != members.len() {
            return Err(step.unsupported(format_args!("the constant {attr}")));
        }
        let parts = parts.into_iter().zip(members).map(|(part, ty)| value_of(step, part, cx.ty(ty), machine));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        return Ok(Array::new(&[parts.len() as i64], parts).into());
    }
    if let (Some(text), Some((_, count))) = (attr.as_str(), array_parts(ty)) {
        let bytes: Vec<Value> =
            text.bytes().map(|byte| Value::Int(dl_ir::number::ApInt::from_u64(8, byte.into()))).collect();
        let fits = bytes.len() as u64 == count;
        return if fits {
            Ok(Array::new(&[bytes.len() as i64], bytes).into())
        } else {
            Err(step.unsupported(format_args!("the constant {attr}")))
        };
    }
    let value = machine.constant(attr);
    let value = step.defined(value)?;
    Ok(match (&value, ty.int_width()) {
        // An index attribute may stand for an integer of another width.
        (Value::Int(number), Some(width)) if number.width() != width => Value::Int(number.sext_or_trunc(width)),
        (Value::Array(array), _) => nested(array.shape(), array.elements(), ty),
        _ => value,
    })
}

/// The elements of several dimensions as arrays of arrays, as the dialect has them.
fn nested(shape: &[i64], elements: &[Value], ty: TypeRef<'_>) -> Value {
    let Some((element, count)) = array_parts(ty) else { return Array::new(shape, elements.to_vec()).into() };
    let (count, size) = (count as usize, elements.len() / (count as usize).max(1));
    let inner = shape.get(1..).unwrap_or_default();
    let part = |at: usize| match &elements[at * size..(at + 1) * size] {
        [number] if inner.is_empty() => number.clone(),
        part => nested(inner, part, ty.cx().ty(element)),
    };
    Array::new(&[count as i64], (0..count).map(part).collect()).into()
}

fn zero<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let ty = step.op.result(0).ty();
    layout::zero(ty).map(Into::into).ok_or_else(|| step.unsupported(format_args!("zero of type '{ty}'")))
}

fn poison<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(layout::poison(step.op.result(0).ty()).into())
}
