//! The nest of a contraction.
//!
//! ```text
//! outer loops that the packed input changes along
//!   pack that input: [panel][reduced loops][columns of a tile]
//!   blocks of rows
//!     panels of columns, then what is left of them
//!       other outer loops
//!         tiles of rows, then what is left of them
//!           accumulators = fill value, or the init
//!           reduced loops, the accumulators carried along: load vectors, broadcast scalars, multiply and add
//!           epilogue; store
//! ```
//!
//! Edges have kernels of their own: rows that are left are a smaller tile, columns that are left fewer vectors with a mask on the last. Where an
//! extent is not known, what is left of the rows is done by smaller tiles in turn, and of the columns by one masked vector at a time.

use dl_affine::AffineApplyOp;
use dl_arith::{AddFOp, AddIOp, Build, MinSIOp, MulFOp, MulIOp, SubIOp};
use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::Index;
use dl_ir::{Loc, OpId, OpState, Rewriter, Type, ValueId};
use dl_passes_scf::nest::build_for;
use dl_passes_vector::build::VectorBuild as _;
use dl_passes_vector::transfer::{Direction, Transfer, in_bounds_attr};
use dl_scf::YieldOp;
use dl_vector::FMAOp;

use super::epilogue::Epilogue;
use super::pack::Panels;
use super::plan::Plan;
use super::shape::{Access, Along, Contraction, Start};

/// Where a loop stands: at a value, if any, plus a constant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct At {
    /// The value.
    pub(super) base: Option<ValueId>,
    pub(super) offset: i64,
}

impl At {
    pub(super) fn constant(offset: i64) -> Self {
        Self { base: None, offset }
    }

    pub(super) fn value(base: ValueId) -> Self {
        Self { base: Some(base), offset: 0 }
    }

    pub(super) fn plus(self, by: i64) -> Self {
        Self { offset: self.offset.saturating_add(by), ..self }
    }
}

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
    let mut emitter = Emitter::new(rw, loc, Nest { contraction, plan, epilogue, has_fma });
    let dest = epilogue.map_or(contraction.result.value, |epilogue| epilogue.result.value);
    let result = emitter.nest(dest);
    rw.replace(replaced, &[result]);
    if replaced != op {
        rw.erase(op);
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

/// What a loop makes, given where it stands and the carried values: the next ones.
type Iteration<'f, E> = &'f mut dyn FnMut(&mut E, At, Vec<ValueId>) -> Vec<ValueId>;

/// Makes the nest at the insertion point.
pub(super) struct Emitter<'a, 'r, 'c> {
    pub(super) b: Build<'r, 'c>,
    pub(super) contraction: &'a Contraction,
    pub(super) plan: &'a Plan,
    epilogue: Option<&'a Epilogue>,
    has_fma: bool,
    /// The extent of each loop.
    pub(super) extents: Vec<Index>,
    /// Where each loop stands.
    pub(super) positions: Vec<At>,
    /// The packed input.
    panels: Option<Panels>,
}

/// A tile at work: its shape, and where its columns are in a panel.
#[derive(Clone, Copy)]
struct Columns {
    vectors: u64,
    /// Which elements of the last vector are columns; all of them where there is none.
    mask: Option<ValueId>,
    /// The panel and the first column in it.
    panel: At,
    within: At,
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
        Self { b, contraction, plan, epilogue, has_fma, extents, positions, panels: None }
    }
}

