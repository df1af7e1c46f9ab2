//! Columns that leave lanes of a vector empty: the last ones, or all.
//!
//! A vector then has neighbours of the depth of one column, which lie side by side in a panel, and is multiplied by as many elements of a row, as they lie. A tile
//! is of few columns, each with sums of its own in all lanes, which are added up in the end. So the one column that 129 are more than 128
//! takes a multiplication for 16 steps, not for each. On a Zen 5, 127x129x131 came from 86 to 94 % of the peak so, 500x12x1000 from 65 to 86, 200x6x2000 from 48 to 79.

use dl_ir::affine::AffineStore;
use dl_ir::interfaces::Index;
use dl_ir::{OpState, ValueId};
use dl_machine::Machine;
use dl_passes_vector::build::VectorBuild as _;
use dl_vector::DeinterleaveOp;

use super::ahead;
use super::group::{Group, Kind};
use super::nest::{Columns, Emitter};
use super::pack::Panels;
use super::plan::{Plan, Tile};
use super::shape::{Access, Along, Contraction, along};
use super::walk::At;

/// Fewest rows for which columns are copied, and most vectors beside those columns: with more of them, there is little to gain.
const ROWS_THAT_PAY: u64 = 16;
const MOST_VECTORS: u64 = 16;

/// Rows of a tile at most, and the share of all registers, as a divisor, that it has columns: of more, the vectors of a step take registers that sums have then not.
const ROWS: u64 = 8;
const COLUMNS_SHARE: u64 = 5;

/// What tiles of such columns take of the time of full vectors, and how many steps of the depth take as long as it takes to add up.
const TIME_OF_COLUMNS: f64 = 4.0 / 3.0;
const STEPS_OF_ADDING_UP: f64 = 40.0;

/// What tiles of one vector take of the time of others: they wait for loads, one for each multiplication.
const TIME_OF_ONE_VECTOR: f64 = 9.0 / 8.0;

/// Most parts of the depth: each has kernels of its own.
const MOST_PARTS: u64 = 4;

/// Fewest steps of the depth, in vectors.
const VECTORS_OF_DEPTH: u64 = 2;

/// The plan for the columns behind those that fill vectors of `lanes` elements. `None` where there are none, or vectors with a mask are as good.
pub(super) fn choose(
    affine: &AffineStore,
    of: &Contraction,
    machine: &Machine,
    lanes: u64,
    keeps_sums: bool,
) -> Option<Plan> {
    let (all, rows) = (of.extent(of.vector)?, of.extent(of.row?)?);
    let (full, left) = (all / lanes, all % lanes);
    let time = |vectors: u64| vectors as f64 * if vectors == 1 { TIME_OF_ONE_VECTOR } else { 1.0 };
    let depth = of.volume(&of.reduced)?;
    let of_columns = (TIME_OF_COLUMNS + STEPS_OF_ADDING_UP / depth as f64) * left as f64 / lanes as f64;
    let pays = time(full) + of_columns < time(full + 1);
    if left == 0 || !pays || full > MOST_VECTORS || rows < ROWS_THAT_PAY {
        return None;
    }
    let packed = (0..2).find(|&at| of.inputs[at].along_vector != Along::Constant)?;
    let (columns, broadcast) = (&of.inputs[packed], &of.inputs[1 - packed]);
    let &over = of.reduced.last()?;
    let adjacent = |indices| along(affine, indices, over) == Along::Adjacent;
    let serves = broadcast.along_vector == Along::Constant
        && adjacent(&broadcast.indices)
        && columns.depends_on(affine, over)
        && columns.is_by_loops(affine)
        && of.row.is_some_and(|row| !columns.depends_on(affine, row))
        && (columns.along_vector == Along::Adjacent || adjacent(&columns.indices) || columns.constant.is_some())
        && of.extent(over).is_some_and(|depth| depth >= VECTORS_OF_DEPTH * lanes);
    let registers = u64::from(machine.vector_registers);
    let tiles = left.div_ceil((registers / COLUMNS_SHARE).max(1));
    let of_tile = left.div_ceil(tiles);
    // The sums, a vector of each row and column, and one more.
    let fit = registers.saturating_sub(1 + of_tile) / (of_tile + 1);
    let of_result = of_tile.next_power_of_two();
    let tile = Tile { rows: rows.min(fit.clamp(1, ROWS)), vectors: left.div_ceil(of_result) };
    let group = Group { size: lanes, along: over, packed, kind: Kind::Steps { columns: of_tile }, tiled: None };
    let parts = if ahead::can_divide(of, None, keeps_sums) {
        parts(machine, depth, (left + tile.rows) * u64::from(machine.vector_bits / 8) / lanes)
    } else {
        1
    };
    serves.then(|| Plan {
        pack: Some(packed),
        group: Some(group),
        columns: Some(all - left..all),
        parts,
        ..Plan::plain(of_result, tile)
    })
}

