//! Loads and stores of some lanes.
//!
//! There are no instructions for these. Each lane is moved by itself, without a branch: where it is not wanted its address is that of a place in
//! the frame, which holds what a load is to give instead and takes what a store would write. Where the mask is constant, only the lanes
//! that are wanted are moved.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use dl_ir::{AttrRef, OpRef, ValueRef};

use crate::function::{ACCESS, Function, Outcome};
use crate::lanes::Parts;
use crate::memory::offset_by;
use crate::shape::{PIECE, Vector};

/// Which lanes are wanted.
enum Lanes {
    Known(Vec<bool>),
    /// 0, or not 0 where the lane is wanted.
    Computed(Vec<Value>),
}

impl<'a> Function<'_, '_, 'a> {
    fn wanted_lanes(&mut self, mask: ValueRef<'a>) -> Outcome<Lanes> {
        let vector = self.vector_of(mask.ty())?;
        if let Some(values) = mask.constant().and_then(AttrRef::dense_values) {
            return Ok(Lanes::Known(values.map(|value| value.as_bool() == Some(true)).collect()));
        }
        let parts = self.get(mask)?.parts;
        Ok(Lanes::Computed(self.mask_bits(&parts, vector)))
    }

    /// `llvm.intr.masked.load`.
    pub(crate) fn masked_load(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let base = self.scalar(op.operand(0))?;
        let vector = self.vector_of(op.result(0).ty())?;
        let addresses = self.consecutive(vector, base)?;
        let instead = op.operands().get(2);
        self.load_lanes(op, vector, &addresses, op.operand(1), instead)
    }

    /// `llvm.intr.masked.gather`.
    pub(crate) fn gather(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let vector = self.vector_of(op.result(0).ty())?;
        let pointers = self.get(op.operand(0))?;
        let pointer_vector = self.vector_of(op.operand(0).ty())?;
        let addresses = self.lanes(pointer_vector, &pointers.parts);
        let addresses: Vec<(Value, i32)> = addresses.into_iter().map(|address| (address, 0)).collect();
        let instead = op.operands().get(2);
        self.load_lanes(op, vector, &addresses, op.operand(1), instead)
    }

    /// `llvm.intr.masked.store`.
    pub(crate) fn masked_store(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let base = self.scalar(op.operand(1))?;
        let vector = self.vector_of(op.operand(0).ty())?;
        let addresses = self.consecutive(vector, base)?;
        self.store_lanes(op, vector, &addresses, op.operand(2))
    }

    /// `llvm.intr.masked.scatter`.
    pub(crate) fn scatter(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let vector = self.vector_of(op.operand(0).ty())?;
        let pointers = self.get(op.operand(1))?;
        let pointer_vector = self.vector_of(op.operand(1).ty())?;
        let addresses = self.lanes(pointer_vector, &pointers.parts);
        let addresses: Vec<(Value, i32)> = addresses.into_iter().map(|address| (address, 0)).collect();
        self.store_lanes(op, vector, &addresses, op.operand(2))
    }

    /// `llvm.intr.masked.expandload` and `llvm.intr.masked.compressstore`: memory has only the lanes that are wanted, side by side.
    pub(crate) fn compressed(&mut self, op: OpRef<'a>, is_load: bool) -> Outcome<()> {
        let (pointer, mask) = if is_load { (0, 1) } else { (1, 2) };
        let vector = if is_load { self.vector_of(op.result(0).ty())? } else { self.vector_of(op.operand(0).ty())? };
        let mut address = self.scalar(op.operand(pointer))?;
        let wanted = self.wanted_lanes(op.operand(mask))?;
        let size = vector.lane.bytes();
        let (step, none) = (self.int(types::I64, size as u128), self.int(types::I64, 0));
        let mut addresses = Vec::with_capacity(vector.count);
        for lane in 0..vector.count {
            addresses.push((address, 0));
            let by = match &wanted {
                Lanes::Known(wanted) => {
                    if wanted[lane] {
                        step
                    } else {
                        none
                    }
                }
                Lanes::Computed(wanted) => self.b.ins().select(wanted[lane], step, none),
            };
            address = self.b.ins().iadd(address, by);
        }
        if is_load {
            return self.load_lanes(op, vector, &addresses, op.operand(mask), op.operands().get(2));
        }
        self.store_lanes(op, vector, &addresses, op.operand(mask))
    }

    /// The addresses of lanes that lie one after another.
    fn consecutive(&mut self, vector: Vector, base: Value) -> Outcome<Vec<(Value, i32)>> {
        if !vector.lane.is_whole() {
            return Err(format!("vectors of i{} in memory", vector.lane.bits()));
        }
        (0..vector.count).map(|lane| Ok((base, offset_by(0, (lane * vector.lane.bytes()) as u64)))).collect()
    }

    fn load_lanes(
        &mut self,
        op: OpRef<'a>,
        vector: Vector,
        addresses: &[(Value, i32)],
        mask: ValueRef<'a>,
        instead: Option<ValueRef<'a>>,
    ) -> Outcome<()> {
        let instead: Parts = match instead {
            Some(value) => self.get(value)?.parts,
            None => self.zero(&crate::shape::Shape::Vector(vector)),
        };
        let mut lanes = self.lanes(vector, &instead);
        match self.wanted_lanes(mask)? {
            Lanes::Known(wanted) => {
                for at in (0..vector.count).filter(|&at| wanted[at]) {
                    let (address, offset) = addresses[at];
                    lanes[at] = self.load_lane(vector.lane, address, offset);
                }
            }
            Lanes::Computed(wanted) => {
                let elsewhere = self.stack_slot(PIECE as u64, PIECE as u64);
                let elsewhere = self.b.ins().stack_addr(types::I64, elsewhere, 0);
                for at in 0..vector.count {
                    self.b.ins().store(ACCESS, lanes[at], elsewhere, 0);
                    let address = self.lane_address(addresses[at]);
                    let address = self.b.ins().select(wanted[at], address, elsewhere);
                    lanes[at] = self.load_lane(vector.lane, address, 0);
                }
            }
        }
        let parts = self.of_lanes(vector, &lanes);
        self.set(op, parts)
    }

    fn store_lanes(
        &mut self,
        op: OpRef<'a>,
        vector: Vector,
        addresses: &[(Value, i32)],
        mask: ValueRef<'a>,
    ) -> Outcome<()> {
        let parts = self.get(op.operand(0))?.parts;
        let lanes = self.lanes(vector, &parts);
        match self.wanted_lanes(mask)? {
            Lanes::Known(wanted) => {
                for at in (0..vector.count).filter(|&at| wanted[at]) {
                    let (address, offset) = addresses[at];
                    self.store_lane(vector.lane, lanes[at], address, offset);
                }
            }
            Lanes::Computed(wanted) => {
                let elsewhere = self.stack_slot(PIECE as u64, PIECE as u64);
                let elsewhere = self.b.ins().stack_addr(types::I64, elsewhere, 0);
                for at in 0..vector.count {
                    let address = self.lane_address(addresses[at]);
                    let address = self.b.ins().select(wanted[at], address, elsewhere);
                    self.store_lane(vector.lane, lanes[at], address, 0);
                }
            }
        }
        Ok(())
    }

    fn lane_address(&mut self, (address, offset): (Value, i32)) -> Value {
        if offset == 0 { address } else { self.b.ins().iadd_imm_s(address, i64::from(offset)) }
    }
}
