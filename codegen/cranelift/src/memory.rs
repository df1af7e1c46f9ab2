//! Memory: loads and stores, addresses, the stack.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlot, StackSlotData, StackSlotKind, Type, Value, types};
use dl_ir::{AttrRef, OpRef, TypeRef};
use dl_llvm::{GEP_DYNAMIC_INDEX, layout, types as llvm};
use smallvec::smallvec;

use crate::function::{ACCESS, Function, INVALID, Outcome};
use crate::lanes::{Held, Parts};
use crate::shape::{Form, Lane, PIECE, Shape, Vector};

/// Largest memory that is taken from the frame of a function; what is larger comes from the heap.
const LARGEST_SLOT: u64 = 1 << 16;
/// Bytes in front of a buffer on the heap, where the one before it is noted. Keeps the alignment of the buffer.
const LINK: i64 = 64;

/// Bytes of an `llvm.alloca` that is run once and has a known size, so that it can be a part of the frame.
pub(crate) fn fixed_size(op: OpRef<'_>) -> Option<u64> {
    op.block()?.is_entry().then_some(())?;
    let count = op.operand(0).constant()?.as_ap_int()?.to_u64()?;
    let element = op.attr("elem_type").and_then(AttrRef::as_type)?;
    let size = layout::size(element).ok()?.checked_mul(count)?;
    let alignment = op.attr("alignment").and_then(AttrRef::as_int).unwrap_or(0);
    (size <= LARGEST_SLOT && alignment <= PIECE as i64).then_some(size)
}

