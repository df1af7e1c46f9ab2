//! Memory effects and speculation, from traits, operand effects and hooks.
//!
//! Source of the rules: the MLIR documentation "Side Effects & Speculation".

use smallvec::{SmallVec, smallvec};

use crate::entity::OpId;
use crate::facts::Fact;
use crate::opdef::{Effects, Trait};
use crate::view::OpRef;

/// The memory effects of `op`, those of the operations in its regions included where it says so. `None` when nothing is
/// known: the operation may do anything.
pub fn effects_of(op: OpRef<'_>) -> Option<Effects> {
    effects_with(op, |_| None)
}

/// The same, where `known` answers what has been found out about operations in the regions of `op`, in its arena: for a walk from
/// the inside out, which would else look at the innermost operations once for each operation around them.
pub fn effects_with(op: OpRef<'_>, known: impl Fn(OpId) -> Option<Option<Effects>>) -> Option<Effects> {
    effects_until(op, known, |_| false)
}

/// The same, where the rest does not matter once `enough` holds of what has been found.
fn effects_until(
    op: OpRef<'_>,
    known: impl Fn(OpId) -> Option<Option<Effects>>,
    enough: impl Fn(Effects) -> bool,
) -> Option<Effects> {
    // A pure operation, such as `tensor.pad`, speaks of itself, not of what is in its regions.
    let is_recursive = |op: OpRef<'_>| {
        op.has_trait(&Trait::RecursiveMemoryEffects) || op.num_regions() > 0 && op.has_trait(&Trait::Pure)
    };
    if !is_recursive(op) {
        return own_effects(op);
    }
    let mut all = own_effects(op).unwrap_or(Effects::NONE);
    let mut pending = vec![op];
    while let Some(outer) = pending.pop() {
        // All that stands right inside comes before what is inside that: often it is enough.
        for inner in outer.regions().flat_map(|region| region.ops()) {
            let found = if std::ptr::eq(inner.arena(), op.arena()) { known(inner.id()) } else { None };
            match found {
                Some(effects) => all = all.union(effects?),
                None if is_recursive(inner) => {
                    all = all.union(own_effects(inner).unwrap_or(Effects::NONE));
                    pending.push(inner);
                }
                None => all = all.union(own_effects(inner)?),
            }
            if enough(all) {
                return Some(all);
            }
        }
    }
    Some(all)
}

/// The effects of `op` without its regions; `None` when nothing is said.
#[inline]
fn own_effects(op: OpRef<'_>) -> Option<Effects> {
    let info = op.info();
    if let Some(hook) = info.hooks.effects {
        return Some(hook(op));
    }
    info.facts.effects
}

/// Whether `op` has no memory effect at all.
pub fn is_memory_effect_free(op: OpRef<'_>) -> bool {
    effects_until(op, |_| None, |found| !found.is_empty()).is_some_and(Effects::is_empty)
}

/// Whether executing `op` where it was not executed before cannot be noticed but by its results.
pub fn is_speculatable(op: OpRef<'_>) -> bool {
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let info = op.info();
        let is_allowed = || info.hooks.speculatable.is_some_and(|is_allowed| is_allowed(op));
        if info.has_trait(&Trait::RecursivelySpeculatable) || is_allowed() {
            pending.extend(op.regions().flat_map(|region| region.ops()));
        } else if !(info.has_trait(&Trait::Pure) || info.has_trait(&Trait::AlwaysSpeculatable)) {
            return false;
        }
    }
    true
}

/// Whether `op` may be moved and duplicated freely: no memory effect, and speculatable.
pub fn is_pure(op: OpRef<'_>) -> bool {
    is_memory_effect_free(op) && is_speculatable(op)
}

/// Whether `op` may be erased once its results are unused: nothing but reads, or allocations of its own results.
pub fn would_be_trivially_dead(op: OpRef<'_>) -> bool {
    let alive = |found: Effects| found.contains(Effects::WRITE) || found.contains(Effects::FREE);
    would_be_trivially_dead_with(op, || effects_until(op, |_| None, alive))
}

