//! `affine-scalrep`: values go from stores to loads, and from loads to loads, without memory between.
//!
//! Legal where the first access comes before the second on all ways there, both are of the same element, and nothing between writes it. Only
//! what stands in one block, or deeper in a later operation of it, counts as after an access.

use dl_ir::affine::AffineMap;
use dl_ir::opdef::Effects;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, BlockId, BlockRef, OpId, OpRef, Rewriter, Trait, TypeRef, ValueId};
use dl_passes_transforms::alias::{Alias, alias, is_allocated};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::access::{Access, is_store, levels_around};
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

/// All affine accesses of a function, found by what they touch and where they stand.
struct Accesses<'a> {
    /// In program order.
    all: Vec<Access<'a>>,
    /// The number of each in `all`.
    number: FxHashMap<OpId, usize>,
    /// Numbers of those that touch the same elements, stand in one block, and write, or do not: in program order.
    places: FxHashMap<Place, Vec<usize>>,
}

/// What [`Accesses::places`] are found by.
#[derive(PartialEq, Eq, Hash)]
struct Place {
    block: Option<BlockId>,
    is_write: bool,
    memref: ValueId,
    map: AffineMap,
    operands: SmallVec<[ValueId; 4]>,
    shape: SmallVec<[i64; 2]>,
}

impl<'a> Accesses<'a> {
    fn of(rw: &'a Rewriter<'_>) -> Self {
        let ops = ops_in_arena(rw.ir(), Arena::ROOT);
        let all: Vec<Access<'a>> = ops.into_iter().filter_map(|op| Access::of(rw.op(op))).collect();
        let number = all.iter().enumerate().map(|(i, access)| (access.op.id(), i)).collect();
        let mut places: FxHashMap<Place, Vec<usize>> = FxHashMap::default();
        for (i, access) in all.iter().enumerate() {
            places.entry(place(access, access.op.block(), access.is_write)).or_default().push(i);
        }
        Self { all, number, places }
    }

    fn loads(&self) -> impl Iterator<Item = &Access<'a>> {
        self.all.iter().filter(|access| !access.is_write)
    }

    /// The accesses of the elements that `access` touches that come before it on all ways there, stores or loads, the last one first. Costs
    /// O(nesting) and what is taken of them.
    fn before<'s>(&'s self, access: &'s Access<'a>, is_write: bool) -> impl Iterator<Item = &'s Access<'a>> {
        let around = std::iter::successors(Some(access.op), |op| op.parent());
        around.flat_map(move |holder| {
            let same = self.places.get(&place(access, holder.block(), is_write)).map_or(&[][..], Vec::as_slice);
            let is_before = |&&i: &&usize| holder.arena().is_before_in_block(self.all[i].op.id(), holder.id());
            let end = same.partition_point(|i| is_before(&i));
            same[..end].iter().rev().map(|&i| &self.all[i])
        })
    }

    /// The next store after `store` in its block to the elements that it stores to.
    fn next_store(&self, store: &Access<'a>) -> Option<&Access<'a>> {
        let same = self.places.get(&place(store, store.op.block(), true))?;
        let own = self.number.get(&store.op.id())?;
        same.get(same.binary_search(own).ok()? + 1).map(|&i| &self.all[i])
    }
}

fn place(access: &Access<'_>, block: Option<BlockRef<'_>>, is_write: bool) -> Place {
    Place {
        block: block.map(|block| block.id()),
        is_write,
        memref: access.memref.id(),
        map: access.map,
        operands: access.operands.iter().map(|value| value.id()).collect(),
        shape: SmallVec::from_vec(access.shape()),
    }
}

/// Gives loads the values that have been stored; answers the buffers of those.
fn forward_stores(rw: &mut Rewriter<'_>) -> Vec<ValueId> {
    let (mut buffers, mut known) = (Vec::new(), FxHashSet::default());
    let mut found: Vec<(OpId, ValueId)> = Vec::new();
    let accesses = Accesses::of(rw);
    for load in accesses.loads() {
        // What comes between an earlier one and the load also comes between that and the load.
        let quiet =
            accesses.before(load, true).take_while(|store| accesses.is_quiet_between(store, load, Effects::WRITE));
        let value = quiet.into_iter().find(|store| meets(store, load)).map(|store| store.op.operand(0));
        if let Some(value) = value.filter(|value| value.ty() == value_type(load)) {
            if known.insert(load.memref.id()) {
                buffers.push(load.memref.id());
            }
            found.push((load.op.id(), value.id()));
        }
    }
    replace_loads(rw, &found);
    buffers
}

