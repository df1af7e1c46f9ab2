//! Which tensor operands can use their buffer in place.
//!
//! Every tensor operand is decided upon once, in the order that `Heuristic` says. An operand is bufferized in place unless
//! that would write a buffer that must not be written, or let a read see a later write (`conflicts`). In-place decisions
//! merge alias sets; afterwards equivalence sets say which values are one and the same buffer.
//!
//! Source of the algorithm: "One-Shot Bufferize" in the MLIR documentation, and the behaviour of `mlir-opt`.
//!
//! Cost: for each operand O(values that may share its buffer), and O(reads times writes of these).

mod annotate;
mod chains;
mod conflicts;
mod decide;
mod regions;
mod sets;
mod survey;

use dl_ir::{Context, Diagnostic, OpRef, ValueId, ValueRef};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

pub use annotate::annotate;
pub use chains::Traversal;
pub use conflicts::Reason;
pub use decide::analyze;

use self::sets::ValueSets;
use super::functions::FunctionTable;
use super::interface::Bufferizable;
use super::operand::{AliasingOperand, AliasingOperands, AliasingValue, AliasingValues, Operand, Relation, Use};
use super::options::Options;

/// What is known of the buffers of one arena: what each operation says of itself, and what has been decided so far.
///
/// Without an analysis ([`Analysis::without_facts`]) the answers are conservative: every operand that is written is copied.
pub struct Analysis<'a> {
    cx: &'a Context,
    options: &'a Options,
    functions: &'a FunctionTable,
    facts: Option<Facts>,
}

/// What the analysis of an arena has found out.
struct Facts {
    in_place: FxHashSet<Use>,
    aliases: ValueSets,
    equivalent: ValueSets,
    undefined: FxHashSet<Use>,
    /// Why operands are not in place, in the order of the decisions.
    reasons: IndexMap<Use, Reason, FxBuildHasher>,
}

impl<'a> Analysis<'a> {
    /// What can be said before anything is decided, and where nothing ever will be.
    pub fn without_facts(cx: &'a Context, options: &'a Options, functions: &'a FunctionTable) -> Self {
        Self { cx, options, functions, facts: None }
    }

