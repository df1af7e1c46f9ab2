//! What is next is asked for while something else is used: the next panel of weights, or, where panels are filled, the rows of the next tile.
//!
//! Weights come from the last-level cache or from memory, and only the first tile of a panel waits for them: the others find it in the second-level
//! cache, while memory has nothing to do. So steps of a tile ask for elements of the next panel, with `memref.prefetch`, at distances from
//! which all tiles of a panel come by all of it. That is a hint, also behind the last panel. A product of 128 rows with weights that are not in the
//! second-level cache took 0.82 to 0.88 of the time so, in a loop in C; one of 16 rows 0.79.
//!
//! A panel that is filled has just been written, and is in the second-level cache. What is not is the other input, of which each panel reads all rows: where they do not
//! fit that cache, the steps of a tile ask for the rows behind it, one after the other as they lie. Products of 1536 and 2048 came from 94 to 96 % of the peak of a Zen 5 so. Where they
//! do, it is the columns that the next panel is filled with that are asked for: 48x2048x256 came from 80 to 85 %.

use dl_bufferization::ToBufferOp;
use dl_ir::affine::{AffineExpr, AffineStore};
use dl_ir::{Context, OpState, Type, ValueId};
use dl_machine::Machine;
use dl_memref::PrefetchOp;

use super::depth::at_once;
use super::group::{Group, factor};
use super::nest::{Columns, Emitter};
use super::plan::Plan;
use super::shape::{Along, Contraction};
use super::walk::At;

/// The part of the second-level cache that two panels may take: the rest is for the rows.
const PANELS_SHARE: f64 = 0.8;

/// Bytes of a line of a cache, and most lines that a step asks for, one of vectors and one of matrix registers, which has many loads: more than that,
/// and asking is what takes the time.
const LINE: u64 = 64;
const MOST_LINES: usize = 4;
const MOST_LINES_OF_MATRICES: usize = 16;

/// Most parts of the depth: each has a kernel of its own.
pub(super) const MOST_PARTS: u64 = 2;

/// What steps of a tile ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ahead {
    /// Of the next panel: how many elements of it are between those that two steps ask for.
    Panel(u64),
    /// Of the rows behind the tile: of which input, and how many elements are between those that two steps ask for.
    Rows {
        /// The input.
        input: usize,
        /// The elements.
        distance: u64,
    },
    /// Of the columns that the next panel is filled with: of which input, and how many cache lines each step asks for.
    Columns {
        /// The input.
        input: usize,
        /// The cache lines.
        lines: u64,
    },
}

/// The plan with what is asked for ahead, and the parts of the depth that it takes for two panels to have room. `keeps_sums` says that sums which are
/// not complete can wait in the result.
pub(super) fn planned(cx: &Context, machine: &Machine, of: &Contraction, plan: &Plan, keeps_sums: bool) -> Plan {
    let can_divide = can_divide(of, plan.group.as_ref(), keeps_sums);
    // What stays in the second-level cache need not be asked for.
    let stays = |packed: usize| plan.panels_inside && !after(cx.affine(), of, packed).is_empty();
    let found = plan.pack.filter(|&packed| !stays(packed)).and_then(|packed| {
        let parts = (1..=if can_divide { MOST_PARTS } else { 1 })
            .find(|&parts| have_room(cx, machine, of, packed, plan, parts))?;
        Some((distance(cx, of, packed, plan)?, parts))
    });
    match found {
        Some((distance, parts)) => Plan { ahead: Some(Ahead::Panel(distance)), parts, ..plan.clone() },
        None if can_divide && again_from_beyond(cx, machine, of, plan) => Plan { parts: MOST_PARTS, ..plan.clone() },
        None => Plan { ahead: where_they_lie(cx, machine, of, plan), ..plan.clone() },
    }
}

/// Whether the depth can go by in parts.
pub(super) fn can_divide(of: &Contraction, group: Option<&Group>, keeps_sums: bool) -> bool {
    keeps_sums && group.is_none() && of.reduced.len() == 1
}

/// Whether all tiles read the same columns of an input where it lies, and those do not stay in the second-level cache: 48x48x4096 came from 86 to 95 % of the peak of
/// a Zen 5 in two parts, of three vectors each.
fn again_from_beyond(cx: &Context, machine: &Machine, of: &Contraction, plan: &Plan) -> bool {
    let along = of.inputs.iter().find(|input| input.along_vector == Along::Adjacent);
    let is_beyond = || {
        let columns = of.extent(of.vector)?.min(plan.tile.vectors * plan.lanes);
        comes_from_beyond(cx, machine, along?.element, of.volume(&of.reduced)?.checked_mul(columns)?)
    };
    let often = tiles(of, plan).is_some_and(|tiles| tiles > 1);
    plan.pack.is_none() && often && is_beyond().unwrap_or(false)
}

