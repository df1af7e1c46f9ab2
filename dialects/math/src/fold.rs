//! Folds of constants.
//!
//! Integer functions and those that pick or round a float are exact for every type. The others fold for `f32` and `f64` only, each in its own
//! precision, as upstream does with the host's library.

use dl_arith::constants::{Number, is_poison, map};
use dl_ir::dialect::{Folded, folded};
use dl_ir::number::{ApInt, float};
use dl_ir::{Attr, FloatKind, OpRef};

/// The constant operands, one for each operand.
fn constants<const N: usize>(k: &[Option<Attr>]) -> Option<[Attr; N]> {
    let list: Option<Vec<Attr>> = k.iter().copied().collect();
    list?.try_into().ok()
}

/// `f` of each element, or a poisoned operand.
fn apply<const N: usize>(
    op: OpRef<'_>,
    k: &[Option<Attr>],
    f: impl FnMut([Number; N]) -> Option<Number>,
) -> Option<Folded> {
    let cx = op.cx();
    if let Some(poison) = k.iter().copied().flatten().find(|&c| is_poison(cx, c)) {
        return folded(poison);
    }
    map(cx, op.result(0).ty().id(), constants(k)?, f).and_then(folded)
}

fn of_float(op: OpRef<'_>, k: &[Option<Attr>], f: impl Fn(FloatKind, u128) -> Option<u128>) -> Option<Folded> {
    apply(op, k, |[a]| {
        let (kind, a) = a.float()?;
        Some(Number::Float(kind, f(kind, a)?))
    })
}

/// A function of the host's library, in the precision of the operand.
fn of_host(op: OpRef<'_>, k: &[Option<Attr>], single: fn(f32) -> f32, double: fn(f64) -> f64) -> Option<Folded> {
    of_float(op, k, |kind, a| match kind {
        FloatKind::F32 => Some(single(f32::from_bits(a as u32)).to_bits().into()),
        FloatKind::F64 => Some(double(f64::from_bits(a as u64)).to_bits().into()),
        _ => None,
    })
}

/// The same, of two operands.
fn of_host2(
    op: OpRef<'_>,
    k: &[Option<Attr>],
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
) -> Option<Folded> {
    apply(op, k, |[a, b]| {
        let ((kind, a), (_, b)) = (a.float()?, b.float()?);
        let bits = match kind {
            FloatKind::F32 => single(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into(),
            FloatKind::F64 => double(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into(),
            _ => return None,
        };
        Some(Number::Float(kind, bits))
    })
}

macro_rules! host_functions {
    ($($name:ident: $single:expr, $double:expr;)*) => {$(
        pub(crate) fn $name(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
            of_host(op, k, $single, $double)
        }
    )*};
}

host_functions! {
    acos: f32::acos, f64::acos;
    acosh: libm::acoshf, libm::acosh;
    asin: f32::asin, f64::asin;
    asinh: libm::asinhf, libm::asinh;
    atan: f32::atan, f64::atan;
    atanh: libm::atanhf, libm::atanh;
    cos: f32::cos, f64::cos;
    cosh: f32::cosh, f64::cosh;
    erf: libm::erff, libm::erf;
    erfc: libm::erfcf, libm::erfc;
    exp: f32::exp, f64::exp;
    exp2: f32::exp2, f64::exp2;
    expm1: f32::exp_m1, f64::exp_m1;
    log1p: f32::ln_1p, f64::ln_1p;
    round: f32::round, f64::round;
    roundeven: f32::round_ties_even, f64::round_ties_even;
    sin: f32::sin, f64::sin;
    sinh: f32::sinh, f64::sinh;
    tan: f32::tan, f64::tan;
    tanh: f32::tanh, f64::tanh;
    trunc: f32::trunc, f64::trunc;
}

/// A function that is not defined for negative numbers, which stay.
fn of_non_negative(
    op: OpRef<'_>,
    k: &[Option<Attr>],
    single: fn(f32) -> f32,
    double: fn(f64) -> f64,
) -> Option<Folded> {
    of_float(op, k, |kind, a| {
        if float::is_negative(kind, a) {
            return None;
        }
        match kind {
            FloatKind::F32 => Some(single(f32::from_bits(a as u32)).to_bits().into()),
            FloatKind::F64 => Some(double(f64::from_bits(a as u64)).to_bits().into()),
            _ => None,
        }
    })
}

macro_rules! functions_of_non_negative {
    ($($name:ident: $single:expr, $double:expr;)*) => {$(
        pub(crate) fn $name(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
            of_non_negative(op, k, $single, $double)
        }
    )*};
}

functions_of_non_negative! {
    log: f32::ln, f64::ln;
    log2: f32::log2, f64::log2;
    log10: f32::log10, f64::log10;
    sqrt: f32::sqrt, f64::sqrt;
}

pub(crate) fn atan2(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    of_host2(op, k, f32::atan2, f64::atan2)
}

pub(crate) fn powf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    of_host2(op, k, f32::powf, f64::powf)
}

/// The number without its sign.
pub(crate) fn absf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    of_float(op, k, |kind, a| Some(float::abs(kind, a)))
}

