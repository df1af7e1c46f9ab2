//! Lanes moved, replaced and chosen.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use dl_ir::{AttrRef, OpRef, ValueRef};
use smallvec::smallvec;

use crate::function::{Function, INVALID, Outcome};
use crate::int::int_lane;
use crate::lanes::{Held, Parts};
use crate::shape::{Form, Lane, PIECE, Shape, Vector};

/// A lane of a result, none where it may be anything: the number of an operand and of a lane of it.
type Source = Option<(usize, usize)>;

impl<'a> Function<'_, '_, 'a> {
    pub(crate) fn extractelement(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let held = self.get(op.operand(0))?;
        let vector = held.shape.vector().ok_or(INVALID)?;
        if let Some(at) = constant_index(op.operand(1)) {
            if at >= vector.count {
                return self.anything(op);
            }
            let each = vector.lanes_per_part();
            let lane = self.lane(vector, held.parts[at / each], (at % each) as u8);
            return self.set_scalar(op, lane);
        }
        let index = self.lane_index(op.operand(1))?;
        let lanes = self.lanes(vector, &held.parts);
        let mut found = lanes[0];
        for (at, &lane) in lanes.iter().enumerate().skip(1) {
            let is_it = self.b.ins().icmp_imm_s(IntCC::Equal, index, at as i64);
            found = self.b.ins().select(is_it, lane, found);
        }
        self.set_scalar(op, found)
    }

    pub(crate) fn insertelement(&mut self, op: OpRef<'a>) -> Outcome<()> {
        // A lane that a shuffle spreads over all of them is better spread at once: see `shufflevector`.
        let mut uses = op.result(0).uses();
        if constant_index(op.operand(2)) == Some(0) && uses.all(|(user, _)| broadcast(user).is_some()) {
            return Ok(());
        }
        let mut held = self.get(op.operand(0))?;
        let vector = held.shape.vector().ok_or(INVALID)?;
        let value = self.scalar(op.operand(1))?;
        if let Some(at) = constant_index(op.operand(2)) {
            if at >= vector.count {
                return self.anything(op);
            }
            let each = vector.lanes_per_part();
            held.parts[at / each] = self.with_lane_replaced(vector, held.parts[at / each], (at % each) as u8, value);
            return self.set(op, held.parts);
        }
        let index = self.lane_index(op.operand(2))?;
        let mut lanes = self.lanes(vector, &held.parts);
        for (at, lane) in lanes.iter_mut().enumerate() {
            let is_it = self.b.ins().icmp_imm_s(IntCC::Equal, index, at as i64);
            *lane = self.b.ins().select(is_it, value, *lane);
        }
        let parts = self.of_lanes(vector, &lanes);
        self.set(op, parts)
    }

    fn with_lane_replaced(&mut self, vector: Vector, part: Value, at: u8, value: Value) -> Value {
        match vector.form {
            Form::Scattered => value,
            Form::Packed(_) => self.b.ins().insertlane(part, value, at),
            Form::Mask => {
                let byte = self.b.ins().ineg(value);
                self.b.ins().insertlane(part, byte, at)
            }
        }
    }

    fn lane_index(&mut self, index: ValueRef<'a>) -> Outcome<Value> {
        let held = self.get(index)?;
        let lane = int_lane(&held.shape)?;
        Ok(self.convert_int(held.first(), lane, Lane::Int(64), false))
    }

    /// A result that may be anything: zero.
    pub(crate) fn anything(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let shape = self.shape(op.result(0).ty())?;
        let parts = self.zero(&shape);
        self.set(op, parts)
    }

    pub(crate) fn shufflevector(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let to = self.vector_of(op.result(0).ty())?;
        if let Some(value) = broadcast(op) {
            let lane = self.scalar(value)?;
            let parts = self.splat(to, lane);
            return self.set(op, parts);
        }
        let from = self.vector_of(op.operand(0).ty())?;
        let operands = [self.get(op.operand(0))?.parts, self.get(op.operand(1))?.parts];
        let mask: Vec<i64> = op.attr("mask").into_iter().flat_map(AttrRef::dense_ints).collect();
        let source = |&lane: &i64| {
            let lane = usize::try_from(lane).ok()?;
            Some((lane / from.count, lane % from.count))
        };
        let sources: Vec<Source> = mask.iter().map(source).collect();
        let parts = self.rearrange(to, from, &operands, &sources)?;
        self.set(op, parts)
    }

