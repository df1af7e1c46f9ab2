//! `--convert-posit-to-arith`: posits become the integers that encode them, and their arithmetic operations on 64-bit integers.
//!
//! The road is that of hardware: *decode* two posits into a scale and a significand with its first one at the top of the word, compute, *encode* the result. The
//! lowest bit of a word is *sticky* where something has been cut off: it is below all bits that a posit keeps, so rounding sees that there was more.

use std::marker::PhantomData;
use std::sync::Arc;

use dl_arith::{
    AddIOp, AndIOp, Build, CmpIPredicate, DivUIOp, ExtSIOp, ExtUIOp, MaxSIOp, MinSIOp, MulIOp, OrIOp, RemUIOp, ShLIOp,
    ShRSIOp, ShRUIOp, SubIOp, TruncIOp, XOrIOp,
};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted, TypeConverter,
    convert_function_types,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, ValueId};
use dl_math::CountLeadingZerosOp;

use crate::{
    AddOp, ConstantOp, DivOp, FromBitsOp, LessOp, MulOp, NegOp, SubOp, ToBitsOp, number, posit_bits, storage_type,
};

/// `--convert-posit-to-arith`.
#[derive(Clone, Default)]
pub(crate) struct ConvertPositToArith;

impl Pass for ConvertPositToArith {
    const INFO: PassInfo = PassInfo::new(
        "convert-posit-to-arith",
        "Make integers of posits, and operations on integers of their arithmetic",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut converter = TypeConverter::new();
        converter.rule(|_, cx, ty| Some(storage_type(cx, ty)));
        let converter = Arc::new(converter);
        let (mut patterns, mut target) = (ConversionPatterns::new(), ConversionTarget::new());
        target.illegal_dialects(&["posit"]).legal_dialects(&["arith", "math"]);
        convert_function_types(&["func.func"], &["func.call", "func.return"], &converter, &mut patterns, &mut target);
        patterns
            .add(&converter, Constant)
            .add(&converter, Less)
            .add(&converter, Same::<FromBitsOp<'static>>(PhantomData))
            .add(&converter, Same::<ToBitsOp<'static>>(PhantomData))
            .add(&converter, Arithmetic::<NegOp<'static>>::of(|c, x| c.neg(x[0])))
            .add(&converter, Arithmetic::<AddOp<'static>>::of(|c, x| c.add(x[0], x[1])))
            .add(&converter, Arithmetic::<SubOp<'static>>::of(|c, x| c.sub(x[0], x[1])))
            .add(&converter, Arithmetic::<MulOp<'static>>::of(|c, x| c.mul(x[0], x[1])))
            .add(&converter, Arithmetic::<DivOp<'static>>::of(|c, x| c.div(x[0], x[1])));
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// A constant becomes its encoding.
struct Constant;

impl ConversionPattern for Constant {
    const NAME: &'static str = "posit-lower-constant";
    const ROOT: Option<&'static str> = Some(ConstantOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let constant = ConstantOp::wrap(rw.op(op));
        let (cx, loc, bits) = (rw.cx(), constant.op().loc(), posit_bits(constant.result().ty()));
        let (bits, value) = bits.zip(constant.value().as_f64()).ok_or(NoMatch("no posit"))?;
        // Integers of attributes have a sign.
        let encoding = (number::from_f64(value, bits) << (64 - bits)) as i64 >> (64 - bits);
        rw.replace_with(op, dl_arith::constant_state(cx, cx.int_attr(cx.int_type(bits), encoding), loc));
        Ok(())
    }
}

/// What changes the type of the same bits becomes nothing, where they are as many.
struct Same<T>(PhantomData<fn() -> T>);

impl<T: OpDefinition + 'static> ConversionPattern for Same<T> {
    const NAME: &'static str = "posit-lower-bits";
    const ROOT: Option<&'static str> = Some(T::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        rw.replace(op, &[operands.one(0)]);
        Ok(())
    }
}

/// Encodings are in the order of the numbers.
struct Less;

impl ConversionPattern for Less {
    const NAME: &'static str = "posit-lower-less";
    const ROOT: Option<&'static str> = Some(LessOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let loc = rw.op(op).loc();
        rw.set_insertion_before(op);
        let less = Build::new(rw, loc).compare(CmpIPredicate::Slt, operands.one(0), operands.one(1));
        rw.replace(op, &[less]);
        Ok(())
    }
}

/// The operations that compute the encoding of a result from those of the operands.
type Compute = fn(&mut Code<'_, '_>, &[ValueId]) -> ValueId;

/// Arithmetic.
struct Arithmetic<T> {
    compute: Compute,
    of: PhantomData<fn() -> T>,
}

impl<T> Arithmetic<T> {
    fn of(compute: Compute) -> Self {
        Self { compute, of: PhantomData }
    }
}

impl<T: OpDefinition + 'static> ConversionPattern for Arithmetic<T> {
    const NAME: &'static str = "posit-lower-arithmetic";
    const ROOT: Option<&'static str> = Some(T::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (loc, bits) = (rw.op(op).loc(), posit_bits(rw.op(op).result(0).ty()).ok_or(NoMatch("no posit"))?);
        rw.set_insertion_before(op);
        let result = (self.compute)(&mut Code { b: Build::new(rw, loc), bits: i64::from(bits) }, &operands.all());
        rw.replace(op, &[result]);
        Ok(())
    }
}

/// A posit taken apart: all parts are `i64`, the number is `±significand / 2^63 * 2^scale`.
#[derive(Clone, Copy)]
struct Parts {
    /// The encoding, sign extended.
    encoding: ValueId,
    /// The encoding of the absolute value.
    magnitude: ValueId,
    /// `i1`: whether it is 0 or NaR. Scale and significand are then those of some number.
    is_special: ValueId,
    scale: ValueId,
    significand: ValueId,
}

/// Makes code for posits of `bits` bits.
struct Code<'r, 'c> {
    b: Build<'r, 'c>,
    bits: i64,
}

impl Code<'_, '_> {
    fn number(&mut self, value: i64) -> ValueId {
        let cx = self.b.cx();
        self.b.constant(cx.i64_attr(value), cx.i64_type())
    }

    fn op<T: OpDefinition>(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.b.same::<T>(&[x, y])
    }

    fn with<T: OpDefinition>(&mut self, x: ValueId, y: i64) -> ValueId {
        let y = self.number(y);
        self.op::<T>(x, y)
    }

    fn is(&mut self, predicate: CmpIPredicate, x: ValueId, y: i64) -> ValueId {
        let y = self.number(y);
        self.b.compare(predicate, x, y)
    }

    /// `-x` where the condition holds.
    fn negate_if(&mut self, condition: ValueId, x: ValueId) -> ValueId {
        let zero = self.number(0);
        let negative = self.op::<SubIOp<'_>>(zero, x);
        self.b.select(condition, negative, x)
    }

    fn leading_zeros(&mut self, x: ValueId) -> ValueId {
        self.b.same::<CountLeadingZerosOp<'_>>(&[x])
    }

    /// `x >> by`, with the lowest bit set where what is cut off is not zero. The sign is shifted in.
    fn shift_right_sticky(&mut self, x: ValueId, by: ValueId) -> ValueId {
        let shifted = self.op::<ShRSIOp<'_>>(x, by);
        let back = self.op::<ShLIOp<'_>>(shifted, by);
        let cut = self.b.compare(CmpIPredicate::Ne, back, x);
        let i64 = self.b.cx().i64_type();
        let sticky = self.b.value::<ExtUIOp<'_>>(&[cut], i64);
        self.op::<OrIOp<'_>>(shifted, sticky)
    }

    /// NaR, sign extended.
    fn not_real(&mut self) -> ValueId {
        self.number(-1 << (self.bits - 1))
    }

    fn is_not_real(&mut self, encoding: ValueId) -> ValueId {
        let not_real = self.not_real();
        self.b.compare(CmpIPredicate::Eq, encoding, not_real)
    }

    fn decode(&mut self, posit: ValueId) -> Parts {
        let i64 = self.b.cx().i64_type();
        let encoding = self.b.value::<ExtSIOp<'_>>(&[posit], i64);
        let is_negative = self.is(CmpIPredicate::Slt, encoding, 0);
        let magnitude = self.negate_if(is_negative, encoding);
        let is_zero = self.is(CmpIPredicate::Eq, encoding, 0);
        let is_not_real = self.is_not_real(encoding);
        let is_special = self.op::<OrIOp<'_>>(is_zero, is_not_real);
        let one = self.number(1);
        let usual = self.b.select(is_special, one, magnitude);

        // What follows the sign, at the top: a run of ones and a zero, or of zeros and a one.
        let body = self.with::<ShLIOp<'_>>(usual, 65 - self.bits);
        let all_first = self.with::<ShRSIOp<'_>>(body, 63);
        let others = self.op::<XOrIOp<'_>>(body, all_first);
        let run = self.leading_zeros(others);
        // Ones count `run - 1`, zeros `-run`.
        let minus_one = self.number(-1);
        let ones = self.op::<AddIOp<'_>>(run, minus_one);
        let zero = self.number(0);
        let zeros = self.op::<SubIOp<'_>>(zero, run);
        let first_is_one = self.is(CmpIPredicate::Slt, body, 0);
        let regime = self.b.select(first_is_one, ones, zeros);

        let end = self.with::<AddIOp<'_>>(run, 1);
        let rest = self.op::<ShLIOp<'_>>(body, end);
        let exponent = self.with::<ShRUIOp<'_>>(rest, 62);
        let regime = self.with::<ShLIOp<'_>>(regime, 2);
        let scale = self.op::<AddIOp<'_>>(regime, exponent);
        let fraction = self.with::<ShLIOp<'_>>(rest, 2);
        let fraction = self.with::<ShRUIOp<'_>>(fraction, 1);
        let significand = self.with::<OrIOp<'_>>(fraction, i64::MIN);
        Parts { encoding, magnitude, is_special, scale, significand }
    }

    /// The posit nearest to `±significand / 2^63 * 2^scale`, as `i64`; the first bit of the significand is one.
    fn encode(&mut self, is_negative: ValueId, scale: ValueId, significand: ValueId) -> ValueId {
        let regime = self.with::<ShRSIOp<'_>>(scale, 2);
        let exponent = self.with::<AndIOp<'_>>(scale, 3);
        // Regimes beyond these are those of the largest and the least number.
        let regime = self.with::<MaxSIOp<'_>>(regime, 1 - self.bits);
        let regime = self.with::<MinSIOp<'_>>(regime, self.bits - 2);

        // `10` or `01`, two bits of exponent, and the fraction; shifting right makes the run longer.
        let fraction = self.with::<ShLIOp<'_>>(significand, 1);
        let fraction = self.with::<ShRUIOp<'_>>(fraction, 1);
        let three = self.number(3);
        let fraction = self.shift_right_sticky(fraction, three);
        let is_small = self.is(CmpIPredicate::Slt, regime, 0);
        let (small, large) = (self.with::<OrIOp<'_>>(exponent, 0b0100), self.with::<OrIOp<'_>>(exponent, 0b1000));
        let head = self.b.select(is_small, small, large);
        let head = self.with::<ShLIOp<'_>>(head, 60);
        let text = self.op::<OrIOp<'_>>(head, fraction);
        let sign = self.with::<ShRSIOp<'_>>(regime, 63);
        let by = self.op::<XOrIOp<'_>>(regime, sign);
        let text = self.shift_right_sticky(text, by);

        // The first bits are the body, what follows decides on rounding: up above one half, and to even at one half.
        let body = self.with::<ShRUIOp<'_>>(text, 65 - self.bits);
        let rest = self.with::<ShLIOp<'_>>(text, self.bits - 1);
        let odd = self.with::<AndIOp<'_>>(body, 1);
        let half = self.number(i64::MIN);
        let threshold = self.op::<SubIOp<'_>>(half, odd);
        let up = self.b.compare(CmpIPredicate::Ugt, rest, threshold);
        let i64 = self.b.cx().i64_type();
        let up = self.b.value::<ExtUIOp<'_>>(&[up], i64);
        let body = self.op::<AddIOp<'_>>(body, up);
        // A number that is not zero never becomes zero.
        let body = self.with::<MaxSIOp<'_>>(body, 1);
        self.negate_if(is_negative, body)
    }

    /// The low bits of an encoding.
    fn truncated(&mut self, encoding: ValueId) -> ValueId {
        let cx = self.b.cx();
        let ty = cx.int_type(self.bits as u32);
        self.b.value::<TruncIOp<'_>>(&[encoding], ty)
    }

    fn neg(&mut self, x: ValueId) -> ValueId {
        let cx = self.b.cx();
        let ty = cx.int_type(self.bits as u32);
        let zero = self.b.constant(cx.int_attr(ty, 0), ty);
        self.op::<SubIOp<'_>>(zero, x)
    }

    fn sub(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let opposite = self.neg(y);
        self.add(x, opposite)
    }

    /// Whether the signs differ.
    fn signs_differ(&mut self, x: Parts, y: Parts) -> ValueId {
        let both = self.op::<XOrIOp<'_>>(x.encoding, y.encoding);
        self.is(CmpIPredicate::Slt, both, 0)
    }

    /// `usual`, or NaR where either operand is that, or what `special` is where either is zero.
    fn or_special(&mut self, x: Parts, y: Parts, usual: ValueId, special: ValueId) -> ValueId {
        let (first, second) = (self.is_not_real(x.encoding), self.is_not_real(y.encoding));
        let any = self.op::<OrIOp<'_>>(first, second);
        let not_real = self.not_real();
        let special = self.b.select(any, not_real, special);
        let any = self.op::<OrIOp<'_>>(x.is_special, y.is_special);
        let result = self.b.select(any, special, usual);
        self.truncated(result)
    }

    fn mul(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let (x, y) = (self.decode(x), self.decode(y));
        let is_negative = self.signs_differ(x, y);
        let scale = self.op::<AddIOp<'_>>(x.scale, y.scale);
        let (a, b) = (self.with::<ShRUIOp<'_>>(x.significand, 32), self.with::<ShRUIOp<'_>>(y.significand, 32));
        let product = self.op::<MulIOp<'_>>(a, b);
        // The first one is in the top bit or in the one below.
        let shift = self.leading_zeros(product);
        let scale = self.with::<AddIOp<'_>>(scale, 1);
        let scale = self.op::<SubIOp<'_>>(scale, shift);
        let product = self.op::<ShLIOp<'_>>(product, shift);
        let usual = self.encode(is_negative, scale, product);
        let zero = self.number(0);
        self.or_special(x, y, usual, zero)
    }

    fn div(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let (x, y) = (self.decode(x), self.decode(y));
        let is_negative = self.signs_differ(x, y);
        let scale = self.op::<SubIOp<'_>>(x.scale, y.scale);
        // 63 bits by 32: a quotient of 31 or 32 bits, which is more than a posit keeps.
        let (a, b) = (self.with::<ShRUIOp<'_>>(x.significand, 1), self.with::<ShRUIOp<'_>>(y.significand, 32));
        let (quotient, rest) = (self.op::<DivUIOp<'_>>(a, b), self.op::<RemUIOp<'_>>(a, b));
        let shift = self.leading_zeros(quotient);
        let scale = self.with::<AddIOp<'_>>(scale, 32);
        let scale = self.op::<SubIOp<'_>>(scale, shift);
        let quotient = self.op::<ShLIOp<'_>>(quotient, shift);
        let inexact = self.is(CmpIPredicate::Ne, rest, 0);
        let i64 = self.b.cx().i64_type();
        let sticky = self.b.value::<ExtUIOp<'_>>(&[inexact], i64);
        let quotient = self.op::<OrIOp<'_>>(quotient, sticky);
        let usual = self.encode(is_negative, scale, quotient);
        // Of zero by a number zero, of anything by zero nothing.
        let by_zero = self.is(CmpIPredicate::Eq, y.encoding, 0);
        let (zero, not_real) = (self.number(0), self.not_real());
        let special = self.b.select(by_zero, not_real, zero);
        self.or_special(x, y, usual, special)
    }

    fn add(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let (x, y) = (self.decode(x), self.decode(y));
        let differ = self.signs_differ(x, y);
        // The one of larger magnitude decides the sign.
        let in_order = self.b.compare(CmpIPredicate::Uge, x.magnitude, y.magnitude);
        let large = self.b.select(in_order, x.encoding, y.encoding);
        let is_negative = self.is(CmpIPredicate::Slt, large, 0);
        let (scale, least) = (self.b.select(in_order, x.scale, y.scale), self.b.select(in_order, y.scale, x.scale));
        let large = self.b.select(in_order, x.significand, y.significand);
        let small = self.b.select(in_order, y.significand, x.significand);

        // Two bits lower there is room for the sum, and all bits are still there.
        let (large, small) = (self.with::<ShRUIOp<'_>>(large, 2), self.with::<ShRUIOp<'_>>(small, 2));
        let apart = self.op::<SubIOp<'_>>(scale, least);
        let apart = self.with::<MinSIOp<'_>>(apart, 63);
        let small = self.shift_right_sticky(small, apart);
        let small = self.negate_if(differ, small);
        let sum = self.op::<AddIOp<'_>>(large, small);
        let is_zero = self.is(CmpIPredicate::Eq, sum, 0);
        let one = self.number(1);
        let some = self.b.select(is_zero, one, sum);
        let shift = self.leading_zeros(some);
        let scale = self.with::<AddIOp<'_>>(scale, 2);
        let scale = self.op::<SubIOp<'_>>(scale, shift);
        let significand = self.op::<ShLIOp<'_>>(some, shift);
        let usual = self.encode(is_negative, scale, significand);
        let zero = self.number(0);
        let usual = self.b.select(is_zero, zero, usual);
        // One of them is zero: the other.
        let special = self.op::<OrIOp<'_>>(x.encoding, y.encoding);
        self.or_special(x, y, usual, special)
    }
}
