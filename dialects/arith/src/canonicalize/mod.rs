//! Canonicalization patterns: equations that need a new operation or change one.
//!
//! Each file holds one family; the equation stands above the pattern that applies it. `c` is a constant.

mod bits;
mod cast;
mod compare;
mod converted;
mod float;
mod linear;
mod product;
mod select;

pub(crate) use bits::{andi, ori, xori};
pub(crate) use cast::{bitcast, extsi, extui, index_cast, index_castui, truncf, trunci};
pub(crate) use compare::{cmpi, constant_to_right};
pub(crate) use converted::cmpf;
pub(crate) use float::{divf, mulf};
pub(crate) use linear::{addi, addui_extended, subi};
pub(crate) use product::{muli, mulsi_extended, mului_extended};
pub(crate) use select::select;

use dl_ir::number::ApInt;
use dl_ir::rewrite::NoMatch;
use dl_ir::{Attr, Context, OpId, OpState, OpView, Rewriter, Type, ValueId, ValueRef};

use crate::IntegerOverflowFlags;
use crate::constants::{map_ints, uniform_int};

/// Why most patterns do not apply.
const OTHER_OPERANDS: NoMatch = NoMatch("operands are not of the form");

/// The constant of integers that `value` is.
fn int_constant(value: ValueRef<'_>) -> Option<Attr> {
    let constant = value.constant()?;
    constant.ty()?.element_or_self().is_signless_integer_or_index().then_some(constant.id())
}

/// The constant of one integer that `value` is. Chains of sums and products are combined for these only, as upstream does.
fn scalar_constant(value: ValueRef<'_>) -> Option<Attr> {
    value.constant().filter(|constant| constant.is_integer()).map(Attr::from)
}

/// Whether `value` is a constant with all bits set.
fn is_all_ones(value: ValueRef<'_>) -> bool {
    int_constant(value).and_then(|c| uniform_int(value.cx(), c)).is_some_and(|c| c.is_all_ones())
}

/// The operand of the operation that defines `value`, if that is a `T`.
fn operand_of<'a, T: OpView<'a>>(value: ValueRef<'a>) -> Option<ValueRef<'a>> {
    value.def::<T>().map(|view| view.op().operand(0))
}

/// `x` where `value` is `x ^ -1`.
fn complement_of(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let xor = value.def::<crate::XOrIOp<'_>>()?;
    is_all_ones(xor.rhs()).then(|| xor.lhs())
}

/// A new `T` with these operands and one result of type `ty`, before `op`.
fn value_before<'a, T: OpView<'a>>(rw: &mut Rewriter<'_>, op: OpId, operands: &[ValueId], ty: Type) -> ValueId {
    rw.set_insertion_before(op);
    let loc = rw.op(op).loc();
    rw.create_value(OpState::of::<T>(loc).operands(operands.iter().copied()).results([ty]))
}

/// Replaces `op` by a `T` with these operands and the same result type.
fn replace<'a, T: OpView<'a>>(rw: &mut Rewriter<'_>, op: OpId, operands: &[ValueId]) {
    let view = rw.op(op);
    let (loc, types) = (view.loc(), view.results().types());
    rw.replace_with(op, OpState::of::<T>(loc).operands(operands.iter().copied()).results(types));
}

/// A function of two numbers, and whether it overflows.
type Overflowing = fn(&ApInt, &ApInt) -> (ApInt, bool);

/// The constant that a function of two constants is, computed with signed and with unsigned numbers, and the flags in whose sense it
/// does not overflow.
fn combined(
    cx: &Context,
    ty: Type,
    operands: [Attr; 2],
    [signed, unsigned]: [Overflowing; 2],
) -> Option<(Attr, IntegerOverflowFlags)> {
    let (mut no_signed_wrap, mut no_unsigned_wrap) = (true, true);
    let value = map_ints(cx, ty, operands, |a, b| {
        let ((value, wraps), (_, wraps_unsigned)) = (signed(&a, &b), unsigned(&a, &b));
        no_signed_wrap &= !wraps;
        no_unsigned_wrap &= !wraps_unsigned;
        Some(value)
    })?;
    let flag = |holds: bool, flag| if holds { flag } else { IntegerOverflowFlags::NONE };
    let nsw = flag(no_signed_wrap, IntegerOverflowFlags::NSW);
    Some((value, nsw.union(flag(no_unsigned_wrap, IntegerOverflowFlags::NUW))))
}
