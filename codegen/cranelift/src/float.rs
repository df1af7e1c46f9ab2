//! Floating-point numbers: arithmetic, comparison, rounding, mathematical functions.
//!
//! `f16` and `bf16` are computed with in `f32` and rounded after each operation, which for sums, products, quotients and square roots gives
//! what rounding once gives.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use dl_ir::OpRef;
use dl_llvm::FCmpPredicate;

use crate::function::{Function, INVALID, Outcome};
use crate::lanes::{Held, Parts};
use crate::shape::{Form, Lane, PIECE, Shape, Vector};

/// Functions of the mathematical library by the names of the intrinsics, for `f32` and `f64`.
const LIBRARY: &[(&str, &str, &str)] = &[
    ("acos", "acosf", "acos"),
    ("asin", "asinf", "asin"),
    ("atan", "atanf", "atan"),
    ("atan2", "atan2f", "atan2"),
    ("cos", "cosf", "cos"),
    ("cosh", "coshf", "cosh"),
    ("exp", "expf", "exp"),
    ("exp10", "exp10f", "exp10"),
    ("exp2", "exp2f", "exp2"),
    ("frem", "fmodf", "fmod"),
    ("log", "logf", "log"),
    ("log10", "log10f", "log10"),
    ("log2", "log2f", "log2"),
    ("pow", "powf", "pow"),
    ("sin", "sinf", "sin"),
    ("sinh", "sinhf", "sinh"),
    ("tan", "tanf", "tan"),
    ("tanh", "tanhf", "tanh"),
];

impl<'a> Function<'_, '_, 'a> {
    /// An operation on floats of one type, scalars or vectors.
    pub(crate) fn float_op(&mut self, op: OpRef<'a>, name: &str) -> Outcome<()> {
        let args = self.operands(op)?;
        let shape = self.shape(op.result(0).ty())?;
        let held = self.float_on(name, &shape, &args)?;
        self.set(op, held.parts)
    }

    /// The operation on values that are already there.
    pub(crate) fn float_on(&mut self, name: &str, shape: &Shape, args: &[Held]) -> Outcome<Held> {
        let lane = shape.lane().ok_or(INVALID)?;
        if matches!(lane, Lane::Half | Lane::Brain) {
            if let ("fneg" | "fabs" | "copysign", Some(held)) = (name, self.sign_bit_op(name, shape, args)?) {
                return Ok(held);
            }
            let wide = self.with_lane(shape, Lane::Single);
            let args = args.iter().map(|arg| self.convert_floats(arg, &wide)).collect::<Outcome<Vec<_>>>()?;
            let result = self.float_on(name, &wide, &args)?;
            return self.convert_floats(&result, shape);
        }
        let parts =
            self.lanewise(shape, args, |f, ty, v| f.float_packed(name, ty, v), |f, v| f.float_scalar(name, lane, v))?;
        Ok(Held { shape: shape.clone(), parts })
    }

    /// The shape of as many lanes of another kind.
    pub(crate) fn with_lane(&self, shape: &Shape, lane: Lane) -> Shape {
        match shape {
            Shape::Vector(vector) => Shape::Vector(self.unit.shapes.vector(lane, vector.count)),
            _ => Shape::Scalar(lane),
        }
    }

    /// What only touches the sign of a 16-bit float is done on its bits, so that a NaN keeps its payload.
    fn sign_bit_op(&mut self, name: &str, shape: &Shape, args: &[Held]) -> Outcome<Option<Held>> {
        let bits = self.with_lane(shape, Lane::Int(16));
        let constant = |f: &mut Self, value: u128| {
            let value = f.int(types::I16, value);
            let parts =
                if let Shape::Vector(vector) = bits { f.splat(vector, value) } else { smallvec::smallvec![value] };
            Held { shape: bits.clone(), parts }
        };
        let of = |arg: &Held| Held { shape: bits.clone(), parts: arg.parts.clone() };
        let (sign, rest) = (constant(self, 0x8000), constant(self, 0x7fff));
        let result = match name {
            "fneg" => self.int_binary_on("xor", &bits, &of(&args[0]), &sign)?,
            "fabs" => self.int_binary_on("and", &bits, &of(&args[0]), &rest)?,
            _ => {
                let magnitude = self.int_binary_on("and", &bits, &of(&args[0]), &rest)?;
                let sign = self.int_binary_on("and", &bits, &of(&args[1]), &sign)?;
                self.int_binary_on("or", &bits, &magnitude, &sign)?
            }
        };
        Ok(Some(Held { shape: shape.clone(), parts: result.parts }))
    }

