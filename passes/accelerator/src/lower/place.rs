//! Where matrices lie in the memories of a core.

use std::cmp::Reverse;

use dl_simulator::ElementType;
use dl_simulator::machine::Machine;

/// A matrix that has a place in a memory of each core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The memory of the machine.
    pub memory: usize,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// Rows that there is room for.
    pub rows: u64,
    /// Elements from row to row.
    pub stride: u64,
    /// Type of its elements.
    pub element: ElementType,
}

impl Slot {
    /// Bytes that it takes.
    pub fn bytes(&self) -> u64 {
        self.rows * self.stride * self.element.size()
    }

    /// The banks that it lies in: the first, and how many.
    pub fn banks(&self, machine: &Machine) -> (u64, u64) {
        let memory = &machine.memories[self.memory];
        if memory.interleave.is_some() {
            return (0, memory.banks.into());
        }
        let (first, last) = (memory.bank(self.offset), memory.bank(self.offset + self.bytes().max(1) - 1));
        (first.into(), u64::from(last - first) + 1)
    }

    /// The part of it that lies in a bank.
    fn share(&self, bank: u64, machine: &Machine) -> f64 {
        let memory = &machine.memories[self.memory];
        if memory.interleave.is_some() {
            return 1.0 / f64::from(memory.banks);
        }
        let size = memory.size / u64::from(memory.banks);
        let (start, end) = (self.offset.max(bank * size), (self.offset + self.bytes()).min((bank + 1) * size));
        end.saturating_sub(start) as f64 / self.bytes().max(1) as f64
    }

    /// By how much what goes on in `other`, at `other_rate` bytes per cycle, is held up in each cycle in which something goes on here at `rate`, were there no
    /// other use of the banks: nothing if their banks are others, or have room for both.
    pub fn clash(&self, rate: f64, other: &Self, other_rate: f64, machine: &Machine) -> f64 {
        if self.memory != other.memory {
            return 0.0;
        }
        let capacity = machine.memories[self.memory].bandwidth as f64;
        let ((first, count), (other_first, other_count)) = (self.banks(machine), other.banks(machine));
        let shared = first.max(other_first)..(first + count).min(other_first + other_count);
        let alone = other.cycles(other_rate, machine).max(1.0);
        let asked = |bank| rate * self.share(bank, machine) + other_rate * other.share(bank, machine);
        shared.map(|bank| asked(bank) / capacity - alone).fold(0.0, f64::max)
    }

    /// The mean of [`Slot::clash`] with the other ones of `others`.
    pub fn clashes(&self, rate: f64, others: &[Self], other_rate: f64, machine: &Machine) -> f64 {
        let others = others.iter().filter(|other| *other != self);
        let (sum, count) = others
            .fold((0.0, 0), |(sum, count), other| (sum + self.clash(rate, other, other_rate, machine), count + 1));
        sum / f64::from(count.max(1))
    }

    /// Cycles that its banks need at least to move so many bytes, from everywhere in it: those of the bank with most of it.
    pub fn cycles(&self, bytes: f64, machine: &Machine) -> f64 {
        let (first, count) = self.banks(machine);
        let most = (first..first + count).map(|bank| self.share(bank, machine)).fold(0.0, f64::max);
        bytes * most / machine.memories[self.memory].bandwidth as f64
    }
}

/// Places matrices in memories, one behind the other.
pub struct Allocator<'a> {
    machine: &'a Machine,
    ends: Vec<u64>,
}

impl<'a> Allocator<'a> {
    /// All memories of `machine` are empty.
    pub fn new(machine: &'a Machine) -> Self {
        Self { machine, ends: vec![0; machine.memories.len()] }
    }

    /// The next place for a matrix, its rows aligned. `None` if there is no room.
    pub fn slot(&mut self, memory: usize, [rows, columns]: [u64; 2], element: ElementType) -> Option<Slot> {
        let of = &self.machine.memories[memory];
        let pitch = columns.checked_mul(element.size())?.checked_next_multiple_of(of.alignment.max(element.size()))?;
        let offset = self.ends[memory].checked_next_multiple_of(of.alignment)?;
        let end = offset.checked_add(rows.checked_mul(pitch)?)?;
        self.ends[memory] = end;
        (end <= of.size).then_some(Slot { memory, offset, rows, stride: pitch / element.size(), element })
    }

    /// So many places for matrices of one shape.
    pub fn slots(&mut self, count: u64, memory: usize, shape: [u64; 2], element: ElementType) -> Option<Vec<Slot>> {
        (0..count).map(|_| self.slot(memory, shape, element)).collect()
    }
}

/// Moves matrices to banks of their own, as far as there are banks: those in one bank slow each other down. Each comes with its share of the traffic; what
/// has most is placed first, in the bank with the least so far. Matrices that fit no bank leave their memory as it is.
pub fn spread(machine: &Machine, mut slots: Vec<(u64, &mut Slot)>) {
    for (index, memory) in machine.memories.iter().enumerate() {
        let count = u64::from(memory.banks);
        if count == 1 || memory.interleave.is_some() {
            continue;
        }
        let size = memory.size / count;
        let mut banks: Vec<(u64, u64)> = (0..count).map(|bank| (0, bank * size)).collect();
        let mut mine: Vec<&mut (u64, &mut Slot)> = slots.iter_mut().filter(|(_, slot)| slot.memory == index).collect();
        mine.sort_by_key(|each| (Reverse(each.0), Reverse(each.1.bytes()), each.1.offset));
        let mut offsets = Vec::new();
        for each in &mine {
            let bytes = each.1.bytes();
            let fits = |bank: usize| {
                let offset = banks[bank].1.next_multiple_of(memory.alignment);
                (offset + bytes <= (bank as u64 + 1) * size).then_some((bank, offset))
            };
            let found = (0..banks.len()).filter_map(fits).min_by_key(|&(bank, _)| banks[bank]);
            let Some((bank, offset)) = found else { break };
            banks[bank] = (banks[bank].0 + each.0, offset + bytes);
            offsets.push(offset);
        }
        if offsets.len() == mine.len() {
            mine.into_iter().zip(offsets).for_each(|(each, offset)| each.1.offset = offset);
        }
    }
}
