//! The bytes of values, by the layout of their types.

use dl_ir::TypeRef;
use dl_ir::interp::{Array, Value};
use dl_ir::number::ApInt;

use super::pointer::{Pointer, PointerByte};
use crate::layout::{bits, member, size, stored};
use crate::types::{array_parts, is_ptr, struct_members};

/// The types of the members of an aggregate or vector, and where they begin.
fn parts(ty: TypeRef<'_>) -> Result<Option<Vec<(TypeRef<'_>, u64)>>, String> {
    let cx = ty.cx();
    if let Some((element, count)) = array_parts(ty) {
        let (element, step) = (cx.ty(element), size(cx.ty(element))?);
        return Ok(Some((0..count).map(|at| (element, at * step)).collect()));
    }
    if let Some(members) = struct_members(ty) {
        let part = |at| member(ty, at).map(|(member, start)| (cx.ty(member), start));
        return Ok(Some((0..members.len()).map(part).collect::<Result<_, _>>()?));
    }
    let Some(element) = ty.element_type().filter(|_| ty.is_vector()) else { return Ok(None) };
    if ty.is_scalable_vector() {
        return Err(format!("unsupported: '{ty}' in memory"));
    }
    if packed_lane(ty).is_some() {
        return Ok(None);
    }
    let step = lane_size(ty)?;
    let count: i64 = ty.shape().unwrap_or_default().iter().product();
    Ok(Some((0..count.unsigned_abs()).map(|at| (element, at * step)).collect()))
}

/// Bits of a lane of a vector whose lanes are no whole bytes, so that they follow each other bit by bit, the first one least significant.
fn packed_lane(ty: TypeRef<'_>) -> Option<usize> {
    let bits = ty.element_type().filter(|_| ty.is_vector())?.int_width()?;
    (bits % 8 != 0).then_some(bits as usize)
}

/// Bytes from one lane of a vector of type `ty` to the next.
pub(super) fn lane_size(ty: TypeRef<'_>) -> Result<u64, String> {
    let bits = bits(ty.element_or_self()).filter(|bits| bits % 8 == 0);
    Ok(bits.ok_or_else(|| format!("unsupported: '{ty}' in memory"))? / 8)
}

/// The bytes of a value; poison between members.
pub(super) fn to_bytes(value: &Value, ty: TypeRef<'_>) -> Result<Vec<Value>, String> {
    let mut bytes = vec![Value::Poison; usize::try_from(stored(ty)?.0).map_err(|_| "unsupported: a type so large")?];
    write(value, ty, &mut bytes)?;
    Ok(bytes)
}

fn write(value: &Value, ty: TypeRef<'_>, out: &mut [Value]) -> Result<(), String> {
    if value.is_poison() {
        return Ok(());
    }
    if let Some(parts) = parts(ty)? {
        let Value::Array(array) = value else {
            return Err(format!("unsupported: {value} as '{ty}'"));
        };
        for ((ty, start), part) in parts.into_iter().zip(array.elements()) {
            let end = start + stored(ty)?.0;
            write(part, ty, &mut out[start as usize..end as usize])?;
        }
        return Ok(());
    }
    if let (Some(width), Value::Array(lanes)) = (packed_lane(ty), value) {
        let bit = |at: usize| {
            lanes.elements().get(at / width).map(|lane| lane.as_int().map(|lane| lane.bit((at % width) as u32)))
        };
        for (index, byte) in out.iter_mut().enumerate() {
            let bits = (0..8).map(|at| bit(8 * index + at).unwrap_or(Some(false)).map(|bit| u64::from(bit) << at));
            let number: Option<u64> = bits.sum();
            *byte = number.map_or(Value::Poison, |number| Value::Int(ApInt::from_u64(8, number)));
        }
        return Ok(());
    }
    if let Some(pointer) = Pointer::of(value) {
        for (index, byte) in out.iter_mut().enumerate() {
            *byte = pointer.byte(index);
        }
        return Ok(());
    }
    let mut number = Vec::new();
    value.write_bytes(&mut number).ok_or_else(|| format!("unsupported: {value} in memory"))?;
    number.resize(out.len(), 0);
    for (byte, number) in out.iter_mut().zip(number) {
        *byte = Value::Int(ApInt::from_u64(8, number.into()));
    }
    Ok(())
}

