//! Constants in panels: weights are packed when the program is compiled, not each time it runs.

use dl_ir::attributes::{DenseBuffer, DenseData};
use dl_ir::interfaces::Index;
use dl_ir::types::row_major_strides;
use dl_ir::{AttrData, Type, ValueId};
use half::f16;
use rayon::prelude::*;

use super::group::{Group, Kind};
use super::nest::Emitter;
use super::shape::{Access, coefficient};

/// Iterations of the innermost loop that are packed column by column: what lies next to each other along it shares cache lines, and columns
/// seldom do. With 64 an element takes a fifth less than with 16.
const BLOCK: usize = 64;

/// Panels that are filled together where columns lie next to each other: those of a row are read one after the other then, not a cache line here and there.
const TOGETHER: usize = 8;

/// Bytes from which on several threads pay.
const PARALLEL: usize = 1 << 18;

/// Where the elements of an input go: `[lead...][panels][reduced...][width]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<'a> {
    /// The outer loops that the input changes along.
    pub(super) lead: &'a [usize],
    /// The reduced loops that it changes along.
    pub(super) reduced: &'a [usize],
    /// Columns of a panel.
    pub(super) width: i64,
    /// The first column.
    pub(super) first: i64,
    /// How many there are.
    pub(super) count: Index,
}

