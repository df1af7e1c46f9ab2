//! Folds of constants, which hold whether an index has 32 or 64 bits.

use dl_ir::dialect::{Folded, folded};
use dl_ir::number::ApInt;
use dl_ir::{Attr, OpRef};

use crate::{CmpOp, IndexCmpPredicate, MaxSOp, MaxUOp, MinSOp, MinUOp};

/// The two widths that an index may have.
const WIDTHS: [u32; 2] = [32, 64];

/// The constant `k[at]` with 64 bits.
fn constant(op: OpRef<'_>, k: &[Option<Attr>], at: usize) -> Option<ApInt> {
    let attr = k.get(at).copied().flatten()?;
    op.cx().attr(attr).as_ap_int().cloned()
}

/// The 64-bit result of `f`, where the 32-bit result is its lower half.
fn agreed(f: impl Fn(u32) -> Option<ApInt>) -> Option<ApInt> {
    let [narrow, wide] = WIDTHS.map(&f);
    let (narrow, wide) = (narrow?, wide?);
    (wide.zext_or_trunc(WIDTHS[0]) == narrow).then_some(wide)
}

/// `f` of two constants.
fn binary(op: OpRef<'_>, k: &[Option<Attr>], f: impl Fn(&ApInt, &ApInt) -> Option<ApInt>) -> Option<Folded> {
    let (a, b) = (constant(op, k, 0)?, constant(op, k, 1)?);
    let value = agreed(|width| f(&a.zext_or_trunc(width), &b.zext_or_trunc(width)))?;
    folded(op.cx().ap_int_attr(op.cx().index_type(), value))
}

fn is_constant(op: OpRef<'_>, k: &[Option<Attr>], at: usize, value: i64) -> bool {
    constant(op, k, at).is_some_and(|c| c.to_i64() == Some(value))
}

/// `x + 0 = x`
pub(crate) fn add(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if is_constant(op, k, 1, 0) {
        return folded(op.operand(0).id());
    }
    binary(op, k, |a, b| Some(a.wrapping_add(b)))
}

/// `x - 0 = x`
pub(crate) fn sub(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if is_constant(op, k, 1, 0) {
        return folded(op.operand(0).id());
    }
    binary(op, k, |a, b| Some(a.wrapping_sub(b)))
}

/// `x * 1 = x` and `x * 0 = 0`
pub(crate) fn mul(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if is_constant(op, k, 1, 1) {
        return folded(op.operand(0).id());
    }
    if is_constant(op, k, 1, 0) {
        return folded(op.operand(1).id());
    }
    binary(op, k, |a, b| Some(a.wrapping_mul(b)))
}

/// A shift by fewer bits than the narrower index has.
fn shift(op: OpRef<'_>, k: &[Option<Attr>], f: fn(&ApInt, u64) -> Option<ApInt>) -> Option<Folded> {
    let amount = constant(op, k, 1)?.to_u64().filter(|&amount| amount < u64::from(WIDTHS[0]))?;
    binary(op, k, |a, _| f(a, amount))
}

pub(crate) fn shl(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    shift(op, k, ApInt::shl)
}

pub(crate) fn shrs(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    shift(op, k, ApInt::ashr)
}

pub(crate) fn shru(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    shift(op, k, ApInt::lshr)
}

/// A signed quotient, rounded as `divide` says. The least number by -1 is undefined: of 32 bits, where 64 have an answer, any answer
/// will do.
fn quotient(a: &ApInt, b: &ApInt, divide: fn(&ApInt, &ApInt) -> Option<ApInt>) -> Option<ApInt> {
    let wraps = a.width() == WIDTHS[0] && a.is_min_signed() && b.is_all_ones();
    divide(a, b).or_else(|| wraps.then(|| a.clone()))
}

macro_rules! functions_of_constants {
    ($($name:ident: $f:expr;)*) => {$(
        pub(crate) fn $name(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
            binary(op, k, $f)
        }
    )*};
}

functions_of_constants! {
    and: |a, b| Some(a.and(b));
    or: |a, b| Some(a.or(b));
    xor: |a, b| Some(a.xor(b));
    divs: |a, b| quotient(a, b, ApInt::sdiv);
    divu: ApInt::udiv;
    ceildivs: |a, b| quotient(a, b, ApInt::ceildiv_signed);
    ceildivu: ApInt::ceildiv_unsigned;
    floordivs: |a, b| quotient(a, b, ApInt::floordiv_signed);
    rems: ApInt::srem;
    remu: ApInt::urem;
    maxs: |a, b| Some(a.smax(b));
    maxu: |a, b| Some(a.umax(b));
    mins: |a, b| Some(a.smin(b));
    minu: |a, b| Some(a.umin(b));
}

/// A cast of a constant. `resize` makes an integer wider or narrower.
fn cast(op: OpRef<'_>, k: &[Option<Attr>], resize: fn(&ApInt, u32) -> ApInt) -> Option<Folded> {
    let cx = op.cx();
    let (value, result) = (constant(op, k, 0)?, op.result(0).ty());
    if result.is_index() {
        return folded(cx.ap_int_attr(result.id(), resize(&value, WIDTHS[1])));
    }
    let width = result.int_width()?;
    let [narrow, wide] = WIDTHS.map(|index| resize(&value.zext_or_trunc(index), width));
    if narrow == wide { folded(cx.ap_int_attr(result.id(), wide)) } else { None }
}

