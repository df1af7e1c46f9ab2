//! Folds: what an operation equals when operands are constant or related.
//!
//! Sums and differences are those of IEEE 754, part by part: `(a - b) + b` is `a` only where `reassoc` and `nsz` say that rounding and the
//! signs of zeros do not count. A product or quotient with one is the other number, whatever the signs of its zeros.

use dl_arith::FastMathFlags;
use dl_arith::constants::{Number, uniform};
use dl_arith::flags::fastmath;
use dl_ir::dialect::{Folded, folded};
use dl_ir::number::float;
use dl_ir::{Attr, Context, FloatKind, OpRef};

use crate::{AddOp, BitcastOp, CreateOp, EqualOp, ExpOp, ImOp, LogOp, ReOp, SubOp};

/// Part 0 (real) or 1 (imaginary) of a constant.
fn part(cx: &Context, constant: Option<Attr>, index: usize) -> Option<Attr> {
    let parts = cx.attr(constant?).elements();
    if parts.len() == 2 { parts.map(|part| part.id()).nth(index) } else { None }
}

/// Format and encodings of both parts of the constant operand `k[at]`.
fn parts(op: OpRef<'_>, k: &[Option<Attr>], at: usize) -> Option<(FloatKind, [u128; 2])> {
    let constant = k.get(at).copied().flatten();
    let float = |index| uniform(op.cx(), part(op.cx(), constant, index)?).and_then(Number::float);
    let ((kind, re), (_, im)) = (float(0)?, float(1)?);
    Some((kind, [re, im]))
}

/// The constant of the type of result 0 with these parts.
fn constant(op: OpRef<'_>, parts: [u128; 2]) -> Option<Folded> {
    let (cx, element) = (op.cx(), op.result(0).ty().element_type()?.id());
    folded(cx.array_attr(&parts.map(|bits| cx.float_bits_attr(element, bits))))
}

/// `f` of the parts of two constants.
fn part_by_part(op: OpRef<'_>, k: &[Option<Attr>], f: fn(FloatKind, u128, u128) -> u128) -> Option<Folded> {
    let ((kind, a), (_, b)) = (parts(op, k, 0)?, parts(op, k, 1)?);
    constant(op, [f(kind, a[0], b[0]), f(kind, a[1], b[1])])
}

/// Whether the right operand is zero, with both parts of this sign, or of any sign where `op` does not mind.
fn right_is_zero(op: OpRef<'_>, k: &[Option<Attr>], negative: bool) -> bool {
    let any_sign = fastmath(op).contains(FastMathFlags::NSZ);
    let is_neutral = |(kind, parts): (FloatKind, [u128; 2])| {
        parts.iter().all(|&p| float::is_zero(kind, p) && (any_sign || float::is_negative(kind, p) == negative))
    };
    parts(op, k, 1).is_some_and(is_neutral)
}

/// Whether sums and differences may be put together in other ways.
fn is_reassociable(op: OpRef<'_>) -> bool {
    fastmath(op).contains(FastMathFlags::REASSOC.union(FastMathFlags::NSZ))
}

/// `a + -0 = a`, the sum of constants, and `(a - b) + b = b + (a - b) = a` where sums may be reassociated.
pub(crate) fn add(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if right_is_zero(op, k, true) {
        return folded(op.operand(0).id());
    }
    let minuend = |difference: usize, other: usize| {
        let inner = op.operand(difference).def::<SubOp<'_>>()?;
        (inner.rhs() == op.operand(other) && is_reassociable(inner.0)).then(|| inner.lhs().id())
    };
    if let Some(minuend) = minuend(0, 1).or_else(|| minuend(1, 0)).filter(|_| is_reassociable(op)) {
        return folded(minuend);
    }
    part_by_part(op, k, float::add)
}

/// `a - 0 = a`, the difference of constants, and `(a + b) - b = a` where sums may be reassociated.
pub(crate) fn sub(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if right_is_zero(op, k, false) {
        return folded(op.operand(0).id());
    }
    let inner = op.operand(0).def::<AddOp<'_>>().filter(|inner| inner.rhs() == op.operand(1));
    if let Some(inner) = inner.filter(|inner| is_reassociable(inner.0) && is_reassociable(op)) {
        return folded(inner.lhs().id());
    }
    part_by_part(op, k, float::sub)
}

/// `a * 1 = a` and `a / 1 = a`
pub(crate) fn times_one(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let is_one = |(kind, [re, im]): (FloatKind, [u128; 2])| re == float::one(kind) && float::is_zero(kind, im);
    if parts(op, k, 1).is_some_and(is_one) { folded(op.operand(0).id()) } else { None }
}

/// `-(-a) = a`, and the opposite of a constant.
pub(crate) fn neg(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    involution(op).or_else(|| {
        let (kind, [re, im]) = parts(op, k, 0)?;
        constant(op, [float::neg(kind, re), float::neg(kind, im)])
    })
}

/// `conj(conj(a)) = a`, and the conjugate of a constant.
pub(crate) fn conj(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    involution(op).or_else(|| {
        let (kind, [re, im]) = parts(op, k, 0)?;
        constant(op, [re, float::neg(kind, im)])
    })
}

/// `f(f(a)) = a`
fn involution(op: OpRef<'_>) -> Option<Folded> {
    let inner = op.operand(0).defining_op().filter(|inner| inner.name_id() == op.name_id())?;
    folded(inner.operand(0).id())
}

/// The comparison of two constants.
pub(crate) fn compare(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let ((kind, a), (_, b)) = (parts(op, k, 0)?, parts(op, k, 1)?);
    let equal = a.iter().zip(&b).all(|(&a, &b)| float::compare(kind, a, b).is_some_and(std::cmp::Ordering::is_eq));
    folded(op.cx().bool_attr(equal == op.is::<EqualOp<'_>>()))
}

/// `exp(log(a)) = a`
pub(crate) fn exp(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    folded(op.operand(0).def::<LogOp<'_>>()?.complex().id())
}

/// `log(exp(a)) = a` for a constant whose imaginary part is an angle that a logarithm has: `exp` forgets whole turns.
pub(crate) fn log(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let exp = op.operand(0).def::<ExpOp<'_>>()?;
    let angle = op.cx().attr(part(op.cx(), Some(exp.complex().constant()?.id()), 1)?).as_f64()?;
    if angle.abs() < std::f64::consts::PI { folded(exp.complex().id()) } else { None }
}

/// `create(re(a), im(a)) = a`
pub(crate) fn create(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let re = op.operand(0).def::<ReOp<'_>>()?.complex();
    let im = op.operand(1).def::<ImOp<'_>>()?.complex();
    if re == im { folded(re.id()) } else { None }
}

/// `re(create(a, b)) = a`, and the real part of a constant.
pub(crate) fn re(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if let Some(create) = op.operand(0).def::<CreateOp<'_>>() {
        return folded(create.real().id());
    }
    folded(part(op.cx(), k.first().copied().flatten(), 0)?)
}

/// `im(create(a, b)) = b`, and the imaginary part of a constant.
pub(crate) fn im(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if let Some(create) = op.operand(0).def::<CreateOp<'_>>() {
        return folded(create.imaginary().id());
    }
    folded(part(op.cx(), k.first().copied().flatten(), 1)?)
}

/// A cast to the same type is its operand; a cast back is what was cast first.
pub(crate) fn bitcast(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let result = op.result(0).ty();
    if op.operand(0).ty() == result {
        return folded(op.operand(0).id());
    }
    let source = op.operand(0).def::<BitcastOp<'_>>()?.operand();
    if source.ty() == result { folded(source.id()) } else { None }
}
