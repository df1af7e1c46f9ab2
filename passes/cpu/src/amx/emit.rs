//! The instructions of kernels, as intrinsic functions of LLVM that name the registers.

use dl_arith::{AddIOp, Build, IndexCastOp, MulIOp};
use dl_ir::attributes::DenseData;
use dl_ir::walk::ops_in_arena;
use dl_ir::{AttrData, BlockId, Loc, OpId, OpState, Rewriter, Trait, Type, ValueId};
use dl_llvm::types::ptr_type;
use dl_llvm::{CallIntrinsicOp, ConstantOp, IntToPtrOp};
use dl_memref::{AllocaOp, ExtractAlignedPointerAsIndexOp, ExtractStridedMetadataOp};
use dl_passes_scf::nest::{build_nest, move_body};
use dl_passes_vector::transfer::Transfer;
use dl_scf::{ForOp, YieldOp};
use dl_vector::{LoadOp, StoreOp};
use rustc_hash::FxHashMap;

use super::kernel::{Configuration, Kernel, SUMS};
use super::product::{BYTES, Factor, LANE, ROWS};

/// Bytes of a configuration, of which the first is its number; where the bytes of rows begin in it, two for each register, and the numbers of rows.
const CONFIGURATION: usize = 64;
const PALETTE: u8 = 1;
const BYTES_AT: usize = 16;
const ROWS_AT: usize = 48;

/// Makes the instructions of one arena.
pub(super) struct Emitter<'r, 'c> {
    rw: &'r mut Rewriter<'c>,
    /// Memory on the stack, by what frees it and its type: it serves one kernel after the other.
    buffers: FxHashMap<(BlockId, Type), ValueId>,
}

impl<'r, 'c> Emitter<'r, 'c> {
    pub(super) fn new(rw: &'r mut Rewriter<'c>) -> Self {
        Self { rw, buffers: FxHashMap::default() }
    }

    /// Replaces a kernel by instructions: answers the first and the last of them. `None`, and nothing done, where nothing would free their memory.
    pub(super) fn kernel(&mut self, kernel: &Kernel) -> Option<(OpId, OpId)> {
        let first = kernel.first()?;
        let (cx, loc) = (self.rw.cx(), self.rw.op(first).loc());
        let scope = self.scope(first)?;
        let element = self.rw.value_type(*kernel.sums.first()?).element_or_self().id();
        let spilled = self.buffer(scope, cx.memref_type(&[i64::from(SUMS), ROWS, BYTES / LANE], element), loc);
        let (mut begin, mut end) = (None, None);
        if let Some(root) = kernel.root {
            self.rw.set_insertion_before(root);
            for sum in &kernel.sums {
                let zero = self.instruction("llvm.x86.tilezero", &[kernel.registers[sum]], &[], loc);
                begin = begin.or(Some(zero));
            }
        }
        let mut loaded = Vec::new();
        for product in &kernel.products {
            let sum = kernel.registers[&product.result];
            let mut registers = vec![sum];
            for factor in [&product.left, &product.right] {
                let value = self.rw.ir().result(factor.read, 0);
                let register = kernel.registers[&value];
                if !loaded.contains(&value) {
                    loaded.push(value);
                    self.rw.set_insertion_before(factor.read);
                    let place = self.place(factor, loc);
                    let load = self.instruction("llvm.x86.tileloadd64", &[register], &place, loc);
                    begin = if factor.read == first { Some(load) } else { begin };
                }
                registers.push(register);
            }
            self.rw.set_insertion_before(product.op);
            if kernel.root.is_none() {
                self.instruction("llvm.x86.tilezero", &[sum], &[], loc);
            }
            let last = self.instruction(product.intrinsic, &registers, &[], loc);
            if kernel.root.is_none() {
                self.rw.set_insertion_after(last);
                end = Some(self.spill(kernel, product.result, spilled, loc));
            }
        }
        if let Some(root) = kernel.root {
            self.rw.set_insertion_after(root);
            for &sum in &kernel.sums {
                end = Some(self.spill(kernel, sum, spilled, loc));
            }
        }
        self.erase(kernel);
        begin.zip(end)
    }

