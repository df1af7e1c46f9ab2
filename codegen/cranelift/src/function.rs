//! One function: blocks, branches, and what the operations in it have in common.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, Block, BlockArg, InstBuilder, JumpTableData, MemFlagsData, StackSlot, Value, types};
use cranelift_frontend::FunctionBuilder;
use dl_ir::interfaces::BranchOp;
use dl_ir::{AttrRef, BlockId, BlockRef, Diagnostic, OpRef, TypeRef, ValueId, ValueRef};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::abi::Abi;
use crate::lanes::{Held, Parts};
use crate::shape::{Shape, Vector};
use crate::unit::Unit;

/// A value, or what is not supported.
pub(crate) type Outcome<T> = Result<T, String>;

/// What is not supported of an operation that the verifier refuses: it may lack anything that verified ones have.
pub(crate) const INVALID: &str = "what is not valid";

/// A memory access: it does not trap as far as Cranelift is concerned, and may lie at any address.
pub(crate) const ACCESS: MemFlagsData = MemFlagsData::new().with_notrap();

/// A function on its way from the `llvm` dialect to Cranelift's form.
pub(crate) struct Function<'f, 'u, 'a> {
    pub(crate) b: FunctionBuilder<'f>,
    pub(crate) unit: &'u mut Unit<'a>,
    values: FxHashMap<ValueId, Held>,
    /// Truth values that a comparison left in lanes of so many bits.
    comparisons: FxHashMap<ValueId, (u32, Parts)>,
    blocks: FxHashMap<BlockId, Block>,
    /// Where the result goes, if not to registers.
    result_at: Option<Value>,
    /// Holds the last of the buffers on the heap that live as long as the call.
    pub(crate) heap: Option<StackSlot>,
}

/// That the back end does not do `what`.
pub(crate) fn unsupported(op: OpRef<'_>, what: &str) -> Diagnostic {
    Diagnostic::error(op.loc(), format!("unsupported on the cranelift back end: {what}"))
}

impl<'f, 'u, 'a> Function<'f, 'u, 'a> {
    /// Translates the body of `op`, an `llvm.func`.
    pub(crate) fn translate(
        b: FunctionBuilder<'f>,
        unit: &'u mut Unit<'a>,
        op: OpRef<'a>,
        abi: &Abi,
    ) -> Result<(), Diagnostic> {
        let mut function = Self {
            b,
            unit,
            values: FxHashMap::default(),
            comparisons: FxHashMap::default(),
            blocks: FxHashMap::default(),
            result_at: None,
            heap: None,
        };
        function.body(op, abi)?;
        function.finish();
        Ok(())
    }

    /// A function that is written here, without operations.
    pub(crate) fn bare(b: FunctionBuilder<'f>, unit: &'u mut Unit<'a>) -> Self {
        let (values, comparisons, blocks) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self { b, unit, values, comparisons, blocks, result_at: None, heap: None }
    }

    pub(crate) fn finish(mut self) {
        self.b.seal_all_blocks();
        let config = self.unit.module.target_config();
        self.b.finalize(config);
    }

    fn body(&mut self, op: OpRef<'a>, abi: &Abi) -> Result<(), Diagnostic> {
        let blocks = in_order(op);
        for (number, &block) in blocks.iter().enumerate() {
            let made = self.b.create_block();
            self.blocks.insert(block.id(), made);
            if number == 0 {
                self.b.append_block_params_for_function_params(made);
                let mut params: Parts = self.b.block_params(made).into();
                if abi.is_indirect {
                    self.result_at = Some(params.remove(0));
                }
                self.bind_args(block, &params).map_err(|what| unsupported(op, &what))?;
                continue;
            }
            let mut params = Parts::new();
            for arg in block.args() {
                let shape = self.unit.shapes.of(arg.ty()).map_err(|what| unsupported(op, &what))?;
                params.extend(shape.registers().iter().map(|&ty| self.b.append_block_param(made, ty)));
            }
            self.bind_args(block, &params).map_err(|what| unsupported(op, &what))?;
        }
        if needs_heap(op) {
            self.heap = Some(self.stack_slot(8, 8));
        }
        for (number, &block) in blocks.iter().enumerate() {
            self.b.switch_to_block(self.blocks[&block.id()]);
            if let Some(slot) = self.heap.filter(|_| number == 0) {
                let none = self.int(types::I64, 0);
                self.b.ins().stack_store(types::I64, none, slot, 0);
            }
            for op in block.ops() {
                self.operation(op)?;
            }
        }
        Ok(())
    }

