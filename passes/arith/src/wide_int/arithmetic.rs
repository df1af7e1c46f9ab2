//! Sums, products, comparisons, choices and bits.

use dl_arith::{AddIOp, AddUIExtendedOp, AndIOp, CmpIPredicate, ExtUIOp, MulIOp, MulUIExtendedOp, OrIOp, SubIOp};
use dl_ir::{OpDefinition, Type, ValueId};

use super::halves::Halves;

/// `x + y`, with what the low halves carry.
pub(super) fn add(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId, y: ValueId) -> ValueId {
    let (x, y) = (h.halves(x), h.halves(y));
    let [low, carry] = h.with_carry::<AddUIExtendedOp<'_>>(x[0], y[0]);
    let half = h.half_type(ty);
    let carry = h.cast::<ExtUIOp<'_>>(carry, half);
    let high = h.same::<AddIOp<'_>>(&[carry, x[1]]);
    let high = h.same::<AddIOp<'_>>(&[high, y[1]]);
    h.joined(ty, [low, high])
}

/// `x - y`, with what the low halves borrow.
pub(super) fn sub(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId, y: ValueId) -> ValueId {
    let (x, y) = (h.halves(x), h.halves(y));
    let low = h.same::<SubIOp<'_>>(&[x[0], y[0]]);
    let borrow = h.compare(CmpIPredicate::Ult, x[0], y[0]);
    let half = h.half_type(ty);
    let borrow = h.cast::<ExtUIOp<'_>>(borrow, half);
    let high = h.same::<SubIOp<'_>>(&[x[1], borrow]);
    let high = h.same::<SubIOp<'_>>(&[high, y[1]]);
    h.joined(ty, [low, high])
}

/// `x * y`: the whole product of the low halves, and the low halves of the products of a low and a high one.
pub(super) fn mul(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId, y: ValueId) -> ValueId {
    let (x, y) = (h.halves(x), h.halves(y));
    let half = h.b.ir().value_type(x[0]);
    let [low, carried] = h.two::<MulUIExtendedOp<'_>>(x[0], y[0], half);
    let low_high = h.same::<MulIOp<'_>>(&[x[0], y[1]]);
    let high_low = h.same::<MulIOp<'_>>(&[x[1], y[0]]);
    let high = h.same::<AddIOp<'_>>(&[carried, low_high]);
    let high = h.same::<AddIOp<'_>>(&[high, high_low]);
    h.joined(ty, [low, high])
}

/// An operation on bits.
pub(super) fn bitwise<T: OpDefinition>(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId, y: ValueId) -> ValueId {
    let (x, y) = (h.halves(x), h.halves(y));
    let halves = [h.same::<T>(&[x[0], y[0]]), h.same::<T>(&[x[1], y[1]])];
    h.joined(ty, halves)
}

/// `condition ? x : y`.
pub(super) fn select(h: &mut Halves<'_, '_, '_>, ty: Type, condition: ValueId, x: ValueId, y: ValueId) -> ValueId {
    let (x, y) = (h.halves(x), h.halves(y));
    let is_vector = h.ty(condition).is_vector();
    let condition = if is_vector { h.with_unit(condition) } else { condition };
    let halves = [h.select(condition, x[0], y[0]), h.select(condition, x[1], y[1])];
    h.joined(ty, halves)
}

/// A comparison: the low halves decide, without sign, where the high ones are equal.
pub(super) fn compare(h: &mut Halves<'_, '_, '_>, predicate: CmpIPredicate, x: ValueId, y: ValueId) -> ValueId {
    let unsigned = match predicate {
        CmpIPredicate::Slt => CmpIPredicate::Ult,
        CmpIPredicate::Sle => CmpIPredicate::Ule,
        CmpIPredicate::Sgt => CmpIPredicate::Ugt,
        CmpIPredicate::Sge => CmpIPredicate::Uge,
        other => other,
    };
    let (x, y) = (h.halves(x), h.halves(y));
    let (low, high) = (h.compare(unsigned, x[0], y[0]), h.compare(predicate, x[1], y[1]));
    let result = match predicate {
        CmpIPredicate::Eq => h.same::<AndIOp<'_>>(&[low, high]),
        CmpIPredicate::Ne => h.same::<OrIOp<'_>>(&[low, high]),
        _ => {
            let equal = h.compare(CmpIPredicate::Eq, x[1], y[1]);
            h.select(equal, low, high)
        }
    };
    h.without_unit(result)
}
