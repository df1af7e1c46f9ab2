//! Orders of use lists, where they are not the order in which a reader meets the uses, last one first.

use smallvec::SmallVec;

use super::emitter::push_varint;
use crate::arena::Arena;
use crate::entity::ValueId;

/// The order of the uses of one value: for each use as a reader has it, its place in the list.
type Order = SmallVec<[u32; 8]>;

/// Writes the orders of those of `values` that need one. Answers whether any does. `order` has the position of each operation.
pub(super) fn write(
    ir: &Arena,
    order: &[u32],
    values: impl ExactSizeIterator<Item = ValueId>,
    out: &mut Vec<u8>,
) -> bool {
    let count = values.len();
    let orders: SmallVec<[(usize, Order); 2]> =
        values.enumerate().filter_map(|(i, value)| Some((i, order_of(ir, order, value)?))).collect();
    if orders.is_empty() {
        return false;
    }
    if count != 1 {
        push_varint(out, orders.len() as u64);
    }
    for (index, places) in &orders {
        if count != 1 {
            push_varint(out, *index as u64);
        }
        let moved = places.iter().enumerate().filter(|&(from, &to)| from as u32 != to);
        let num_moved = moved.clone().count();
        if num_moved < places.len() / 2 {
            push_varint(out, (num_moved as u64 * 2) << 1 | 1);
            for (from, &to) in moved {
                push_varint(out, u64::from(to));
                push_varint(out, from as u64);
            }
        } else {
            push_varint(out, (places.len() as u64) << 1);
            places.iter().for_each(|&to| push_varint(out, u64::from(to)));
        }
    }
    true
}

/// The order of the uses of `value`; `None` when a reader gets it right by itself.
fn order_of(ir: &Arena, order: &[u32], value: ValueId) -> Option<Order> {
    let key = |(op, operand): (crate::entity::OpId, usize)| (order[op.index()], operand);
    let mut before = None;
    let mut is_descending = true;
    for each in ir.uses(value) {
        let each = key(each);
        if before.is_some_and(|before| before < each) {
            is_descending = false;
            break;
        }
        before = Some(each);
    }
    if is_descending {
        return None;
    }
    let mut uses: SmallVec<[(u32, (u32, usize)); 8]> =
        ir.uses(value).enumerate().map(|(place, each)| (place as u32, key(each))).collect();
    uses.sort_unstable_by_key(|&(_, key)| std::cmp::Reverse(key));
    Some(uses.into_iter().map(|(place, _)| place).collect())
}