/// What is asked for of the inputs, where panels are filled: both together took longer than either.
fn where_they_lie(cx: &Context, machine: &Machine, of: &Contraction, plan: &Plan) -> Option<Ahead> {
    let on_vectors = plan.group.is_none_or(|group| group.tiled.is_none());
    let (packed, row, &[over], true) = (plan.pack?, of.row?, &of.reduced[..], on_vectors) else { return None };
    let asked = Asked { cx, machine, of, plan, row, over };
    let is_filled = of.inputs[packed].constant.is_none();
    if is_filled { asked.rows(1 - packed).or_else(|| asked.columns(packed)) } else { None }
}

/// What may be asked for.
struct Asked<'a> {
    cx: &'a Context,
    machine: &'a Machine,
    of: &'a Contraction,
    plan: &'a Plan,
    row: usize,
    over: usize,
}

impl Asked<'_> {
    /// Of the rows, where these lie one behind the other.
    fn rows(&self, input: usize) -> Option<Ahead> {
        let [.., before, last] = self.of.inputs[input].indices[..] else { return None };
        let lie_so = self.is(before, self.row) && self.is(last, self.over);
        let distance = self.plan.tile.rows * steps(self.of, self.plan);
        (lie_so && self.comes_from_beyond(input, self.row)?).then_some(Ahead::Rows { input, distance })
    }

    /// Of the columns, where these lie side by side and there are several panels of them.
    fn columns(&self, input: usize) -> Option<Ahead> {
        let (&last, others) = self.of.inputs[input].indices.split_last()?;
        let lie_so = self.is(last, self.of.vector) && others.iter().any(|&index| self.is(index, self.over));
        let width = self.plan.tile.vectors * self.plan.lanes;
        let several = self.of.extent(self.of.vector)? > width;
        let tiles = tiles(self.of, self.plan)?;
        let all =
            steps(self.of, self.plan) * (width * bytes_of(self.cx, self.of.inputs[input].element)?).div_ceil(LINE);
        let lines = all.div_ceil(tiles);
        let can_ask = lines <= MOST_LINES as u64;
        (lie_so && several && can_ask && self.comes_from_beyond(input, self.of.vector)?)
            .then_some(Ahead::Columns { input, lines })
    }

    fn is(&self, index: AffineExpr, at: usize) -> bool {
        self.cx.affine().dim_position(index) == Some(at as u32)
    }

    /// Whether an input of the extents of loop `by` and of the depth does not stay in the second-level cache.
    fn comes_from_beyond(&self, input: usize, by: usize) -> Option<bool> {
        comes_from_beyond(self.cx, self.machine, self.of.inputs[input].element, self.of.volume(&[by, self.over])?)
    }
}

/// Whether so many elements of this type do not stay in the second-level cache.
fn comes_from_beyond(cx: &Context, machine: &Machine, element: Type, count: u64) -> Option<bool> {
    Some(count.checked_mul(bytes_of(cx, element)?)? > machine.l2.size / 2)
}

/// Bytes of an element of this type, if it is a number.
fn bytes_of(cx: &Context, element: Type) -> Option<u64> {
    Some(u64::from(cx.ty(element).int_or_float_width()? / 8))
}

/// Whether the input `packed` is a constant of several panels, two of which have room where the depth goes by in so many parts.
fn have_room(cx: &Context, machine: &Machine, of: &Contraction, packed: usize, plan: &Plan, parts: u64) -> bool {
    let input = &of.inputs[packed];
    let element = factor(cx, of, plan.group, packed);
    let width = plan.lanes * plan.tile.vectors;
    let bytes = || of.volume(&of.reduced)?.div_ceil(parts).checked_mul(width * bytes_of(cx, element)?);
    input.constant.is_some()
        && of.extent(of.vector).is_some_and(|columns| columns > width)
        && of.reduced.iter().all(|&at| input.depends_on(cx.affine(), at))
        && bytes().is_some_and(|panel| 2.0 * panel as f64 <= PANELS_SHARE * machine.l2.size as f64)
}

