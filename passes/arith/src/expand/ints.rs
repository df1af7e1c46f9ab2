//! Rounded divisions, minima and maxima.

use dl_arith::{
    AddIOp, AndIOp, BitcastOp, Build, CeilDivSIOp, CeilDivUIOp, CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, DivSIOp,
    DivUIOp, FloorDivSIOp, MaxNumFOp, MaxSIOp, MaxUIOp, MaximumFOp, MinNumFOp, MinSIOp, MinUIOp, MinimumFOp, MulIOp,
    OrIOp, SubIOp,
};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, Rewriter, Type, ValueId};

/// Divisions that round up or down, by those that round towards zero.
pub fn rounded_divisions() -> Patterns {
    let mut patterns = Patterns::new();
    patterns
        .add_fn("arith-expand-ceildivsi", Some(CeilDivSIOp::NAME), expand_ceildivsi)
        .add_fn("arith-expand-ceildivui", Some(CeilDivUIOp::NAME), expand_ceildivui)
        .add_fn("arith-expand-floordivsi", Some(FloorDivSIOp::NAME), expand_floordivsi);
    patterns
}

/// Minima and maxima, by comparing and selecting. `maximumf` and `minimumf` tell zeros of both signs apart if that is wanted.
pub(super) fn extrema(signed_zeros: bool) -> Patterns {
    let mut patterns = Patterns::new();
    patterns
        .add_fn("arith-expand-maxsi", Some(MaxSIOp::NAME), |op, rw| int_extremum(op, rw, CmpIPredicate::Sgt))
        .add_fn("arith-expand-maxui", Some(MaxUIOp::NAME), |op, rw| int_extremum(op, rw, CmpIPredicate::Ugt))
        .add_fn("arith-expand-minsi", Some(MinSIOp::NAME), |op, rw| int_extremum(op, rw, CmpIPredicate::Slt))
        .add_fn("arith-expand-minui", Some(MinUIOp::NAME), |op, rw| int_extremum(op, rw, CmpIPredicate::Ult))
        .add_fn("arith-expand-maxnumf", Some(MaxNumFOp::NAME), |op, rw| {
            float_extremum(op, rw, CmpFPredicate::Ugt, Nan::Loses)
        })
        .add_fn("arith-expand-minnumf", Some(MinNumFOp::NAME), |op, rw| {
            float_extremum(op, rw, CmpFPredicate::Ult, Nan::Loses)
        });
    let (maximum, minimum): (Expand, Expand) = if signed_zeros {
        (
            |op, rw| float_extremum(op, rw, CmpFPredicate::Ugt, Nan::WinsAmongOrderedZeros),
            |op, rw| float_extremum(op, rw, CmpFPredicate::Ult, Nan::WinsAmongOrderedZeros),
        )
    } else {
        (
            |op, rw| float_extremum(op, rw, CmpFPredicate::Ugt, Nan::Wins),
            |op, rw| float_extremum(op, rw, CmpFPredicate::Ult, Nan::Wins),
        )
    };
    patterns.add_fn("arith-expand-maximumf", Some(MaximumFOp::NAME), maximum).add_fn(
        "arith-expand-minimumf",
        Some(MinimumFOp::NAME),
        minimum,
    );
    patterns
}

