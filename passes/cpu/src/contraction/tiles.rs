//! Matrix registers: a tile of the result is a few matrices of 16 rows and columns, which an instruction each adds products of matrices to.
//!
//! A register holds 16 rows of 64 bytes. Of the packed input it takes 16 groups of 16 columns as they lie in a panel; of the other one 16 rows
//! of as many groups, which lie wherever rows lie. Four of the eight registers are the tile of the result, 32 rows and columns, two are
//! for either input: each product needs one load then. What is left of the rows is done by registers of fewer rows; columns by a panel filled up
//! with zeros; the depth is divided evenly.
//!
//! Here that is `vector.contract` of vectors of two dimensions, which means the same anywhere. `convert-vector-to-amx` gives it registers. The sums
//! begin at zero, and the rest of the nest sees them row by row. What a kernel reads has its number as an attribute, so that it stays
//! where it is read: a value that two kernels share would need a register all the way.

use dl_ir::affine::AffineStore;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::{OpState, ValueId, ValueRef};
use dl_passes_vector::build::VectorBuild as _;
use dl_vector::{CombiningKind, ContractionOp, IteratorType};

use super::group::Group;
use super::nest::{Columns, Emitter};
use super::plan::{Problem, Tile};
use super::shape::{Access, Contraction, Start, coefficient};
use super::walk::At;

/// Rows of a register, and 32-bit lanes of a row.
pub(crate) const SIDE: u64 = 16;

/// The attribute of what is read into a register: the number of the kernel.
const KERNEL: &str = "dl.kernel";

/// Registers of a tile of the result along each side.
const REGISTERS: u64 = 2;

/// Fewest rows, and fewest groups of a step, for which vectors are not as fast: an instruction takes a cycle for each row, however long that is.
const LEAST_ROWS: u64 = 4;
const LEAST_STEP: u64 = 4;

/// How many groups of `size` along loop `along` a register takes at once. `None` where it is better done with vectors, or where the rows of `rows`,
/// the input that is not packed, are not the same distance apart.
pub(super) fn step(affine: &AffineStore, of: &Contraction, rows: &Access, along: usize, size: u64) -> Option<u64> {
    let (row, depth) = (of.row?, of.extent(along)?);
    row_dimension(affine, rows, row)?;
    if of.extent(row).is_some_and(|rows| rows < LEAST_ROWS) || depth % size != 0 {
        return None;
    }
    (LEAST_STEP..=SIDE).rev().find(|step| (depth / size).is_multiple_of(*step))
}

/// The tile: rows evened out, so that few are left for a smaller one.
pub(super) fn tile(problem: &Problem, lanes: u64) -> Tile {
    let most = SIDE * REGISTERS;
    let rows = problem.rows.map_or(most, |rows| rows.div_ceil(rows.div_ceil(most).max(1)));
    let vectors = problem.columns.map_or(REGISTERS, |columns| columns.div_ceil(lanes).clamp(1, REGISTERS));
    Tile { rows, vectors }
}

/// Whether the rows of several iterations of loop `at` fill up a tile, whose panels they share: they are as many as one register has, or fewer.
pub(super) fn can_stack(
    of: &Contraction,
    problem: &Problem,
    packed: Option<usize>,
    affine: &AffineStore,
    at: usize,
) -> bool {
    let shared = packed.is_none_or(|packed| !of.inputs[packed].depends_on(affine, at));
    shared && problem.rows.is_some_and(|rows| rows <= SIDE) && of.extent(at).is_some_and(|count| count >= REGISTERS)
}

/// The dimension of an input that changes along the loop of the rows, and by how many elements of it. `None` where that is not one, or the last.
fn row_dimension(affine: &AffineStore, input: &Access, row: usize) -> Option<(usize, i64)> {
    let mut dims = (0..input.indices.len()).filter(|&dim| affine.is_function_of_dim(input.indices[dim], row as u32));
    let dim = dims.next().filter(|&dim| dim + 1 < input.indices.len())?;
    let by = coefficient(affine, input.indices[dim], row).filter(|&by| by > 0)?;
    dims.next().is_none().then_some((dim, by))
}

/// Rows of a tile that lie in a register.
#[derive(Clone, Copy)]
struct Block {
    /// Of which iteration, of those that are stacked.
    iteration: i64,
    first: i64,
    count: i64,
}

