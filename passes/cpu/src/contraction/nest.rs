//! The nest of a contraction.
//!
//! ```text
//! outer loops that the packed input changes along, and where weights are small the others, too
//!   blocks of rows
//!     panels of columns, then what is left of them
//!       pack those columns: [reduced loops][columns of a tile]
//!       parts of the depth
//!         other outer loops
//!           tiles of rows, then what is left of them
//!             accumulators = fill value, or the init, or the sums of the part before
//!             reduced loops, the accumulators carried along: load vectors, broadcast scalars, multiply and add
//!             epilogue, of the last part; store
//! ```
//!
//! Edges have kernels of their own: rows that are left are a smaller tile, columns that are left fewer vectors with a mask on the last. Where an
//! extent is not known, what is left of the rows is done by smaller tiles in turn, and of the columns by one masked vector at a time.

use dl_arith::{Build, MinSIOp, SubIOp};
use dl_ir::interfaces::Index;
use dl_ir::{Loc, OpId, Rewriter, ValueId};

use super::ahead::Ahead;
use super::border::Border;
use super::depth::Part;
use super::epilogue::Epilogue;
use super::fill::Filling;
use super::group::factor;
use super::pack::Panels;
use super::plan::Plan;
use super::shape::Contraction;
use super::walk::At;
use super::widen;

/// Makes the nest in the place of the last operation that it replaces.
pub(super) fn emit(
    op: OpId,
    rw: &mut Rewriter<'_>,
    contraction: &Contraction,
    plan: &Plan,
    epilogue: Option<&Epilogue>,
    has_fma: bool,
) {
    let loc = rw.op(op).loc();
    let replaced = epilogue.map_or(op, |epilogue| epilogue.op);
    rw.set_insertion_before(replaced);
    let widened = plan.widen.and_then(|at| {
        let element = factor(rw.cx(), contraction, plan.group, at);
        widen::widened(rw, contraction, at, element, loc)
    });
    let contraction = widened.as_ref().unwrap_or(contraction);
    let padded = Border::of(rw, contraction, plan);
    let (border, contraction) = padded.as_ref().map_or((None, contraction), |(border, part)| (Some(border), part));
    let mut emitter = Emitter::new(rw, loc, Nest { contraction, plan, epilogue, has_fma });
    emitter.border = border;
    let dest = epilogue.map_or(contraction.result.value, |epilogue| epilogue.result.value);
    let result = emitter.nest(dest);
    rw.replace(replaced, &[result]);
    if replaced != op {
        rw.erase(op);
    }
    if let Some(border) = border {
        rw.erase(border.op);
    }
}

/// What a nest is made for.
#[derive(Clone, Copy)]
pub(super) struct Nest<'a> {
    /// The contraction.
    pub(super) contraction: &'a Contraction,
    /// The plan.
    pub(super) plan: &'a Plan,
    /// What is done with the result.
    pub(super) epilogue: Option<&'a Epilogue>,
    /// Whether a multiplication and an addition are one operation.
    pub(super) has_fma: bool,
}
/// Makes the nest at the insertion point.
pub(super) struct Emitter<'a, 'r, 'c> {
    pub(super) b: Build<'r, 'c>,
    pub(super) contraction: &'a Contraction,
    pub(super) plan: &'a Plan,
    pub(super) epilogue: Option<&'a Epilogue>,
    pub(super) has_fma: bool,
    /// The extent of each loop.
    pub(super) extents: Vec<Index>,
    /// Where each loop stands.
    pub(super) positions: Vec<At>,
    /// The packed input.
    pub(super) panels: Option<Panels>,
    /// The same of the columns that have a plan of their own.
    pub(super) narrow: Option<Panels>,
    /// The padding that is made where it is used, and what is padded of the image there.
    pub(super) border: Option<&'a Border>,
    pub(super) padded: Option<ValueId>,
    /// The input of which something is asked for where it lies, as a buffer.
    pub(super) asked: Option<ValueId>,
    /// Which group of products, or of steps made at once, the innermost reduced loop stands at.
    pub(super) group_at: At,
    /// The number of the kernel at work, where it is in matrix registers.
    pub(super) kernel: i64,
    /// Whether the step that is made asks for what is ahead.
    pub(super) asks: bool,
    /// How many iterations of the loop that is stacked a tile is for.
    pub(super) stacked: i64,
    /// The part of the depth at work.
    pub(super) part: Part,
    /// The first row of the block of rows at work.
    pub(super) first_row: At,
    /// For each vector of the columns at work, what its accumulators begin at besides.
    pub(super) corrections: Vec<ValueId>,
    /// The panel that the kernel at work fills.
    pub(super) filling: Option<Filling>,
}

