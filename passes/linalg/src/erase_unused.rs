//! Operands and results of a `linalg.generic` that nothing needs are dropped; equal ones are merged.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, OpState, Rewriter, ValueId};
use dl_linalg::{LinalgOp, YieldOp};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::generic::{Generic, covers_all_loops, kept_attrs};

/// What becomes of each operand: its number among those that stay, or nothing.
struct Plan {
    new: Generic,
    inputs: Vec<Option<usize>>,
    inits: Vec<Option<usize>>,
}

/// Drops inputs that the body does not read and results that nothing reads, unless they alone say how far a loop runs, and
/// merges inputs that are the same value by the same map, and results computed alike from one init.
pub(super) fn erase_unused(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let plan = plan(nest).ok_or(NoMatch("not generic"))?;
    if plan.new.inputs.len() + plan.new.inits.len() == view.num_operands() {
        return Err(NoMatch("every operand is needed"));
    }
    let body = nest.body().ok_or(NoMatch("no body"))?.id();
    let extra = kept_attrs(view);
    rw.set_insertion_before(op);
    let (new, block) = plan.new.create(rw);
    for (name, attr) in extra {
        rw.set_attr(new, name, attr);
    }
    // The arguments of dropped operands are not read, or read what a kept one holds.
    let (old_args, new_args) = (rw.ir().block_args(body).to_vec(), rw.ir().block_args(block).to_vec());
    let kept = plan.inputs.iter().copied().chain(plan.inits.iter().map(|i| i.map(|i| i + plan.new.inputs.len())));
    for (&old, kept) in old_args.iter().zip(kept) {
        if let Some(kept) = kept {
            rw.replace_all_uses(old, new_args[kept]);
        }
    }
    let ops: Vec<OpId> = rw.ir().block_ops(body).collect();
    for nested in ops {
        if rw.op(nested).is::<YieldOp<'_>>() {
            let (loc, values) = (rw.op(nested).loc(), rw.op(nested).operands().ids());
            let mut yields = vec![None; plan.new.inits.len()];
            for (value, kept) in values.into_iter().zip(&plan.inits) {
                if let Some(kept) = kept {
                    yields[*kept] = Some(value);
                }
            }
            rw.erase(nested);
            rw.set_insertion_to_end(block);
            rw.create(OpState::of::<YieldOp<'_>>(loc).operands(yields.into_iter().flatten()));
        } else {
            rw.move_to_end(nested, block);
        }
    }
    let results: Vec<ValueId> = rw.ir().results(op).collect();
    for (old, kept) in results.into_iter().zip(&plan.inits) {
        if let Some(kept) = kept {
            let replacement = rw.ir().result(new, *kept);
            rw.replace_all_uses(old, replacement);
        }
    }
    rw.erase(op);
    Ok(())
}

fn plan(nest: LinalgOp<'_>) -> Option<Plan> {
    let op = nest.op();
    let old = Generic::of(op)?;
    let yielded: Vec<ValueId> = nest.yielded()?.iter().map(|v| v.id()).collect();
    let mut dropped: Vec<usize> = Vec::new();
    let droppable = |dropped: &[usize]| {
        let maps: Vec<AffineMap> =
            old.maps.iter().enumerate().filter(|(i, _)| !dropped.contains(i)).map(|(_, &map)| map).collect();
        if maps.is_empty() { nest.num_loops() == 0 } else { covers_all_loops(op.cx(), &maps) }
    };
    let mut new =
        Generic { inputs: Vec::new(), inits: Vec::new(), maps: Vec::new(), results: Vec::new(), ..old.clone() };
    let (mut inputs, mut inits) = (Vec::new(), Vec::new());
    let mut seen: IndexMap<(ValueId, AffineMap), usize, FxBuildHasher> = IndexMap::default();
    for (i, &input) in old.inputs.iter().enumerate() {
        if !nest.reads_operand(i) {
            dropped.push(i);
            if droppable(&dropped) {
                inputs.push(None);
                continue;
            }
            dropped.pop();
        }
        if let Some(&same) = seen.get(&(input, old.maps[i])) {
            dropped.push(i);
            inputs.push(Some(same));
            continue;
        }
        seen.insert((input, old.maps[i]), new.inputs.len());
        inputs.push(Some(new.inputs.len()));
        new.inputs.push(input);
        new.maps.push(old.maps[i]);
    }
    let on_tensors = has_pure_tensor_semantics(op);
    let mut seen: IndexMap<(ValueId, AffineMap, ValueId), usize, FxBuildHasher> = IndexMap::default();
    for (i, &init) in old.inits.iter().enumerate() {
        let operand = old.inputs.len() + i;
        if on_tensors && is_dead(nest, i) {
            dropped.push(operand);
            if droppable(&dropped) {
                inits.push(None);
                continue;
            }
            dropped.pop();
        }
        let key = (init, old.maps[operand], yielded[i]);
        if on_tensors
            && !nest.reads_operand(operand)
            && let Some(&same) = seen.get(&key)
        {
            dropped.push(operand);
            inits.push(Some(same));
            continue;
        }
        seen.insert(key, new.inits.len());
        inits.push(Some(new.inits.len()));
        new.inits.push(init);
        new.maps.push(old.maps[operand]);
        new.results.extend(old.results.get(i));
    }
    Some(Plan { new, inputs, inits })
}

/// Whether nothing reads result `index`, not even the body through its init, save to yield it again.
fn is_dead(nest: LinalgOp<'_>, index: usize) -> bool {
    let op = nest.op();
    let operand = nest.inits().start() + index;
    if op.result(index).has_uses() {
        return false;
    }
    if !nest.reads_operand(operand) {
        return true;
    }
    let Some(arg) = nest.body().map(|body| body.arg(operand)) else { return false };
    let mut uses = arg.uses();
    matches!((uses.next(), uses.next()), (Some((user, at)), None) if user.is::<YieldOp<'_>>() && at == index)
}
