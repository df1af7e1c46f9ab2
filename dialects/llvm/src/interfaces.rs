//! Interfaces of this dialect's operations.

use dl_ir::interfaces::{BranchOp, FunctionOp};
use dl_ir::{Attr, OpId, OpRef, OpView, Operands, Rewriter, Type, ValueId};
use smallvec::SmallVec;

use crate::types::{func_parts, func_type, void_type};
use crate::{BrOp, CondBrOp};

/// `llvm.func`.
pub(crate) struct Function;

impl FunctionOp for Function {
    fn inputs<'a>(&self, op: OpRef<'a>) -> SmallVec<[Type; 8]> {
        self.function_type(op).and_then(func_parts).map(|(_, params, _)| params.into()).unwrap_or_default()
    }

    fn results<'a>(&self, op: OpRef<'a>) -> SmallVec<[Type; 4]> {
        let result = self.function_type(op).and_then(func_parts).map(|(result, ..)| result);
        result.filter(|&ty| !op.cx().ty(ty).is_dialect_type("llvm.void")).into_iter().collect()
    }

    fn type_with(&self, op: OpRef<'_>, inputs: &[Type], results: &[Type]) -> Type {
        let cx = op.cx();
        let variadic = self.function_type(op).and_then(func_parts).is_some_and(|(.., variadic)| variadic);
        func_type(cx, results.first().copied().unwrap_or_else(|| void_type(cx)), inputs, variadic)
    }
}

/// `llvm.br`.
pub(crate) struct Branch;

impl BranchOp for Branch {
    fn successor_operands<'a>(&self, op: OpRef<'a>, _index: usize) -> Operands<'a> {
        BrOp::wrap(op).dest_operands()
    }

    fn set_successor_operands(&self, rw: &mut Rewriter<'_>, op: OpId, _index: usize, values: &[ValueId]) {
        rw.set_operand_group(op, 0, values);
    }
}

/// `llvm.cond_br`.
pub(crate) struct CondBranch;

impl BranchOp for CondBranch {
    fn successor_operands<'a>(&self, op: OpRef<'a>, index: usize) -> Operands<'a> {
        let branch = CondBrOp::wrap(op);
        if index == 0 { branch.true_dest_operands() } else { branch.false_dest_operands() }
    }

    fn set_successor_operands(&self, rw: &mut Rewriter<'_>, op: OpId, index: usize, values: &[ValueId]) {
        rw.set_operand_group(op, 1 + index, values);
    }

    fn taken_successor(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize> {
        let condition = op.cx().attr(operands.first().copied().flatten()?).as_bool()?;
        Some(usize::from(!condition))
    }
}
