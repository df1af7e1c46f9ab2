//! What follows from the definition of an operation and is asked for often, worked out once: of a generated definition by the Rust compiler, since a
//! program that starts knows more than a thousand of them.

use std::borrow::Cow;

use crate::groups::Groups;
use crate::opdef::{Effects, OpDef, Presence, Trait, ValueDef};

/// A question about a definition whose answer is one bit. Kept with the flags of the traits, from the top bit down.
#[derive(Clone, Copy)]
pub(crate) enum Fact {
    /// There is a [`Trait::HasParent`].
    HasParent,
    /// There is a [`Trait::Predicate`].
    Predicate,
    /// There is a [`Trait::SingleBlockImplicitTerminator`].
    ImplicitTerminator,
    /// No regions, and no trait that speaks of any.
    NoRegions,
    /// It refers to symbols: there is a [`SymbolUser`](crate::interfaces::SymbolUser).
    SymbolUser,
    /// There is an attribute with a default that is not stored.
    Default,
    /// There are attributes, and of those that are numbers none is asked for more than its type.
    NumbersByType,
    /// It is never dead, whatever reads its results: it ends a block, is a symbol, or has effects that can be observed.
    AlwaysNeeded,
    /// Operations without regions and successors are right wherever they stand once one with the same types and attributes was: there are no
    /// hooks, and no traits that look at the place or beyond the operation.
    RightByKind,
}

impl Fact {
    pub(crate) const fn bit(self) -> u64 {
        1 << (63 - self as u64)
    }
}

/// What follows from a definition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// The traits without parameters, and each [`Fact`] that is known.
    pub(crate) flags: u64,
    /// The memory effects that are stated: not those of regions and of hooks. `None` when nothing is said.
    pub(crate) effects: Option<Effects>,
    pub(crate) operand_groups: Groups,
    pub(crate) result_groups: Groups,
}

impl Facts {
    /// Of an operation that nothing defines.
    pub(crate) const NONE: Self = Self {
        flags: 0,
        effects: None,
        operand_groups: Groups::Several { first: 0 },
        result_groups: Groups::Several { first: 0 },
    };

    /// What follows from `def`.
    pub(crate) const fn of(def: &OpDef) -> Self {
        let (operands, results) = (items(&def.operands), items(&def.results));
        let mut facts = Self {
            flags: of_attrs(def),
            effects: None,
            operand_groups: Groups::of(operands),
            result_groups: Groups::of(results),
        };
        facts.add_traits(items(&def.traits), items(&def.regions).is_empty());
        facts.add_effects(operands);
        facts.add_effects(results);
        facts
    }

    const fn add_traits(&mut self, traits: &[Trait], mut has_no_regions: bool) {
        let mut i = 0;
        while i < traits.len() {
            if let Some(flag) = traits[i].flag() {
                self.flags |= flag;
            }
            match &traits[i] {
                Trait::HasParent(_) => self.flags |= Fact::HasParent.bit(),
                Trait::Predicate { .. } => self.flags |= Fact::Predicate.bit(),
                Trait::SingleBlockImplicitTerminator(_) => self.flags |= Fact::ImplicitTerminator.bit(),
                Trait::SingleBlock | Trait::NoRegionArguments => has_no_regions = false,
                Trait::Pure | Trait::NoMemoryEffect => self.add_effect(Effects::NONE),
                Trait::MemoryEffects(of_op) => self.add_effect(*of_op),
                _ => {}
            }
            i += 1;
        }
        if has_no_regions {
            self.flags |= Fact::NoRegions.bit();
        }
    }

    const fn add_effects(&mut self, values: &[ValueDef]) {
        let mut i = 0;
        while i < values.len() {
            if !values[i].effects.is_empty() {
                self.add_effect(values[i].effects);
            }
            i += 1;
        }
    }

    const fn add_effect(&mut self, effects: Effects) {
        self.effects = Some(match self.effects {
            Some(others) => others.union(effects),
            None => effects,
        });
    }
}

/// The facts that attributes decide.
const fn of_attrs(def: &OpDef) -> u64 {
    let attrs = items(&def.attrs);
    let mut flags = 0;
    let mut by_type = !attrs.is_empty();
    let mut i = 0;
    while i < attrs.len() {
        if let Presence::Default(_) = attrs[i].presence {
            flags |= Fact::Default.bit();
        }
        by_type &= item(&attrs[i].constraint).by_type;
        i += 1;
    }
    if by_type { flags | Fact::NumbersByType.bit() } else { flags }
}

#[expect(clippy::ptr_arg, reason = "a constant function cannot dereference it")]
const fn items<'a, T: Clone>(list: &'a Cow<'static, [T]>) -> &'a [T] {
    match list {
        Cow::Borrowed(items) => items,
        Cow::Owned(items) => items.as_slice(),
    }
}

#[expect(clippy::ptr_arg, reason = "a constant function cannot dereference it")]
const fn item<'a, T: Clone>(one: &'a Cow<'static, T>) -> &'a T {
    match one {
        Cow::Borrowed(item) => item,
        Cow::Owned(item) => item,
    }
}