impl Layout<'_> {
    /// All panels of input `at`, if that is a constant that can be rearranged: a new constant of elements of type `element`, each widened as
    /// `cast` says; and what its columns need besides, if they do.
    ///
    /// Cost: the size of the panels.
    pub(super) fn constant(
        &self,
        emitter: &mut Emitter<'_, '_, '_>,
        at: usize,
        cast: Option<&str>,
        element: Type,
    ) -> Option<(ValueId, Option<ValueId>)> {
        let input = &emitter.contraction.inputs[at];
        let cx = emitter.b.cx();
        let AttrData::DenseElements { data, .. } = cx.attr(input.constant?).data() else { return None };
        let widen = Widen::of(emitter, cast, input.element, element)?;
        let (packing, shape) = self.packing(emitter, at)?;
        let bytes = shape.iter().try_fold(widen.to as i64, |size, &extent| size.checked_mul(extent))?;
        let mut packed = DenseBuffer::zeroed(usize::try_from(bytes).ok()?)?;
        widen.pack(&packing, data, &mut packed, cx.threading())?;
        cx.give_back(data);
        let corrections = self.corrections(emitter, at, &packed, &shape);
        let ty = cx.tensor_type(&shape, element);
        let attr = cx.intern_attr(AttrData::DenseElements { ty, data: DenseData::elements(packed, widen.to) });
        Some((emitter.b.constant(attr, ty), corrections))
    }

    /// Where the elements of the panels come from, and the shape of these.
    fn packing(&self, emitter: &Emitter<'_, '_, '_>, at: usize) -> Option<(Packing, Vec<i64>)> {
        let contraction = emitter.contraction;
        let input = &contraction.inputs[at];
        let walk = |at: usize| Some(Walk { extent: contraction.extents[at], step: step(emitter, input, at)? });
        let Index::Static(count) = self.count else { return None };
        let columns = Walk { extent: count, ..walk(contraction.vector)? };
        let first = self.first.checked_mul(columns.step)?;
        let mut walks = self.lead.iter().map(|&at| walk(at)).collect::<Option<Vec<_>>>()?;
        let panels = columns.extent.checked_add(self.width - 1)? / self.width;
        walks.push(Walk { extent: panels, step: columns.step.checked_mul(self.width)? });
        walks.extend(self.reduced.iter().map(|&at| walk(at)).collect::<Option<Vec<_>>>()?);
        if walks.iter().any(|walk| walk.extent < 1) {
            return None;
        }
        let last = |walk: &Walk| (walk.extent - 1).checked_mul(walk.step);
        let within = walks.iter().enumerate().filter(|&(at, _)| at != self.lead.len()).map(|(_, walk)| last(walk));
        let (mut lowest, mut highest) = (first.min(0), first);
        for reach in within.chain([last(&columns)]) {
            let bound = if reach? < 0 { &mut lowest } else { &mut highest };
            *bound = bound.checked_add(reach?)?;
        }
        if lowest < 0 {
            return None;
        }
        // The last of the reduced loops may go by groups, whose elements then are innermost.
        let mut group = Walk { extent: 1, step: 0 };
        let mut depth = i64::MAX;
        if let (Some(grouped), Some(last)) = (emitter.plan.group, walks.last_mut()) {
            let size = grouped.size as i64;
            (group, depth) = (Walk { extent: size, step: last.step }, last.extent);
            *last = Walk { extent: (depth + size - 1) / size, step: last.step.checked_mul(size)? };
        }
        let mut shape: Vec<i64> = walks.iter().map(|walk| walk.extent).collect();
        shape.push(self.width.checked_mul(group.extent)?);
        let rows = if self.reduced.is_empty() { Walk { extent: 1, step: 0 } } else { walks.pop()? };
        let packing = Packing {
            first,
            walks,
            panel_at: self.lead.len(),
            width: self.width,
            columns,
            rows,
            group,
            depth,
            highest,
        };
        Some((packing, shape))
    }

    /// The sum of each column of bytes in panels, times a factor, where accumulators begin at that: `[lead...][panels][width]`.
    fn corrections(
        &self,
        emitter: &mut Emitter<'_, '_, '_>,
        at: usize,
        packed: &[u8],
        shape: &[i64],
    ) -> Option<ValueId> {
        let Group { size, kind: Kind::Bytes { correction: Some(factor), .. }, .. } = emitter.plan.group? else {
            return None;
        };
        let signed = emitter.contraction.body.casts[at] == Some("arith.extsi");
        let (panels, inside) = shape.split_at(self.lead.len() + 1);
        let (width, panel) = (self.width as usize, inside.iter().product::<i64>() as usize);
        let mut bytes = Vec::new();
        for panel in packed.chunks_exact(panel) {
            let mut sums = vec![0_i32; width];
            for step in panel.chunks_exact(width * size as usize) {
                for (sum, group) in sums.iter_mut().zip(step.chunks_exact(size as usize)) {
                    let number = |byte: &u8| if signed { i32::from(byte.cast_signed()) } else { i32::from(*byte) };
                    *sum = sum.wrapping_add(group.iter().map(number).sum());
                }
            }
            bytes.extend(sums.into_iter().flat_map(|sum| sum.wrapping_mul(factor).to_le_bytes()));
        }
        let cx = emitter.b.cx();
        let shape: Vec<i64> = panels.iter().copied().chain([self.width]).collect();
        let ty = cx.tensor_type(&shape, emitter.contraction.result.element);
        let attr = cx.intern_attr(AttrData::DenseElements { ty, data: DenseData::elements(bytes, size_of::<i32>()) });
        Some(emitter.b.constant(attr, ty))
    }
}

/// A loop over a constant: how often, and by how many elements each time.
#[derive(Clone, Copy, Debug)]
struct Walk {
    extent: i64,
    step: i64,
}

/// Which element of a constant is where in its panels.
#[derive(Debug)]
struct Packing {
    /// The position of the first column.
    first: i64,
    /// The loops around the rows that lie next to each other.
    walks: Vec<Walk>,
    /// Which of these is that over panels.
    panel_at: usize,
    /// Columns of a panel.
    width: i64,
    /// All columns.
    columns: Walk,
    /// Rows that lie next to each other.
    rows: Walk,
    /// Elements of a column that lie next to each other in a row.
    group: Walk,
    /// Elements of a column that there are, where they go by groups.
    depth: i64,
    /// Position of the last element; none is before the first one of the constant.
    highest: i64,
}

