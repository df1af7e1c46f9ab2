//! `eliminate-empty-tensors` and `empty-tensor-to-alloc-tensor`: what to do with tensors that have no contents yet.

use dl_bufferization::AllocTensorOp;
use dl_ir::dominance::Dominance;
use dl_ir::effects::is_pure;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::{for_each_arena, ops_in_arena};
use dl_ir::{Arena, Context, Definition, OpId, OpRef, OpState, Rewriter, ValueId};
use dl_tensor::{CastOp, EmptyOp};
use rustc_hash::FxHashSet;

use crate::bufferize::analysis::{Analysis, Traversal};
use crate::bufferize::operand::{Operand, Use};
use crate::bufferize::options::Options;
use crate::bufferize::{SubsetInsertion, analyze_each};

/// Computes a tensor right in the place that it is inserted into: a `tensor.empty` that it begins with becomes that place.
#[derive(Clone, Copy, Default)]
pub struct EliminateEmptyTensors;

impl Pass for EliminateEmptyTensors {
    const INFO: PassInfo =
        PassInfo::new("eliminate-empty-tensors", "Compute tensors in the place that they are inserted into")
            .title("EmptyTensorEliminationPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let is_module = cx.root().name() == "builtin.module";
        let options =
            Options { allow_return_allocs_from_loops: true, function_boundaries: is_module, ..Options::default() };
        analyze_each(cx.ctx, cx.ir, &options, &mut |cx, ir, state| eliminate(cx, ir, state))?;
        Ok(())
    }
}

/// Replaces what `tensor.empty` operations of one arena can be replaced.
fn eliminate(cx: &Context, ir: &mut Arena, state: &Analysis<'_>) {
    let mut rw = Rewriter::new(cx, ir);
    for op in ops_in_arena(rw.ir(), Arena::ROOT) {
        let info = cx.op_info(rw.op(op).name_id());
        let Some(insertion) = info.interface::<dyn SubsetInsertion>() else { continue };
        let source = Operand::new(rw.op(op), insertion.source(rw.op(op)));
        if !source.is_tensor() || !state.is_in_place(source) {
            continue;
        }
        for (empty, place) in empty_tensors(state, source) {
            replace_use(&mut rw, op, insertion, empty, place);
        }
    }
}

/// The empty tensors that the operand is the buffer of, each with its use on the way there.
fn empty_tensors(state: &Analysis<'_>, source: Operand<'_>) -> Vec<(ValueId, Use)> {
    let config = Traversal {
        include_leaves: false,
        only_equivalent: true,
        only_same_type_or_casts: true,
        ..Traversal::default()
    };
    let mut uses: Vec<Use> = vec![source.id()];
    let found = state.reverse_chain_along(
        source.value(),
        config,
        |value| value.def::<EmptyOp<'_>>().is_some(),
        |operand| uses.push(operand.id()),
    );
    let ir = source.op.arena();
    let use_of = |value: ValueId| uses.iter().find(|u| ir.operands(u.op).nth(u.index) == Some(value)).copied();
    found.into_iter().filter_map(|value| Some((value, use_of(value)?))).collect()
}

/// Makes `place` use the part of the destination that `op` inserts into, in place of `empty`.
fn replace_use(rw: &mut Rewriter<'_>, op: OpId, insertion: &dyn SubsetInsertion, empty: ValueId, place: Use) {
    let Definition::Result(def) = rw.ir().definition(empty) else { return };
    let needed = insertion.values_needed(rw.op(op));
    let point = insertion_point(rw, def, place.op, &needed).or_else(|| move_before(rw, place.op, &needed));
    let Some(point) = point else { return };
    rw.set_insertion_before(point);
    let loc = rw.op(def).loc();
    let Some(mut value) = insertion.extract(op, rw, loc) else { return };
    let (old, new) = (rw.value_type(empty), rw.value_type(value));
    if old != new {
        if old.element_type() != new.element_type() {
            return;
        }
        rw.set_insertion_after_value(value);
        value = rw.create_value(OpState::of::<CastOp<'_>>(loc).operands([value]).results([old.id()]));
    }
    rw.set_operand(place.op, place.index, value);
}

/// Where all of `needed` is there and `user` is still to come: where the empty tensor is made, or right after what is needed.
fn insertion_point(rw: &Rewriter<'_>, empty: OpId, user: OpId, needed: &[ValueId]) -> Option<OpId> {
    let ir = rw.ir();
    let dominance = Dominance::new(rw.cx(), ir);
    let after = |&value: &ValueId| match ir.definition(value) {
        Definition::Argument(block) => ir.block_ops(block).next(),
        Definition::Result(op) => rw.op(op).next().map(OpRef::id),
    };
    let candidates = std::iter::once(empty).chain(needed.iter().filter_map(after));
    candidates.into_iter().find(|&at| {
        let is_there = |&value: &ValueId| dominance.value_dominates(ir, value, at);
        needed.iter().all(is_there) && (at == user || dominance.op_properly_dominates(ir, at, user))
    })
}

/// Moves what `needed` comes from before `user`, where all of it is pure and stands in the same block. Answers `user`.
fn move_before(rw: &mut Rewriter<'_>, user: OpId, needed: &[ValueId]) -> Option<OpId> {
    let ir = rw.ir();
    let dominance = Dominance::new(rw.cx(), ir);
    let block = ir.block_of(user)?;
    let mut later: FxHashSet<OpId> = FxHashSet::default();
    let mut pending = needed.to_vec();
    while let Some(value) = pending.pop() {
        if dominance.value_dominates(ir, value, user) {
            continue;
        }
        let Definition::Result(op) = ir.definition(value) else { return None };
        let can_move = op != user && ir.block_of(op) == Some(block) && ir.op_regions(op).is_empty();
        if !can_move || !is_pure(rw.op(op)) {
            return None;
        }
        if later.insert(op) {
            pending.extend(ir.operands(op));
        }
    }
    let in_order: Vec<OpId> = ir.block_ops(block).filter(|op| later.contains(op)).collect();
    for op in in_order {
        rw.move_before(op, user);
    }
    Some(user)
}

/// Makes `bufferization.alloc_tensor` of each `tensor.empty`.
#[derive(Clone, Copy, Default)]
pub struct EmptyTensorToAllocTensor;

impl Pass for EmptyTensorToAllocTensor {
    const INFO: PassInfo =
        PassInfo::new("empty-tensor-to-alloc-tensor", "Allocate empty tensors").title("EmptyTensorToAllocTensorPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
            let mut rw = Rewriter::new(cx, ir);
            for op in ops_in_arena(rw.ir(), Arena::ROOT) {
                let view = rw.op(op);
                if !view.is::<EmptyOp<'_>>() {
                    continue;
                }
                let sizes = view.operands().ids();
                let state = OpState::of::<AllocTensorOp<'_>>(view.loc())
                    .operands(sizes.iter().copied())
                    .results([view.result(0).ty().id()])
                    .operand_segments(cx, &[sizes.len(), 0, 0]);
                rw.replace_with(op, state);
            }
        });
        Ok(())
    }
}
