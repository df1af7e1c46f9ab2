//! How loops are cut into blocks, and in which order these come.

use super::access::Range;

/// Loops that go along one side of a matrix, outermost first.
#[derive(Clone, Default, Debug)]
pub struct Group {
    /// Numbers of the loops.
    pub loops: Vec<usize>,
    /// Their extents.
    pub extents: Vec<u64>,
}

/// The extent of a block along each loop of a group: whole along the inner ones, one along the outer ones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cut(Vec<u64>);

impl Group {
    /// All iterations.
    pub fn extent(&self) -> u64 {
        self.extents.iter().product()
    }

    /// The cuts that are worth looking at: as many equal parts as a number with few factors, rounded up to whole tiles of the innermost loop.
    pub fn cuts(&self, tile: u64) -> Vec<Cut> {
        let mut cuts = Vec::new();
        for at in (0..self.loops.len()).rev() {
            let extent = self.extents[at];
            let is_inner = at + 1 == self.loops.len();
            let tile = if is_inner { tile } else { 1 };
            let parts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256];
            let chunks = parts.into_iter().map(|parts| extent.div_ceil(parts).next_multiple_of(tile).min(extent));
            let mut chunks: Vec<u64> = chunks.filter(|chunk| is_inner || *chunk > 1).collect();
            chunks.push(tile.min(extent));
            chunks.sort_unstable();
            chunks.dedup();
            for chunk in chunks {
                let of = |other: usize| match other.cmp(&at) {
                    std::cmp::Ordering::Less => 1,
                    std::cmp::Ordering::Equal => chunk,
                    std::cmp::Ordering::Greater => self.extents[other],
                };
                cuts.push(Cut((0..self.loops.len()).map(of).collect()));
            }
        }
        cuts.sort();
        cuts.dedup();
        if cuts.is_empty() { vec![Cut(Vec::new())] } else { cuts }
    }

    /// The cut that is none: one block.
    pub fn whole(&self) -> Cut {
        Cut(self.extents.clone())
    }

    /// How many blocks a cut makes.
    pub fn count(&self, cut: &Cut) -> u64 {
        self.extents.iter().zip(&cut.0).map(|(extent, chunk)| extent.div_ceil(*chunk)).product()
    }

    /// The number of a block in the middle of each loop, which is a whole one.
    pub fn middle(&self, cut: &Cut) -> u64 {
        self.extents.iter().zip(&cut.0).fold(0, |middle, (extent, chunk)| {
            let blocks = extent.div_ceil(*chunk);
            middle * blocks + (blocks - 1) / 2
        })
    }

    /// Writes the ranges of block number `index` to those of all loops.
    pub fn select(&self, cut: &Cut, mut index: u64, ranges: &mut [Range]) {
        for at in (0..self.loops.len()).rev() {
            let (extent, chunk) = (self.extents[at], cut.0[at]);
            let blocks = extent.div_ceil(chunk);
            let start = index % blocks * chunk;
            ranges[self.loops[at]] = (start, chunk.min(extent - start));
            index /= blocks;
        }
    }

    /// Iterations of the group in `ranges`.
    pub fn size(&self, ranges: &[Range]) -> u64 {
        self.loops.iter().map(|&at| ranges[at].1).product()
    }

    /// The number of the first iteration in `ranges` among all.
    pub fn start(&self, ranges: &[Range]) -> u64 {
        self.loops.iter().zip(&self.extents).fold(0, |start, (&at, extent)| start * extent + ranges[at].0)
    }

    /// Writes how far apart iterations in `ranges` are, one after the other, `unit` from one to the next.
    pub fn strides(&self, ranges: &[Range], mut unit: u64, strides: &mut [u64]) {
        for &at in self.loops.iter().rev() {
            strides[at] = unit;
            unit *= ranges[at].1;
        }
    }
}

impl Cut {
    /// One iteration in each block.
    pub fn ones(group: &Group) -> Self {
        Self(vec![1; group.loops.len()])
    }

    /// Iterations of a whole block.
    pub fn size(&self) -> u64 {
        self.0.iter().product()
    }
}

/// The blocks that are multiplied in a step: number in the batch, block of rows, of columns, and of terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// Which of the batch.
    pub batch: u64,
    /// Which rows.
    pub row: u64,
    /// Which columns.
    pub column: u64,
    /// Which terms.
    pub term: u64,
}

/// The order of steps.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// Blocks of rows, of columns and of terms.
    pub counts: [u64; 3],
    /// How many products there are.
    pub batch: u64,
    /// Whether all blocks of a column come before those of the next one.
    pub columns_first: bool,
}

impl Order {
    /// Blocks of all results.
    pub fn blocks(&self) -> u64 {
        self.batch * self.counts[0] * self.counts[1]
    }

    /// The blocks that core `core` of `cores` computes.
    pub fn share(&self, core: u64, cores: u64) -> std::ops::Range<u64> {
        let each = self.blocks().div_ceil(cores.max(1));
        core * each..((core + 1) * each).min(self.blocks())
    }

    /// The steps of these blocks.
    pub fn steps(self, blocks: std::ops::Range<u64>) -> impl Iterator<Item = At> {
        let [rows, columns, terms] = self.counts;
        blocks.flat_map(move |block| {
            let (batch, inner) = (block / (rows * columns), block % (rows * columns));
            let (row, column) =
                if self.columns_first { (inner % rows, inner / rows) } else { (inner / columns, inner % columns) };
            (0..terms).map(move |term| At { batch, row, column, term })
        })
    }
}

/// Which blocks the slots of an operand hold.
#[derive(Clone, Debug)]
pub struct Residents {
    held: Vec<Option<([u64; 3], u64)>>,
    clock: u64,
}

impl Residents {
    /// So many empty slots.
    pub fn new(slots: usize) -> Self {
        Self { held: vec![None; slots], clock: 0 }
    }

    /// The slot for a block, and whether it must be loaded: in place of what has not been used for longest.
    pub fn bring(&mut self, block: [u64; 3]) -> (usize, bool) {
        self.clock += 1;
        let found = self.held.iter().position(|held| held.is_some_and(|(known, _)| known == block));
        let oldest = || (0..self.held.len()).min_by_key(|&slot| self.held[slot].map_or(0, |(_, used)| used));
        let slot = found.or_else(oldest).unwrap_or(0);
        self.held[slot] = Some((block, self.clock));
        (slot, found.is_none())
    }
}
