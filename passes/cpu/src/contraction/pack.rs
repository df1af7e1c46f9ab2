//! Packing: an input copied into panels.
//!
//! A panel holds what the tiles of some columns read, in the order in which they read it: for each step of the reduced loops the elements of
//! all columns of a tile, widened. The last panel has zeros for columns that are not there.

use dl_arith::{MinSIOp, SubIOp};
use dl_ir::interfaces::Index;
use dl_ir::{OpState, Type, ValueId};
use dl_passes_vector::build::VectorBuild as _;
use dl_tensor::{ExtractOp, InsertOp};

use super::emit::{At, Emitter};
use super::shape::{Access, Along};

/// An input in panels: a tensor `[panels][reduced loops...][columns of a tile]`.
#[derive(Clone, Debug)]
pub(super) struct Panels {
    /// The tensor.
    pub(super) value: ValueId,
    input: Access,
    cast: Option<&'static str>,
    element: Type,
    /// The reduced loops that the input changes along.
    reduced: Vec<usize>,
    /// Number of panels.
    count: Index,
    /// Columns of a panel.
    width: i64,
}

/// What is there of a vector of a panel.
enum Part {
    All,
    Some(ValueId),
    None,
}

impl Panels {
    /// A tensor for the panels of `input`, its contents unspecified.
    pub(super) fn allocate(emitter: &mut Emitter<'_, '_, '_>, input: &Access) -> Self {
        let affine = emitter.b.cx().affine();
        let (contraction, plan) = (emitter.contraction, emitter.plan);
        let width = (plan.tile.vectors * plan.lanes) as i64;
        let element = contraction.result.element;
        let reduced: Vec<usize> =
            contraction.reduced.iter().copied().filter(|&at| input.depends_on(affine, at)).collect();
        let count = match emitter.extents[contraction.vector] {
            Index::Static(columns) => Index::Static((columns as u64).div_ceil(width as u64) as i64),
            Index::Value(columns) => {
                let expr = affine.ceildiv(affine.dim(0), affine.constant(width));
                Index::Value(emitter.index(expr, &[At::value(columns)]))
            }
        };
        let sizes: Vec<Index> = std::iter::once(count)
            .chain(reduced.iter().map(|&at| emitter.extents[at]))
            .chain([Index::Static(width)])
            .collect();
        let loc = emitter.b.loc;
        let value = dl_tensor::build::empty(&mut emitter.b, &sizes, element, loc);
        let cast = plan.pack.and_then(|at| contraction.body.casts[at]);
        Self { value, input: input.clone(), cast, element, reduced, count, width }
    }

    /// Copies the input, at where the loops stand.
    pub(super) fn fill(&mut self, emitter: &mut Emitter<'_, '_, '_>) {
        let vector = emitter.contraction.vector;
        let width = self.width;
        let all = emitter.extents[vector];
        let (this, count) = (self.clone(), self.count);
        let full = match (all, count) {
            (Index::Static(all), Index::Static(_)) => Index::Static(all / width),
            _ => Index::Static(0),
        };
        let mut value = emitter.for_each(At::constant(0), full, 1, vec![self.value], &mut |emitter, panel, carried| {
            emitter.positions[vector] = emitter.scaled(panel, width);
            this.fill_panel(emitter, panel, Index::Static(width), carried[0])
        })[0];
        match (all, full, count) {
            (Index::Static(all), Index::Static(full), Index::Static(count)) if full < count => {
                emitter.positions[vector] = At::constant(full * width);
                value = this.fill_panel(emitter, At::constant(full), Index::Static(all - full * width), value)[0];
            }
            (Index::Value(all), ..) => {
                value = emitter.for_each(At::constant(0), count, 1, vec![value], &mut |emitter, panel, carried| {
                    let begin = emitter.scaled(panel, width);
                    emitter.positions[vector] = begin;
                    let begin = emitter.value_at(begin);
                    let left = emitter.b.same::<SubIOp<'_>>(&[all, begin]);
                    this.fill_panel(emitter, panel, Index::Value(left), carried[0])
                })[0];
            }
            _ => {}
        }
        self.value = value;
    }

