//! Columns that are fewer than half of the lanes of a vector: the last ones, or all.
//!
//! One vector then has several steps of the depth of each, which lie side by side in a panel, and of the other input it has as many elements of a row, as often as
//! there are columns, which x86 reads without an instruction more. The lanes of a column are added up in the end. So the one column that 129 are more than 128
//! takes a multiplication for 16 steps, not for each. 127x129x131 came from 86 to 93 % of the peak of a Zen 5, 1024x33x1024 from 67 to 90.

use dl_ir::affine::AffineStore;
use dl_ir::interfaces::Index;
use dl_ir::{OpState, ValueId};
use dl_passes_vector::build::VectorBuild as _;
use dl_vector::DeinterleaveOp;

use super::group::{Group, Kind};
use super::nest::Emitter;
use super::pack::Panels;
use super::plan::{Plan, Tile};
use super::shape::{Along, Contraction, along};
use super::walk::At;

/// Fewest rows for which columns are copied, and most vectors beside those columns: with more of them, there is little to gain.
const ROWS_THAT_PAY: u64 = 16;
const MOST_VECTORS: u64 = 16;

/// Rows of a tile: so many sums, each a vector, are under way that none waits for the one before.
pub(super) const ROWS: u64 = 8;

/// Fewest steps of the depth, in vectors.
const VECTORS_OF_DEPTH: u64 = 2;

/// The plan for the columns behind those that fill vectors of `lanes` elements. `None` where there are none, or vectors with a mask are as good.
pub(super) fn choose(affine: &AffineStore, of: &Contraction, lanes: u64) -> Option<Plan> {
    let (all, rows) = (of.extent(of.vector)?, of.extent(of.row?)?);
    let left = all % lanes;
    if left == 0 || left > lanes / 2 || all / lanes > MOST_VECTORS || rows < ROWS_THAT_PAY {
        return None;
    }
    let packed = (0..2).find(|&at| of.inputs[at].along_vector != Along::Constant)?;
    let (columns, broadcast) = (&of.inputs[packed], &of.inputs[1 - packed]);
    let &over = of.reduced.last()?;
    let columns_of = left.next_power_of_two();
    let size = lanes / columns_of;
    let adjacent = |indices| along(affine, indices, over) == Along::Adjacent;
    let serves = broadcast.along_vector == Along::Constant
        && adjacent(&broadcast.indices)
        && columns.depends_on(affine, over)
        && columns.is_by_loops(affine)
        && of.row.is_some_and(|row| !columns.depends_on(affine, row))
        && (columns.along_vector == Along::Adjacent || adjacent(&columns.indices) || columns.constant.is_some())
        && of.extent(over).is_some_and(|depth| depth >= VECTORS_OF_DEPTH * size);
    let group = Group { size, along: over, packed, kind: Kind::Steps, tiled: None };
    let tile = Tile { rows: rows.min(ROWS), vectors: 1 };
    serves.then(|| Plan {
        pack: Some(packed),
        group: Some(group),
        columns: Some(all - left..all),
        ..Plan::plain(columns_of, tile)
    })
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

    /// A vector of sums, of which each column has several neighbours, with those added up.
    pub(super) fn folded(&mut self, sums: ValueId) -> ValueId {
        let (cx, lanes) = (self.b.cx(), self.plan.lanes as i64);
        let mut sums = sums;
        loop {
            let count = self.b.value_type(sums).shape().map_or(lanes, |shape| shape[0]);
            if count <= lanes {
                return sums;
            }
            let half = cx.vector_type(&[count / 2], self.contraction.result.element);
            let state = OpState::of::<DeinterleaveOp<'_>>(self.b.loc).operands([sums]).results([half, half]);
            let halves = self.b.create(state);
            let [even, odd] = [0, 1].map(|at| self.b.ir().result(halves, at));
            sums = self.add(even, odd);
        }
    }

    /// As many elements of a row as one vector has steps, as often as it has columns.
    pub(super) fn repeated(&mut self, elements: ValueId, size: i64) -> ValueId {
        let (cx, lanes, element) = (self.b.cx(), self.plan.lanes as i64, self.contraction.result.element);
        let repeated = self.b.broadcast(elements, cx.vector_type(&[lanes, size], element));
        self.b.shape_cast(repeated, cx.vector_type(&[lanes * size], element))
    }
}
