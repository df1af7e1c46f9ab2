//! Shifts by amounts less than the whole width, which the low half of the amount holds.

use dl_arith::{CmpIPredicate, ExtSIOp, ExtUIOp, OrIOp, SelectOp, ShLIOp, ShRUIOp, SubIOp};
use dl_ir::{OpDefinition, Type, ValueId};

use super::halves::Halves;

/// `x << amount`.
pub(super) fn left(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId, amount: ValueId) -> ValueId {
    let [low, high] = h.halves(x);
    let [near, far] = shifted::<ShLIOp<'_>, ShRUIOp<'_>>(h, ty, low, high, amount);
    h.joined(ty, [near, far])
}

/// `x >> amount`, filled with zeros.
pub(super) fn right_unsigned(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId, amount: ValueId) -> ValueId {
    let [low, high] = h.halves(x);
    let [near, far] = shifted::<ShRUIOp<'_>, ShLIOp<'_>>(h, ty, high, low, amount);
    h.joined(ty, [far, near])
}

/// The halves of a shift that takes bits from the half `from` to the half `to`: first `from`, then `to`.
///
/// Bits of `from` come into `to` by a shift in the other direction, of the rest of its width. That is done in two steps, since for an amount
/// of zero the rest is the whole width, which is too much for one.
fn shifted<Same: OpDefinition, Other: OpDefinition>(
    h: &mut Halves<'_, '_, '_>,
    ty: Type,
    from: ValueId,
    to: ValueId,
    amount: ValueId,
) -> [ValueId; 2] {
    let amount = h.half(amount, 0);
    let (half, width) = (h.half_type(ty), i64::from(h.width));
    let (zero, one) = (h.constant(half, 0), h.constant(half, 1));
    let (all, most) = (h.constant(half, width), h.constant(half, width - 1));
    let is_far = h.compare(CmpIPredicate::Uge, amount, all);
    let near = h.same::<Same>(&[from, amount]);
    let from_result = h.select(is_far, zero, near);

    let capped = h.select(is_far, most, amount);
    let rest = h.same::<SubIOp<'_>>(&[most, capped]);
    let step = h.same::<Other>(&[from, one]);
    let crossing = h.same::<Other>(&[step, rest]);
    let beyond = h.same::<SubIOp<'_>>(&[amount, all]);
    let crossing_far = h.same::<Same>(&[from, beyond]);
    let staying = h.same::<Same>(&[to, amount]);
    let staying = h.select(is_far, zero, staying);
    let coming = h.select(is_far, crossing_far, crossing);
    let to_result = h.same::<OrIOp<'_>>(&[coming, staying]);
    [from_result, to_result]
}

/// `x >> amount`, filled with the sign: the shift filled with zeros, and the bits of the sign. `x` and `amount` are of the wide type
/// `ty`, their values `converted` of halves.
pub(super) fn right_signed(
    h: &mut Halves<'_, '_, '_>,
    ty: Type,
    [x, amount]: [ValueId; 2],
    converted: [ValueId; 2],
) -> ValueId {
    let (high, shift) = (h.half(converted[0], 1), h.half(converted[1], 0));
    let narrow = h.b.ir().value_type(shift);
    let zero = h.constant(narrow, 0);
    let sign = h.compare(CmpIPredicate::Slt, high, zero);
    let sign = h.without_unit(sign);
    let all_signs = h.b.value::<ExtSIOp<'_>>(&[sign], ty);
    let all = h.constant(narrow, 2 * i64::from(h.width));
    let kept = h.same::<SubIOp<'_>>(&[all, shift]);
    let kept = h.without_unit(kept);
    let kept = h.b.value::<ExtUIOp<'_>>(&[kept], ty);
    let signs = h.same::<ShLIOp<'_>>(&[all_signs, kept]);
    let unsigned = h.same::<ShRUIOp<'_>>(&[x, amount]);
    let signed = h.same::<OrIOp<'_>>(&[unsigned, signs]);
    // The signs are shifted by too much where nothing is.
    let stays = h.compare(CmpIPredicate::Eq, shift, zero);
    let stays = h.without_unit(stays);
    h.b.value::<SelectOp<'_>>(&[stays, x, signed], ty)
}
