//! The loops of a convolution by tiles.
//!
//! ```text
//! images
//!   blocks of rows of tiles
//!     for each tile of the block, vectors of channels:     load the tile, transform it     -> v[element][tile][channel]
//!     for each element:                                    m = v · filter                  -> m[element][tile][feature]
//!     for each tile of the block, vectors of features:     load, transform, epilogue, store
//! ```
//!
//! The matrix products are one `linalg.batch_matmul`, which `linalg-lower-contractions` turns into nests. `v` and `m` belong to a block, so blocks can
//! run on several threads. Tiles may reach over the end of the image, which is padded with zeros for that; what they compute there is not
//! stored.

use dl_arith::{AddFOp, MulFOp, SubFOp};
use dl_ir::interfaces::Index;
use dl_ir::{Attr, AttrRef, OpDefinition, OpId, Rewriter, ValueId};
use dl_linalg::build::{named_state, transpose_state};
use dl_linalg::{BatchMatmulOp, FillOp, TypeFn};
use dl_machine::Machine;
use dl_passes_vector::build::VectorBuild as _;
use dl_tensor::build::{empty, pad};

use super::algorithm::{Algorithm, Matrix};
use super::cost;
use super::shape::Convolution;
use crate::contraction::epilogue::Epilogue;
use crate::contraction::nest::{Columns, Emitter, Nest};
use crate::contraction::plan::{Plan, Tile};
use crate::contraction::shape::{Access, Start};
use crate::contraction::walk::At;

/// Makes the loops in the place of the last operation that they replace. `filter` is the transformed one.
pub(super) fn emit(
    op: OpId,
    rw: &mut Rewriter<'_>,
    convolution: &Convolution,
    algorithm: &Algorithm,
    plan: &cost::Plan,
    filter: Attr,
    machine: &Machine,
) {
    let contraction = &convolution.contraction;
    let epilogue = Epilogue::of(rw.op(op), contraction);
    let replaced = epilogue.as_ref().map_or(op, |epilogue| epilogue.op);
    let (loc, cx) = (rw.op(op).loc(), rw.cx());
    rw.set_insertion_before(replaced);
    let vectors = Plan::plain(u64::from(machine.lanes(32)), Tile { rows: 1, vectors: 1 });
    let nest = Nest { contraction, plan: &vectors, epilogue: epilogue.as_ref(), has_fma: machine.has_fma() };
    let mut emitter = Emitter::new(rw, loc, nest);
    let image = image(&mut emitter, convolution, algorithm);
    let ty = cx.attr(filter).ty().map_or_else(|| cx.none_type(), |ty| ty.id());
    let filter = emitter.b.constant(filter, ty);
    let tiles = Tiles { convolution, algorithm, image, filter };
    let result = tiles.images(&mut emitter, plan.tile_rows as i64);
    rw.replace(replaced, &[result]);
    if replaced != op {
        rw.erase(op);
    }
}

/// The image with the channels innermost and room for all tiles.
fn image(emitter: &mut Emitter<'_, '_, '_>, convolution: &Convolution, algorithm: &Algorithm) -> Access {
    let (cx, loc) = (emitter.b.cx(), emitter.b.loc);
    let mut image = convolution.contraction.inputs[convolution.image].clone();
    let channel = convolution.channel.1;
    let mut order: Vec<usize> = (0..image.indices.len()).filter(|&dim| dim != channel).collect();
    order.push(channel);
    let mut room = vec![0; order.len()];
    for window in convolution.windows {
        let outputs = algorithm.outputs as i64;
        let tiles = (emitter.contraction.extents[window.over] as u64).div_ceil(outputs as u64) as i64;
        room[window.dim] = (tiles * outputs + (algorithm.inputs() as i64 - outputs) - image.extents[window.dim]).max(0);
    }
    if room.iter().any(|&room| room > 0) {
        let extents: Vec<i64> = image.extents.iter().zip(&room).map(|(extent, room)| extent + room).collect();
        let zero = emitter.b.constant(cx.float_attr(image.element, 0.0), image.element);
        image.value = pad(&mut emitter.b, image.value, &vec![0; extents.len()], &room, zero, loc);
        image.extents = extents;
    }
    if !order.is_sorted() {
        image.extents = order.iter().map(|&dim| image.extents[dim]).collect();
        image.indices = order.iter().map(|&dim| image.indices[dim]).collect();
        let sizes: Vec<Index> = image.extents.iter().copied().map(Index::Static).collect();
        let dest = empty(&mut emitter.b, &sizes, image.element, loc);
        let permutation: Vec<i64> = order.iter().map(|&dim| dim as i64).collect();
        let state = transpose_state(&mut emitter.b, image.value, dest, &permutation, loc);
        image.value = emitter.b.create_value(state);
    }
    image
}