/// The same, where `effects` answers the effects of `op`.
pub fn would_be_trivially_dead_with(op: OpRef<'_>, effects: impl FnOnce() -> Option<Effects>) -> bool {
    let info = op.info();
    if !info.is_registered() || info.has_trait(&Trait::Terminator) || info.has_trait(&Trait::Symbol) {
        return false;
    }
    match effects() {
        Some(effects) if effects.contains(Effects::ALLOCATE) => {
            // The allocation must be of a result, not of something that outlives the operation.
            let of_result =
                info.def.as_ref().is_some_and(|d| d.results.iter().any(|r| r.effects.contains(Effects::ALLOCATE)));
            of_result && !effects.contains(Effects::WRITE) && !effects.contains(Effects::FREE)
        }
        Some(effects) => !effects.contains(Effects::WRITE) && !effects.contains(Effects::FREE),
        None => false,
    }
}

/// What was found to be observable in operations with regions of one arena, for drivers that ask again and again while they rewrite.
///
/// An answer counts for as long as the operation that it names is there. One that has been moved out since keeps what it stood in from
/// being dead until the next [`clear`](Self::clear).
#[derive(Default)]
pub(crate) struct Observed {
    /// By operation.
    witnesses: Vec<Option<OpId>>,
}

impl Observed {
    pub(crate) fn clear(&mut self) {
        self.witnesses.clear();
    }

    /// Whether nothing reads the results of `op` and nothing in it can be observed: [`OpRef::is_trivially_dead`]. Asking for all
    /// operations of a nest costs O(operations), whatever its depth.
    #[inline(always)]
    pub(crate) fn is_trivially_dead(&mut self, op: OpRef<'_>) -> bool {
        !op.has_used_results() && !op.info().has_fact(Fact::AlwaysNeeded) && self.is_unobserved(op)
    }

    /// The same, of an operation whose results nothing reads.
    fn is_unobserved(&mut self, op: OpRef<'_>) -> bool {
        if op.num_regions() == 0 || !op.has_trait(&Trait::RecursiveMemoryEffects) {
            return would_be_trivially_dead(op);
        }
        if self.witness(op).is_some() {
            return false;
        }
        let Some(found) = self.search(op) else { return would_be_trivially_dead(op) };
        let mut around = found.parent();
        while let Some(each) = around.filter(|each| std::ptr::eq(each.arena(), op.arena())) {
            let at = each.id().index();
            if at >= self.witnesses.len() {
                self.witnesses.resize(op.arena().num_op_slots(), None);
            }
            self.witnesses[at] = Some(found.id());
            around = if each.id() == op.id() { None } else { each.parent() };
        }
        false
    }

    fn witness(&self, op: OpRef<'_>) -> Option<OpId> {
        self.witnesses.get(op.id().index()).copied().flatten().filter(|&witness| op.arena().is_live(witness))
    }

    /// An operation in this arena for which all around it must stay, `op` included.
    fn search<'a>(&self, op: OpRef<'a>) -> Option<OpRef<'a>> {
        let is_observable = |effects: Effects| {
            [Effects::WRITE, Effects::FREE, Effects::ALLOCATE].iter().any(|&each| effects.contains(each))
        };
        let mut pending: SmallVec<[OpRef<'a>; 4]> = smallvec![op];
        while let Some(outer) = pending.pop() {
            for inner in outer.regions().flat_map(|region| region.ops()) {
                if !std::ptr::eq(inner.arena(), op.arena()) {
                    continue;
                }
                if let Some(witness) = self.witness(inner) {
                    return Some(OpRef::new(op.cx(), op.arena(), witness));
                }
                let is_recursive = inner.has_trait(&Trait::RecursiveMemoryEffects);
                match own_effects(inner) {
                    Some(effects) if is_observable(effects) => return Some(inner),
                    None if !is_recursive => return Some(inner),
                    _ => {}
                }
                if is_recursive {
                    pending.push(inner);
                }
            }
        }
        None
    }
}
