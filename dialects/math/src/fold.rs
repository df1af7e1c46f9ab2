//! Folds of constants.
//!
//! Integer functions and those that pick or round a float are exact for every type. The others fold for `f32` and `f64` only, each in its own
//! precision, as upstream does with the host's library.

use dl_arith::constants::{Number, is_poison, map};
use dl_ir::dialect::{Folded, folded};
use dl_ir::number::ApInt;
use dl_ir::number::float::{self, Rounding};
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
    erf: |x| libm::erf(x.into()) as f32, libm::erf;
    erfc: |x| libm::erfc(x.into()) as f32, libm::erfc;
    exp: f32::exp, f64::exp;
    exp2: f32::exp2, f64::exp2;
    expm1: f32::exp_m1, f64::exp_m1;
    round: f32::round, f64::round;
    sin: f32::sin, f64::sin;
    sinh: f32::sinh, f64::sinh;
    tan: f32::tan, f64::tan;
    tanh: f32::tanh, f64::tanh;
    trunc: f32::trunc, f64::trunc;
}

/// A function of the host's library that is defined from `lowest` on; for smaller numbers, and for `lowest` with the sign set, the operation
/// stays.
fn of_host_from(
    lowest: f64,
    op: OpRef<'_>,
    k: &[Option<Attr>],
    single: fn(f32) -> f32,
    double: fn(f64) -> f64,
) -> Option<Folded> {
    let below = |value: f64| (value - lowest).is_sign_negative();
    of_float(op, k, |kind, a| match kind {
        FloatKind::F32 => {
            let a = f32::from_bits(a as u32);
            (!below(a.into())).then(|| single(a).to_bits().into())
        }
        FloatKind::F64 => {
            let a = f64::from_bits(a as u64);
            (!below(a)).then(|| double(a).to_bits().into())
        }
        _ => None,
    })
}

macro_rules! host_functions_from {
    ($($name:ident: $lowest:expr, $single:expr, $double:expr;)*) => {$(
        pub(crate) fn $name(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
            of_host_from($lowest, op, k, $single, $double)
        }
    )*};
}

host_functions_from! {
    log: 0.0, f32::ln, f64::ln;
    log1p: -1.0, f32::ln_1p, f64::ln_1p;
    log2: 0.0, f32::log2, f64::log2;
    log10: 0.0, f32::log10, f64::log10;
    sqrt: 0.0, f32::sqrt, f64::sqrt;
}

/// The angle of a point; of the origin it is that of its signs, as the function says that runs otherwise. Upstream answers NaN there.
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

fn integral(op: OpRef<'_>, k: &[Option<Attr>], rounding: Rounding) -> Option<Folded> {
    of_float(op, k, |kind, a| Some(float::round_to_integral(kind, a, rounding)))
}

pub(crate) fn ceil(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    integral(op, k, Rounding::Up)
}

pub(crate) fn floor(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    integral(op, k, Rounding::Down)
}

pub(crate) fn roundeven(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    integral(op, k, Rounding::NearestEven)
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
    map(op.cx(), op.result(0).ty().id(), constants(k)?, |[a]| {
        let (kind, a) = a.float()?;
        Some(Number::Int(ApInt::from_bool(f(kind, a))))
    })
    .and_then(folded)
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

pub(crate) fn isnormal(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    classify(op, k, float::is_normal)
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

/// `base` to the power of `exponent`, wrapping; `None` for a negative power of zero.
pub(crate) fn power(base: &ApInt, exponent: &ApInt) -> Option<ApInt> {
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