    fn bind_args(&mut self, block: BlockRef<'a>, params: &[Value]) -> Outcome<()> {
        let mut rest = params;
        for arg in block.args() {
            let shape = self.unit.shapes.of(arg.ty())?;
            let (parts, after) = rest.split_at(shape.parts());
            self.values.insert(arg.id(), Held { shape, parts: parts.into() });
            rest = after;
        }
        Ok(())
    }

    fn operation(&mut self, op: OpRef<'a>) -> Result<(), Diagnostic> {
        self.dispatch(op).map_err(|what| unsupported(op, &what))
    }

    /// How values of this type are held.
    pub(crate) fn shape(&mut self, ty: TypeRef<'_>) -> Outcome<Shape> {
        self.unit.shapes.of(ty)
    }

    /// The value of an operand or argument.
    pub(crate) fn get(&mut self, value: ValueRef<'a>) -> Outcome<Held> {
        if let Some(held) = self.values.get(&value.id()) {
            return Ok(held.clone());
        }
        let (bits, parts) = self.comparisons.get(&value.id()).cloned().ok_or(INVALID)?;
        let shape = self.shape(value.ty())?;
        let count = shape.vector().map_or(1, |vector| vector.count);
        let parts = self.resize_mask(parts, count, bits, 8);
        Ok(Held { shape, parts })
    }

    /// All operands.
    pub(crate) fn operands(&mut self, op: OpRef<'a>) -> Outcome<Vec<Held>> {
        op.operands().iter().map(|value| self.get(value)).collect()
    }

    /// The only register of an operand.
    pub(crate) fn scalar(&mut self, value: ValueRef<'a>) -> Outcome<Value> {
        let held = self.get(value)?;
        if matches!(held.shape, Shape::Scalar(_)) { Ok(held.first()) } else { Err(INVALID.to_owned()) }
    }

    /// Defines the only result of `op`.
    pub(crate) fn set(&mut self, op: OpRef<'a>, parts: Parts) -> Outcome<()> {
        let result = op.result(0);
        let shape = self.shape(result.ty())?;
        if shape.parts() != parts.len() {
            return Err(INVALID.to_owned());
        }
        self.values.insert(result.id(), Held { shape, parts });
        Ok(())
    }

    /// Defines the only result of `op` as one register.
    pub(crate) fn set_scalar(&mut self, op: OpRef<'a>, value: Value) -> Outcome<()> {
        self.set(op, smallvec::smallvec![value])
    }

    /// Defines truth values that are held in lanes of so many bits.
    pub(crate) fn set_comparison(&mut self, op: OpRef<'a>, bits: u32, parts: Parts) {
        self.comparisons.insert(op.result(0).id(), (bits, parts));
    }

    /// The bits of the lanes that truth values are held in.
    pub(crate) fn mask_width(&self, value: ValueRef<'a>) -> u32 {
        self.comparisons.get(&value.id()).map_or(8, |&(bits, _)| bits)
    }

    /// Truth values as lanes of so many bits, all ones or zero.
    pub(crate) fn mask(&mut self, value: ValueRef<'a>, count: usize, bits: u32) -> Outcome<Parts> {
        let (from, parts) = match self.comparisons.get(&value.id()) {
            Some((from, parts)) => (*from, parts.clone()),
            None => (8, self.get(value)?.parts),
        };
        Ok(self.resize_mask(parts, count, from, bits))
    }

    /// The lane type and vector of the result, or of an operand.
    pub(crate) fn vector_of(&mut self, ty: TypeRef<'_>) -> Outcome<Vector> {
        self.shape(ty)?.vector().ok_or_else(|| INVALID.to_owned())
    }

    // Control flow.

    fn target(&mut self, op: OpRef<'a>, index: usize) -> Outcome<(Block, Vec<BlockArg>)> {
        let branch = op.interface::<dyn BranchOp>().ok_or(INVALID)?;
        let mut args = Vec::new();
        for value in branch.successor_operands(op, index).iter() {
            args.extend(self.get(value)?.parts.iter().map(|&part| BlockArg::Value(part)));
        }
        Ok((self.blocks[&op.successor(index).id()], args))
    }

