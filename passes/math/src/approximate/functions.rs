//! The functions.

use std::f32::consts;

use super::machine::{Machine, SHIFT};

/// `log2(e)` in two parts.
const LOG2_E: [f32; 2] = [consts::LOG2_E, 1.925_963e-8];
/// `ln(2)` in two parts, the first so short that its products with exponents are exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
/// `2^f` for `f` from -1/2 to 1/2.
const EXP2: [f32; 7] = [1.0, 6.931_472e-1, 2.402_264_8e-1, 5.550_332_5e-2, 9.618_437e-3, 1.339_887_5e-3, 1.535_336e-4];
/// `(expm1(r) - r) / r^2` for `r` up to half of `ln(2)`: the Taylor series, whose next term is below half a unit in the last place of `r`.
const EXPM1: [f32; 6] = [0.5, 0.166_666_67, 4.166_666_8e-2, 8.333_334e-3, 1.388_888_9e-3, 1.984_127e-4];
/// `(log(1 + f) - f + f^2 / 2) / f^3` for `1 + f` from the square root of 1/2 to that of 2.
const LOG: [f32; 9] = [
    3.333_333e-1,
    -2.499_999_4e-1,
    2.000_071_5e-1,
    -1.666_805_8e-1,
    1.424_932_3e-1,
    -1.242_014_1e-1,
    1.167_699_9e-1,
    -1.151_461e-1,
    7.037_683_6e-2,
];
#[expect(clippy::approx_constant, reason = "a fitted coefficient, one unit below 2/sqrt(pi)")]
const ERF_P: [f32; 6] = [1.128_379_1, 1.915_467_3e-1, 5.287_497e-2, 3.808_006_5e-3, 2.846_84e-4, 2.025_933_4e-6];
const ERF_Q: [f32; 6] = [1.0, 5.030_865_5e-1, 1.145_581_4e-1, 1.505_478_2e-2, 1.170_687_6e-3, 3.783_186_6e-5];
const TANH_P: [f32; 5] = [1.0, 1.337_973_6e-1, 3.494_055_4e-3, 2.058_38e-5, 1.331_946_8e-8];
const TANH_Q: [f32; 5] = [1.0, 4.671_305e-1, 2.587_115_4e-2, 3.283_126e-4, 7.762_191e-7];

/// Below, `exp` and `exp2` are zero; above, infinite: whatever is in between is computed without overflow.
const EXP_RANGE: [f32; 2] = [-104.0, 89.0];
const EXP2_RANGE: [f32; 2] = [-151.0, 129.0];
/// Below, `expm1` is -1 to the last bit.
const EXPM1_RANGE: [f32; 2] = [-69.0, 89.0];

/// `e^x`: `2^n 2^f` with `x log2(e) = n + f`.
pub(super) fn exp<M: Machine>(m: &mut M, x: M::F) -> M::F {
    let x = m.clamp(x, EXP_RANGE[0], EXP_RANGE[1]);
    let (high, low) = (m.float(LOG2_E[0]), m.float(LOG2_E[1]));
    let shift = m.float(SHIFT);
    let t = m.fma(x, high, shift);
    let n = m.unshift(t);
    // The product is exact here, so that what it was rounded by does not get lost.
    let minus_n = m.neg(n.number);
    let f = m.fma(x, high, minus_n);
    let f = m.fma(x, low, f);
    let p = m.polynomial(f, &EXP2);
    m.scale(p, n)
}

/// `2^x`.
pub(super) fn exp2<M: Machine>(m: &mut M, x: M::F) -> M::F {
    let x = m.clamp(x, EXP2_RANGE[0], EXP2_RANGE[1]);
    let shift = m.float(SHIFT);
    let t = m.add(x, shift);
    let n = m.unshift(t);
    let f = m.sub(x, n.number);
    let p = m.polynomial(f, &EXP2);
    m.scale(p, n)
}