/// A tile at work: its shape, and where its columns are in a panel.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) vectors: u64,
    /// Which elements of the last vector are columns; all of them where there is none.
    pub(super) mask: Option<ValueId>,
    /// The panel and the first column in it.
    pub(super) panel: At,
    pub(super) within: At,
}

impl<'a, 'r, 'c> Emitter<'a, 'r, 'c> {
    /// At the insertion point of `rw`; makes the extents that are not known there.
    pub(super) fn new(rw: &'r mut Rewriter<'c>, loc: Loc, nest: Nest<'a>) -> Self {
        let mut b = Build::new(rw, loc);
        let Nest { contraction, plan, epilogue, has_fma } = nest;
        let mut extents = Vec::new();
        for (&known, &(operand, dim)) in contraction.extents.iter().zip(&contraction.extent_of) {
            extents.push(match known {
                extent if extent >= 0 => Index::Static(extent),
                _ => dl_tensor::extent(&mut b, contraction.operands[operand], dim, loc),
            });
        }
        let positions = vec![At::constant(0); extents.len()];
        Self {
            b,
            contraction,
            plan,
            epilogue,
            has_fma,
            extents,
            positions,
            panels: None,
            narrow: None,
            border: None,
            padded: None,
            asked: None,
            group_at: At::constant(0),
            kernel: 0,
            asks: false,
            stacked: 1,
            part: Part::WHOLE,
            first_row: At::constant(0),
            corrections: Vec::new(),
            filling: None,
        }
    }
}

