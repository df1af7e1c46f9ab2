//! What is next is asked for while something else is used: the next panel of weights, or, where panels are filled, the rows of the next tile.
//!
//! Weights come from the last-level cache or from memory, and only the first tile of a panel waits for them: the others find it in the second-level
//! cache, while memory has nothing to do. So steps of a tile ask for elements of the next panel, with `memref.prefetch`, at distances from
//! which all tiles of a panel come by all of it. That is a hint, also behind the last panel. A product of 128 rows with weights that are not in the
//! second-level cache took 0.82 to 0.88 of the time so, in a loop in C; one of 16 rows 0.79.
//!
//! A panel that is filled has just been written, and is in the second-level cache. What is not is the other input, of which each panel reads all rows: where they do not
//! fit that cache, the steps of a tile ask for the rows behind it, one after the other as they lie. Products of 1536 and 2048 came from 94 to 96 % of the peak of a Zen 5 so.

use dl_bufferization::ToBufferOp;
use dl_ir::affine::AffineStore;
use dl_ir::{Context, OpState, Type, ValueId};
use dl_machine::Machine;
use dl_memref::PrefetchOp;

use super::depth::at_once;
use super::group::{Group, factor};
use super::nest::{Columns, Emitter};
use super::plan::Plan;
use super::shape::Contraction;
use super::walk::At;

/// The part of the second-level cache that two panels may take: the rest is for the rows.
const PANELS_SHARE: f64 = 0.8;

/// Bytes of a line of a cache, and most lines that a step asks for, one of vectors and one of matrix registers, which has many loads: more than that,
/// and asking is what takes the time.
const LINE: u64 = 64;
const MOST_LINES: usize = 4;
const MOST_LINES_OF_MATRICES: usize = 16;

/// Most parts of the depth: each has a kernel of its own.
const MOST_PARTS: u64 = 2;

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
}

/// The plan with what is asked for ahead, and the parts of the depth that it takes for two panels to have room. `keeps_sums` says that sums which are
/// not complete can wait in the result.
pub(super) fn planned(cx: &Context, machine: &Machine, of: &Contraction, plan: Plan, keeps_sums: bool) -> Plan {
    let can_divide = keeps_sums && plan.group.is_none() && of.reduced.len() == 1;
    // What stays in the second-level cache need not be asked for.
    let stays = |packed: usize| plan.panels_inside && !after(cx.affine(), of, packed).is_empty();
    let found = plan.pack.filter(|&packed| !stays(packed)).and_then(|packed| {
        let parts = (1..=if can_divide { MOST_PARTS } else { 1 })
            .find(|&parts| have_room(cx, machine, of, packed, &plan, parts))?;
        Some((distance(cx, of, packed, &plan)?, parts))
    });
    match found {
        Some((distance, parts)) => Plan { ahead: Some(Ahead::Panel(distance)), parts, ..plan },
        None => Plan { ahead: rows(cx, machine, of, &plan), ..plan },
    }
}

/// What is asked for of the rows, where panels are filled, and the rows lie one behind the other and do not stay in the second-level cache.
fn rows(cx: &Context, machine: &Machine, of: &Contraction, plan: &Plan) -> Option<Ahead> {
    let (affine, packed, row) = (cx.affine(), plan.pack?, of.row?);
    let (&[over], input) = (&of.reduced[..], 1 - packed) else { return None };
    let access = &of.inputs[input];
    let [.., before, last] = access.indices[..] else { return None };
    let is = |index, at: usize| affine.dim_position(index) == Some(at as u32);
    let bytes = of.extent(row)?.checked_mul(of.extent(over)?)?.checked_mul(bytes_of(cx, access.element)?)?;
    let comes_from_beyond = is(before, row) && is(last, over) && bytes > machine.l2.size / 2;
    let on_vectors = plan.group.is_none_or(|group| group.tiled.is_none());
    let distance = plan.tile.rows * steps(of, plan);
    (of.inputs[packed].constant.is_none() && on_vectors && comes_from_beyond).then_some(Ahead::Rows { input, distance })
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
    let rows = of.row.map_or(Some(1), |row| of.extent(row))?;
    let rows = plan.row_block.map_or(rows, |block| rows.min(block));
    let tiles = of.volume(&after(cx.affine(), of, packed))?.checked_mul(rows.div_ceil(plan.tile.rows))?;
    let step = plan.lanes * plan.tile.vectors * steps(of, plan);
    Some((step + tiles / 2) / tiles).filter(|&distance| distance > 0)
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

    /// Asks for some of the panel after that of `columns`, if that is done, at a step of a tile.
    pub(super) fn ask_ahead(&mut self, columns: Columns) {
        let (Some(panels), Some(Ahead::Panel(distance)), Some(at)) =
            (self.panels.clone(), self.plan.ahead, self.plan.pack)
        else {
            return;
        };
        let Some(buffer) = panels.buffer.filter(|_| self.asks) else { return };
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
            let within = affine.add(affine.dim(0), affine.mul_constant(affine.dim(1), -1));
            positions[row] = At::value(self.index(within, &[positions[row], self.first_row]));
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

    /// Asks for some of the rows of the next tile, if that is done, at a step of this one.
    pub(super) fn ask_for_rows(&mut self) {
        let (Some(buffer), Some(Ahead::Rows { input, distance })) = (self.rows.filter(|_| self.asks), self.plan.ahead)
        else {
            return;
        };
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
