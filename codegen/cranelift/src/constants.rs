//! Constants and aggregates.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use dl_ir::attributes::DenseElement;
use dl_ir::{AttrData, AttrRef, OpRef, TypeRef};

use crate::function::{Function, INVALID, Outcome};
use crate::globals::bytes_of;
use crate::lanes::Parts;
use crate::shape::{Form, Lane, PIECE, Shape, Vector};

impl<'a> Function<'_, '_, 'a> {
    /// `llvm.mlir.constant`.
    pub(crate) fn constant(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let value = op.attr("value").ok_or(INVALID)?;
        let shape = self.shape(op.result(0).ty())?;
        if let Some(name) = value.as_flat_symbol() {
            let (id, _) = self.unit.declared(name)?;
            let function = self.unit.func_ref(id, self.b.func);
            let address = self.b.ins().func_addr(types::I64, function);
            return self.set_scalar(op, address);
        }
        let bytes = bytes_of(value, op.result(0).ty())?;
        let parts = self.of_bytes(&shape, &bytes)?;
        self.set(op, parts)
    }

    /// The value that lies as these bytes in memory.
    fn of_bytes(&mut self, shape: &Shape, bytes: &[u8]) -> Outcome<Parts> {
        match shape {
            Shape::Scalar(lane) => Ok(smallvec::smallvec![self.number(*lane, bytes)]),
            Shape::Vector(vector) => Ok(self.vector_of_bytes(*vector, bytes)),
            Shape::Aggregate(members) => {
                let mut parts = Parts::new();
                for member in members.iter() {
                    let rest = bytes.get(member.offset as usize..).ok_or(INVALID)?;
                    parts.extend(self.of_bytes(&member.shape, rest)?);
                }
                Ok(parts)
            }
        }
    }

    fn vector_of_bytes(&mut self, vector: Vector, bytes: &[u8]) -> Parts {
        let size = vector.lane.bytes();
        let bit = |lane: usize| bytes.get(lane / 8).is_some_and(|byte| byte >> (lane % 8) & 1 == 1);
        let mut parts = Parts::new();
        match vector.form {
            Form::Scattered if vector.lane == Lane::Int(1) => {
                (0..vector.count).for_each(|lane| parts.push(self.int(types::I8, u128::from(bit(lane)))));
            }
            Form::Scattered => {
                for lane in 0..vector.count {
                    parts.push(self.number(vector.lane, bytes.get(lane * size..).unwrap_or_default()));
                }
            }
            Form::Mask => {
                for part in 0..vector.parts() {
                    let byte = |at: usize| if bit(part * PIECE + at) { 0xff } else { 0 };
                    parts.push(self.vector_constant(types::I8X16, std::array::from_fn(byte)));
                }
            }
            Form::Packed(ty) => {
                for part in 0..vector.parts() {
                    let byte = |at: usize| bytes.get(part * PIECE + at).copied().unwrap_or(0);
                    let piece: [u8; PIECE] = std::array::from_fn(byte);
                    let is_splat = vector.count >= vector.lanes_per_part()
                        && piece.chunks(size).all(|lane| *lane == piece[..size]);
                    parts.push(if is_splat && size <= 8 && piece.iter().any(|&byte| byte != 0) {
                        let lane = self.number(vector.lane, &piece[..size]);
                        self.b.ins().splat(ty, lane)
                    } else {
                        self.vector_constant(ty, piece)
                    });
                }
            }
        }
        parts
    }

    fn number(&mut self, lane: Lane, bytes: &[u8]) -> Value {
        let mut wide = [0; 16];
        let len = lane.bytes().min(bytes.len());
        wide[..len].copy_from_slice(&bytes[..len]);
        let bits = u128::from_le_bytes(wide);
        match lane {
            Lane::Single => self.b.ins().f32const(f32::from_bits(bits as u32)),
            Lane::Double => self.b.ins().f64const(f64::from_bits(bits as u64)),
            lane => {
                let kept = bits & (u128::MAX >> (128 - lane.bits()));
                self.int(lane.register(), kept)
            }
        }
    }

    /// `llvm.extractvalue`.
    pub(crate) fn extractvalue(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let held = self.get(op.operand(0))?;
        let (shape, first) = at_position(&held.shape, op)?;
        let parts = held.parts[first..first + shape.parts()].into();
        self.set(op, parts)
    }

    /// `llvm.insertvalue`.
    pub(crate) fn insertvalue(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let mut held = self.get(op.operand(0))?;
        let value = self.get(op.operand(1))?;
        let (shape, first) = at_position(&held.shape, op)?;
        held.parts[first..first + shape.parts()].copy_from_slice(&value.parts);
        self.set(op, held.parts)
    }
}

/// The member that an operation names, and the number of its first part.
fn at_position(aggregate: &Shape, op: OpRef<'_>) -> Outcome<(Shape, usize)> {
    let (mut shape, mut first) = (aggregate.clone(), 0);
    for at in op.attr("position").into_iter().flat_map(AttrRef::dense_ints) {
        let Shape::Aggregate(members) = &shape else { return Err(INVALID.to_owned()) };
        let member = usize::try_from(at).ok().and_then(|at| members.get(at)).ok_or(INVALID)?;
        first += member.first;
        shape = member.shape.clone();
    }
    Ok((shape, first))
}

/// Whether bytes of dense data are those of the type in memory.
pub(crate) fn is_plain(value: AttrRef<'_>, ty: TypeRef<'_>) -> bool {
    let AttrData::DenseElements { ty: own, .. } = value.data() else { return false };
    let Some(element) = ty.cx().ty(*own).element_type() else { return false };
    DenseElement::of(element).is_some_and(|element| element.bits % 8 == 0 && element.bits.is_power_of_two())
}
