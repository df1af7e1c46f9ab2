//! Conversions between integers, between floats, between both, and of bits.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use dl_ir::OpRef;

use crate::function::{Function, INVALID, Outcome};
use crate::int::int_lane;
use crate::lanes::{Held, Parts, int_vector};
use crate::shape::{Form, Lane, PIECE, Shape, Vector};

impl<'a> Function<'_, '_, 'a> {
    /// `llvm.zext`, `llvm.sext`, `llvm.trunc`, and conversions between pointers and integers, which are those of integers.
    pub(crate) fn int_convert(&mut self, op: OpRef<'a>, signed: bool) -> Outcome<()> {
        let to = self.shape(op.result(0).ty())?;
        let from = self.shape(op.operand(0).ty())?;
        let (from_lane, to_lane) = (int_lane(&from)?, int_lane(&to)?);
        if let (Shape::Vector(source), Shape::Vector(target)) = (&from, &to) {
            if let (Form::Mask, Form::Packed(ty)) = (source.form, target.form) {
                let mask = self.mask(op.operand(0), source.count, to_lane.bits())?;
                let parts = if signed {
                    mask
                } else {
                    let by = self.b.ins().iconst(types::I32, i64::from(ty.lane_bits() - 1));
                    mask.iter().map(|&part| self.b.ins().ushr(part, by)).collect()
                };
                return self.set(op, parts);
            }
            if let (Form::Packed(ty), Form::Mask) = (source.form, target.form) {
                let arg = self.get(op.operand(0))?;
                let one = self.int(ty.lane_type(), 1);
                let one = self.b.ins().splat(ty, one);
                let zero = self.vector_constant(ty, [0; PIECE]);
                let mut parts = Parts::new();
                for &part in &arg.parts {
                    let lowest = self.b.ins().band(part, one);
                    parts.push(self.b.ins().icmp(IntCC::NotEqual, lowest, zero));
                }
                self.set_comparison(op, from_lane.bits(), parts);
                return Ok(());
            }
            if let (Form::Packed(_), Form::Packed(_)) = (source.form, target.form) {
                let arg = self.get(op.operand(0))?;
                let parts = self.resize_packed(arg.parts, source.count, from_lane.bits(), to_lane.bits(), signed);
                return self.set(op, parts);
            }
        }
        let arg = self.get(op.operand(0))?;
        let parts =
            self.lanewise(&to, &[arg], |_, _, _| None, |f, v| Ok(f.convert_int(v[0], from_lane, to_lane, signed)))?;
        self.set(op, parts)
    }

    /// An integer of one width as one of another.
    pub(crate) fn convert_int(&mut self, value: Value, from: Lane, to: Lane, signed: bool) -> Value {
        let value = if signed && to.bits() > from.bits() { self.sign_extended(from.bits(), value) } else { value };
        let value = self.resize_int(value, to.register(), signed);
        self.zero_extended(to.bits(), value)
    }

    /// An integer register in a register of another size.
    pub(crate) fn resize_int(&mut self, value: Value, to: Type, signed: bool) -> Value {
        let from = self.b.func.dfg.value_type(value);
        if from.bits() == to.bits() {
            value
        } else if from.bits() > to.bits() {
            self.b.ins().ireduce(to, value)
        } else if signed {
            self.b.ins().sextend(to, value)
        } else {
            self.b.ins().uextend(to, value)
        }
    }

    /// Integer lanes of `from` bits as lanes of `to` bits, by halves and doubles.
    fn resize_packed(&mut self, mut parts: Parts, count: usize, from: u32, to: u32, signed: bool) -> Parts {
        let mut bits = from;
        while bits < to {
            let wanted = count.div_ceil(PIECE * 8 / (2 * bits as usize));
            let mut wide = Parts::new();
            for &part in &parts {
                let low = if signed { self.b.ins().swiden_low(part) } else { self.b.ins().uwiden_low(part) };
                wide.push(low);
                if wide.len() < wanted {
                    let high = if signed { self.b.ins().swiden_high(part) } else { self.b.ins().uwiden_high(part) };
                    wide.push(high);
                }
            }
            (parts, bits) = (wide, bits * 2);
        }
        while bits > to {
            let half = bits as usize / 16;
            // The low halves of the lanes of both registers.
            let mask: [u8; PIECE] = std::array::from_fn(|at| (at / half * 2 * half + at % half) as u8);
            let mut narrow = Parts::new();
            for pair in parts.chunks(2) {
                let (low, high) = (pair[0], *pair.last().unwrap_or(&pair[0]));
                let halves = self.shuffle(low, high, mask);
                narrow.push(self.bits_as(int_vector(bits / 2), halves));
            }
            (parts, bits) = (narrow, bits / 2);
        }
        parts
    }

