//! Conversions of small floats, by arithmetic on their bits.

use dl_arith::{
    AddIOp, AndIOp, BitcastOp, Build, CmpFOp, CmpFPredicate, CmpIPredicate, ExtFOp, ExtUIOp, OrIOp, SelectOp, ShLIOp,
    ShRUIOp, TruncFOp, TruncIOp,
};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{FloatKind, OpDefinition, OpId, Rewriter, Type, ValueId};

use super::ints::{compare, int_attr};
use super::kinds;

/// Between bf16 and f32.
pub fn bf16_conversions() -> Patterns {
    let mut patterns = Patterns::new();
    patterns.add_fn("arith-expand-extf-bf16", Some(ExtFOp::NAME), extend_bf16).add_fn(
        "arith-expand-truncf-bf16",
        Some(TruncFOp::NAME),
        truncate_bf16,
    );
    patterns
}

/// From and to f8E8M0FNU, which has powers of two and NaN only.
pub(super) fn f8e8m0_patterns() -> Patterns {
    let mut patterns = Patterns::new();
    patterns.add_fn("arith-expand-extf-f8e8m0", Some(ExtFOp::NAME), extend_f8e8m0).add_fn(
        "arith-expand-truncf-f8e8m0",
        Some(TruncFOp::NAME),
        truncate_f8e8m0,
    );
    patterns
}

/// From and to f4E2M1FN, which has 0, 0.5, 1, 1.5, 2, 3, 4 and 6 with both signs.
pub(super) fn f4e2m1_patterns() -> Patterns {
    let mut patterns = Patterns::new();
    patterns.add_fn("arith-expand-extf-f4e2m1", Some(ExtFOp::NAME), extend_f4e2m1).add_fn(
        "arith-expand-truncf-f4e2m1",
        Some(TruncFOp::NAME),
        truncate_f4e2m1,
    );
    patterns
}

/// Makes operations on bits in the shape of one type.
pub(super) struct Bits<'b, 'r, 'c> {
    b: &'b mut Build<'r, 'c>,
    shape: Type,
}

impl Bits<'_, '_, '_> {
    /// `element` in the shape.
    fn shaped(&self, element: Type) -> Type {
        let shape = self.b.cx().ty(self.shape);
        if shape.is_shaped() { shape.with_element(element) } else { element }
    }

    pub(super) fn int(&self, width: u32) -> Type {
        self.shaped(self.b.cx().int_type(width))
    }

    pub(super) fn float(&self, kind: FloatKind) -> Type {
        self.shaped(self.b.cx().float_type(kind))
    }

    /// # Panics
    /// For a shape that is not static: [`takes`] is asked before.
    pub(super) fn constant(&mut self, width: u32, value: i64) -> ValueId {
        let ty = self.int(width);
        let attr = int_attr(self.b, ty, value).expect("a static shape");
        self.b.constant(attr, ty)
    }

    pub(super) fn cast<T: OpDefinition>(&mut self, value: ValueId, ty: Type) -> ValueId {
        self.b.value::<T>(&[value], ty)
    }

    pub(super) fn same<T: OpDefinition>(&mut self, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.b.same::<T>(&[lhs, rhs])
    }

    pub(super) fn compare(&mut self, predicate: CmpIPredicate, lhs: ValueId, rhs: ValueId) -> ValueId {
        compare(self.b, predicate, lhs, rhs)
    }

    pub(super) fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let ty = self.b.value_type(yes).id();
        self.b.value::<SelectOp<'_>>(&[condition, yes, no], ty)
    }

    /// `value`, an f32, as a float of type `ty`.
    pub(super) fn f32_as(&mut self, value: ValueId, ty: Type) -> ValueId {
        let width = self.b.cx().ty(ty).element_or_self().int_or_float_width().unwrap_or(32);
        match width.cmp(&32) {
            std::cmp::Ordering::Less => self.cast::<TruncFOp<'_>>(value, ty),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cast::<ExtFOp<'_>>(value, ty),
        }
    }

    /// The float `value` as an f32.
    pub(super) fn as_f32(&mut self, value: ValueId) -> ValueId {
        let width = self.b.value_type(value).element_or_self().int_or_float_width().unwrap_or(32);
        let f32 = self.float(FloatKind::F32);
        match width.cmp(&32) {
            std::cmp::Ordering::Less => self.cast::<ExtFOp<'_>>(value, f32),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cast::<TruncFOp<'_>>(value, f32),
        }
    }
}

/// Whether constants can be made in the shape of `op`.
fn takes(op: OpId, rw: &Rewriter<'_>) -> bool {
    let ty = rw.op(op).operand(0).ty();
    !ty.is_shaped() || ty.has_static_shape()
}