    /// A vector each of whose lanes is one of the operands, all of which are as `from`.
    pub(crate) fn rearrange(
        &mut self,
        to: Vector,
        from: Vector,
        operands: &[Parts],
        sources: &[Source],
    ) -> Outcome<Parts> {
        if to.form == Form::Scattered || from.form == Form::Scattered {
            let zero = self.zero(&Shape::Scalar(to.lane))[0];
            let lanes: Vec<Vec<Value>> = operands.iter().map(|parts| self.lanes(from, parts)).collect();
            let pick = |source: &Source| source.map_or(zero, |(operand, lane)| lanes[operand][lane]);
            let picked: Vec<Value> = sources.iter().map(pick).collect();
            return Ok(self.of_lanes(to, &picked));
        }
        let each = to.lanes_per_part();
        let size = PIECE / each;
        let mut parts = Parts::new();
        for chunk in sources.chunks(each) {
            // Bytes of the register are gathered from one source register after another.
            let mut found: Option<(Value, [bool; PIECE])> = None;
            let mut registers: Vec<(usize, usize)> =
                chunk.iter().flatten().map(|&(operand, lane)| (operand, lane / each)).collect();
            registers.sort_unstable();
            registers.dedup();
            for register in registers {
                let source = operands[register.0][register.1];
                let is_from = |lane: usize| {
                    let from = chunk.get(lane).copied().flatten();
                    from.filter(|&(operand, lane)| (operand, lane / each) == register).map(|(_, lane)| lane % each)
                };
                let lane_of = |byte: usize| is_from(byte / size).map(|lane| lane * size + byte % size);
                let has: [bool; PIECE] = std::array::from_fn(|byte| lane_of(byte).is_some());
                found = Some(match found {
                    None => {
                        let mask = std::array::from_fn(|byte| lane_of(byte).unwrap_or(byte) as u8);
                        let is_same = (0..PIECE).all(|byte| usize::from(mask[byte]) == byte);
                        (if is_same { source } else { self.shuffle(source, source, mask) }, has)
                    }
                    Some((gathered, before)) => {
                        let mask = std::array::from_fn(|byte| match lane_of(byte) {
                            Some(at) => (PIECE + at) as u8,
                            None => byte as u8,
                        });
                        (self.shuffle(gathered, source, mask), std::array::from_fn(|byte| before[byte] || has[byte]))
                    }
                });
            }
            parts.push(match found {
                Some((register, _)) => register,
                None => self.vector_constant(to.register(), [0; PIECE]),
            });
        }
        Ok(parts)
    }

    /// `llvm.intr.vector.insert` and `llvm.intr.vector.extract`: a part of a vector from lane `pos` on.
    pub(crate) fn subvector(&mut self, op: OpRef<'a>, is_insert: bool) -> Outcome<()> {
        let at = op.attr("pos").and_then(AttrRef::as_int).and_then(|at| usize::try_from(at).ok());
        let at = at.ok_or(INVALID)?;
        let to = self.vector_of(op.result(0).ty())?;
        let args = self.operands(op)?;
        let vectors: Vec<Vector> =
            args.iter().map(|arg| arg.shape.vector().ok_or(INVALID)).collect::<Result<_, _>>()?;
        let mut lanes = Vec::new();
        for (arg, &vector) in args.iter().zip(&vectors) {
            lanes.push(self.lanes(vector, &arg.parts));
        }
        let is_in = |lane: usize| (at..at + vectors.get(1).map_or(0, |part| part.count)).contains(&lane);
        let pick = |lane: usize| match is_insert {
            true if is_in(lane) => lanes[1][lane - at],
            true => lanes[0][lane],
            false => lanes[0][(at + lane).min(lanes[0].len() - 1)],
        };
        let picked: Vec<Value> = (0..to.count).map(pick).collect();
        let parts = self.of_lanes(to, &picked);
        self.set(op, parts)
    }

    /// `llvm.intr.vector.interleave2`: the lanes of two vectors by turns.
    pub(crate) fn interleave(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let (to, from) = (self.vector_of(op.result(0).ty())?, self.vector_of(op.operand(0).ty())?);
        let operands = [self.get(op.operand(0))?.parts, self.get(op.operand(1))?.parts];
        let sources: Vec<Source> = (0..to.count).map(|lane| Some((lane % 2, lane / 2))).collect();
        let parts = self.rearrange(to, from, &operands, &sources)?;
        self.set(op, parts)
    }

    /// `llvm.intr.vector.deinterleave2`: the even lanes, and the odd ones.
    pub(crate) fn deinterleave(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let Shape::Aggregate(members) = self.shape(op.result(0).ty())? else {
            return Err(INVALID.to_owned());
        };
        let to = members.first().and_then(|member| member.shape.vector()).ok_or(INVALID)?;
        let from = self.vector_of(op.operand(0).ty())?;
        let operands = [self.get(op.operand(0))?.parts];
        let mut parts = Parts::new();
        for odd in 0..2 {
            let sources: Vec<Source> = (0..to.count).map(|lane| Some((0, 2 * lane + odd))).collect();
            parts.extend(self.rearrange(to, from, &operands, &sources)?);
        }
        self.set(op, parts)
    }