    /// The context.
    pub fn cx(&self) -> &'a Context {
        self.cx
    }

    /// The options.
    pub fn options(&self) -> &'a Options {
        self.options
    }

    /// What is known of other functions.
    pub fn functions(&self) -> &'a FunctionTable {
        self.functions
    }

    /// The interface of the operation that `value` belongs to: that defines it, or around whose block it is.
    fn interface_of_value<'b>(&self, value: ValueRef<'b>) -> Option<&'b dyn Bufferizable> {
        self.options.interface(owner(value)?)
    }

    /// Whether the operand reads its buffer.
    pub fn reads(&self, operand: Operand<'_>) -> bool {
        match self.options.interface(operand.op) {
            Some(interface) => interface.reads(operand, self),
            None => true,
        }
    }

    /// Whether the operand writes its buffer.
    pub fn writes(&self, operand: Operand<'_>) -> bool {
        match self.options.interface(operand.op) {
            Some(interface) => interface.writes(operand, self),
            None => true,
        }
    }

    /// Whether the operand reads its buffer, or hands it on to what does.
    fn reads_or_hands_on(&self, operand: Operand<'_>) -> bool {
        let is_read = |alias: AliasingValue| self.is_read(ValueRef::new(self.cx, operand.op.arena(), alias.value));
        self.reads(operand) || (!self.writes(operand) && self.aliasing_values(operand).into_iter().any(is_read))
    }

    /// Whether `value` is made by writing its buffer. Region arguments are taken to be written before.
    pub fn value_is_written(&self, value: ValueRef<'_>) -> bool {
        match self.interface_of_value(value) {
            Some(interface) if value.defining_op().is_some() => interface.result_writes(value, self),
            _ => true,
        }
    }

    /// The values that share the buffer of the operand when it is used in place.
    pub fn aliasing_values(&self, operand: Operand<'_>) -> AliasingValues {
        match self.options.interface(operand.op) {
            Some(interface) => interface.aliasing_values(operand, self),
            None => unknown_aliasing_values(operand.op),
        }
    }

    /// The operands whose buffer `value` may share.
    pub fn aliasing_operands(&self, value: ValueRef<'_>) -> AliasingOperands {
        match self.interface_of_value(value) {
            Some(interface) => interface.aliasing_operands(value, self),
            None => unknown_aliasing_operands(value),
        }
    }

    /// The converse of [`aliasing_values`](Self::aliasing_values) for operations without region arguments that alias operands.
    pub fn operands_aliasing(&self, value: ValueRef<'_>) -> AliasingOperands {
        let Some(op) = owner(value) else { return AliasingOperands::new() };
        let mut found = AliasingOperands::new();
        for operand in Operand::tensors(op) {
            for alias in self.aliasing_values(operand).into_iter().filter(|alias| alias.value == value.id()) {
                let (relation, definite) = (alias.relation, alias.definite);
                found.push(AliasingOperand { operand: operand.id(), relation, definite });
            }
        }
        found
    }

    /// See [`Bufferizable::result_writes`].
    pub fn default_result_writes(&self, result: ValueRef<'_>) -> bool {
        let Some(op) = result.defining_op() else { return true };
        let operands = self.aliasing_operands(result);
        if self.defines(op, &operands) {
            return true;
        }
        if op.regions().len() == 0 {
            return false;
        }
        // The walk goes through what is inside of inner operations as well. A result of `op` itself, as it was in an earlier iteration of a loop
        // around, is what is asked about.
        let written_inside = |value: ValueRef<'_>| {
            let inner = owner(value).filter(|inner| op.is_ancestor_of(inner.id()));
            match (inner, value.defining_op()) {
                (Some(_), Some(inner)) if inner.regions().len() > 0 => {
                    inner != op && self.defines(inner, &self.aliasing_operands(value))
                }
                (inner, _) => inner.is_some() && self.value_is_written(value),
            }
        };
        let config = Traversal { include_leaves: false, ..Traversal::default() };
        operands.iter().any(|&alias| !self.reverse_chain(aliased(op, alias).value(), config, written_inside).is_empty())
    }

    /// Whether `op` itself writes a result that aliases `operands`.
    fn defines(&self, op: OpRef<'_>, operands: &[AliasingOperand]) -> bool {
        operands.is_empty() || operands.iter().any(|&alias| self.writes(aliased(op, alias)))
    }

    /// Whether the content of `value`, or of what it is handed on to, is ever read.
    pub fn is_read(&self, value: ValueRef<'_>) -> bool {
        let mut pending: Vec<Operand<'_>> = Operand::uses_of(value).collect();
        let mut seen = FxHashSet::default();
        while let Some(operand) = pending.pop() {
            if !seen.insert(operand.id()) {
                continue;
            }
            if self.reads(operand) {
                return true;
            }
            if !self.writes(operand) {
                for alias in self.aliasing_values(operand) {
                    pending.extend(Operand::uses_of(ValueRef::new(self.cx, value.arena(), alias.value)));
                }
            }
        }
        false
    }

    /// Whether the buffer of `value` may be written.
    pub fn is_writable(&self, value: ValueRef<'_>) -> bool {
        self.interface_of_value(value).is_some_and(|interface| interface.is_writable(value, self))
    }

    /// Whether the operand uses its buffer in place.
    pub fn is_in_place(&self, operand: Operand<'_>) -> bool {
        match &self.facts {
            Some(facts) => facts.in_place.contains(&operand.id()),
            None => operand.op.is::<dl_bufferization::ToBufferOp<'_>>() || !self.writes(operand),
        }
    }

    /// Whether two values are one buffer.
    pub fn are_equivalent(&self, a: ValueId, b: ValueId) -> bool {
        a == b || self.facts.as_ref().is_some_and(|facts| facts.equivalent.same(a, b))
    }

    /// Whether two values may share memory.
    pub fn may_alias(&self, a: ValueId, b: ValueId) -> bool {
        self.facts.as_ref().is_none_or(|facts| facts.aliases.same(a, b))
    }

    /// Every value that may share memory with `value`, itself included.
    pub fn aliases(&self, value: ValueId) -> impl Iterator<Item = ValueId> + '_ {
        let known = self.facts.as_ref().map(|facts| facts.aliases.members(value));
        let alone = known.is_none().then_some(value);
        known.into_iter().flatten().chain(alone)
    }

    /// What stands against using operands in place, in the order of the decisions.
    pub fn reasons(&self) -> impl Iterator<Item = (Use, Reason)> {
        self.facts.iter().flat_map(|facts| facts.reasons.iter().map(|(&operand, &reason)| (operand, reason)))
    }

    /// What stands against using the operand in place.
    pub fn reason(&self, operand: Use) -> Option<Reason> {
        self.facts.as_ref()?.reasons.get(&operand).copied()
    }

    /// Whether nothing has been written to the operand's buffer when it is reached.
    pub fn has_undefined_contents(&self, operand: Operand<'_>) -> bool {
        self.facts.as_ref().is_some_and(|facts| facts.undefined.contains(&operand.id()))
    }

    /// Whether a buffer that replaces the operand's need not have its contents: they are undefined, overwritten or not read.
    pub fn can_omit_copy(&self, operand: Operand<'_>) -> bool {
        if self.has_undefined_contents(operand) {
            return true;
        }
        let (reads, writes) = (self.reads(operand), self.writes(operand));
        let value = |alias: AliasingValue| ValueRef::new(self.cx, operand.op.arena(), alias.value);
        !reads && (writes || !self.aliasing_values(operand).into_iter().any(|alias| self.is_read(value(alias))))
    }

    /// Whether the buffer of `value`, or one that it shares memory with, is written in place by anything.
    pub fn is_ever_written(&self, value: ValueRef<'_>) -> bool {
        self.aliases(value.id()).any(|alias| {
            let alias = ValueRef::new(self.cx, value.arena(), alias);
            Operand::uses_of(alias).any(|operand| self.is_in_place(operand) && self.writes(operand))
        })
    }

    /// Uses the operand's buffer in place.
    fn bufferize_in_place(&mut self, operand: Operand<'_>) {
        let aliases = self.aliasing_values(operand);
        let Some(facts) = &mut self.facts else { return };
        if facts.in_place.insert(operand.id()) {
            for alias in aliases {
                facts.aliases.union(alias.value, operand.value().id());
            }
        }
    }
}

