//! The next panel of weights is asked for while this one is used.
//!
//! Weights come from the last-level cache or from memory, and only the first tile of a panel waits for them: the others find it in the second-level
//! cache, while memory has nothing to do. So each step of a tile asks for one element of the next panel, with `memref.prefetch`, at distances from
//! which all tiles of a panel come by all of it. That is a hint, also behind the last panel. A product of 128 rows with weights that are not in the
//! second-level cache took 0.82 to 0.88 of the time so, in a loop in C; one of 16 rows 0.79.

use dl_bufferization::ToBufferOp;
use dl_ir::affine::AffineStore;
use dl_ir::{Context, OpState, ValueId};
use dl_machine::Machine;
use dl_memref::PrefetchOp;

use super::group::Group;
use super::nest::{Columns, Emitter};
use super::plan::Tile;
use super::shape::Contraction;

/// The part of the second-level cache that two panels may take: the rest is for the rows.
const PANELS_SHARE: f64 = 0.8;

/// How many elements of the next panel are between those that a step and the one after it ask for. `None` where the next panel is not asked
/// for: the input `packed` is no constant of several panels, two of them have no room, or there are so many tiles that the first one's wait does
/// not count.
pub(super) fn distance(
    cx: &Context,
    machine: &Machine,
    of: &Contraction,
    packed: usize,
    tile: Tile,
    group: Option<&Group>,
) -> Option<u64> {
    let input = &of.inputs[packed];
    let bits = cx.ty(if group.is_some() { input.element } else { of.result.element }).int_or_float_width()?;
    let width = tile.vectors * u64::from(machine.lanes(cx.ty(of.result.element).int_or_float_width()?));
    let changes = |at: usize| input.depends_on(cx.affine(), at);
    if input.constant.is_none() || of.extent(of.vector)? <= width || !of.reduced.iter().all(|&at| changes(at)) {
        return None;
    }
    let panel = of.volume(&of.reduced)?.checked_mul(width * u64::from(bits / 8))?;
    if 2.0 * panel as f64 > PANELS_SHARE * machine.l2.size as f64 {
        return None;
    }
    let rows = of.row.map_or(Some(1), |row| of.extent(row))?;
    let tiles = of.volume(&after(cx.affine(), of, packed))?.checked_mul(rows.div_ceil(tile.rows))?;
    let step = width * group.map_or(1, |group| group.size);
    Some((step + tiles / 2) / tiles).filter(|&distance| distance > 0)
}

/// The outer loops that go by while a panel of input `packed` stays.
fn after(affine: &AffineStore, of: &Contraction, packed: usize) -> Vec<usize> {
    of.outer.iter().copied().filter(|&at| !of.inputs[packed].depends_on(affine, at)).collect()
}

impl Emitter<'_, '_, '_> {
    /// The panels as a buffer, which is what can be asked for.
    pub(super) fn buffer_of(&mut self, panels: ValueId) -> ValueId {
        let (cx, ty) = (self.b.cx(), self.b.value_type(panels));
        let shape = ty.shape().unwrap_or_default().to_vec();
        let element = ty.element_or_self().id();
        let memref = cx.memref_type(&shape, element);
        let state = OpState::of::<ToBufferOp<'_>>(self.b.loc).operands([panels]).results([memref]);
        self.b.create_value(state.attr(cx, "read_only", cx.unit_attr()))
    }

    /// Asks for an element of the panel after that of `columns`, if that is done, at a step of a tile.
    pub(super) fn ask_ahead(&mut self, columns: Columns) {
        let (Some(panels), Some(distance), Some(at)) = (self.panels.clone(), self.plan.ahead, self.plan.pack) else {
            return;
        };
        let Some(buffer) = panels.buffer else { return };
        let (affine, of) = (self.b.cx().affine(), self.contraction);
        let mut positions = self.positions.clone();
        let mut steps: Vec<(usize, i64)> = of.reduced.iter().map(|&at| (at, of.extents[at])).collect();
        if let Some(Group { along, size, .. }) = self.plan.group {
            positions[along] = self.group_at;
            steps.retain(|&(at, _)| at != along);
            steps.push((along, (of.extents[along] as u64).div_ceil(size) as i64));
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
            add(row, by / tile);
            by *= (of.extents[row] + tile - 1) / tile;
        }
        for at in after(affine, of, at).into_iter().rev() {
            add(at, by);
            by *= of.extents[at];
        }
        let place = self.index(place, &positions);
        let mut indices = panels.lead_indices(self, columns.panel.plus(1));
        let first = self.b.constant_index(0);
        indices.extend(panels.reduced.iter().map(|_| first));
        indices.push(place);
        let cx = self.b.cx();
        let state = OpState::of::<PrefetchOp<'_>>(self.b.loc).operands([buffer]).operands(indices);
        let state = state.attr(cx, "isWrite", cx.bool_attr(false)).attr(cx, "localityHint", cx.i32_attr(2));
        self.b.create(state.attr(cx, "isDataCache", cx.bool_attr(true)));
    }
}
