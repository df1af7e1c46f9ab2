//! `cf`: block arguments become buffers; what branches pass them is converted.

use dl_cf::{BranchOp, CondBranchOp};
use dl_ir::{BlockId, Diagnostic, DialectBuilder, OpId, Type, ValueId, ValueRef};
use smallvec::SmallVec;

use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::operand::{AliasingOperand, AliasingOperands, AliasingValue, AliasingValues, Operand, Relation};

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<BranchOp<'_>>(builder, Branch);
    model::<CondBranchOp<'_>>(builder, Branch);
}

/// A branch: the operation around the blocks bufferizes their arguments and what is passed to them.
struct Branch;

impl Bufferizable for Branch {
    access!(|operand, state| reads: false, writes: false, aliases: passed_to(operand));

    fn bufferize(&self, _: OpId, _: &mut Bufferizer<'_>) -> Done {
        Ok(())
    }
}

/// The block arguments that receive the operand.
fn passed_to(operand: Operand<'_>) -> AliasingValues {
    let Some(branch) = operand.op.interface::<dyn dl_ir::interfaces::BranchOp>() else { return AliasingValues::new() };
    let mut found = AliasingValues::new();
    for (i, block) in operand.op.successors().enumerate() {
        let passed = branch.successor_operands(operand.op, i);
        if let Some(at) = operand.index.checked_sub(passed.start()).filter(|&at| at < passed.len()) {
            let value = block.arg(at).id();
            found.push(AliasingValue { value, relation: Relation::Equivalent, definite: false });
        }
    }
    found
}

/// The operands of branches that a block argument receives.
pub(super) fn block_aliasing_operands(value: ValueRef<'_>) -> AliasingOperands {
    let Some(block) = value.owner_block() else { return AliasingOperands::new() };
    let mut found = AliasingOperands::new();
    for (op, successor) in block.predecessor_ops() {
        let Some(branch) = op.interface::<dyn dl_ir::interfaces::BranchOp>() else { continue };
        let passed = branch.successor_operands(op, successor);
        if value.index() < passed.len() {
            let operand = Operand::new(op, passed.start() + value.index());
            found.push(AliasingOperand { operand: operand.id(), relation: Relation::Equivalent, definite: false });
        }
    }
    found
}

/// The buffer type of a block argument: that of what branches pass, when all agree.
pub(super) fn block_argument_type(value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
    let cx = value.cx();
    let mut found: Option<Type> = None;
    for alias in block_aliasing_operands(value) {
        let operand = dl_ir::OpRef::new(cx, value.arena(), alias.operand.op).operand(alias.operand.index);
        if operand.ty().is_tensor() && query.is_pending(operand.id()) {
            continue;
        }
        let ty = query.operand_type(operand)?;
        match found {
            None => found = Some(ty),
            Some(before) if before == ty => {}
            Some(before) => {
                let space = cx.ty(ty).memory_space().map(|space| space.id());
                if space != cx.ty(before).memory_space().map(|space| space.id()) {
                    return Err(error(value, "incoming operands of block argument have inconsistent memory spaces"));
                }
                return Ok(crate::bufferize::layout::dynamic_layout_type(cx, value.ty().id(), space));
            }
        }
    }
    found.ok_or_else(|| error(value, "could not infer buffer type of block argument"))
}

/// An error at the operation around the block of an argument.
fn error(value: ValueRef<'_>, message: &str) -> Diagnostic {
    match value.owner_block().and_then(|block| block.parent_op()) {
        Some(op) => op.error(message),
        None => Diagnostic::error(value.loc(), message),
    }
}

/// Makes the tensor arguments of a block buffers, with a `to_tensor` for those that still read tensors, and converts what
/// branches pass.
pub(super) fn bufferize_block_signature(block: BlockId, bz: &mut Bufferizer<'_>) -> Done {
    let args: SmallVec<[ValueId; 4]> = bz.rw.ir().block_args(block).into();
    let mut types: SmallVec<[Option<Type>; 4]> = SmallVec::new();
    for &arg in &args {
        let is_tensor = bz.rw.value_type(arg).is_tensor();
        types.push(if is_tensor { Some(bz.buffer_type(arg)?) } else { None });
    }
    for (&arg, ty) in args.iter().zip(&types) {
        let Some(ty) = *ty else { continue };
        let (tensor, loc) = (bz.rw.value_type(arg).id(), bz.rw.value(arg).loc());
        bz.rw.set_value_type(arg, ty);
        if bz.rw.ir().has_uses(arg) {
            bz.rw.set_insertion_to_start(block);
            let users: SmallVec<[(OpId, usize); 8]> = bz.rw.ir().uses(arg).collect();
            let converted = bz.to_tensor(loc, arg, tensor);
            for (user, index) in users {
                bz.rw.set_operand(user, index, converted);
            }
        }
    }
    let branches: SmallVec<[(OpId, usize); 4]> = bz.rw.ir().predecessor_ops(block).collect();
    for (op, successor) in branches {
        let view = bz.rw.op(op);
        let Some(branch) = view.interface::<dyn dl_ir::interfaces::BranchOp>() else {
            return Err(
                view.error("cannot bufferize ops with block references that do not implement BranchOpInterface")
            );
        };
        let start = branch.successor_operands(view, successor).start();
        for (i, ty) in types.iter().enumerate() {
            let Some(ty) = *ty else { continue };
            let value = bz.rw.op(op).operand(start + i).id();
            let buffer = bz.buffer(value)?;
            bz.rw.set_insertion_before(op);
            let buffer = bz.cast_or_reallocate(buffer, ty);
            bz.rw.set_operand(op, start + i, buffer);
        }
    }
    Ok(())
}
