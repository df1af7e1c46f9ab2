//! Changes to the IR that a text stands for.
//!
//! The result need not verify: rejecting it is the verifier's work, which is under test too. It is printed in the generic form, which
//! can say anything, or in the pretty form where it still verifies.

use dl_ir::text::{PrintOptions, parse_source, print_op};
use dl_ir::{
    Arena, Context, InsertPoint, Mapping, OpId, OpRef, OpState, Rewriter, Trait, ValueId, clone_op, verify, walk,
};
use fastrand::Rng;

use super::make_op;
use super::stock::Stock;
use crate::Lab;
use crate::lab::Bench;

/// Most operations in an arena that is changed: the rest of the fuzzing time is better spent on small ones.
const MOST_OPS: usize = 2000;

/// `input` with some changes to its IR; `None` when it does not parse.
pub(super) fn mutate(lab: &mut Lab, input: &[u8], stock: &Stock, rng: &mut Rng) -> Option<Vec<u8>> {
    let (bench, _) = lab.bench(input);
    let source = bench.cx.add_source("input.mlir", input);
    let mut module = parse_source(&bench.cx, &source).ok()?.module;
    for _ in 0..=super::fewer_than(5, rng) {
        change(bench, &mut module, stock, rng);
    }
    let cx = &bench.cx;
    let generic = rng.bool() || verify::verify(cx, &module).is_err();
    let mut out = Vec::new();
    print_op(OpRef::root(cx, &module), &PrintOptions { generic, ..PrintOptions::default() }, &mut out).ok()?;
    Some(out)
}

/// One change somewhere in `module`.
fn change(bench: &mut Bench, module: &mut Arena, stock: &Stock, rng: &mut Rng) {
    let arena = some_arena(module, rng);
    let ops = walk::ops_in_arena(arena, Arena::ROOT);
    if ops.len() > MOST_OPS {
        return;
    }
    let inner = if ops.len() > 1 { &ops[1..] } else { &ops };
    let op = inner[rng.usize(..inner.len())];
    match rng.u8(..12) {
        0..=4 => insert_op(bench, arena, op, stock, rng),
        5..=6 => change_operand(bench, arena, op, rng),
        7..=8 => change_attr(bench, arena, op, stock, rng),
        9 => erase(bench, arena, op, rng),
        10 => copy(&bench.cx, arena, op, rng),
        _ => use_value(bench, arena, op, rng),
    }
}

/// Some arena in `module`, those of functions more often than that of the module around them.
fn some_arena<'a>(module: &'a mut Arena, rng: &mut Rng) -> &'a mut Arena {
    let mut at = module;
    loop {
        let count = at.children().count();
        if count == 0 || rng.u8(..16) == 0 {
            return at;
        }
        let chosen = rng.usize(..count);
        // Asked for twice, since a loan that is returned on one path only is not understood by the compiler.
        at = at.children_mut().nth(chosen).expect("counted above");
    }
}

/// The values that may be used at `op`: those defined before it in its block and in the blocks around, and in the entry block.
pub(super) fn visible(ir: &Arena, op: OpId) -> Vec<ValueId> {
    let mut values = Vec::new();
    let mut at = op;
    while let Some(block) = ir.block_of(at) {
        values.extend_from_slice(ir.block_args(block));
        for before in ir.block_ops(block).take_while(|&before| before != at) {
            values.extend(ir.results(before));
        }
        let Some(region) = ir.region_of(block) else { break };
        if let Some(entry) = ir.entry_block(region).filter(|&entry| entry != block) {
            values.extend_from_slice(ir.block_args(entry));
            values.extend(ir.block_ops(entry).flat_map(|op| ir.results(op)));
        }
        let Some(parent) = ir.region_parent(region) else { break };
        at = parent;
    }
    values
}

fn insert_op(bench: &mut Bench, ir: &mut Arena, before: OpId, stock: &Stock, rng: &mut Rng) {
    let Some(block) = ir.block_of(before) else { return };
    let Some(name) = stock.op(rng) else { return };
    let made = make_op::make(bench, ir, InsertPoint { block, before: Some(before) }, name, stock, rng);
    // A result without uses is soon gone.
    if let Some(op) = made
        && rng.u8(..4) != 0
    {
        let results: Vec<ValueId> = ir.results(op).collect();
        keep(&bench.cx, ir, InsertPoint { block, before: Some(before) }, &results);
    }
}

