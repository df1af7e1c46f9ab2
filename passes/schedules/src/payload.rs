//! Names for what a schedule works on, across nested isolated operations.

use dl_ir::{Arena, Context, OpId, OpRef, Trait, ValueId, ValueRef};
use rustc_hash::FxHashMap;

/// An arena of the payload: that of the operation that the interpreter runs on, or of an isolated operation nested in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArenaKey(u32);

impl ArenaKey {
    /// The outermost arena.
    pub const OUTERMOST: Self = Self(0);
}

/// An operation of the payload. A nested isolated operation has its name in the arena around it; [`Arena::ROOT`] is in the outermost one only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PayloadOp {
    /// The arena that it is in.
    pub arena: ArenaKey,
    /// Its id there.
    pub id: OpId,
}

/// A value of the payload.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PayloadValue {
    /// The arena that it is in.
    pub arena: ArenaKey,
    /// Its id there.
    pub id: ValueId,
}

/// Where the arenas of the payload are.
#[derive(Default)]
pub(crate) struct Places {
    /// By key less one: the nested isolated operation that owns the arena.
    owners: Vec<PayloadOp>,
    keys: FxHashMap<PayloadOp, ArenaKey>,
}

impl Places {
    /// The key of the arena that the nested isolated operation `stub` owns.
    pub(crate) fn key(&mut self, stub: PayloadOp) -> ArenaKey {
        *self.keys.entry(stub).or_insert_with(|| {
            self.owners.push(stub);
            ArenaKey(u32::try_from(self.owners.len()).expect("there are fewer arenas than operations"))
        })
    }

    /// The operation that owns an arena; `None` for the outermost one.
    pub(crate) fn owner(&self, key: ArenaKey) -> Option<PayloadOp> {
        (key.0 as usize).checked_sub(1).map(|at| self.owners[at])
    }

    /// The isolated operations around an arena, outermost first.
    fn path(&self, key: ArenaKey) -> Vec<OpId> {
        let mut path: Vec<OpId> =
            std::iter::successors(self.owner(key), |owner| self.owner(owner.arena)).map(|owner| owner.id).collect();
        path.reverse();
        path
    }

    /// An arena, if it is still there.
    pub(crate) fn arena<'a>(&self, cx: &'a Context, outermost: &'a Arena, key: ArenaKey) -> Option<&'a Arena> {
        let mut at = outermost;
        for stub in self.path(key) {
            let view = OpRef::new(cx, at, stub);
            if !at.is_live(stub) || !view.is_stub() {
                return None;
            }
            at = view.body().arena();
        }
        Some(at)
    }

    /// The same, to change it.
    pub(crate) fn arena_mut<'a>(&self, outermost: &'a mut Arena, key: ArenaKey) -> Option<&'a mut Arena> {
        let mut at = outermost;
        for stub in self.path(key) {
            if !at.is_live(stub) {
                return None;
            }
            at = at.child_mut(stub)?;
        }
        Some(at)
    }

    /// The operation `id` of an arena by the name it has as one of the payload.
    pub(crate) fn canonical(&self, arena: ArenaKey, id: OpId) -> PayloadOp {
        let owner = if id == Arena::ROOT { self.owner(arena) } else { None };
        owner.unwrap_or(PayloadOp { arena, id })
    }
}

/// The operation around `op`, whose view is `view`.
pub(crate) fn parent(places: &Places, op: PayloadOp, view: OpRef<'_>) -> Option<PayloadOp> {
    let parent = view.arena().parent_op(op.id)?;
    Some(places.canonical(op.arena, parent))
}

/// Whether passes can be run on it: nothing in it depends on what is around.
pub(crate) fn is_isolated(op: OpRef<'_>) -> bool {
    op.has_trait(&Trait::IsolatedFromAbove)
}

/// Where a value is defined, for messages: `an op result #0`, or the number of a block argument.
pub(crate) fn describe(value: ValueRef<'_>) -> String {
    if value.defining_op().is_some() {
        return format!("an op result #{}", value.index());
    }
    let block = value.owner_block();
    let region = block.and_then(|block| block.region());
    let number = |block: dl_ir::BlockRef<'_>| region.and_then(|all| all.blocks().position(|each| each == block));
    format!(
        "a block argument #{} in block #{} in region #{}",
        value.index(),
        block.and_then(number).unwrap_or(0),
        region.map_or(0, dl_ir::RegionRef::index),
    )
}
