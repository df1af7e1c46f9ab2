//! Quotients of complex numbers.
//!
//! Algebraic: by the square of the absolute value of the divisor, which may overflow. With the range reduced: Smith's method (Robert L. Smith,
//! "Algorithm 116: Complex division", 1962), which divides by the larger part first, and what C says of infinities and zeros.

use dl_ir::ValueId;

use super::arithmetic::{Floats, Is};

/// A complex number: real and imaginary part.
pub(super) type Parts = [ValueId; 2];

/// `x / y` by the square of the absolute value of `y`.
pub(super) fn algebraic(f: &mut Floats<'_, '_, '_>, x: Parts, y: Parts) -> Parts {
    let squares = y.map(|part| f.mul(part, part));
    let norm = f.add(squares[0], squares[1]);
    let (re_re, im_im) = (f.mul(x[0], y[0]), f.mul(x[1], y[1]));
    let real = f.add(re_re, im_im);
    let (im_re, re_im) = (f.mul(x[1], y[0]), f.mul(x[0], y[1]));
    let imaginary = f.sub(im_re, re_im);
    [f.div(real, norm), f.div(imaginary, norm)]
}

/// The quotient where the imaginary part of the divisor is the larger one.
fn by_imaginary(f: &mut Floats<'_, '_, '_>, x: Parts, y: Parts) -> Parts {
    let ratio = f.div(y[0], y[1]);
    let scaled = f.mul(ratio, y[0]);
    let divisor = f.add(y[1], scaled);
    let real = f.mul(x[0], ratio);
    let real = f.add(real, x[1]);
    let real = f.div(real, divisor);
    let imaginary = f.mul(x[1], ratio);
    let imaginary = f.sub(imaginary, x[0]);
    [real, f.div(imaginary, divisor)]
}

/// The quotient where the real part of the divisor is the larger one.
fn by_real(f: &mut Floats<'_, '_, '_>, x: Parts, y: Parts) -> Parts {
    let ratio = f.div(y[1], y[0]);
    let scaled = f.mul(ratio, y[1]);
    let divisor = f.add(y[0], scaled);
    let real = f.mul(x[1], ratio);
    let real = f.add(x[0], real);
    let real = f.div(real, divisor);
    let imaginary = f.mul(x[0], ratio);
    let imaginary = f.sub(x[1], imaginary);
    [real, f.div(imaginary, divisor)]
}

/// One with the sign of `part` where that is infinite, else zero with its sign.
fn as_direction(f: &mut Floats<'_, '_, '_>, infinite: ValueId, [one, zero]: [ValueId; 2], part: ValueId) -> ValueId {
    let size = f.select(infinite, one, zero);
    f.copysign(size, part)
}

/// `x / y` by Smith's method.
pub(super) fn range_reduced(f: &mut Floats<'_, '_, '_>, x: Parts, y: Parts) -> Parts {
    let smaller_real = by_imaginary(f, x, y);
    let smaller_imaginary = by_real(f, x, y);

    // Something that is not all NaN by zero is infinite.
    let zero = f.constant(y[0], 0.0);
    let y_abs_re = f.abs(y[0]);
    let re_zero = f.compare(Is::Equal, y_abs_re, zero);
    let y_abs_im = f.abs(y[1]);
    let im_zero = f.compare(Is::Equal, y_abs_im, zero);
    let numbers = x.map(|part| f.compare(Is::Ordered, part, zero));
    let any_number = f.or(numbers[0], numbers[1]);
    let by_zero = f.and(re_zero, im_zero);
    let by_zero = f.and(any_number, by_zero);
    let infinity = f.constant(y[0], f64::INFINITY);
    let signed = f.copysign(infinity, y[0]);
    let infinite = x.map(|part| f.mul(signed, part));

    // Something infinite by something finite is infinite.
    let y_finite = [y_abs_re, y_abs_im].map(|abs| f.compare(Is::Different, abs, infinity));
    let y_is_finite = f.and(y_finite[0], y_finite[1]);
    let x_abs_re = f.abs(x[0]);
    let re_infinite = f.compare(Is::Equal, x_abs_re, infinity);
    let x_abs_im = f.abs(x[1]);
    let im_infinite = f.compare(Is::Equal, x_abs_im, infinity);
    let x_is_infinite = f.or(re_infinite, im_infinite);
    let of_infinite = f.and(x_is_infinite, y_is_finite);
    let one = f.constant(y[0], 1.0);
    let re = as_direction(f, re_infinite, [one, zero], x[0]);
    let im = as_direction(f, im_infinite, [one, zero], x[1]);
    let (re_re, im_im) = (f.mul(re, y[0]), f.mul(im, y[1]));
    let sum = f.add(re_re, im_im);
    let grown_re = f.mul(infinity, sum);
    let (re_im, im_re) = (f.mul(re, y[1]), f.mul(im, y[0]));
    let difference = f.sub(im_re, re_im);
    let grown = [grown_re, f.mul(infinity, difference)];

    // Something finite by something infinite is zero.
    let x_finite = [x_abs_re, x_abs_im].map(|abs| f.compare(Is::Different, abs, infinity));
    let x_is_finite = f.and(x_finite[0], x_finite[1]);
    let y_infinite = [y_abs_re, y_abs_im].map(|abs| f.compare(Is::Equal, abs, infinity));
    let y_is_infinite = f.or(y_infinite[0], y_infinite[1]);
    let by_infinite = f.and(x_is_finite, y_is_infinite);
    let re = as_direction(f, y_infinite[0], [one, zero], y[0]);
    let im = as_direction(f, y_infinite[1], [one, zero], y[1]);
    let (re_re, im_im) = (f.mul(x[0], re), f.mul(x[1], im));
    let sum = f.add(re_re, im_im);
    let vanished_re = f.mul(zero, sum);
    let (im_re, re_im) = (f.mul(x[1], re), f.mul(x[0], im));
    let difference = f.sub(im_re, re_im);
    let vanished = [vanished_re, f.mul(zero, difference)];

    let smaller = f.compare(Is::Less, y_abs_re, y_abs_im);
    let mut choose = |condition: ValueId, yes: Parts, no: Parts| {
        [f.select(condition, yes[0], no[0]), f.select(condition, yes[1], no[1])]
    };
    let value = choose(smaller, smaller_real, smaller_imaginary);
    let special = choose(by_infinite, vanished, value);
    let special = choose(of_infinite, grown, special);
    let special = choose(by_zero, infinite, special);
    let nan = value.map(|part| f.compare(Is::Unordered, part, zero));
    let nan = f.and(nan[0], nan[1]);
    [f.select(nan, special[0], value[0]), f.select(nan, special[1], value[1])]
}
