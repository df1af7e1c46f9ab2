//! What has been read of an operation by its format, before it is put together.
//!
//! Names and types collect in one list each; a run says which of them belong to a definition. The lists are kept from one
//! operation to the next, so that reading one allocates nothing.

use smallvec::SmallVec;

use super::TypeSlot;
use super::plan::PlannedType;
use crate::entity::{BlockId, RegionId};
use crate::opdef::OpDef;
use crate::text::UnresolvedOperand;
use crate::types::Type;

/// Some neighbours in a list.
#[derive(Clone, Copy)]
pub(super) struct Run {
    start: u32,
    len: u32,
}

/// Nothing has been read.
const NONE: Run = Run { start: u32::MAX, len: 0 };

impl Run {
    /// From `start` to the end of `list`.
    fn since<T>(start: usize, list: &[T]) -> Self {
        Self { start: start as u32, len: (list.len() - start) as u32 }
    }

    fn of<T>(self, list: &[T]) -> &[T] {
        if self.len == 0 { &[] } else { &list[self.start as usize..][..self.len as usize] }
    }

    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    /// The `len` entries from `at` on.
    pub(super) fn part(self, at: usize, len: usize) -> Self {
        Self { start: self.start.saturating_add(at as u32), len: len as u32 }
    }

    fn found(self) -> Option<Self> {
        (self.start != u32::MAX).then_some(self)
    }
}

/// What has been read of an operation.
#[derive(Default)]
pub(in crate::text) struct Reading {
    names: Vec<UnresolvedOperand>,
    types: Vec<Type>,
    /// Of each operand definition the names, of each operand definition the types, of each result definition the types; then the
    /// names of `operands`, the types of `type(operands)` and those of `type(results)`.
    runs: Vec<Run>,
    num_operands: usize,
    num_results: usize,
    /// Regions, by region definition.
    pub(super) regions: Vec<SmallVec<[RegionId; 1]>>,
    /// Successors, by successor definition.
    pub(super) successors: Vec<SmallVec<[BlockId; 1]>>,
}

impl Reading {
    /// Begins with an operation of this definition.
    pub(super) fn start(&mut self, def: &OpDef) {
        self.clear();
        (self.num_operands, self.num_results) = (def.operands.len(), def.results.len());
        self.runs.clear();
        self.runs.resize(2 * self.num_operands + self.num_results + 3, NONE);
        self.regions.clear();
        self.regions.resize_with(def.regions.len(), SmallVec::new);
        self.successors.clear();
        self.successors.resize_with(def.successors.len(), SmallVec::new);
    }

    /// Begins with an operation that has a plan: names and types are found by their position.
    pub(super) fn clear(&mut self) {
        self.names.clear();
        self.types.clear();
    }

    /// The name at position `name` with its type.
    pub(super) fn planned(&self, name: usize, ty: PlannedType) -> (UnresolvedOperand, Type) {
        (self.names[name], self.planned_type(ty))
    }

    pub(super) fn planned_type(&self, ty: PlannedType) -> Type {
        match ty {
            PlannedType::Read(at) => self.types[at],
            PlannedType::Only(ty) => ty,
        }
    }

    fn all(&self, which: usize) -> usize {
        2 * self.num_operands + self.num_results + which
    }

    fn index(&self, slot: TypeSlot) -> usize {
        match slot {
            TypeSlot::Operand(i) => self.num_operands + i,
            TypeSlot::Result(i) => 2 * self.num_operands + i,
            TypeSlot::Operands => self.all(1),
            TypeSlot::Results => self.all(2),
        }
    }

    // Names.

    /// How many names have been read so far: where those of the next definition begin.
    pub(super) fn num_names(&self) -> usize {
        self.names.len()
    }

    /// The list that names are read into.
    pub(super) fn names_mut(&mut self) -> &mut Vec<UnresolvedOperand> {
        &mut self.names
    }

    pub(super) fn extend_names(&mut self, names: impl IntoIterator<Item = UnresolvedOperand>) {
        self.names.extend(names);
    }

    /// The names from `start` on are those of operand definition `index`.
    pub(super) fn set_names_since(&mut self, index: usize, start: usize) {
        self.runs[index] = Run::since(start, &self.names);
    }

    /// The names from `start` on are those of all operands.
    pub(super) fn set_all_names_since(&mut self, start: usize) {
        let at = self.all(0);
        self.runs[at] = Run::since(start, &self.names);
    }

    pub(super) fn set_names(&mut self, index: usize, names: Run) {
        self.runs[index] = names;
    }

    /// The names of operand definition `index`.
    pub(super) fn names(&self, index: usize) -> &[UnresolvedOperand] {
        self.runs[index].of(&self.names)
    }

    /// How many names each operand definition has.
    pub(super) fn name_counts(&self) -> impl Iterator<Item = usize> {
        self.runs[..self.num_operands].iter().map(|run| run.len())
    }

    /// The names of all operands, where the format reads them together.
    pub(super) fn all_names(&self) -> Option<Run> {
        self.runs[self.all(0)].found()
    }

    // Types.

    /// The list that types are read into.
    pub(super) fn types_mut(&mut self) -> &mut Vec<Type> {
        &mut self.types
    }

    /// The types from `start` on are those of `slot`.
    pub(super) fn set_types_since(&mut self, slot: TypeSlot, start: usize) {
        let run = Run::since(start, &self.types);
        self.set_run(slot, run);
    }

    pub(super) fn set_types(&mut self, slot: TypeSlot, types: impl IntoIterator<Item = Type>) {
        let start = self.types.len();
        self.types.extend(types);
        self.set_types_since(slot, start);
    }

    pub(super) fn set_run(&mut self, slot: TypeSlot, types: Run) {
        let at = self.index(slot);
        self.runs[at] = types;
    }

    /// The run of the types of `slot`, if they have been read or inferred.
    pub(super) fn run(&self, slot: TypeSlot) -> Option<Run> {
        self.runs[self.index(slot)].found()
    }

    /// The types of `slot`, if they have been read or inferred.
    pub(super) fn types(&self, slot: TypeSlot) -> Option<&[Type]> {
        Some(self.types_of(self.run(slot)?))
    }

    pub(super) fn types_of(&self, run: Run) -> &[Type] {
        run.of(&self.types)
    }
}
