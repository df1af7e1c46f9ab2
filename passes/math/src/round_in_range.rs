//! `math-round-in-range`: floats that are clamped to a small range and rounded become integers by one addition.
//!
//! ```text
//! fptosi(min(max(roundeven(x) + c, low), high))  =>  bitcast(min(max(x, low - c), high - c) + M) - (bits of M) + c
//! sitofp(extui(trunci(that)) - z)                =>  (min(max(x, low - c), high - c) + M) - M + (c - z)
//! ```
//!
//! with `M = 1.5 * 2^23`. A float of 32 bits that is near `M` has no digits after the point: the sum is rounded to an integer, ties to even, and its low
//! bits are that integer. `low`, `high` and `c` are integers of at most 20 bits, so that clamping before rounding is clamping after it. This is how tensors are
//! quantized, and dequantized again where the integers are not stored in between: the sequence of the second line is four operations
//! of vectors rather than nine.
//!
//! What an integer is of a number that is not one is not defined, so the bounds may take its place: `maxnumf`, which CPUs have. A ratio to a positive
//! number has the sign of its dividend, so a bound of zero on the dividend goes where the ratio has such a bound.

use dl_arith::constants::{uniform_float, uniform_int};
use dl_arith::{
    AddFOp, AddIOp, BitcastOp, Build, DivFOp, ExtSIOp, ExtUIOp, FPToSIOp, FPToUIOp, MaxNumFOp, MaximumFOp, MinNumFOp,
    MinimumFOp, MulFOp, SIToFPOp, SubFOp, SubIOp, TruncIOp, UIToFPOp,
};
use dl_ir::number::float;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, Context, FloatKind, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};
use dl_math::RoundEvenOp;

/// Where the last digit of a float of 32 bits is 1, for integers of 22 bits around it; and its bits.
const MAGIC: f64 = 12_582_912.0;
const MAGIC_BITS: i64 = 0x4B40_0000;

/// Bounds and shifts are at most that.
const MOST: f64 = 1_048_576.0;

/// Bits of the float.
const LANE: u32 = 32;

/// Rounds by an addition where that is enough.
#[derive(Clone, Copy, Default)]
pub struct MathRoundInRange;

