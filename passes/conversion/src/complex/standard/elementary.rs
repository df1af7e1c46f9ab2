//! Exponential function, logarithm, sine and cosine.

use dl_ir::ValueId;

use crate::complex::arithmetic::{Floats, Is};

/// `e^(a + bi) = e^a cos b + i e^a sin b`. Where `e^a` overflows, in two steps of `e^(a/2)`: the other factor may be small.
pub(super) fn exp(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [re, im] = f.parts(operands[0]);
    let (zero, half) = (f.constant(re, 0.0), f.constant(re, 0.5));
    let infinity = f.constant(re, f64::INFINITY);
    let size = f.of("math.exp", re);
    let halved = f.mul(re, half);
    let root = f.of("math.exp", halved);
    let waves = [f.of("math.cos", im), f.of("math.sin", im)];
    let overflows = f.test(Is::Equal, size, infinity);
    let is_real = f.test(Is::Equal, im, zero);
    let [re, im] = waves.map(|wave| {
        let product = f.mul(size, wave);
        let step = f.mul(root, wave);
        let in_steps = f.mul(step, root);
        f.select(overflows, in_steps, product)
    });
    let im = f.select(is_real, zero, im);
    f.number([re, im])
}

/// Coefficients of `(cos x - 1 + x^2 / 2) / x^4` in `x^2` near zero, the highest power first (Stephen Moshier, Cephes).
const COS_MINUS_ONE: [f64; 7] = [
    4.737_750_796_424_621e-14,
    -1.147_028_484_342_536e-11,
    2.087_675_428_708_152e-9,
    -2.755_731_921_499_979e-7,
    2.480_158_730_157_055e-5,
    -1.388_888_888_888_887_2e-3,
    4.166_666_666_666_666_4e-2,
];

/// The square of pi/4, about.
const NEAR_ZERO: f64 = 0.61685;

/// `cos x - 1` without cancellation.
fn cos_minus_one(f: &mut Floats<'_, '_, '_>, x: ValueId) -> ValueId {
    let (minus_half, minus_one) = (f.constant(x, -0.5), f.constant(x, -1.0));
    let cos = f.of("math.cos", x);
    let far = f.add(cos, minus_one);
    let square = f.mul(x, x);
    let fourth = f.mul(square, square);
    let mut polynomial = f.constant(x, COS_MINUS_ONE[0]);
    for &coefficient in &COS_MINUS_ONE[1..] {
        let coefficient = f.constant(x, coefficient);
        polynomial = f.make("math.fma", &[polynomial, square, coefficient], true);
    }
    let rest = f.mul(fourth, polynomial);
    let parabola = f.mul(minus_half, square);
    let near = f.add(rest, parabola);
    let bound = f.constant(x, NEAR_ZERO);
    let is_far = f.test(Is::AtLeast, square, bound);
    f.select(is_far, far, near)
}

/// `e^(a + bi) - 1 = (e^a - 1) cos b + (cos b - 1) + i e^a sin b`, exact also near zero.
pub(super) fn exp_minus_one(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [re, im] = f.parts(operands[0]);
    let (zero, one) = (f.constant(re, 0.0), f.constant(re, 1.0));
    let less = f.of("math.expm1", re);
    let size = f.add(less, one);
    let sin = f.of("math.sin", im);
    let cos_less = cos_minus_one(f, im);
    let cos = f.add(cos_less, one);
    let scaled = f.mul(less, cos);
    let re = f.add(scaled, cos_less);
    let is_real = f.test(Is::Equal, im, zero);
    let im = f.mul(size, sin);
    let im = f.select(is_real, zero, im);
    f.number([re, im])
}

/// `log z = log |z| + i angle(z)`.
pub(super) fn log(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let abs = f.abs_of(operands[0]);
    let size = f.of("math.log", abs);
    let [re, im] = f.parts(operands[0]);
    let angle = f.of_two("math.atan2", im, re);
    f.number([size, angle])
}

/// `log(1 + z)`, exact also near zero: with `m` the larger part of `1 + z` and `n` the other, `log m + log(1 + (n/m)^2) / 2`.
pub(super) fn log_of_one_plus(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [re, im] = f.parts(operands[0]);
    let (half, one) = (f.constant(re, 0.5), f.constant(re, 1.0));
    let moved = f.add(re, one);
    let (abs_re, abs_im) = (f.abs(moved), f.abs(im));
    let larger = f.of_two("arith.maximumf", abs_re, abs_im);
    let smaller = f.of_two("arith.minimumf", abs_re, abs_im);
    let is_real = f.test(Is::Greater, moved, abs_im);
    let larger_less = f.sub(larger, one);
    let larger_less = f.select(is_real, re, larger_less);
    let ratio = f.with_specials(|f| f.div(smaller, larger));
    let main = f.of("math.log1p", larger_less);
    let size = f.with_specials(|f| {
        let square = f.mul(ratio, ratio);
        let rest = f.of("math.log1p", square);
        let rest = f.mul(half, rest);
        let sum = f.add(rest, main);
        let is_nan = f.test(Is::Unordered, sum, sum);
        f.select(is_nan, smaller, sum)
    });
    let angle = f.of_two("math.atan2", im, moved);
    f.number([size, angle])
}

/// `e^y / 2`, `e^-y / 2`, `sin x` and `cos x` of `x + yi`.
fn waves(f: &mut Floats<'_, '_, '_>, z: ValueId) -> [ValueId; 4] {
    let [re, im] = f.parts(z);
    let half = f.constant(re, 0.5);
    let exp = f.of("math.exp", im);
    let (grown, shrunk) = (f.mul(half, exp), f.div(half, exp));
    [grown, shrunk, f.of("math.sin", re), f.of("math.cos", re)]
}

/// `cos(x + yi) = (e^-y + e^y)/2 cos x + i (e^-y - e^y)/2 sin x`.
pub(super) fn cos(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [grown, shrunk, sin, cos] = waves(f, operands[0]);
    let sum = f.add(shrunk, grown);
    let re = f.mul(sum, cos);
    let difference = f.sub(shrunk, grown);
    let im = f.mul(difference, sin);
    f.number([re, im])
}

/// `sin(x + yi) = (e^y + e^-y)/2 sin x + i (e^y - e^-y)/2 cos x`.
pub(super) fn sin(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [grown, shrunk, sin, cos] = waves(f, operands[0]);
    let sum = f.add(grown, shrunk);
    let re = f.mul(sum, sin);
    let difference = f.sub(grown, shrunk);
    let im = f.mul(difference, cos);
    f.number([re, im])
}

/// `atan2(y, x) = -i log((x + iy) / sqrt(x^2 + y^2))`.
pub(super) fn atan2(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let (y, x) = (operands[0], operands[1]);
    let x_squared = f.of_two("complex.mul", x, x);
    let y_squared = f.of_two("complex.mul", y, y);
    let norm = f.of_two("complex.add", x_squared, y_squared);
    let size = f.of("complex.sqrt", norm);
    let (zero, one) = (f.part_constant(x, 0.0), f.part_constant(x, 1.0));
    let i = f.number([zero, one]);
    let turned = f.of_two("complex.mul", i, y);
    let sum = f.of_two("complex.add", x, turned);
    let direction = f.of_two("complex.div", sum, size);
    let log = f.of("complex.log", direction);
    let minus_one = f.part_constant(x, -1.0);
    let minus_i = f.number([zero, minus_one]);
    f.of_two("complex.mul", minus_i, log)
}