/// How many elements of the next panel are between those that a step which asks and the next one ask for. `None` where there are so many tiles that
/// the first one's wait does not count.
fn distance(cx: &Context, of: &Contraction, packed: usize, plan: &Plan) -> Option<u64> {
    let tiles = of.volume(&after(cx.affine(), of, packed))?.checked_mul(tiles(of, plan)?)?;
    let step = plan.lanes * plan.tile.vectors * steps(of, plan);
    Some((step + tiles / 2) / tiles).filter(|&distance| distance > 0)
}

/// How many tiles a block of rows has.
fn tiles(of: &Contraction, plan: &Plan) -> Option<u64> {
    let rows = of.row.map_or(Some(1), |row| of.extent(row))?;
    let rows = plan.row_block.map_or(rows, |block| rows.min(block));
    Some(rows.div_ceil(plan.tile.rows))
}

/// How many steps of the innermost reduced loop there are for one that asks: those of a group, or those that are made at once.
fn steps(of: &Contraction, plan: &Plan) -> u64 {
    let at_once = || of.reduced.last().map_or(1, |&at| at_once(plan, of.extents[at]) as u64);
    plan.group.map_or_else(at_once, |group| group.size)
}

/// The outer loops that go by while a panel of input `packed` stays.
fn after(affine: &AffineStore, of: &Contraction, packed: usize) -> Vec<usize> {
    of.outer.iter().copied().filter(|&at| !of.inputs[packed].depends_on(affine, at)).collect()
}

