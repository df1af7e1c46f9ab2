//! How the reduced loops of a tile go by.
//!
//! Where registers are spare, steps of the innermost one are made two at a time, and ask once for what is ahead: a loop in C, a product of 128 rows with weights, took 0.93 to 0.96
//! of the time so, and 0.88 where it did not ask. Where panels of all of the depth are too long for two of them to lie in the second-level cache, it is
//! divided: a part of the panel goes by for all tiles before the next, and the sums wait in the result. That adds up in the same order.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;

use super::nest::Emitter;
use super::plan::Plan;
use super::walk::At;

/// Fewest steps of a loop of which several are made at a time.
const STEPS_THAT_PAY: i64 = 8;

/// How many steps of a reduced loop of this extent are made one behind the other.
pub(super) fn at_once(plan: &Plan, extent: i64) -> i64 {
    if extent >= STEPS_THAT_PAY { plan.at_once as i64 } else { 1 }
}

/// A part of the depth: of the only reduced loop, where it is divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Where it begins.
    pub(super) first: i64,
    /// How many steps it has; `None` for all of the loop.
    pub(super) count: Option<i64>,
    /// Whether the sums begin with it; otherwise they are in the result.
    pub(super) begins: bool,
    /// Whether the sums are complete with it.
    pub(super) ends: bool,
}

impl Part {
    /// All of the depth.
    pub(super) const WHOLE: Self = Self { first: 0, count: None, begins: true, ends: true };
}

impl Emitter<'_, '_, '_> {
    /// What `body` makes of the result for each part of the depth.
    pub(super) fn in_parts(&mut self, dest: ValueId, body: &mut dyn FnMut(&mut Self, ValueId) -> ValueId) -> ValueId {
        let (parts, reduced) = (self.plan.parts as i64, &self.contraction.reduced[..]);
        let (&[over], 2..) = (reduced, parts) else { return body(self, dest) };
        let all = self.contraction.extents[over];
        let size = self.plan.group.map_or(1, |group| group.size);
        let each = (all as u64).div_ceil(parts as u64).next_multiple_of(size) as i64;
        let parts = (all as u64).div_ceil(each as u64) as i64;
        let dest = (0..parts).fold(dest, |dest, at| {
            let first = at * each;
            let (begins, ends) = (at == 0, at + 1 == parts);
            self.part = Part { first, count: Some(each.min(all - first)), begins, ends };
            body(self, dest)
        });
        self.part = Part::WHOLE;
        dest
    }

    /// The reduced loops, of the innermost one a part, around what `body` makes.
    pub(super) fn steps(
        &mut self,
        reduced: &[usize],
        carried: Vec<ValueId>,
        body: &mut dyn FnMut(&mut Self, Vec<ValueId>) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let Some((&last, others)) = reduced.split_last() else { return body(self, carried) };
        let Index::Static(all) = self.extents[last] else { return self.loops(reduced, carried, body) };
        let Part { first, count, .. } = self.part;
        let (count, size) = (count.unwrap_or(all), at_once(self.plan, all));
        let full = count / size;
        self.loops(others, carried, &mut |this, carried| {
            let carried = this.for_each(At::constant(0), Index::Static(full), 1, carried, &mut |this, at, carried| {
                this.group_at = at;
                let begin = this.scaled(at, size).plus(first);
                (0..size).fold(carried, |carried, step| {
                    this.positions[last] = begin.plus(step);
                    this.asks = step == 0;
                    body(this, carried)
                })
            });
            this.asks = false;
            (full * size..count).fold(carried, |carried, step| {
                this.positions[last] = At::constant(first + step);
                body(this, carried)
            })
        })
    }
}
