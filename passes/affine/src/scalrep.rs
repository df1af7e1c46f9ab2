//! `affine-scalrep`: values go from stores to loads, and from loads to loads, without memory between.
//!
//! Legal where the first access comes before the second on all ways there, both are of the same element, and nothing between writes it. Only
//! what stands in one block, or deeper in a later operation of it, counts as after an access.

use dl_ir::opdef::Effects;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::{ops_in_arena, ops_in_arena_post_order};
use dl_ir::{Arena, OpId, OpRef, Rewriter, Trait, ValueId};
use dl_passes_transforms::alias::{Alias, alias, is_allocated};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::access::{Access, is_load, is_store, levels_around};
use crate::dependence::{Meeting, meeting};

/// Forwards stored values to loads, drops stores that are overwritten and buffers that are only written, and loads only once.
#[derive(Clone, Copy, Default)]
pub struct AffineScalarReplacement;

impl Pass for AffineScalarReplacement {
    const INFO: PassInfo = PassInfo::new(
        "affine-scalrep",
        "Replace affine memref accesses by scalars by forwarding stores to loads and eliminating redundant loads",
    )
    .title("AffineScalarReplacement")
    .on("func.func");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        let candidates = forward_stores(&mut rw);
        drop_overwritten_stores(&mut rw);
        candidates.into_iter().for_each(|buffer| drop_if_only_written(&mut rw, buffer));
        reuse_loads(&mut rw);
        Ok(())
    }
}

/// The operations of the function that `which` holds of, inner ones first.
fn all(rw: &Rewriter<'_>, which: fn(OpRef<'_>) -> bool) -> Vec<OpId> {
    let all = ops_in_arena_post_order(rw.ir(), Arena::ROOT);
    all.into_iter().filter(|&op| which(rw.op(op))).collect()
}

/// Gives loads the values that have been stored; answers the buffers of those.
fn forward_stores(rw: &mut Rewriter<'_>) -> Vec<ValueId> {
    let mut buffers: Vec<ValueId> = Vec::new();
    let mut found: Vec<(OpId, ValueId)> = Vec::new();
    for op in all(rw, is_load) {
        let Some(load) = Access::of(rw.op(op)) else { continue };
        let stores = load.memref.uses().filter(|(user, at)| is_store(*user) && *at == 1);
        let value = stores
            .filter_map(|(user, _)| Access::of(user))
            .find(|store| store.is_same_as(&load) && reaches(store, &load, Effects::WRITE))
            .map(|store| store.op.operand(0).id());
        if let Some(value) =
            value.filter(|&value| rw.ir().value_type(value) == rw.ir().value_type(rw.ir().result(op, 0)))
        {
            if !buffers.contains(&load.memref.id()) {
                buffers.push(load.memref.id());
            }
            found.push((op, value));
        }
    }
    replace_loads(rw, &found);
    buffers
}

/// Erases stores that another one overwrites before anything reads them.
fn drop_overwritten_stores(rw: &mut Rewriter<'_>) {
    let mut dead: FxHashSet<OpId> = FxHashSet::default();
    for op in all(rw, is_store) {
        let Some(first) = Access::of(rw.op(op)) else { continue };
        let others = first.memref.uses().filter(|(user, at)| is_store(*user) && *at == 1 && user.id() != op);
        let is_overwritten = others
            .filter(|(user, _)| user.block() == first.op.block())
            .filter_map(|(user, _)| Access::of(user))
            .any(|second| second.is_same_as(&first) && is_quiet_between(&first, &second, Effects::READ));
        if is_overwritten {
            dead.insert(op);
        }
    }
    let mut dead: Vec<OpId> = dead.into_iter().collect();
    dead.sort_unstable();
    dead.into_iter().for_each(|op| rw.erase(op));
}

/// Erases a buffer that is allocated here and then only written and freed, with all of that.
fn drop_if_only_written(rw: &mut Rewriter<'_>, buffer: ValueId) {
    let view = rw.value(buffer);
    let Some(made) = view.defining_op().filter(|_| is_allocated(view)) else { return };
    let frees = |user: OpRef<'_>| dl_ir::effects::effects_of(user) == Some(Effects::FREE);
    let only_written = view.uses().all(|(user, at)| is_store(user) && at == 1 || frees(user));
    if !only_written || made.num_results() != 1 {
        return;
    }
    let made = made.id();
    let mut users: Vec<OpId> = view.uses().map(|(user, _)| user.id()).collect();
    users.dedup();
    users.into_iter().for_each(|user| rw.erase(user));
    rw.erase(made);
}