impl Packing {
    /// Fills panels with the elements of a constant, or with its one element, as `convert` makes them, several at once where there may be `threads`.
    /// What is no column is left.
    ///
    /// `None` where the constant has fewer elements than the loops look at.
    fn fill<const FROM: usize, const TO: usize>(
        &self,
        data: &DenseData,
        panels: &mut [u8],
        threads: bool,
        convert: impl Fn([u8; FROM]) -> [u8; TO] + Sync,
    ) -> Option<()> {
        let (from, _) = data.bytes().as_chunks::<FROM>();
        let (to, _) = panels.as_chunks_mut::<TO>();
        // One element is found at each position where no loop leaves it.
        let still = |walk: Walk| if data.is_splat() { Walk { step: 0, ..walk } } else { walk };
        let (columns, rows, group) = (still(self.columns), still(self.rows), still(self.group));
        if from.is_empty() || !data.is_splat() && self.highest as usize >= from.len() {
            return None;
        }
        let row = (self.width * group.extent) as usize;
        let size = row * rows.extent as usize;
        // Where rows with this number begin, and how many columns they have.
        let place = |number: usize| {
            let (start, panel) = self.start(number);
            let start = if data.is_splat() { 0 } else { start };
            (start, (columns.extent - panel * self.width).min(self.width))
        };
        let fill_adjacent = |(at, to): (usize, &mut [[u8; TO]])| {
            let panels = (at * TOGETHER..).zip(to.chunks_exact_mut(size));
            let mut panels: Vec<_> = panels.map(|(number, to)| (place(number), to.chunks_exact_mut(row))).collect();
            for at in 0..rows.extent {
                for ((start, left), to) in &mut panels {
                    let from = &from[(*start + at * rows.step) as usize..][..*left as usize];
                    let to = to.next().unwrap_or_default();
                    to.iter_mut().zip(from).for_each(|(to, &from)| *to = convert(from));
                }
            }
        };
        let fill_rows = |(number, to): (usize, &mut [[u8; TO]])| {
            let (start, left) = place(number);
            for (block_at, block) in (0..).step_by(BLOCK).zip(to.chunks_mut(BLOCK * row)) {
                for column in 0..left {
                    let start = start + column * columns.step;
                    if rows.step == 1 && group.extent == 1 {
                        let to = block[column as usize..].iter_mut().step_by(row);
                        to.zip(&from[(start + block_at) as usize..]).for_each(|(to, &from)| *to = convert(from));
                        continue;
                    }
                    for (at, to) in (block_at..).zip(block.chunks_exact_mut(row)) {
                        let start = start + at * rows.step;
                        let count = group.extent.min(self.depth - at * group.extent);
                        for (which, to) in (0..count).zip(&mut to[(column * group.extent) as usize..]) {
                            *to = convert(from[(start + which * group.step) as usize]);
                        }
                    }
                }
            }
        };
        let threads = threads && size_of_val(to) >= PARALLEL;
        match (columns.step == 1 && group.extent == 1, threads) {
            (true, true) => to.par_chunks_mut(size * TOGETHER).enumerate().for_each(fill_adjacent),
            (true, false) => to.chunks_mut(size * TOGETHER).enumerate().for_each(fill_adjacent),
            (false, true) => to.par_chunks_exact_mut(size).enumerate().for_each(fill_rows),
            (false, false) => to.chunks_exact_mut(size).enumerate().for_each(fill_rows),
        }
        Some(())
    }

    /// The position of the first element of rows that lie next to each other, and the number of the panel that they are of.
    fn start(&self, number: usize) -> (i64, i64) {
        let (mut rest, mut start, mut panel) = (number as i64, self.first, 0);
        for (at, walk) in self.walks.iter().enumerate().rev() {
            let index = rest % walk.extent;
            rest /= walk.extent;
            start += index * walk.step;
            if at == self.panel_at {
                panel = index;
            }
        }
        (start, panel)
    }
}

