//! The problem without its operations: units of work that need memory, and an order in which the peak is low.

use rustc_hash::FxHashSet;

/// Something done at once.
#[derive(Clone, Default, Debug)]
pub(super) struct Unit {
    /// Units that come before it, in any order.
    pub(super) after: Vec<usize>,
    /// Buffers that it makes, reads or writes. Each once.
    pub(super) buffers: Vec<usize>,
    /// Bytes that it needs besides while it runs.
    pub(super) inside: u64,
}

/// A piece of memory: there from the first unit that touches it to the last one.
#[derive(Clone, Default, Debug)]
pub(super) struct Buffer {
    pub(super) bytes: u64,
    /// Units that touch it.
    pub(super) users: Vec<usize>,
    /// Whether it is needed after all units.
    pub(super) outlives: bool,
}

/// Units to be ordered. As they are numbered they are in a valid order.
#[derive(Clone, Default, Debug)]
pub(super) struct Problem {
    pub(super) units: Vec<Unit>,
    pub(super) buffers: Vec<Buffer>,
}

/// What a unit does to the number of bytes that are taken.
struct Change {
    taken: u64,
    given_back: u64,
}

impl Problem {
    /// The most bytes that are taken at the same time in `order`.
    pub(super) fn peak(&self, order: &[usize]) -> u64 {
        self.peak_with(order, &self.units.iter().map(|unit| unit.inside).collect::<Vec<_>>())
    }

    /// The same, where units need `inside` while they run.
    pub(super) fn peak_with(&self, order: &[usize], inside: &[u64]) -> u64 {
        let mut done = Done::new(self.units.len());
        let (mut live, mut peak) = (0_u64, 0_u64);
        for &unit in order {
            let change = self.change(&done, unit);
            live = live.saturating_add(change.taken);
            peak = peak.max(live.saturating_add(inside[unit]));
            live = live.saturating_sub(change.given_back);
            done.set(unit);
        }
        peak
    }

    fn change(&self, done: &Done, unit: usize) -> Change {
        let mut change = Change { taken: 0, given_back: 0 };
        for &at in &self.units[unit].buffers {
            let buffer = &self.buffers[at];
            if !buffer.users.iter().any(|&user| done.has(user)) {
                change.taken = change.taken.saturating_add(buffer.bytes);
            }
            if !buffer.outlives && buffer.users.iter().all(|&user| user == unit || done.has(user)) {
                change.given_back = change.given_back.saturating_add(buffer.bytes);
            }
        }
        change
    }
}

/// A set of units.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Done(Box<[u64]>);

impl Done {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    fn has(&self, unit: usize) -> bool {
        self.0[unit / 64] >> (unit % 64) & 1 == 1
    }

    fn set(&mut self, unit: usize) {
        self.0[unit / 64] |= 1 << (unit % 64);
    }
}

/// Units done so far, in the best order known for them.
struct State {
    done: Done,
    /// Units that can be done next, those that became so last at the end.
    ready: Vec<usize>,
    live: u64,
    peak: u64,
    /// Number of the last step in the list of all steps.
    last: usize,
}

/// A step: the one before it, and what was done.
struct Step {
    before: usize,
    unit: usize,
}

/// States kept after each step: all where there are few units. The work is about that times the units.
const EFFORT: usize = 20_000;
const MOST_STATES: usize = 256;
/// Units tried in each state, those that became ready last: to go on with what has been begun frees memory.
const MOST_READY: usize = 64;