impl Emitter<'_, '_, '_> {
    /// A tensor as a buffer, which is what can be asked for.
    pub(super) fn buffer_of(&mut self, tensor: ValueId) -> ValueId {
        let (cx, ty) = (self.b.cx(), self.b.value_type(tensor));
        let shape = ty.shape().unwrap_or_default().to_vec();
        let element = ty.element_or_self().id();
        let memref = cx.memref_type(&shape, element);
        let state = OpState::of::<ToBufferOp<'_>>(self.b.loc).operands([tensor]).results([memref]);
        self.b.create_value(state.attr(cx, "read_only", cx.unit_attr()))
    }

    /// Asks for what is ahead of the tile of `columns`, at a step of it.
    pub(super) fn ask_ahead(&mut self, columns: Columns) {
        match self.plan.ahead.filter(|_| self.asks) {
            Some(Ahead::Panel(distance)) => self.ask_for_panel(distance, columns),
            Some(Ahead::Rows { input, distance }) => self.ask_for_rows(input, distance),
            Some(Ahead::Columns { input, lines }) => self.ask_for_columns(input, lines),
            None => {}
        }
    }

    /// Asks for some of the panel after that of `columns`.
    fn ask_for_panel(&mut self, distance: u64, columns: Columns) {
        let (Some(panels), Some(at)) = (self.panels.clone(), self.plan.pack) else { return };
        let Some(buffer) = panels.buffer else { return };
        let (affine, of) = (self.b.cx().affine(), self.contraction);
        let mut positions = self.positions.clone();
        let mut steps: Vec<(usize, i64)> = of.reduced.iter().map(|&at| (at, of.extents[at])).collect();
        // What the steps that ask go by: groups, or those that are made at once.
        let asking = match self.plan.group {
            Some(Group { along, size, .. }) => Some((along, (of.extents[along] as u64).div_ceil(size) as i64)),
            None => of
                .reduced
                .last()
                .map(|&at| (at, self.part.count.unwrap_or(of.extents[at]) / at_once(self.plan, of.extents[at]))),
        };
        if let Some((along, count)) = asking {
            positions[along] = self.group_at;
            steps.retain(|&(at, _)| at != along);
            steps.push((along, count));
        }
        // Where a tile begins, by rows, and the number of the step in it.
        let mut by = distance as i64;
        let mut place = affine.constant(0);
        let mut add = |at: usize, by: i64| place = affine.add(place, affine.mul_constant(affine.dim(at as u32), by));
        for &(at, extent) in steps.iter().rev() {
            add(at, by);
            by *= extent;
        }
        let tile = self.plan.tile.rows as i64;
        if let Some(row) = of.row {
            positions[row] = self.row_in_block(row);
            add(row, by / tile);
            by *= (self.plan.row_block.map_or(of.extents[row], |block| block as i64) + tile - 1) / tile;
        }
        for at in after(affine, of, at).into_iter().rev() {
            add(at, by);
            by *= of.extents[at];
        }
        // Behind a part of a panel there is the next part, or the next panel.
        let panel = match self.part.count {
            Some(count) => {
                place = affine.add_constant(place, (self.part.first + count) * panels.width);
                columns.panel
            }
            None => columns.panel.plus(1),
        };
        let line = self.elements_of_line(buffer);
        // Matrix registers take many groups of several iterations at once.
        let tiled = self.plan.group.and_then(|group| group.tiled);
        let until = distance as i64 * tiled.unwrap_or(1) as i64 * self.stacked;
        let most = if tiled.is_some() { MOST_LINES_OF_MATRICES } else { MOST_LINES };
        for at in (0..until).step_by(line as usize).take(most) {
            let place = self.index(affine.add_constant(place, at), &positions);
            let mut indices = panels.lead_indices(self, panel);
            let first = self.b.constant_index(0);
            indices.extend(panels.reduced.iter().map(|_| first));
            indices.push(place);
            self.ask_for(buffer, indices);
        }
    }

    /// Asks for some of the rows of the next tile, one element behind the other as they lie.
    fn ask_for_rows(&mut self, input: usize, distance: u64) {
        let Some(buffer) = self.asked else { return };
        let (access, over, tile) = (&self.contraction.inputs[input], self.contraction.reduced[0], self.plan.tile.rows);
        let position = self.positions[over];
        let place = self.scaled(self.group_at, distance as i64);
        for at in (0..distance as i64).step_by(self.elements_of_line(buffer) as usize).take(MOST_LINES) {
            self.positions[over] = place.plus(at);
            let indices = self.indices(access, tile as i64, 0);
            self.ask_for(buffer, indices);
        }
        self.positions[over] = position;
    }

    /// Asks for some of the columns of the next panel: of what this step reads of its own panel the same, and of that some cache lines, others for each tile.
    fn ask_for_columns(&mut self, input: usize, lines: u64) {
        let (Some(buffer), Some(row)) = (self.asked, self.contraction.row) else { return };
        let (access, over, vector) =
            (&self.contraction.inputs[input], self.contraction.reduced[0], self.contraction.vector);
        let affine = self.b.cx().affine();
        let (steps, line) = (steps(self.contraction, self.plan) as i64, self.elements_of_line(buffer));
        let width = (self.plan.tile.vectors * self.plan.lanes) as i64;
        let all = steps * ((width + line - 1) / line);
        let row = self.row_in_block(row);
        let tile = affine.floordiv(affine.dim(0), affine.constant(self.plan.tile.rows as i64));
        let (position, column) = (self.positions[over], self.positions[vector]);
        let step = self.scaled(self.group_at, steps).plus(self.part.first);
        for at in 0..lines as i64 {
            let which = affine.add_constant(affine.mul_constant(tile, lines as i64), at);
            let which = affine.modulo(which, affine.constant(all));
            let which = At::value(self.index(which, &[row]));
            let within = self.index(affine.modulo(affine.dim(0), affine.constant(steps)), &[which]);
            let behind = affine.mul_constant(affine.floordiv(affine.dim(0), affine.constant(steps)), line);
            let behind = self.index(behind, &[which]);
            self.positions[over] = self.sum(step, At::value(within));
            self.positions[vector] = self.sum(column, At::value(behind)).plus(width);
            let indices = self.indices(access, 0, 0);
            self.ask_for(buffer, indices);
            (self.positions[over], self.positions[vector]) = (position, column);
        }
    }

    /// How many rows the tile begins behind the block that it is in.
    fn row_in_block(&mut self, row: usize) -> At {
        let affine = self.b.cx().affine();
        let within = affine.add(affine.dim(0), affine.mul_constant(affine.dim(1), -1));
        At::value(self.index(within, &[self.positions[row], self.first_row]))
    }

    /// Asks for the cache line of an element, for the second-level cache.
    fn ask_for(&mut self, buffer: ValueId, indices: Vec<ValueId>) {
        let cx = self.b.cx();
        let state = OpState::of::<PrefetchOp<'_>>(self.b.loc).operands([buffer]).operands(indices);
        let state = state.attr(cx, "isWrite", cx.bool_attr(false)).attr(cx, "localityHint", cx.i32_attr(2));
        self.b.create(state.attr(cx, "isDataCache", cx.bool_attr(true)));
    }

    /// How many elements of a buffer a cache line has.
    fn elements_of_line(&self, buffer: ValueId) -> i64 {
        let bytes = bytes_of(self.b.cx(), self.b.value_type(buffer).element_or_self().id()).unwrap_or(1);
        (LINE / bytes.max(1)) as i64
    }
}
