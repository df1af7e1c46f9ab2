//! Integers: arithmetic, comparison, bits.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Type, Value, types};
use dl_ir::{AttrRef, OpRef, ValueRef};
use dl_llvm::ICmpPredicate;

use crate::function::{Function, INVALID, Outcome};
use crate::lanes::Held;
use crate::shape::{Form, Lane, Shape};

/// A comparison as Cranelift has it.
pub(crate) fn condition(predicate: ICmpPredicate) -> IntCC {
    match predicate {
        ICmpPredicate::Eq => IntCC::Equal,
        ICmpPredicate::Ne => IntCC::NotEqual,
        ICmpPredicate::Slt => IntCC::SignedLessThan,
        ICmpPredicate::Sle => IntCC::SignedLessThanOrEqual,
        ICmpPredicate::Sgt => IntCC::SignedGreaterThan,
        ICmpPredicate::Sge => IntCC::SignedGreaterThanOrEqual,
        ICmpPredicate::Ult => IntCC::UnsignedLessThan,
        ICmpPredicate::Ule => IntCC::UnsignedLessThanOrEqual,
        ICmpPredicate::Ugt => IntCC::UnsignedGreaterThan,
        ICmpPredicate::Uge => IntCC::UnsignedGreaterThanOrEqual,
    }
}

fn is_signed(condition: IntCC) -> bool {
    condition != condition.unsigned() || matches!(condition, IntCC::SignedLessThan | IntCC::SignedGreaterThan)
}

impl<'a> Function<'_, '_, 'a> {
    /// The low `bits` of a register, zero above them.
    pub(crate) fn zero_extended(&mut self, bits: u32, value: Value) -> Value {
        let ty = self.b.func.dfg.value_type(value);
        if bits >= ty.bits() {
            return value;
        }
        let mask = self.int(ty, (1 << bits) - 1);
        self.b.ins().band(value, mask)
    }

    /// The low `bits` of a register, above them copies of the highest.
    pub(crate) fn sign_extended(&mut self, bits: u32, value: Value) -> Value {
        let ty = self.b.func.dfg.value_type(value);
        if bits >= ty.bits() {
            return value;
        }
        let by = self.b.ins().iconst(types::I32, i64::from(ty.bits() - bits));
        let high = self.b.ins().ishl(value, by);
        self.b.ins().sshr(high, by)
    }

    /// Arithmetic on two integers of so many bits, held with zero above them; so is the result.
    pub(crate) fn int_scalar(&mut self, name: &str, bits: u32, a: Value, b: Value) -> Outcome<Value> {
        let ty = self.b.func.dfg.value_type(a);
        let (sa, sb) = if matches!(name, "sdiv" | "srem" | "ashr" | "smin" | "smax") {
            let signed_b = if name == "ashr" { b } else { self.sign_extended(bits, b) };
            (self.sign_extended(bits, a), signed_b)
        } else {
            (a, b)
        };
        let wide_division = |name: &str| match name {
            "sdiv" => "__divti3",
            "udiv" => "__udivti3",
            "srem" => "__modti3",
            _ => "__umodti3",
        };
        let result = match name {
            "add" => self.b.ins().iadd(a, b),
            "sub" => self.b.ins().isub(a, b),
            "mul" => self.b.ins().imul(a, b),
            "and" => self.b.ins().band(a, b),
            "or" => self.b.ins().bor(a, b),
            "xor" => self.b.ins().bxor(a, b),
            "shl" => self.b.ins().ishl(a, b),
            "lshr" => self.b.ins().ushr(a, b),
            "ashr" => self.b.ins().sshr(sa, b),
            "sdiv" | "udiv" | "srem" | "urem" if ty == types::I128 => {
                return self
                    .call_library(wide_division(name), &[sa, sb], types::I128)
                    .map(|r| self.zero_extended(bits, r));
            }
            "sdiv" => self.b.ins().sdiv(sa, sb),
            "udiv" => self.b.ins().udiv(a, b),
            "srem" => self.b.ins().srem(sa, sb),
            "urem" => self.b.ins().urem(a, b),
            "smin" | "smax" | "umin" | "umax" => {
                let condition = match name {
                    "smin" => IntCC::SignedLessThan,
                    "smax" => IntCC::SignedGreaterThan,
                    "umin" => IntCC::UnsignedLessThan,
                    _ => IntCC::UnsignedGreaterThan,
                };
                let first = self.b.ins().icmp(condition, sa, sb);
                self.b.ins().select(first, a, b)
            }
            _ => return Err(INVALID.to_owned()),
        };
        Ok(self.zero_extended(bits, result))
    }

