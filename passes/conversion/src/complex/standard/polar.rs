//! Absolute value, angle and roots.
//!
//! The absolute value is the larger part times `sqrt(1 + (smaller / larger)^2)`, which does not overflow where it is representable.

use dl_ir::ValueId;

use crate::complex::arithmetic::{Floats, Is};

/// Which power of the absolute value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Power {
    One,
    Half,
    MinusHalf,
}

/// A power of the absolute value.
fn power_of_abs(f: &mut Floats<'_, '_, '_>, [re, im]: [ValueId; 2], power: Power) -> ValueId {
    let one = f.constant(re, 1.0);
    let (re, im) = (f.abs(re), f.abs(im));
    let mut larger = f.of_two("arith.maximumf", re, im);
    let mut smaller = f.of_two("arith.minimumf", re, im);
    f.with_specials(|f| {
        let ratio = f.div(smaller, larger);
        let square = f.mul(ratio, ratio);
        let mut factor = f.add(square, one);
        if power == Power::MinusHalf {
            factor = f.of("math.rsqrt", factor);
            smaller = f.of("math.rsqrt", smaller);
            larger = f.of("math.rsqrt", larger);
        }
        let result = if power == Power::Half {
            let quarter = f.constant(re, 0.25);
            let root = f.of("math.sqrt", larger);
            let factor = f.of_two("math.powf", factor, quarter);
            f.mul(root, factor)
        } else {
            let factor = f.of("math.sqrt", factor);
            f.mul(larger, factor)
        };
        // Zero by zero, and infinity by infinity: the smaller one is what the larger one is.
        let is_nan = f.test(Is::Unordered, result, result);
        f.select(is_nan, smaller, result)
    })
}

/// `|x|`.
pub(super) fn abs(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let parts = f.parts(operands[0]);
    power_of_abs(f, parts, Power::One)
}

/// The angle to the positive real axis.
pub(super) fn angle(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [re, im] = f.parts(operands[0]);
    f.of_two("math.atan2", im, re)
}

/// The square root: the root of the absolute value at half the angle. See Paul Friedland, "Algorithm 312: Absolute value and square root
/// of a complex number", 1967.
pub(super) fn sqrt(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let (zero, half) = (f.part_constant(operands[0], 0.0), f.part_constant(operands[0], 0.5));
    let [re, im] = f.parts(operands[0]);
    let root = power_of_abs(f, [re, im], Power::Half);
    let angle = f.of_two("math.atan2", im, re);
    let angle = f.mul(angle, half);
    let (cos, sin) = (f.of("math.cos", angle), f.of("math.sin", angle));
    // An infinite root at angle zero is real.
    let sin_zero = f.test(Is::Equal, sin, zero);
    let mut result_re = f.mul(root, cos);
    let result_im = f.mul(root, sin);
    let mut result_im = f.select(sin_zero, zero, result_im);
    if !f.all_finite() {
        let infinity = f.constant(re, f64::INFINITY);
        let minus_infinity = f.constant(re, f64::NEG_INFINITY);
        let nan = f.constant(re, f64::NAN);
        let abs_im = f.abs(im);
        let im_infinite = f.test(Is::Equal, abs_im, infinity);
        let im_finite = f.test(Is::Different, abs_im, infinity);
        let re_infinite = f.test(Is::Equal, re, infinity);
        let re_minus_infinite = f.test(Is::Equal, re, minus_infinity);
        let is_imaginary = f.and(re_minus_infinite, im_finite);
        result_re = f.select(is_imaginary, zero, result_re);
        let is_infinite = f.or(im_infinite, re_infinite);
        result_re = f.select(is_infinite, infinity, result_re);
        let signed = f.of_two("math.copysign", infinity, im);
        let root_nan = f.compare(Is::Unordered, root, root);
        result_im = f.select(root_nan, nan, result_im);
        let im_grows = f.or(im_infinite, re_minus_infinite);
        result_im = f.select(im_grows, signed, result_im);
    }
    let is_zero = f.test(Is::Equal, root, zero);
    let parts = [f.select(is_zero, zero, result_re), f.select(is_zero, zero, result_im)];
    f.number(parts)
}

/// One by the square root.
pub(super) fn rsqrt(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [zero, infinity, minus_half, nan] =
        [0.0, f64::INFINITY, -0.5, f64::NAN].map(|value| f.part_constant(operands[0], value));
    let [re, im] = f.parts(operands[0]);
    let root = power_of_abs(f, [re, im], Power::MinusHalf);
    let angle = f.of_two("math.atan2", im, re);
    let angle = f.mul(angle, minus_half);
    let (cos, sin) = (f.of("math.cos", angle), f.of("math.sin", angle));
    let (mut result_re, mut result_im) = (f.mul(root, cos), f.mul(root, sin));
    if !f.all_finite() {
        let minus_one = f.constant(re, -1.0);
        let re_zero = f.of_two("math.copysign", zero, re);
        let im_zero = f.of_two("math.copysign", zero, im);
        let minus_im_zero = f.mul(minus_one, im_zero);
        let (abs_re, abs_im) = (f.abs(re), f.abs(im));
        let im_infinite = f.test(Is::Equal, abs_im, infinity);
        let re_nan = f.test(Is::Unordered, re, re);
        let re_infinite = f.test(Is::Equal, abs_re, infinity);
        let vague = f.and(im_infinite, re_nan);
        let vanishes = f.or(vague, re_infinite);
        result_re = f.select(vanishes, re_zero, result_re);
        result_im = f.select(vanishes, minus_im_zero, result_im);
    }
    let (re_is_zero, im_is_zero) = (f.test(Is::Equal, re, zero), f.test(Is::Equal, im, zero));
    let is_zero = f.and(re_is_zero, im_is_zero);
    let parts = [f.select(is_zero, infinity, result_re), f.select(is_zero, nan, result_im)];
    f.number(parts)
}