impl Emitter<'_, '_, '_> {
    /// Everything: answers what `dest` has become.
    fn nest(&mut self, dest: ValueId) -> ValueId {
        let affine = self.b.cx().affine();
        let outer = self.contraction.outer.clone();
        let of_narrow = self.plan.narrow.as_deref().and_then(|plan| plan.pack);
        let packed = self.plan.pack.or(of_narrow).map(|at| self.contraction.inputs[at].clone());
        let (before, after): (Vec<usize>, Vec<usize>) = outer.into_iter().partition(|&at| {
            // What is not packed is read where it lies: an image after the other.
            self.plan.unrolled
                || self.plan.panels_inside
                || packed.as_ref().is_some_and(|input| input.depends_on(affine, at))
        });
        self.panels = self.plan.pack.map(|at| Panels::of(self, at));
        if let Some(Ahead::Rows { input, .. } | Ahead::Columns { input, .. }) = self.plan.ahead {
            self.asked = Some(self.buffer_of(self.contraction.inputs[input].value));
        }
        let carries = |panels: &&Panels| panels.is_filled() && !self.plan.panels_apart;
        let buffer = self.panels.as_ref().filter(carries).map(|panels| panels.value);
        let carried: Vec<ValueId> = std::iter::once(dest).chain(buffer).collect();
        self.outer_loops(&before, carried, &mut |this, carried| {
            this.pad_here();
            this.narrow = this.narrow_panel();
            this.blocks(&after, carried)
        })[0]
    }

    /// Blocks of rows. Carried are the result, and the panel where one must be filled.
    fn blocks(&mut self, after: &[usize], carried: Vec<ValueId>) -> Vec<ValueId> {
        let rows = self.contraction.row.map_or(Index::Static(1), |row| self.extents[row]);
        let (Some(block), Index::Static(all)) = (self.plan.row_block, rows) else {
            return self.columns(after, At::constant(0), rows, carried);
        };
        let block = i64::try_from(block).unwrap_or(i64::MAX);
        let full = all / block * block;
        let carried = self.for_each(At::constant(0), Index::Static(full), block, carried, &mut |this, at, carried| {
            this.columns(after, at, Index::Static(block), carried)
        });
        if full == all {
            return carried;
        }
        self.columns(after, At::constant(full), Index::Static(all - full), carried)
    }

    /// All columns for `count` rows from `first` on. Those that have a plan of their own come last: they read rows faster than these come from memory.
    fn columns(&mut self, after: &[usize], first: At, count: Index, carried: Vec<ValueId>) -> Vec<ValueId> {
        let mut carried = self.columns_of_plan(after, first, count, carried);
        carried[0] = self.narrow_columns(after, (first, count), carried[0]);
        carried
    }

    /// The first column that the plan is for, and how many there are.
    pub(super) fn columns_at_work(&self) -> (i64, Index) {
        match &self.plan.columns {
            Some(columns) => (columns.start as i64, Index::Static((columns.end - columns.start) as i64)),
            None => (0, self.extents[self.contraction.vector]),
        }
    }

    /// Those that the plan is for.
    pub(super) fn columns_of_plan(
        &mut self,
        after: &[usize],
        first: At,
        count: Index,
        carried: Vec<ValueId>,
    ) -> Vec<ValueId> {
        let (lanes, vectors) = (self.plan.lanes as i64, self.plan.tile.vectors as i64);
        let width = lanes * vectors;
        let vector = self.contraction.vector;
        self.first_row = first;
        let (begin, all) = self.columns_at_work();
        let panels = self.quotient(all, width);
        let carried = self.for_each(At::constant(0), panels, 1, carried, &mut |this, panel, carried| {
            this.positions[vector] = this.scaled(panel, width).plus(begin);
            let columns = Columns { vectors: vectors as u64, mask: None, panel, within: At::constant(0) };
            this.panel(after, (first, count), width, columns, carried)
        });
        if let (Index::Static(all), Index::Static(panels)) = (all, panels) {
            let left = all - panels * width;
            if left == 0 {
                return carried;
            }
            self.positions[vector] = At::constant(panels * width + begin);
            let mask = (left % lanes != 0).then(|| self.mask(Index::Static(left % lanes)));
            let columns = Columns {
                vectors: (left as u64).div_ceil(lanes as u64),
                mask,
                panel: At::constant(panels),
                within: At::constant(0),
            };
            return self.panel(after, (first, count), left, columns, carried);
        }
        self.columns_behind(after, (first, count), self.at_of(panels), carried)
    }

    /// The columns behind `panel` full ones, how many is not known: one vector with a mask at a time.
    fn columns_behind(
        &mut self,
        after: &[usize],
        rows: (At, Index),
        panel: At,
        mut carried: Vec<ValueId>,
    ) -> Vec<ValueId> {
        let (lanes, vector) = (self.plan.lanes as i64, self.contraction.vector);
        let begin = self.scaled(panel, lanes * self.plan.tile.vectors as i64);
        let end = self.value_of(self.extents[vector]);
        let begin_value = self.value_at(begin);
        self.positions[vector] = begin;
        let left = self.b.same::<SubIOp<'_>>(&[end, begin_value]);
        self.fill(Index::Value(left), &mut carried);
        carried[0] = self.for_range(begin_value, end, lanes, &[carried[0]], &mut |this, at, carried| {
            this.positions[vector] = at;
            let at = this.value_at(at);
            let left = this.b.same::<SubIOp<'_>>(&[end, at]);
            let most = this.b.constant_index(lanes);
            let left = this.b.same::<MinSIOp<'_>>(&[left, most]);
            let mask = Some(this.mask(Index::Value(left)));
            let within = this.b.same::<SubIOp<'_>>(&[at, begin_value]);
            let columns = Columns { vectors: 1, mask, panel, within: At::value(within) };
            vec![this.panel_tiles(after, rows, columns, carried[0])]
        })[0];
        carried
    }

    /// All tiles of some columns, whose panel, if there is one, is filled.
    pub(super) fn panel_tiles(
        &mut self,
        after: &[usize],
        (first, count): (At, Index),
        columns: Columns,
        dest: ValueId,
    ) -> ValueId {
        self.corrections = self.corrections(columns);
        self.in_parts(dest, &mut |this, dest| {
            let body = &mut |this: &mut Self, carried: Vec<ValueId>| vec![this.rows(first, count, columns, carried[0])];
            this.outer_loops(after, vec![dest], body)[0]
        })
    }

    /// `count` rows from `first` on, of some columns.
    pub(super) fn rows(&mut self, first: At, count: Index, columns: Columns, dest: ValueId) -> ValueId {
        let tile = self.plan.tile.rows as i64;
        self.tiles(self.contraction.row, first, count, tile, dest, &mut |this, rows, dest| {
            this.kernel(rows, columns, dest)
        })
    }
}
