//! Contractions as inner products: vectors run along a loop that is summed over.
//!
//! Where both inputs are adjacent along that loop, as in a product with a transposed right side or with a vector, nothing must be copied. A tile of
//! rows and columns keeps a vector of partial sums for each element; their lanes are added up in the end. The sums are so taken in another
//! order than one by one, which a `linalg` reduction permits.

use dl_arith::{FastMathFlags, SubIOp};
use dl_ir::affine::AffineStore;
use dl_ir::interfaces::Index;
use dl_ir::{OpId, OpState, Rewriter, ValueId};
use dl_machine::Machine;
use dl_passes_vector::build::VectorBuild as _;
use dl_tensor::{ExtractOp, InsertOp};
use dl_vector::{CombiningKind, ReductionOp};

use super::nest::{Emitter, Nest};
use super::plan::{Plan, Tile};
use super::shape::{Along, Contraction, Start};
use super::walk::At;

/// Partial sums that a tile has at most along each side where it has two, and where it has one.
const SIDE: u64 = 4;
const LONE_SIDE: u64 = 8;

/// How inner products are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dots {
    /// Elements of a vector.
    pub lanes: u64,
    /// Rows of a tile, and columns.
    pub tile: Tile,
    /// The loop of the columns, if any; that of the rows is the contraction's.
    pub column: Option<usize>,
}

/// The plan for a contraction whose vectors run along a loop that is summed over. `None` where an input is not adjacent there, or the CPU has
/// no vectors.
pub fn choose(affine: &AffineStore, machine: &Machine, of: &Contraction, element_bits: u32) -> Option<Dots> {
    let lanes = u64::from(machine.lanes(element_bits));
    let adjacent = of.inputs.iter().all(|input| input.along_vector == Along::Adjacent);
    if lanes < 2 || !adjacent || of.extent(of.vector).is_some_and(|depth| depth < lanes) {
        return None;
    }
    // A loop that the one input changes along, and only that one, serves the other as a second side.
    let row = of.row;
    let by_row = row.map(|row| [0, 1].map(|at: usize| of.inputs[at].depends_on(affine, row)));
    let crosses = |at: usize| {
        let by_column = [0, 1].map(|input: usize| of.inputs[input].depends_on(affine, at));
        by_row.is_some_and(|by_row| by_column[0] != by_row[0] && by_column[1] != by_row[1])
    };
    let length = |at: usize| of.extent(at).unwrap_or(u64::MAX);
    let column = of.outer.iter().copied().filter(|&at| crosses(at)).max_by_key(|&at| (length(at), at));
    let fits =
        |tile: Tile| tile.rows * tile.vectors + tile.rows.min(tile.vectors) + 2 <= u64::from(machine.vector_registers);
    let side = |at: Option<usize>, most: u64| at.map_or(1, |at| length(at).clamp(1, most));
    let mut tile = if column.is_none() {
        Tile { rows: side(row, LONE_SIDE), vectors: 1 }
    } else {
        let rows = side(row, SIDE);
        let vectors = side(column, if rows == 1 { LONE_SIDE } else { SIDE });
        let rows = if vectors == 1 { side(row, LONE_SIDE) } else { rows };
        Tile { rows, vectors }
    };
    while !fits(tile) && (tile.rows > 1 || tile.vectors > 1) {
        if tile.rows >= tile.vectors { tile.rows -= 1 } else { tile.vectors -= 1 }
    }
    Some(Dots { lanes, tile, column })
}

/// Makes the nest in the place of `op`.
pub(super) fn emit(op: OpId, rw: &mut Rewriter<'_>, contraction: &Contraction, dots: &Dots, has_fma: bool) {
    let plan = Plan::plain(dots.lanes, dots.tile);
    rw.set_insertion_before(op);
    let loc = rw.op(op).loc();
    let mut emitter = Emitter::new(rw, loc, Nest { contraction, plan: &plan, epilogue: None, has_fma });
    let outer: Vec<usize> = contraction.outer.iter().copied().filter(|&at| Some(at) != dots.column).collect();
    let dest = contraction.result.value;
    let result = emitter.loops(&outer, vec![dest], &mut |this, carried| vec![columns(this, dots, carried[0])])[0];
    rw.replace(op, &[result]);
}

/// All tiles, at where the outer loops stand.
fn columns(emitter: &mut Emitter<'_, '_, '_>, dots: &Dots, dest: ValueId) -> ValueId {
    let (row, column) = (emitter.contraction.row, dots.column);
    let (rows, vectors) = (dots.tile.rows as i64, dots.tile.vectors as i64);
    let whole =
        |emitter: &Emitter<'_, '_, '_>, at: Option<usize>| at.map_or(Index::Static(1), |at| emitter.extents[at]);
    let (all_rows, all_columns) = (whole(emitter, row), whole(emitter, column));
    emitter.tiles(column, At::constant(0), all_columns, vectors, dest, &mut |this, columns, dest| {
        this.tiles(row, At::constant(0), all_rows, rows, dest, &mut |this, rows, dest| {
            kernel(this, dots, rows, columns, dest)
        })
    })
}