/// `e^x - 1`: `2^n (e^r - 1) + (2^n - 1)` with `x = n ln(2) + r`. Half of it is computed, whose power is a number also where `2^n` is none.
pub(super) fn expm1<M: Machine>(m: &mut M, x: M::F) -> M::F {
    let clamped = m.clamp(x, EXPM1_RANGE[0], EXPM1_RANGE[1]);
    let (log2_e, half, shift) = (m.float(LOG2_E[0]), m.float(0.5), m.float(SHIFT));
    let t = m.fma(clamped, log2_e, shift);
    let n = m.unshift(t);
    let (high, low) = (m.float(-LN_2[0]), m.float(-LN_2[1]));
    let r = m.fma(n.number, high, clamped);
    let r = m.fma(n.number, low, r);
    let p = m.polynomial(r, &EXPM1);
    let square = m.mul(r, r);
    let p = m.fma(square, p, r);
    let power = m.half_power(n);
    let rest = m.sub(power, half);
    let sum = m.fma(power, p, rest);
    let result = m.add(sum, sum);
    // Tiny arguments, and zeros with their sign.
    let magnitude = m.abs(x);
    let bound = m.float(1.0e-6);
    let tiny = m.less(magnitude, bound);
    let small = {
        let square = m.mul(x, half);
        m.fma(square, x, x)
    };
    let zero = m.float(0.0);
    let is_zero = m.equal(x, zero);
    let small = m.select(is_zero, x, small);
    m.select(tiny, small, result)
}

/// `e^x - 1` by `exp` and `log`, as Kahan does it: `(u - 1) x / ln(u)` with the rounded power `u`. The logarithm has the error of the power, too, and
/// next to one, where that matters, the quotient does away with it.
pub(super) fn expm1_by<M: Machine>(
    m: &mut M,
    x: M::F,
    exp: impl Fn(&mut M, M::F) -> M::F,
    log: impl Fn(&mut M, M::F) -> M::F,
) -> M::F {
    let u = exp(m, x);
    let (one, infinity) = (m.float(1.0), m.float(f32::INFINITY));
    let rest = m.sub(u, one);
    let log = log(m, u);
    let quotient = m.div(x, log);
    let result = m.mul(rest, quotient);
    // Where nothing is left of `x`, or nothing but `x`, or there is no quotient.
    let (is_one, is_infinite) = (m.equal(u, one), m.equal(u, infinity));
    let result = m.select(is_one, x, result);
    let result = m.select(is_infinite, u, result);
    let minus_one = m.float(-1.0);
    let is_minus_one = m.equal(rest, minus_one);
    m.select(is_minus_one, rest, result)
}

/// A positive number taken apart: its exponent, and its mantissa less one, so chosen that `x = 2^e (1 + f)`.
fn mantissa<M: Machine>(m: &mut M, x: M::F) -> (M::F, M::F) {
    // Subnormal numbers are scaled to others first.
    let (least, scale) = (m.float(f32::MIN_POSITIVE), m.float(8_388_608.0));
    let subnormal = m.less(x, least);
    let scaled = m.mul(x, scale);
    let x = m.select(subnormal, scaled, x);
    let (zero, shift) = (m.float(0.0), m.float(-23.0));
    let correction = m.select(subnormal, shift, zero);
    // The exponent of the number above the square root of 1/2.
    let bits = m.bits(x);
    let root = m.int(0x3f35_04f3);
    let above = m.sub_int(bits, root);
    let e = m.shift_right(above, 23);
    let by = m.shift_left(e, 23);
    let bits = m.sub_int(bits, by);
    let mantissa = m.of_bits(bits);
    let one = m.float(1.0);
    let f = m.sub(mantissa, one);
    let e = m.to_float(e);
    (m.add(e, correction), f)
}

/// `log(1 + f) - f` for the mantissa of [`mantissa`].
fn log_rest<M: Machine>(m: &mut M, f: M::F) -> M::F {
    let p = m.polynomial(f, &LOG);
    let square = m.mul(f, f);
    let cube = m.mul(square, f);
    let minus_half = m.float(-0.5);
    let half_square = m.mul(square, minus_half);
    m.fma(cube, p, half_square)
}