/// The result of `op`, which `make` makes of its operand, in place of it.
pub(super) fn expand(
    op: OpId,
    rw: &mut Rewriter<'_>,
    make: impl FnOnce(&mut Bits<'_, '_, '_>, ValueId, Type) -> ValueId,
) -> Rewrite {
    if !takes(op, rw) {
        return Err(NoMatch("a shape that is not static"));
    }
    let view = rw.op(op);
    let (value, shape, ty, loc) =
        (view.operand(0).id(), view.operand(0).ty().id(), view.result(0).ty().id(), view.loc());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let result = make(&mut Bits { b: &mut b, shape }, value, ty);
    rw.replace(op, &[result]);
    Ok(())
}

/// Whether a truncation rounds to nearest, ties to even.
pub(super) fn rounds_to_nearest(op: OpId, rw: &Rewriter<'_>) -> bool {
    rw.op(op).attr("roundingmode").is_none()
}

/// The bits are the upper ones.
fn extend_bf16(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    if kinds(rw.op(op)) != (Some(FloatKind::BF16), Some(FloatKind::F32)) {
        return Err(NoMatch("not from bf16 to f32"));
    }
    expand(op, rw, |bits, value, ty| {
        let (i16, i32) = (bits.int(16), bits.int(32));
        let low = bits.cast::<BitcastOp<'_>>(value, i16);
        let wide = bits.cast::<ExtUIOp<'_>>(low, i32);
        let by = bits.constant(32, 16);
        let high = bits.same::<ShLIOp<'_>>(wide, by);
        bits.cast::<BitcastOp<'_>>(high, ty)
    })
}

/// Adds half of the last place, less one where that is even, and takes the upper bits. NaN is made quiet.
fn truncate_bf16(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    if kinds(rw.op(op)) != (Some(FloatKind::F32), Some(FloatKind::BF16)) || !rounds_to_nearest(op, rw) {
        return Err(NoMatch("not from f32 to bf16, to nearest"));
    }
    expand(op, rw, |bits, value, ty| {
        let (i16, i32) = (bits.int(16), bits.int(32));
        let predicate = bits.b.cx().i64_attr(CmpFPredicate::Une.value() as i64);
        let i1 = bits.int(1);
        let is_nan = bits.b.value_with::<CmpFOp<'_>>(&[value, value], i1, &[("predicate", predicate)]);
        let almost_half = bits.constant(32, 0x7fff);
        let nan = bits.constant(16, 0x7fc0);
        let (by, one) = (bits.constant(32, 16), bits.constant(32, 1));
        let all = bits.cast::<BitcastOp<'_>>(value, i32);
        let high = bits.same::<ShRUIOp<'_>>(all, by);
        let last = bits.same::<AndIOp<'_>>(high, one);
        let bias = bits.same::<AddIOp<'_>>(last, almost_half);
        let rounded = bits.same::<AddIOp<'_>>(all, bias);
        let rounded = bits.same::<ShRUIOp<'_>>(rounded, by);
        let low = bits.cast::<TruncIOp<'_>>(rounded, i16);
        let chosen = bits.select(is_nan, nan, low);
        bits.cast::<BitcastOp<'_>>(chosen, ty)
    })
}

/// The bits are the exponent of an f32; the smallest power of two, whose exponent is 0 there, becomes zero as where denormal numbers
/// are flushed.
fn extend_f8e8m0(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    if kinds(rw.op(op)).0 != Some(FloatKind::F8E8M0FNU) {
        return Err(NoMatch("not from f8E8M0FNU"));
    }
    expand(op, rw, |bits, value, ty| {
        let (i8, i32, f32) = (bits.int(8), bits.int(32), bits.float(FloatKind::F32));
        let low = bits.cast::<BitcastOp<'_>>(value, i8);
        let (nan, wide_nan, by) = (bits.constant(8, 0xff), bits.constant(32, -1), bits.constant(32, 23));
        let wide = bits.cast::<ExtUIOp<'_>>(low, i32);
        let exponent = bits.same::<ShLIOp<'_>>(wide, by);
        let is_nan = bits.compare(CmpIPredicate::Eq, low, nan);
        let chosen = bits.select(is_nan, wide_nan, exponent);
        let result = bits.cast::<BitcastOp<'_>>(chosen, f32);
        bits.f32_as(result, ty)
    })
}

/// Takes the exponent of the f32: rounds towards zero and forgets the sign.
fn truncate_f8e8m0(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    if kinds(rw.op(op)).1 != Some(FloatKind::F8E8M0FNU) || !rounds_to_nearest(op, rw) {
        return Err(NoMatch("not to f8E8M0FNU, to nearest"));
    }
    expand(op, rw, |bits, value, ty| {
        let value = bits.as_f32(value);
        let (i8, i32) = (bits.int(8), bits.int(32));
        let all = bits.cast::<BitcastOp<'_>>(value, i32);
        let by = bits.constant(32, 23);
        let high = bits.same::<ShRUIOp<'_>>(all, by);
        let exponent = bits.cast::<TruncIOp<'_>>(high, i8);
        bits.cast::<BitcastOp<'_>>(exponent, ty)
    })
}

/// From 1 on, the bits below the sign are the upper ones of an f32 whose exponent is 126 too small; 0 and 0.5 are apart.
fn extend_f4e2m1(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    if kinds(rw.op(op)).0 != Some(FloatKind::F4E2M1FN) {
        return Err(NoMatch("not from f4E2M1FN"));
    }
    expand(op, rw, |bits, value, ty| {
        let (i4, i32, f32) = (bits.int(4), bits.int(32), bits.float(FloatKind::F32));
        let low = bits.cast::<BitcastOp<'_>>(value, i4);
        let wide = bits.cast::<ExtUIOp<'_>>(low, i32);
        let (mask, zero, one) = (bits.constant(32, 7), bits.constant(32, 0), bits.constant(32, 1));
        let magnitude = bits.same::<AndIOp<'_>>(wide, mask);
        let (by, half) = (bits.constant(32, 22), bits.constant(32, 0x3f00_0000));
        let shifted = bits.same::<ShLIOp<'_>>(magnitude, by);
        let normal = bits.same::<AddIOp<'_>>(shifted, half);
        let is_half = bits.compare(CmpIPredicate::Eq, magnitude, one);
        let not_zero = bits.select(is_half, half, normal);
        let is_zero = bits.compare(CmpIPredicate::Eq, magnitude, zero);
        let number = bits.select(is_zero, zero, not_zero);
        let (sign_at, to_top) = (bits.constant(32, 3), bits.constant(32, 31));
        let sign = bits.same::<ShRUIOp<'_>>(wide, sign_at);
        let sign = bits.same::<ShLIOp<'_>>(sign, to_top);
        let all = bits.same::<OrIOp<'_>>(number, sign);
        let result = bits.cast::<BitcastOp<'_>>(all, f32);
        bits.f32_as(result, ty)
    })
}

/// The bits of the first f32 that rounds to each of the values after 0, ties to even: halves between the values, or what comes right after.
const F4E2M1_STEPS: [i64; 7] =
    [0x3e80_0001, 0x3f40_0000, 0x3fa0_0001, 0x3fe0_0000, 0x4020_0001, 0x4060_0000, 0x40a0_0001];

/// Counts the steps that the magnitude has reached. What is too large, and NaN, becomes 6.
fn truncate_f4e2m1(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    if kinds(rw.op(op)).1 != Some(FloatKind::F4E2M1FN) || !rounds_to_nearest(op, rw) {
        return Err(NoMatch("not to f4E2M1FN, to nearest"));
    }
    if rw.op(op).operand(0).ty().element_or_self().int_or_float_width().is_some_and(|width| width > 32) {
        return Err(NoMatch("rounding twice would not be exact"));
    }
    expand(op, rw, |bits, value, ty| {
        let value = bits.as_f32(value);
        let (i4, i32) = (bits.int(4), bits.int(32));
        let all = bits.cast::<BitcastOp<'_>>(value, i32);
        let mask = bits.constant(32, 0x7fff_ffff);
        let magnitude = bits.same::<AndIOp<'_>>(all, mask);
        let mut code = None;
        for step in F4E2M1_STEPS {
            let step = bits.constant(32, step);
            let reached = bits.compare(CmpIPredicate::Uge, magnitude, step);
            let reached = bits.cast::<ExtUIOp<'_>>(reached, i4);
            code = Some(match code {
                None => reached,
                Some(code) => bits.same::<AddIOp<'_>>(code, reached),
            });
        }
        let (to_bottom, sign_at) = (bits.constant(32, 31), bits.constant(4, 3));
        let sign = bits.same::<ShRUIOp<'_>>(all, to_bottom);
        let sign = bits.cast::<TruncIOp<'_>>(sign, i4);
        let sign = bits.same::<ShLIOp<'_>>(sign, sign_at);
        let code = code.map_or(sign, |code| bits.same::<OrIOp<'_>>(code, sign));
        bits.cast::<BitcastOp<'_>>(code, ty)
    })
}
