//! What is known of interned values, by their numbers.

/// The most ranges of numbers, as a power of two.
pub(crate) const LIST_BITS: u32 = 3;

/// The most ranges of numbers.
pub(crate) const MAX_LISTS: usize = 1 << LIST_BITS;

/// Numbers of one range. All of them take 31 bits.
const RANGE_BITS: u32 = 31 - LIST_BITS;

/// The number of entry `at` of a list, which is one of so many.
///
/// # Panics
/// If there are several lists and this one has more than 2^28 entries.
#[inline]
pub(crate) fn number<const LISTS: usize>(list: usize, at: usize) -> usize {
    assert!(LISTS == 1 || at < 1 << RANGE_BITS, "a thread interns at most 2^28 different values");
    list << RANGE_BITS | at
}

/// The list, one of so many, and the entry in it that a number is of.
#[inline]
pub(crate) fn place<const LISTS: usize>(number: usize) -> (usize, usize) {
    if LISTS == 1 { (0, number) } else { (number >> RANGE_BITS, number & ((1 << RANGE_BITS) - 1)) }
}

/// An entry for each value of an interner with so many lists, `V::default()` until it is set.
pub(crate) struct SideTable<V, const LISTS: usize = 1>([Vec<V>; LISTS]);

impl<V, const LISTS: usize> Default for SideTable<V, LISTS> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Vec::new()))
    }
}

impl<V: Copy + Default, const LISTS: usize> SideTable<V, LISTS> {
    /// The entry of the value with this number.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> V {
        let (list, at) = place::<LISTS>(number);
        self.0[list].get(at).copied().unwrap_or_default()
    }

    /// The same, to be changed.
    #[inline]
    pub(crate) fn entry(&mut self, number: usize) -> &mut V {
        let (list, at) = place::<LISTS>(number);
        let list = &mut self.0[list];
        if list.len() <= at {
            list.resize(at + 1, V::default());
        }
        &mut list[at]
    }

    /// All entries up to the last that has been changed in each range.
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_told_apart() {
        let mut table: SideTable<u32, MAX_LISTS> = SideTable::default();
        let numbers: Vec<usize> =
            (0..MAX_LISTS).flat_map(|list| [0, 7].map(|at| number::<MAX_LISTS>(list, at))).collect();
        for (&number, value) in numbers.iter().zip(1..) {
            *table.entry(number) = value;
        }
        assert!(numbers.iter().zip(1..).all(|(&number, value)| table.get(number) == value));
        assert_eq!((table.get(8), table.get(number::<MAX_LISTS>(3, 3))), (0, 0));
        assert!(numbers.iter().all(|&number| number >> 31 == 0));
        assert_eq!(table.entries_mut().filter(|value| **value != 0).count(), numbers.len());
    }

    #[test]
    fn one_list_has_all_numbers() {
        let many = 1 << RANGE_BITS;
        assert_eq!((number::<1>(0, many), place::<1>(many)), (many, (0, many)));
    }
}