/// The distance in elements between neighbours of a constant along loop `at`.
fn step(emitter: &Emitter<'_, '_, '_>, input: &Access, at: usize) -> Option<i64> {
    let affine = emitter.b.cx().affine();
    let mut step = 0_i64;
    for (&index, stride) in input.indices.iter().zip(row_major_strides(&input.extents)) {
        step = step.checked_add(coefficient(affine, index, at)?.checked_mul(stride)?)?;
    }
    Some(step)
}

/// How an element of a constant is widened, in bytes.
struct Widen {
    from: usize,
    to: usize,
    kind: Widening,
}

enum Widening {
    /// As it is.
    Not,
    /// A `bf16` to an `f32`.
    Bf16,
    /// An `f16` to an `f32`.
    F16,
    /// An integer, by its sign or by zeros.
    Integer { signed: bool },
}

impl Widen {
    /// What a cast of the body does, if it is done here.
    fn of(emitter: &Emitter<'_, '_, '_>, cast: Option<&str>, from: Type, to: Type) -> Option<Self> {
        let cx = emitter.b.cx();
        let bytes = |ty: Type| {
            let bits = cx.ty(ty).int_or_float_width()?;
            (bits % 8 == 0 && bits <= 64).then_some(bits as usize / 8)
        };
        let is = |ty: Type, name: &str| cx.ty(ty).to_string() == name;
        let kind = match cast {
            None => Widening::Not,
            Some("arith.extf") if is(from, "bf16") && is(to, "f32") => Widening::Bf16,
            Some("arith.extf") if is(from, "f16") && is(to, "f32") => Widening::F16,
            Some("arith.extsi") => Widening::Integer { signed: true },
            Some("arith.extui") => Widening::Integer { signed: false },
            Some(_) => return None,
        };
        Some(Self { from: bytes(from)?, to: bytes(to)?, kind })
    }

    /// Fills panels, which are zero, with the widened elements of a constant.
    ///
    /// `None` for elements of a size that no machine has, or where there are too few of them.
    fn pack(&self, packing: &Packing, data: &DenseData, panels: &mut [u8], threads: bool) -> Option<()> {
        let signed = matches!(self.kind, Widening::Integer { signed: true });
        match (&self.kind, self.from, self.to) {
            (Widening::Not, 1, _) => packing.fill::<1, 1>(data, panels, threads, |element| element),
            (Widening::Not, 2, _) => packing.fill::<2, 2>(data, panels, threads, |element| element),
            (Widening::Not, 4, _) => packing.fill::<4, 4>(data, panels, threads, |element| element),
            (Widening::Not, 8, _) => packing.fill::<8, 8>(data, panels, threads, |element| element),
            (Widening::Bf16, ..) => packing.fill::<2, 4>(data, panels, threads, |[low, high]| [0, 0, low, high]),
            (Widening::F16, ..) => packing
                .fill::<2, 4>(data, panels, threads, |element| f16::from_le_bytes(element).to_f32().to_le_bytes()),
            (_, 1, 2) => packing.fill::<1, 2>(data, panels, threads, |element| extended(element, signed)),
            (_, 1, 4) => packing.fill::<1, 4>(data, panels, threads, |element| extended(element, signed)),
            (_, 1, 8) => packing.fill::<1, 8>(data, panels, threads, |element| extended(element, signed)),
            (_, 2, 4) => packing.fill::<2, 4>(data, panels, threads, |element| extended(element, signed)),
            (_, 2, 8) => packing.fill::<2, 8>(data, panels, threads, |element| extended(element, signed)),
            (_, 4, 8) => packing.fill::<4, 8>(data, panels, threads, |element| extended(element, signed)),
            _ => None,
        }
    }
}

/// An integer with more bytes, by its sign or by zeros.
fn extended<const FROM: usize, const TO: usize>(element: [u8; FROM], signed: bool) -> [u8; TO] {
    let negative = signed && element.last().is_some_and(|&last| last & 0x80 != 0);
    let mut wide = [if negative { 0xff } else { 0 }; TO];
    wide[..FROM].copy_from_slice(&element);
    wide
}
