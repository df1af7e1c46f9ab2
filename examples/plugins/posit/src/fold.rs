//! Constants, and operations on them.

use dl_ir::dialect::{Folded, folded};
use dl_ir::rewrite::Patterns;
use dl_ir::{Attr, Context, DialectBuilder, Loc, OpId, OpRef, OpState, OpView, Rewriter, Type};

use crate::number::{self, from_f64, to_f64};
use crate::{AddOp, ConstantOp, DivOp, FromBitsOp, MulOp, NegOp, SubOp, ToBitsOp, posit_bits};

pub(crate) fn register(b: &mut DialectBuilder) {
    b.materialize_constant(materialize);
    b.on::<ConstantOp<'_>>().fold(fold_constant);
    b.on::<AddOp<'_>>().fold(|op, constants| binary(op, constants, number::add));
    b.on::<SubOp<'_>>().fold(|op, constants| binary(op, constants, number::sub));
    b.on::<MulOp<'_>>().fold(|op, constants| binary(op, constants, number::mul));
    b.on::<DivOp<'_>>().fold(|op, constants| binary(op, constants, number::div));
    b.on::<NegOp<'_>>().canonicalize(|patterns: &mut Patterns| {
        patterns.add(NegOfNeg);
    });
    b.on::<SubOp<'_>>().canonicalize(|patterns: &mut Patterns| {
        patterns.add(SubOfNeg);
    });
    b.on::<FromBitsOp<'_>>().fold(|op, _| same_as_before::<ToBitsOp<'_>>(op));
    b.on::<ToBitsOp<'_>>().fold(|op, _| same_as_before::<FromBitsOp<'_>>(op));
}

dl_ir::rewrite! {
    /// `-(-x)` is `x`.
    NegOfNeg = "posit-neg-of-neg": NegOp(NegOp(x)) => x;

    /// `x - -y` is `x + y`: opposites are exact.
    SubOfNeg = "posit-sub-of-neg": SubOp(x, NegOp(y)) => AddOp(x, y);
}

/// A constant is held by the number that it stands for, which `f64` has exactly.
fn materialize(rw: &mut Rewriter<'_>, value: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    let fits = posit_bits(cx.ty(ty)).is_some() && cx.attr(value).is_float();
    fits.then(|| rw.create(OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", value).results([ty])))
}

/// The encoding of a constant of type `ty`.
fn encoding(cx: &Context, value: Attr, bits: u32) -> Option<u64> {
    cx.attr(value).as_f64().map(|value| from_f64(value, bits))
}

fn constant(cx: &Context, encoding: u64, bits: u32) -> Option<Folded> {
    folded(cx.float_attr(cx.float_type(dl_ir::FloatKind::F64), to_f64(encoding, bits)))
}

fn fold_constant(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let bits = posit_bits(op.result(0).ty())?;
    constant(op.cx(), encoding(op.cx(), ConstantOp::wrap(op).value().id(), bits)?, bits)
}

fn binary(op: OpRef<'_>, constants: &[Option<Attr>], compute: fn(u64, u64, u32) -> u64) -> Option<Folded> {
    let (cx, bits) = (op.cx(), posit_bits(op.result(0).ty())?);
    let [Some(x), Some(y)] = constants else { return None };
    constant(cx, compute(encoding(cx, *x, bits)?, encoding(cx, *y, bits)?, bits), bits)
}

/// What the operand was made of by `T`, if that is of the same type.
fn same_as_before<'a, T: OpView<'a>>(op: OpRef<'a>) -> Option<Folded> {
    let before = op.operand(0).def::<T>()?.op().operand(0);
    if before.ty() == op.result(0).ty() { folded(before.id()) } else { None }
}
