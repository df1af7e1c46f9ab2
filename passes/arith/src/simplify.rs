//! `arith-simplify`: algebra that needs less than canonicalization guarantees, on scalars, vectors and tensors.
//!
//! * `a*x + b*x` is `(a+b)*x`, and `a*x - b*x` is `(a-b)*x`; so a sum of any length of multiples of `x` becomes one product.
//! * Products with a power of two are shifts, and unsigned quotients and remainders shifts and masks; `x / 2^k` of floats is `x * 2^-k`.
//! * `x + -y` is `x - y`, and `x - -y` is `x + y`; comparisons of negated floats compare the floats the other way around; the complement of a
//!   comparison of floats is the opposite comparison.
//! * `x - x` is 0, where `nnan` and `ninf` hold; integers fold anyway.
//! * `(x*c)*d` is `x*(c*d)`, and `(x+c)+d` is `x+(c+d)`, for constants.
//!
//! Integers wrap around, so that everything holds for them; overflow flags are dropped, as they need not hold for what is computed instead. What
//! rounds differently needs `reassoc` on every operation involved. Factors are taken out only where the products have no other use: one product
//! less for as many sums.

use dl_arith::constants::{uniform_float, uniform_int};
use dl_arith::flags::fastmath;
use dl_arith::{
    AddFOp, AddIOp, AndIOp, CmpFOp, CmpFPredicate, DivFOp, DivUIOp, FastMathFlags, MulFOp, MulIOp, NegFOp, RemUIOp,
    ShLIOp, ShRUIOp, SubFOp, SubIOp, XOrIOp,
};
use dl_ir::number::float;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};

/// Simplifies sums, products and comparisons.
#[derive(Clone, Copy, Default)]
pub struct ArithSimplify;