impl Emitter<'_, '_, '_> {
    /// Everything: answers what `dest` has become.
    fn nest(&mut self, dest: ValueId) -> ValueId {
        let affine = self.b.cx().affine();
        let outer = self.contraction.outer.clone();
        let packed = self.plan.pack.map(|at| self.contraction.inputs[at].clone());
        let (before, after): (Vec<usize>, Vec<usize>) =
            outer.into_iter().partition(|&at| packed.as_ref().is_some_and(|input| input.depends_on(affine, at)));
        let mut carried = vec![dest];
        if let Some(input) = &packed {
            let panels = Panels::allocate(self, input);
            carried.push(panels.value);
            self.panels = Some(panels);
        }
        let results = self.loops(&before, carried, &mut |this, carried| {
            let mut dest = carried[0];
            let mut results = Vec::new();
            if let Some(mut panels) = this.panels.clone() {
                panels.value = carried[1];
                panels.fill(this);
                results.push(panels.value);
                this.panels = Some(panels);
            }
            dest = this.blocks(&after, dest);
            results.insert(0, dest);
            results
        });
        results[0]
    }

    /// Loops over all of these, the innermost around what `body` makes. As deep as there are loops, of which [`Contraction`] has a few.
    pub(super) fn loops(
        &mut self,
        over: &[usize],
        carried: Vec<ValueId>,
        body: &mut dyn FnMut(&mut Self, Vec<ValueId>) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let Some((&first, rest)) = over.split_first() else { return body(self, carried) };
        let extent = self.extents[first];
        self.for_each(At::constant(0), extent, 1, carried, &mut |this, at, carried| {
            this.positions[first] = at;
            this.loops(rest, carried, body)
        })
    }

    /// Blocks of rows.
    fn blocks(&mut self, after: &[usize], dest: ValueId) -> ValueId {
        let rows = self.contraction.row.map_or(Index::Static(1), |row| self.extents[row]);
        let (Some(block), Index::Static(all)) = (self.plan.row_block, rows) else {
            return self.columns(after, At::constant(0), rows, dest);
        };
        let block = i64::try_from(block).unwrap_or(i64::MAX);
        let full = all / block * block;
        let dest = self.for_each(At::constant(0), Index::Static(full), block, vec![dest], &mut |this, at, carried| {
            vec![this.columns(after, at, Index::Static(block), carried[0])]
        })[0];
        if full == all {
            return dest;
        }
        self.columns(after, At::constant(full), Index::Static(all - full), dest)
    }

    /// All columns for `count` rows from `first` on.
    fn columns(&mut self, after: &[usize], first: At, count: Index, dest: ValueId) -> ValueId {
        let (lanes, vectors) = (self.plan.lanes as i64, self.plan.tile.vectors as i64);
        let width = lanes * vectors;
        let vector = self.contraction.vector;
        let all = self.extents[vector];
        let panels = self.quotient(all, width);
        let tiles = |this: &mut Self, columns: Columns, dest: ValueId| {
            this.loops(after, vec![dest], &mut |this, carried| vec![this.rows(first, count, columns, carried[0])])[0]
        };
        let dest = self.for_each(At::constant(0), panels, 1, vec![dest], &mut |this, panel, carried| {
            this.positions[vector] = this.scaled(panel, width);
            let columns = Columns { vectors: vectors as u64, mask: None, panel, within: At::constant(0) };
            vec![tiles(this, columns, carried[0])]
        })[0];
        if let (Index::Static(all), Index::Static(panels)) = (all, panels) {
            let left = all - panels * width;
            if left == 0 {
                return dest;
            }
            self.positions[vector] = At::constant(panels * width);
            let mask = (left % lanes != 0).then(|| self.mask(Index::Static(left % lanes)));
            let columns = Columns {
                vectors: (left as u64).div_ceil(lanes as u64),
                mask,
                panel: At::constant(panels),
                within: At::constant(0),
            };
            return tiles(self, columns, dest);
        }
        let panel = self.at_of(panels);
        let begin = self.scaled(panel, width);
        let end = self.value_of(all);
        let begin_value = self.value_at(begin);
        self.for_range(begin_value, end, lanes, &[dest], &mut |this, at, carried| {
            this.positions[vector] = at;
            let at = this.value_at(at);
            let left = this.b.same::<SubIOp<'_>>(&[end, at]);
            let most = this.b.constant_index(lanes);
            let left = this.b.same::<MinSIOp<'_>>(&[left, most]);
            let mask = Some(this.mask(Index::Value(left)));
            let within = this.b.same::<SubIOp<'_>>(&[at, begin_value]);
            let columns = Columns { vectors: 1, mask, panel, within: At::value(within) };
            vec![tiles(this, columns, carried[0])]
        })[0]
    }

    /// `count` rows from `first` on, of some columns.
    fn rows(&mut self, first: At, count: Index, columns: Columns, dest: ValueId) -> ValueId {
        let tile = self.plan.tile.rows as i64;
        self.tiles(self.contraction.row, first, count, tile, dest, &mut |this, rows, dest| {
            this.kernel(rows, columns, dest)
        })
    }

    /// `body` for `count` steps of a loop from `first` on, `tile` of them at once, then for what is left: at once where that is known, else by
    /// halves. It gets how many there are and what the result has become. Without a loop there is one step.
    pub(super) fn tiles(
        &mut self,
        over: Option<usize>,
        first: At,
        count: Index,
        tile: i64,
        dest: ValueId,
        body: &mut dyn FnMut(&mut Self, i64, ValueId) -> ValueId,
    ) -> ValueId {
        let Some(over) = over else { return body(self, 1, dest) };
        match count {
            Index::Static(count) => {
                let full = count / tile * tile;
                let dest = self.for_each(first, Index::Static(full), tile, vec![dest], &mut |this, at, carried| {
                    this.positions[over] = at;
                    vec![body(this, tile, carried[0])]
                })[0];
                if full == count {
                    return dest;
                }
                self.positions[over] = first.plus(full);
                body(self, count - full, dest)
            }
            Index::Value(count) => {
                let mut begin = self.value_at(first);
                let all = self.b.same::<AddIOp<'_>>(&[begin, count]);
                let (mut dest, mut size) = (dest, tile);
                loop {
                    let end = if size == 1 {
                        all
                    } else {
                        let left = self.b.same::<SubIOp<'_>>(&[all, begin]);
                        let times = self.quotient(Index::Value(left), size);
                        let times = self.at_of(times);
                        let covered = self.scaled(times, size);
                        let covered = self.value_at(covered);
                        self.b.same::<AddIOp<'_>>(&[begin, covered])
                    };
                    dest = self.for_range(begin, end, size, &[dest], &mut |this, at, carried| {
                        this.positions[over] = at;
                        vec![body(this, size, carried[0])]
                    })[0];
                    if size == 1 {
                        return dest;
                    }
                    begin = end;
                    size /= 2;
                }
            }
        }
    }

    /// One tile: `rows` of them.
    fn kernel(&mut self, rows: i64, columns: Columns, dest: ValueId) -> ValueId {
        let element = self.contraction.result.element;
        let vector = self.vector_type(element);
        let mut accumulators = Vec::new();
        match self.contraction.start {
            Start::Fill(value) => {
                let splat = self.b.broadcast(value, vector);
                accumulators.resize((rows * columns.vectors as i64) as usize, splat);
            }
            Start::Init => {
                let mut init = self.contraction.result.clone();
                if self.epilogue.is_none() {
                    init.value = dest;
                }
                for row in 0..rows {
                    for at in 0..columns.vectors {
                        accumulators.push(self.read(&init, row, at, columns));
                    }
                }
            }
        }
        let reduced = self.contraction.reduced.clone();
        let sums = self.loops(&reduced, accumulators, &mut |this, sums| this.step(rows, columns, sums));
        let result = self.epilogue.map_or(&self.contraction.result, |epilogue| &epilogue.result).clone();
        let mut dest = dest;
        let mut sums = sums.into_iter();
        for row in 0..rows {
            for at in 0..columns.vectors {
                let Some(mut value) = sums.next() else { return dest };
                if let Some(epilogue) = self.epilogue {
                    let lanes = self.plan.lanes as i64;
                    let mut reads = Vec::new();
                    for access in epilogue.accesses() {
                        reads.push(self.read_or_splat(access, row, at, columns));
                    }
                    let mut reads = reads.into_iter();
                    value = epilogue.apply(&mut self.b, value, lanes, |_, _| reads.next().unwrap_or(value));
                }
                dest = self.write(&result, value, dest, row, at, columns);
            }
        }
        dest
    }

    /// One step of the reduced loops: the new accumulators.
    fn step(&mut self, rows: i64, columns: Columns, mut sums: Vec<ValueId>) -> Vec<ValueId> {
        let affine = self.b.cx().affine();
        let mut operands = Vec::new();
        for at in 0..2 {
            let input = self.contraction.inputs[at].clone();
            let by_row = self.contraction.row.is_some_and(|row| input.depends_on(affine, row));
            let along = input.along_vector != Along::Constant;
            let mut values = Vec::new();
            for row in 0..if by_row { rows } else { 1 } {
                for vector in 0..if along { columns.vectors } else { 1 } {
                    let packed = self.plan.pack == Some(at);
                    values.push(self.operand(&input, at, packed, row, vector, columns));
                }
            }
            operands.push((values, by_row, along));
        }
        let pick = |(values, by_row, along): &(Vec<ValueId>, bool, bool), row: usize, vector: usize| {
            let width = if *along { columns.vectors as usize } else { 1 };
            values[if *by_row { row * width } else { 0 } + if *along { vector } else { 0 }]
        };
        for row in 0..rows as usize {
            for vector in 0..columns.vectors as usize {
                let (a, b) = (pick(&operands[0], row, vector), pick(&operands[1], row, vector));
                let sum = &mut sums[row * columns.vectors as usize + vector];
                *sum = self.multiply_add(a, b, *sum);
            }
        }
        sums
    }

    /// `a * b + sum` on vectors.
    pub(super) fn multiply_add(&mut self, a: ValueId, b: ValueId, sum: ValueId) -> ValueId {
        if !self.contraction.body.is_float {
            let product = self.b.same::<MulIOp<'_>>(&[a, b]);
            self.b.same::<AddIOp<'_>>(&[sum, product])
        } else if self.has_fma {
            self.b.same::<FMAOp<'_>>(&[a, b, sum])
        } else {
            let product = self.b.same::<MulFOp<'_>>(&[a, b]);
            self.b.same::<AddFOp<'_>>(&[sum, product])
        }
    }

    /// An element or a vector of an input, widened, as a vector.
    fn operand(&mut self, input: &Access, at: usize, packed: bool, row: i64, vector: u64, columns: Columns) -> ValueId {
        let wide = self.contraction.result.element;
        if packed && let Some(panels) = self.panels.clone() {
            let within = columns.within.plus(vector as i64 * self.plan.lanes as i64);
            return panels.read(self, columns.panel, within);
        }
        let cast = self.contraction.body.casts[at];
        if input.along_vector == Along::Constant {
            let scalar = self.extract(input, row);
            let scalar = self.cast(cast, scalar, wide);
            let ty = self.vector_type(wide);
            return self.b.broadcast(scalar, ty);
        }
        let value = self.read(input, row, vector, columns);
        let ty = self.vector_type(wide);
        self.cast(cast, value, ty)
    }

    /// `value` widened by the operation `name`, if any.
    pub(super) fn cast(&mut self, name: Option<&'static str>, value: ValueId, ty: Type) -> ValueId {
        let Some(name) = name else { return value };
        let loc = self.b.loc;
        self.b.create_value(OpState::named(name, loc).operands([value]).results([ty]))
    }

    /// What is read of an input of the epilogue.
    fn read_or_splat(&mut self, access: &Access, row: i64, vector: u64, columns: Columns) -> ValueId {
        if access.along_vector == Along::Adjacent {
            return self.read(access, row, vector, columns);
        }
        let scalar = self.extract(access, row);
        let ty = self.vector_type(access.element);
        self.b.broadcast(scalar, ty)
    }

    /// The indices of an access at a row and vector of the tile.
    fn indices(&mut self, access: &Access, row: i64, vector: u64) -> Vec<ValueId> {
        let lanes = self.plan.lanes as i64;
        let mut positions = self.positions.clone();
        if let Some(at) = self.contraction.row {
            positions[at] = positions[at].plus(row);
        }
        positions[self.contraction.vector] = positions[self.contraction.vector].plus(vector as i64 * lanes);
        access.indices.iter().map(|&index| self.index(index, &positions)).collect()
    }

    /// The value of an expression of the loops, which stand at `positions`.
    pub(super) fn index(&mut self, expr: AffineExpr, positions: &[At]) -> ValueId {
        let (cx, loc) = (self.b.cx(), self.b.loc);
        let affine = cx.affine();
        let mut values = Vec::new();
        let mut replacements = Vec::with_capacity(positions.len());
        for (at, position) in positions.iter().enumerate() {
            replacements.push(match position.base {
                Some(base) if affine.is_function_of_dim(expr, at as u32) => {
                    values.push(base);
                    affine.add_constant(affine.dim(values.len() as u32 - 1), position.offset)
                }
                _ => affine.constant(position.offset),
            });
        }
        let expr = affine.replace_in_expr(expr, &replacements, &[]);
        if let Some(constant) = affine.constant_value(expr) {
            return self.b.constant_index(constant);
        }
        if let Some(at) = affine.dim_position(expr) {
            return values[at as usize];
        }
        let map = affine.intern_map(values.len() as u32, 0, [expr]);
        let state = OpState::of::<AffineApplyOp<'_>>(loc).attr(cx, "map", cx.affine_map_attr(map));
        self.b.create_value(state.operands(values).results([cx.index_type()]))
    }

    fn extract(&mut self, access: &Access, row: i64) -> ValueId {
        let indices = self.indices(access, row, 0);
        let loc = self.b.loc;
        let state = OpState::of::<dl_tensor::ExtractOp<'_>>(loc).operands([access.value]).operands(indices);
        self.b.create_value(state.results([access.element]))
    }

    fn read(&mut self, access: &Access, row: i64, vector: u64, columns: Columns) -> ValueId {
        let indices = self.indices(access, row, vector);
        let mask = columns.mask.filter(|_| vector + 1 == columns.vectors);
        self.read_at(access.value, access.element, indices, mask)
    }

    /// A vector of `tensor`.
    pub(super) fn read_at(
        &mut self,
        tensor: ValueId,
        element: Type,
        indices: Vec<ValueId>,
        mask: Option<ValueId>,
    ) -> ValueId {
        let (cx, loc, vector) = (self.b.cx(), self.b.loc, self.vector_type(element));
        let map = cx.affine().minor_identity_map(indices.len() as u32, 1);
        let zero = cx.zero_attr(element).unwrap_or_else(|| cx.unit_attr());
        let padding = self.b.constant(zero, element);
        let direction = Direction::Read { vector, padding };
        let transfer = Transfer { base: tensor, indices: indices.into(), map, mask, direction };
        let state = transfer.state(cx, loc, in_bounds_attr(cx, &[true]));
        self.b.create_value(state)
    }

    fn write(
        &mut self,
        access: &Access,
        value: ValueId,
        dest: ValueId,
        row: i64,
        vector: u64,
        columns: Columns,
    ) -> ValueId {
        let indices = self.indices(access, row, vector);
        let mask = columns.mask.filter(|_| vector + 1 == columns.vectors);
        self.write_at(value, dest, indices, mask)
    }

    /// Writes a vector into `dest`: what it has become.
    pub(super) fn write_at(
        &mut self,
        value: ValueId,
        dest: ValueId,
        indices: Vec<ValueId>,
        mask: Option<ValueId>,
    ) -> ValueId {
        let (cx, loc) = (self.b.cx(), self.b.loc);
        let map = cx.affine().minor_identity_map(indices.len() as u32, 1);
        let result = Some(self.b.ir().value_type(dest));
        let direction = Direction::Write { vector: value, result };
        let transfer = Transfer { base: dest, indices: indices.into(), map, mask, direction };
        let state = transfer.state(cx, loc, in_bounds_attr(cx, &[true]));
        self.b.create_value(state)
    }

    /// A mask of the first `count` lanes.
    pub(super) fn mask(&mut self, count: Index) -> ValueId {
        let cx = self.b.cx();
        let ty = cx.vector_type(&[self.plan.lanes as i64], cx.i1_type());
        let count = self.value_of(count);
        self.b.create_mask(&[count], ty)
    }

    /// The vector type of elements of type `element`.
    pub(super) fn vector_type(&self, element: Type) -> Type {
        self.b.cx().vector_type(&[self.plan.lanes as i64], element)
    }

    /// An index as a value.
    pub(super) fn value_of(&mut self, index: Index) -> ValueId {
        match index {
            Index::Static(constant) => self.b.constant_index(constant),
            Index::Value(value) => value,
        }
    }

    /// An index as a position.
    pub(super) fn at_of(&self, index: Index) -> At {
        match index {
            Index::Static(constant) => At::constant(constant),
            Index::Value(value) => At::value(value),
        }
    }

    /// A position as a value.
    pub(super) fn value_at(&mut self, at: At) -> ValueId {
        let expr = self.b.cx().affine().dim(0);
        self.index(expr, &[at])
    }

    /// `at * by`.
    pub(super) fn scaled(&mut self, at: At, by: i64) -> At {
        let affine = self.b.cx().affine();
        let Some(base) = at.base else { return At::constant(at.offset.saturating_mul(by)) };
        let expr = affine.mul_constant(affine.dim(0), by);
        let scaled = self.index(expr, &[At::value(base)]);
        At { base: Some(scaled), offset: at.offset.saturating_mul(by) }
    }

    /// `first + second`.
    pub(super) fn sum(&mut self, first: At, second: At) -> At {
        let base = match (first.base, second.base) {
            (Some(first), Some(second)) => Some(self.b.same::<AddIOp<'_>>(&[first, second])),
            (base, None) | (None, base) => base,
        };
        At { base, offset: first.offset.saturating_add(second.offset) }
    }

    /// `index / by`, rounded down.
    pub(super) fn quotient(&mut self, index: Index, by: i64) -> Index {
        match index {
            Index::Static(constant) => Index::Static(constant / by),
            Index::Value(value) => {
                let affine = self.b.cx().affine();
                let expr = affine.floordiv(affine.dim(0), affine.constant(by));
                Index::Value(self.index(expr, &[At::value(value)]))
            }
        }
    }

    /// `body` for each position from `first` on, `step` apart, as long as it is less than `first + count`. No loop for one position or none.
    pub(super) fn for_each(
        &mut self,
        first: At,
        count: Index,
        step: i64,
        carried: Vec<ValueId>,
        body: Iteration<'_, Self>,
    ) -> Vec<ValueId> {
        match count {
            Index::Static(count) if count <= 0 => carried,
            Index::Static(count) if count <= step => body(self, first, carried),
            Index::Static(count) => {
                let lower = self.value_at(first);
                let upper = self.value_at(first.plus(count));
                self.for_range(lower, upper, step, &carried, body)
            }
            Index::Value(count) => {
                let lower = self.value_at(first);
                let upper = match first {
                    At { base: None, offset: 0 } => count,
                    _ => self.b.same::<AddIOp<'_>>(&[lower, count]),
                };
                self.for_range(lower, upper, step, &carried, body)
            }
        }
    }

    /// `scf.for`.
    fn for_range(
        &mut self,
        lower: ValueId,
        upper: ValueId,
        step: i64,
        carried: &[ValueId],
        body: Iteration<'_, Self>,
    ) -> Vec<ValueId> {
        let loc = self.b.loc;
        let step = self.b.constant_index(step);
        let (op, block) = build_for(&mut self.b, [lower, upper, step], carried, loc);
        let args = self.b.ir().block_args(block).to_vec();
        self.b.set_insertion_to_end(block);
        let next = body(self, At::value(args[0]), args[1..].to_vec());
        self.b.create(OpState::of::<YieldOp<'_>>(loc).operands(next));
        self.b.set_insertion_after(op);
        self.b.ir().results(op).collect()
    }
}
