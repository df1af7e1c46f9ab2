//! Conversions between integers, floats and `index`.

use dl_ir::attributes::AttrData;
use dl_ir::dialect::{Folded, folded};
use dl_ir::number::{ApInt, float};
use dl_ir::{Attr, OpRef};

use crate::constants::{Number, is_poison, map};
use crate::flags::fastmath;
use crate::{ExtFOp, ExtSIOp, ExtUIOp, FastMathFlags, TruncFOp};

/// The constant operand with `f` applied to its elements; poison stays poison.
fn convert(op: OpRef<'_>, k: &[Option<Attr>], f: impl Fn(Number) -> Option<Number>) -> Option<Folded> {
    let (cx, operand) = (op.cx(), k.first().copied().flatten()?);
    if is_poison(cx, operand) {
        return folded(operand);
    }
    map(cx, op.result(0).ty().id(), [operand], |[a]| f(a)).and_then(folded)
}

/// Bits of an element of the result.
fn result_width(op: OpRef<'_>) -> Option<u32> {
    op.result(0).ty().element_or_self().storage_bits()
}

fn resize(op: OpRef<'_>, k: &[Option<Attr>], f: impl Fn(&ApInt, u32) -> ApInt) -> Option<Folded> {
    let width = result_width(op)?;
    convert(op, k, |a| Some(Number::Int(f(&a.int()?, width))))
}

pub(crate) fn extui(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    resize(op, k, ApInt::zext_or_trunc)
}

pub(crate) fn extsi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    resize(op, k, ApInt::sext_or_trunc)
}

pub(crate) fn trunci(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    // trunc(ext(a)) = a, back to the type of a
    if let Some(ext) = op.operand(0).defining_op().filter(|d| d.is::<ExtUIOp<'_>>() || d.is::<ExtSIOp<'_>>())
        && ext.operand(0).ty() == op.result(0).ty()
    {
        return folded(ext.operand(0).id());
    }
    resize(op, k, ApInt::zext_or_trunc)
}

pub(crate) fn index_cast(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    resize(op, k, ApInt::sext_or_trunc)
}

pub(crate) fn index_castui(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    resize(op, k, ApInt::zext_or_trunc)
}

/// To another format, where nothing is lost.
fn change_format(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let to = op.result(0).ty().element_or_self().float_kind()?;
    convert(op, k, |a| {
        let (from, bits) = a.float()?;
        let (bits, inexact) = float::convert(from, bits, to);
        (!inexact).then_some(Number::Float(to, bits))
    })
}

pub(crate) fn extf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    // ext(trunc(a)) = a, where both may be contracted
    if let Some(trunc) = op.operand(0).def::<TruncFOp<'_>>()
        && trunc.0.operand(0).ty() == op.result(0).ty()
        && fastmath(trunc.0).contains(FastMathFlags::CONTRACT)
        && fastmath(op).contains(FastMathFlags::CONTRACT)
    {
        return folded(trunc.0.operand(0).id());
    }
    change_format(op, k)
}

pub(crate) fn truncf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    // trunc(ext(a)) = a, back to the type of a
    if let Some(ext) = op.operand(0).def::<ExtFOp<'_>>()
        && ext.0.operand(0).ty() == op.result(0).ty()
    {
        return folded(ext.0.operand(0).id());
    }
    change_format(op, k)
}

fn int_to_float(op: OpRef<'_>, k: &[Option<Attr>], signed: bool) -> Option<Folded> {
    let to = op.result(0).ty().element_or_self().float_kind()?;
    convert(op, k, |a| Some(Number::Float(to, float::from_int(to, &a.int()?, signed))))
}

pub(crate) fn sitofp(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    int_to_float(op, k, true)
}

pub(crate) fn uitofp(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    int_to_float(op, k, false)
}

/// Rounded toward zero, where the result fits.
fn float_to_int(op: OpRef<'_>, k: &[Option<Attr>], signed: bool) -> Option<Folded> {
    let width = result_width(op)?;
    convert(op, k, |a| {
        let (kind, bits) = a.float()?;
        float::to_int(kind, bits, width, signed).map(Number::Int)
    })
}

pub(crate) fn fptosi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    float_to_int(op, k, true)
}

pub(crate) fn fptoui(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    float_to_int(op, k, false)
}

pub(crate) fn bitcast(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let result = op.result(0).ty();
    // A cast to the same type is its operand.
    if op.operand(0).ty() == result {
        return folded(op.operand(0).id());
    }
    let (cx, operand) = (op.cx(), k.first().copied().flatten()?);
    // The elements of dense data keep their bytes.
    if let AttrData::DenseElements { data, .. } = cx.attr_data(operand) {
        return folded(cx.intern_attr(AttrData::DenseElements { ty: result.id(), data: data.clone() }));
    }
    if result.is_shaped() {
        return None;
    }
    let to = result.float_kind();
    convert(op, k, |a| {
        let bits = match a {
            Number::Int(value) => value,
            Number::Float(kind, bits) => ApInt::from_u128(kind.width(), bits),
        };
        Some(match to {
            Some(kind) => Number::Float(kind, bits.to_u128()?),
            None => Number::Int(bits),
        })
    })
}
