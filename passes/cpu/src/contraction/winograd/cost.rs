//! Which convolutions are worth it, and how many tiles are at work at once.
//!
//! Cycles are estimated for a core that starts two multiply-adds and stores one vector in a cycle. A tile costs its multiplications, each a step
//! of a matrix product, and its transforms, which load or store what they make. Filters have more elements once transformed, 16/9 or 4 times as
//! many: where they do not stay in the second-level cache, these are read from farther away.

use dl_machine::Machine;

/// A convolution with a window of three by three, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Problem {
    /// Images.
    pub(super) batch: u64,
    /// Rows and columns of the result.
    pub(super) rows: u64,
    pub(super) columns: u64,
    /// Features of the input and of the result.
    pub(super) channels: u64,
    pub(super) features: u64,
}

/// How it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// Results of a tile along a dimension.
    pub(super) outputs: u64,
    /// Rows of tiles at work at once.
    pub(super) tile_rows: u64,
}

/// The part of the peak that products reach, directly and on transformed tiles.
const DIRECT_SHARE: f64 = 0.95;
const TILED_SHARE: f64 = 0.90;

/// Cycles for a byte of filters that comes from memory, and for one of anything that comes from the last-level cache.
const CYCLES_OF_MEMORY: f64 = 0.1;
const CYCLES_OF_LAST_LEVEL: f64 = 0.03;

/// What must be gained for the trouble.
const GAIN: f64 = 0.9;

/// Tiles that fill the rows of a register block a few times.
const MANY_TILES: u64 = 24;

/// Bytes of an element.
const ELEMENT: u64 = 4;

/// Cycles that a vector of a tile takes to be transformed to and from, for each number of outputs.
fn transforms(outputs: u64) -> (f64, f64) {
    if outputs == 2 { (20.0, 16.0) } else { (80.0, 65.0) }
}

impl Problem {
    fn tiles(&self, outputs: u64) -> (u64, u64) {
        (self.rows.div_ceil(outputs), self.columns.div_ceil(outputs))
    }

    /// Bytes of the filters for `elements` of each.
    fn filters(&self, elements: u64) -> u64 {
        elements.saturating_mul(self.channels).saturating_mul(self.features).saturating_mul(ELEMENT)
    }

    fn direct(&self, lanes: u64) -> f64 {
        let pixels = (self.batch * self.rows * self.columns) as f64;
        let products = (9 * self.channels * self.features.div_ceil(lanes)) as f64;
        pixels * products / 2.0 / DIRECT_SHARE
    }

    fn tiled(&self, machine: &Machine, lanes: u64, outputs: u64) -> f64 {
        let (down, across) = self.tiles(outputs);
        let (to, from) = transforms(outputs);
        let elements = (outputs + 2).pow(2);
        let (inner, outer) = (self.channels.div_ceil(lanes), self.features.div_ceil(lanes));
        let products = (elements * self.channels * outer) as f64 / 2.0 / TILED_SHARE;
        // Each sum is made and stored.
        let sums = (elements * outer) as f64 * 1.5;
        let tile = products + sums + inner as f64 * to + outer as f64 * from;
        let more = if self.filters(elements) > machine.l2.size { self.filters(elements) - self.filters(9) } else { 0 };
        (self.batch * down * across) as f64 * tile + more as f64 * CYCLES_OF_MEMORY
    }

    /// Rows of tiles for which the least comes from the last-level cache: filters once for each block, and tiles that do not stay nearer.
    fn tile_rows(&self, machine: &Machine, outputs: u64) -> u64 {
        let (down, across) = self.tiles(outputs);
        let elements = (outputs + 2).pow(2);
        let tile = elements * (self.channels + self.features) * ELEMENT;
        let filters = self.filters(elements);
        let cost = |rows: u64| {
            let (blocks, tiles) = (down.div_ceil(rows), rows * across);
            let again = if filters > machine.l2.size / 2 { blocks } else { 1 };
            let at_work = tiles * tile;
            let spilled = if at_work > machine.l2.size / 2 { 2 * blocks * at_work } else { 0 };
            let far = (filters.saturating_mul(again) + spilled) as f64 * CYCLES_OF_LAST_LEVEL;
            // Few tiles leave a part of the register block empty.
            let few = MANY_TILES.saturating_sub(tiles) as f64 / MANY_TILES as f64;
            far + few * 0.3 * (blocks * filters / ELEMENT) as f64 * tiles as f64 / 32.0
        };
        // All blocks alike are made once. If the last row of tiles is less than whole, its block is another one anyway.
        let ragged = !self.rows.is_multiple_of(outputs);
        let alike = (1..=down).filter(|&rows| ragged || down.is_multiple_of(rows));
        alike.min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(1)
    }
}

/// The quickest way with tiles of at most `most` outputs along a dimension; `None` where the direct sum is as quick.
pub(super) fn choose(machine: &Machine, problem: &Problem, most: u64) -> Option<Plan> {
    let lanes = u64::from(machine.lanes(32));
    if lanes < 2 {
        return None;
    }
    let least = problem.direct(lanes) * GAIN;
    let timed = [2, 4].into_iter().filter(|&outputs| outputs <= most);
    let timed = timed.map(|outputs| (problem.tiled(machine, lanes, outputs), outputs));
    let (_, outputs) = timed.filter(|&(time, _)| time < least).min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    Some(Plan { outputs, tile_rows: problem.tile_rows(machine, outputs) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(problem: (u64, u64, u64), most: u64) -> Option<Plan> {
        let (rows, channels, features) = problem;
        let problem = Problem { batch: 1, rows, columns: rows, channels, features };
        choose(&dl_machine::named("znver5").unwrap(), &problem, most)
    }

    #[test]
    fn larger_tiles_only_where_they_are_allowed() {
        assert_eq!(chosen((56, 64, 64), 2).unwrap().outputs, 2);
        assert_eq!(chosen((56, 64, 64), 4).unwrap().outputs, 4);
        assert_eq!(chosen((56, 64, 64), 0), None);
    }

    #[test]
    fn few_channels_do_not_pay_for_the_transforms() {
        assert_eq!(chosen((224, 1, 16), 4), None);
        assert!(chosen((224, 32, 32), 2).is_some());
    }

    #[test]
    fn one_pixel_is_no_tile() {
        assert_eq!(chosen((1, 256, 256), 4), None);
    }

    #[test]
    fn filters_that_do_not_stay_near_are_read_for_many_tiles() {
        // 36 matrices of 256 KiB: one block of all seven rows of tiles reads them once.
        let plan = chosen((14, 256, 256), 2).unwrap();
        assert_eq!((plan.outputs, plan.tile_rows), (2, 7));
        // Of 16 KiB they stay, and so should the tiles.
        let plan = chosen((56, 64, 64), 2).unwrap();
        assert!(plan.tile_rows <= 2, "{plan:?}");
    }

    #[test]
    fn no_vectors_no_tiles() {
        let problem = Problem { batch: 1, rows: 56, columns: 56, channels: 64, features: 64 };
        assert_eq!(choose(&dl_machine::named("generic-rv64").unwrap(), &problem, 4), None);
    }
}