/// An order with a low peak, by a search over sets of units that are done, breadth first: of two orders of one set only that of the lower peak
/// can be part of a best one. So for problems of few such sets the answer is the best there is; of others only the most promising sets are kept.
///
/// The search over sets is that of Ahn et al., "Ordering Chaos: Memory-Aware Scheduling of Irregularly Wired Neural Networks for Edge Devices"
/// (`MLSys` 2020). Cost O(n) states of O(n) bits.
pub(super) fn search(problem: &Problem) -> Vec<usize> {
    let count = problem.units.len();
    let width = (EFFORT / count.max(1)).clamp(1, MOST_STATES);
    let mut next_of: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (unit, of) in problem.units.iter().enumerate() {
        for &before in &of.after {
            next_of[before].push(unit);
        }
    }
    let ready = (0..count).rev().filter(|&unit| problem.units[unit].after.is_empty()).collect();
    let mut steps = vec![Step { before: 0, unit: 0 }];
    let mut states = vec![State { done: Done::new(count), ready, live: 0, peak: 0, last: 0 }];
    for _ in 0..count {
        // (peak, live, state, place in its list of ready units), best first.
        let mut choices: Vec<(u64, u64, usize, usize)> = Vec::new();
        for (at, state) in states.iter().enumerate() {
            let first = state.ready.len().saturating_sub(MOST_READY);
            for place in (first..state.ready.len()).rev() {
                let unit = state.ready[place];
                let change = problem.change(&state.done, unit);
                let during = state.live.saturating_add(change.taken);
                let peak = state.peak.max(during.saturating_add(problem.units[unit].inside));
                choices.push((peak, during.saturating_sub(change.given_back), at, place));
            }
        }
        choices.sort_by_key(|&(peak, live, ..)| (peak, live));
        let mut seen: FxHashSet<Done> = FxHashSet::default();
        let mut next = Vec::new();
        for (peak, live, at, place) in choices {
            if next.len() == width {
                break;
            }
            let (state, unit) = (&states[at], states[at].ready[place]);
            let mut done = state.done.clone();
            done.set(unit);
            if !seen.insert(done.clone()) {
                continue;
            }
            let mut ready = state.ready.clone();
            ready.remove(place);
            let is_ready = |&&unit: &&usize| problem.units[unit].after.iter().all(|&before| done.has(before));
            ready.extend(next_of[unit].iter().rev().filter(is_ready));
            steps.push(Step { before: state.last, unit });
            next.push(State { done, ready, live, peak, last: steps.len() - 1 });
        }
        states = next;
    }
    let mut order = Vec::with_capacity(count);
    let mut at = states.first().map_or(0, |best| best.last);
    while at != 0 {
        order.push(steps[at].unit);
        at = steps[at].before;
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least peak over all valid orders, by trying each.
    fn least_peak(problem: &Problem) -> u64 {
        fn go(problem: &Problem, order: &mut Vec<usize>, best: &mut u64) {
            if order.len() == problem.units.len() {
                *best = (*best).min(problem.peak(order));
            }
            for unit in 0..problem.units.len() {
                if !order.contains(&unit) && problem.units[unit].after.iter().all(|before| order.contains(before)) {
                    order.push(unit);
                    go(problem, order, best);
                    order.pop();
                }
            }
        }
        let mut best = u64::MAX;
        go(problem, &mut Vec::new(), &mut best);
        best
    }

    /// A problem of `count` units, each of which makes one buffer and uses some made before, from a sequence of numbers.
    fn generated(count: usize, seed: u64) -> Problem {
        let mut state = seed.wrapping_mul(2).wrapping_add(1);
        let mut next = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let mut problem = Problem::default();
        for unit in 0..count {
            let after: Vec<usize> = (0..unit).filter(|_| next(3) == 0).collect();
            for &used in &after {
                problem.buffers[used].users.push(unit);
            }
            let buffers = after.iter().copied().chain([unit]).collect();
            problem.units.push(Unit { after, buffers, inside: next(4) });
            problem.buffers.push(Buffer { bytes: 1 + next(20), users: vec![unit], outlives: next(8) == 0 });
        }
        problem
    }

    #[test]
    fn small_problems_are_solved_exactly() {
        for seed in 0..300 {
            let problem = generated(7, seed);
            let order = search(&problem);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..7), "each unit once");
            for (at, &unit) in order.iter().enumerate() {
                assert!(
                    problem.units[unit].after.iter().all(|before| order[..at].contains(before)),
                    "in a valid order"
                );
            }
            assert_eq!(problem.peak(&order), least_peak(&problem), "seed {seed}");
        }
    }

    #[test]
    fn the_peak_counts_what_is_needed_inside() {
        let units = vec![
            Unit { after: vec![], buffers: vec![0], inside: 5 },
            Unit { after: vec![0], buffers: vec![0, 1], inside: 0 },
        ];
        let buffer = |bytes, users: &[usize], outlives| Buffer { bytes, users: users.to_vec(), outlives };
        let problem = Problem { units, buffers: vec![buffer(10, &[0, 1], false), buffer(3, &[1], true)] };
        assert_eq!(problem.peak(&[0, 1]), 15);
        assert_eq!(problem.peak_with(&[0, 1], &[0, 0]), 13);
    }

    #[test]
    fn many_units_take_little_time() {
        let problem = generated(400, 1);
        assert_eq!(search(&problem).len(), 400);
    }
}