    /// `llvm.select`: by one condition for all, or by one for each lane.
    pub(crate) fn select(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let (a, b) = (self.get(op.operand(1))?, self.get(op.operand(2))?);
        let condition = op.operand(0);
        let Shape::Vector(lanes) = self.shape(condition.ty())? else {
            let condition = self.scalar(condition)?;
            let parts = self.select_parts(condition, &a.parts, &b.parts);
            return self.set(op, parts);
        };
        let vector = a.shape.vector().ok_or(INVALID)?;
        let parts = if vector.form == Form::Scattered {
            let conditions = self.get(condition)?;
            let conditions = self.lanes(lanes, &conditions.parts);
            let each = conditions.iter().zip(a.parts.iter().zip(&b.parts));
            each.map(|(&condition, (&a, &b))| self.b.ins().select(condition, a, b)).collect()
        } else {
            let bits = if vector.form == Form::Mask { 8 } else { vector.lane.bits() };
            let mask = self.mask(condition, vector.count, bits)?;
            let mut parts = Parts::new();
            for (&mask, (&a, &b)) in mask.iter().zip(a.parts.iter().zip(&b.parts)) {
                let mask = self.bits_as(vector.register(), mask);
                parts.push(self.b.ins().bitselect(mask, a, b));
            }
            parts
        };
        self.set(op, parts)
    }

    /// `llvm.intr.stepvector`: 0, 1, 2, ...
    pub(crate) fn step_vector(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let vector = self.vector_of(op.result(0).ty())?;
        let ty = vector.lane.register();
        let lanes: Vec<Value> = (0..vector.count).map(|lane| self.int(ty, lane as u128)).collect();
        let parts = self.of_lanes(vector, &lanes);
        self.set(op, parts)
    }

    /// `llvm.intr.get.active.lane.mask`: whether a number, plus that of the lane, is less than a bound, without wrapping around.
    pub(crate) fn active_lanes(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let vector = self.vector_of(op.result(0).ty())?;
        let (base, bound) = (self.get(op.operand(0))?, self.get(op.operand(1))?);
        let lane = int_lane(&base.shape)?;
        let (base, bound) = (base.first(), bound.first());
        let is_some = self.compare_ints(IntCC::UnsignedGreaterThan, lane.bits(), bound, base);
        let rest = self.b.ins().isub(bound, base);
        let zero = self.int(lane.register(), 0);
        let rest = self.b.ins().select(is_some, rest, zero);
        let mut lanes = Vec::with_capacity(vector.count);
        for at in 0..vector.count {
            let at = self.int(lane.register(), at as u128);
            lanes.push(self.b.ins().icmp(IntCC::UnsignedGreaterThan, rest, at));
        }
        let parts = self.of_lanes(vector, &lanes);
        self.set(op, parts)
    }

    /// Zero of any type.
    pub(crate) fn zero(&mut self, shape: &Shape) -> Parts {
        let registers = shape.registers();
        let mut parts = Parts::new();
        for ty in registers {
            parts.push(if ty.is_vector() {
                self.vector_constant(ty, [0; PIECE])
            } else if ty.is_float() {
                self.float(ty, 0.0)
            } else {
                self.int(ty, 0)
            });
        }
        parts
    }

    /// A vector of one lane as that lane, for reductions.
    pub(crate) fn one_lane(&mut self, lane: Lane, value: Value) -> Held {
        Held { shape: Shape::Scalar(lane), parts: smallvec![value] }
    }
}

/// The index that a constant holds.
fn constant_index(index: ValueRef<'_>) -> Option<usize> {
    index.constant()?.as_ap_int()?.to_u64().and_then(|index| usize::try_from(index).ok())
}

/// The scalar that a shuffle spreads over all lanes: one that was inserted into the first lane, which alone is taken.
fn broadcast(shuffle: OpRef<'_>) -> Option<ValueRef<'_>> {
    let is_first = || shuffle.attr("mask").is_some_and(|mask| mask.dense_ints().all(|lane| lane == 0));
    let insert = (shuffle.name() == "llvm.shufflevector" && is_first()).then(|| shuffle.operand(0).defining_op());
    let insert = insert.flatten().filter(|insert| insert.name() == "llvm.insertelement")?;
    (constant_index(insert.operand(2)) == Some(0)).then(|| insert.operand(1))
}
