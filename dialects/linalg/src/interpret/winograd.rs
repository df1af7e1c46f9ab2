//! The transforms of a Winograd convolution: filters by `G g Gᵀ`, tiles of the input by `Bᵀ d B`, their products by `Aᵀ y A`.
//!
//! The matrices are those of Toom and Cook for the points 0, ∓1 and at infinity, and for the larger tiles two more, with the factors that MLIR
//! gives rows and columns (Winograd, "Arithmetic Complexity of Computations", 1980; Lavin and Gray, "Fast Algorithms for Convolutional
//! Neural Networks", 2016). MLIR writes `A` smaller by a power of two and multiplies by that power afterwards.
//!
//! Each product and each sum is rounded, and a coefficient that the format of the elements does not hold is the nearest one that it does.

use dl_ir::interp::{Array, Machine, Odometer, Outcome, Step, Value};
use dl_ir::number::{ApInt, float};
use dl_ir::{Diagnostic, FloatKind};

use crate::WinogradConv2DFmr as Fmr;
use crate::verify::winograd_tile;

/// Rows of numerators, all over one denominator.
struct Matrix {
    rows: &'static [&'static [i64]],
    denominator: i64,
}

/// `G`, `Bᵀ` and `Aᵀ`.
struct Matrices {
    filter: Matrix,
    input: Matrix,
    output: Matrix,
}

const F_2_3: Matrices = Matrices {
    filter: Matrix { rows: &[&[-2, 0, 0], &[1, -1, 1], &[1, 1, 1], &[0, 0, 2]], denominator: 2 },
    input: Matrix { rows: &[&[-1, 0, 1, 0], &[0, -1, 1, 0], &[0, 1, 1, 0], &[0, -1, 0, 1]], denominator: 1 },
    output: Matrix { rows: &[&[1, 1, 1, 0], &[0, -1, 1, 1]], denominator: 1 },
};

const F_4_3: Matrices = Matrices {
    filter: Matrix {
        rows: &[&[12, 0, 0], &[-4, 4, -4], &[-4, -4, -4], &[1, -2, 4], &[1, 2, 4], &[0, 0, 12]],
        denominator: 12,
    },
    input: Matrix {
        rows: &[
            &[4, 0, -5, 0, 1, 0],
            &[0, 4, -4, -1, 1, 0],
            &[0, -4, -4, 1, 1, 0],
            &[0, 4, -2, -4, 2, 0],
            &[0, -4, -2, 4, 2, 0],
            &[0, 4, 0, -5, 0, 1],
        ],
        denominator: 16,
    },
    output: Matrix {
        rows: &[&[4, 8, 8, 4, 4, 0], &[0, -8, 8, -8, 8, 0], &[0, 8, 8, 16, 16, 0], &[0, -8, 8, -32, 32, 16]],
        denominator: 1,
    },
};

const F_2_5: Matrices = Matrices {
    filter: Matrix {
        rows: &[
            &[60, 0, 0, 0, 0],
            &[10, -10, 10, -10, 10],
            &[-10, -10, -10, -10, -10],
            &[-16, 8, -4, 2, -1],
            &[1, 2, 4, 8, 16],
            &[0, 0, 0, 0, 60],
        ],
        denominator: 60,
    },
    input: Matrix {
        rows: &[
            &[2, 3, -4, -3, 2, 0],
            &[0, 2, 1, -5, 2, 0],
            &[0, -2, -5, -1, 2, 0],
            &[0, 4, -2, -4, 2, 0],
            &[0, -2, -4, 2, 4, 0],
            &[0, 2, 3, -4, -3, 2],
        ],
        denominator: 16,
    },
    output: Matrix { rows: &[&[8, 16, 16, 32, 16, 0], &[0, -16, 16, -16, 32, 8]], denominator: 1 },
};

/// What an operation is about: its matrices, output tiles of `m` elements and filters of `r`, and the format of the elements.
struct Winograd {
    matrices: &'static Matrices,
    m: i64,
    r: i64,
    kind: FloatKind,
}