    /// The same for vector registers, where Cranelift has it.
    pub(crate) fn int_packed(&mut self, name: &str, ty: Type, a: Value, b: Value) -> Option<Value> {
        let ins = self.b.ins();
        let is_wide = ty == types::I64X2;
        Some(match name {
            "add" => ins.iadd(a, b),
            "sub" => ins.isub(a, b),
            "mul" if ty != types::I8X16 => ins.imul(a, b),
            "and" => ins.band(a, b),
            "or" => ins.bor(a, b),
            "xor" => ins.bxor(a, b),
            "smin" if !is_wide => ins.smin(a, b),
            "smax" if !is_wide => ins.smax(a, b),
            "umin" if !is_wide => ins.umin(a, b),
            "umax" if !is_wide => ins.umax(a, b),
            "smin" => self.choose_packed(IntCC::SignedLessThan, a, b),
            "smax" => self.choose_packed(IntCC::SignedGreaterThan, a, b),
            _ => return None,
        })
    }

    fn choose_packed(&mut self, condition: IntCC, a: Value, b: Value) -> Value {
        let first = self.b.ins().icmp(condition, a, b);
        self.b.ins().bitselect(first, a, b)
    }

    /// An operation on two integers or vectors of them.
    pub(crate) fn int_binary(&mut self, op: OpRef<'a>, name: &str) -> Outcome<()> {
        let shape = self.shape(op.result(0).ty())?;
        if matches!(shape, Shape::Vector(vector) if vector.form == Form::Mask) && matches!(name, "and" | "or" | "xor") {
            return self.mask_binary(op, name);
        }
        let args = self.operands(op)?;
        if let (Shape::Vector(vector), "shl" | "lshr" | "ashr") = (&shape, name)
            && let (Form::Packed(_), Some(by)) = (vector.form, same_in_all_lanes(op.operand(1)))
        {
            return self.shift_packed(op, name, &args[0], by);
        }
        let held = self.int_binary_on(name, &shape, &args[0], &args[1])?;
        self.set(op, held.parts)
    }

    /// The operation on values that are already there.
    pub(crate) fn int_binary_on(&mut self, name: &str, shape: &Shape, a: &Held, b: &Held) -> Outcome<Held> {
        let bits = shape.lane().ok_or(INVALID)?.bits();
        let parts = self.lanewise(
            shape,
            &[a.clone(), b.clone()],
            |f, ty, v| f.int_packed(name, ty, v[0], v[1]),
            |f, v| f.int_scalar(name, bits, v[0], v[1]),
        )?;
        Ok(Held { shape: shape.clone(), parts })
    }

    /// On truth values, held in the lanes of whichever operand a comparison has left wide.
    fn mask_binary(&mut self, op: OpRef<'a>, name: &str) -> Outcome<()> {
        let (a, b) = (op.operand(0), op.operand(1));
        let count = self.vector_of(a.ty())?.count;
        let bits = self.mask_width(a).max(self.mask_width(b));
        let (a, b) = (self.mask(a, count, bits)?, self.mask(b, count, bits)?);
        let each = a.iter().zip(&b).map(|(&a, &b)| match name {
            "and" => self.b.ins().band(a, b),
            "or" => self.b.ins().bor(a, b),
            _ => self.b.ins().bxor(a, b),
        });
        let parts = each.collect();
        self.set_comparison(op, bits, parts);
        Ok(())
    }

    fn shift_packed(&mut self, op: OpRef<'a>, name: &str, value: &Held, by: u64) -> Outcome<()> {
        let by = self.b.ins().iconst(types::I32, by.min(64).cast_signed());
        let each = value.parts.iter().map(|&part| match name {
            "shl" => self.b.ins().ishl(part, by),
            "lshr" => self.b.ins().ushr(part, by),
            _ => self.b.ins().sshr(part, by),
        });
        let parts = each.collect();
        self.set(op, parts)
    }

    /// One of two integers of so many bits.
    pub(crate) fn compare_ints(&mut self, condition: IntCC, bits: u32, a: Value, b: Value) -> Value {
        if is_signed(condition) {
            let (a, b) = (self.sign_extended(bits, a), self.sign_extended(bits, b));
            return self.b.ins().icmp(condition, a, b);
        }
        self.b.ins().icmp(condition, a, b)
    }

