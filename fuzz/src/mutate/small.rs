//! Small functions around one kind of operation.

use dl_ir::{Arena, InsertPoint, OpId, ValueId, text::parse_source, verify};
use fastrand::Rng;

use super::ir::keep;
use super::make_op;
use super::stock::Stock;
use crate::lab::Bench;

/// Most operations of one kind.
const MOST: usize = 4;

/// How often it is tried: what constraints leave open is left to chance.
const TRIES: usize = 12;

/// A verified module with one function, in which a few operations called one of `names`, the last one called `name`, work on
/// constants, on values that nothing is known about, on their own results, and on one value more than once. What they compute is used.
/// `None` when the random numbers do not lead to one.
pub(crate) fn function(bench: &mut Bench, name: &str, names: &[&str], stock: &Stock, rng: &mut Rng) -> Option<Arena> {
    (0..TRIES).find_map(|_| attempt(bench, name, names, stock, rng))
}

fn attempt(bench: &mut Bench, name: &str, names: &[&str], stock: &Stock, rng: &mut Rng) -> Option<Arena> {
    let source = bench.cx.add_source("small.mlir", "func.func @small() {\n  return\n}\n");
    let mut module = *parse_source(&bench.cx, &source).ok()?.module;
    let arena = module.children_mut().next()?;
    let end = dl_ir::walk::ops_in_arena(arena, Arena::ROOT).last().copied()?;
    let point = InsertPoint { block: arena.block_of(end)?, before: Some(end) };
    let mut made: Vec<OpId> = Vec::new();
    for left in (0..rng.usize(1..=MOST)).rev() {
        let chosen = if left == 0 || rng.bool() { name } else { rng.choice(names).copied().unwrap_or(name) };
        match make_op::make(bench, arena, point, chosen, stock, rng) {
            Some(op) => made.push(op),
            None if left == 0 => return None,
            None => {}
        }
    }
    for op in made {
        let unused = |&value: &ValueId| !arena.has_uses(value);
        let results: Vec<ValueId> = arena.results(op).filter(unused).collect();
        keep(&bench.cx, arena, point, &results);
    }
    verify::verify(&bench.cx, &module).is_ok().then_some(module)
}