impl Winograd {
    fn of(step: Step<'_, '_>) -> Result<Self, Diagnostic> {
        let matrices = match step.op.attr("fmr").and_then(Fmr::from_attr) {
            Some(Fmr::F23) => &F_2_3,
            Some(Fmr::F43) => &F_4_3,
            Some(Fmr::F25) => &F_2_5,
            None => return Err(step.op.error("has no sizes of tile and filter")),
        };
        let (m, r) = winograd_tile(step.op).ok_or_else(|| step.op.error("has no sizes of tile and filter"))?;
        let ty = step.op.operand(0).ty().element_or_self();
        let kind = ty.float_kind().ok_or_else(|| step.unsupported(format_args!("elements of type '{ty}'")))?;
        Ok(Self { matrices, m, r, kind })
    }

    /// Elements in a tile of the input, in a dimension that is transformed or is not.
    fn tile(&self, transformed: bool) -> i64 {
        if transformed { self.m + self.r - 1 } else { 1 }
    }
}

/// Elements in rows and columns, row by row.
struct Tile {
    elements: Vec<Value>,
    columns: usize,
}

impl Tile {
    /// The elements that `get` gives for rows and columns.
    fn new([rows, columns]: [i64; 2], mut get: impl FnMut(i64, i64) -> Result<Value, String>) -> Result<Self, String> {
        let mut elements = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                elements.push(get(row, column)?);
            }
        }
        Ok(Self { elements, columns: columns as usize })
    }

    fn transposed(&self) -> Self {
        let rows = self.elements.len() / self.columns;
        let elements = (0..self.elements.len()).map(|at| self.elements[at % rows * self.columns + at / rows].clone());
        Self { elements: elements.collect(), columns: rows }
    }

    /// `matrix` times this.
    fn multiplied(&self, kind: FloatKind, matrix: &Matrix) -> Self {
        let number = |number| float::from_int(kind, &ApInt::from_i64(64, number), true);
        let coefficient = |numerator| float::div(kind, number(numerator), number(matrix.denominator));
        let mut elements = Vec::new();
        for row in matrix.rows {
            for column in 0..self.columns {
                let mut terms = row.iter().zip(self.elements.iter().skip(column).step_by(self.columns));
                let sum = terms.try_fold(float::zero(kind), |sum, (&numerator, element)| {
                    let (_, element) = element.as_float()?;
                    Some(float::add(kind, sum, float::mul(kind, coefficient(numerator), element)))
                });
                elements.push(sum.map_or(Value::Poison, |sum| Value::Float(kind, sum)));
            }
        }
        Self { elements, columns: self.columns }
    }

    /// `matrix` times this times `matrix` transposed, or what there is of that in the dimensions that are transformed.
    fn transformed(self, kind: FloatKind, matrix: &Matrix, [rows, columns]: [bool; 2]) -> Self {
        let tile = if rows { self.multiplied(kind, matrix) } else { self };
        if columns { tile.transposed().multiplied(kind, matrix).transposed() } else { tile }
    }

    /// The elements with the rows and columns that they are in.
    fn each(self) -> impl Iterator<Item = (i64, i64, Value)> {
        let columns = self.columns;
        self.elements
            .into_iter()
            .enumerate()
            .map(move |(at, element)| ((at / columns) as i64, (at % columns) as i64, element))
    }
}

/// Extents of an operand of `N` dimensions.
fn extents<const N: usize>(step: Step<'_, '_>, array: &Array) -> Result<[i64; N], Diagnostic> {
    array.shape().try_into().map_err(|_| step.op.error(format_args!("has a tensor of shape {:?}", array.shape())))
}

/// That the output has the extents that follow from the input.
fn expect(step: Step<'_, '_>, output: &Array, expected: &[i64]) -> Result<(), Diagnostic> {
    if output.shape() == expected {
        return Ok(());
    }
    Err(step.undefined(format_args!("an output of shape {:?} for one of {expected:?}", output.shape())))
}