/// The operand that `alias` stands for, in the arena of `op`.
fn aliased(op: OpRef<'_>, alias: AliasingOperand) -> Operand<'_> {
    Operand::new(OpRef::new(op.cx(), op.arena(), alias.operand.op), alias.operand.index)
}

/// The operation that defines `value`, or around whose block it is.
pub fn owner(value: ValueRef<'_>) -> Option<OpRef<'_>> {
    value.defining_op().or_else(|| value.owner_block()?.parent_op())
}

/// All that an operation of which nothing is known may alias: every tensor result and region argument.
pub fn unknown_aliasing_values(op: OpRef<'_>) -> AliasingValues {
    let args = op.regions().filter_map(|region| region.entry()).flat_map(|block| block.args().collect::<Vec<_>>());
    let values = op.results().iter().chain(args).filter(|v| v.ty().is_tensor());
    values.map(|v| AliasingValue { value: v.id(), relation: Relation::Unknown, definite: false }).collect()
}

/// The converse of [`unknown_aliasing_values`].
pub fn unknown_aliasing_operands(value: ValueRef<'_>) -> AliasingOperands {
    let is_entry_arg = value.owner_block().is_none_or(|block| block.is_entry());
    let Some(op) = owner(value).filter(|_| is_entry_arg) else { return AliasingOperands::new() };
    Operand::tensors(op)
        .map(|operand| AliasingOperand { operand: operand.id(), relation: Relation::Unknown, definite: false })
        .collect()
}

/// What stopped an analysis.
pub(super) type Result<T> = std::result::Result<T, Diagnostic>;
