//! What handles stand for.

use dl_ir::{Attr, OpRef, RegionId, ValueId, ValueRef};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::payload::{PayloadOp, PayloadValue};

/// One of what a handle stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entity {
    /// An operation of the payload.
    Op(PayloadOp),
    /// A value of the payload.
    Value(PayloadValue),
    /// A parameter.
    Param(Attr),
}

/// A value of the schedule. A schedule does not change while it runs, so its arenas are told apart by where they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Handle {
    arena: usize,
    value: ValueId,
}

impl Handle {
    pub(crate) fn of(value: ValueRef<'_>) -> Self {
        Self { arena: std::ptr::from_ref(value.arena()).addr(), value: value.id() }
    }
}

/// A region of the schedule that is being executed.
pub(crate) struct Scope<'s> {
    /// The operation it is in.
    pub(crate) owner: OpRef<'s>,
    pub(crate) region: RegionId,
    /// The operation in it that is being executed.
    pub(crate) current: Option<OpRef<'s>>,
    /// What its values stand for, in the order in which they came to stand for it.
    pub(crate) mapped: IndexMap<Handle, Mapped<'s>, FxBuildHasher>,
}

/// What a value of the schedule stands for.
pub(crate) struct Mapped<'s> {
    pub(crate) value: ValueRef<'s>,
    pub(crate) entities: Vec<Entity>,
}

/// What the results of a transformation stand for.
pub struct Results {
    lists: Vec<Option<Vec<Entity>>>,
}

impl Results {
    pub(crate) fn new(len: usize) -> Self {
        Self { lists: vec![None; len] }
    }

    /// Says what result `index` stands for.
    ///
    /// # Panics
    /// When there is no such result.
    pub fn set(&mut self, index: usize, entities: Vec<Entity>) {
        self.lists[index] = Some(entities);
    }

    /// Says which operations result `index` stands for.
    pub fn set_ops(&mut self, index: usize, ops: impl IntoIterator<Item = PayloadOp>) {
        self.set(index, ops.into_iter().map(Entity::Op).collect());
    }

    /// Says which parameters result `index` stands for.
    pub fn set_params(&mut self, index: usize, params: impl IntoIterator<Item = Attr>) {
        self.set(index, params.into_iter().map(Entity::Param).collect());
    }

    /// What was said, nothing where nothing was.
    pub(crate) fn into_lists(self) -> impl Iterator<Item = Vec<Entity>> {
        self.lists.into_iter().map(Option::unwrap_or_default)
    }
}