/// An operation that uses `values` and that nothing is known about.
pub(super) fn keep(cx: &Context, ir: &mut Arena, point: InsertPoint, values: &[ValueId]) {
    if values.is_empty() {
        return;
    }
    let mut rw = Rewriter::new(cx, ir);
    rw.set_insertion_point(Some(point));
    let _ = rw.try_create(OpState::named("fuzz.use", dl_ir::Loc::UNKNOWN).operands(values.iter().copied()));
}

fn use_value(bench: &mut Bench, ir: &mut Arena, op: OpId, rng: &mut Rng) {
    let Some(block) = ir.block_of(op) else { return };
    if let Some(value) = rng.choice(visible(ir, op)) {
        keep(&bench.cx, ir, InsertPoint { block, before: Some(op) }, &[value]);
    }
}

/// Another value for an operand, mostly of the same type.
fn change_operand(bench: &mut Bench, ir: &mut Arena, op: OpId, rng: &mut Rng) {
    let operands: Vec<ValueId> = ir.operands(op).collect();
    if operands.is_empty() {
        return;
    }
    let index = rng.usize(..operands.len());
    let any_type = rng.u8(..8) == 0;
    let ty = ir.value_type(operands[index]);
    let mut values = visible(ir, op);
    values.retain(|&value| value != operands[index] && (any_type || ir.value_type(value) == ty));
    if let Some(value) = rng.choice(values) {
        Rewriter::new(&bench.cx, ir).set_operand(op, index, value);
    }
}

/// Another value for an attribute, one more, or one less.
fn change_attr(bench: &mut Bench, ir: &mut Arena, op: OpId, stock: &Stock, rng: &mut Rng) {
    let op = if rng.u8(..6) == 0 { Arena::ROOT } else { op };
    let view = OpRef::new(&bench.cx, ir, op);
    let name = view.name().to_owned();
    let present: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
    let defined = view.info().attr_names(&bench.cx).to_vec();
    if !present.is_empty() && rng.u8(..8) == 0 {
        let (attr, _) = present[rng.usize(..present.len())];
        return Rewriter::new(&bench.cx, ir).remove_attr(op, attr);
    }
    let among = if defined.is_empty() || rng.bool() { present.iter().map(|p| p.0).collect() } else { defined };
    let Some(attr) = rng.choice(among) else { return };
    let value = make_op::some_attr(bench, ir, &name, attr, stock, rng);
    if let Some(value) = value {
        Rewriter::new(&bench.cx, ir).set_attr(op, attr, value);
    }
}

/// Erases an operation; its results are replaced by other values of their types. One with a value in its regions that is used outside stays:
/// text may say that, where the use comes first.
fn erase(bench: &mut Bench, ir: &mut Arena, op: OpId, rng: &mut Rng) {
    let Some(block) = ir.block_of(op) else { return };
    let root = OpRef::new(&bench.cx, ir, op);
    if root.has_trait(&Trait::Terminator) && rng.u8(..8) != 0 {
        return;
    }
    let leaves = |value| ir.uses(value).any(|(user, _)| !root.is_ancestor_of(user));
    if walk::ops_in_arena(ir, op)[1..].iter().any(|&inner| ir.results(inner).any(leaves)) {
        return;
    }
    let results: Vec<ValueId> = ir.results(op).collect();
    let mut values = visible(ir, op);
    values.retain(|value| !results.contains(value));
    for result in results {
        if !ir.has_uses(result) {
            continue;
        }
        let ty = ir.value_type(result);
        let same: Vec<_> = values.iter().copied().filter(|&value| ir.value_type(value) == ty).collect();
        let other = rng.choice(same);
        let point = InsertPoint { block, before: Some(op) };
        let other = other.unwrap_or_else(|| make_op::source(bench, ir, point, ty, rng));
        Rewriter::new(&bench.cx, ir).replace_all_uses(result, other);
    }
    Rewriter::new(&bench.cx, ir).erase(op);
}

/// A copy of an operation, where it stands or elsewhere in its block.
fn copy(cx: &Context, ir: &mut Arena, op: OpId, rng: &mut Rng) {
    let Some(block) = ir.block_of(op) else { return };
    let places: Vec<OpId> = ir.block_ops(block).collect();
    let before = if rng.bool() { Some(op) } else { rng.choice(places) };
    let mut rw = Rewriter::new(cx, ir);
    rw.set_insertion_point(Some(InsertPoint { block, before }));
    clone_op(&mut rw, op, &mut Mapping::new());
}
