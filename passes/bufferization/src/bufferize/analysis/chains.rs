//! Following tensors backwards from a use to the values whose buffer they may be in.

use dl_ir::{ValueId, ValueRef};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{Analysis, owner};
use crate::bufferize::operand::{Operand, Relation};

/// How [`Analysis::reverse_chain`] walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traversal {
    /// Whether values from which the walk cannot go on are found too.
    pub include_leaves: bool,
    /// Whether the walk stops where buffers are not equivalent.
    pub only_equivalent: bool,
    /// Whether the walk stops where operands are not in place.
    pub only_in_place: bool,
    /// Whether the walk stops where the type changes, but for casts.
    pub only_same_type_or_casts: bool,
    /// Whether the walk goes on through operations that nothing is known of.
    pub through_unknown: bool,
}

impl Default for Traversal {
    fn default() -> Self {
        Self {
            include_leaves: true,
            only_equivalent: false,
            only_in_place: false,
            only_same_type_or_casts: false,
            through_unknown: false,
        }
    }
}

impl Analysis<'_> {
    /// Walks from `start` backwards over operands that a value may alias, up to the values for which `found` holds, and
    /// answers those; with [`Traversal::include_leaves`] also the values where the walk ends otherwise.
    pub fn reverse_chain(
        &self,
        start: ValueRef<'_>,
        config: Traversal,
        found: impl Fn(ValueRef<'_>) -> bool,
    ) -> IndexSet<ValueId, FxBuildHasher> {
        self.reverse_chain_along(start, config, found, |_| {})
    }

    /// The same; `visit` is called with each operand that the walk follows.
    pub fn reverse_chain_along(
        &self,
        start: ValueRef<'_>,
        config: Traversal,
        found: impl Fn(ValueRef<'_>) -> bool,
        mut visit: impl FnMut(Operand<'_>),
    ) -> IndexSet<ValueId, FxBuildHasher> {
        let (cx, ir) = (self.cx(), start.arena());
        let mut result = IndexSet::default();
        let mut seen = FxHashSet::default();
        let mut pending: IndexSet<ValueId, FxBuildHasher> = IndexSet::from_iter([start.id()]);
        while let Some(id) = pending.pop() {
            let value = ValueRef::new(cx, ir, id);
            if !seen.insert(id) {
                if config.include_leaves {
                    result.insert(id);
                }
                continue;
            }
            if found(value) {
                result.insert(id);
                continue;
            }
            let known = owner(value).is_some_and(|op| self.options().interface(op).is_some());
            let operands =
                if known || config.through_unknown { self.aliasing_operands(value) } else { Default::default() };
            if operands.is_empty() {
                if config.include_leaves {
                    result.insert(id);
                }
                continue;
            }
            for alias in operands {
                let operand = Operand::new(dl_ir::OpRef::new(cx, ir, alias.operand.op), alias.operand.index);
                let is_cast = || value.defining_op().is_some_and(|op| op.info().name.ends_with(".cast"));
                let stop = (config.only_equivalent && alias.relation != Relation::Equivalent)
                    || (config.only_in_place && !self.is_in_place(operand))
                    || (config.only_same_type_or_casts && operand.value().ty() != value.ty() && !is_cast());
                if !stop {
                    visit(operand);
                    pending.insert(operand.value().id());
                } else if config.include_leaves {
                    result.insert(id);
                }
            }
        }
        result
    }

    /// The values that may have written what `operand` reads last. Empty when nothing has.
    pub fn definitions(&self, operand: Operand<'_>) -> IndexSet<ValueId, FxBuildHasher> {
        let config = Traversal { include_leaves: false, ..Traversal::default() };
        self.reverse_chain(operand.value(), config, |value| self.value_is_written(value))
    }

    /// The same for a value, itself included.
    pub fn definitions_of(&self, value: ValueRef<'_>) -> IndexSet<ValueId, FxBuildHasher> {
        let config = Traversal { include_leaves: false, ..Traversal::default() };
        self.reverse_chain(value, config, |value| self.value_is_written(value))
    }

    /// Whether `operand` is certainly the buffer of `other`, seen by following equivalent operands of one type backwards.
    pub(super) fn chain_reaches(&self, operand: Operand<'_>, other: ValueId) -> bool {
        let config = Traversal {
            include_leaves: false,
            only_equivalent: true,
            only_same_type_or_casts: true,
            ..Traversal::default()
        };
        !self.reverse_chain(operand.value(), config, |value| value.id() == other).is_empty()
    }
}