/// Erases stores that another one overwrites before anything reads them.
fn drop_overwritten_stores(rw: &mut Rewriter<'_>) {
    let accesses = Accesses::of(rw);
    let is_overwritten = |first: &&Access<'_>| {
        accesses.next_store(first).is_some_and(|second| accesses.is_quiet_between(first, second, Effects::READ))
    };
    let stores = accesses.all.iter().filter(|access| access.is_write);
    let dead: Vec<OpId> = stores.filter(is_overwritten).map(|store| store.op.id()).collect();
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
    let accesses = Accesses::of(rw);
    for load in accesses.loads() {
        let same_type = accesses.before(load, false).filter(|other| value_type(other) == value_type(load));
        let quiet = same_type.take_while(|other| accesses.is_quiet_between(other, load, Effects::WRITE));
        if let Some(first) = quiet.last() {
            found.push((load.op.id(), first.op.result(0).id()));
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

/// The type of what is loaded.
fn value_type<'a>(load: &Access<'a>) -> TypeRef<'a> {
    load.op.result(0).ty()
}

/// Whether `load` can see what `store`, of the same element, stores in the same iteration of the loops around both.
fn meets(store: &Access<'_>, load: &Access<'_>) -> bool {
    match meeting(store, load) {
        Meeting::Where(pair) => pair.is_dependence_at(pair.depth()),
        Meeting::Never | Meeting::Unknown => false,
    }
}

/// The operation of the block of `first` that holds `second`, where that comes after `first`.
fn after<'a>(first: OpRef<'a>, second: OpRef<'a>) -> Option<OpRef<'a>> {
    let ir = first.arena();
    let holder = ir.ancestor_in_block(second.id(), first.block()?.id())?;
    let is_later = holder != first.id() && ir.is_before_in_block(first.id(), holder);
    is_later.then(|| OpRef::new(first.cx(), ir, holder))
}

impl<'a> Accesses<'a> {
    /// Whether `second` comes after `first` on all ways to it, and nothing between has the effect on what `second` accesses.
    fn is_quiet_between(&self, first: &Access<'a>, second: &Access<'a>, effect: Effects) -> bool {
        let Some(holder) = after(first.op, second.op) else { return false };
        let Some(common) = levels_around(first.op, second.op) else { return false };
        let mut next = first.op.next();
        while let Some(op) = next.filter(|&op| op != holder) {
            if self.may_touch(op, second, effect, common) {
                return false;
            }
            next = op.next();
        }
        holder == second.op || !self.may_touch(holder, second, effect, common)
    }

    /// Whether `op` or something in it may have the effect on what `access` accesses, in one iteration of the `common` outermost loops.
    fn may_touch(&self, op: OpRef<'a>, access: &Access<'a>, effect: Effects, common: usize) -> bool {
        let touches = |each: OpRef<'a>| {
            if each == access.op || each.has_trait(&Trait::RecursiveMemoryEffects) && own_effects_are_none(each) {
                return false;
            }
            match dl_ir::effects::effects_of(each) {
                Some(effects) if !effects.contains(effect) => false,
                None => true,
                Some(_) => self.may_conflict(each, access, common),
            }
        };
        if op.num_regions() == 0 {
            return touches(op);
        }
        ops_in_arena(op.arena(), op.id()).into_iter().any(|id| touches(OpRef::new(op.cx(), op.arena(), id)))
    }

    fn may_conflict(&self, op: OpRef<'a>, access: &Access<'a>, common: usize) -> bool {
        let Some(&other) = self.number.get(&op.id()) else {
            let mut buffers = op.operands().iter().filter(|value| value.ty().is_memref()).peekable();
            return buffers.peek().is_none() || buffers.any(|value| alias(value, access.memref) != Alias::No);
        };
        let other = &self.all[other];
        match alias(other.memref, access.memref) {
            Alias::No => false,
            Alias::May => true,
            Alias::Must => match meeting(other, access) {
                Meeting::Never => false,
                Meeting::Unknown => true,
                Meeting::Where(pair) => (common..=pair.depth()).any(|level| pair.is_dependence_at(level)),
            },
        }
    }
}

/// Whether the operation says nothing of its own effects, beyond those in its regions, which are looked at one by one.
fn own_effects_are_none(op: OpRef<'_>) -> bool {
    op.info().hooks.effects.is_none() && !op.is_stub()
}