    /// Copies one panel, of which `left` columns are there.
    fn fill_panel(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At, left: Index, dest: ValueId) -> Vec<ValueId> {
        let saved = emitter.positions.clone();
        let mut dest = dest;
        if self.input.along_vector == Along::Adjacent {
            let columns = self.columns(emitter, left);
            dest = self.steps(emitter, &self.reduced, dest, &mut |emitter, dest| {
                self.copy_vectors(emitter, panel, &columns, dest)
            });
        } else {
            if !matches!(left, Index::Static(left) if left >= self.width) {
                dest = self.steps(emitter, &self.reduced, dest, &mut |emitter, dest| self.clear(emitter, panel, dest));
            }
            let left = match left {
                Index::Static(left) => Index::Static(left.min(self.width)),
                Index::Value(left) => {
                    let most = emitter.b.constant_index(self.width);
                    Index::Value(emitter.b.same::<MinSIOp<'_>>(&[left, most]))
                }
            };
            let vector = emitter.contraction.vector;
            let first = emitter.positions[vector];
            dest = emitter.for_each(At::constant(0), left, 1, vec![dest], &mut |emitter, column, carried| {
                emitter.positions[vector] = emitter.sum(first, column);
                vec![self.steps(emitter, &self.reduced, carried[0], &mut |emitter, dest| {
                    self.copy_element(emitter, panel, column, dest)
                })]
            })[0];
        }
        emitter.positions = saved;
        vec![dest]
    }

    /// What is there of each vector of a panel with `left` columns.
    fn columns(&self, emitter: &mut Emitter<'_, '_, '_>, left: Index) -> Vec<Part> {
        let lanes = emitter.plan.lanes as i64;
        let part = |at: i64| match left {
            Index::Static(left) if left >= (at + 1) * lanes => Part::All,
            Index::Static(left) if left <= at * lanes => Part::None,
            Index::Static(left) => Part::Some(emitter.mask(Index::Static(left - at * lanes))),
            Index::Value(left) => {
                let from = emitter.b.constant_index(at * lanes);
                let left = emitter.b.same::<SubIOp<'_>>(&[left, from]);
                let most = emitter.b.constant_index(lanes);
                let left = emitter.b.same::<MinSIOp<'_>>(&[left, most]);
                Part::Some(emitter.mask(Index::Value(left)))
            }
        };
        (0..self.width / lanes).map(part).collect()
    }

    /// `body` for all steps of `loops`. As deep as there are reduced loops.
    fn steps(
        &self,
        emitter: &mut Emitter<'_, '_, '_>,
        loops: &[usize],
        dest: ValueId,
        body: &mut dyn FnMut(&mut Emitter<'_, '_, '_>, ValueId) -> ValueId,
    ) -> ValueId {
        let mut body = |emitter: &mut Emitter<'_, '_, '_>, carried: Vec<ValueId>| vec![body(emitter, carried[0])];
        emitter.loops(loops, vec![dest], &mut body)[0]
    }

    /// Copies one step, vector by vector.
    fn copy_vectors(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At, parts: &[Part], dest: ValueId) -> ValueId {
        let lanes = emitter.plan.lanes as i64;
        let vector = emitter.contraction.vector;
        let mut dest = dest;
        for (at, part) in parts.iter().enumerate() {
            let from = at as i64 * lanes;
            let mask = match part {
                Part::All => None,
                Part::Some(mask) => Some(*mask),
                Part::None => {
                    dest = self.write_zeros(emitter, panel, from, dest);
                    continue;
                }
            };
            let mut positions = emitter.positions.clone();
            positions[vector] = positions[vector].plus(from);
            let indices: Vec<ValueId> =
                self.input.indices.iter().map(|&index| emitter.index(index, &positions)).collect();
            let value = emitter.read_at(self.input.value, self.input.element, indices, mask);
            let ty = emitter.vector_type(self.element);
            let value = emitter.cast(self.cast, value, ty);
            let indices = self.indices(emitter, panel, At::constant(from));
            dest = emitter.write_at(value, dest, indices, None);
        }
        dest
    }

    /// Copies one element.
    fn copy_element(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At, column: At, dest: ValueId) -> ValueId {
        let positions = emitter.positions.clone();
        let indices: Vec<ValueId> = self.input.indices.iter().map(|&index| emitter.index(index, &positions)).collect();
        let loc = emitter.b.loc;
        let state = OpState::of::<ExtractOp<'_>>(loc).operands([self.input.value]).operands(indices);
        let value = emitter.b.create_value(state.results([self.input.element]));
        let value = emitter.cast(self.cast, value, self.element);
        let indices = self.indices(emitter, panel, column);
        let ty = emitter.b.ir().value_type(dest);
        let state = OpState::of::<InsertOp<'_>>(loc).operands([value, dest]).operands(indices);
        emitter.b.create_value(state.results([ty]))
    }

    /// Makes one step zero.
    fn clear(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At, dest: ValueId) -> ValueId {
        let lanes = emitter.plan.lanes as i64;
        (0..self.width / lanes).fold(dest, |dest, at| self.write_zeros(emitter, panel, at * lanes, dest))
    }

    fn write_zeros(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At, from: i64, dest: ValueId) -> ValueId {
        let ty = emitter.vector_type(self.element);
        let Some(zeros) = emitter.b.zeros(ty) else { return dest };
        let indices = self.indices(emitter, panel, At::constant(from));
        emitter.write_at(zeros, dest, indices, None)
    }

    /// The indices of a step in the panels.
    fn indices(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At, within: At) -> Vec<ValueId> {
        let positions: Vec<At> = std::iter::once(panel)
            .chain(self.reduced.iter().map(|&at| emitter.positions[at]))
            .chain([within])
            .collect();
        positions.into_iter().map(|at| emitter.value_at(at)).collect()
    }

    /// A vector of a panel, at where the reduced loops stand.
    pub(super) fn read(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At, within: At) -> ValueId {
        let indices = self.indices(emitter, panel, within);
        emitter.read_at(self.value, self.element, indices, None)
    }
}