impl<'a> Function<'_, '_, 'a> {
    /// A place in the frame.
    pub(crate) fn stack_slot(&mut self, size: u64, alignment: u64) -> StackSlot {
        let shift = alignment.max(1).trailing_zeros() as u8;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size.max(1) as u32, shift);
        self.b.create_sized_stack_slot(data)
    }

    /// Memory until the function returns, or until `llvm.intr.stackrestore`: in the frame where that is known before, else from the heap.
    pub(crate) fn alloca(&mut self, op: OpRef<'a>) -> Outcome<()> {
        if let Some(size) = fixed_size(op) {
            let slot = self.stack_slot(size, PIECE as u64);
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            return self.set_scalar(op, address);
        }
        let element = element_type(op)?;
        let alignment = op.attr("alignment").and_then(AttrRef::as_int).unwrap_or(0).max(LINK);
        if alignment > LINK {
            return Err(format!("memory of the stack that is aligned to {alignment} bytes"));
        }
        let count = self.get(op.operand(0))?;
        let bits = count.shape.lane().map_or(64, Lane::bits);
        let count = self.convert_int(count.first(), Lane::Int(bits), Lane::Int(64), false);
        let size = self.int(types::I64, layout::size(element)?.into());
        let bytes = self.b.ins().imul(count, size);
        let all = self.b.ins().iadd_imm_s(bytes, 2 * LINK - 1);
        let all = self.b.ins().band_imm_s(all, -LINK);
        let link = self.int(types::I64, LINK as u128);
        let buffer = self.call_library("aligned_alloc", &[link, all], types::I64)?;
        let slot = self.heap.expect("a function with such memory keeps account of it");
        let before = self.b.ins().stack_load(types::I64, types::I64, slot, 0);
        self.b.ins().store(ACCESS, before, buffer, 0);
        self.b.ins().stack_store(types::I64, buffer, slot, 0);
        let address = self.b.ins().iadd_imm_s(buffer, LINK);
        self.set_scalar(op, address)
    }

    /// What `llvm.intr.stackrestore` needs to free what comes after this.
    pub(crate) fn stack_save(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let saved = match self.heap {
            Some(slot) => self.b.ins().stack_load(types::I64, types::I64, slot, 0),
            None => self.int(types::I64, 0),
        };
        self.set_scalar(op, saved)
    }

    /// Frees the buffers of this call on the heap that are newer than `until`, all where there is none.
    pub(crate) fn free_heap(&mut self, until: Option<Value>) -> Outcome<()> {
        let Some(slot) = self.heap else { return Ok(()) };
        let last = match until {
            Some(last) => last,
            None => self.int(types::I64, 0),
        };
        let (head, body, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let buffer = self.b.ins().stack_load(types::I64, types::I64, slot, 0);
        let is_last = self.b.ins().icmp(IntCC::Equal, buffer, last);
        self.b.ins().brif(is_last, done, &[], body, &[]);
        self.b.switch_to_block(body);
        let before = self.b.ins().load(types::I64, ACCESS, buffer, 0);
        self.b.ins().stack_store(types::I64, before, slot, 0);
        self.call_library_without_result("free", &[buffer])?;
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(done);
        Ok(())
    }

    pub(crate) fn load_op(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let address = self.scalar(op.operand(0))?;
        let shape = self.shape(op.result(0).ty())?;
        if let (Some(_), Shape::Scalar(lane)) = (ordering(op), &shape) {
            if !lane.is_whole() || lane.bits() > 64 {
                return Err("atomic accesses of this width".to_owned());
            }
            let ty = int_register(lane.register());
            let value = self.b.ins().atomic_load(ty, ACCESS, address);
            let value = self.bits_as(lane.register(), value);
            return self.set_scalar(op, value);
        }
        let held = self.load(&shape, address, 0)?;
        self.set(op, held.parts)
    }

    pub(crate) fn store_op(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let (value, address) = (self.get(op.operand(0))?, self.scalar(op.operand(1))?);
        if let (Some(_), Shape::Scalar(lane)) = (ordering(op), &value.shape) {
            if !lane.is_whole() || lane.bits() > 64 {
                return Err("atomic accesses of this width".to_owned());
            }
            let bits = self.bits_as(int_register(lane.register()), value.first());
            self.b.ins().atomic_store(ACCESS, bits, address);
            return Ok(());
        }
        self.store(&value, address, 0)
    }

    /// The value `offset` bytes from `address` on.
    pub(crate) fn load(&mut self, shape: &Shape, address: Value, offset: i32) -> Outcome<Held> {
        let parts = match shape {
            Shape::Scalar(lane) => smallvec![self.load_lane(*lane, address, offset)],
            Shape::Vector(vector) => self.load_vector(*vector, address, offset)?,
            Shape::Aggregate(members) => {
                let mut parts = Parts::new();
                for member in members.iter() {
                    let at = offset_by(offset, member.offset);
                    parts.extend(self.load(&member.shape, address, at)?.parts);
                }
                parts
            }
        };
        Ok(Held { shape: shape.clone(), parts })
    }

    /// Writes a value `offset` bytes from `address` on.
    pub(crate) fn store(&mut self, value: &Held, address: Value, offset: i32) -> Outcome<()> {
        match &value.shape {
            Shape::Scalar(lane) => self.store_lane(*lane, value.first(), address, offset),
            Shape::Vector(vector) => self.store_vector(*vector, &value.parts, address, offset)?,
            Shape::Aggregate(members) => {
                for member in members.iter() {
                    let parts = value.parts[member.first..member.first + member.shape.parts()].into();
                    let held = Held { shape: member.shape.clone(), parts };
                    self.store(&held, address, offset_by(offset, member.offset))?;
                }
            }
        }
        Ok(())
    }

    /// A number; one whose bytes are no power of two in pieces that are.
    pub(crate) fn load_lane(&mut self, lane: Lane, address: Value, offset: i32) -> Value {
        let ty = lane.register();
        if lane.bytes() as u32 == ty.bytes() {
            return self.b.ins().load(ty, ACCESS, address, offset);
        }
        let mut value = self.int(ty, 0);
        for (at, size) in pieces(lane.bytes()) {
            let piece = Type::int_with_byte_size(size as u16).unwrap_or(types::I8);
            let part = self.b.ins().load(piece, ACCESS, address, offset + at as i32);
            let part = self.resize_int(part, ty, false);
            let by = self.b.ins().iconst(types::I32, 8 * at as i64);
            let placed = self.b.ins().ishl(part, by);
            value = self.b.ins().bor(value, placed);
        }
        value
    }

    pub(crate) fn store_lane(&mut self, lane: Lane, value: Value, address: Value, offset: i32) {
        let ty = lane.register();
        if lane.bytes() as u32 == ty.bytes() {
            self.b.ins().store(ACCESS, value, address, offset);
            return;
        }
        for (at, size) in pieces(lane.bytes()) {
            let piece = Type::int_with_byte_size(size as u16).unwrap_or(types::I8);
            let by = self.b.ins().iconst(types::I32, 8 * at as i64);
            let part = self.b.ins().ushr(value, by);
            let part = self.resize_int(part, piece, false);
            self.b.ins().store(ACCESS, part, address, offset + at as i32);
        }
    }

    fn load_vector(&mut self, vector: Vector, address: Value, offset: i32) -> Outcome<Parts> {
        let bytes = vector.lane.bytes();
        if vector.lane == Lane::Int(1) {
            return self.load_mask(vector, address, offset);
        }
        if !vector.lane.is_whole() {
            return Err(format!("vectors of i{} in memory", vector.lane.bits()));
        }
        let mut parts = Parts::new();
        for part in 0..vector.parts() {
            let at = offset_by(offset, (part * vector.lanes_per_part() * bytes) as u64);
            let left = vector.count - part * vector.lanes_per_part();
            parts.push(match vector.form {
                Form::Packed(ty) if left >= vector.lanes_per_part() => self.b.ins().load(ty, ACCESS, address, at),
                Form::Packed(ty) => self.load_head(ty, left * bytes, address, at),
                _ => self.b.ins().load(vector.register(), ACCESS, address, at),
            });
        }
        Ok(parts)
    }

    /// A vector register of which only the first bytes are in memory.
    fn load_head(&mut self, ty: Type, bytes: usize, address: Value, offset: i32) -> Value {
        let mut register: Option<Value> = None;
        for (at, size) in pieces(bytes) {
            let piece = Type::int_with_byte_size(size as u16).unwrap_or(types::I8);
            let lanes = piece.by(PIECE as u32 / size as u32).unwrap_or(types::I8X16);
            let value = self.b.ins().load(piece, ACCESS, address, offset + at as i32);
            register = Some(match register {
                None => self.first_lane(lanes, value),
                Some(register) => {
                    let register = self.bits_as(lanes, register);
                    self.b.ins().insertlane(register, value, (at / size) as u8)
                }
            });
        }
        match register {
            Some(register) => self.bits_as(ty, register),
            None => self.vector_constant(ty, [0; PIECE]),
        }
    }

    fn store_vector(&mut self, vector: Vector, parts: &[Value], address: Value, offset: i32) -> Outcome<()> {
        let bytes = vector.lane.bytes();
        if vector.lane == Lane::Int(1) {
            return self.store_mask(vector, parts, address, offset);
        }
        if !vector.lane.is_whole() {
            return Err(format!("vectors of i{} in memory", vector.lane.bits()));
        }
        for (number, &part) in parts.iter().enumerate() {
            let at = offset_by(offset, (number * vector.lanes_per_part() * bytes) as u64);
            let left = vector.count - number * vector.lanes_per_part();
            if left >= vector.lanes_per_part() {
                self.b.ins().store(ACCESS, part, address, at);
                continue;
            }
            for (from, size) in pieces(left * bytes) {
                let piece = Type::int_with_byte_size(size as u16).unwrap_or(types::I8);
                let lanes = piece.by(PIECE as u32 / size as u32).unwrap_or(types::I8X16);
                let register = self.bits_as(lanes, part);
                let value = self.b.ins().extractlane(register, (from / size) as u8);
                self.b.ins().store(ACCESS, value, address, at + from as i32);
            }
        }
        Ok(())
    }

    /// Truth values in memory are bits, the first the lowest.
    fn load_mask(&mut self, vector: Vector, address: Value, offset: i32) -> Outcome<Parts> {
        let mut lanes = Vec::with_capacity(vector.count);
        for byte in 0..vector.count.div_ceil(8) {
            let bits = self.b.ins().load(types::I8, ACCESS, address, offset_by(offset, byte as u64));
            for bit in 0..(vector.count - 8 * byte).min(8) {
                let by = self.b.ins().iconst(types::I32, bit as i64);
                let lowest = self.b.ins().ushr(bits, by);
                lanes.push(self.b.ins().band_imm_u(lowest, 1));
            }
        }
        Ok(self.of_lanes(vector, &lanes))
    }

    fn store_mask(&mut self, vector: Vector, parts: &[Value], address: Value, offset: i32) -> Outcome<()> {
        let lanes = self.lanes(vector, parts);
        for (byte, chunk) in lanes.chunks(8).enumerate() {
            let mut bits = self.int(types::I8, 0);
            for (bit, &lane) in chunk.iter().enumerate() {
                let by = self.b.ins().iconst(types::I32, bit as i64);
                let placed = self.b.ins().ishl(lane, by);
                bits = self.b.ins().bor(bits, placed);
            }
            self.b.ins().store(ACCESS, bits, address, offset_by(offset, byte as u64));
        }
        Ok(())
    }

    /// `llvm.getelementptr`: the base, moved by whole elements, then into members.
    pub(crate) fn getelementptr(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let constants: Vec<i64> = op.attr("rawConstantIndices").into_iter().flat_map(AttrRef::dense_ints).collect();
        let base = self.get(op.operand(0))?;
        let indices = (1..op.num_operands()).map(|at| self.get(op.operand(at))).collect::<Outcome<Vec<_>>>()?;
        let result = self.shape(op.result(0).ty())?;
        let element = element_type(op)?;
        let Shape::Vector(vector) = result else {
            let lanes: Vec<(Value, Lane)> = indices
                .iter()
                .map(|index| Ok((index.first(), crate::int::int_lane(&index.shape)?)))
                .collect::<Outcome<_>>()?;
            let address = self.address(base.first(), element, &constants, &lanes)?;
            return self.set_scalar(op, address);
        };
        let spread = |f: &mut Self, held: &Held| match held.shape {
            Shape::Vector(vector) => f.lanes(vector, &held.parts),
            _ => vec![held.first(); vector.count],
        };
        let bases = spread(self, &base);
        let mut columns = Vec::new();
        for index in &indices {
            columns.push((spread(self, index), crate::int::int_lane(&index.shape)?));
        }
        let mut addresses = Vec::with_capacity(vector.count);
        for at in 0..vector.count {
            let row: Vec<(Value, Lane)> = columns.iter().map(|(lanes, lane)| (lanes[at], *lane)).collect();
            addresses.push(self.address(bases[at], element, &constants, &row)?);
        }
        let parts = self.of_lanes(vector, &addresses);
        self.set(op, parts)
    }

    fn address(
        &mut self,
        base: Value,
        element: TypeRef<'_>,
        constants: &[i64],
        dynamic: &[(Value, Lane)],
    ) -> Outcome<Value> {
        let cx = element.cx();
        let (mut ty, mut address, mut offset) = (element, base, 0_i64);
        let mut dynamic = dynamic.iter();
        for (at, &constant) in constants.iter().enumerate() {
            let index = (constant == i64::from(GEP_DYNAMIC_INDEX)).then(|| dynamic.next()).flatten();
            if at > 0 && llvm::is_struct(ty) {
                let (inner, start) = layout::member(ty, usize::try_from(constant).unwrap_or(usize::MAX))?;
                (ty, offset) = (cx.ty(inner), offset.wrapping_add_unsigned(start));
                continue;
            }
            if at > 0 {
                let inner = llvm::array_parts(ty).map(|(element, _)| element).or(ty.element_type().map(TypeRef::id));
                ty = cx.ty(inner.ok_or(INVALID)?);
            }
            let step = layout::size(ty)?.cast_signed();
            let Some(&(index, lane)) = index else {
                offset = offset.wrapping_add(constant.wrapping_mul(step));
                continue;
            };
            let index = self.convert_int(index, lane, Lane::Int(64), true);
            let distance = if step.count_ones() == 1 && step > 0 {
                let by = self.b.ins().iconst(types::I32, i64::from(step.trailing_zeros()));
                self.b.ins().ishl(index, by)
            } else {
                self.b.ins().imul_imm_s(index, step)
            };
            address = self.b.ins().iadd(address, distance);
        }
        Ok(if offset == 0 { address } else { self.b.ins().iadd_imm_s(address, offset) })
    }

    /// `llvm.mlir.addressof`, of a global or a function.
    pub(crate) fn addressof(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let name = op.attr("global_name").and_then(AttrRef::as_flat_symbol).ok_or(INVALID)?;
        let symbol = self.unit.symbol(name).ok_or(INVALID)?;
        let address = if symbol.name() == "llvm.func" {
            let (id, _) = self.unit.declared(name)?;
            let function = self.unit.func_ref(id, self.b.func);
            self.b.ins().func_addr(types::I64, function)
        } else {
            let global = self.unit.data_ref(name, self.b.func).ok_or(INVALID)?;
            self.b.ins().symbol_value(types::I64, global)
        };
        self.set_scalar(op, address)
    }

    /// Copies and fills, by the C library unless the length is known and small.
    pub(crate) fn bulk(&mut self, op: OpRef<'a>, name: &str) -> Outcome<()> {
        let to = self.scalar(op.operand(0))?;
        let from = self.scalar(op.operand(1))?;
        let known = op.attr("len").and_then(AttrRef::as_int);
        let len = if let Some(len) = known {
            self.b.ins().iconst(types::I64, len)
        } else {
            let len = self.get(op.operand(2))?;
            let lane = crate::int::int_lane(&len.shape)?;
            self.convert_int(len.first(), lane, Lane::Int(64), false)
        };
        let config = self.unit.module.target_config();
        match name {
            "memset" => {
                self.b.call_memset(config, to, from, len);
            }
            "memmove" => self.b.call_memmove(config, to, from, len),
            _ => self.b.call_memcpy(config, to, from, len),
        }
        Ok(())
    }
}

/// The ordering of an atomic access; none for a plain one.
fn ordering(op: OpRef<'_>) -> Option<u64> {
    op.attr("ordering").and_then(AttrRef::enum_value).filter(|&ordering| ordering != 0)
}

/// The type that an operation on memory is about.
pub(crate) fn element_type(op: OpRef<'_>) -> Outcome<TypeRef<'_>> {
    op.attr("elem_type").and_then(AttrRef::as_type).ok_or_else(|| INVALID.to_owned())
}

/// The integer register of the size of another.
pub(crate) fn int_register(ty: Type) -> Type {
    Type::int(ty.bits() as u16).unwrap_or(types::I64)
}

/// Offset and size of the pieces, powers of two, that so many bytes are made of.
fn pieces(bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    [16, 8, 4, 2, 1].into_iter().filter(move |size| bytes & size != 0).map(move |size| (bytes & !(2 * size - 1), size))
}

/// `offset` and `more` bytes, both within one value: that has no more parts than fit 32 bits by far.
pub(crate) fn offset_by(offset: i32, more: u64) -> i32 {
    offset + more as i32
}
