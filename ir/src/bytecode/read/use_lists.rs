//! Orders of use lists. A file states one where it is not the order in which uses are read, last use first.

use super::cursor::{Cursor, Read};
use crate::arena::Arena;
use crate::entity::{UseId, ValueId};

/// The order of the uses of one of several values.
pub(super) struct UseOrder {
    /// Which of the values.
    pub(super) index: usize,
    order: Order,
}

enum Order {
    /// For each use as read, its place in the list.
    All(Vec<u32>),
    /// Place in the list and place as read of those that are not in their place.
    Pairs(Vec<(u32, u32)>),
}

/// Reads the orders for values of which there are `count`.
pub(super) fn read(cursor: &mut Cursor<'_>, count: usize) -> Read<Vec<UseOrder>> {
    let len = if count > 1 { cursor.varint()? } else { 1 };
    let mut orders = Vec::with_capacity(cursor.capacity(len));
    for _ in 0..len {
        let index = if count > 1 { cursor.varint()? } else { 0 };
        let Some(index) = usize::try_from(index).ok().filter(|&index| index < count) else {
            return Err(cursor.fault(format!("invalid value #{index} of a use-list order")));
        };
        let (numbers, is_pairs) = cursor.varint_with_flag()?;
        let mut list = Vec::with_capacity(cursor.capacity(numbers));
        for _ in 0..numbers {
            let place = cursor.varint()?;
            list.push(u32::try_from(place).map_err(|_| cursor.fault(format!("invalid use index: {place}")))?);
        }
        let order = if !is_pairs {
            Order::All(list)
        } else if let (pairs, []) = list.as_chunks() {
            Order::Pairs(pairs.iter().map(|&[to, from]| (to, from)).collect())
        } else {
            return Err(cursor.fault("expected pairs of use indices"));
        };
        orders.push(UseOrder { index, order });
    }
    Ok(orders)
}

impl UseOrder {
    /// Brings the uses of `value`, all of which have been read, into the order. `None` when it is no order of them.
    pub(super) fn apply(&self, arena: &mut Arena, value: ValueId) -> Option<()> {
        let first = arena.value(value).first_use;
        let as_read: Vec<UseId> = std::iter::successors(first, |u| arena.uses[u.index()].next).collect();
        // Place in the list to place as read.
        let mut places: Vec<usize> = (0..as_read.len()).collect();
        match &self.order {
            Order::All(all) if all.len() == as_read.len() => {
                for (from, &to) in all.iter().enumerate() {
                    *places.get_mut(to as usize)? = from;
                }
            }
            Order::All(_) => return None,
            Order::Pairs(pairs) => {
                for &(to, from) in pairs {
                    *places.get_mut(to as usize)? = from as usize;
                }
            }
        }
        // Each use once.
        let mut list = Vec::with_capacity(as_read.len());
        let mut left: Vec<Option<UseId>> = as_read.into_iter().map(Some).collect();
        for from in places {
            list.push(left.get_mut(from)?.take()?);
        }
        link(arena, value, &list);
        Some(())
    }
}

/// Makes `list`, all uses of `value`, its use list.
fn link(arena: &mut Arena, value: ValueId, list: &[UseId]) {
    arena.values[value.index()].first_use = list.first().copied();
    for (i, each) in list.iter().enumerate() {
        let data = &mut arena.uses[each.index()];
        data.prev = i.checked_sub(1).map(|before| list[before]);
        data.next = list.get(i + 1).copied();
    }
}
