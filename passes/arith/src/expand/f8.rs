//! Conversions of the floats of 8 bits that have a sign, by arithmetic on their bits and those of a wide float.

use dl_arith::{
    AddFOp, AddIOp, AndIOp, BitcastOp, CmpIPredicate, ExtFOp, ExtUIOp, OrIOp, ShLIOp, ShRUIOp, SubFOp, SubIOp,
    TruncFOp, TruncIOp,
};
use dl_ir::number::float;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{FloatKind, OpDefinition, OpId, Rewriter, ValueId};

use super::floats::{Bits, expand, rounds_to_nearest};
use super::kinds;

/// From and to the floats of 8 bits that have a sign, [`SIGNED_F8`](super::SIGNED_F8), by arithmetic on bits.
pub fn f8_conversions() -> Patterns {
    let mut patterns = Patterns::new();
    patterns.add_fn("arith-expand-extf-f8", Some(ExtFOp::NAME), extend).add_fn(
        "arith-expand-truncf-f8",
        Some(TruncFOp::NAME),
        truncate,
    );
    patterns
}

/// Whether the format has 8 bits and a sign.
pub(super) fn is_signed_f8(kind: Option<FloatKind>) -> bool {
    kind.is_some_and(|kind| super::SIGNED_F8.contains(&kind))
}

/// The layout of a wide float.
#[derive(Clone, Copy)]
struct Wide {
    kind: FloatKind,
    width: u32,
    fraction: u32,
    bias: i64,
}

const SINGLE: Wide = Wide { kind: FloatKind::F32, width: 32, fraction: 23, bias: 127 };
const DOUBLE: Wide = Wide { kind: FloatKind::F64, width: 64, fraction: 52, bias: 1023 };

impl Wide {
    /// The bits of a power of two.
    const fn power(self, exponent: i64) -> i64 {
        (self.bias + exponent) << self.fraction
    }

    /// The bits of infinity: all of the exponent.
    const fn infinity(self) -> i64 {
        self.power(self.bias + 1)
    }

    /// All bits but the sign.
    const fn magnitude(self) -> i64 {
        (u64::MAX >> (65 - self.width)) as i64
    }
}

/// The layout of a float of 8 bits; numbers are codes, without their sign.
struct Byte {
    fraction: u32,
    bias: i64,
    largest: i64,
    /// With the sign where that is what tells it.
    nan: i64,
    infinity: Option<i64>,
}

/// The sign.
const SIGN: i64 = 0x80;

impl Byte {
    fn of(kind: FloatKind) -> Option<Self> {
        let fraction = float::precision(kind) - 1;
        Some(Self {
            fraction,
            bias: (float::one(kind) >> fraction) as i64,
            largest: float::largest(kind, false) as i64,
            nan: float::nan(kind)? as i64,
            infinity: float::infinity(kind, false).map(|bits| bits as i64),
        })
    }

    /// The exponent of the smallest number of full precision.
    const fn lowest(&self) -> i64 {
        1 - self.bias
    }

    /// Whether NaN is where negative zero would be, which there is none of.
    const fn has_one_zero(&self) -> bool {
        self.nan == SIGN
    }
}

/// Moves exponent and fraction to where an f32 has them, and corrects the exponent. A subnormal number is added to the smallest power of two,
/// as its fraction, and that is taken off again.
fn extend(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let from = kinds(rw.op(op)).0.filter(|&kind| is_signed_f8(Some(kind)));
    let byte = from.and_then(Byte::of).ok_or(NoMatch("not from a float of 8 bits with a sign"))?;
    expand(op, rw, |bits, value, ty| {
        let wide = SINGLE;
        let (i8, int, float) = (bits.int(8), bits.int(wide.width), bits.float(wide.kind));
        let code = bits.cast::<BitcastOp<'_>>(value, i8);
        let code = bits.cast::<ExtUIOp<'_>>(code, int);
        let mut constant = |value: i64| bits.constant(wide.width, value);
        let (mask, by) = (constant(SIGN - 1), constant(i64::from(wide.fraction - byte.fraction)));
        let (sign_bit, to_top) = (constant(SIGN), constant(i64::from(wide.width - 8)));
        let (rebias, unit) = (constant(wide.power(-byte.bias)), constant(wide.power(byte.lowest())));
        let first_normal = constant(1 << byte.fraction);
        let (infinity, nan) = (constant(wide.infinity()), constant(wide.infinity() | 1 << (wide.fraction - 1)));

        let magnitude = bits.same::<AndIOp<'_>>(code, mask);
        let sign = bits.same::<AndIOp<'_>>(code, sign_bit);
        let sign = bits.same::<ShLIOp<'_>>(sign, to_top);
        let shifted = bits.same::<ShLIOp<'_>>(magnitude, by);
        let normal = bits.same::<AddIOp<'_>>(shifted, rebias);
        let sum = bits.same::<AddIOp<'_>>(shifted, unit);
        let (sum, unit) = (bits.cast::<BitcastOp<'_>>(sum, float), bits.cast::<BitcastOp<'_>>(unit, float));
        let subnormal = bits.same::<SubFOp<'_>>(sum, unit);
        let subnormal = bits.cast::<BitcastOp<'_>>(subnormal, int);
        let is_subnormal = bits.compare(CmpIPredicate::Ult, magnitude, first_normal);
        let mut number = bits.select(is_subnormal, subnormal, normal);
        let is_nan = if byte.has_one_zero() {
            let nan = bits.constant(wide.width, byte.nan);
            bits.compare(CmpIPredicate::Eq, code, nan)
        } else {
            let last = bits.constant(wide.width, byte.infinity.unwrap_or(byte.largest));
            bits.compare(CmpIPredicate::Ugt, magnitude, last)
        };
        if let Some(code) = byte.infinity {
            let code = bits.constant(wide.width, code);
            let is_infinity = bits.compare(CmpIPredicate::Eq, magnitude, code);
            number = bits.select(is_infinity, infinity, number);
        }
        let number = bits.select(is_nan, nan, number);
        let all = bits.same::<OrIOp<'_>>(number, sign);
        let result = bits.cast::<BitcastOp<'_>>(all, float);
        bits.f32_as(result, ty)
    })
}