    pub(crate) fn icmp(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let predicate = op.attr("predicate").and_then(ICmpPredicate::from_attr).ok_or(INVALID)?;
        let condition = condition(predicate);
        let shape = self.shape(op.operand(0).ty())?;
        let args = self.operands(op)?;
        let bits = shape.lane().ok_or(INVALID)?.bits();
        if let Shape::Vector(vector) = shape
            && let Form::Packed(ty) = vector.form
        {
            let pairs: Vec<_> = args[0].parts.iter().copied().zip(args[1].parts.iter().copied()).collect();
            let each = pairs.into_iter().map(|(a, b)| self.compare_packed(condition, ty, a, b));
            let parts = each.collect();
            self.set_comparison(op, bits, parts);
            return Ok(());
        }
        let result = self.shape(op.result(0).ty())?;
        let parts =
            self.lanewise(&result, &args, |_, _, _| None, |f, v| Ok(f.compare_ints(condition, bits, v[0], v[1])))?;
        self.set(op, parts)
    }

    fn compare_packed(&mut self, condition: IntCC, ty: Type, a: Value, b: Value) -> Value {
        if ty != types::I64X2 || is_signed(condition) || matches!(condition, IntCC::Equal | IntCC::NotEqual) {
            return self.b.ins().icmp(condition, a, b);
        }
        // Wide lanes have signed comparisons only: both sides are moved by half the range.
        let least = self.b.ins().iconst(types::I64, i64::MIN);
        let least = self.b.ins().splat(types::I64X2, least);
        let (a, b) = (self.b.ins().bxor(a, least), self.b.ins().bxor(b, least));
        let signed = match condition {
            IntCC::UnsignedLessThan => IntCC::SignedLessThan,
            IntCC::UnsignedLessThanOrEqual => IntCC::SignedLessThanOrEqual,
            IntCC::UnsignedGreaterThan => IntCC::SignedGreaterThan,
            _ => IntCC::SignedGreaterThanOrEqual,
        };
        self.b.ins().icmp(signed, a, b)
    }

    /// An operation on one integer: counts and reversals of bits, absolute values.
    pub(crate) fn int_unary(&mut self, op: OpRef<'a>, name: &str) -> Outcome<()> {
        let shape = self.shape(op.result(0).ty())?;
        let bits = shape.lane().ok_or(INVALID)?.bits();
        let arg = self.get(op.operand(0))?;
        let parts = self.lanewise(
            &shape,
            &[arg],
            |f, _, v| (name == "abs").then(|| f.b.ins().iabs(v[0])),
            |f, v| f.int_unary_scalar(name, bits, v[0]),
        )?;
        self.set(op, parts)
    }

    fn int_unary_scalar(&mut self, name: &str, bits: u32, value: Value) -> Outcome<Value> {
        let ty = self.b.func.dfg.value_type(value);
        let spare = self.int(ty, u128::from(ty.bits() - bits));
        Ok(match name {
            "abs" => {
                let signed = self.sign_extended(bits, value);
                let zero = self.int(ty, 0);
                let (is_negative, negated) =
                    (self.b.ins().icmp(IntCC::SignedLessThan, signed, zero), self.b.ins().ineg(signed));
                let absolute = self.b.ins().select(is_negative, negated, signed);
                self.zero_extended(bits, absolute)
            }
            "ctpop" => self.b.ins().popcnt(value),
            "ctlz" => {
                let zeros = self.b.ins().clz(value);
                self.b.ins().isub(zeros, spare)
            }
            "cttz" => {
                // A one behind the last bit stops the count.
                let stopped = if bits < ty.bits() {
                    let stop = self.int(ty, 1 << bits);
                    self.b.ins().bor(value, stop)
                } else {
                    value
                };
                self.b.ins().ctz(stopped)
            }
            "bswap" => {
                let swapped = if ty == types::I8 { value } else { self.b.ins().bswap(value) };
                self.b.ins().ushr(swapped, spare)
            }
            "bitreverse" => {
                let reversed = self.b.ins().bitrev(value);
                self.b.ins().ushr(reversed, spare)
            }
            _ => return Err(INVALID.to_owned()),
        })
    }