impl Emitter<'_, '_, '_> {
    /// [`Self::loops`] around what `body` makes, which is for two iterations of the loop that is stacked, if one is, and where one is left for that.
    pub(super) fn outer_loops(
        &mut self,
        over: &[usize],
        carried: Vec<ValueId>,
        body: &mut dyn FnMut(&mut Self, Vec<ValueId>) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let Some((&last, others)) = over.split_last().filter(|(last, _)| self.plan.stacked == Some(**last)) else {
            return self.loops(over, carried, body);
        };
        let (all, size) = (self.contraction.extents[last], REGISTERS as i64);
        let full = all / size * size;
        self.loops(others, carried, &mut |this, carried| {
            this.stacked = size;
            let carried =
                this.for_each(At::constant(0), Index::Static(full), size, carried, &mut |this, at, carried| {
                    this.positions[last] = at;
                    body(this, carried)
                });
            this.stacked = 1;
            (full..all).fold(carried, |carried, at| {
                this.positions[last] = At::constant(at);
                body(this, carried)
            })
        })
    }

    /// What `make` makes for iteration number `at` of those that are stacked.
    fn in_iteration<T>(&mut self, at: i64, make: impl FnOnce(&mut Self) -> T) -> T {
        let Some(over) = self.plan.stacked else { return make(self) };
        let first = self.positions[over];
        self.positions[over] = first.plus(at);
        let made = make(self);
        self.positions[over] = first;
        made
    }

    /// One tile: `rows` of each iteration that is stacked. `step` groups are taken at once.
    pub(super) fn tiled_kernel(
        &mut self,
        group: &Group,
        step: i64,
        rows: i64,
        columns: Columns,
        mut dest: ValueId,
    ) -> ValueId {
        self.kernel += 1;
        let (cx, element) = (self.b.cx(), self.contraction.result.element);
        let (side, lanes) = (SIDE as i64, self.plan.lanes as i64);
        let of_iteration = |iteration: i64| {
            let firsts = (0..rows).step_by(SIDE as usize);
            firsts.map(move |first| Block { iteration, first, count: (rows - first).min(side) })
        };
        let blocks: Vec<Block> = (0..self.stacked).flat_map(of_iteration).collect();
        let mut sums = Vec::new();
        for block in &blocks {
            let Some(zeros) = self.b.zeros(cx.vector_type(&[block.count, lanes], element)) else { return dest };
            sums.extend(vec![zeros; columns.vectors as usize]);
        }
        let others: Vec<usize> = self.contraction.reduced.iter().copied().filter(|&at| at != group.along).collect();
        let count = Index::Static(self.contraction.extents[group.along] / group.size as i64);
        let sums = self.loops(&others, sums, &mut |this, sums| {
            this.for_each(At::constant(0), count, step, sums, &mut |this, at, sums| {
                this.group_at = at;
                this.asks = true;
                this.positions[group.along] = this.scaled(at, group.size as i64);
                this.tiled_step(group, step, &blocks, columns, sums)
            })
        });
        let mut sums = sums.chunks(columns.vectors as usize);
        for block in blocks {
            let Some(sums) = sums.next() else { return dest };
            dest = self.in_iteration(block.iteration, |this| this.finish_block(block, sums, dest, columns));
        }
        dest
    }

    /// Stores the sums of a block of rows, or what the epilogue makes of them.
    fn finish_block(&mut self, block: Block, sums: &[ValueId], mut dest: ValueId, columns: Columns) -> ValueId {
        for within in 0..block.count {
            for (&sums, vector) in sums.iter().zip(0..) {
                let row = block.first + within;
                let part = self.b.part(sums, &[within]);
                let part = self.with_start(part, dest, row, vector, columns);
                dest = self.finish(part, dest, row, vector, columns);
            }
        }
        dest
    }

    /// A vector of sums with what it begins at.
    pub(super) fn with_start(
        &mut self,
        sums: ValueId,
        dest: ValueId,
        row: i64,
        vector: u64,
        columns: Columns,
    ) -> ValueId {
        let cx = self.b.cx();
        let start = match self.contraction.start {
            Start::Fill(value) => {
                let constant = ValueRef::new(cx, self.b.ir(), value).constant();
                if constant.is_some_and(|start| start.as_int() == Some(0) || start.as_f64() == Some(0.0)) {
                    return sums;
                }
                let ty = self.vector_type(self.contraction.result.element);
                self.b.broadcast(value, ty)
            }
            Start::Init => {
                let mut init = self.contraction.result.clone();
                if self.epilogue.is_none() {
                    init.value = dest;
                }
                self.read(&init, row, vector, columns)
            }
        };
        self.add(start, sums)
    }

    /// One step of the reduced loops: the new sums of each block of rows.
    fn tiled_step(
        &mut self,
        group: &Group,
        step: i64,
        blocks: &[Block],
        columns: Columns,
        mut sums: Vec<ValueId>,
    ) -> Vec<ValueId> {
        let Some(panels) = self.panels.clone() else { return sums };
        self.ask_ahead(columns);
        let (size, lanes) = (group.size as i64, self.plan.lanes as i64);
        let rows = 1 - group.packed;
        let mut left = Vec::new();
        for block in blocks {
            let depth = step * size;
            let read = |this: &mut Self| this.read_rows(rows, block.first, block.count, depth);
            let value = self.in_iteration(block.iteration, read);
            left.push(self.grouped(rows, value, &[block.count, step, size]));
        }
        let mut right = Vec::new();
        for at in 0..columns.vectors as i64 {
            let value = panels.read_tile(self, columns.panel, columns.within.plus(at * lanes), step);
            right.push(self.grouped(group.packed, value, &[step, lanes, size]));
        }
        for (block, &left) in left.iter().enumerate() {
            for (vector, &right) in right.iter().enumerate() {
                let sum = &mut sums[block * columns.vectors as usize + vector];
                *sum = self.contract(left, right, *sum);
            }
        }
        sums
    }

    /// `count` rows of input `at` from row `first` of the tile on, of `depth` elements from where the loops stand on.
    fn read_rows(&mut self, at: usize, first: i64, count: i64, depth: i64) -> ValueId {
        let (cx, contraction) = (self.b.cx(), self.contraction);
        let input = &contraction.inputs[at];
        let place = contraction.row.and_then(|row| row_dimension(cx.affine(), input, row));
        let (dim, by) = place.unwrap_or_default();
        let offsets = self.indices(input, first, 0);
        let last = input.indices.len() - 1;
        let extent = |at: usize| {
            if at == last {
                depth
            } else if at == dim {
                count
            } else {
                1
            }
        };
        let slice = Slice {
            offsets: offsets.into_iter().map(Index::Value).collect(),
            sizes: (0..=last).map(|at| Index::Static(extent(at))).collect(),
            strides: (0..=last).map(|at| Index::Static(if at == dim { by } else { 1 })).collect(),
        };
        let part = cx.tensor_type(&[count, depth], input.element);
        let state = dl_tensor::extract_slice_state(&self.b, input.value, &slice, part, self.b.loc);
        let part = self.b.create_value(state);
        let zero = self.b.constant_index(0);
        self.read_vector(part, cx.vector_type(&[count, depth], input.element), vec![zero, zero], None)
    }

    /// What is read of input `at` with the elements of a group as a dimension, widened.
    fn grouped(&mut self, at: usize, value: ValueId, shape: &[i64]) -> ValueId {
        let (cx, contraction) = (self.b.cx(), self.contraction);
        if let Some(read) = self.b.ir().defining_op(value) {
            self.b.set_attr(read, cx.ident(KERNEL), cx.i64_attr(self.kernel));
        }
        let value = self.b.shape_cast(value, cx.vector_type(shape, contraction.inputs[at].element));
        let wide = cx.vector_type(shape, contraction.result.element);
        self.cast(contraction.body.casts[at], value, wide)
    }

    /// `sum[i, j] + left[i, k, g] * right[k, j, g]`.
    fn contract(&mut self, left: ValueId, right: ValueId, sum: ValueId) -> ValueId {
        let (cx, ty) = (self.b.cx(), self.b.ir().value_type(sum));
        let affine = cx.affine();
        let [row, column, step, element] = [0, 1, 2, 3].map(|dim| affine.dim(dim));
        let maps = [vec![row, step, element], vec![step, column, element], vec![row, column]];
        let maps: Vec<_> = maps.into_iter().map(|map| cx.affine_map_attr(affine.intern_map(4, 0, map))).collect();
        let (parallel, reduction) = (IteratorType::Parallel.attr(cx), IteratorType::Reduction.attr(cx));
        let iterators = [parallel, parallel, reduction, reduction];
        let state = OpState::of::<ContractionOp<'_>>(self.b.loc)
            .operands([left, right, sum])
            .results([ty])
            .attr(cx, "indexing_maps", cx.array_attr(&maps))
            .attr(cx, "iterator_types", cx.array_attr(&iterators))
            .attr(cx, "kind", CombiningKind::Add.attr(cx));
        self.b.create_value(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_evened_out() {
        let chosen = |rows: Option<u64>, columns: u64| {
            let problem = Problem {
                rows,
                columns: Some(columns),
                depth: Some(16),
                element_bits: 32,
                rows_share_a_set: false,
                vectors_by_row: false,
                vector_inputs: 1,
                nested: false,
                epilogue: false,
                divides: false,
            };
            let tile = tile(&problem, 16);
            (tile.rows, tile.vectors)
        };
        assert_eq!(chosen(Some(1024), 1024), (32, 2));
        // 2 tiles of 28, not 32 and 24; 4 of 25, of which the last one has 22.
        assert_eq!(chosen(Some(56), 1024), (28, 2));
        assert_eq!(chosen(Some(97), 1024), (25, 2));
        assert_eq!(chosen(Some(7), 10), (7, 1));
        assert_eq!(chosen(None, 64), (32, 2));
    }
}
