//! What control flow depends on, as far as it can become scalar.

use dl_ir::interfaces::BranchOp;
use dl_ir::{Arena, OpId, OpRef, ValueId, ValueRef};
use dl_linalg::{GenericOp, LinalgOp};
use rustc_hash::FxHashSet;

use super::{Plan, is_scalar_nest, passed_operands};

/// The nests and block arguments that are connected to operands of branches: what these are computed from, what is computed from that, and
/// where either is passed to.
///
/// Nothing where some block is reached by something else than a branch. An argument that is given the result of a nest that stays stays too.
pub(super) fn control_flow_component(root: OpRef<'_>) -> Plan {
    let (cx, ir) = (root.cx(), root.arena());
    let ops: Vec<OpRef<'_>> =
        dl_ir::walk::ops_in_arena(ir, Arena::ROOT).into_iter().map(|op: OpId| OpRef::new(cx, ir, op)).collect();
    let operands_of = |name: &'static str| {
        ops.iter().filter(move |op| op.name() == name).flat_map(|op| op.operands().ids()).collect::<Vec<ValueId>>()
    };
    let mut work: Vec<ValueId> = operands_of("cf.cond_br");
    work.extend(operands_of("cf.br"));
    let mut plan = Plan::default();
    let mut seen: FxHashSet<ValueId> = FxHashSet::default();
    while let Some(value) = work.pop() {
        if !seen.insert(value) {
            continue;
        }
        let value = ValueRef::new(cx, ir, value);
        forward(value, &plan, &mut work);
        let Some(op) = value.defining_op() else {
            let Some(block) = value.owner_block() else { continue };
            // Arguments of functions stay what they are.
            let in_function = block.region().is_some_and(|region| region == root.region(0));
            if block.is_entry() || !in_function {
                continue;
            }
            plan.args.insert(value.id());
            let Some(passed) = passed_operands(block, value.index()) else { return Plan::default() };
            work.extend(passed.into_iter().map(|(branch, operand)| OpRef::new(cx, ir, branch).operand(operand).id()));
            continue;
        };
        if op.is::<GenericOp<'_>>() {
            if is_scalar_nest(op) && plan.nests.insert(op.id()) {
                work.extend(LinalgOp::of(op).into_iter().flat_map(LinalgOp::inputs).map(|input| input.id()));
            }
        } else if op.results().iter().all(|result| result.ty().is_integer() || result.ty().is_float()) {
            work.extend(op.operands().ids());
        }
    }
    let stays = |&arg: &ValueId| {
        let arg = ValueRef::new(cx, ir, arg);
        let passed = arg.owner_block().and_then(|block| passed_operands(block, arg.index())).unwrap_or_default();
        passed.into_iter().any(|(branch, operand)| {
            let made_by = OpRef::new(cx, ir, branch).operand(operand).defining_op();
            made_by.is_some_and(|op| op.is::<GenericOp<'_>>() && !plan.nests.contains(&op.id()))
        })
    };
    let args = plan.args.iter().copied().filter(|arg| !stays(arg)).collect();
    Plan { args, ..plan }
}

/// Where `value` goes from its block, and what is computed from it.
fn forward(value: ValueRef<'_>, plan: &Plan, work: &mut Vec<ValueId>) {
    let terminator = value.parent_block().and_then(|block| block.terminator());
    if let Some(terminator) = terminator
        && let Some(branch) = terminator.interface::<dyn BranchOp>()
    {
        for (block, operands) in terminator.successors().zip(branch.all_successor_operands(terminator)) {
            let passed = operands.iter().zip(block.args()).filter(|(operand, _)| *operand == value);
            work.extend(passed.map(|(_, arg)| arg.id()).filter(|arg| !plan.args.contains(arg)));
        }
    }
    for (user, _) in value.uses() {
        work.extend(user.results().ids());
    }
}