type Expand = fn(OpId, &mut Rewriter<'_>) -> Rewrite;

/// A binary operation: its operands and their type.
struct Binary {
    lhs: ValueId,
    rhs: ValueId,
    ty: Type,
}

impl Binary {
    fn of(op: OpId, rw: &Rewriter<'_>) -> Self {
        let view = rw.op(op);
        Self { lhs: view.operand(0).id(), rhs: view.operand(1).id(), ty: view.operand(0).ty().id() }
    }
}

/// An integer, or the vector or tensor of it; `None` for a shape that is not static.
pub(super) fn int_attr(b: &Build<'_, '_>, ty: Type, value: i64) -> Option<Attr> {
    let cx = b.cx();
    let view = cx.ty(ty);
    let attr = cx.int_attr(view.element_or_self().id(), value);
    if view.is_shaped() { cx.splat_attr(ty, attr) } else { Some(attr) }
}

pub(super) fn compare(b: &mut Build<'_, '_>, predicate: CmpIPredicate, lhs: ValueId, rhs: ValueId) -> ValueId {
    let cx = b.cx();
    let (ty, attr) = (b.value_type(lhs).with_element(cx.i1_type()), cx.i64_attr(predicate.value() as i64));
    b.value_with::<CmpIOp<'_>>(&[lhs, rhs], ty, &[("predicate", attr)])
}

/// The quotient towards zero is one too low where it is not exact and the signs are equal.
fn expand_ceildivsi(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (Binary { lhs, rhs, ty }, loc) = (Binary::of(op, rw), rw.op(op).loc());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let (Some(zero), Some(one)) = (int_attr(&b, ty, 0), int_attr(&b, ty, 1)) else {
        return Err(NoMatch("a shape that is not static"));
    };
    let (zero, one) = (b.constant(zero, ty), b.constant(one, ty));
    let quotient = b.same::<DivSIOp<'_>>(&[lhs, rhs]);
    let product = b.same::<MulIOp<'_>>(&[quotient, rhs]);
    let inexact = compare(&mut b, CmpIPredicate::Ne, lhs, product);
    let lhs_negative = compare(&mut b, CmpIPredicate::Slt, lhs, zero);
    let rhs_negative = compare(&mut b, CmpIPredicate::Slt, rhs, zero);
    let same_sign = compare(&mut b, CmpIPredicate::Eq, lhs_negative, rhs_negative);
    let too_low = b.same::<AndIOp<'_>>(&[inexact, same_sign]);
    let higher = b.same::<AddIOp<'_>>(&[quotient, one]);
    let result = b.select(too_low, higher, quotient);
    rw.replace(op, &[result]);
    Ok(())
}

/// Zero for a dividend of zero, else `(a - 1) / b + 1`.
fn expand_ceildivui(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (Binary { lhs, rhs, ty }, loc) = (Binary::of(op, rw), rw.op(op).loc());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let (Some(zero), Some(one)) = (int_attr(&b, ty, 0), int_attr(&b, ty, 1)) else {
        return Err(NoMatch("a shape that is not static"));
    };
    let zero = b.constant(zero, ty);
    let is_zero = compare(&mut b, CmpIPredicate::Eq, lhs, zero);
    let one = b.constant(one, ty);
    let less = b.same::<SubIOp<'_>>(&[lhs, one]);
    let quotient = b.same::<DivUIOp<'_>>(&[less, rhs]);
    let higher = b.same::<AddIOp<'_>>(&[quotient, one]);
    let result = b.select(is_zero, zero, higher);
    rw.replace(op, &[result]);
    Ok(())
}

/// The quotient towards zero is one too high where it is not exact and the signs differ.
fn expand_floordivsi(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (Binary { lhs, rhs, ty }, loc) = (Binary::of(op, rw), rw.op(op).loc());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let (Some(zero), Some(minus_one)) = (int_attr(&b, ty, 0), int_attr(&b, ty, -1)) else {
        return Err(NoMatch("a shape that is not static"));
    };
    let quotient = b.same::<DivSIOp<'_>>(&[lhs, rhs]);
    let product = b.same::<MulIOp<'_>>(&[quotient, rhs]);
    let inexact = compare(&mut b, CmpIPredicate::Ne, lhs, product);
    let zero = b.constant(zero, ty);
    let lhs_negative = compare(&mut b, CmpIPredicate::Slt, lhs, zero);
    let rhs_negative = compare(&mut b, CmpIPredicate::Slt, rhs, zero);
    let signs_differ = compare(&mut b, CmpIPredicate::Ne, lhs_negative, rhs_negative);
    let too_high = b.same::<AndIOp<'_>>(&[inexact, signs_differ]);
    let minus_one = b.constant(minus_one, ty);
    let lower = b.same::<AddIOp<'_>>(&[quotient, minus_one]);
    let result = b.select(too_high, lower, quotient);
    rw.replace(op, &[result]);
    Ok(())
}

fn int_extremum(op: OpId, rw: &mut Rewriter<'_>, wins: CmpIPredicate) -> Rewrite {
    let (Binary { lhs, rhs, .. }, loc) = (Binary::of(op, rw), rw.op(op).loc());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let condition = compare(&mut b, wins, lhs, rhs);
    let result = b.select(condition, lhs, rhs);
    rw.replace(op, &[result]);
    Ok(())
}

/// What becomes of an operand that is no number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nan {
    /// The result is NaN too.
    Wins,
    /// It is NaN, too, and zero is greater than its negative.
    WinsAmongOrderedZeros,
    /// The result is the other operand.
    Loses,
}

/// The comparison holds for unordered operands, so that a NaN on the left is taken; one on the right is seen to after.
fn float_extremum(op: OpId, rw: &mut Rewriter<'_>, wins: CmpFPredicate, nan: Nan) -> Rewrite {
    let (Binary { lhs, rhs, ty }, loc) = (Binary::of(op, rw), rw.op(op).loc());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let compare = |b: &mut Build<'_, '_>, predicate: CmpFPredicate, lhs, rhs| {
        let cx = b.cx();
        let ty = b.value_type(lhs).with_element(cx.i1_type());
        let attr = cx.i64_attr(predicate.value() as i64);
        b.value_with::<CmpFOp<'_>>(&[lhs, rhs], ty, &[("predicate", attr)])
    };
    let condition = compare(&mut b, wins, lhs, rhs);
    let chosen = b.select(condition, lhs, rhs);
    let suspect = if nan == Nan::Loses { lhs } else { rhs };
    let is_nan = compare(&mut b, CmpFPredicate::Uno, suspect, suspect);
    let mut result = b.select(is_nan, rhs, chosen);
    if nan == Nan::WinsAmongOrderedZeros {
        // Equal numbers have the same bits, but for zeros: a maximum has the sign only where both have, a minimum where either has.
        let cx = b.cx();
        let width = cx.ty(ty).element_or_self().int_or_float_width().ok_or(NoMatch("no floats"))?;
        let ints = cx.ty(ty).element_or_self().id();
        let ints = if ints == ty { cx.int_type(width) } else { cx.ty(ty).with_element(cx.int_type(width)) };
        let [x, y] = [lhs, rhs].map(|value| b.value::<BitcastOp<'_>>(&[value], ints));
        let bits =
            if wins == CmpFPredicate::Ugt { b.same::<AndIOp<'_>>(&[x, y]) } else { b.same::<OrIOp<'_>>(&[x, y]) };
        let of_equal = b.value::<BitcastOp<'_>>(&[bits], ty);
        let are_equal = compare(&mut b, CmpFPredicate::Oeq, lhs, rhs);
        result = b.select(are_equal, of_equal, result);
    }
    rw.replace(op, &[result]);
    Ok(())
}
