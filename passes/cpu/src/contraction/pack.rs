//! Packing: an input copied into panels.
//!
//! A panel holds what the tiles of some columns read, in the order in which they read it: for each step of the reduced loops the elements of
//! all columns of a tile, widened. The last panel has zeros for columns that are not there.
//!
//! A constant becomes a constant of all its panels (`super::constant`). Anything else is copied a panel at a time, right before the
//! tiles that read it, so that the panel is in the second-level cache then and all panels take the memory of one.

use dl_arith::{MinSIOp, SubIOp};
use dl_ir::interfaces::Index;
use dl_ir::{OpState, Type, ValueId};
use dl_passes_vector::build::VectorBuild as _;
use dl_tensor::{ExtractOp, InsertOp};
use dl_vector::BitCastOp;

use super::ahead::Ahead;
use super::constant;
use super::group::{Group, LANE_BITS, factor};
use super::nest::Emitter;
use super::shape::{Access, Along};
use super::walk::At;

/// An input in panels.
#[derive(Clone, Debug)]
pub(super) struct Panels {
    /// A tensor `[reduced loops...][columns of a tile]`; of a constant `[outer loops...][panels]` of those.
    pub(super) value: ValueId,
    /// Of a constant, the outer loops that it changes along.
    lead: Option<Vec<usize>>,
    input: Access,
    cast: Option<&'static str>,
    element: Type,
    /// The reduced loops that the input changes along.
    pub(super) reduced: Vec<usize>,
    /// Columns of a panel.
    pub(super) width: i64,
    /// Of a constant whose next panel is asked for, all of it.
    pub(super) buffer: Option<ValueId>,
    /// Of a constant, what accumulators begin at besides: `[outer loops...][panels][columns of a tile]`.
    pub(super) corrections: Option<ValueId>,
}

/// Memory for a panel of these reduced loops and columns.
fn memory(emitter: &mut Emitter<'_, '_, '_>, reduced: &[usize], width: i64, element: Type) -> ValueId {
    let group = emitter.plan.group;
    let size = group.map_or(1, |group| group.size as i64);
    let extent = |&at: &usize| match emitter.extents[at] {
        Index::Static(extent) if group.is_some_and(|group| group.along == at) => {
            Index::Static((extent as u64).div_ceil(size as u64) as i64)
        }
        extent => extent,
    };
    let sizes: Vec<Index> = reduced.iter().map(extent).chain([Index::Static(width * size)]).collect();
    let loc = emitter.b.loc;
    dl_tensor::build::empty(&mut emitter.b, &sizes, element, loc)
}

/// What is there of a vector of a panel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Portion {
    All,
    Some(ValueId),
    None,
}

impl Panels {
    /// Panels for input `at`: of all of a constant, otherwise memory for one, its contents unspecified.
    pub(super) fn of(emitter: &mut Emitter<'_, '_, '_>, at: usize) -> Self {
        let affine = emitter.b.cx().affine();
        let (contraction, plan) = (emitter.contraction, emitter.plan);
        let input = &contraction.inputs[at];
        let width = (plan.tile.vectors * plan.lanes) as i64;
        let grouped = |at: usize| plan.group.is_some_and(|group| group.along == at);
        let element = factor(emitter.b.cx(), contraction, plan.group, at);
        let changes = |loops: &[usize]| -> Vec<usize> {
            loops.iter().copied().filter(|&at| input.depends_on(affine, at)).collect()
        };
        let (lead, mut reduced) = (changes(&contraction.outer), changes(&contraction.reduced));
        reduced.sort_by_key(|&at| grouped(at));
        let cast = contraction.body.casts[at].filter(|_| element != input.element);
        let (first, count) = emitter.columns_at_work();
        let packed = constant::Layout { lead: &lead, reduced: &reduced, width, first, count };
        if let Some((value, corrections)) = packed.constant(emitter, at, cast, element) {
            let (lead, buffer) =
                (Some(lead), matches!(plan.ahead, Some(Ahead::Panel(_))).then(|| emitter.buffer_of(value)));
            return Self { value, lead, buffer, input: input.clone(), cast, element, reduced, width, corrections };
        }
        let value = memory(emitter, &reduced, width, element);
        Self { value, lead: None, buffer: None, input: input.clone(), cast, element, reduced, width, corrections: None }
    }

