//! Transfers of the parts of a vector one after the other.

use dl_arith::Build;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::rewrite::Rewrite;
use dl_ir::{OpId, Rewriter, Type, ValueId};
use dl_passes_vector::build::{VectorBuild, without_leading};
use dl_passes_vector::transfer::Direction;
use dl_vector::types::extents;
use dl_vector::{ExtractOp, InsertOp};

use super::Target;
use super::step::Step;

pub(super) fn lower(op: OpId, rw: &mut Rewriter<'_>, target: Target) -> Rewrite {
    let step = Step::of(op, rw, target)?;
    let loc = rw.op(op).loc();
    match step.transfer.direction {
        Direction::Read { vector, padding } => {
            // Where the vector is only inserted into another one, its parts are: it is the insertion that is replaced.
            let user = {
                let result = rw.op(op).result(0);
                let mut uses = result.uses();
                let first = uses.next().filter(|(user, at)| user.is::<InsertOp<'_>>() && *at == 0);
                first.filter(|_| uses.next().is_none()).map(|(user, _)| user.id())
            };
            let user = user.filter(|&user| can_move(rw, op, user));
            let into = user.map(|user| {
                let insert = InsertOp(rw.op(user));
                let fixed: Vec<i64> = insert.static_position().dense_ints().collect();
                (insert.dest().id(), mixed(&fixed, insert.dynamic_position()))
            });
            rw.set_insertion_before(user.unwrap_or(op));
            let mut b = Build::new(rw, loc);
            let (whole, prefix) = match &into {
                Some((dest, prefix)) => (*dest, prefix.clone()),
                None => (b.broadcast(padding, vector), Indices::new()),
            };
            let value = read(&mut b, &step, vector, whole, &prefix, target.rank);
            match user {
                Some(user) => {
                    rw.replace(user, &[value]);
                    rw.erase(op);
                }
                None => rw.replace(op, &[value]),
            }
        }
        Direction::Write { vector, result } => {
            let from = rw.value(vector).def::<ExtractOp<'_>>().map(|extract| {
                let fixed: Vec<i64> = extract.static_position().dense_ints().collect();
                (extract.source().id(), mixed(&fixed, extract.dynamic_position()))
            });
            let (whole, prefix) = from.unwrap_or((vector, Indices::new()));
            let ty = rw.ir().value_type(vector);
            rw.set_insertion_before(op);
            let mut b = Build::new(rw, loc);
            let value = write(&mut b, &step, ty, whole, &prefix, target.rank);
            match result {
                Some(_) => rw.replace(op, &[value]),
                None => rw.erase(op),
            }
        }
    }
    Ok(())
}

/// Whether a read may happen as late as at `user`: right behind it, but for what has no effects.
fn can_move(rw: &Rewriter<'_>, read: OpId, user: OpId) -> bool {
    let mut next = rw.op(read).next();
    while let Some(op) = next.filter(|op| op.id() != user) {
        if !dl_ir::effects::is_memory_effect_free(op) {
            return false;
        }
        next = op.next();
    }
    next.is_some()
}

/// The mask of the part at `number`.
fn mask_at(b: &mut Build<'_, '_>, step: &Step, number: i64) -> Option<ValueId> {
    let mask = step.mask?;
    if step.dim(b).is_none() {
        return Some(mask);
    }
    (extents(b.value_type(mask)).len() > 1).then(|| b.part(mask, &[number]))
}

/// Reads a vector of type `ty` into the part of `whole` at `prefix`.
fn read(b: &mut Build<'_, '_>, step: &Step, ty: Type, mut whole: ValueId, prefix: &Indices, rank: usize) -> ValueId {
    let Direction::Read { padding, .. } = step.transfer.direction else { return whole };
    let (cx, of_whole) = (b.cx(), b.ir().value_type(whole));
    let inner_type = without_leading(cx.ty(ty), 1);
    for number in 0..extents(cx.ty(ty))[0] {
        let at = b.constant_index(number);
        let before = whole;
        let inside = |b: &mut Build<'_, '_>| {
            let indices = step.indices_at(b, at);
            let mut prefix = prefix.clone();
            prefix.push(Index::Static(number));
            let mut inner = step.inner(b, indices, Direction::Read { vector: inner_type, padding });
            inner.mask = mask_at(b, step, number);
            if extents(cx.ty(inner_type)).len() > rank {
                return Some(read(b, &inner, inner_type, before, &prefix, rank));
            }
            let mut part = inner.make(b)?;
            if extents(cx.ty(inner_type)).is_empty() {
                part = b.part(part, &[]);
            }
            Some(b.with_part_at(part, before, &prefix))
        };
        whole = step.guarded(b, at, Some(of_whole), inside, |_| Some(before)).unwrap_or(before);
    }
    whole
}

/// Writes the part of `whole` at `prefix`, a vector of type `ty`. Answers the tensor that results, or any value for a memref.
fn write(b: &mut Build<'_, '_>, step: &Step, ty: Type, whole: ValueId, prefix: &Indices, rank: usize) -> ValueId {
    let mut base = step.transfer.base;
    let Direction::Write { result, .. } = step.transfer.direction else { return base };
    let cx = b.cx();
    let inner_type = without_leading(cx.ty(ty), 1);
    for number in 0..extents(cx.ty(ty))[0] {
        let at = b.constant_index(number);
        let before = base;
        let inside = |b: &mut Build<'_, '_>| {
            let indices = step.indices_at(b, at);
            let mut prefix = prefix.clone();
            prefix.push(Index::Static(number));
            let deeper = extents(cx.ty(inner_type)).len() > rank;
            let vector = if deeper {
                whole
            } else {
                let part = b.part_at(whole, &prefix);
                if b.value_type(part).is_vector() { part } else { b.broadcast(part, inner_type) }
            };
            let mut inner = step.inner(b, indices, Direction::Write { vector, result });
            inner.transfer.base = before;
            inner.mask = mask_at(b, step, number);
            if deeper {
                return Some(write(b, &inner, inner_type, whole, &prefix, rank)).filter(|_| result.is_some());
            }
            inner.make(b)
        };
        let next = step.guarded(b, at, result, inside, |_| result.map(|_| before));
        base = next.filter(|_| result.is_some()).unwrap_or(before);
    }
    base
}
