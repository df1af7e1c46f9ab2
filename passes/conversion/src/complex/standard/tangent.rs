//! Tangent and hyperbolic tangent.

use dl_ir::ValueId;

use crate::complex::arithmetic::{Floats, Is};
use crate::complex::division::Parts;

/// The hyperbolic tangent of `x + yi`: `(e^2x - e^-2x + 4i cos y sin y) / (e^2x + e^-2x - 2 + 4 cos^2 y)`.
fn hyperbolic(f: &mut Floats<'_, '_, '_>, [re, im]: Parts, minus_one: ValueId) -> Parts {
    let (infinity, four) = (f.constant(re, f64::INFINITY), f.constant(re, 4.0));
    let twice = f.add(re, re);
    let minus_twice = f.mul(minus_one, twice);
    let grown = f.of("math.expm1", twice);
    let shrunk = f.of("math.expm1", minus_twice);
    let above_re = f.sub(grown, shrunk);
    let cos = f.of("math.cos", im);
    let square = f.mul(cos, cos);
    let wave = f.mul(square, four);
    let sin = f.of("math.sin", im);
    let product = f.mul(cos, sin);
    let above_im = f.mul(four, product);
    let sum = f.add(grown, shrunk);
    let below = f.add(sum, wave);
    let overflows = f.test(Is::Equal, sum, infinity);
    let limit = f.of_two("math.copysign", minus_one, re);
    let quotient = f.div(above_re, below);
    let mut result_re = f.select(overflows, limit, quotient);
    let mut result_im = f.div(above_im, below);
    if !f.all_finite() {
        let abs = f.abs(re);
        let (zero, nan) = (f.constant(re, 0.0), f.constant(re, f64::NAN));
        let infinite = f.test(Is::Equal, abs, infinity);
        let is_real = f.test(Is::Equal, im, zero);
        let cx = f.b.cx();
        let yes = f.b.constant(cx.bool_attr(true), cx.i1_type());
        let finite = f.make("arith.xori", &[infinite, yes], false);
        let wave_nan = f.test(Is::Unordered, above_im, above_im);
        let re_nan = f.and(wave_nan, finite);
        let at_infinity = f.and(infinite, wave_nan);
        let im_zero = f.or(is_real, at_infinity);
        result_re = f.select(re_nan, nan, result_re);
        result_im = f.select(im_zero, zero, result_im);
    }
    [result_re, result_im]
}

/// `tanh z`.
pub(super) fn tanh(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let parts = f.parts(operands[0]);
    let minus_one = f.constant(parts[0], -1.0);
    let parts = hyperbolic(f, parts, minus_one);
    f.number(parts)
}

/// `tan(x + yi) = -i tanh(-y + xi)`.
pub(super) fn tan(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [re, im] = f.parts(operands[0]);
    let minus_one = f.constant(re, -1.0);
    let turned = f.mul(im, minus_one);
    let [above, side] = hyperbolic(f, [turned, re], minus_one);
    let im = f.mul(above, minus_one);
    f.number([side, im])
}