    fn float_packed(&mut self, name: &str, ty: Type, v: &[Value]) -> Option<Value> {
        let ins = self.b.ins();
        Some(match name {
            "fadd" => ins.fadd(v[0], v[1]),
            "fsub" => ins.fsub(v[0], v[1]),
            "fmul" => ins.fmul(v[0], v[1]),
            "fdiv" => ins.fdiv(v[0], v[1]),
            "fneg" => ins.fneg(v[0]),
            "fabs" => ins.fabs(v[0]),
            "sqrt" => ins.sqrt(v[0]),
            "ceil" => ins.ceil(v[0]),
            "floor" => ins.floor(v[0]),
            "trunc" => ins.trunc(v[0]),
            "roundeven" => ins.nearest(v[0]),
            "fma" => ins.fma(v[0], v[1], v[2]),
            "fmuladd" if self.unit.has_fma => ins.fma(v[0], v[1], v[2]),
            "fmuladd" => {
                let product = ins.fmul(v[0], v[1]);
                self.b.ins().fadd(product, v[2])
            }
            "minimum" => ins.fmin(v[0], v[1]),
            "maximum" => ins.fmax(v[0], v[1]),
            "copysign" if ty.is_vector() => {
                let mut bytes = [0; PIECE];
                bytes.chunks_exact_mut(ty.lane_bits() as usize / 8).for_each(|lane| lane[lane.len() - 1] = 0x80);
                let sign = self.vector_constant(ty, bytes);
                self.b.ins().bitselect(sign, v[1], v[0])
            }
            "copysign" => ins.fcopysign(v[0], v[1]),
            "minnum" | "maxnum" => {
                let (a, b) = (v[0], v[1]);
                let both = if name == "minnum" { ins.fmin(a, b) } else { ins.fmax(a, b) };
                let a_is_nan = self.b.ins().fcmp(FloatCC::Unordered, a, a);
                let b_is_nan = self.b.ins().fcmp(FloatCC::Unordered, b, b);
                if ty.is_vector() {
                    let (a_is_nan, b_is_nan) = (self.bits_as(ty, a_is_nan), self.bits_as(ty, b_is_nan));
                    let left = self.b.ins().bitselect(a_is_nan, b, both);
                    self.b.ins().bitselect(b_is_nan, a, left)
                } else {
                    let left = self.b.ins().select(a_is_nan, b, both);
                    self.b.ins().select(b_is_nan, a, left)
                }
            }
            _ => return None,
        })
    }

    fn float_scalar(&mut self, name: &str, lane: Lane, v: &[Value]) -> Outcome<Value> {
        let ty = lane.register();
        if let Some(value) = self.float_packed(name, ty, v) {
            return Ok(value);
        }
        if name == "round" {
            return Ok(self.round_half_away(ty, v[0]));
        }
        let (_, single, double) = LIBRARY.iter().find(|(known, ..)| *known == name).ok_or(INVALID)?;
        self.call_library(if lane == Lane::Single { single } else { double }, v, ty)
    }