    /// `llvm.fpext` and `llvm.fptrunc`.
    pub(crate) fn float_convert(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let to = self.shape(op.result(0).ty())?;
        let arg = self.get(op.operand(0))?;
        let held = self.convert_floats(&arg, &to)?;
        self.set(op, held.parts)
    }

    /// Floats of one format in another.
    pub(crate) fn convert_floats(&mut self, value: &Held, to: &Shape) -> Outcome<Held> {
        let Some((from_lane, to_lane)) = value.shape.lane().zip(to.lane()) else {
            return Err(INVALID.to_owned());
        };
        if from_lane == to_lane {
            return Ok(value.clone());
        }
        let is_half = |lane| matches!(lane, Lane::Half | Lane::Brain);
        if is_half(from_lane) && to_lane != Lane::Single {
            let single = self.with_lane(to, Lane::Single);
            let single = self.convert_floats(value, &single)?;
            return self.convert_floats(&single, to);
        }
        if let (Shape::Vector(source), Shape::Vector(target)) = (&value.shape, to)
            && let (Form::Packed(_), Form::Packed(_)) = (source.form, target.form)
            && let Some(parts) = self.convert_packed(value, *source, *target)
        {
            return Ok(Held::vector(*target, parts));
        }
        let parts = self.lanewise(
            to,
            std::slice::from_ref(value),
            |_, _, _| None,
            |f, v| Ok(f.convert_float(v[0], from_lane, to_lane)),
        )?;
        Ok(Held { shape: to.clone(), parts })
    }

