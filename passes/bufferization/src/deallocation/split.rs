//! Conditional branches: what each target does not get is freed if that target is taken.

use dl_ir::interfaces::BranchOp;
use dl_ir::{BlockId, Diagnostic, Loc, OpDefinition, OpId, OpState, Rewriter, ValueId};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::insert::{dealloc_op, owned_at_end, retained};
use super::liveness::Liveness;
use super::ownership::{State, constant};

type Conditions = IndexMap<ValueId, ValueId, FxBuildHasher>;

/// Frees before the `cf.cond_br` `op` what is not handed to the target that is taken, and passes on conditions.
pub(super) fn cond_branch(
    rw: &mut Rewriter<'_>,
    state: &mut State,
    liveness: &Liveness,
    op: OpId,
    block: BlockId,
) -> Result<(), Diagnostic> {
    let loc = rw.op(op).loc();
    let taken = rw.op(op).operand(0).id();
    rw.set_insertion_before(op);
    let (memrefs, conditions) = owned_at_end(rw, state, loc, block)?;
    let mut of_target: SmallVec<[Conditions; 2]> = SmallVec::new();
    for successor in 0..2 {
        let view = rw.op(op);
        let Some(branch) = view.interface::<dyn BranchOp>() else { return Ok(()) };
        let (target, passed) = (view.successor(successor).id(), branch.successor_operands(view, successor).ids());
        let retained = retained(rw, liveness, block, Some(target), &passed);
        let mut adapted: Vec<ValueId> = Vec::new();
        for &condition in &conditions {
            let this_way = if successor == 0 {
                taken
            } else {
                let yes = constant(rw, loc, true);
                binary::<dl_arith::XOrIOp<'_>>(rw, loc, yes, taken)
            };
            adapted.push(binary::<dl_arith::AndIOp<'_>>(rw, loc, condition, this_way));
        }
        let dealloc = dealloc_op(rw, loc, &memrefs, &adapted, &retained);
        let updated: Vec<ValueId> = rw.ir().results(dealloc).collect();
        let known: Conditions = retained.iter().copied().zip(updated).collect();
        for (&memref, &condition) in &known {
            state.set(memref, block, condition);
        }
        let buffers = passed.iter().filter_map(|value| known.get(value).copied());
        let values: Vec<ValueId> = passed.iter().copied().chain(buffers).collect();
        if let Some(branch) = rw.cx().op_info(rw.op(op).name_id()).interface::<dyn BranchOp>() {
            branch.set_successor_operands(rw, op, successor, &values);
        }
        of_target.push(known);
    }
    let both: Vec<(ValueId, ValueId, ValueId)> = of_target[1]
        .iter()
        .filter_map(|(&memref, &no)| of_target[0].get(&memref).map(|&yes| (memref, yes, no)))
        .collect();
    for (memref, yes, no) in both {
        let i1 = rw.cx().i1_type();
        let state_op = OpState::of::<dl_arith::SelectOp<'_>>(loc).operands([taken, yes, no]).results([i1]);
        let combined = rw.create_value(state_op);
        state.set(memref, block, combined);
    }
    Ok(())
}

fn binary<T: OpDefinition>(rw: &mut Rewriter<'_>, loc: Loc, a: ValueId, b: ValueId) -> ValueId {
    let i1 = rw.cx().i1_type();
    rw.create_value(OpState::of::<T>(loc).operands([a, b]).results([i1]))
}
