//! The analysis of one arena: operands in order, then equivalences, then what is undefined.

use dl_ir::interfaces::RegionBranchOp;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Context, OpId, OpRef, ValueRef};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::sets::ValueSets;
use super::survey::Survey;
use super::{Analysis, Facts, Result};
use crate::bufferize::functions::FunctionTable;
use crate::bufferize::operand::{Operand, Relation};
use crate::bufferize::options::{Heuristic, Options};

/// Analyzes all operations of an arena, its root included.
pub fn analyze<'a>(
    cx: &'a Context,
    ir: &Arena,
    options: &'a Options,
    functions: &'a FunctionTable,
) -> Result<Analysis<'a>> {
    let values = ir.num_value_slots();
    let facts = Facts {
        in_place: Default::default(),
        aliases: ValueSets::new(values),
        equivalent: ValueSets::new(values),
        undefined: Default::default(),
        reasons: Default::default(),
    };
    let mut state = Analysis { cx, options, functions, facts: Some(facts) };
    let ops = ops_in_arena(ir, Arena::ROOT);
    let view = |op: OpId| OpRef::new(cx, ir, op);
    for &op in &ops {
        let Some(interface) = options.interface(view(op)) else { continue };
        for operand in Operand::tensors(view(op)) {
            // There is no way to allocate a copy without a rank.
            if operand.value().ty().is_unranked_tensor() || interface.must_be_in_place(operand, &state) {
                state.bufferize_in_place(operand);
            }
        }
    }
    let survey = Survey::new(&state, ir, &ops);
    check_constraints(&state, ir, &ops, &survey)?;
    for op in order(&state, ir) {
        for operand in Operand::tensors(view(op)) {
            let read_only = state.writes_read_only(operand, &survey, false);
            let reason = read_only.or_else(|| state.creates_conflict(operand, &survey, false));
            match (reason, &mut state.facts) {
                (Some(reason), Some(facts)) => _ = facts.reasons.insert(operand.id(), reason),
                _ => state.bufferize_in_place(operand),
            }
        }
    }
    let inner_first = post_order(ir);
    find_equivalences(&mut state, ir, &inner_first);
    find_undefined(&mut state, ir, &ops);
    for op in inner_first {
        if let Some(interface) = options.interface(view(op)) {
            interface.verify_analysis(view(op), &state)?;
        }
    }
    Ok(state)
}

/// Refuses what no decision could make right.
fn check_constraints(state: &Analysis<'_>, ir: &Arena, ops: &[OpId], survey: &Survey) -> Result<()> {
    for op in ops.iter().map(|&op| OpRef::new(state.cx, ir, op)) {
        if let Some(to_tensor) = op.cast::<dl_bufferization::ToTensorOp<'_>>()
            && to_tensor.restrict().is_none()
            && op.result(0).has_uses()
        {
            return Err(op.error("to_tensor ops without `restrict` are not supported by One-Shot Analysis"));
        }
        if state.options.interface(op).is_none() {
            continue;
        }
        let fail = |why: &str| {
            let message = format!("not bufferizable under the given constraints: {why}");
            Err(dl_ir::Diagnostic::error(op.loc(), message))
        };
        for operand in Operand::tensors(op) {
            if state.creates_conflict(operand, survey, true).is_some() {
                return fail("cannot avoid RaW conflict");
            }
            if state.is_in_place(operand) && state.writes_read_only(operand, survey, true).is_some() {
                return fail("would write to read-only buffer");
            }
        }
    }
    Ok(())
}

/// The operations of an arena, those in regions before the operation around them.
fn post_order(ir: &Arena) -> Vec<OpId> {
    let mut order = Vec::new();
    let mut stack = vec![Arena::ROOT];
    // A pre-order that goes through children backwards is a post-order backwards.
    while let Some(op) = stack.pop() {
        order.push(op);
        for &region in ir.op_regions(op) {
            for block in ir.region_blocks(region) {
                stack.extend(ir.block_ops(block));
            }
        }
    }
    order.reverse();
    order
}

