//! Vectors in memory lane by lane: those of a mask, at addresses of their own, at a constant distance, or next to each other.
//!
//! What takes no part touches no memory, so that its address may be anything. An access whose mask is poison is undefined.

use dl_ir::interp::{Flow, Machine, Outcome, Step, Value};
use dl_ir::{Diagnostic, DialectBuilder, TypeRef};

use super::mask::{Mask, lane_count, vector};
use crate::interpret::aggregates::lane_at;
use crate::interpret::layout::lane_size;
use crate::interpret::memory::{load_as, pointer, store_as};
use crate::{
    MaskedCompressstoreOp, MaskedExpandloadOp, MaskedGatherOp, MaskedLoadOp, MaskedScatterOp, MaskedStoreOp,
    MatrixColumnMajorLoadOp, MatrixColumnMajorStoreOp, VPLoadOp, VPStoreOp, VPStridedLoadOp, VPStridedStoreOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<MaskedLoadOp<'_>>().interpret(masked_load);
    b.on::<MaskedStoreOp<'_>>().interpret(masked_store);
    b.on::<MaskedGatherOp<'_>>().interpret(gather);
    b.on::<MaskedScatterOp<'_>>().interpret(scatter);
    b.on::<MaskedExpandloadOp<'_>>().interpret(expand_load);
    b.on::<MaskedCompressstoreOp<'_>>().interpret(compress_store);
    b.on::<VPLoadOp<'_>>().interpret(vp_load);
    b.on::<VPStoreOp<'_>>().interpret(vp_store);
    b.on::<VPStridedLoadOp<'_>>().interpret(vp_strided_load);
    b.on::<VPStridedStoreOp<'_>>().interpret(vp_strided_store);
    b.on::<MatrixColumnMajorLoadOp<'_>>().interpret(column_major_load);
    b.on::<MatrixColumnMajorStoreOp<'_>>().interpret(column_major_store);
}

/// Where a lane is.
#[derive(Clone, Copy)]
enum Places<'v> {
    /// In a vector of pointers.
    Each(&'v Value),
    /// So many bytes after the lane before it, the first at the pointer.
    Apart(&'v Value, i64),
    /// Right after the lane before it that takes part, the first of these at the pointer; a lane has so many bytes.
    Packed(&'v Value, i64),
    /// In columns of `rows` lanes of `size` bytes next to each other, the columns `apart` bytes apart.
    Columns { start: &'v Value, rows: usize, size: i64, apart: i64 },
}

impl Places<'_> {
    /// The place of lane `at`, before which `before` lanes take part.
    fn get(self, step: Step<'_, '_>, at: usize, before: usize) -> Result<Value, Diagnostic> {
        let (start, distance) = match self {
            Self::Each(pointers) => return Ok(lane_at(pointers, at)),
            Self::Apart(start, apart) => (start, apart.checked_mul(at as i64)),
            Self::Packed(start, size) => (start, size.checked_mul(before as i64)),
            Self::Columns { start, rows, size, apart } => {
                let row = size.checked_mul((at % rows) as i64);
                (start, apart.checked_mul((at / rows) as i64).and_then(|column| column.checked_add(row?)))
            }
        };
        let start = pointer(step, start)?;
        let moved = distance.and_then(|distance| start.offset.checked_add(distance).map(|_| start.moved(distance)));
        Ok(moved.ok_or_else(|| step.undefined("the address overflows 64 bits"))?.into())
    }
}

/// Bytes of a lane of a vector of type `ty`.
fn size(step: Step<'_, '_>, ty: TypeRef<'_>) -> Result<i64, Diagnostic> {
    let size = lane_size(ty);
    Ok(step.defined(size)? as i64)
}

/// Reads the result. Lanes that take no part are those of `otherwise`, or poison.
fn read<'a>(
    step: Step<'a, '_>,
    machine: &mut dyn Machine<'a>,
    mask: Mask<'_>,
    otherwise: Option<&Value>,
    places: Places<'_>,
) -> Outcome<'a> {
    let ty = step.op.result(0).ty();
    let (mut lanes, mut before) = (Vec::new(), 0);
    for at in 0..lane_count(step, ty)? {
        lanes.push(if mask.accesses(step, at)? {
            before += 1;
            load_as(step, machine, &places.get(step, at, before - 1)?, ty.element_or_self())?
        } else {
            otherwise.map_or(Value::Poison, |otherwise| lane_at(otherwise, at))
        });
    }
    Ok(vector(lanes).into())
}