    /// Sets the registers up before `first`, and gives them back after `last`, which is in the same block.
    pub(super) fn configure(&mut self, configuration: &Configuration, first: OpId, last: OpId) {
        let (cx, loc) = (self.rw.cx(), self.rw.op(first).loc());
        let Some(scope) = self.scope(first) else { return };
        let mut bytes = vec![0; CONFIGURATION];
        bytes[0] = PALETTE;
        for (register, shape) in configuration.0.iter().enumerate() {
            let Some(shape) = shape else { continue };
            bytes[BYTES_AT + 2 * register] = shape.bytes as u8;
            bytes[ROWS_AT + register] = shape.rows as u8;
        }
        let byte = cx.int_type(8);
        let length = [CONFIGURATION as i64];
        let memory = self.buffer(scope, cx.memref_type(&length, byte), loc);
        self.rw.set_insertion_before(first);
        let mut b = Build::new(self.rw, loc);
        let ty = cx.vector_type(&length, byte);
        let value = cx.intern_attr(AttrData::DenseElements { ty, data: DenseData::elements(bytes, 1) });
        let (value, zero) = (b.constant(value, ty), b.constant_index(0));
        b.create(OpState::of::<StoreOp<'_>>(loc).operands([value, memory, zero]));
        let pointer = self.pointer(memory, None, loc);
        self.instruction("llvm.x86.ldtilecfg", &[], &[pointer], loc);
        self.rw.set_insertion_after(last);
        self.instruction("llvm.x86.tilerelease", &[], &[], loc);
    }

    /// Stores a sum at the insertion point: answers the instruction. Its rows are loaded from there.
    fn spill(&mut self, kernel: &Kernel, sum: ValueId, memory: ValueId, loc: Loc) -> OpId {
        let register = kernel.registers[&sum];
        let offset = Build::new(self.rw, loc).constant_index(i64::from(register) * ROWS * BYTES);
        let stride = self.constant(64, BYTES, loc);
        let pointer = self.pointer(memory, Some(offset), loc);
        let store = self.instruction("llvm.x86.tilestored64", &[register], &[pointer, stride], loc);
        let rows: Vec<OpId> = self.rw.value(sum).uses().map(|(user, _)| user.id()).collect();
        for row in rows {
            let Some(at) = self.rw.op(row).attr("static_position").and_then(|at| at.dense_ints().next()) else {
                continue;
            };
            self.rw.set_insertion_before(row);
            let ty = self.rw.op(row).result(0).ty().id();
            let mut b = Build::new(self.rw, loc);
            let indices = [i64::from(register), at, 0].map(|index| b.constant_index(index));
            let state = OpState::of::<LoadOp<'_>>(loc).operands([memory]).operands(indices).results([ty]);
            let value = b.create_value(state);
            b.replace(row, &[value]);
        }
        store
    }

    /// Where a factor begins, and how many bytes its rows are apart.
    fn place(&mut self, factor: &Factor, loc: Loc) -> Vec<ValueId> {
        let cx = self.rw.cx();
        let Some(transfer) = Transfer::of(self.rw.op(factor.read)) else { return Vec::new() };
        let element =
            i64::from(self.rw.value_type(transfer.base).element_or_self().int_or_float_width().unwrap_or(8) / 8);
        let metadata = self.rw.create(OpState::of::<ExtractStridedMetadataOp<'_>>(loc).operands([transfer.base]));
        let parts: Vec<ValueId> = self.rw.ir().results(metadata).collect();
        let rank = transfer.indices.len();
        let (mut linear, strides) = (parts[1], &parts[2 + rank..]);
        let mut b = Build::new(self.rw, loc);
        for (&index, &stride) in transfer.indices.iter().zip(strides) {
            let by = b.same::<MulIOp<'_>>(&[index, stride]);
            linear = b.same::<AddIOp<'_>>(&[linear, by]);
        }
        let element = b.constant_index(element);
        let bytes = b.same::<MulIOp<'_>>(&[linear, element]);
        let apart = b.same::<MulIOp<'_>>(&[strides[rank - 2], element]);
        let apart = b.value::<IndexCastOp<'_>>(&[apart], cx.i64_type());
        vec![self.pointer(transfer.base, Some(bytes), loc), apart]
    }

    /// The address of a buffer, so many bytes on.
    fn pointer(&mut self, buffer: ValueId, bytes: Option<ValueId>, loc: Loc) -> ValueId {
        let cx = self.rw.cx();
        let mut b = Build::new(self.rw, loc);
        let mut address = b.value::<ExtractAlignedPointerAsIndexOp<'_>>(&[buffer], cx.index_type());
        if let Some(bytes) = bytes {
            address = b.same::<AddIOp<'_>>(&[address, bytes]);
        }
        let address = b.value::<IndexCastOp<'_>>(&[address], cx.i64_type());
        b.value::<IntToPtrOp<'_>>(&[address], ptr_type(cx))
    }

    /// An instruction at the insertion point, which is set behind it.
    fn instruction(&mut self, name: &str, registers: &[u8], operands: &[ValueId], loc: Loc) -> OpId {
        let cx = self.rw.cx();
        let mut all = Vec::new();
        for &register in registers {
            all.push(self.constant(8, i64::from(register), loc));
        }
        all.extend(operands);
        let state = OpState::of::<CallIntrinsicOp<'_>>(loc)
            .attr(cx, "intrin", cx.string_attr(name))
            .attr(cx, "op_bundle_sizes", cx.dense_i32_array(&[]))
            .operand_segments(cx, &[all.len(), 0])
            .operands(all);
        self.rw.create(state)
    }

    fn constant(&mut self, bits: u32, value: i64, loc: Loc) -> ValueId {
        let cx = self.rw.cx();
        let ty = cx.int_type(bits);
        Build::new(self.rw, loc).value_with::<ConstantOp<'_>>(&[], ty, &[("value", cx.int_attr(ty, value))])
    }

    /// The block at whose start memory on the stack of `op` is taken: not in each iteration of a loop.
    fn scope(&self, op: OpId) -> Option<BlockId> {
        let mut around = std::iter::successors(self.rw.op(op).parent(), |op| op.parent());
        let scope = around.find(|op| op.has_trait(&Trait::AutomaticAllocationScope) && !op.is::<ForOp<'_>>())?;
        scope.regions().next()?.entry().map(|block| block.id())
    }

    /// Memory of this type.
    fn buffer(&mut self, scope: BlockId, ty: Type, loc: Loc) -> ValueId {
        if let Some(&buffer) = self.buffers.get(&(scope, ty)) {
            return buffer;
        }
        let cx = self.rw.cx();
        self.rw.set_insertion_to_start(scope);
        let state = OpState::of::<AllocaOp<'_>>(loc).operand_segments(cx, &[0, 0]).results([ty]);
        let buffer = self.rw.create_value(state.attr(cx, "alignment", cx.i64_attr(BYTES)));
        self.buffers.insert((scope, ty), buffer);
        buffer
    }

    /// Takes the products and the sums that loops carry out of the program.
    fn erase(&mut self, kernel: &Kernel) {
        let loops: Vec<OpId> = kernel.root.map(|root| ops_in_arena(self.rw.ir(), root)).unwrap_or_default();
        for &op in &loops {
            if self.rw.op(op).is::<YieldOp<'_>>() {
                self.rw.set_operands(op, &[]);
            }
        }
        let mut unused = Vec::new();
        for product in kernel.products.iter().rev() {
            unused.extend(self.rw.ir().operands(product.op));
            self.rw.erase(product.op);
        }
        for op in loops.into_iter().rev() {
            let Some(each) = self.rw.op(op).cast::<ForOp<'_>>() else { continue };
            let Some(body) = each.region().entry().map(|body| body.id()) else { continue };
            let (loc, bounds) = (each.0.loc(), [each.lower_bound().id(), each.upper_bound().id(), each.step().id()]);
            unused.extend(self.rw.ir().operands(op).skip(bounds.len()));
            for at in (1..self.rw.ir().block_args(body).len()).rev() {
                self.rw.erase_block_arg(body, at);
            }
            self.rw.set_insertion_before(op);
            let nest = build_nest(self.rw, &[bounds], loc);
            move_body(self.rw, body, &nest);
            self.rw.erase(op);
        }
        while let Some(value) = unused.pop() {
            let Some(op) = self.rw.ir().defining_op(value).filter(|_| !self.rw.ir().has_uses(value)) else { continue };
            unused.extend(self.rw.ir().operands(op));
            self.rw.erase(op);
        }
    }
}
