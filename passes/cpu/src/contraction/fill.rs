//! When a panel is filled: before its tiles, or by the first of them.
//!
//! The first tile of a panel that is filled with vectors as they lie reads what the others then find in the panel, and writes it: the multiplications hide the copy.
//! 48x2048x256 came from 86 to 93 % of the peak of a Zen 5 so.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;

use super::group::Group;
use super::nest::{Columns, Emitter};
use super::pack::{Panels, Portion};
use super::shape::Along;
use super::walk::At;

/// A panel that is being filled by a kernel.
#[derive(Clone, Debug)]
pub(super) struct Filling {
    /// What it has become.
    pub(super) panel: ValueId,
    /// What is there of each vector of columns.
    pub(super) parts: Vec<Portion>,
}

impl Emitter<'_, '_, '_> {
    /// All tiles of `count` rows from `first` on, of a panel of which `left` columns are there. Carried are the result, and the panel where it must be filled.
    pub(super) fn panel(
        &mut self,
        after: &[usize],
        (first, count): (At, Index),
        left: i64,
        columns: Columns,
        mut carried: Vec<ValueId>,
    ) -> Vec<ValueId> {
        let outside = carried.len();
        if let Some(panels) = self.panels.clone().filter(|_| self.plan.panels_apart) {
            carried.push(panels.memory(self));
        }
        let tile = self.plan.tile.rows as i64;
        let more = match count {
            Index::Static(count) if after.is_empty() && count > tile => Some(count - tile),
            _ => None,
        };
        let Some(more) = more.filter(|_| carried.len() > 1 && self.can_fill_while_used()) else {
            self.fill(Index::Static(left), &mut carried);
            carried[0] = self.panel_tiles(after, (first, count), columns, carried[0]);
            carried.truncate(outside);
            return carried;
        };
        self.filled_by_kernel(first, left, columns, &mut carried);
        carried[0] = self.rows(first.plus(tile), Index::Static(more), columns, carried[0]);
        carried.truncate(outside);
        carried
    }

    /// Fills the panel, if one is carried, with the columns from where the loops stand on, of which `left` are there.
    pub(super) fn fill(&mut self, left: Index, carried: &mut [ValueId]) {
        if let (Some(mut panels), [_, buffer]) = (self.panels.clone(), carried) {
            *buffer = panels.fill(self, left, *buffer);
            self.panels = Some(panels);
        }
    }

    /// Whether what the panel is filled with is read as the vectors that a kernel needs, and nothing else needs the panel before.
    fn can_fill_while_used(&self) -> bool {
        let on_vectors = |group: Group| group.tiled.is_none() && !group.corrects() && !group.is_of_steps();
        let adjacent = |at: usize| self.contraction.inputs[at].along_vector == Along::Adjacent;
        self.panels.as_ref().is_some_and(Panels::is_filled)
            && self.plan.pack.is_some_and(adjacent)
            && self.plan.group.is_none_or(on_vectors)
            && self.plan.parts == 1
    }

    /// The first tile of a panel, of which `left` columns are there, which fills it.
    fn filled_by_kernel(&mut self, first: At, left: i64, columns: Columns, carried: &mut [ValueId]) {
        let (Some(mut panels), [dest, panel]) = (self.panels.clone(), carried) else { return };
        if let Some(row) = self.contraction.row {
            self.positions[row] = first;
        }
        let mut parts = panels.columns(self, Index::Static(left));
        parts.truncate(columns.vectors as usize);
        self.filling = Some(Filling { panel: *panel, parts });
        *dest = self.kernel(self.plan.tile.rows as i64, columns, *dest);
        if let Some(filling) = self.filling.take() {
            *panel = filling.panel;
            panels.value = filling.panel;
            self.panels = Some(panels);
        }
    }
}