    fn convert_packed(&mut self, value: &Held, from: Vector, to: Vector) -> Option<Parts> {
        let mut parts = Parts::new();
        match (from.lane, to.lane) {
            (Lane::Single, Lane::Double) => {
                for &part in &value.parts {
                    parts.push(self.b.ins().fvpromote_low(part));
                    if parts.len() < to.parts() {
                        let high =
                            self.shuffle(part, part, [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);
                        parts.push(self.b.ins().fvpromote_low(high));
                    }
                }
            }
            (Lane::Double, Lane::Single) => {
                for pair in value.parts.chunks(2) {
                    let low = self.b.ins().fvdemote(pair[0]);
                    parts.push(match pair.get(1) {
                        None => low,
                        Some(&high) => {
                            let high = self.b.ins().fvdemote(high);
                            let both = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
                            self.shuffle(low, high, both)
                        }
                    });
                }
            }
            (Lane::Half | Lane::Brain, Lane::Single) => {
                let words = self.resize_packed(value.parts.clone(), from.count, 16, 32, false);
                for word in words {
                    parts.push(self.extend_half(from.lane, types::I32X4, word));
                }
            }
            (Lane::Single, Lane::Half | Lane::Brain) => {
                let mut words = Parts::new();
                for &part in &value.parts {
                    words.push(self.truncate_to_half(to.lane, types::I32X4, part));
                }
                parts = self.resize_packed(words, from.count, 32, 16, false);
            }
            _ => return None,
        }
        Some(parts)
    }

    fn convert_float(&mut self, value: Value, from: Lane, to: Lane) -> Value {
        match (from, to) {
            (Lane::Half | Lane::Brain, _) => {
                let word = self.b.ins().uextend(types::I32, value);
                self.extend_half(from, types::I32, word)
            }
            (Lane::Double, Lane::Half | Lane::Brain) => {
                let single = self.round_to_odd(value);
                let word = self.truncate_to_half(to, types::I32, single);
                self.b.ins().ireduce(types::I16, word)
            }
            (_, Lane::Half | Lane::Brain) => {
                let word = self.truncate_to_half(to, types::I32, value);
                self.b.ins().ireduce(types::I16, word)
            }
            (_, Lane::Double) => self.b.ins().fpromote(types::F64, value),
            _ => self.b.ins().fdemote(types::F32, value),
        }
    }

    /// A constant in every lane of a register of 32-bit integers, or in the register itself.
    fn word(&mut self, ty: Type, value: u32) -> Value {
        let value = self.b.ins().iconst(types::I32, i64::from(value));
        if ty.is_vector() { self.b.ins().splat(ty, value) } else { value }
    }

    /// `a` where a comparison of words, or of floats of their size, holds, else `b`.
    fn choose(&mut self, condition: Value, a: Value, b: Value) -> Value {
        if self.b.func.dfg.value_type(a).is_vector() {
            self.b.ins().bitselect(condition, a, b)
        } else {
            self.b.ins().select(condition, a, b)
        }
    }

    /// The `f32` of a 16-bit float whose bits are the low ones of a word. Exact.
    ///
    /// A half has its exponent and mantissa moved to their places, and a product with a power of two gives the exponent its bias, subnormal
    /// numbers included.
    fn extend_half(&mut self, lane: Lane, ty: Type, bits: Value) -> Value {
        let float = if ty.is_vector() { types::F32X4 } else { types::F32 };
        let by = |f: &mut Self, by: i64| f.b.ins().iconst(types::I32, by);
        if lane == Lane::Brain {
            let by = by(self, 16);
            let high = self.b.ins().ishl(bits, by);
            return self.bits_as(float, high);
        }
        let (rest, sign) = (self.word(ty, 0x7fff), self.word(ty, 0x8000));
        let magnitude = self.b.ins().band(bits, rest);
        let (thirteen, sixteen) = (by(self, 13), by(self, 16));
        let placed = self.b.ins().ishl(magnitude, thirteen);
        let placed = self.bits_as(float, placed);
        // 2^112, by which the biases differ.
        let scale = self.word(ty, 0x7780_0000);
        let scale = self.bits_as(float, scale);
        let scaled = self.b.ins().fmul(placed, scale);
        let scaled = self.bits_as(ty, scaled);
        let most = self.word(ty, 0x7bff);
        let is_special = self.b.ins().icmp(IntCC::SignedGreaterThan, magnitude, most);
        let (exponent, zero) = (self.word(ty, 0x7f80_0000), self.word(ty, 0));
        let special = self.choose(is_special, exponent, zero);
        let value = self.b.ins().bor(scaled, special);
        let sign = self.b.ins().band(bits, sign);
        let sign = self.b.ins().ishl(sign, sixteen);
        let value = self.b.ins().bor(value, sign);
        self.bits_as(float, value)
    }

    /// The bits, in the low ones of a word, of the 16-bit float nearest to an `f32`, ties to even.
    ///
    /// For `bf16` the bits that are cut off are rounded as an integer. For `f16` a number in the normal range likewise, with its exponent's
    /// bias changed; a smaller one is added to a number whose last mantissa bit has the weight of the least half, which rounds it.
    fn truncate_to_half(&mut self, lane: Lane, ty: Type, value: Value) -> Value {
        let bits = self.bits_as(ty, value);
        let by = |f: &mut Self, by: i64| f.b.ins().iconst(types::I32, by);
        let is_nan = self.b.ins().fcmp(FloatCC::NotEqual, value, value);
        let is_nan = if ty.is_vector() { self.bits_as(ty, is_nan) } else { is_nan };
        let sixteen = by(self, 16);
        let one = self.word(ty, 1);
        if lane == Lane::Brain {
            let high = self.b.ins().ushr(bits, sixteen);
            let last = self.b.ins().band(high, one);
            let half = self.word(ty, 0x7fff);
            let up = self.b.ins().iadd(half, last);
            let rounded = self.b.ins().iadd(bits, up);
            let rounded = self.b.ins().ushr(rounded, sixteen);
            let quiet = self.word(ty, 0x40);
            let quiet = self.b.ins().bor(high, quiet);
            return self.choose(is_nan, quiet, rounded);
        }
        let float = self.b.func.dfg.value_type(value);
        let (rest, sign) = (self.word(ty, 0x7fff_ffff), self.word(ty, 0x8000));
        let magnitude = self.b.ins().band(bits, rest);
        let sign_bit = self.b.ins().ushr(bits, sixteen);
        let sign_bit = self.b.ins().band(sign_bit, sign);
        let thirteen = by(self, 13);
        // Normal: the bias falls by 112, and half of the last place that is kept is added, less one where that place is even.
        let last = self.b.ins().ushr(magnitude, thirteen);
        let last = self.b.ins().band(last, one);
        let shift = self.word(ty, 0x0fff_u32.wrapping_sub(112 << 23));
        let normal = self.b.ins().iadd(magnitude, shift);
        let normal = self.b.ins().iadd(normal, last);
        let normal = self.b.ins().ushr(normal, thirteen);
        // Small: 0.5 has a last place of 2^-24.
        let half = self.word(ty, 0x3f00_0000);
        let half_float = self.bits_as(float, half);
        let magnitude_float = self.bits_as(float, magnitude);
        let small = self.b.ins().fadd(magnitude_float, half_float);
        let small = self.bits_as(ty, small);
        let small = self.b.ins().isub(small, half);
        let least_normal = self.word(ty, 113 << 23);
        let is_small = self.b.ins().icmp(IntCC::SignedLessThan, magnitude, least_normal);
        let finite = self.choose(is_small, small, normal);
        // From 65520 on everything is infinite.
        let (limit, infinity, nan) = (self.word(ty, 0x477f_f000), self.word(ty, 0x7c00), self.word(ty, 0x7e00));
        let is_large = self.b.ins().icmp(IntCC::SignedGreaterThanOrEqual, magnitude, limit);
        let result = self.choose(is_large, infinity, finite);
        let payload = self.b.ins().ushr(magnitude, thirteen);
        let nan = self.b.ins().bor(payload, nan);
        let mask = self.word(ty, 0x7fff);
        let nan = self.b.ins().band(nan, mask);
        let result = self.choose(is_nan, nan, result);
        self.b.ins().bor(result, sign_bit)
    }

    /// An `f64` as an `f32` that rounds on to a shorter format as the `f64` would: cut off, the last bit set if anything was lost
    /// ("round to odd", Boldo and Melquiond 2008).
    fn round_to_odd(&mut self, value: Value) -> Value {
        let nearest = self.b.ins().fdemote(types::F32, value);
        let wide = self.b.ins().fpromote(types::F64, nearest);
        let bits = self.bits_as(types::I32, nearest);
        let (wide_abs, abs) = (self.b.ins().fabs(wide), self.b.ins().fabs(value));
        let away = self.b.ins().fcmp(FloatCC::GreaterThan, wide_abs, abs);
        let away = self.b.ins().uextend(types::I32, away);
        let cut = self.b.ins().isub(bits, away);
        let one = self.b.ins().iconst(types::I32, 1);
        let odd = self.b.ins().bor(cut, one);
        let odd = self.bits_as(types::F32, odd);
        let inexact = self.b.ins().fcmp(FloatCC::OrderedNotEqual, wide, value);
        self.b.ins().select(inexact, odd, nearest)
    }

    /// `llvm.sitofp` and `llvm.uitofp`.
    pub(crate) fn int_to_float(&mut self, op: OpRef<'a>, signed: bool) -> Outcome<()> {
        let to = self.shape(op.result(0).ty())?;
        let arg = self.get(op.operand(0))?;
        let (from_lane, to_lane) = (int_lane(&arg.shape)?, to.lane().ok_or(INVALID)?);
        if from_lane.bits() > 64 {
            return Err("floats of integers with more than 64 bits".to_owned());
        }
        let via = if matches!(to_lane, Lane::Half | Lane::Brain) {
            // What a float of 32 bits cannot hold exactly goes through one of 64.
            self.with_lane(&to, if from_lane.bits() <= 24 { Lane::Single } else { Lane::Double })
        } else {
            to.clone()
        };
        let float = via.lane().unwrap_or(to_lane).register();
        let parts = self.lanewise(
            &via,
            &[arg],
            |f, ty, v| {
                let source = f.b.func.dfg.value_type(v[0]);
                (ty == types::F32X4 && source == types::I32X4).then(|| {
                    let ins = f.b.ins();
                    if signed { ins.fcvt_from_sint(ty, v[0]) } else { ins.fcvt_from_uint(ty, v[0]) }
                })
            },
            |f, v| {
                let value = if signed { f.sign_extended(from_lane.bits(), v[0]) } else { v[0] };
                let register = if from_lane.bits() <= 32 { types::I32 } else { types::I64 };
                let value = f.resize_int(value, register, signed);
                Ok(if signed { f.b.ins().fcvt_from_sint(float, value) } else { f.b.ins().fcvt_from_uint(float, value) })
            },
        )?;
        let held = self.convert_floats(&Held { shape: via, parts }, &to)?;
        self.set(op, held.parts)
    }

    /// `llvm.fptosi` and `llvm.fptoui`. What does not fit may give anything; here it gives the nearest end of the range.
    pub(crate) fn float_to_int(&mut self, op: OpRef<'a>, signed: bool) -> Outcome<()> {
        let to = self.shape(op.result(0).ty())?;
        let arg = self.get(op.operand(0))?;
        let parts = self.floats_to_ints(&arg, &to, signed)?;
        self.set(op, parts)
    }

    /// Floats cut off to integers.
    pub(crate) fn floats_to_ints(&mut self, arg: &Held, to: &Shape, signed: bool) -> Outcome<Parts> {
        let to_lane = int_lane(to)?;
        if to_lane.bits() > 64 {
            return Err("integers of more than 64 bits of floats".to_owned());
        }
        let mut arg = arg.clone();
        if matches!(arg.shape.lane(), Some(Lane::Half | Lane::Brain)) {
            let single = self.with_lane(&arg.shape, Lane::Single);
            arg = self.convert_floats(&arg, &single)?;
        }
        let is_x64 = self.unit.is_x64;
        self.lanewise(
            to,
            &[arg],
            |f, ty, v| {
                let source = f.b.func.dfg.value_type(v[0]);
                (ty == types::I32X4 && source == types::F32X4).then(|| {
                    let ins = f.b.ins();
                    match signed {
                        true if is_x64 => ins.x86_cvtt2dq(ty, v[0]),
                        true => ins.fcvt_to_sint_sat(ty, v[0]),
                        false => ins.fcvt_to_uint_sat(ty, v[0]),
                    }
                })
            },
            |f, v| {
                let register = if to_lane.bits() <= 32 { types::I32 } else { types::I64 };
                let ins = f.b.ins();
                let value =
                    if signed { ins.fcvt_to_sint_sat(register, v[0]) } else { ins.fcvt_to_uint_sat(register, v[0]) };
                let value = f.resize_int(value, to_lane.register(), signed);
                Ok(f.zero_extended(to_lane.bits(), value))
            },
        )
    }

    /// The same bits as a value of another type: by registers where they are alike, else by memory.
    pub(crate) fn bitcast(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let (from, to) = (self.shape(op.operand(0).ty())?, self.shape(op.result(0).ty())?);
        let arg = self.get(op.operand(0))?;
        let (old, new) = (from.registers(), to.registers());
        let is_mask = |shape: &Shape| matches!(shape, Shape::Vector(vector) if vector.form == Form::Mask);
        let alike = old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| old.bits() == new.bits());
        if alike && is_mask(&from) == is_mask(&to) {
            let parts = arg.parts.iter().zip(&new).map(|(&part, &ty)| self.bits_as(ty, part)).collect();
            return self.set(op, parts);
        }
        let size = dl_llvm::layout::size(op.result(0).ty())?.max(dl_llvm::layout::size(op.operand(0).ty())?);
        let slot = self.stack_slot(size, PIECE as u64);
        let address = self.b.ins().stack_addr(types::I64, slot, 0);
        self.store(&arg, address, 0)?;
        let held = self.load(&to, address, 0)?;
        self.set(op, held.parts)
    }
}