/// The operations in the order in which their operands are decided upon.
fn order(state: &Analysis<'_>, ir: &Arena) -> Vec<OpId> {
    let mut ops = post_order(ir);
    match state.options.heuristic {
        Heuristic::TopDown => ops,
        Heuristic::BottomUp => {
            ops.reverse();
            ops
        }
        Heuristic::Fuzzer(seed) => {
            shuffle(&mut ops, seed);
            ops
        }
        Heuristic::BottomUpFromTerminators => {
            let mut all = from_terminators(state, ir, &ops);
            all.extend(ops.into_iter().rev());
            all.into_iter().collect()
        }
    }
}

/// Puts `ops` in an order that depends on `seed` and their number only: Fisher and Yates, with the generator "`SplitMix64`".
fn shuffle(ops: &mut [OpId], seed: u32) {
    let mut state = u64::from(seed);
    for end in (1..ops.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut random = state;
        random = (random ^ (random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        random = (random ^ (random >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        random ^= random >> 31;
        ops.swap(end, (random % (end as u64 + 1)) as usize);
    }
}

/// Region terminators and what their operands come from in the same region.
fn from_terminators(state: &Analysis<'_>, ir: &Arena, ops: &[OpId]) -> IndexSet<OpId, FxBuildHasher> {
    let view = |op: OpId| OpRef::new(state.cx, ir, op);
    let mut found = IndexSet::default();
    for &terminator in ops {
        let region = ir.block_of(terminator).and_then(|block| ir.region_of(block));
        let is_terminator = ir.block_of(terminator).and_then(|block| ir.last_op(block)) == Some(terminator);
        let parent = view(terminator).parent();
        if !is_terminator || parent.is_none_or(|op| op.info().interface::<dyn RegionBranchOp>().is_none()) {
            continue;
        }
        found.insert(terminator);
        let tensors = |op: OpId| Operand::tensors(view(op)).map(|operand| operand.value().id()).collect::<Vec<_>>();
        let mut pending = tensors(terminator);
        while let Some(value) = pending.pop() {
            let Some(def) = ir.defining_op(value) else { continue };
            let inside = std::iter::successors(Some(def), |&at| ir.parent_op(at))
                .any(|at| ir.block_of(at).and_then(|block| ir.region_of(block)) == region);
            if !inside || !found.insert(def) {
                continue;
            }
            for alias in state.aliasing_operands(ValueRef::new(state.cx, ir, value)) {
                pending.push(view(alias.operand.op).operand(alias.operand.index).id());
            }
        }
    }
    found
}

/// Merges the values that are one buffer, operation after operation.
fn find_equivalences(state: &mut Analysis<'_>, ir: &Arena, ops: &[OpId]) {
    for &op in ops {
        let view = OpRef::new(state.cx, ir, op);
        let Some(interface) = state.options.interface(view) else { continue };
        for result in view.results().iter().filter(|r| r.ty().is_tensor()) {
            let aliases = state.aliasing_operands(result);
            let operand = |alias: &super::AliasingOperand| {
                Operand::new(OpRef::new(state.cx, ir, alias.operand.op), alias.operand.index)
            };
            let Some(first) = aliases.first().map(|alias| operand(alias).value().id()) else { continue };
            let same = |alias: &super::AliasingOperand| {
                alias.relation == Relation::Equivalent && state.is_in_place(operand(alias))
            };
            let definite = aliases.iter().find(|alias| alias.definite && same(alias));
            let merged = if let Some(alias) = definite {
                Some(operand(alias).value().id())
            } else {
                let all = aliases.iter().all(|a| same(a) && state.are_equivalent(operand(a).value().id(), first));
                (all && !interface.allocates(result)).then_some(first)
            };
            if let (Some(value), Some(facts)) = (merged, &mut state.facts) {
                facts.equivalent.union(result.id(), value);
            }
        }
    }
}

/// Marks the operands that read tensors which nothing has written.
fn find_undefined(state: &mut Analysis<'_>, ir: &Arena, ops: &[OpId]) {
    let mut undefined = Vec::new();
    for op in ops.iter().map(|&op| OpRef::new(state.cx, ir, op)) {
        if state.options.interface(op).is_none() {
            continue;
        }
        for result in op.results().iter().filter(|r| r.ty().is_tensor() && r.has_uses()) {
            if state.definitions_of(result).is_empty() {
                undefined.extend(Operand::uses_of(result).map(Operand::id));
            }
        }
    }
    if let Some(facts) = &mut state.facts {
        facts.undefined.extend(undefined);
    }
}