/// What the loops are made of.
struct Tiles<'a> {
    convolution: &'a Convolution,
    algorithm: &'a Algorithm,
    /// With the channels innermost, and room for all tiles.
    image: Access,
    /// The transformed filter.
    filter: ValueId,
}

/// Rows of tiles.
#[derive(Clone, Copy)]
struct Block {
    /// The first, counted in rows of tiles.
    first: At,
    /// How many.
    rows: i64,
    /// Whether the last one reaches over the end of the result.
    is_ragged: bool,
}

/// What is made for a vector of channels or features: where it stands, which lanes are there, the carried tensor; what that becomes.
type OnVector<'f, 'a, 'r, 'c> = &'f mut dyn FnMut(&mut Emitter<'a, 'r, 'c>, At, Option<ValueId>, ValueId) -> ValueId;

impl<'a> Tiles<'a> {
    fn extent(&self, at: usize) -> i64 {
        self.convolution.contraction.extents[at]
    }

    /// Results of a tile along a dimension.
    fn outputs(&self) -> i64 {
        self.algorithm.outputs as i64
    }

    /// Tiles down and across.
    fn tiles(&self) -> [i64; 2] {
        self.convolution.windows.map(|window| (self.extent(window.over) + self.outputs() - 1) / self.outputs())
    }

    /// Everything: answers what the result has become.
    fn images<'r, 'c>(&self, emitter: &mut Emitter<'a, 'r, 'c>, tile_rows: i64) -> ValueId {
        let dest = emitter.epilogue.map_or(self.convolution.contraction.result.value, |epilogue| epilogue.result.value);
        emitter.loops(&self.convolution.batch, vec![dest], &mut |emitter, carried| {
            vec![self.blocks(emitter, tile_rows, carried[0])]
        })[0]
    }

    /// All rows of tiles of an image, `tile_rows` at once.
    fn blocks<'r, 'c>(&self, emitter: &mut Emitter<'a, 'r, 'c>, tile_rows: i64, dest: ValueId) -> ValueId {
        let [down, _] = self.tiles();
        let is_ragged = self.extent(self.convolution.windows[0].over) % self.outputs() != 0;
        let full = (down - i64::from(is_ragged)) / tile_rows * tile_rows;
        let all = Index::Static(full);
        let dest = emitter.for_each(At::constant(0), all, tile_rows, vec![dest], &mut |emitter, first, carried| {
            vec![self.block(emitter, Block { first, rows: tile_rows, is_ragged: false }, carried[0])]
        })[0];
        if full == down {
            return dest;
        }
        self.block(emitter, Block { first: At::constant(full), rows: down - full, is_ragged }, dest)
    }

