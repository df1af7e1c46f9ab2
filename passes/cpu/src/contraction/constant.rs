//! Constants in panels: weights are packed when the program is compiled, not each time it runs.

use dl_ir::attributes::DenseData;
use dl_ir::types::row_major_strides;
use dl_ir::{AttrData, Type, ValueId};
use half::f16;

use super::group::{Group, Kind};
use super::nest::Emitter;
use super::shape::{Access, coefficient};

/// Iterations of the innermost loop that are packed column by column: what lies next to each other along it shares a cache line, and columns
/// seldom do.
const BLOCK: usize = 16;

/// Where the elements of an input go: `[lead...][panels][reduced...][width]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<'a> {
    /// The outer loops that the input changes along.
    pub(super) lead: &'a [usize],
    /// The reduced loops that it changes along.
    pub(super) reduced: &'a [usize],
    /// Columns of a panel.
    pub(super) width: i64,
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
        let contraction = emitter.contraction;
        let input = &contraction.inputs[at];
        let constant = input.constant?;
        let cx = emitter.b.cx();
        let widen = Widen::of(emitter, cast, input.element, element)?;
        let AttrData::DenseElements { data, .. } = cx.attr(constant).data() else { return None };
        let columns = contraction.extent(contraction.vector)? as i64;
        let column = step(emitter, input, contraction.vector)?;
        let mut walks = Vec::new();
        for &at in self.lead {
            walks.push(Walk { extent: contraction.extents[at], step: step(emitter, input, at)? });
        }
        let panels = columns.checked_add(self.width - 1)? / self.width;
        walks.push(Walk { extent: panels, step: column.checked_mul(self.width)? });
        for &at in self.reduced {
            walks.push(Walk { extent: contraction.extents[at], step: step(emitter, input, at)? });
        }
        if walks.iter().any(|walk| walk.extent < 1) {
            return None;
        }
        // The last of the reduced loops may go by groups, whose elements then are innermost.
        let (mut size, mut depth, mut neighbour) = (1, i64::MAX, 0);
        if let (Some(group), Some(last)) = (emitter.plan.group, walks.last_mut()) {
            (size, depth, neighbour) = (group.size as i64, last.extent, last.step);
            *last = Walk { extent: (depth + size - 1) / size, step: neighbour.checked_mul(size)? };
        }
        let panel_at = self.lead.len();
        let mut shape: Vec<i64> = walks.iter().map(|walk| walk.extent).collect();
        shape.push(self.width.checked_mul(size)?);
        let bytes = shape.iter().try_fold(widen.to as i64, |size, &extent| size.checked_mul(extent))?;
        let mut packed = vec![0_u8; usize::try_from(bytes).ok()?];
        let innermost = walks.pop().filter(|_| !self.reduced.is_empty());
        let innermost = innermost.unwrap_or(Walk { extent: 1, step: 0 });
        let row = (self.width * size) as usize * widen.to;
        let mut index = vec![0_i64; walks.len()];
        let mut from = 0_i64;
        for rows in packed.chunks_exact_mut(row * innermost.extent as usize) {
            let left = (columns - index[panel_at] * self.width).min(self.width);
            for (block_at, block) in rows.chunks_mut(BLOCK * row).enumerate() {
                for column_at in 0..left {
                    for at in 0..block.len() / row {
                        let row_at = (block_at * BLOCK + at) as i64;
                        let from = from + column_at * column + row_at * innermost.step;
                        for which in 0..size.min(depth - row_at * size) {
                            let from = usize::try_from(from + which * neighbour).ok()?;
                            let to = at * row + (column_at * size + which) as usize * widen.to;
                            widen.apply(data.element(from, widen.from), &mut block[to..to + widen.to]);
                        }
                    }
                }
            }
            for (at, walk) in walks.iter().enumerate().rev() {
                index[at] += 1;
                from += walk.step;
                if index[at] < walk.extent {
                    break;
                }
                from -= walk.step * walk.extent;
                index[at] = 0;
            }
        }
        let corrections = self.corrections(emitter, at, &packed, &shape);
        let ty = cx.tensor_type(&shape, element);
        let attr = cx.intern_attr(AttrData::DenseElements { ty, data: DenseData::elements(packed, widen.to) });
        Some((emitter.b.constant(attr, ty), corrections))
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
struct Walk {
    extent: i64,
    step: i64,
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

    /// Writes the widened element to as many zeros.
    fn apply(&self, element: &[u8], to: &mut [u8]) {
        match self.kind {
            // A copy of a length that is known is one instruction.
            Widening::Not => match (element.first_chunk::<4>(), to.first_chunk_mut::<4>()) {
                (Some(element), Some(to)) if self.to == 4 => *to = *element,
                _ => to.copy_from_slice(element),
            },
            Widening::Bf16 => to[2..].copy_from_slice(element),
            Widening::F16 => {
                let number = f16::from_le_bytes(element.first_chunk().copied().unwrap_or_default());
                to.copy_from_slice(&number.to_f32().to_le_bytes());
            }
            Widening::Integer { signed } => {
                let (low, high) = to.split_at_mut(element.len());
                let negative = signed && element.last().is_some_and(|&last| last & 0x80 != 0);
                low.copy_from_slice(element);
                high.fill(if negative { 0xff } else { 0 });
            }
        }
    }
}
