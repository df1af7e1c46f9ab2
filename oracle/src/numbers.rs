//! Numbers of any type, those at which things change more often than others.

use dl_ir::number::{ApInt, float};
use dl_ir::{Attr, FloatKind, TypeRef};
use fastrand::Rng;

/// The most elements of an array that is a constant.
const MOST_ELEMENTS: u64 = 64;

/// An integer of `width` bits.
pub fn int(width: u32, rng: &mut Rng) -> ApInt {
    match rng.u8(..12) {
        0 => ApInt::zero(width),
        1 => ApInt::from_i64(width, 1),
        2 => ApInt::all_ones(width),
        3 => ApInt::min_signed(width),
        4 => ApInt::max_signed(width),
        5 => ApInt::from_i64(width, 2),
        6 => ApInt::from_u64(width, width.wrapping_sub(rng.u32(..3)).into()),
        7 | 8 => ApInt::from_i64(width, rng.i64(-8..16)),
        9 => ApInt::from_u64(width, 1).shl(rng.u64(..u64::from(width.max(1)))).unwrap_or(ApInt::zero(width)),
        _ => ApInt::from_u128(width.min(128), rng.u128(..) & mask(width)).sext_or_trunc(width),
    }
}

/// The encoding of a float of this format.
pub fn float(kind: FloatKind, rng: &mut Rng) -> u128 {
    let of = |value: f64| float::from_f64(kind, value).0;
    match rng.u8(..14) {
        0 => float::zero(kind),
        1 => float::neg(kind, float::zero(kind)),
        2 => float::one(kind),
        3 => of(-1.0),
        4 => float::infinity(kind, false).unwrap_or(float::largest(kind, false)),
        5 => float::infinity(kind, true).unwrap_or(float::largest(kind, true)),
        6 => float::nan(kind).unwrap_or(float::one(kind)),
        7 => float::largest(kind, rng.bool()),
        8 => rng.u128(..) & mask(kind.width()),
        9 => of(rng.f64() * 4.0 - 2.0),
        _ => of(f64::from(rng.i8(-16..16)) / 2.0),
    }
}

/// A constant of type `ty`: a number, or an array of numbers or of one number. `None` for other types.
pub fn constant(ty: TypeRef<'_>, rng: &mut Rng) -> Option<Attr> {
    let cx = ty.cx();
    if let Some(kind) = ty.float_kind() {
        return Some(cx.float_bits_attr(ty.id(), float(kind, rng)));
    }
    if ty.is_index() {
        let value = if rng.bool() { ApInt::from_i64(64, rng.i64(-1..6)) } else { int(64, rng) };
        return Some(cx.ap_int_attr(ty.id(), value));
    }
    if let Some(width) = ty.int_width() {
        return Some(cx.ap_int_attr(ty.id(), int(width, rng)));
    }
    if !(ty.is_vector() || ty.is_ranked_tensor()) || !ty.has_static_shape() {
        return None;
    }
    let element = ty.element_or_self();
    let count = ty.num_elements().filter(|&count| count <= MOST_ELEMENTS && !ty.is_scalable_vector());
    match count.filter(|_| rng.bool()) {
        Some(count) => {
            let elements: Option<Vec<Attr>> = (0..count).map(|_| constant(element, rng)).collect();
            cx.dense_attr(ty.id(), &elements?)
        }
        None => cx.splat_attr(ty.id(), constant(element, rng)?),
    }
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}
