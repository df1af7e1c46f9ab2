//! Calls and atomic operations.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, AtomicRmwOp, BlockArg, InstBuilder, Signature, Value, types};
use dl_ir::{AttrRef, OpRef};
use dl_llvm::AtomicBinOp;

use crate::abi::Abi;
use crate::function::{ACCESS, Function, INVALID, Outcome};
use crate::lanes::{Held, Parts};
use crate::memory::int_register;
use crate::shape::{Lane, PIECE, Shape};

impl<'a> Function<'_, '_, 'a> {
    /// `llvm.call`: of a function by name, or by a pointer, the first operand.
    pub(crate) fn call(&mut self, op: OpRef<'a>) -> Outcome<()> {
        if op.attr("op_bundle_tags").is_some_and(|tags| tags.elements().len() > 0) {
            return Err("calls with operand bundles".to_owned());
        }
        if op.attr("var_callee_type").is_some() {
            return Err("calls of functions of any number of arguments".to_owned());
        }
        let mut operands = op.operands().iter();
        let callee = op.attr("callee").and_then(AttrRef::as_flat_symbol);
        let pointer = match callee {
            Some(_) => None,
            None => Some(self.scalar(operands.next().ok_or(INVALID)?)?),
        };
        let mut args = Parts::new();
        for operand in operands.clone() {
            args.extend(self.get(operand)?.parts);
        }
        let (call, abi, area);
        match (callee, pointer) {
            (Some(name), _) => {
                let (id, known) = self.unit.declared(name)?;
                (abi, area) = (known.clone(), self.result_area(&known, &mut args));
                let function = self.unit.func_ref(id, self.b.func);
                call = self.b.ins().call(function, &args);
            }
            (None, Some(pointer)) => {
                let cx = op.cx();
                let inputs: Vec<dl_ir::Type> = operands.map(|operand| operand.ty().id()).collect();
                let result = op.results().get(0).map_or_else(|| dl_llvm::void_type(cx), |result| result.ty().id());
                let ty = cx.ty(dl_llvm::func_type(cx, result, &inputs, false));
                abi = self.unit.indirect_abi(ty)?;
                area = self.result_area(&abi, &mut args);
                let signature = self.b.import_signature(abi.signature.clone());
                call = self.b.ins().call_indirect(signature, pointer, &args);
            }
            (None, None) => return Err(INVALID.to_owned()),
        }
        let Some((shape, _)) = &abi.result else { return Ok(()) };
        let parts = match area {
            Some(area) => self.load(shape, area, 0)?.parts,
            None => self.b.inst_results(call).into(),
        };
        if op.num_results() == 0 { Ok(()) } else { self.set(op, parts) }
    }

    /// Memory for a result that does not fit registers, which becomes the first argument.
    pub(crate) fn result_area(&mut self, abi: &Abi, args: &mut Parts) -> Option<Value> {
        let (_, size) = abi.result.as_ref().filter(|_| abi.is_indirect)?;
        let slot = self.stack_slot(*size, PIECE as u64);
        let area = self.b.ins().stack_addr(types::I64, slot, 0);
        args.insert(0, area);
        Some(area)
    }

    /// Calls a function of the C library or the runtime that gives nothing.
    pub(crate) fn call_library_without_result(&mut self, name: &'static str, args: &[Value]) -> Outcome<()> {
        let mut signature = Signature::new(self.unit.conv);
        signature.params.extend(args.iter().map(|&arg| AbiParam::new(self.b.func.dfg.value_type(arg))));
        let id = self.unit.library(name, &signature)?;
        let function = self.unit.func_ref(id, self.b.func);
        self.b.ins().call(function, args);
        Ok(())
    }

    /// `llvm.atomicrmw`: by an instruction, or, for floats, by trying until nobody has come between.
    pub(crate) fn atomic_rmw(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let function = op.attr("bin_op").and_then(AtomicBinOp::from_attr).ok_or(INVALID)?;
        let (address, value) = (self.scalar(op.operand(0))?, self.get(op.operand(1))?);
        let Shape::Scalar(lane) = value.shape else { return Err("atomic operations on vectors".to_owned()) };
        if !lane.is_whole() || lane.bits() > 64 {
            return Err("atomic operations of this width".to_owned());
        }
        let (register, bits) = (lane.register(), int_register(lane.register()));
        let direct = match function {
            AtomicBinOp::Xchg => Some(AtomicRmwOp::Xchg),
            AtomicBinOp::Add => Some(AtomicRmwOp::Add),
            AtomicBinOp::Sub => Some(AtomicRmwOp::Sub),
            AtomicBinOp::And => Some(AtomicRmwOp::And),
            AtomicBinOp::Nand => Some(AtomicRmwOp::Nand),
            AtomicBinOp::Or => Some(AtomicRmwOp::Or),
            AtomicBinOp::Xor => Some(AtomicRmwOp::Xor),
            AtomicBinOp::Max => Some(AtomicRmwOp::Smax),
            AtomicBinOp::Min => Some(AtomicRmwOp::Smin),
            AtomicBinOp::Umax => Some(AtomicRmwOp::Umax),
            AtomicBinOp::Umin => Some(AtomicRmwOp::Umin),
            _ => None,
        };
        if let Some(function) = direct {
            let value = self.bits_as(bits, value.first());
            let before = self.b.ins().atomic_rmw(bits, ACCESS, function, address, value);
            let before = self.bits_as(register, before);
            return self.set_scalar(op, before);
        }
        let name = match function {
            AtomicBinOp::Fadd => "fadd",
            AtomicBinOp::Fsub => "fsub",
            AtomicBinOp::Fmax => "maxnum",
            AtomicBinOp::Fmin => "minnum",
            AtomicBinOp::Fmaximum => "maximum",
            AtomicBinOp::Fminimum => "minimum",
            _ => return Err("atomic operations of this kind".to_owned()),
        };
        let (again, done) = (self.b.create_block(), self.b.create_block());
        let seen = self.b.append_block_param(again, bits);
        let first = self.b.ins().load(bits, ACCESS, address, 0);
        self.b.ins().jump(again, &[BlockArg::Value(first)]);
        self.b.switch_to_block(again);
        let old = self.bits_as(register, seen);
        let shape = Shape::Scalar(lane);
        let new = self.float_on(name, &shape, &[Held::scalar(lane, old), value])?.first();
        let new = self.bits_as(bits, new);
        let found = self.b.ins().atomic_cas(ACCESS, address, seen, new);
        let is_ours = self.b.ins().icmp(IntCC::Equal, found, seen);
        self.b.ins().brif(is_ours, done, &[], again, &[BlockArg::Value(found)]);
        self.b.switch_to_block(done);
        self.set_scalar(op, old)
    }

    /// `llvm.cmpxchg`: what was there, and whether it was what was expected.
    pub(crate) fn compare_exchange(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let address = self.scalar(op.operand(0))?;
        let (expected, new) = (self.get(op.operand(1))?, self.get(op.operand(2))?);
        let Shape::Scalar(lane) = expected.shape else { return Err("atomic operations on vectors".to_owned()) };
        if !lane.is_whole() || lane.bits() > 64 || !matches!(lane, Lane::Int(_)) {
            return Err("atomic operations of this width".to_owned());
        }
        let found = self.b.ins().atomic_cas(ACCESS, address, expected.first(), new.first());
        let is_it = self.b.ins().icmp(IntCC::Equal, found, expected.first());
        self.set(op, smallvec::smallvec![found, is_it])
    }
}