pub(crate) fn casts(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    cast(op, k, ApInt::sext_or_trunc)
}

pub(crate) fn castu(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    cast(op, k, ApInt::zext_or_trunc)
}

/// The answer of a comparison of two numbers of one width.
pub(crate) fn holds(predicate: IndexCmpPredicate, a: &ApInt, b: &ApInt) -> bool {
    match predicate {
        IndexCmpPredicate::Eq => a == b,
        IndexCmpPredicate::Ne => a != b,
        IndexCmpPredicate::Slt => a.slt(b),
        IndexCmpPredicate::Sle => a.sle(b),
        IndexCmpPredicate::Sgt => a.sgt(b),
        IndexCmpPredicate::Sge => a.sge(b),
        IndexCmpPredicate::Ult => a.ult(b),
        IndexCmpPredicate::Ule => a.ule(b),
        IndexCmpPredicate::Ugt => a.ugt(b),
        IndexCmpPredicate::Uge => a.uge(b),
    }
}

/// The comparison of the operands the other way round.
fn swapped(predicate: IndexCmpPredicate) -> IndexCmpPredicate {
    match predicate {
        IndexCmpPredicate::Eq => IndexCmpPredicate::Eq,
        IndexCmpPredicate::Ne => IndexCmpPredicate::Ne,
        IndexCmpPredicate::Slt => IndexCmpPredicate::Sgt,
        IndexCmpPredicate::Sle => IndexCmpPredicate::Sge,
        IndexCmpPredicate::Sgt => IndexCmpPredicate::Slt,
        IndexCmpPredicate::Sge => IndexCmpPredicate::Sle,
        IndexCmpPredicate::Ult => IndexCmpPredicate::Ugt,
        IndexCmpPredicate::Ule => IndexCmpPredicate::Uge,
        IndexCmpPredicate::Ugt => IndexCmpPredicate::Ult,
        IndexCmpPredicate::Uge => IndexCmpPredicate::Ule,
    }
}

/// What both widths say.
fn agreed_truth(f: impl Fn(u32) -> Option<bool>) -> Option<bool> {
    let [narrow, wide] = WIDTHS.map(&f);
    narrow.filter(|_| narrow == wide)
}

/// Constants, a value compared with itself, and a maximum or minimum with a constant that decides the comparison with another.
pub(crate) fn cmp(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let cmp = CmpOp(op);
    let predicate = IndexCmpPredicate::from_attr(cmp.pred())?;
    let truth = if let (Some(a), Some(b)) = (constant(op, k, 0), constant(op, k, 1)) {
        agreed_truth(|width| Some(holds(predicate, &a.zext_or_trunc(width), &b.zext_or_trunc(width))))
    } else if cmp.lhs() == cmp.rhs() {
        let zero = ApInt::zero(WIDTHS[0]);
        Some(holds(predicate, &zero, &zero))
    } else {
        let (bounded, bound, predicate) = match (constant(op, k, 0), constant(op, k, 1)) {
            (_, Some(bound)) => (cmp.lhs(), bound, predicate),
            (Some(bound), None) => (cmp.rhs(), bound, swapped(predicate)),
            (None, None) => return None,
        };
        let bounded = bounded.defining_op()?;
        agreed_truth(|width| compare_bounded(bounded, predicate, &bound, width))
    };
    folded(op.cx().bool_attr(truth?))
}

/// The answer of a comparison of `bounded`, the maximum or minimum of something and a constant, with `bound`, if it is always the same.
fn compare_bounded(bounded: OpRef<'_>, predicate: IndexCmpPredicate, bound: &ApInt, width: u32) -> Option<bool> {
    let limit = bounded.operands().get(1)?.constant()?.as_ap_int()?.zext_or_trunc(width);
    let bound = bound.zext_or_trunc(width);
    let signed = bounded.is::<MaxSOp<'_>>() || bounded.is::<MinSOp<'_>>();
    let (lowest, highest) = if bounded.is::<MaxSOp<'_>>() {
        (limit, ApInt::max_signed(width))
    } else if bounded.is::<MinSOp<'_>>() {
        (ApInt::min_signed(width), limit)
    } else if bounded.is::<MaxUOp<'_>>() {
        (limit, ApInt::all_ones(width))
    } else if bounded.is::<MinUOp<'_>>() {
        (ApInt::zero(width), limit)
    } else {
        return None;
    };
    // In the order of the other signedness, the values between the limits are those between them only if the limits have one sign.
    let is_signed_predicate = matches!(
        predicate,
        IndexCmpPredicate::Slt | IndexCmpPredicate::Sle | IndexCmpPredicate::Sgt | IndexCmpPredicate::Sge
    );
    let is_equality = matches!(predicate, IndexCmpPredicate::Eq | IndexCmpPredicate::Ne);
    if is_equality {
        let outside =
            if signed { bound.slt(&lowest) || bound.sgt(&highest) } else { bound.ult(&lowest) || bound.ugt(&highest) };
        return outside.then_some(predicate == IndexCmpPredicate::Ne);
    }
    if is_signed_predicate != signed && lowest.is_negative() != highest.is_negative() {
        return None;
    }
    let (low, high) = (holds(predicate, &lowest, &bound), holds(predicate, &highest, &bound));
    (low == high).then_some(low)
}
