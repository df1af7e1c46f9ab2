//! `scf.forall`: iterations write their shares of the buffers of the outputs.

use dl_ir::{BlockId, Diagnostic, DialectBuilder, OpId, OpRef, OpState, Type, ValueId, ValueRef};
use dl_scf::ForallOp;
use smallvec::SmallVec;

use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::analysis::Analysis;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::operand::{AliasingValues, Operand, equivalent};

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<ForallOp<'_>>(builder, Forall);
}

/// A nest of independent iterations.
struct Forall;

/// The outputs: operands that iterations share.
fn outputs(op: OpRef<'_>) -> dl_ir::Operands<'_> {
    op.operand_group(3)
}

/// The result that an output is tied to.
fn tied(operand: Operand<'_>) -> AliasingValues {
    let at = operand.index.checked_sub(outputs(operand.op).start());
    at.map_or_else(AliasingValues::new, |at| equivalent(operand.op.result(at)))
}

/// Number of the first block argument that stands for an output.
fn rank(op: OpRef<'_>) -> usize {
    let outputs = outputs(op).len();
    op.region(0).entry().map_or(0, |block| block.num_args().saturating_sub(outputs))
}

/// The output that the block argument `arg` stands for.
pub(super) fn output_of(arg: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let forall = arg.owner_block()?.parent_op().filter(|op| op.is::<ForallOp<'_>>())?;
    outputs(forall).get(arg.index().checked_sub(rank(forall))?)
}

impl Bufferizable for Forall {
    // What no iteration writes is read: it is in the result.
    access!(|operand, state| reads: true, writes: true, aliases: tied(operand));

    fn is_writable(&self, _: ValueRef<'_>, _: &Analysis<'_>) -> bool {
        true
    }

    fn is_repetitive(&self, _: OpRef<'_>, _: usize) -> bool {
        true
    }

    fn is_parallel(&self, _: OpRef<'_>, _: usize) -> bool {
        true
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let result = value.defining_op();
        let Some(op) = result.or_else(|| value.owner_block()?.parent_op()) else { return query.unknown_type(value) };
        let at = if result.is_some() { value.index() } else { value.index().saturating_sub(rank(op)) };
        match outputs(op).get(at) {
            Some(output) => query.operand_type(output),
            None => query.unknown_type(value),
        }
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let (cx, view) = (bz.cx(), bz.rw.op(op));
        let (loc, rank) = (view.loc(), rank(view));
        let (first, outputs) = (outputs(view).start(), outputs(view).ids());
        let bounds: Vec<ValueId> = view.operands().ids()[..first].to_vec();
        let groups: Vec<usize> = (0..3).map(|i| view.operand_group(i).len()).collect();
        let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let (region, block) = (view.region(0).id(), view.region(0).entry().map(|block| block.id()));
        let mut buffers: SmallVec<[ValueId; 4]> = SmallVec::new();
        for output in outputs {
            buffers.push(bz.buffer(output)?);
        }
        if let Some(block) = block {
            use_buffers(bz, block, rank, &buffers);
        }
        bz.rw.set_insertion_before(op);
        let body = bz.rw.new_region();
        bz.rw.move_blocks(region, body, None);
        let state = OpState::of::<ForallOp<'_>>(loc).attrs(attrs).operands(bounds).region(body);
        bz.rw.create(state.operand_segments(cx, &[groups[0], groups[1], groups[2], 0]));
        bz.replace(op, &buffers);
        Ok(())
    }
}

/// What reads the arguments that stand for outputs reads the buffers, as tensors; the arguments go.
fn use_buffers(bz: &mut Bufferizer<'_>, block: BlockId, rank: usize, buffers: &[ValueId]) {
    let args: SmallVec<[ValueId; 4]> = bz.rw.ir().block_args(block)[rank..].into();
    bz.rw.set_insertion_to_start(block);
    for (&arg, &buffer) in args.iter().zip(buffers) {
        let (ty, loc) = (bz.rw.value_type(arg).id(), bz.rw.value(arg).loc());
        if bz.rw.ir().has_uses(arg) {
            let tensor = bz.to_tensor(loc, buffer, ty);
            bz.rw.replace_all_uses(arg, tensor);
        }
    }
    for index in (rank..rank + args.len()).rev() {
        bz.rw.erase_block_arg(block, index);
    }
}