impl Pass for MathRoundInRange {
    const INFO: PassInfo = PassInfo::new(
        "math-round-in-range",
        "Round floats that are clamped to a small range, as quantization does, by an addition",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        // What becomes a float again does not see the integer first.
        let mut to_floats = Patterns::new();
        to_floats.add_fn("math-round-to-float", Some(SIToFPOp::NAME), to_float).add_fn(
            "math-round-to-float",
            Some(UIToFPOp::NAME),
            to_float,
        );
        let mut to_integers = Patterns::new();
        to_integers
            .add_fn("math-round-to-integer", Some(FPToSIOp::NAME), to_integer)
            .add_fn("math-round-to-integer", Some(FPToUIOp::NAME), to_integer)
            .add_fn("math-drop-truncated-difference", Some(TruncIOp::NAME), drop_truncated_difference);
        let mut changed = false;
        for patterns in [to_floats, to_integers] {
            changed |= cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed;
        }
        if !changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// `roundeven(min(max(value, low), high)) + shift`, where the numbers are integers.
#[derive(Clone, Copy)]
struct Rounded {
    value: ValueId,
    low: f64,
    high: f64,
    shift: f64,
}

impl Rounded {
    /// What a float is, if it is that.
    fn of(of: ValueRef<'_>) -> Option<Self> {
        let ty = of.ty();
        if ty.element_or_self().float_kind() != Some(FloatKind::F32) || ty.is_shaped() && ty.num_elements().is_none() {
            return None;
        }
        let (mut low, mut high, mut value) = (f64::NEG_INFINITY, f64::INFINITY, of);
        while let Some(op) = value.defining_op().filter(|op| is_maximum(*op) || is_minimum(*op)) {
            let bound = number(op.operand(1))?;
            (low, high) = if is_maximum(op) { (low.max(bound), high) } else { (low, high.min(bound)) };
            value = op.operand(0);
        }
        let mut shift = 0.0;
        if let Some(sum) = value.def::<AddFOp<'_>>() {
            (shift, value) = (number(sum.rhs())?, sum.lhs());
        }
        let value = value.defining_op().filter(|op| op.is::<RoundEvenOp<'_>>())?.operand(0).id();
        let is_small_integer = |number: f64| number.abs() <= MOST && number.fract() == 0.0;
        let fits = low <= high && [low, high, shift].into_iter().all(is_small_integer);
        fits.then_some(Self { value, low: low - shift, high: high - shift, shift })
    }

    /// What the integer `value` was made of, and what was added to it since. Nothing wraps around.
    fn of_integer(value: ValueRef<'_>) -> Option<(Self, f64)> {
        let bits = |value: ValueRef<'_>| value.ty().element_or_self().int_or_float_width();
        let (mut value, mut plus) = (value, 0.0);
        if let Some(op) = value.defining_op().filter(|op| op.is::<SubIOp<'_>>() || op.is::<AddIOp<'_>>()) {
            let by = uniform_int(op.cx(), op.operand(1).constant()?.id())?.to_i64()? as f64;
            plus = if op.is::<SubIOp<'_>>() { -by } else { by };
            (bits(value)? >= LANE).then_some(())?;
            value = op.operand(0);
        }
        let mut signed = true;
        if let Some(op) = value.defining_op().filter(|op| op.is::<ExtUIOp<'_>>() || op.is::<ExtSIOp<'_>>()) {
            signed = op.is::<ExtSIOp<'_>>();
            value = op.operand(0);
        }
        let width = bits(value)?;
        value = value.def::<TruncIOp<'_>>().map_or(value, |op| op.0.operand(0));
        let op = value.defining_op().filter(|op| op.is::<FPToSIOp<'_>>() || op.is::<FPToUIOp<'_>>())?;
        let rounded = Self::of(op.operand(0))?;
        let all = 2_f64.powi(i32::try_from(width).ok()?);
        let (least, most) = if signed { (-all / 2.0, all / 2.0 - 1.0) } else { (0.0, all - 1.0) };
        let holds = rounded.low + rounded.shift >= least && rounded.high + rounded.shift <= most && plus.abs() <= MOST;
        holds.then_some((rounded, plus))
    }

    /// The clamped value plus `magic`, at the insertion point.
    fn plus(self, b: &mut Build<'_, '_>, magic: f64) -> ValueId {
        let [low, high, magic] = [self.low, self.high, magic].map(|number| float_like(b, self.value, number));
        let value = if self.low >= 0.0 { without_bound_of_zero(b, self.value) } else { self.value };
        let value = b.same::<MaxNumFOp<'_>>(&[value, low]);
        let value = b.same::<MinNumFOp<'_>>(&[value, high]);
        b.same::<AddFOp<'_>>(&[value, magic])
    }
}

fn is_maximum(op: OpRef<'_>) -> bool {
    op.is::<MaximumFOp<'_>>() || op.is::<MaxNumFOp<'_>>()
}

fn is_minimum(op: OpRef<'_>) -> bool {
    op.is::<MinimumFOp<'_>>() || op.is::<MinNumFOp<'_>>()
}

/// The float that a value is everywhere.
fn number(value: ValueRef<'_>) -> Option<f64> {
    let (kind, bits) = uniform_float(value.cx(), value.constant()?.id())?;
    Some(float::to_f64(kind, bits))
}

/// A constant of the type of `like`.
fn float_like(b: &mut Build<'_, '_>, like: ValueId, number: f64) -> ValueId {
    let (cx, ty) = (b.cx(), b.ir().value_type(like));
    let number = cx.float_attr(cx.ty(ty).element_or_self().id(), number);
    b.constant(spread(cx, ty, number), ty)
}

/// A number as an attribute of type `ty`, of which it is an element or all.
fn spread(cx: &Context, ty: Type, number: Attr) -> Attr {
    cx.splat_attr(ty, number).unwrap_or(number)
}

/// `value`, and where it is a ratio to or a product with a positive number, of something that is bounded by zero from below, that without the bound.
fn without_bound_of_zero(b: &mut Build<'_, '_>, value: ValueId) -> ValueId {
    let Some(op) =
        ValueRef::new(b.cx(), b.ir(), value).defining_op().filter(|op| op.is::<DivFOp<'_>>() || op.is::<MulFOp<'_>>())
    else {
        return value;
    };
    let is_positive = number(op.operand(1)).is_some_and(|number| number > 0.0 && number.is_finite());
    let bounded = op.operand(0).defining_op().filter(|op| is_maximum(*op));
    let Some(bounded) = bounded.filter(|op| is_positive && number(op.operand(1)) == Some(0.0)) else { return value };
    let (name, operands) = (op.name_id(), [bounded.operand(0).id(), op.operand(1).id()]);
    let state = OpState::new(name, b.loc).operands(operands).results([b.ir().value_type(value)]);
    b.create_value(state)
}

fn to_float(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let is_f32 = view.result(0).ty().element_or_self().float_kind() == Some(FloatKind::F32);
    let found = Rounded::of_integer(view.operand(0)).filter(|_| is_f32);
    let (rounded, plus) = found.ok_or(NoMatch("no f32 that was rounded in a small range"))?;
    let plus = plus + rounded.shift;
    if view.is::<UIToFPOp<'_>>() && rounded.low + plus < 0.0 {
        return Err(NoMatch("negative numbers are taken for large ones"));
    }
    let loc = view.loc();
    rw.set_insertion_before(op);
    let b = &mut Build::new(rw, loc);
    let sum = rounded.plus(b, MAGIC);
    let magic = float_like(b, sum, MAGIC);
    let mut value = b.same::<SubFOp<'_>>(&[sum, magic]);
    if plus != 0.0 {
        let plus = float_like(b, sum, plus);
        value = b.same::<AddFOp<'_>>(&[value, plus]);
    }
    b.replace(op, &[value]);
    Ok(())
}

fn to_integer(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let rounded = Rounded::of(view.operand(0)).ok_or(NoMatch("no f32 that is rounded in a small range"))?;
    let ty = view.result(0).ty();
    let width = ty.element_or_self().int_or_float_width().filter(|&width| width <= LANE);
    let width = width.ok_or(NoMatch("integers that are wider than the float"))?;
    let (loc, cx, narrow) = (view.loc(), rw.cx(), ty.id());
    let lane = cx.int_type(LANE);
    let wide = if ty.is_shaped() { ty.with_element(lane) } else { lane };
    // Ties go to even numbers, which they stay with an even shift.
    let (with, less) = if rounded.shift % 2.0 == 0.0 { (rounded.shift, 0.0) } else { (0.0, rounded.shift) };
    rw.set_insertion_before(op);
    let b = &mut Build::new(rw, loc);
    let sum = rounded.plus(b, MAGIC + with);
    let bits = b.value::<BitcastOp<'_>>(&[sum], wide);
    let magic = spread(cx, wide, cx.int_attr(lane, MAGIC_BITS - less as i64));
    let magic = b.constant(magic, wide);
    let mut value = b.same::<SubIOp<'_>>(&[bits, magic]);
    if width < LANE {
        value = b.value::<TruncIOp<'_>>(&[value], narrow);
    }
    b.replace(op, &[value]);
    Ok(())
}

/// What is subtracted above the bits that stay does not matter.
fn drop_truncated_difference(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let difference = view.operand(0).def::<SubIOp<'_>>().ok_or(NoMatch("of no difference"))?;
    let less = difference.0.operand(1).constant().and_then(|less| uniform_int(rw.cx(), less.id())?.to_i64());
    let width = view.result(0).ty().element_or_self().int_or_float_width().unwrap_or(0);
    let is_above = less.is_some_and(|less| width < i64::BITS && less.trailing_zeros() >= width);
    if !is_above {
        return Err(NoMatch("of a difference to something that is not above"));
    }
    let (whole, ty, loc) = (difference.0.operand(0).id(), view.result(0).ty().id(), view.loc());
    rw.set_insertion_before(op);
    let value = Build::new(rw, loc).value::<TruncIOp<'_>>(&[whole], ty);
    rw.replace(op, &[value]);
    Ok(())
}
