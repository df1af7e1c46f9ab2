//! Casts from and to wide integers.

use dl_arith::{
    AddFOp, CmpFPredicate, CmpIPredicate, ConstantOp, DivFOp, ExtSIOp, ExtUIOp, FPToUIOp, MulFOp, NegFOp, RemFOp,
    SelectOp, SubIOp, TruncIOp, UIToFPOp,
};
use dl_ir::rewrite::NoMatch;
use dl_ir::{OpDefinition, Type, ValueId};

use super::halves::Halves;

/// With the sign of the low half everywhere in the high one.
pub(super) fn extend_signed(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId) -> ValueId {
    let half = h.half_type(ty);
    let x = h.with_unit(x);
    let low = h.cast::<ExtSIOp<'_>>(x, half);
    let zero = h.constant(half, 0);
    let negative = h.compare(CmpIPredicate::Slt, low, zero);
    let high = h.b.value::<ExtSIOp<'_>>(&[negative], half);
    h.joined(ty, [low, high])
}

/// With zero for the high half.
pub(super) fn extend_unsigned(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId) -> ValueId {
    let half = h.half_type(ty);
    let x = h.with_unit(x);
    let low = h.cast::<ExtUIOp<'_>>(x, half);
    let zero = h.constant(ty, 0);
    h.with_half(low, zero, 0)
}

/// The low half, cut to the narrow type `ty`.
pub(super) fn truncate(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId) -> ValueId {
    let low = h.half(x, 0);
    let low = h.without_unit(low);
    h.cast::<TruncIOp<'_>>(low, ty)
}

/// An index of the low half.
pub(super) fn to_index<Cast: OpDefinition>(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId) -> ValueId {
    let low = h.half(x, 0);
    let low = h.without_unit(low);
    h.b.value::<Cast>(&[low], ty)
}

/// A wide integer of type `ty` of an index: one of half the width, extended.
pub(super) fn of_index<Cast: OpDefinition, Extend: OpDefinition>(
    h: &mut Halves<'_, '_, '_>,
    ty: Type,
    x: ValueId,
) -> ValueId {
    let half = h.b.cx().int_type(h.width);
    let half = h.shaped(x, half);
    let narrow = h.b.value::<Cast>(&[x], half);
    h.b.value::<Extend>(&[narrow], ty)
}

/// A float of the wide integer `x`, of type `wide`: that of its absolute value, with its sign.
pub(super) fn signed_to_float(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId) -> ValueId {
    let wide = h.b.ir().value_type(x);
    let zero = h.constant(wide, 0);
    let negative = h.compare(CmpIPredicate::Slt, x, zero);
    let opposite = h.same::<SubIOp<'_>>(&[zero, x]);
    let size = h.b.value::<SelectOp<'_>>(&[negative, opposite, x], wide);
    let size = h.b.value::<UIToFPOp<'_>>(&[size], ty);
    let below = h.same::<NegFOp<'_>>(&[size]);
    h.select(negative, below, size)
}

/// A constant of floats of type `ty`.
fn float_constant(h: &mut Halves<'_, '_, '_>, ty: Type, value: f64) -> Result<ValueId, NoMatch> {
    let (cx, view) = (h.b.cx(), h.b.cx().ty(ty));
    let number = cx.float_attr(view.element_or_self().id(), value);
    let attr = if view.is_shaped() { cx.splat_attr(ty, number).ok_or(NoMatch("no splat"))? } else { number };
    Ok(h.b.value_with::<ConstantOp<'_>>(&[], ty, &[("value", attr)]))
}

/// Two to the power of the width of a half, as a float.
fn half_range(h: &Halves<'_, '_, '_>) -> f64 {
    2.0_f64.powi(i32::try_from(h.width).unwrap_or(i32::MAX))
}

/// A float of a wide integer: of the low half, and of the high one times its place. Exact where the float has as many digits; elsewhere it
/// may be rounded twice.
pub(super) fn unsigned_to_float(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId) -> Result<ValueId, NoMatch> {
    let halves = h.halves(x);
    let [low, high] = halves.map(|half| h.without_unit(half));
    let narrow = h.b.ir().value_type(high);
    let zero = h.constant(narrow, 0);
    let is_low = h.compare(CmpIPredicate::Eq, high, zero);
    let low = h.b.value::<UIToFPOp<'_>>(&[low], ty);
    let high = h.b.value::<UIToFPOp<'_>>(&[high], ty);
    let place = half_range(h);
    let place = float_constant(h, ty, place)?;
    let high = h.same::<MulFOp<'_>>(&[high, place]);
    let sum = h.same::<AddFOp<'_>>(&[low, high]);
    Ok(h.select(is_low, low, sum))
}

/// A wide integer of type `ty` of a float: that of its absolute value, with its sign.
pub(super) fn float_to_signed(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId) -> Result<ValueId, NoMatch> {
    let cx = h.b.cx();
    let float = h.b.ir().value_type(x);
    let zero = float_constant(h, float, 0.0)?;
    let zero_int = h.constant(ty, 0);
    let bit = h.shaped(x, cx.i1_type());
    let less = CmpFPredicate::Olt.attr(cx);
    let negative = h.b.value_with::<dl_arith::CmpFOp<'_>>(&[x, zero], bit, &[("predicate", less)]);
    let opposite = h.same::<NegFOp<'_>>(&[x]);
    let size = h.select(negative, opposite, x);
    let size = h.b.value::<FPToUIOp<'_>>(&[size], ty);
    let below = h.same::<SubIOp<'_>>(&[zero_int, size]);
    Ok(h.b.value::<SelectOp<'_>>(&[negative, below, size], ty))
}

/// The halves of type `ty` of a float: quotient and remainder by the place of the high one. Where the float cannot be so large, its place
/// is infinite, and the quotient zero.
pub(super) fn float_to_unsigned(h: &mut Halves<'_, '_, '_>, ty: Type, x: ValueId) -> Result<ValueId, NoMatch> {
    let float = h.b.ir().value_type(x);
    let half = h.b.cx().int_type(h.width);
    let half = h.shaped(x, half);
    let place = half_range(h);
    let place = float_constant(h, float, place)?;
    let quotient = h.same::<DivFOp<'_>>(&[x, place]);
    let high = h.b.value::<FPToUIOp<'_>>(&[quotient], half);
    let remainder = h.same::<RemFOp<'_>>(&[x, place]);
    let low = h.b.value::<FPToUIOp<'_>>(&[remainder], half);
    let high = h.with_unit(high);
    let low = h.with_unit(low);
    Ok(h.joined(ty, [low, high]))
}