/// Replaces loads by earlier loads of the same element.
fn reuse_loads(rw: &mut Rewriter<'_>) {
    let mut found: Vec<(OpId, ValueId)> = Vec::new();
    for op in all(rw, is_load) {
        let Some(load) = Access::of(rw.op(op)) else { continue };
        let ty = rw.ir().value_type(rw.ir().result(op, 0));
        let earlier: Vec<OpId> = load
            .memref
            .uses()
            .filter(|(user, at)| is_load(*user) && *at == 0 && user.id() != op)
            .filter(|(user, _)| user.result(0).ty().id() == ty)
            .filter_map(|(user, _)| Access::of(user))
            .filter(|other| other.is_same_as(&load) && is_quiet_between(other, &load, Effects::WRITE))
            .map(|other| other.op.id())
            .collect();
        // The one that comes before all others.
        let is_first = |&candidate: &OpId| {
            earlier.iter().all(|&other| other == candidate || after(rw.op(candidate), rw.op(other)).is_some())
        };
        if let Some(first) = earlier.iter().copied().find(is_first) {
            found.push((op, rw.ir().result(first, 0)));
        }
    }
    replace_loads(rw, &found);
}

/// Replaces the results of loads. What stands for one may itself be the result of one that is replaced.
fn replace_loads(rw: &mut Rewriter<'_>, found: &[(OpId, ValueId)]) {
    let known: FxHashMap<ValueId, ValueId> = found.iter().map(|&(op, value)| (rw.ir().result(op, 0), value)).collect();
    for &(op, mut value) in found {
        while let Some(&next) = known.get(&value) {
            value = next;
        }
        rw.replace_all_uses(rw.ir().result(op, 0), value);
    }
    found.iter().for_each(|&(op, _)| rw.erase(op));
}

/// Whether what `store` stores is what `load`, of the same element, loads.
fn reaches(store: &Access<'_>, load: &Access<'_>, effect: Effects) -> bool {
    let meets = match meeting(store, load) {
        Meeting::Where(pair) => pair.is_dependence_at(pair.depth()),
        Meeting::Never | Meeting::Unknown => false,
    };
    meets && is_quiet_between(store, load, effect)
}

/// The operation of the block of `first` that holds `second`, where that comes after `first`.
fn after<'a>(first: OpRef<'a>, second: OpRef<'a>) -> Option<OpRef<'a>> {
    let holder = std::iter::successors(Some(second), |op| op.parent()).find(|op| op.block() == first.block())?;
    let is_later = holder != first && first.arena().is_before_in_block(first.id(), holder.id());
    is_later.then_some(holder)
}

/// Whether `second` comes after `first` on all ways to it, and nothing between has the effect on what `second` accesses.
fn is_quiet_between(first: &Access<'_>, second: &Access<'_>, effect: Effects) -> bool {
    let Some(holder) = after(first.op, second.op) else { return false };
    let Some(common) = levels_around(first.op, second.op) else { return false };
    let mut next = first.op.next();
    while let Some(op) = next.filter(|&op| op != holder) {
        if may_touch(op, second, effect, common) {
            return false;
        }
        next = op.next();
    }
    holder == second.op || !may_touch(holder, second, effect, common)
}

/// Whether `op` or something in it may have the effect on what `access` accesses, in one iteration of the `common` outermost loops.
fn may_touch(op: OpRef<'_>, access: &Access<'_>, effect: Effects, common: usize) -> bool {
    ops_in_arena(op.arena(), op.id()).into_iter().any(|id| {
        let each = OpRef::new(op.cx(), op.arena(), id);
        if each == access.op || each.has_trait(&Trait::RecursiveMemoryEffects) && own_effects_are_none(each) {
            return false;
        }
        match dl_ir::effects::effects_of(each) {
            Some(effects) if !effects.contains(effect) => false,
            None => true,
            Some(_) => may_conflict(each, access, common),
        }
    })
}

/// Whether the operation says nothing of its own effects, beyond those in its regions, which are looked at one by one.
fn own_effects_are_none(op: OpRef<'_>) -> bool {
    op.info().hooks.effects.is_none() && !op.is_stub()
}

fn may_conflict(op: OpRef<'_>, access: &Access<'_>, common: usize) -> bool {
    let Some(other) = Access::of(op) else {
        let mut buffers = op.operands().iter().filter(|value| value.ty().is_memref()).peekable();
        return buffers.peek().is_none() || buffers.any(|value| alias(value, access.memref) != Alias::No);
    };
    match alias(other.memref, access.memref) {
        Alias::No => false,
        Alias::May => true,
        Alias::Must => match meeting(&other, access) {
            Meeting::Never => false,
            Meeting::Unknown => true,
            Meeting::Where(pair) => (common..=pair.depth()).any(|level| pair.is_dependence_at(level)),
        },
    }
}