/// The value of type `ty` that has these bytes. What is made of poison is poison.
pub(super) fn of_bytes(bytes: &[Value], ty: TypeRef<'_>) -> Result<Value, String> {
    if let Some(parts) = parts(ty)? {
        let part = |(ty, start): (TypeRef<'_>, u64)| {
            let end = start + stored(ty)?.0;
            let bytes = bytes.get(start as usize..end as usize);
            of_bytes(bytes.ok_or_else(|| format!("unsupported: too few bytes for '{ty}'"))?, ty)
        };
        let values = parts.into_iter().map(part).collect::<Result<Vec<_>, String>>()?;
        let shape = match ty.shape() {
            Some(shape) => shape.to_vec(),
            None => vec![values.len() as i64],
        };
        return Ok(Array::new(&shape, values).into());
    }
    let len = usize::try_from(stored(ty)?.0).map_err(|_| "unsupported: a type so large")?;
    let bytes = bytes.get(..len).ok_or_else(|| format!("unsupported: too few bytes for '{ty}'"))?;
    if is_ptr(ty) {
        return pointer_of(bytes);
    }
    if let Some(width) = packed_lane(ty) {
        return lanes_of(bytes, width, ty);
    }
    let mut number = Vec::new();
    for byte in bytes {
        match byte {
            Value::Poison => return Ok(Value::Poison),
            Value::Int(byte) => number.push(byte.to_u64().unwrap_or_default() as u8),
            _ => return Err("unsupported: the bytes of a pointer as a number".to_owned()),
        }
    }
    Value::of_bytes(ty, &number).ok_or_else(|| format!("unsupported: '{ty}' in memory"))
}

/// A vector whose lanes are `width` bits each, next to each other. Of a byte that is poison, all of its lanes are.
fn lanes_of(bytes: &[Value], width: usize, ty: TypeRef<'_>) -> Result<Value, String> {
    let shape = ty.shape().unwrap_or_default();
    let bit = |at: usize| match &bytes[at / 8] {
        Value::Poison => Ok(None),
        Value::Int(byte) => Ok(Some(byte.bit((at % 8) as u32))),
        _ => Err("unsupported: the bytes of a pointer as a number".to_owned()),
    };
    let lane = |lane: usize| {
        let bits = (0..width).map(|at| bit(lane * width + at)).collect::<Result<Option<Vec<bool>>, String>>()?;
        let Some(bits) = bits else { return Ok(Value::Poison) };
        let mut number = vec![0; width.div_ceil(8)];
        for (at, _) in bits.iter().enumerate().filter(|&(_, &bit)| bit) {
            number[at / 8] |= 1 << (at % 8);
        }
        Ok(Value::Int(ApInt::from_le_bytes(width as u32, &number)))
    };
    let lanes = (0..dl_ir::interp::num_elements(shape)?).map(lane).collect::<Result<_, String>>()?;
    Ok(Array::new(shape, lanes).into())
}

fn pointer_of(bytes: &[Value]) -> Result<Value, String> {
    let mut found = None;
    for (at, byte) in bytes.iter().enumerate() {
        let part = match byte {
            Value::Poison => return Ok(Value::Poison),
            Value::Other(other) => other.downcast_ref::<PointerByte>(),
            Value::Int(byte) if byte.is_zero() => Some(&PointerByte { pointer: Pointer::NULL, index: usize::MAX }),
            _ => None,
        };
        let part = part.ok_or("unsupported: numbers as the bytes of a pointer")?;
        let fits = part.index == at || part.index == usize::MAX;
        if !fits || *found.get_or_insert(part.pointer) != part.pointer {
            return Err("unsupported: a pointer of the bytes of several".to_owned());
        }
    }
    Ok(found.unwrap_or(Pointer::NULL).into())
}

/// Zero of type `ty`: null, and zero in every member.
pub(super) fn zero(ty: TypeRef<'_>) -> Option<Value> {
    fill(ty, &|ty| if is_ptr(ty) { Some(Pointer::NULL.into()) } else { Value::zero(ty) })
}

/// Poison of type `ty`, member by member, so that members can be replaced.
pub(super) fn poison(ty: TypeRef<'_>) -> Value {
    fill(ty, &|_| Some(Value::Poison)).unwrap_or(Value::Poison)
}

fn fill(ty: TypeRef<'_>, scalar: &dyn Fn(TypeRef<'_>) -> Option<Value>) -> Option<Value> {
    let cx = ty.cx();
    if let Some((element, count)) = array_parts(ty) {
        let element = fill(cx.ty(element), scalar)?;
        return Array::filled(&[i64::try_from(count).ok()?], &element).ok().map(Value::from);
    }
    if let Some(members) = struct_members(ty) {
        let members = members.iter().map(|&member| fill(cx.ty(member), scalar)).collect::<Option<Vec<_>>>()?;
        return Some(Array::new(&[members.len() as i64], members).into());
    }
    match ty.element_type().filter(|_| ty.is_vector() && !ty.is_scalable_vector()) {
        Some(element) => Array::filled(ty.shape()?, &scalar(element)?).ok().map(Value::from),
        None => scalar(ty),
    }
}

/// `value` with zero for poison, in every member.
pub(super) fn frozen(value: &Value, ty: TypeRef<'_>) -> Option<Value> {
    let cx = ty.cx();
    match value {
        Value::Poison => zero(ty),
        Value::Array(array) => {
            let members = struct_members(ty);
            let element = array_parts(ty).map(|(element, _)| element).or(ty.element_type().map(TypeRef::id));
            let part = |(at, part): (usize, &Value)| {
                let ty = members.as_ref().map_or(element, |members| members.get(at).copied())?;
                frozen(part, cx.ty(ty))
            };
            let parts = array.elements().iter().enumerate().map(part).collect::<Option<Vec<_>>>()?;
            Some(Array::new(array.shape(), parts).into())
        }
        other => Some(other.clone()),
    }
}