/// One tile.
fn kernel(emitter: &mut Emitter<'_, '_, '_>, dots: &Dots, rows: i64, columns: i64, dest: ValueId) -> ValueId {
    let element = emitter.contraction.result.element;
    let ty = emitter.vector_type(element);
    let Some(zero) = emitter.b.zeros(ty) else { return dest };
    let depth = emitter.contraction.vector;
    let lanes = dots.lanes as i64;
    let reduced = emitter.contraction.reduced.clone();
    let sums = vec![zero; (rows * columns) as usize];
    let sums = emitter.loops(&reduced, sums, &mut |this, sums| {
        let all = this.extents[depth];
        let full = match all {
            Index::Static(all) => Index::Static(all / lanes * lanes),
            Index::Value(_) => {
                let vectors = this.quotient(all, lanes);
                let vectors = this.at_of(vectors);
                let covered = this.scaled(vectors, lanes);
                Index::Value(this.value_at(covered))
            }
        };
        let sums = this.for_each(At::constant(0), full, lanes, sums, &mut |this, at, sums| {
            this.positions[depth] = at;
            step(this, dots, rows, columns, sums, None)
        });
        let (left, from) = match (all, full) {
            (Index::Static(all), Index::Static(full)) if all == full => return sums,
            (Index::Static(all), Index::Static(full)) => (Index::Static(all - full), At::constant(full)),
            _ => {
                let (all, full) = (this.value_of(all), this.value_of(full));
                (Index::Value(this.b.same::<SubIOp<'_>>(&[all, full])), At::value(full))
            }
        };
        this.positions[depth] = from;
        let mask = this.mask(left);
        step(this, dots, rows, columns, sums, Some(mask))
    });
    emitter.positions[depth] = At::constant(0);
    let mut dest = dest;
    let mut sums = sums.into_iter();
    for row in 0..rows {
        for column in 0..columns {
            let Some(sum) = sums.next() else { return dest };
            dest = store(emitter, dots, sum, dest, row, column);
        }
    }
    dest
}

/// One vector along the depth of each row and column: the new partial sums.
fn step(
    emitter: &mut Emitter<'_, '_, '_>,
    dots: &Dots,
    rows: i64,
    columns: i64,
    mut sums: Vec<ValueId>,
    mask: Option<ValueId>,
) -> Vec<ValueId> {
    let affine = emitter.b.cx().affine();
    let wide = emitter.vector_type(emitter.contraction.result.element);
    let mut read: Vec<Vec<ValueId>> = Vec::new();
    let mut counts = Vec::new();
    for at in 0..2 {
        let input = emitter.contraction.inputs[at].clone();
        let depends = |on: Option<usize>| on.is_some_and(|on| input.depends_on(affine, on));
        let by_row = if depends(emitter.contraction.row) { rows } else { 1 };
        let by_column = if depends(dots.column) { columns } else { 1 };
        let mut values = Vec::new();
        for row in 0..by_row {
            for column in 0..by_column {
                let positions = standing(emitter, dots, row, column);
                let indices = input.indices.iter().map(|&index| emitter.index(index, &positions)).collect();
                let value = emitter.read_at(input.value, input.element, indices, mask);
                let cast = emitter.contraction.body.casts[at];
                values.push(emitter.cast(cast, value, wide));
            }
        }
        read.push(values);
        counts.push((by_row, by_column));
    }
    let pick = |at: usize, row: i64, column: i64| {
        let (by_row, by_column) = counts[at];
        read[at][(row.min(by_row - 1) * by_column + column.min(by_column - 1)) as usize]
    };
    for row in 0..rows {
        for column in 0..columns {
            let sum = &mut sums[(row * columns + column) as usize];
            *sum = emitter.multiply_add(pick(0, row, column), pick(1, row, column), *sum);
        }
    }
    sums
}

/// Where the loops stand for a row and column of the tile.
fn standing(emitter: &Emitter<'_, '_, '_>, dots: &Dots, row: i64, column: i64) -> Vec<At> {
    let mut positions = emitter.positions.clone();
    for (on, by) in [(emitter.contraction.row, row), (dots.column, column)] {
        if let Some(on) = on {
            positions[on] = positions[on].plus(by);
        }
    }
    positions
}

/// Adds up the lanes of a partial sum, and stores the element.
fn store(
    emitter: &mut Emitter<'_, '_, '_>,
    dots: &Dots,
    sum: ValueId,
    dest: ValueId,
    row: i64,
    column: i64,
) -> ValueId {
    let (cx, loc) = (emitter.b.cx(), emitter.b.loc);
    let result = emitter.contraction.result.clone();
    let is_float = emitter.contraction.body.is_float;
    let state = OpState::of::<ReductionOp<'_>>(loc).operands([sum]).results([result.element]);
    let state = state.attr(cx, "kind", CombiningKind::Add.attr(cx));
    let flags = is_float.then(|| FastMathFlags::REASSOC.attr(cx));
    let scalar = emitter.b.create_value(state.maybe_attr(cx, "fastmath", flags));
    let positions = standing(emitter, dots, row, column);
    let indices: Vec<ValueId> = result.indices.iter().map(|&index| emitter.index(index, &positions)).collect();
    let start = match emitter.contraction.start {
        Start::Fill(value) => value,
        Start::Init => {
            let state = OpState::of::<ExtractOp<'_>>(loc).operands([dest]).operands(indices.iter().copied());
            emitter.b.create_value(state.results([result.element]))
        }
    };
    let total = emitter.add(start, scalar);
    let ty = emitter.b.ir().value_type(dest);
    let state = OpState::of::<InsertOp<'_>>(loc).operands([total, dest]).operands(indices);
    emitter.b.create_value(state.results([ty]))
}