    /// Memory for one more panel, its contents unspecified.
    pub(super) fn memory(&self, emitter: &mut Emitter<'_, '_, '_>) -> ValueId {
        memory(emitter, &self.reduced, self.width, self.element)
    }

    /// Whether panels must be filled before they are read.
    pub(super) fn is_filled(&self) -> bool {
        self.lead.is_none()
    }

    /// Fills `buffer` with the columns from where the loops stand on, of which `left` are there: what it has become.
    pub(super) fn fill(&mut self, emitter: &mut Emitter<'_, '_, '_>, left: Index, buffer: ValueId) -> ValueId {
        self.value = self.fill_panel(emitter, left, buffer);
        self.value
    }

    /// Copies one panel, of which `left` columns are there.
    fn fill_panel(&self, emitter: &mut Emitter<'_, '_, '_>, left: Index, dest: ValueId) -> ValueId {
        let saved = emitter.positions.clone();
        if let (Index::Static(left), Some(over)) = (left, self.squares_along(emitter)) {
            let dest = self.fill_squares(emitter, over, left.min(self.width), dest);
            emitter.positions = saved;
            return dest;
        }
        if let (Some(group), Index::Static(left)) = (emitter.plan.group, left) {
            let dest = self.fill_groups(emitter, &group, left, dest);
            emitter.positions = saved;
            return dest;
        }
        let mut dest = dest;
        if self.input.along_vector == Along::Adjacent {
            let columns = self.columns(emitter, left);
            dest = self.steps(emitter, &self.reduced, dest, &mut |emitter, mut dest| {
                self.copy_step(emitter, 1, &columns, &mut dest);
                dest
            });
        } else {
            if !matches!(left, Index::Static(left) if left >= self.width) {
                dest = self.steps(emitter, &self.reduced, dest, &mut |emitter, dest| self.clear(emitter, dest));
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
                    self.copy_element(emitter, column, dest)
                })]
            })[0];
        }
        emitter.positions = saved;
        dest
    }

    /// The reduced loop along which columns lie in memory, where they go by in squares of as many steps as a vector has lanes.
    fn squares_along(&self, emitter: &Emitter<'_, '_, '_>) -> Option<usize> {
        let (affine, group) = (emitter.b.cx().affine(), emitter.plan.group);
        let (&over, (&last, others)) = (self.reduced.last()?, self.input.indices.split_last()?);
        let size = group.map_or(1, |group| group.size as i64);
        let lies_along = self.input.along_vector == Along::Strided
            && affine.dim_position(last) == Some(over as u32)
            && others.iter().all(|&index| !affine.is_function_of_dim(index, over as u32))
            && group.is_none_or(|group| group.along == over && group.tiled.is_none() && !group.is_of_steps());
        let fits = |depth: i64| depth % size == 0 && depth >= emitter.plan.lanes as i64 * size;
        (lies_along && fits(emitter.contraction.extents[over])).then_some(over)
    }

    /// Copies one panel, of which `left` columns are there, by squares that are transposed in registers. The last squares of a depth that is no multiple of them begin earlier,
    /// and write again what those before have written.
    fn fill_squares(&self, emitter: &mut Emitter<'_, '_, '_>, over: usize, left: i64, dest: ValueId) -> ValueId {
        let (lanes, vector) = (emitter.plan.lanes as i64, emitter.contraction.vector);
        let (first, others) = (emitter.positions[vector], &self.reduced[..self.reduced.len() - 1]);
        let full = left / lanes * lanes;
        self.steps(emitter, others, dest, &mut |emitter, dest| {
            let squares = |emitter: &mut Emitter<'_, '_, '_>, column: At, there: i64, dest: ValueId| {
                emitter.positions[vector] = emitter.sum(first, column);
                self.squares(emitter, over, column, there, dest)
            };
            let full_ones = Index::Static(full);
            let carried =
                emitter.for_each(At::constant(0), full_ones, lanes, vec![dest], &mut |emitter, column, carried| {
                    vec![squares(emitter, column, lanes, carried[0])]
                });
            (full..self.width).step_by(lanes as usize).fold(carried[0], |dest, column| {
                squares(emitter, At::constant(column), (left - column).clamp(0, lanes), dest)
            })
        })
    }

    /// The squares of a vector of columns from `column` of the panel on, where the loops stand, of which `there` are there.
    fn squares(
        &self,
        emitter: &mut Emitter<'_, '_, '_>,
        over: usize,
        column: At,
        there: i64,
        dest: ValueId,
    ) -> ValueId {
        let (lanes, size) = (emitter.plan.lanes as i64, emitter.plan.group.map_or(1, |group| group.size as i64));
        let groups = emitter.contraction.extents[over] / size;
        let full = groups / lanes * lanes;
        let carried = emitter.for_each(
            At::constant(0),
            Index::Static(full),
            lanes,
            vec![dest],
            &mut |emitter, group, carried| vec![self.square(emitter, over, group, (column, there), carried[0])],
        );
        if full == groups {
            return carried[0];
        }
        self.square(emitter, over, At::constant(groups - lanes), (column, there), carried[0])
    }

    /// The square from group, or step, `group` of the depth on.
    fn square(
        &self,
        emitter: &mut Emitter<'_, '_, '_>,
        over: usize,
        group: At,
        (column, there): (At, i64),
        dest: ValueId,
    ) -> ValueId {
        let (lanes, vector) = (emitter.plan.lanes as i64, emitter.contraction.vector);
        let size = emitter.plan.group.map_or(1, |group| group.size as i64);
        let cx = emitter.b.cx();
        let [narrow, wide] = [self.input.element, self.element].map(|element| cx.vector_type(&[lanes * size], element));
        let unit = match size {
            1 => wide,
            _ => cx.vector_type(&[lanes], cx.int_type(LANE_BITS)),
        };
        let Some(zeros) = emitter.b.zeros(unit) else { return dest };
        emitter.positions[over] = emitter.scaled(group, size);
        let first = emitter.positions[vector];
        let mut columns = vec![zeros; lanes as usize];
        for (at, column) in columns.iter_mut().enumerate().take(there as usize) {
            emitter.positions[vector] = first.plus(at as i64);
            let indices = emitter.indices(&self.input, 0, 0);
            let read = emitter.read_vector(self.input.value, narrow, indices, None);
            let read = emitter.cast(self.cast, read, wide);
            *column = if size == 1 { read } else { emitter.b.value::<BitCastOp<'_>>(&[read], unit) };
        }
        emitter.positions[vector] = first;
        let steps = emitter.b.transposed_rows(columns);
        steps.into_iter().enumerate().fold(dest, |dest, (at, step)| {
            let step = if size == 1 { step } else { emitter.b.value::<BitCastOp<'_>>(&[step], wide) };
            emitter.group_at = group.plus(at as i64);
            emitter.positions[over] = emitter.group_at;
            let indices = self.indices(emitter, column);
            emitter.write_at(step, dest, indices, None)
        })
    }

    /// What is there of each vector of a panel with `left` columns.
    pub(super) fn columns(&self, emitter: &mut Emitter<'_, '_, '_>, left: Index) -> Vec<Portion> {
        let lanes = emitter.plan.lanes as i64;
        let part = |at: i64| match left {
            Index::Static(left) if left >= (at + 1) * lanes => Portion::All,
            Index::Static(left) if left <= at * lanes => Portion::None,
            Index::Static(left) => Portion::Some(emitter.mask(Index::Static(left - at * lanes))),
            Index::Value(left) => {
                let from = emitter.b.constant_index(at * lanes);
                let left = emitter.b.same::<SubIOp<'_>>(&[left, from]);
                let most = emitter.b.constant_index(lanes);
                let left = emitter.b.same::<MinSIOp<'_>>(&[left, most]);
                Portion::Some(emitter.mask(Index::Value(left)))
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

    /// Copies one element.
    fn copy_element(&self, emitter: &mut Emitter<'_, '_, '_>, column: At, dest: ValueId) -> ValueId {
        let indices = emitter.indices(&self.input, 0, 0);
        let loc = emitter.b.loc;
        let state = OpState::of::<ExtractOp<'_>>(loc).operands([self.input.value]).operands(indices);
        let value = emitter.b.create_value(state.results([self.input.element]));
        let value = emitter.cast(self.cast, value, self.element);
        let indices = self.indices(emitter, column);
        let ty = emitter.b.ir().value_type(dest);
        let state = OpState::of::<InsertOp<'_>>(loc).operands([value, dest]).operands(indices);
        emitter.b.create_value(state.results([ty]))
    }

    /// Makes one step zero.
    fn clear(&self, emitter: &mut Emitter<'_, '_, '_>, dest: ValueId) -> ValueId {
        let lanes = emitter.plan.lanes as i64;
        (0..self.width / lanes).fold(dest, |dest, at| self.write_zeros(emitter, at * lanes, dest))
    }

    fn write_zeros(&self, emitter: &mut Emitter<'_, '_, '_>, from: i64, dest: ValueId) -> ValueId {
        let size = emitter.plan.group.map_or(1, |group| group.size as i64);
        let ty = emitter.b.cx().vector_type(&[emitter.plan.lanes as i64 * size], self.element);
        let Some(zeros) = emitter.b.zeros(ty) else { return dest };
        let indices = self.indices(emitter, At::constant(from));
        emitter.write_at(zeros, dest, indices, None)
    }

    /// Copies one panel with the neighbours of each group side by side.
    fn fill_groups(&self, emitter: &mut Emitter<'_, '_, '_>, group: &Group, left: i64, dest: ValueId) -> ValueId {
        let (vector, reduced) = (emitter.contraction.vector, self.reduced.clone());
        if self.input.along_vector == Along::Adjacent {
            let columns = self.columns(emitter, Index::Static(left));
            let mut copy = |emitter: &mut Emitter<'_, '_, '_>, there: i64, mut carried: Vec<ValueId>| {
                self.copy_step(emitter, there, &columns, &mut carried[0]);
                carried
            };
            return emitter.depth(&reduced, vec![dest], &mut copy)[0];
        }
        let mut dest = dest;
        if left < self.width {
            let mut clear = |emitter: &mut Emitter<'_, '_, '_>, _: i64, carried: Vec<ValueId>| {
                vec![self.clear(emitter, carried[0])]
            };
            dest = emitter.depth(&reduced, vec![dest], &mut clear)[0];
        }
        let (first, size) = (emitter.positions[vector], group.size as i64);
        let columns = Index::Static(left.min(self.width));
        emitter.for_each(At::constant(0), columns, 1, vec![dest], &mut |emitter, column, carried| {
            emitter.positions[vector] = emitter.sum(first, column);
            emitter.depth(&reduced, carried, &mut |emitter, there, carried| {
                let from = emitter.indices(&self.input, 0, 0);
                let cx = emitter.b.cx();
                let [narrow, ty] = [self.input.element, self.element].map(|element| cx.vector_type(&[size], element));
                let bits = cx.vector_type(&[size], cx.i1_type());
                let mask = (there < size).then(|| {
                    let count = emitter.b.constant_index(there);
                    emitter.b.create_mask(&[count], bits)
                });
                let neighbours = emitter.read_vector(self.input.value, narrow, from, mask);
                let neighbours = emitter.cast(self.cast, neighbours, ty);
                let to = self.indices(emitter, column);
                vec![emitter.write_at(neighbours, carried[0], to, None)]
            })
        })[0]
    }

    /// Copies one step, of a group as many as `there` are, vector by vector: answers the vectors.
    pub(super) fn copy_step(
        &self,
        emitter: &mut Emitter<'_, '_, '_>,
        there: i64,
        parts: &[Portion],
        dest: &mut ValueId,
    ) -> Vec<ValueId> {
        let lanes = emitter.plan.lanes as i64;
        let vector = emitter.contraction.vector;
        let ty = emitter.vector_type(self.element);
        let Some(zeros) = emitter.b.zeros(ty) else { return Vec::new() };
        let (size, along) = emitter.plan.group.map_or((1, None), |group| (group.size as i64, Some(group.along)));
        let mut copied = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let from = at as i64 * lanes;
            let (mask, there) = match part {
                Portion::All => (None, there),
                Portion::Some(mask) => (Some(*mask), there),
                Portion::None => (None, 0),
            };
            let neighbours: Vec<ValueId> = (0..size)
                .map(|which| {
                    if which >= there {
                        return zeros;
                    }
                    let mut positions = emitter.positions.clone();
                    positions[vector] = positions[vector].plus(from);
                    if let Some(along) = along {
                        positions[along] = positions[along].plus(which);
                    }
                    let indices = self.input.indices.iter().map(|&index| emitter.index(index, &positions)).collect();
                    let value = emitter.read_at(self.input.value, self.input.element, indices, mask);
                    emitter.cast(self.cast, value, ty)
                })
                .collect();
            let value = emitter.interleave(&neighbours);
            let indices = self.indices(emitter, At::constant(from));
            *dest = emitter.write_at(value, *dest, indices, None);
            copied.push(value);
        }
        copied
    }

    /// The indices of a step in a panel that is being filled, at the group of column `within`.
    fn indices(&self, emitter: &mut Emitter<'_, '_, '_>, within: At) -> Vec<ValueId> {
        let mut positions: Vec<At> = self.reduced.iter().map(|&at| emitter.positions[at]).collect();
        let mut within = within;
        if let Some(group) = emitter.plan.group {
            if let Some(last) = positions.last_mut() {
                *last = emitter.group_at;
            }
            within = emitter.scaled(within, group.size as i64);
        }
        positions.into_iter().chain([within]).map(|at| emitter.value_at(at)).collect()
    }

    /// The leading indices of panel number `panel`, at where the loops stand.
    pub(super) fn lead_indices(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At) -> Vec<ValueId> {
        let Some(lead) = &self.lead else { return Vec::new() };
        let positions: Vec<At> = lead.iter().map(|&at| emitter.positions[at]).chain([panel]).collect();
        positions.into_iter().map(|at| emitter.value_at(at)).collect()
    }

    /// A vector of panel number `panel`, at where the loops stand: of groups as many as it has columns.
    pub(super) fn read(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At, within: At) -> ValueId {
        let mut indices = self.lead_indices(emitter, panel);
        indices.extend(self.indices(emitter, within));
        let length = emitter.plan.columns_of_vector() * emitter.plan.group.map_or(1, |group| group.size);
        let ty = emitter.b.cx().vector_type(&[length as i64], self.element);
        emitter.read_vector(self.value, ty, indices, None)
    }

    /// The same for `steps` groups from where the loops stand on, one in a row: `vector<steps x ...>`.
    pub(super) fn read_tile(&self, emitter: &mut Emitter<'_, '_, '_>, panel: At, within: At, steps: i64) -> ValueId {
        let mut indices = self.lead_indices(emitter, panel);
        indices.extend(self.indices(emitter, within));
        let size = emitter.plan.group.map_or(1, |group| group.size as i64);
        let ty = emitter.b.cx().vector_type(&[steps, emitter.plan.lanes as i64 * size], self.element);
        emitter.read_vector(self.value, ty, indices, None)
    }
}