    fn block<'r, 'c>(&self, emitter: &mut Emitter<'a, 'r, 'c>, block: Block, dest: ValueId) -> ValueId {
        let (loc, element) = (emitter.b.loc, self.image.element);
        let size = self.algorithm.inputs().pow(2) as i64;
        let room = |emitter: &mut Emitter<'a, 'r, 'c>, last: usize| {
            let sizes = [size, block.rows * self.tiles()[1], self.extent(last)].map(Index::Static);
            empty(&mut emitter.b, &sizes, element, loc)
        };
        let v = room(emitter, self.convolution.channel.0);
        let v = self.load(emitter, block, v);
        let m = room(emitter, self.convolution.contraction.vector);
        let zero = emitter.b.constant(emitter.b.cx().float_attr(element, 0.0), element);
        let b = &mut emitter.b;
        let filled =
            named_state(b, FillOp::NAME, &[zero], &[m], TypeFn::CastSigned, loc).map(|state| b.create_value(state));
        let product = filled.and_then(|filled| {
            named_state(b, BatchMatmulOp::NAME, &[v, self.filter], &[filled], TypeFn::CastSigned, loc)
        });
        let m = b.create_value(product.expect("products of f32 are named operations"));
        self.store(emitter, block, m, dest)
    }

    /// Moves the loops over rows and columns to a tile of `block`: answers its number in the block.
    fn place(&self, emitter: &mut Emitter<'a, '_, '_>, block: Block, row: At, column: At) -> ValueId {
        let [down, across] = self.convolution.windows;
        let first = emitter.sum(block.first, row);
        emitter.positions[down.over] = emitter.scaled(first, self.outputs());
        emitter.positions[across.over] = emitter.scaled(column, self.outputs());
        let number = emitter.scaled(row, self.tiles()[1]);
        let number = emitter.sum(number, column);
        emitter.value_at(number)
    }

    /// `body` for each vector along loop `over`.
    fn vectors<'r, 'c>(
        &self,
        emitter: &mut Emitter<'a, 'r, 'c>,
        over: usize,
        dest: ValueId,
        body: OnVector<'_, 'a, 'r, 'c>,
    ) -> ValueId {
        let (all, lanes) = (self.extent(over), emitter.plan.lanes as i64);
        let full = all / lanes * lanes;
        let dest =
            emitter.for_each(At::constant(0), Index::Static(full), lanes, vec![dest], &mut |emitter, at, carried| {
                emitter.positions[over] = at;
                vec![body(emitter, at, None, carried[0])]
            })[0];
        if full == all {
            return dest;
        }
        let mask = Some(emitter.mask(Index::Static(all - full)));
        emitter.positions[over] = At::constant(full);
        body(emitter, At::constant(full), mask, dest)
    }

    /// The tiles of the image, transformed, into `v`.
    fn load<'r, 'c>(&self, emitter: &mut Emitter<'a, 'r, 'c>, block: Block, v: ValueId) -> ValueId {
        let columns = Index::Static(self.tiles()[1]);
        let start = At::constant(0);
        emitter.for_each(start, Index::Static(block.rows), 1, vec![v], &mut |emitter, row, carried| {
            emitter.for_each(start, columns, 1, carried, &mut |emitter, column, carried| {
                let number = self.place(emitter, block, row, column);
                vec![self.vectors(emitter, self.convolution.channel.0, carried[0], &mut |emitter, at, mask, v| {
                    let channel = emitter.value_at(at);
                    self.load_vector(emitter, [number, channel], mask, v)
                })]
            })
        })[0]
    }

    /// A vector of channels of the tile where the loops stand; `to` are its number and the first channel.
    fn load_vector(
        &self,
        emitter: &mut Emitter<'a, '_, '_>,
        to: [ValueId; 2],
        mask: Option<ValueId>,
        v: ValueId,
    ) -> ValueId {
        let [down, across] = self.convolution.windows;
        let size = self.algorithm.inputs();
        let mut tile = vec![Vec::with_capacity(size); size];
        for (y, row) in tile.iter_mut().enumerate() {
            for x in 0..size {
                let mut positions = emitter.positions.clone();
                positions[down.tap] = At::constant(y as i64);
                positions[across.tap] = At::constant(x as i64);
                let indices = self.image.indices.iter().map(|&index| emitter.index(index, &positions)).collect();
                row.push(emitter.read_at(self.image.value, self.image.element, indices, mask));
            }
        }
        let transformed = transform(emitter, &self.algorithm.input, &tile);
        transformed.into_iter().flatten().enumerate().fold(v, |v, (element, value)| {
            let element = emitter.b.constant_index(element as i64);
            emitter.write_at(value, v, vec![element, to[0], to[1]], mask)
        })
    }

    /// The results of the tiles of a block, whose products are `m`, into `dest`.
    fn store<'r, 'c>(&self, emitter: &mut Emitter<'a, 'r, 'c>, block: Block, m: ValueId, dest: ValueId) -> ValueId {
        let [down, across] = self.convolution.windows.map(|window| self.extent(window.over) % self.outputs());
        let (rows, outputs) = (block.rows - i64::from(block.is_ragged), self.outputs());
        let start = At::constant(0);
        let dest = emitter.for_each(start, Index::Static(rows), 1, vec![dest], &mut |emitter, row, carried| {
            vec![self.store_row(emitter, block, (row, outputs), across, m, carried[0])]
        })[0];
        if block.is_ragged { self.store_row(emitter, block, (At::constant(rows), down), across, m, dest) } else { dest }
    }

    /// Those of a row of tiles, of which `down` results are there, and `across` of the last one if that is not zero.
    fn store_row<'r, 'c>(
        &self,
        emitter: &mut Emitter<'a, 'r, 'c>,
        block: Block,
        (row, down): (At, i64),
        across: i64,
        m: ValueId,
        dest: ValueId,
    ) -> ValueId {
        let columns = self.tiles()[1] - i64::from(across != 0);
        let tile = |emitter: &mut Emitter<'a, 'r, 'c>, column: At, across: i64, dest: ValueId| {
            let number = self.place(emitter, block, row, column);
            let features = self.convolution.contraction.vector;
            let place = emitter.positions.clone();
            self.vectors(emitter, features, dest, &mut |emitter, at, mask, dest| {
                emitter.positions.clone_from(&place);
                emitter.positions[features] = at;
                self.store_vector(emitter, (m, number), [down, across], mask, dest)
            })
        };
        let start = At::constant(0);
        let dest = emitter.for_each(start, Index::Static(columns), 1, vec![dest], &mut |emitter, column, carried| {
            vec![tile(emitter, column, self.outputs(), carried[0])]
        })[0];
        if across == 0 { dest } else { tile(emitter, At::constant(columns), across, dest) }
    }

    /// A vector of features of tile `number` of `m`, where the loops stand; `there` are the results down and across that there are.
    fn store_vector(
        &self,
        emitter: &mut Emitter<'a, '_, '_>,
        (m, number): (ValueId, ValueId),
        there: [i64; 2],
        mask: Option<ValueId>,
        dest: ValueId,
    ) -> ValueId {
        let contraction = &self.convolution.contraction;
        let [down, across] = self.convolution.windows.map(|window| window.over);
        let size = self.algorithm.inputs();
        let feature = emitter.value_at(emitter.positions[contraction.vector]);
        let mut tile = vec![Vec::with_capacity(size); size];
        for at in 0..size * size {
            let element = emitter.b.constant_index(at as i64);
            tile[at / size].push(emitter.read_at(m, self.image.element, vec![element, number, feature], mask));
        }
        let results = transform(emitter, &self.algorithm.output, &tile);
        let (first_row, first_column) = (emitter.positions[down], emitter.positions[across]);
        let columns = Columns { vectors: 1, mask, panel: At::constant(0), within: At::constant(0) };
        let mut dest = dest;
        for (row, line) in (0..there[0]).zip(&results) {
            for (column, &value) in (0..there[1]).zip(line) {
                emitter.positions[down] = first_row.plus(row);
                emitter.positions[across] = first_column.plus(column);
                let value = emitter.begun(value, columns, dest);
                dest = emitter.finish(value, dest, 0, 0, columns);
            }
        }
        dest
    }
}