    pub(crate) fn br(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let (block, args) = self.target(op, 0)?;
        self.b.ins().jump(block, &args);
        Ok(())
    }

    pub(crate) fn cond_br(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let condition = self.scalar(op.operand(0))?;
        let (yes, no) = (self.target(op, 0)?, self.target(op, 1)?);
        self.b.ins().brif(condition, yes.0, &yes.1, no.0, &no.1);
        Ok(())
    }

    /// A table where cases lie close together, else one comparison after another.
    pub(crate) fn switch(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let flag = self.scalar(op.operand(0))?;
        let ty = self.b.func.dfg.value_type(flag);
        let cases = op.attr("case_values").and_then(AttrRef::dense_values);
        let cases: Vec<u128> = cases
            .into_iter()
            .flatten()
            .map(|case| {
                let value = case.as_ap_int().filter(|value| value.width() <= 64);
                value.and_then(dl_ir::number::ApInt::to_u64).map(u128::from)
            })
            .collect::<Option<_>>()
            .ok_or("a switch on an integer of more than 64 bits")?;
        let most = cases.iter().copied().max().unwrap_or(0);
        let default = self.target(op, 0)?;
        if cases.len() >= 4 && most < 4 * cases.len() as u128 && ty.bits() <= 64 {
            let fallback = self.b.func.dfg.block_call(default.0, &default.1);
            let mut table = vec![fallback; most as usize + 1];
            for (at, &case) in cases.iter().enumerate() {
                let (block, args) = self.target(op, at + 1)?;
                table[case as usize] = self.b.func.dfg.block_call(block, &args);
            }
            let table = self.b.create_jump_table(JumpTableData::new(fallback, &table));
            // The table is indexed by 32 bits; what is beyond goes to its end.
            let index = match ty.bits() {
                64 => {
                    let limit = self.int(ty, most + 1);
                    let is_in = self.b.ins().icmp(IntCC::UnsignedLessThan, flag, limit);
                    let bounded = self.b.ins().select(is_in, flag, limit);
                    self.b.ins().ireduce(types::I32, bounded)
                }
                32 => flag,
                _ => self.b.ins().uextend(types::I32, flag),
            };
            self.b.ins().br_table(index, table);
            return Ok(());
        }
        for (at, &case) in cases.iter().enumerate() {
            let (block, args) = self.target(op, at + 1)?;
            let (value, next) = (self.int(ty, case), self.b.create_block());
            let is_case = self.b.ins().icmp(IntCC::Equal, flag, value);
            self.b.ins().brif(is_case, block, &args, next, &[]);
            self.b.switch_to_block(next);
        }
        self.b.ins().jump(default.0, &default.1);
        Ok(())
    }

    pub(crate) fn return_(&mut self, op: OpRef<'a>) -> Outcome<()> {
        self.free_heap(None)?;
        let mut parts = Parts::new();
        if let Some(value) = op.operands().get(0) {
            let held = self.get(value)?;
            match self.result_at {
                Some(address) => self.store(&held, address, 0)?,
                None => parts = held.parts,
            }
        }
        self.b.ins().return_(&parts);
        Ok(())
    }

    pub(crate) fn unreachable(&mut self) {
        // `trap` needs a code other than those that Cranelift uses itself.
        const REACHED: ir::TrapCode = ir::TrapCode::unwrap_user(1);
        self.b.ins().trap(REACHED);
    }
}

/// The blocks that can be reached, each after those that dominate it: reverse postorder.
fn in_order<'a>(op: OpRef<'a>) -> Vec<BlockRef<'a>> {
    let Some(entry) = op.region(0).entry() else { return Vec::new() };
    let (mut seen, mut order) = (FxHashSet::default(), Vec::new());
    seen.insert(entry.id());
    let successors = |block: BlockRef<'a>| block.successors().collect::<Vec<_>>();
    let mut open = vec![(entry, successors(entry))];
    while let Some((block, left)) = open.last_mut() {
        match left.pop() {
            Some(next) if seen.insert(next.id()) => open.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Whether some `llvm.alloca` of the function takes memory that its frame cannot have: see [`Function::alloca`].
fn needs_heap(op: OpRef<'_>) -> bool {
    let mut ops = op.region(0).ops();
    ops.any(|op| op.name() == "llvm.alloca" && crate::memory::fixed_size(op).is_none())
}
