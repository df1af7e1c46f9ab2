//! Disjoint sets of values whose members can be listed.

use dl_ir::ValueId;

/// A partition of the values of one arena. A value made later is alone in its set.
///
/// Merging and looking up cost practically O(1), listing a set O(its size).
#[derive(Clone, Debug)]
pub(super) struct ValueSets {
    parent: Vec<u32>,
    size: Vec<u32>,
    /// The next member of the same set, in a ring.
    next: Vec<u32>,
    /// Of each root, the member that was listed last; the one after it in the ring is listed first.
    last: Vec<u32>,
}

impl ValueSets {
    /// Each of `count` values alone.
    pub(super) fn new(count: usize) -> Self {
        let alone: Vec<u32> = (0..count as u32).collect();
        Self { parent: alone.clone(), size: vec![1; count], next: alone.clone(), last: alone }
    }

    fn root(&self, value: ValueId) -> u32 {
        let mut at = value.index() as u32;
        while let Some(&parent) = self.parent.get(at as usize) {
            if parent == at {
                break;
            }
            at = parent;
        }
        at
    }

    /// Merges the sets of two values; the members of the second are listed after those of the first. Sets are merged by size, so
    /// that trees stay O(log values) deep.
    pub(super) fn union(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b || a as usize >= self.parent.len() || b as usize >= self.parent.len() {
            return;
        }
        let (big, small) = if self.size[a as usize] < self.size[b as usize] { (b, a) } else { (a, b) };
        self.parent[small as usize] = big;
        self.size[big as usize] += self.size[small as usize];
        let (last_a, last_b) = (self.last[a as usize], self.last[b as usize]);
        self.next.swap(last_a as usize, last_b as usize);
        self.last[big as usize] = last_b;
    }

    /// Whether two values are in one set.
    pub(super) fn same(&self, a: ValueId, b: ValueId) -> bool {
        a == b || self.root(a) == self.root(b)
    }

    /// The members of the set of `value`, in the order in which the sets were merged.
    pub(super) fn members(&self, value: ValueId) -> impl Iterator<Item = ValueId> + '_ {
        let last = self.last.get(self.root(value) as usize).copied();
        let first = last.map_or(value.index() as u32, |last| self.next[last as usize]);
        let after = move |at: &u32| last.filter(|last| last != at).map(|_| self.next[*at as usize]);
        std::iter::successors(Some(first), after).map(|at| ValueId::from_index(at as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(index: usize) -> ValueId {
        ValueId::from_index(index)
    }

    #[test]
    fn merged_sets_list_all_members_once() {
        let mut sets = ValueSets::new(6);
        sets.union(value(0), value(3));
        sets.union(value(4), value(5));
        sets.union(value(3), value(5));
        sets.union(value(0), value(4));
        let members: Vec<usize> = sets.members(value(5)).map(ValueId::index).collect();
        assert_eq!(members, [0, 3, 4, 5]);
        assert!(sets.same(value(0), value(5)));
        assert!(!sets.same(value(0), value(1)));
        assert_eq!(sets.members(value(1)).collect::<Vec<_>>(), [value(1)]);
    }

    #[test]
    fn a_later_value_is_alone() {
        let mut sets = ValueSets::new(1);
        sets.union(value(0), value(7));
        assert!(!sets.same(value(0), value(7)));
        assert!(sets.same(value(7), value(7)));
        assert_eq!(sets.members(value(7)).collect::<Vec<_>>(), [value(7)]);
    }
}
