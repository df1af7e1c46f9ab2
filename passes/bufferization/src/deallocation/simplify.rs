//! `buffer-deallocation-simplification`: what is known not to alias is split apart, and conditions that follow are computed
//! now rather than by comparing pointers when the program runs.

use dl_bufferization::DeallocOp;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};

use super::insert::dealloc_op;
use super::origin::{Source, alone, same_allocation};
use super::ownership::constant;

/// The parts of a `bufferization.dealloc`.
struct Parts {
    memrefs: Vec<ValueId>,
    conditions: Vec<ValueId>,
    retained: Vec<ValueId>,
}

fn parts(op: OpRef<'_>) -> Parts {
    let dealloc = DeallocOp(op);
    Parts {
        memrefs: dealloc.memrefs().ids().to_vec(),
        conditions: dealloc.conditions().ids().to_vec(),
        retained: dealloc.retained().ids().to_vec(),
    }
}

/// Where buffers come from.
fn sources<'a>(rw: &'a Rewriter<'_>, buffers: &[ValueId]) -> Vec<Source<'a>> {
    buffers.iter().map(|&buffer| Source::of(rw.value(buffer))).collect()
}

/// A buffer that is one of those retained and cannot be another one is not freed here: whoever gets it owns it if it is owned
/// here.
fn drop_retained(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let old = parts(rw.op(op));
    let distinct = old.retained.iter().enumerate().all(|(i, value)| !old.retained[..i].contains(value));
    if !distinct {
        return Err(NoMatch("a buffer is retained twice"));
    }
    let loc = rw.op(op).loc();
    let (mut memrefs, mut conditions, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
    for (&memref, &condition) in old.memrefs.iter().zip(&old.conditions) {
        if let Some(same) = retained_as(rw, memref, &old.retained) {
            dropped.push((condition, same));
        } else {
            memrefs.push(memref);
            conditions.push(condition);
        }
    }
    if dropped.is_empty() {
        return Err(NoMatch("no buffer is certainly retained"));
    }
    rw.set_insertion_before(op);
    let new = dealloc_op(rw, loc, &memrefs, &conditions, &old.retained);
    let mut updated: Vec<ValueId> = rw.ir().results(new).collect();
    for (condition, same) in dropped.into_iter().rev() {
        for i in same {
            let i1 = rw.cx().i1_type();
            let either = OpState::of::<dl_arith::OrIOp<'_>>(loc).operands([updated[i], condition]).results([i1]);
            updated[i] = rw.create_value(either);
        }
    }
    rw.replace(op, &updated);
    Ok(())
}

/// The retained buffers that `memref` certainly is, if there is one and none of them is in doubt.
fn retained_as(rw: &Rewriter<'_>, memref: ValueId, retained: &[ValueId]) -> Option<Vec<usize>> {
    let mut same = Vec::new();
    for (i, &value) in retained.iter().enumerate() {
        if same_allocation(rw.value(value), rw.value(memref))? {
            same.push(i);
        }
    }
    (!same.is_empty()).then_some(same)
}

/// A retained buffer that none of those to be freed can be gets no ownership here.
fn drop_unrelated_retained(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let old = parts(rw.op(op));
    let (retained, memrefs) = (sources(rw, &old.retained), sources(rw, &old.memrefs));
    let may_alias = |value: &Source<'_>| memrefs.iter().any(|memref| memref.is_same_allocation(value) != Some(false));
    let related: Vec<bool> = retained.iter().map(may_alias).collect();
    if related.iter().all(|&related| related) {
        return Err(NoMatch("every retained buffer may be freed"));
    }
    let loc = rw.op(op).loc();
    rw.set_insertion_before(op);
    let not_owned = constant(rw, loc, false);
    let kept: Vec<ValueId> =
        old.retained.iter().zip(&related).filter(|(_, related)| **related).map(|(&v, _)| v).collect();
    let new = dealloc_op(rw, loc, &old.memrefs, &old.conditions, &kept);
    let mut updated = rw.ir().results(new).collect::<Vec<_>>().into_iter();
    let values: Vec<ValueId> =
        related.iter().map(|&related| if related { updated.next().unwrap_or(not_owned) } else { not_owned }).collect();
    rw.replace(op, &values);
    Ok(())
}

/// A buffer that none of the others can be is freed by an operation of its own.
fn split_unrelated(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let old = parts(rw.op(op));
    if old.memrefs.len() < 2 {
        return Err(NoMatch("there is only one buffer"));
    }
    let alone = alone(&sources(rw, &old.memrefs));
    if !alone.contains(&true) {
        return Err(NoMatch("every buffer may be another one"));
    }
    let loc = rw.op(op).loc();
    rw.set_insertion_before(op);
    let (mut memrefs, mut conditions, mut split) = (Vec::new(), Vec::new(), Vec::new());
    for (i, &alone) in alone.iter().enumerate() {
        if alone {
            split.push(dealloc_op(rw, loc, &old.memrefs[i..=i], &old.conditions[i..=i], &old.retained));
        } else {
            memrefs.push(old.memrefs[i]);
            conditions.push(old.conditions[i]);
        }
    }
    let rest = dealloc_op(rw, loc, &memrefs, &conditions, &old.retained);
    let mut updated: Vec<ValueId> = rw.ir().results(rest).collect();
    for dealloc in split {
        for (i, value) in updated.iter_mut().enumerate() {
            let other = rw.ir().result(dealloc, i);
            let i1 = rw.cx().i1_type();
            let either = OpState::of::<dl_arith::OrIOp<'_>>(loc).operands([*value, other]).results([i1]);
            *value = rw.create_value(either);
        }
    }
    rw.replace(op, &updated);
    Ok(())
}

/// A buffer that is always owned and certainly is a retained one is not freed; the retained one is owned for certain. It stays among those retained
/// where it may be another buffer as well, which is not to be freed then.
fn settle_always_owned(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let old = parts(rw.op(op));
    let loc = rw.op(op).loc();
    let is_true = |value: ValueRef<'_>| value.constant().and_then(|c| c.as_bool()) == Some(true);
    let mut settled: Vec<Option<ValueId>> = vec![None; old.retained.len()];
    let (mut memrefs, mut conditions) = (Vec::new(), Vec::new());
    for (&memref, &condition) in old.memrefs.iter().zip(&old.conditions) {
        let mut is_retained = false;
        for (i, &value) in old.retained.iter().enumerate() {
            let same = same_allocation(rw.value(value), rw.value(memref)) == Some(true);
            if same && is_true(rw.value(condition)) {
                settled[i] = Some(condition);
                is_retained = true;
            }
        }
        if !is_retained {
            memrefs.push(memref);
            conditions.push(condition);
        }
    }
    if memrefs.len() == old.memrefs.len() {
        return Err(NoMatch("nothing that is always owned is retained"));
    }
    let freed = sources(rw, &memrefs);
    let is_kept = |(value, settled): (&ValueId, &Option<ValueId>)| {
        let source = Source::of(rw.value(*value));
        settled.is_none() || freed.iter().any(|memref| memref.is_same_allocation(&source) != Some(false))
    };
    let is_kept: Vec<bool> = old.retained.iter().zip(&settled).map(is_kept).collect();
    let kept: Vec<ValueId> = old.retained.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(&v, _)| v).collect();
    rw.set_insertion_before(op);
    let new = dealloc_op(rw, loc, &memrefs, &conditions, &kept);
    let mut updated = rw.ir().results(new).collect::<Vec<_>>().into_iter();
    let values = settled.iter().zip(is_kept).filter_map(|(settled, kept)| {
        let result = if kept { updated.next() } else { None };
        settled.or(result)
    });
    let values: Vec<ValueId> = values.collect();
    rw.replace(op, &values);
    Ok(())
}

/// The patterns of the pass, without the canonicalizations of the operation.
pub(super) fn patterns() -> Patterns {
    let root = Some(DeallocOp::NAME);
    let mut patterns = Patterns::new();
    patterns
        .add_fn("dealloc-drop-retained", root, drop_retained)
        .add_fn("dealloc-drop-unrelated-retained", root, drop_unrelated_retained)
        .add_fn("dealloc-split-unrelated", root, split_unrelated)
        .add_fn("dealloc-settle-always-owned", root, settle_always_owned);
    patterns
}