/// Filters, height, width, channels to tile height, tile width, channels, filters.
pub(super) fn filter<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (of, input, mut output) =
        (Winograd::of(step)?, step.array(step.one(0)?)?, (**step.array(step.one(1)?)?).clone());
    let [filters, height, width, channels] = extents(step, input)?;
    let sides = [height != 1, width != 1];
    expect(step, &output, &[of.tile(sides[0]), of.tile(sides[1]), channels, filters])?;
    let mut each = Odometer::new(&[filters, channels]);
    while let Some(&[filter, channel]) = each.next() {
        let tile = Tile::new([height, width], |row, column| input.get(&[filter, row, column, channel]).cloned());
        for (row, column, element) in step.defined(tile)?.transformed(of.kind, &of.matrices.filter, sides).each() {
            let place = output.position(&[row, column, channel, filter]);
            output.elements_mut()[step.defined(place)?] = element;
        }
    }
    Ok(output.into())
}

/// Images, height, width, channels to tile height, tile width, rows and columns of tiles, images, channels. Tiles begin `m` elements apart, and
/// what is left at the end is not looked at.
pub(super) fn input<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (of, input, mut output) =
        (Winograd::of(step)?, step.array(step.one(0)?)?, (**step.array(step.one(1)?)?).clone());
    let ([images, height, width, channels], into) = (extents(step, input)?, extents::<6>(step, &output)?);
    let sides = [into[0] != 1, into[1] != 1];
    let tiles = |extent: i64, transformed: bool| if transformed { (extent - (of.r - 1)).max(0) / of.m } else { extent };
    let (rows, columns) = (tiles(height, sides[0]), tiles(width, sides[1]));
    let size = sides.map(|transformed| of.tile(transformed));
    expect(step, &output, &[size[0], size[1], rows, columns, images, channels])?;
    let apart = sides.map(|transformed| if transformed { of.m } else { 1 });
    let mut each = Odometer::new(&[rows, columns, images, channels]);
    while let Some(&[down, across, image, channel]) = each.next() {
        let tile = Tile::new(size, |row, column| {
            input.get(&[image, down * apart[0] + row, across * apart[1] + column, channel]).cloned()
        });
        for (row, column, element) in step.defined(tile)?.transformed(of.kind, &of.matrices.input, sides).each() {
            let place = output.position(&[row, column, down, across, image, channel]);
            output.elements_mut()[step.defined(place)?] = element;
        }
    }
    Ok(output.into())
}

/// Tile height, tile width, rows and columns of tiles, images, filters to images, height, width, filters. What the transform gives is added to the
/// output.
pub(super) fn output<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (of, input, mut output) =
        (Winograd::of(step)?, step.array(step.one(0)?)?, (**step.array(step.one(1)?)?).clone());
    let [height, width, rows, columns, images, filters] = extents(step, input)?;
    let sides = [height != 1, width != 1];
    let size = sides.map(|transformed| of.tile(transformed));
    if [height, width] != size {
        return Err(step.undefined(format_args!("tiles of {height}x{width} for some of {}x{}", size[0], size[1])));
    }
    let apart = sides.map(|transformed| if transformed { of.m } else { 1 });
    let extent = |count: i64, apart: i64| count.saturating_mul(apart);
    expect(step, &output, &[images, extent(rows, apart[0]), extent(columns, apart[1]), filters])?;
    let mut each = Odometer::new(&[rows, columns, images, filters]);
    while let Some(&[down, across, image, filter]) = each.next() {
        let tile = Tile::new(size, |row, column| input.get(&[row, column, down, across, image, filter]).cloned());
        for (row, column, element) in step.defined(tile)?.transformed(of.kind, &of.matrices.output, sides).each() {
            let place = output.position(&[image, down * apart[0] + row, across * apart[1] + column, filter]);
            let slot = &mut output.elements_mut()[step.defined(place)?];
            *slot = match (slot.as_float(), element.as_float()) {
                (Some((kind, held)), Some((_, element))) => Value::Float(kind, float::add(kind, held, element)),
                _ => Value::Poison,
            };
        }
    }
    Ok(output.into())
}
