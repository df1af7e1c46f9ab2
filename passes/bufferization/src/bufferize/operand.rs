//! One operand of one operation, and what may share its buffer.

use dl_ir::{OpId, OpRef, ValueId, ValueRef};
use smallvec::SmallVec;

/// Operand `index` of operation `op`, by id: valid in one arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Use {
    /// The operation.
    pub op: OpId,
    /// The number of the operand.
    pub index: usize,
}

/// Operand `index` of operation `op`, as a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand<'a> {
    /// The operation.
    pub op: OpRef<'a>,
    /// The number of the operand.
    pub index: usize,
}

impl<'a> Operand<'a> {
    /// Operand `index` of `op`.
    pub fn new(op: OpRef<'a>, index: usize) -> Self {
        Self { op, index }
    }

    /// All operands of `op` that are tensors.
    pub fn tensors(op: OpRef<'a>) -> impl Iterator<Item = Self> {
        (0..op.num_operands()).map(move |index| Self { op, index }).filter(|operand| operand.is_tensor())
    }

    /// Every operand that reads `value`.
    pub fn uses_of(value: ValueRef<'a>) -> impl Iterator<Item = Self> {
        value.uses().map(|(op, index)| Self { op, index })
    }

    /// The value that is read.
    pub fn value(self) -> ValueRef<'a> {
        self.op.operand(self.index)
    }

    /// Whether the value is a tensor.
    pub fn is_tensor(self) -> bool {
        self.value().ty().is_tensor()
    }

    /// The ids.
    pub fn id(self) -> Use {
        Use { op: self.op.id(), index: self.index }
    }
}

/// How the buffers of two values are related when they share memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// They are one buffer: same start, same size.
    Equivalent,
    /// They may overlap in any way.
    Unknown,
}

/// A result or region argument that may share the buffer of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AliasingValue {
    /// The value.
    pub value: ValueId,
    /// How the buffers are related.
    pub relation: Relation,
    /// Whether they share the buffer for certain once the operand is bufferized in place.
    pub definite: bool,
}

/// The values that may share the buffer of an operand.
pub type AliasingValues = SmallVec<[AliasingValue; 2]>;

/// An operand whose buffer a value may share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AliasingOperand {
    /// The operand.
    pub operand: Use,
    /// How the buffers are related.
    pub relation: Relation,
    /// Whether they share the buffer for certain once the operand is bufferized in place.
    pub definite: bool,
}

/// The operands whose buffer a value may share.
pub type AliasingOperands = SmallVec<[AliasingOperand; 2]>;

/// One value that certainly is the buffer of the operand.
pub fn equivalent(value: ValueRef<'_>) -> AliasingValues {
    smallvec::smallvec![AliasingValue { value: value.id(), relation: Relation::Equivalent, definite: true }]
}

/// One value that certainly lies in the buffer of the operand.
pub fn part_of(value: ValueRef<'_>) -> AliasingValues {
    smallvec::smallvec![AliasingValue { value: value.id(), relation: Relation::Unknown, definite: true }]
}