impl Pass for ArithSimplify {
    const INFO: PassInfo =
        PassInfo::new("arith-simplify", "Take out common factors, shift rather than multiply, and drop negations");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns
            .add_fn("arith-take-out-factor", Some(AddIOp::NAME), take_out_factor::<AddIOp<'_>, MulIOp<'_>>)
            .add_fn("arith-take-out-factor", Some(SubIOp::NAME), take_out_factor::<SubIOp<'_>, MulIOp<'_>>)
            .add_fn("arith-take-out-factor", Some(AddFOp::NAME), take_out_factor::<AddFOp<'_>, MulFOp<'_>>)
            .add_fn("arith-take-out-factor", Some(SubFOp::NAME), take_out_factor::<SubFOp<'_>, MulFOp<'_>>)
            .add_fn("arith-multiply-by-shift", Some(MulIOp::NAME), |op, rw| {
                by_power(op, rw, Power::Shift(ShLIOp::NAME))
            })
            .add_fn("arith-divide-by-shift", Some(DivUIOp::NAME), |op, rw| {
                by_power(op, rw, Power::Shift(ShRUIOp::NAME))
            })
            .add_fn("arith-remainder-by-mask", Some(RemUIOp::NAME), |op, rw| by_power(op, rw, Power::Mask))
            .add_fn("arith-divide-by-power", Some(DivFOp::NAME), divide_by_power)
            .add_fn("arith-add-negated", Some(AddFOp::NAME), add_negated)
            .add_fn("arith-subtract-negated", Some(SubFOp::NAME), subtract_negated)
            .add_fn("arith-subtract-itself", Some(SubFOp::NAME), subtract_itself)
            .add_fn("arith-compare-negated", Some(CmpFOp::NAME), compare_negated)
            .add_fn("arith-not-of-cmpf", Some(XOrIOp::NAME), not_of_cmpf)
            .add_fn("arith-combine-factors", Some(MulFOp::NAME), combine::<MulFOp<'_>>)
            .add_fn("arith-combine-terms", Some(AddFOp::NAME), combine::<AddFOp<'_>>);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

fn may_reassociate(op: OpRef<'_>) -> bool {
    !op.result(0).ty().element_or_self().is_float() || fastmath(op).contains(FastMathFlags::REASSOC)
}

/// The flags that all of these have; none for integers.
fn common_flags(ops: &[OpRef<'_>]) -> Option<Attr> {
    let (first, rest) = ops.split_first()?;
    let flags = rest.iter().fold(fastmath(*first), |flags, op| flags.intersection(fastmath(*op)));
    (flags != FastMathFlags::default()).then(|| flags.attr(first.cx()))
}

/// An operation of that name on these, of the type of the first.
fn same(rw: &mut Rewriter<'_>, op: OpId, name: &'static str, operands: [ValueId; 2], flags: Option<Attr>) -> ValueId {
    let (cx, loc, ty) = (rw.cx(), rw.op(op).loc(), rw.ir().value_type(operands[0]));
    rw.set_insertion_before(op);
    let state = OpState::named(name, loc).operands(operands).results([ty]).maybe_attr(cx, "fastmath", flags);
    dl_ir::rewrite::create_or_fold(rw, state)[0]
}

/// The product that a value is, if it has no other use.
fn product<Mul: OpDefinition>(value: ValueRef<'_>) -> Option<OpRef<'_>> {
    value.defining_op().filter(|op| op.name() == Mul::NAME && value.has_one_use() && may_reassociate(*op))
}

fn take_out_factor<Sum: OpDefinition, Mul: OpDefinition>(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (lhs, rhs) = (view.operand(0), view.operand(1));
    if !may_reassociate(view) {
        return Err(NoMatch("sums keep their order"));
    }
    let (left, right) =
        product::<Mul>(lhs).zip(product::<Mul>(rhs)).ok_or(NoMatch("no sum of products of this use"))?;
    let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let (i, j) =
        pairs.into_iter().find(|&(i, j)| left.operand(i) == right.operand(j)).ok_or(NoMatch("no common factor"))?;
    let (factor, a, b) = (left.operand(i).id(), left.operand(1 - i).id(), right.operand(1 - j).id());
    let flags = common_flags(&[view, left, right]);
    let sum = same(rw, op, Sum::NAME, [a, b], flags);
    let value = same(rw, op, Mul::NAME, [sum, factor], flags);
    rw.replace(op, &[value]);
    Ok(())
}

#[derive(Clone, Copy)]
enum Power {
    Shift(&'static str),
    Mask,
}

fn by_power(op: OpId, rw: &mut Rewriter<'_>, kind: Power) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let (value, ty) = (view.operand(0).id(), view.result(0).ty());
    let constant = view.operand(1).constant().ok_or(NoMatch("no constant"))?;
    let number = uniform_int(cx, constant.id()).ok_or(NoMatch("no integer"))?;
    let power = number.to_u64().filter(|number| number.is_power_of_two()).ok_or(NoMatch("no power of two"))?;
    let by = match kind {
        Power::Shift(_) => i64::from(power.trailing_zeros()),
        Power::Mask => i64::try_from(power - 1).map_err(|_| NoMatch("too wide"))?,
    };
    if by == 0 {
        return Err(NoMatch("by one"));
    }
    let element = ty.element_or_self().id();
    let by = cx.int_attr(element, by);
    let by = if ty.is_shaped() { cx.splat_attr(ty.id(), by).ok_or(NoMatch("no splat"))? } else { by };
    let loc = view.loc();
    rw.set_insertion_before(op);
    let by = dl_arith::constant(rw, by, loc);
    let name = match kind {
        Power::Shift(name) => name,
        Power::Mask => AndIOp::NAME,
    };
    let value = same(rw, op, name, [value, by], None);
    rw.replace(op, &[value]);
    Ok(())
}

/// A constant of the type of `like` with this float everywhere.
fn float_constant(rw: &mut Rewriter<'_>, op: OpId, like: ValueId, bits: u128) -> Option<ValueId> {
    let (cx, loc, ty) = (rw.cx(), rw.op(op).loc(), rw.value_type(like));
    let number = cx.float_bits_attr(ty.element_or_self().id(), bits);
    let attr = if ty.is_shaped() { cx.splat_attr(ty.id(), number)? } else { number };
    rw.set_insertion_before(op);
    Some(dl_arith::constant(rw, attr, loc))
}

/// Exact where both the number and its inverse are powers of two in the format.
fn divide_by_power(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let constant = view.operand(1).constant().ok_or(NoMatch("no constant"))?;
    let (kind, bits) = uniform_float(cx, constant.id()).ok_or(NoMatch("no float"))?;
    let number = float::to_f64(kind, bits);
    let is_power =
        number.is_normal() && number.to_bits().trailing_zeros() >= 52 && float::from_f64(kind, number).0 == bits;
    let inverse = float::div(kind, float::one(kind), bits);
    if !is_power || !float::is_normal(kind, bits) || !float::is_normal(kind, inverse) {
        return Err(NoMatch("no power of two, or its inverse is not exact"));
    }
    let (value, flags) = (view.operand(0).id(), common_flags(&[view]));
    let inverse = float_constant(rw, op, value, inverse).ok_or(NoMatch("no splat"))?;
    let product = same(rw, op, MulFOp::NAME, [value, inverse], flags);
    rw.replace(op, &[product]);
    Ok(())
}

fn negated(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    value.defining_op().filter(|op| op.is::<NegFOp<'_>>()).map(|op| op.operand(0))
}

fn add_negated(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (lhs, rhs) = (view.operand(0), view.operand(1));
    let (from, less) = match (negated(lhs), negated(rhs)) {
        (_, Some(y)) => (lhs.id(), y.id()),
        (Some(x), None) => (rhs.id(), x.id()),
        _ => return Err(NoMatch("nothing is negated")),
    };
    let flags = common_flags(&[view]);
    let value = same(rw, op, SubFOp::NAME, [from, less], flags);
    rw.replace(op, &[value]);
    Ok(())
}

fn subtract_negated(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let more = negated(view.operand(1)).ok_or(NoMatch("nothing is negated"))?.id();
    let (from, flags) = (view.operand(0).id(), common_flags(&[view]));
    let value = same(rw, op, AddFOp::NAME, [from, more], flags);
    rw.replace(op, &[value]);
    Ok(())
}

fn subtract_itself(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let finite = FastMathFlags::NNAN.union(FastMathFlags::NINF);
    let value = view.operand(0);
    if value != view.operand(1)
        || !fastmath(view).contains(finite)
        || value.ty().is_shaped() && !value.ty().has_static_shape()
    {
        return Err(NoMatch("other values, or it may be no number"));
    }
    let value = value.id();
    let zero = float_constant(rw, op, value, 0).ok_or(NoMatch("no splat"))?;
    rw.replace(op, &[zero]);
    Ok(())
}

/// `-x < -y` is `x > y`, and `-x < c` is `x > -c`.
fn compare_negated(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let compare = view.cast::<CmpFOp<'_>>().ok_or(NoMatch("no comparison"))?;
    let predicate = CmpFPredicate::from_attr(compare.predicate()).ok_or(NoMatch("no predicate"))?;
    let (lhs, rhs) = (view.operand(0), view.operand(1));
    let x = negated(lhs).ok_or(NoMatch("the left side is not negated"))?.id();
    let constant = rhs.constant().and_then(|constant| uniform_float(cx, constant.id()));
    let y = match (negated(rhs), constant) {
        (Some(y), _) => y.id(),
        (None, Some((kind, bits))) => float_constant(rw, op, x, float::neg(kind, bits)).ok_or(NoMatch("no splat"))?,
        _ => return Err(NoMatch("the right side is neither negated nor constant")),
    };
    let predicate = predicate.swapped().attr(cx);
    let (loc, flags, ty) = (rw.op(op).loc(), common_flags(&[rw.op(op)]), rw.op(op).result(0).ty().id());
    rw.set_insertion_before(op);
    let state = OpState::of::<CmpFOp<'_>>(loc).operands([x, y]).results([ty]).attr(cx, "predicate", predicate);
    rw.replace_with(op, state.maybe_attr(cx, "fastmath", flags));
    Ok(())
}

fn not_of_cmpf(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let ones = view.operand(1).constant().is_some_and(|ones| dl_arith::constants::is_all_ones(cx, ones.id()));
    let inner = view.operand(0).defining_op().filter(|_| ones).ok_or(NoMatch("no complement"))?;
    let compare = inner.cast::<CmpFOp<'_>>().ok_or(NoMatch("of no comparison of floats"))?;
    let predicate = CmpFPredicate::from_attr(compare.predicate()).ok_or(NoMatch("no predicate"))?;
    let (x, y, flags, loc) = (inner.operand(0).id(), inner.operand(1).id(), common_flags(&[inner]), view.loc());
    let ty = view.result(0).ty().id();
    rw.set_insertion_before(op);
    let state = OpState::of::<CmpFOp<'_>>(loc).operands([x, y]).results([ty]);
    let state = state.attr(cx, "predicate", predicate.inverted().attr(cx)).maybe_attr(cx, "fastmath", flags);
    rw.replace_with(op, state);
    Ok(())
}

/// Constants of sums of sums, or of products of products, come together.
fn combine<Op: OpDefinition>(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let outer = view.operand(1);
    let inner = view.operand(0).defining_op().filter(|inner| inner.name() == Op::NAME);
    let inner = inner.filter(|_| outer.constant().is_some()).ok_or(NoMatch("not with two constants"))?;
    if inner.operand(1).constant().is_none() || !may_reassociate(view) || !may_reassociate(inner) {
        return Err(NoMatch("not with two constants, or sums keep their order"));
    }
    let (value, c, d) = (inner.operand(0).id(), inner.operand(1).id(), outer.id());
    let flags = common_flags(&[view, inner]);
    let both = same(rw, op, Op::NAME, [c, d], flags);
    let value = same(rw, op, Op::NAME, [value, both], flags);
    rw.replace(op, &[value]);
    Ok(())
}