/// Rounds as [`truncate_bf16`](super::floats) does what has the full precision. What has not is added to the power of two whose last place is
/// that of the subnormal numbers, which rounds it. All beyond the largest number is infinity, or NaN where there is none.
fn truncate(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (from, to) = kinds(rw.op(op));
    let to = to.filter(|&kind| is_signed_f8(Some(kind)));
    let byte = to.and_then(Byte::of).ok_or(NoMatch("not to a float of 8 bits with a sign"))?;
    if !rounds_to_nearest(op, rw) {
        return Err(NoMatch("not to nearest"));
    }
    let wide = match from {
        Some(FloatKind::F64) => DOUBLE,
        Some(FloatKind::F16 | FloatKind::BF16 | FloatKind::F32) => SINGLE,
        _ => return Err(NoMatch("rounding twice would not be exact")),
    };
    expand(op, rw, |bits, value, ty| {
        let value = if wide.width == 64 { value } else { bits.as_f32(value) };
        let all = bits.int(wide.width);
        let all = bits.cast::<BitcastOp<'_>>(value, all);
        let code = rounded(bits, all, wide, &byte);
        let i8 = bits.int(8);
        let code = bits.cast::<TruncIOp<'_>>(code, i8);
        bits.cast::<BitcastOp<'_>>(code, ty)
    })
}

/// The code of the float with the bits `all`, sign included.
fn rounded(bits: &mut Bits<'_, '_, '_>, all: ValueId, wide: Wide, byte: &Byte) -> ValueId {
    let (int, float) = (bits.int(wide.width), bits.float(wide.kind));
    let dropped = wide.fraction - byte.fraction;
    let mut constant = |value: i64| bits.constant(wide.width, value);
    let (mask, to_bottom) = (constant(wide.magnitude()), constant(i64::from(wide.width - 8)));
    let (sign_bit, by, one) = (constant(SIGN), constant(i64::from(dropped)), constant(1));
    let almost_half = constant((1 << (dropped - 1)) - 1 - wide.power(-byte.bias));
    let first_normal = constant(wide.power(byte.lowest()));
    let unit = constant(wide.power(byte.lowest() + i64::from(dropped)));
    let (largest, beyond) = (constant(byte.largest), constant(byte.infinity.unwrap_or(byte.nan)));

    let magnitude = bits.same::<AndIOp<'_>>(all, mask);
    let sign = bits.same::<ShRUIOp<'_>>(all, to_bottom);
    let sign = bits.same::<AndIOp<'_>>(sign, sign_bit);
    let last = bits.same::<ShRUIOp<'_>>(magnitude, by);
    let last = bits.same::<AndIOp<'_>>(last, one);
    let bias = bits.same::<AddIOp<'_>>(last, almost_half);
    let normal = bits.same::<AddIOp<'_>>(magnitude, bias);
    let normal = bits.same::<ShRUIOp<'_>>(normal, by);
    let number = bits.cast::<BitcastOp<'_>>(magnitude, float);
    let power = bits.cast::<BitcastOp<'_>>(unit, float);
    let sum = bits.same::<AddFOp<'_>>(number, power);
    let sum = bits.cast::<BitcastOp<'_>>(sum, int);
    let subnormal = bits.same::<SubIOp<'_>>(sum, unit);
    let is_subnormal = bits.compare(CmpIPredicate::Ult, magnitude, first_normal);
    let code = bits.select(is_subnormal, subnormal, normal);
    let is_beyond = bits.compare(CmpIPredicate::Ugt, code, largest);
    let mut code = bits.select(is_beyond, beyond, code);
    if byte.infinity.is_some() {
        let (infinity, nan) = (bits.constant(wide.width, wide.infinity()), bits.constant(wide.width, byte.nan));
        let is_nan = bits.compare(CmpIPredicate::Ugt, magnitude, infinity);
        code = bits.select(is_nan, nan, code);
    }
    let signed = bits.same::<OrIOp<'_>>(code, sign);
    if !byte.has_one_zero() {
        return signed;
    }
    let zero = bits.constant(wide.width, 0);
    let is_zero = bits.compare(CmpIPredicate::Eq, code, zero);
    bits.select(is_zero, zero, signed)
}