    /// Whether an addition, subtraction or product of two integers overflows, as 0 or 1, after its result.
    pub(crate) fn overflowing(
        &mut self,
        name: &str,
        signed: bool,
        bits: u32,
        a: Value,
        b: Value,
    ) -> Outcome<(Value, Value)> {
        let ty = self.b.func.dfg.value_type(a);
        let result = self.int_scalar(name, bits, a, b)?;
        let zero = self.int(ty, 0);
        let overflows = match (name, signed) {
            ("add", false) => self.b.ins().icmp(IntCC::UnsignedLessThan, result, a),
            ("sub", false) => self.b.ins().icmp(IntCC::UnsignedLessThan, a, b),
            ("add" | "sub", true) => {
                // The sign of the result is not that of both, or of the first, operands.
                let (sa, sb, sr) =
                    (self.sign_extended(bits, a), self.sign_extended(bits, b), self.sign_extended(bits, result));
                let other = if name == "add" { self.b.ins().bxor(sb, sr) } else { self.b.ins().bxor(sa, sb) };
                let own = self.b.ins().bxor(sa, sr);
                let both = self.b.ins().band(own, other);
                self.b.ins().icmp(IntCC::SignedLessThan, both, zero)
            }
            _ if ty == types::I128 => return Err("products of more than 64 bits whose overflow is told".to_owned()),
            (_, true) => {
                let (sa, sb) = (self.sign_extended(bits, a), self.sign_extended(bits, b));
                let (wide_a, wide_b) = (self.b.ins().sextend(types::I128, sa), self.b.ins().sextend(types::I128, sb));
                let product = self.b.ins().imul(wide_a, wide_b);
                let kept = self.sign_extended(bits, result);
                let kept = self.b.ins().sextend(types::I128, kept);
                self.b.ins().icmp(IntCC::NotEqual, product, kept)
            }
            (_, false) => {
                let (wide_a, wide_b) = (self.b.ins().uextend(types::I128, a), self.b.ins().uextend(types::I128, b));
                let product = self.b.ins().imul(wide_a, wide_b);
                let kept = self.b.ins().uextend(types::I128, result);
                self.b.ins().icmp(IntCC::NotEqual, product, kept)
            }
        };
        Ok((result, overflows))
    }

    /// `llvm.intr.*.with.overflow`: the result and whether it overflows.
    pub(crate) fn with_overflow(&mut self, op: OpRef<'a>, name: &str, signed: bool) -> Outcome<()> {
        let args = self.operands(op)?;
        let Shape::Scalar(lane) = args[0].shape else { return Err("overflow of vectors".to_owned()) };
        let (result, overflows) = self.overflowing(name, signed, lane.bits(), args[0].first(), args[1].first())?;
        self.set(op, smallvec::smallvec![result, overflows])
    }

    /// Addition, subtraction and shift that stop at the ends of the range.
    pub(crate) fn saturating(&mut self, op: OpRef<'a>, name: &str, signed: bool) -> Outcome<()> {
        let shape = self.shape(op.result(0).ty())?;
        let bits = shape.lane().ok_or(INVALID)?.bits();
        let args = self.operands(op)?;
        let packed = |f: &mut Self, ty: Type, v: &[Value]| {
            let ins = f.b.ins();
            (ty == types::I8X16 || ty == types::I16X8).then_some(())?;
            Some(match (name, signed) {
                ("add", true) => ins.sadd_sat(v[0], v[1]),
                ("add", false) => ins.uadd_sat(v[0], v[1]),
                ("sub", true) => ins.ssub_sat(v[0], v[1]),
                ("sub", false) => ins.usub_sat(v[0], v[1]),
                _ => return None,
            })
        };
        let parts = self.lanewise(&shape, &args, packed, |f, v| f.saturating_scalar(name, signed, bits, v[0], v[1]))?;
        self.set(op, parts)
    }

    fn saturating_scalar(&mut self, name: &str, signed: bool, bits: u32, a: Value, b: Value) -> Outcome<Value> {
        let ty = self.b.func.dfg.value_type(a);
        let most = if signed { (1 << (bits - 1)) - 1 } else { u128::MAX >> (128 - bits) };
        let (least, most) = (self.int(ty, if signed { 1 << (bits - 1) } else { 0 }), self.int(ty, most));
        let (result, overflows) = if name == "shl" {
            let result = self.int_scalar("shl", bits, a, b)?;
            let back = self.int_scalar(if signed { "ashr" } else { "lshr" }, bits, result, b)?;
            (result, self.b.ins().icmp(IntCC::NotEqual, back, a))
        } else {
            self.overflowing(name, signed, bits, a, b)?
        };
        let limit = if signed {
            let (sa, zero) = (self.sign_extended(bits, a), self.int(ty, 0));
            let is_negative = self.b.ins().icmp(IntCC::SignedLessThan, sa, zero);
            self.b.ins().select(is_negative, least, most)
        } else if name == "sub" {
            least
        } else {
            most
        };
        Ok(self.b.ins().select(overflows, limit, result))
    }