/// A rounding that doubles represent exactly, for the formats that they hold.
fn rounded(op: OpRef<'_>, k: &[Option<Attr>], f: fn(f64) -> f64) -> Option<Folded> {
    of_float(op, k, |kind, a| {
        let wide = matches!(kind, FloatKind::F80 | FloatKind::F128);
        let result = float::from_f64(kind, f(float::to_f64(kind, a)));
        (!wide && !float::is_nan(kind, a)).then_some(result.0)
    })
}

pub(crate) fn ceil(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    rounded(op, k, f64::ceil)
}

pub(crate) fn floor(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    rounded(op, k, f64::floor)
}

/// The first number with the sign of the second.
pub(crate) fn copysign(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    apply(op, k, |[a, b]| {
        let ((kind, a), (_, b)) = (a.float()?, b.float()?);
        let positive = float::abs(kind, a);
        let bits = if float::is_negative(kind, b) { float::neg(kind, positive) } else { positive };
        Some(Number::Float(kind, bits))
    })
}

fn classify(op: OpRef<'_>, k: &[Option<Attr>], f: impl Fn(FloatKind, u128) -> bool) -> Option<Folded> {
    apply(op, k, |[a]| {
        let (kind, a) = a.float()?;
        Some(Number::Int(ApInt::from_bool(f(kind, a))))
    })
}

pub(crate) fn isfinite(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    classify(op, k, float::is_finite)
}

pub(crate) fn isinf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    classify(op, k, float::is_infinite)
}

pub(crate) fn isnan(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    classify(op, k, float::is_nan)
}

/// Finite, not zero, and with an exponent that is not the smallest, for the IEEE formats.
pub(crate) fn isnormal(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    apply(op, k, |[a]| {
        let (kind, a) = a.float()?;
        let fraction_bits = match kind {
            FloatKind::F16 => 10,
            FloatKind::BF16 => 7,
            FloatKind::F32 => 23,
            FloatKind::F64 => 52,
            FloatKind::F128 => 112,
            _ => return None,
        };
        let exponent = float::abs(kind, a) >> fraction_bits;
        Some(Number::Int(ApInt::from_bool(float::is_finite(kind, a) && exponent != 0)))
    })
}

fn of_int(op: OpRef<'_>, k: &[Option<Attr>], f: impl Fn(ApInt) -> ApInt) -> Option<Folded> {
    apply(op, k, |[a]| Some(Number::Int(f(a.int()?))))
}

pub(crate) fn absi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    of_int(op, k, |a| a.abs())
}

fn count(op: OpRef<'_>, k: &[Option<Attr>], f: fn(&ApInt) -> u32) -> Option<Folded> {
    of_int(op, k, |a| ApInt::from_u64(a.width(), f(&a).into()))
}

pub(crate) fn ctlz(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    count(op, k, ApInt::leading_zeros)
}

pub(crate) fn cttz(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    count(op, k, ApInt::trailing_zeros)
}

pub(crate) fn ctpop(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    count(op, k, ApInt::count_ones)
}

/// `base` to the power of `exponent`, wrapping. A negative power is 0, but for 1, -1, and 0, whose inverse is undefined.
pub(crate) fn ipowi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    apply(op, k, |[base, exponent]| power(&base.int()?, &exponent.int()?).map(Number::Int))
}

fn power(base: &ApInt, exponent: &ApInt) -> Option<ApInt> {
    let (width, one) = (base.width(), ApInt::one(base.width()));
    if exponent.is_negative() {
        if base.is_zero() {
            return None;
        }
        return Some(if base.is_one() {
            one
        } else if !base.is_all_ones() {
            ApInt::zero(width)
        } else if exponent.bit(0) {
            base.clone()
        } else {
            one
        });
    }
    let (mut result, mut square) = (one, base.clone());
    for bit in 0..width {
        if exponent.bit(bit) {
            result = result.wrapping_mul(&square);
        }
        square = square.wrapping_mul(&square);
    }
    Some(result)
}
