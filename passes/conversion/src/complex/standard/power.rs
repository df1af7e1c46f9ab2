//! Powers.

use dl_arith::SIToFPOp;
use dl_ir::{OpDefinition, ValueId};

use crate::complex::arithmetic::{Floats, Is};

/// `(a + bi)^(c + di) = |x|^c e^(-d angle(x)) (cos q + i sin q)` with `q = c angle(x) + d log |x|`, and the cases that William Kahan, "Branch
/// Cuts for Complex Elementary Functions", defines.
pub(super) fn pow(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [c, d] = f.parts(operands[1]);
    let [a, b] = f.parts(operands[0]);
    let abs = f.abs_of(operands[0]);
    let abs_to_c = f.of_two("math.powf", abs, c);
    let minus_d = f.of("arith.negf", d);
    let angle = f.of_two("math.atan2", b, a);
    let turned = f.mul(minus_d, angle);
    let damping = f.of("math.exp", turned);
    let size = f.mul(abs_to_c, damping);
    let log = f.of("math.log", abs);
    let c_angle = f.mul(c, angle);
    let d_log = f.mul(d, log);
    let q = f.add(c_angle, d_log);
    let (cos, sin) = (f.of("math.cos", q), f.of("math.sin", q));

    let (infinity, zero, one) = (f.constant(a, f64::INFINITY), f.constant(a, 0.0), f.constant(a, 1.0));
    let number_one = f.number([one, zero]);
    let number_zero = f.number([zero, zero]);
    let number_infinity = f.number([infinity, zero]);

    // 0^y is 0 for a positive real y, and 1 for zero.
    let abs_zero = f.test(Is::Equal, abs, zero);
    let d_zero = f.test(Is::Equal, d, zero);
    let c_zero = f.test(Is::Equal, c, zero);
    let b_zero = f.test(Is::Equal, b, zero);
    let c_positive = f.test(Is::AtMost, zero, c);
    let parts = [f.mul(size, cos), f.mul(size, sin)];
    let one_or_zero = f.select(c_zero, number_one, number_zero);
    let general = f.number(parts);
    let of_zero = f.and(abs_zero, d_zero);
    let of_zero = f.and(of_zero, c_positive);
    let value = f.select(of_zero, one_or_zero, general);
    // x^0 is 1.
    let to_zero = f.and(c_zero, d_zero);
    let value = f.select(to_zero, number_one, value);
    // 1^y is 1.
    let a_one = f.test(Is::Equal, a, one);
    let of_one = f.and(a_one, b_zero);
    let value = f.select(of_one, number_one, value);
    // inf^y for a real y is infinity or zero.
    let a_infinite = f.test(Is::Equal, a, infinity);
    let of_infinity = f.and(a_infinite, b_zero);
    let c_greater = f.test(Is::Greater, c, zero);
    let to_greater = f.and(d_zero, c_greater);
    let grows = f.and(of_infinity, to_greater);
    let value = f.select(grows, number_infinity, value);
    let c_less = f.test(Is::Less, c, zero);
    let to_less = f.and(d_zero, c_less);
    let shrinks = f.and(of_infinity, to_less);
    f.select(shrinks, number_zero, value)
}

/// `x^n` of an integer: the power of the number `n + 0i`.
pub(super) fn pow_of_integer(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let cx = f.b.cx();
    let element = cx.ty(f.b.ir().value_type(operands[0])).element_type().expect("a complex number").id();
    let exponent = f.b.value::<SIToFPOp<'_>>(&[operands[1]], element);
    let zero = f.constant(exponent, 0.0);
    let exponent = f.number([exponent, zero]);
    f.of_two(dl_complex::PowOp::NAME, operands[0], exponent)
}
