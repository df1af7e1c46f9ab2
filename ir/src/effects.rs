//! Memory effects and speculation, from traits, operand effects and hooks.
//!
//! Source of the rules: the MLIR documentation "Side Effects & Speculation".

use crate::entity::OpId;
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
    if !op.has_trait(&Trait::RecursiveMemoryEffects) {
        return own_effects(op);
    }
    let (root, arena) = (op.id(), op.arena());
    let mut all = Effects::NONE;
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        if std::ptr::eq(op.arena(), arena)
            && op.id() != root
            && let Some(effects) = known(op.id())
        {
            all = all.union(effects?);
            continue;
        }
        let recursive = op.has_trait(&Trait::RecursiveMemoryEffects);
        match own_effects(op) {
            Some(own) => all = all.union(own),
            None if recursive => {}
            None => return None,
        }
        if recursive {
            pending.extend(op.regions().flat_map(|region| region.ops()));
        }
    }
    Some(all)
}

/// The effects of `op` without its regions; `None` when nothing is said.
fn own_effects(op: OpRef<'_>) -> Option<Effects> {
    let info = op.info();
    if let Some(hook) = info.hooks.effects {
        return Some(hook(op));
    }
    let def = info.def.as_deref()?;
    let mut known = info.has_trait(&Trait::Pure) || info.has_trait(&Trait::NoMemoryEffect);
    let mut effects = Effects::NONE;
    for each in def.traits.iter() {
        if let Trait::MemoryEffects(of_op) = each {
            effects = effects.union(*of_op);
            known = true;
        }
    }
    for value in def.operands.iter().chain(def.results.iter()) {
        if !value.effects.is_empty() {
            effects = effects.union(value.effects);
            known = true;
        }
    }
    known.then_some(effects)
}

/// Whether `op` has no memory effect at all.
pub fn is_memory_effect_free(op: OpRef<'_>) -> bool {
    effects_of(op).is_some_and(Effects::is_empty)
}

/// Whether executing `op` where it was not executed before cannot be noticed but by its results.
pub fn is_speculatable(op: OpRef<'_>) -> bool {
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let info = op.info();
        if info.has_trait(&Trait::RecursivelySpeculatable) {
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
    would_be_trivially_dead_with(op, || effects_of(op))
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