impl Emitter<'_, '_, '_> {
    /// `sums` added to what the result begins as, where the loops stand.
    fn begun(&mut self, sums: ValueId, columns: Columns, dest: ValueId) -> ValueId {
        let begin = match self.contraction.start {
            Start::Fill(value) => {
                let rewriter: &Rewriter<'_> = &self.b;
                if rewriter.value(value).constant().and_then(AttrRef::as_f64) == Some(0.0) {
                    return sums;
                }
                let ty = self.b.value_type(sums).id();
                self.b.broadcast(value, ty)
            }
            Start::Init => {
                let mut init = self.contraction.result.clone();
                if self.epilogue.is_none() {
                    init.value = dest;
                }
                self.read(&init, 0, 0, columns)
            }
        };
        self.b.same::<AddFOp<'_>>(&[begin, sums])
    }
}

/// A transform of a tile, by rows, in both dimensions.
fn transform(emitter: &mut Emitter<'_, '_, '_>, stages: &[Matrix; 2], tile: &[Vec<ValueId>]) -> Vec<Vec<ValueId>> {
    let mut once = tile.to_vec();
    for _ in 0..2 {
        let columns = (0..once[0].len()).map(|at| once.iter().map(|row| row[at]).collect());
        let columns: Vec<Vec<ValueId>> = columns.collect();
        let multiply = |emitter: &mut _, values: Vec<ValueId>| {
            stages
                .iter()
                .fold(values, |values, matrix| matrix.iter().map(|row| combination(emitter, row, &values)).collect())
        };
        once = columns.into_iter().map(|column| multiply(emitter, column)).collect();
    }
    once
}

/// The sum of `values` times `factors`, of which one is not zero.
fn combination(emitter: &mut Emitter<'_, '_, '_>, factors: &[f64], values: &[ValueId]) -> ValueId {
    let is = |factor: f64, number: f64| factor.to_bits() == number.to_bits();
    let mut terms: Vec<(f64, ValueId)> = factors.iter().copied().zip(values.iter().copied()).collect();
    terms.retain(|&(factor, _)| factor != 0.0);
    // It begins with one that is taken as it is.
    terms.sort_by_key(|&(factor, _)| !is(factor, 1.0));
    let ty = emitter.b.value_type(values[0]).id();
    let element = emitter.contraction.result.element;
    let mut sum: Option<ValueId> = None;
    for (factor, value) in terms {
        sum = Some(match sum {
            None if is(factor, 1.0) => value,
            Some(sum) if is(factor, 1.0) => emitter.b.same::<AddFOp<'_>>(&[sum, value]),
            Some(sum) if is(factor, -1.0) => emitter.b.same::<SubFOp<'_>>(&[sum, value]),
            sum => {
                let factor = emitter.b.constant(emitter.b.cx().float_attr(element, factor), element);
                let factor = emitter.b.broadcast(factor, ty);
                match sum {
                    Some(sum) => emitter.multiply_add(value, factor, sum),
                    None => emitter.b.same::<MulFOp<'_>>(&[value, factor]),
                }
            }
        });
    }
    sum.unwrap_or(values[0])
}
