//! What acts on the parts of complex numbers in a simple way.

use dl_ir::ValueId;

use crate::complex::arithmetic::{Floats, Is};

/// `x + y`.
pub(super) fn add(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    by_parts(f, operands, Floats::add)
}

/// `x - y`.
pub(super) fn sub(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    by_parts(f, operands, Floats::sub)
}

fn by_parts<'a, 'b, 'c>(
    f: &mut Floats<'a, 'b, 'c>,
    operands: &[ValueId],
    combine: fn(&mut Floats<'a, 'b, 'c>, ValueId, ValueId) -> ValueId,
) -> ValueId {
    let (x, y) = (f.re(operands[0]), f.re(operands[1]));
    let re = combine(f, x, y);
    let (x, y) = (f.im(operands[0]), f.im(operands[1]));
    let im = combine(f, x, y);
    f.number([re, im])
}

/// `x * y`.
pub(super) fn mul(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let (x, y) = (f.parts(operands[0]), f.parts(operands[1]));
    let (re_re, im_im) = (f.mul(x[0], y[0]), f.mul(x[1], y[1]));
    let re = f.sub(re_re, im_im);
    let (im_re, re_im) = (f.mul(x[1], y[0]), f.mul(x[0], y[1]));
    let im = f.add(im_re, re_im);
    f.number([re, im])
}

/// `-x`.
pub(super) fn neg(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let parts = f.parts(operands[0]);
    let parts = parts.map(|part| f.make("arith.negf", &[part], false));
    f.number(parts)
}

/// `x` with the opposite imaginary part.
pub(super) fn conj(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [re, im] = f.parts(operands[0]);
    let im = f.make("arith.negf", &[im], false);
    f.number([re, im])
}

/// Whether both parts are equal.
pub(super) fn equal(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let (x, y) = (f.parts(operands[0]), f.parts(operands[1]));
    let (re, im) = (f.compare(Is::Equal, x[0], y[0]), f.compare(Is::Equal, x[1], y[1]));
    f.and(re, im)
}

/// Whether a part differs, or is NaN.
pub(super) fn different(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let (x, y) = (f.parts(operands[0]), f.parts(operands[1]));
    let (re, im) = (f.compare(Is::NotEqual, x[0], y[0]), f.compare(Is::NotEqual, x[1], y[1]));
    f.or(re, im)
}

/// `x / |x|`, or zero with its signs.
pub(super) fn sign(f: &mut Floats<'_, '_, '_>, operands: &[ValueId]) -> ValueId {
    let [re, im] = f.parts(operands[0]);
    let zero = f.constant(re, 0.0);
    let (re_zero, im_zero) = (f.compare(Is::Equal, re, zero), f.compare(Is::Equal, im, zero));
    let is_zero = f.and(re_zero, im_zero);
    let abs = f.abs_of(operands[0]);
    let parts = [f.div(re, abs), f.div(im, abs)];
    let direction = f.number(parts);
    f.select(is_zero, operands[0], direction)
}