    /// Rounded to the nearest integer, halves away from zero.
    fn round_half_away(&mut self, ty: Type, value: Value) -> Value {
        let whole = self.b.ins().trunc(value);
        // Exact: both are close together, or the value is whole.
        let rest = self.b.ins().fsub(value, whole);
        let rest = self.b.ins().fabs(rest);
        let (half, one, zero) = (self.float(ty, 0.5), self.float(ty, 1.0), self.float(ty, 0.0));
        let is_half = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, rest, half);
        let step = self.b.ins().select(is_half, one, zero);
        let step = self.b.ins().fcopysign(step, value);
        let rounded = self.b.ins().fadd(whole, step);
        // The sign of a zero is that of the value.
        self.b.ins().fcopysign(rounded, value)
    }

    /// A float constant.
    pub(crate) fn float(&mut self, ty: Type, value: f64) -> Value {
        if ty == types::F32 { self.b.ins().f32const(value as f32) } else { self.b.ins().f64const(value) }
    }

    /// A power with an integer exponent, by way of `pow` in double precision.
    pub(crate) fn powi(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let shape = self.shape(op.result(0).ty())?;
        let base = self.get(op.operand(0))?;
        let exponent = self.get(op.operand(1))?;
        let Shape::Scalar(lane) = exponent.shape else { return Err(INVALID.to_owned()) };
        let signed = self.sign_extended(lane.bits(), exponent.first());
        let signed = self.resize_int(signed, types::I32, true);
        let power = self.b.ins().fcvt_from_sint(types::F64, signed);
        let double = self.with_lane(&shape, Lane::Double);
        let base = self.convert_floats(&base, &double)?;
        let parts =
            self.lanewise(&double, &[base], |_, _, _| None, |f, v| f.call_library("pow", &[v[0], power], types::F64))?;
        let result = self.convert_floats(&Held { shape: double, parts }, &shape)?;
        self.set(op, result.parts)
    }

    pub(crate) fn fcmp(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let predicate = op.attr("predicate").and_then(FCmpPredicate::from_attr).ok_or(INVALID)?;
        let mut args = self.operands(op)?;
        let mut shape = args[0].shape.clone();
        if matches!(shape.lane(), Some(Lane::Half | Lane::Brain)) {
            shape = self.with_lane(&shape, Lane::Single);
            args = args.iter().map(|arg| self.convert_floats(arg, &shape)).collect::<Outcome<_>>()?;
        }
        let bits = shape.lane().ok_or(INVALID)?.bits();
        if let Shape::Vector(vector @ Vector { form: Form::Packed(_), .. }) = shape {
            let mut parts = Parts::new();
            for at in 0..vector.parts() {
                parts.push(self.compare_floats(predicate, args[0].parts[at], args[1].parts[at]));
            }
            self.set_comparison(op, bits, parts);
            Ok(())
        } else {
            let result = self.shape(op.result(0).ty())?;
            let compare = |f: &mut Self, v: &[Value]| Ok(f.compare_floats(predicate, v[0], v[1]));
            let parts = self.lanewise(&result, &args, |_, _, _| None, compare)?;
            self.set(op, parts)
        }
    }

    /// Two registers compared: 0 or 1 for scalars, zeros or ones in all bits of the lanes of vectors.
    pub(crate) fn compare_floats(&mut self, predicate: FCmpPredicate, a: Value, b: Value) -> Value {
        use FCmpPredicate as P;
        let ty = self.b.func.dfg.value_type(a);
        let condition = match predicate {
            P::False | P::True => {
                let truth = u128::from(predicate == P::True);
                if !ty.is_vector() {
                    return self.int(types::I8, truth);
                }
                let all = self.vector_constant(types::I8X16, [if truth == 1 { 0xff } else { 0 }; 16]);
                return self.bits_as(ty.as_int(), all);
            }
            P::Oeq => FloatCC::Equal,
            P::Ogt => FloatCC::GreaterThan,
            P::Oge => FloatCC::GreaterThanOrEqual,
            P::Olt => FloatCC::LessThan,
            P::Ole => FloatCC::LessThanOrEqual,
            P::One => FloatCC::OrderedNotEqual,
            P::Ord => FloatCC::Ordered,
            P::Ueq => FloatCC::UnorderedOrEqual,
            P::Ugt => FloatCC::UnorderedOrGreaterThan,
            P::Uge => FloatCC::UnorderedOrGreaterThanOrEqual,
            P::Ult => FloatCC::UnorderedOrLessThan,
            P::Ule => FloatCC::UnorderedOrLessThanOrEqual,
            P::Une => FloatCC::NotEqual,
            P::Uno => FloatCC::Unordered,
        };
        // Not every machine has all of them for vectors.
        let simple = |f: &mut Self, condition, a, b| f.b.ins().fcmp(condition, a, b);
        match condition {
            _ if !ty.is_vector() => simple(self, condition, a, b),
            FloatCC::OrderedNotEqual | FloatCC::UnorderedOrEqual => {
                let (less, more) = (simple(self, FloatCC::LessThan, a, b), simple(self, FloatCC::GreaterThan, a, b));
                let differs = self.b.ins().bor(less, more);
                if condition == FloatCC::OrderedNotEqual { differs } else { self.b.ins().bnot(differs) }
            }
            _ if self.unit.has_all_comparisons => simple(self, condition, a, b),
            FloatCC::Ordered | FloatCC::Unordered => {
                let (own_a, own_b) = (simple(self, FloatCC::Equal, a, a), simple(self, FloatCC::Equal, b, b));
                let ordered = self.b.ins().band(own_a, own_b);
                if condition == FloatCC::Ordered { ordered } else { self.b.ins().bnot(ordered) }
            }
            FloatCC::UnorderedOrGreaterThan
            | FloatCC::UnorderedOrGreaterThanOrEqual
            | FloatCC::UnorderedOrLessThan
            | FloatCC::UnorderedOrLessThanOrEqual => {
                let opposite = match condition {
                    FloatCC::UnorderedOrGreaterThan => FloatCC::LessThanOrEqual,
                    FloatCC::UnorderedOrGreaterThanOrEqual => FloatCC::LessThan,
                    FloatCC::UnorderedOrLessThan => FloatCC::GreaterThanOrEqual,
                    _ => FloatCC::GreaterThan,
                };
                let opposite = simple(self, opposite, a, b);
                self.b.ins().bnot(opposite)
            }
            _ => simple(self, condition, a, b),
        }
    }

    /// `llvm.intr.is.fpclass`: whether a float is of one of the classes in `bit`.
    pub(crate) fn is_fpclass(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let classes = op.attr("bit").and_then(|bit| bit.as_int()).ok_or(INVALID)?;
        let arg = self.get(op.operand(0))?;
        let lane = arg.shape.lane().ok_or(INVALID)?;
        let result = self.shape(op.result(0).ty())?;
        let parts = self.lanewise(&result, &[arg], |_, _, _| None, |f, v| Ok(f.class_test(lane, classes, v[0])))?;
        self.set(op, parts)
    }

    /// The bits of the float are compared, by the IEEE 754 layout of the format.
    fn class_test(&mut self, lane: Lane, classes: i64, value: Value) -> Value {
        use cranelift_codegen::ir::condcodes::IntCC;
        let ty = match lane {
            Lane::Half | Lane::Brain => types::I16,
            Lane::Single => types::I32,
            _ => types::I64,
        };
        let mantissa = match lane {
            Lane::Half => 10,
            Lane::Brain => 7,
            Lane::Single => 23,
            _ => 52,
        };
        let bits = self.bits_as(ty, value);
        let sign = 1_u128 << (lane.bits() - 1);
        let (one, infinity) = (1_u128 << mantissa, (sign - 1) & !((1_u128 << mantissa) - 1));
        let quiet = infinity | (one >> 1);
        let (mask, sign_value) = (self.int(ty, sign - 1), self.int(ty, sign));
        let magnitude = self.b.ins().band(bits, mask);
        let is_negative = self.b.ins().band(bits, sign_value);
        let is_negative = self.is_not_zero(is_negative);
        let one_i8 = self.int(types::I8, 1);
        let is_positive = self.b.ins().bxor(is_negative, one_i8);
        let mut found = self.int(types::I8, 0);
        // Ranges of magnitudes, and the classes of the negative and of the positive numbers in each.
        let ranges = [
            (infinity + 1, quiet, 1, 1),
            (quiet, sign, 2, 2),
            (infinity, infinity + 1, 1 << 2, 1 << 9),
            (one, infinity, 1 << 3, 1 << 8),
            (1, one, 1 << 4, 1 << 7),
            (0, 1, 1 << 5, 1 << 6),
        ];
        for (first, end, negative, positive) in ranges {
            let (wants_negative, wants_positive) = (classes & negative != 0, classes & positive != 0);
            if !wants_negative && !wants_positive {
                continue;
            }
            let (first, len) = (self.int(ty, first), self.int(ty, end - first));
            let from = self.b.ins().isub(magnitude, first);
            let mut is_in = self.b.ins().icmp(IntCC::UnsignedLessThan, from, len);
            if !(wants_negative && wants_positive) {
                is_in = self.b.ins().band(is_in, if wants_negative { is_negative } else { is_positive });
            }
            found = self.b.ins().bor(found, is_in);
        }
        found
    }
}