/// The logarithm where `x` is not a positive number: `-inf` at zero, NaN below, and what is not finite as it is.
fn outside<M: Machine>(m: &mut M, x: M::F, result: M::F) -> M::F {
    let (zero, infinity, nan) = (m.float(0.0), m.float(f32::INFINITY), m.float(f32::NAN));
    let finite = m.less(x, infinity);
    let result = m.select(finite, result, x);
    let negative = m.less(x, zero);
    let result = m.select(negative, nan, result);
    let is_zero = m.equal(x, zero);
    let minus_infinity = m.float(f32::NEG_INFINITY);
    m.select(is_zero, minus_infinity, result)
}

/// `ln(x)`.
pub(super) fn log<M: Machine>(m: &mut M, x: M::F) -> M::F {
    let (e, f) = mantissa(m, x);
    let rest = log_rest(m, f);
    let (high, low) = (m.float(LN_2[0]), m.float(LN_2[1]));
    let rest = m.fma(e, low, rest);
    let sum = m.add(f, rest);
    let result = m.fma(e, high, sum);
    outside(m, x, result)
}

/// The logarithm to a base whose logarithm is `1 / (high + low)`, with `e` counted `per_octave` each.
fn log_to_base<M: Machine>(m: &mut M, x: M::F, factor: [f32; 2], per_octave: [f32; 2]) -> M::F {
    let (e, f) = mantissa(m, x);
    let rest = log_rest(m, f);
    let (high, low) = (m.float(factor[0]), m.float(factor[1]));
    let sum = m.mul(rest, low);
    let sum = m.fma(f, low, sum);
    let sum = m.fma(rest, high, sum);
    let octave_low = m.float(per_octave[1]);
    let sum = m.fma(e, octave_low, sum);
    let sum = m.fma(f, high, sum);
    let octave = m.float(per_octave[0]);
    let result = m.fma(e, octave, sum);
    outside(m, x, result)
}

/// `log2(x)`.
pub(super) fn log2<M: Machine>(m: &mut M, x: M::F) -> M::F {
    log_to_base(m, x, LOG2_E, [1.0, 0.0])
}

/// `log10(x)`.
pub(super) fn log10<M: Machine>(m: &mut M, x: M::F) -> M::F {
    log_to_base(m, x, [consts::LOG10_E, -1.010_305e-8], [0.301_025_4, 4.605_04e-6])
}

/// `ln(1 + x)`.
pub(super) fn log1p<M: Machine>(m: &mut M, x: M::F) -> M::F {
    log1p_by(m, x, log)
}

/// `ln(1 + x)` by `log`: the logarithm of the rounded sum `u`, and `(x - (u - 1)) / u` for what rounding took.
pub(super) fn log1p_by<M: Machine>(m: &mut M, x: M::F, log: impl Fn(&mut M, M::F) -> M::F) -> M::F {
    let one = m.float(1.0);
    let u = m.add(x, one);
    let log = log(m, u);
    let back = m.sub(u, one);
    let lost = m.sub(x, back);
    let correction = m.div(lost, u);
    let result = m.add(log, correction);
    // Where nothing is left of `x`, or nothing but `x`, or the correction is none.
    let infinity = m.float(f32::INFINITY);
    let (is_one, is_infinite) = (m.equal(u, one), m.equal(u, infinity));
    let result = m.select(is_one, x, result);
    let result = m.select(is_infinite, u, result);
    let zero = m.float(0.0);
    let is_zero = m.equal(u, zero);
    m.select(is_zero, log, result)
}

/// An odd function as `x P(x^2) / Q(x^2)`, for `x` up to `bound`, from where on it is one.
fn odd_rational<M: Machine>(m: &mut M, x: M::F, bound: f32, p: &[f32], q: &[f32]) -> M::F {
    let x = m.clamp(x, -bound, bound);
    let square = m.mul(x, x);
    let (p, q) = (m.polynomial(square, p), m.polynomial(square, q));
    let p = m.mul(x, p);
    m.div(p, q)
}

/// `tanh(x)`.
pub(super) fn tanh<M: Machine>(m: &mut M, x: M::F) -> M::F {
    odd_rational(m, x, 9.015_003, &TANH_P, &TANH_Q)
}

/// `erf(x)`.
pub(super) fn erf<M: Machine>(m: &mut M, x: M::F) -> M::F {
    odd_rational(m, x, 3.919, &ERF_P, &ERF_Q)
}