/// Writes the first operand, its first lane first.
fn write<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>, mask: Mask<'_>, places: Places<'_>) -> Outcome<'a> {
    let (value, ty) = (step.one(0)?, step.op.operand(0).ty());
    let mut before = 0;
    for at in 0..lane_count(step, ty)? {
        if mask.accesses(step, at)? {
            let place = places.get(step, at, before)?;
            store_as(step, machine, &place, &lane_at(value, at), ty.element_or_self())?;
            before += 1;
        }
    }
    Ok(Flow::none())
}

fn masked_load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = Places::Apart(step.one(0)?, size(step, step.op.result(0).ty())?);
    read(step, machine, Mask::of(step.one(1)?), step.group(2).first(), places)
}

fn masked_store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = Places::Apart(step.one(1)?, size(step, step.op.operand(0).ty())?);
    write(step, machine, Mask::of(step.one(2)?), places)
}

fn gather<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    read(step, machine, Mask::of(step.one(1)?), step.group(2).first(), Places::Each(step.one(0)?))
}

fn scatter<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    write(step, machine, Mask::of(step.one(2)?), Places::Each(step.one(1)?))
}

fn expand_load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = Places::Packed(step.one(0)?, size(step, step.op.result(0).ty())?);
    read(step, machine, Mask::of(step.one(1)?), Some(step.one(2)?), places)
}

fn compress_store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = Places::Packed(step.one(1)?, size(step, step.op.operand(0).ty())?);
    write(step, machine, Mask::of(step.one(2)?), places)
}

fn vp_load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = Places::Apart(step.one(0)?, size(step, step.op.result(0).ty())?);
    read(step, machine, Mask::predicate(step)?.1, None, places)
}

fn vp_store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = Places::Apart(step.one(1)?, size(step, step.op.operand(0).ty())?);
    write(step, machine, Mask::predicate(step)?.1, places)
}

/// The distance is in bytes, and signed.
fn vp_strided_load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = Places::Apart(step.one(0)?, step.index(step.one(1)?)?);
    read(step, machine, Mask::predicate(step)?.1, None, places)
}

fn vp_strided_store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = Places::Apart(step.one(1)?, step.index(step.one(2)?)?);
    write(step, machine, Mask::predicate(step)?.1, places)
}

/// A matrix of vector type `ty` from `start` on, its columns `stride` elements apart, which must be no less than it has rows.
fn columns<'v>(
    step: Step<'_, '_>,
    ty: TypeRef<'_>,
    start: &'v Value,
    stride: &Value,
) -> Result<Places<'v>, Diagnostic> {
    let (rows, size) = (super::matrix::extents(step, ty, ["rows", "columns"])?[0], size(step, ty)?);
    let stride = step.int(stride)?;
    let apart = stride.to_u64().and_then(|stride| i64::try_from(stride).ok());
    if apart.is_some_and(|apart| apart < rows as i64) {
        return Err(step.undefined(format_args!("columns of {rows} rows {} elements apart", apart.unwrap_or_default())));
    }
    let apart = apart.and_then(|apart| apart.checked_mul(size));
    let apart = apart.ok_or_else(|| step.undefined("the address overflows 64 bits"))?;
    Ok(Places::Columns { start, rows, size, apart })
}

fn column_major_load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = columns(step, step.op.result(0).ty(), step.one(0)?, step.one(1)?)?;
    read(step, machine, Mask::ALL, None, places)
}

fn column_major_store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let places = columns(step, step.op.operand(0).ty(), step.one(1)?, step.one(2)?)?;
    write(step, machine, Mask::ALL, places)
}
