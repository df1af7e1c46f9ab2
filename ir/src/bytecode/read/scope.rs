//! Values by number. Numbers start anew in an isolated operation; elsewhere a region goes on where the one around it ends.

use super::cursor::{Cursor, Fault, Read};
use crate::entity::ValueId;

/// The values of an isolated operation and of the regions in it that are open.
#[derive(Default)]
pub(super) struct Scope {
    /// `None` where a value is neither defined nor used yet; a placeholder where it is used only.
    values: Vec<Option<ValueId>>,
    /// For each open region, its first number and the next one to be defined.
    regions: Vec<(usize, usize)>,
    /// Values before this one belong to another arena.
    pub(super) visible_from: usize,
}

/// What stands at a number.
pub(super) enum Slot {
    /// A value or a placeholder.
    Known(ValueId),
    /// Nothing yet: put a placeholder there.
    Empty(usize),
}

impl Scope {
    /// How many values there are: the first number of a region that is opened now.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Opens a region that defines `count` values.
    pub(super) fn open_region(&mut self, count: usize) {
        let first = self.values.len();
        self.regions.push((first, first));
        self.values.resize(first + count, None);
    }

    /// Forgets the values of the innermost region.
    pub(super) fn close_region(&mut self) {
        if let Some((first, _)) = self.regions.pop() {
            self.values.truncate(first);
        }
    }

    /// What value number `index` is. `cursor` is where it is used.
    #[inline]
    pub(super) fn get(&self, index: u64, cursor: &Cursor<'_>) -> Read<Slot> {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        match self.values.get(at) {
            Some(_) if at < self.visible_from => Err(not_isolated(index, cursor)),
            Some(&Some(value)) => Ok(Slot::Known(value)),
            Some(None) => Ok(Slot::Empty(at)),
            None => Err(cursor.fault(format!("invalid value index: {index}"))),
        }
    }

    /// Lets `value` stand for a value that is not defined yet.
    pub(super) fn set_placeholder(&mut self, at: usize, value: ValueId) {
        self.values[at] = Some(value);
    }

    /// Defines the next value of the innermost region; answers its placeholder, if it has been used already.
    #[inline]
    pub(super) fn define(&mut self, value: ValueId, cursor: &Cursor<'_>) -> Read<Option<ValueId>> {
        if let Some((_, next)) = self.regions.last_mut()
            && let Some(slot) = self.values.get_mut(*next)
        {
            *next += 1;
            return Ok(slot.replace(value));
        }
        Err(cursor.fault("value index range was outside of the expected range for the parent region"))
    }
}

#[cold]
fn not_isolated(index: u64, cursor: &Cursor<'_>) -> Fault {
    cursor.fault(format!("value #{index} is used in an operation that is isolated from above, but defined outside it"))
}