    /// High part of two joined integers shifted to the left, or low part of them shifted to the right.
    pub(crate) fn funnel_shift(&mut self, op: OpRef<'a>, left: bool) -> Outcome<()> {
        let shape = self.shape(op.result(0).ty())?;
        let bits = shape.lane().ok_or(INVALID)?.bits();
        let args = self.operands(op)?;
        let parts = self.lanewise(
            &shape,
            &args,
            |_, _, _| None,
            |f, v| {
                let ty = f.b.func.dfg.value_type(v[0]);
                let (width, one, last) = (f.int(ty, bits.into()), f.int(ty, 1), f.int(ty, u128::from(bits - 1)));
                let by = f.int_scalar("urem", bits, v[2], width)?;
                let rest = f.b.ins().isub(last, by);
                // A shift by the whole width is made in two steps.
                let (high, low) = if left {
                    let low = f.b.ins().ushr(v[1], one);
                    (f.b.ins().ishl(v[0], by), f.b.ins().ushr(low, rest))
                } else {
                    let high = f.int_scalar("shl", bits, v[0], one)?;
                    (f.b.ins().ishl(high, rest), f.b.ins().ushr(v[1], by))
                };
                let both = f.b.ins().bor(high, low);
                Ok(f.zero_extended(bits, both))
            },
        )?;
        self.set(op, parts)
    }

    /// -1, 0 or 1 as the first integer is less than, equal to or greater than the second.
    pub(crate) fn three_way(&mut self, op: OpRef<'a>, signed: bool) -> Outcome<()> {
        let shape = self.shape(op.result(0).ty())?;
        let to = shape.lane().ok_or(INVALID)?;
        let from = self.shape(op.operand(0).ty())?.lane().ok_or(INVALID)?;
        let args = self.operands(op)?;
        let (less, more) = if signed {
            (IntCC::SignedLessThan, IntCC::SignedGreaterThan)
        } else {
            (IntCC::UnsignedLessThan, IntCC::UnsignedGreaterThan)
        };
        let parts = self.lanewise(
            &shape,
            &args,
            |_, _, _| None,
            |f, v| {
                let less = f.compare_ints(less, from.bits(), v[0], v[1]);
                let more = f.compare_ints(more, from.bits(), v[0], v[1]);
                let register = to.register();
                let (zero, one) = (f.int(register, 0), f.int(register, 1));
                let minus = f.int(register, u128::MAX >> (128 - to.bits()));
                let positive = f.b.ins().select(more, one, zero);
                Ok(f.b.ins().select(less, minus, positive))
            },
        )?;
        self.set(op, parts)
    }

    /// Calls a function of the C library or the runtime whose result is one register.
    pub(crate) fn call_library(&mut self, name: &'static str, args: &[Value], result: Type) -> Outcome<Value> {
        let mut signature = Signature::new(self.unit.conv);
        signature.params.extend(args.iter().map(|&arg| AbiParam::new(self.b.func.dfg.value_type(arg))));
        signature.returns.push(AbiParam::new(result));
        let id = self.unit.library(name, &signature)?;
        let function = self.unit.func_ref(id, self.b.func);
        let call = self.b.ins().call(function, args);
        Ok(self.b.inst_results(call)[0])
    }
}

/// The number that a constant has in every lane.
pub(crate) fn same_in_all_lanes(value: ValueRef<'_>) -> Option<u64> {
    let constant = value.defining_op().filter(|op| op.name() == "llvm.mlir.constant")?;
    constant.attr("value").and_then(AttrRef::splat_value)?.as_ap_int()?.to_u64()
}

/// The lane of a scalar or vector of integers.
pub(crate) fn int_lane(shape: &Shape) -> Outcome<Lane> {
    shape.lane().filter(|lane| matches!(lane, Lane::Int(_))).ok_or_else(|| INVALID.to_owned())
}