/// Parts of the depth, so that what tiles of some rows read of it, `bytes` for each step, stays in three quarters of the first-level cache.
fn parts(machine: &Machine, depth: u64, bytes: u64) -> u64 {
    depth.saturating_mul(bytes).div_ceil((machine.l1d.size / 4 * 3).max(1)).clamp(1, MOST_PARTS)
}

impl<'a> Emitter<'a, '_, '_> {
    /// What `make` makes with another plan.
    fn with_plan<T>(&mut self, plan: &'a Plan, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.plan, plan);
        let made = make(self);
        self.plan = before;
        made
    }

    /// The panel of the columns that have a plan of their own, filled.
    pub(super) fn narrow_panel(&mut self) -> Option<Panels> {
        let plan = self.plan.narrow.as_deref()?;
        let at = plan.pack?;
        Some(self.with_plan(plan, |this| {
            let (first, count) = this.columns_at_work();
            this.positions[this.contraction.vector] = At::constant(first);
            let mut panels = Panels::of(this, at);
            if panels.is_filled() {
                let memory = panels.value;
                panels.fill(this, count, memory);
            }
            panels
        }))
    }

    /// Those columns of `count` rows from `first` on, if there are any: what `dest` has become.
    pub(super) fn narrow_columns(&mut self, after: &[usize], (first, count): (At, Index), dest: ValueId) -> ValueId {
        let Some(plan) = self.plan.narrow.as_deref() else { return dest };
        let narrow = self.narrow.clone();
        let panels = std::mem::replace(&mut self.panels, narrow);
        let carried = self.with_plan(plan, |this| this.columns_of_plan(after, first, count, vec![dest]));
        self.panels = panels;
        carried[0]
    }

    /// A tile of `rows` for `of_tile` columns of the panel after the other, with as many vectors of sums: the rows come from the first-level cache from the second on.
    pub(super) fn kernels_of_columns(&mut self, of_tile: u64, rows: i64, columns: Columns, dest: ValueId) -> ValueId {
        let (lanes, vector) = (self.plan.lanes, self.contraction.vector);
        let first = self.positions[vector];
        let Some(all) = self.plan.columns.as_ref().map(|columns| columns.end - columns.start) else { return dest };
        let dest = (0..all).step_by(of_tile as usize).fold(dest, |dest, at| {
            let there = of_tile.min(all - at);
            self.positions[vector] = first.plus(at as i64);
            let mask = (there < lanes).then(|| self.mask(Index::Static(there as i64)));
            let tile = Columns { vectors: there, mask, panel: columns.panel, within: columns.within.plus(at as i64) };
            self.kernel_in_vectors(rows, tile, dest)
        });
        self.positions[vector] = first;
        dest
    }

    /// Stores `sums` of such a tile, row by row.
    pub(super) fn finish_columns(&mut self, sums: &[ValueId], columns: Columns, dest: ValueId) -> ValueId {
        let of_row = Columns { vectors: 1, ..columns };
        sums.chunks(columns.vectors as usize).zip(0..).fold(dest, |dest, (sums, row)| {
            let sums = self.folded(sums);
            let sums = if self.part.begins {
                self.with_start(sums, dest, row, 0, of_row)
            } else {
                let before = Access { value: dest, ..self.written().clone() };
                let before = self.read(&before, row, 0, of_row);
                self.add(before, sums)
            };
            self.finish(sums, dest, row, 0, of_row)
        })
    }

    /// The sums of the columns of a row, each in all lanes of a vector, as one vector with a lane for each.
    fn folded(&mut self, sums: &[ValueId]) -> ValueId {
        let (cx, lanes) = (self.b.cx(), self.plan.lanes as usize);
        // What is in lanes of columns that are not there, nobody sees.
        let mut folded: Vec<ValueId> = (0..lanes).map(|at| sums[at.min(sums.len() - 1)]).collect();
        let size = self.b.value_type(sums[0]).shape().map_or(1, |shape| shape[0]);
        let mut of_column = size;
        while folded.len() > 1 {
            let (lower, upper): (Vec<i64>, Vec<i64>) = (0..2 * size).partition(|lane| lane % of_column < of_column / 2);
            folded = folded
                .chunks(2)
                .map(|pair| {
                    let [lower, upper] = [&lower, &upper].map(|half| self.b.shuffle(pair[0], pair[1], half));
                    self.add(lower, upper)
                })
                .collect();
            of_column /= 2;
        }
        let (mut sums, mut count) = (folded[0], size);
        while count > lanes as i64 {
            count /= 2;
            let half = cx.vector_type(&[count], self.contraction.result.element);
            let state = OpState::of::<DeinterleaveOp<'_>>(self.b.loc).operands([sums]).results([half, half]);
            let halves = self.b.create(state);
            let [even, odd] = [0, 1].map(|at| self.b.ir().result(halves, at));
            sums = self.add(even, odd);
        }
        sums
    }
}
