//! Parts of values: as lanes, as truth values of some width, by memory.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use smallvec::{SmallVec, smallvec};

use crate::function::{Function, INVALID, Outcome};
use crate::shape::{Form, Lane, PIECE, Shape, Vector};

/// The registers that hold a value.
pub(crate) type Parts = SmallVec<[Value; 4]>;

/// A value and how it is held.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) shape: Shape,
    pub(crate) parts: Parts,
}

impl Held {
    pub(crate) fn scalar(lane: Lane, value: Value) -> Self {
        Self { shape: Shape::Scalar(lane), parts: smallvec![value] }
    }

    pub(crate) fn vector(vector: Vector, parts: Parts) -> Self {
        Self { shape: Shape::Vector(vector), parts }
    }

    /// The first part, which is all of a scalar.
    pub(crate) fn first(&self) -> Value {
        self.parts[0]
    }
}

/// The vector of integers with lanes of so many bits.
pub(crate) fn int_vector(bits: u32) -> Type {
    match bits {
        8 => types::I8X16,
        16 => types::I16X8,
        32 => types::I32X4,
        _ => types::I64X2,
    }
}

impl Function<'_, '_, '_> {
    /// The bits of a register as another one of the same size.
    pub(crate) fn bits_as(&mut self, ty: Type, value: Value) -> Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        let flags = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
        self.b.ins().bitcast(ty, flags, value)
    }

    /// An integer constant of any register.
    pub(crate) fn int(&mut self, ty: Type, value: u128) -> Value {
        if ty == types::I128 {
            let low = self.b.ins().iconst(types::I64, value as u64 as i64);
            let high = self.b.ins().iconst(types::I64, (value >> 64) as u64 as i64);
            return self.b.ins().iconcat(low, high);
        }
        let kept = value as u64 & (u64::MAX >> (64 - ty.bits()));
        self.b.ins().iconst(ty, kept as i64)
    }

    /// A constant vector register.
    pub(crate) fn vector_constant(&mut self, ty: Type, bytes: [u8; PIECE]) -> Value {
        let handle = self.b.func.dfg.constants.insert(bytes.to_vec().into());
        self.b.ins().vconst(ty, handle)
    }

    /// Bytes of two registers in any order: `mask` numbers those of `a`, then those of `b`.
    pub(crate) fn shuffle(&mut self, a: Value, b: Value, mask: [u8; PIECE]) -> Value {
        let ty = self.b.func.dfg.value_type(a);
        let (a, b) = (self.bits_as(types::I8X16, a), self.bits_as(types::I8X16, b));
        let mask = self.b.func.dfg.immediates.push(mask.to_vec().into());
        let shuffled = self.b.ins().shuffle(a, b, mask);
        self.bits_as(ty, shuffled)
    }

    /// Each lane in a register of its own; truth values as 0 or 1.
    pub(crate) fn lanes(&mut self, vector: Vector, parts: &[Value]) -> Vec<Value> {
        let each = vector.lanes_per_part();
        (0..vector.count).map(|at| self.lane(vector, parts[at / each], (at % each) as u8)).collect()
    }

    /// Lane `at` of one part.
    pub(crate) fn lane(&mut self, vector: Vector, part: Value, at: u8) -> Value {
        match vector.form {
            Form::Scattered => part,
            Form::Packed(_) => self.b.ins().extractlane(part, at),
            Form::Mask => {
                let byte = self.b.ins().extractlane(part, at);
                self.b.ins().band_imm_u(byte, 1)
            }
        }
    }

    /// A vector of lanes, truth values being 0 or 1.
    pub(crate) fn of_lanes(&mut self, vector: Vector, lanes: &[Value]) -> Parts {
        if vector.form == Form::Scattered {
            return lanes.into();
        }
        let ty = vector.register();
        let mut parts = Parts::new();
        for chunk in lanes.chunks(vector.lanes_per_part()) {
            let mut part = None;
            for (at, &lane) in chunk.iter().enumerate() {
                let lane = if vector.form == Form::Mask { self.b.ins().ineg(lane) } else { lane };
                part = Some(match part {
                    None => self.first_lane(ty, lane),
                    Some(part) => self.b.ins().insertlane(part, lane, at as u8),
                });
            }
            parts.extend(part);
        }
        parts
    }

    /// A vector register with `lane` in its first place. There is no instruction for small lanes alone.
    pub(crate) fn first_lane(&mut self, ty: Type, lane: Value) -> Value {
        if ty.lane_bits() < 32 { self.b.ins().splat(ty, lane) } else { self.b.ins().scalar_to_vector(ty, lane) }
    }

    /// `vector` with `lane` in every place.
    pub(crate) fn splat(&mut self, vector: Vector, lane: Value) -> Parts {
        let part = match vector.form {
            Form::Scattered => lane,
            Form::Packed(ty) => self.b.ins().splat(ty, lane),
            Form::Mask => {
                let byte = self.b.ins().ineg(lane);
                self.b.ins().splat(types::I8X16, byte)
            }
        };
        Parts::from_elem(part, vector.parts())
    }

    /// Truth values of `count` lanes, held as lanes of `from` bits, as lanes of `to` bits.
    pub(crate) fn resize_mask(&mut self, mut parts: Parts, count: usize, from: u32, to: u32) -> Parts {
        let mut bits = from;
        while bits > to {
            let mut narrow = Parts::new();
            for pair in parts.chunks(2) {
                let (low, high) = (pair[0], *pair.last().unwrap_or(&pair[0]));
                narrow.push(if bits == 64 {
                    let (low, high) = (self.bits_as(types::I32X4, low), self.bits_as(types::I32X4, high));
                    self.shuffle(low, high, [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27])
                } else {
                    self.b.ins().snarrow(low, high)
                });
            }
            (parts, bits) = (narrow, bits / 2);
        }
        while bits < to {
            let wanted = count.div_ceil(PIECE * 8 / (2 * bits as usize));
            let mut wide = Parts::new();
            for &part in &parts {
                for high in [false, true] {
                    if wide.len() < wanted {
                        let ins = self.b.ins();
                        wide.push(if high { ins.swiden_high(part) } else { ins.swiden_low(part) });
                    }
                }
            }
            (parts, bits) = (wide, bits * 2);
        }
        parts
    }

    /// Applies an operation to each lane, or to whole registers where `packed` does that and every operand has as many lanes in a register as
    /// the result.
    pub(crate) fn lanewise(
        &mut self,
        result: &Shape,
        args: &[Held],
        mut packed: impl FnMut(&mut Self, Type, &[Value]) -> Option<Value>,
        mut scalar: impl FnMut(&mut Self, &[Value]) -> Outcome<Value>,
    ) -> Outcome<Parts> {
        let Shape::Vector(vector) = *result else {
            let values: Parts = args.iter().map(Held::first).collect();
            return Ok(smallvec![scalar(self, &values)?]);
        };
        let vectors = args.iter().map(|arg| arg.shape.vector().filter(|arg| arg.count == vector.count));
        let vectors: Vec<Vector> = vectors.collect::<Option<_>>().ok_or(INVALID)?;
        let alike = |of: &Vector| of.form != Form::Scattered && of.lanes_per_part() == vector.lanes_per_part();
        if vector.form != Form::Scattered && vectors.iter().all(alike) {
            let mut parts = Parts::new();
            for at in 0..vector.parts() {
                let values: Parts = args.iter().map(|arg| arg.parts[at]).collect();
                let Some(part) = packed(self, vector.register(), &values) else { break };
                parts.push(part);
            }
            if parts.len() == vector.parts() {
                return Ok(parts);
            }
        }
        let lanes: Vec<Vec<Value>> =
            vectors.iter().zip(args).map(|(&vector, arg)| self.lanes(vector, &arg.parts)).collect();
        let mut results = Vec::with_capacity(vector.count);
        for at in 0..vector.count {
            let values: Parts = lanes.iter().map(|lanes| lanes[at]).collect();
            results.push(scalar(self, &values)?);
        }
        Ok(self.of_lanes(vector, &results))
    }

    /// Bit `at` of truth values, which are in the order of lanes, as the bits of integers of 16, as 0 or not 0.
    pub(crate) fn mask_bits(&mut self, mask: &[Value], vector: Vector) -> Vec<Value> {
        if vector.form == Form::Scattered {
            return mask.to_vec();
        }
        let words: Vec<Value> = mask.iter().map(|&part| self.b.ins().vhigh_bits(types::I32, part)).collect();
        (0..vector.count).map(|at| self.b.ins().band_imm_u(words[at / PIECE], 1 << (at % PIECE))).collect()
    }

    /// `a` where `condition` is not 0, else `b`, part by part.
    pub(crate) fn select_parts(&mut self, condition: Value, a: &[Value], b: &[Value]) -> Parts {
        a.iter().zip(b).map(|(&a, &b)| self.b.ins().select(condition, a, b)).collect()
    }

    /// Whether an integer is not 0, as 0 or 1.
    pub(crate) fn is_not_zero(&mut self, value: Value) -> Value {
        let ty = self.b.func.dfg.value_type(value);
        let zero = self.int(ty, 0);
        self.b.ins().icmp(IntCC::NotEqual, value, zero)
    }
}
