//! Where the elements of a tensor are that a nest of loops uses, and the transfers that bring a part of them.

use std::cmp::Reverse;

use dl_accelerator::types::element_type;
use dl_ir::affine::AffineMap;
use dl_ir::types::row_major_strides;
use dl_ir::{Attr, ValueId, ValueRef};
use dl_simulator::ElementType;
use dl_simulator::machine::{DmaEngines, Machine};
use dl_tensor::PadOp;

use super::blocks::Group;

/// More transfers than this for one block make a launch that nobody can read.
const MOST_MOVES: usize = 128;

/// Tensors with more elements than this are left to the host: so addresses never overflow.
const MOST_ELEMENTS: i64 = 1 << 40;

/// Greatest distance of indices from one iteration to the next, for the same reason.
const MOST_FACTOR: u64 = 1 << 20;

/// First value of a loop, and how many.
pub type Range = (u64, u64);

/// The elements of a tensor that a nest of loops uses: at each iteration, the one whose index along each dimension is a sum of loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The tensor.
    pub value: ValueId,
    /// Type of its elements.
    pub element: ElementType,
    /// What is read where an index is out of bounds; without it, none is.
    pub padding: Option<Attr>,
    dims: Vec<Dim>,
}

/// A dimension of a tensor: `first + Σ factors[i] * loop i`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Dim {
    extent: i64,
    /// Elements from one to the next.
    stride: u64,
    factors: Vec<u64>,
    first: i64,
}

/// A transfer between a tensor in DRAM and a place in a core, in elements.
#[derive(Clone, Debug)]
pub struct Move {
    /// The first element in DRAM. `None`: a row of padding is what is moved.
    pub outside: Option<u64>,
    /// The first element in the core, of padding where there is some.
    pub inside: u64,
    /// At least one, outermost first.
    pub steps: Vec<Step>,
}

/// A dimension of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// How many elements are moved.
    pub extent: u64,
    /// Elements from one to the next in DRAM.
    pub outside: u64,
    /// The same in the core.
    pub inside: u64,
    /// Elements of padding before, in the core.
    pub before: u64,
    /// The same after.
    pub after: u64,
}

impl Step {
    /// Elements in the core.
    pub fn padded(&self) -> u64 {
        self.extent + self.before + self.after
    }

    fn is_padded(&self) -> bool {
        self.before + self.after > 0
    }
}

impl Move {
    /// Bytes in the core, with padding, of elements of `size` bytes.
    pub fn bytes(&self, size: u64) -> u64 {
        self.steps.iter().map(Step::padded).product::<u64>() * size
    }

    /// Whether both ends, in DRAM and in memory number `local`, begin at addresses that these allow.
    pub fn is_aligned(&self, machine: &Machine, local: usize, size: u64) -> bool {
        let [dram, local] = [machine.dram(), local].map(|memory| machine.memories[memory].alignment);
        (self.outside.unwrap_or(0) * size).is_multiple_of(dram) && (self.inside * size).is_multiple_of(local)
    }

    /// Bytes that DRAM moves, each contiguous run in whole bursts.
    pub fn outside_bytes(&self, size: u64, burst: u64) -> u64 {
        let (mut run, mut runs) = (size, 1);
        for step in self.steps.iter().rev().filter(|step| step.extent > 1 && step.outside > 0) {
            if runs == 1 && step.outside * size == run {
                run *= step.extent;
            } else {
                runs *= step.extent;
            }
        }
        runs * run.next_multiple_of(burst)
    }
}

impl Access {
    /// How a nest of `loops` loops uses `value` by way of `map`; constant padding around it is part of the access if `pads`. `None` for extents that
    /// are not known, indices that are no sums of loops, and element types of no machine.
    pub fn of(value: ValueRef<'_>, map: AffineMap, loops: usize, pads: bool) -> Option<Self> {
        let affine = value.cx().affine();
        let padded = pads.then(|| constant_padding(value)).flatten();
        let (source, low, padding) = match padded {
            Some((source, low, padding)) => (source, low, Some(padding)),
            None => (value, Vec::new(), None),
        };
        let ty = source.ty();
        if !ty.is_ranked_tensor() || ty.encoding().is_some() || !ty.has_static_shape() {
            return None;
        }
        let shape = ty.shape()?;
        let elements = shape.iter().try_fold(1_i64, |elements, &extent| elements.checked_mul(extent))?;
        if !(1..=MOST_ELEMENTS).contains(&elements) {
            return None;
        }
        let strides = row_major_strides(shape);
        let results = affine.map(map).results.to_vec();
        let dims = results.iter().enumerate().map(|(dim, &index)| {
            let form = affine.linear_form(index, loops as u32, 0)?;
            let factors = form.dims.iter().map(|&factor| u64::try_from(factor).ok()).collect::<Option<Vec<_>>>()?;
            let first = form.constant.checked_sub(low.get(dim).copied().unwrap_or(0))?;
            if factors.iter().any(|&factor| factor > MOST_FACTOR) || first.abs() > MOST_ELEMENTS {
                return None;
            }
            Some(Dim { extent: *shape.get(dim)?, stride: u64::try_from(strides[dim]).ok()?, factors, first })
        });
        let dims = dims.collect::<Option<Vec<_>>>()?;
        Some(Self { value: source.id(), element: element_type(ty)?, padding, dims })
    }

    /// The same indices in another tensor of the same shape.
    pub fn with(&self, value: ValueId, element: ElementType) -> Self {
        Self { value, element, ..self.clone() }
    }

    /// The same elements for loops of other numbers: loop `i` is loop `to[i]` of `loops`, or stays at its value.
    pub fn renamed(mut self, to: &[Result<usize, u64>], loops: usize) -> Self {
        for dim in &mut self.dims {
            let mut factors = vec![0; loops];
            for (&factor, to) in dim.factors.iter().zip(to) {
                match *to {
                    Ok(at) => factors[at] += factor,
                    Err(value) => dim.first += (factor * value) as i64,
                }
            }
            dim.factors = factors;
        }
        self
    }

    /// Whether each dimension goes along one loop at most.
    pub fn is_plain(&self) -> bool {
        self.dims.iter().all(|dim| dim.factors.iter().filter(|&&factor| factor > 0).count() <= 1)
    }

    /// The loop that a dimension goes along, where it is one and nothing else.
    pub fn loop_along(&self, dim: usize) -> Option<usize> {
        let Dim { factors, first, .. } = self.dims.get(dim)?;
        let mut used = (0..factors.len()).filter(|&at| factors[at] > 0);
        let found = used.next().filter(|&at| factors[at] == 1 && *first == 0)?;
        used.next().is_none().then_some(found)
    }

    /// An access by dimensions that each go along one loop of `loops`.
    pub fn along(value: ValueRef<'_>, dims: &[usize], loops: usize) -> Option<Self> {
        let affine = value.cx().affine();
        let positions: Vec<u32> = dims.iter().map(|&dim| dim as u32).collect();
        let map = affine.multi_dim_map(loops as u32, &positions)?;
        Self::of(value, map, loops, false)
    }

    /// Whether it depends on a loop.
    pub fn uses(&self, at: usize) -> bool {
        self.dims.iter().any(|dim| dim.factors[at] > 0)
    }

    /// Elements from one iteration of a loop to the next.
    pub fn stride(&self, at: usize) -> u64 {
        self.dims.iter().map(|dim| dim.factors[at] * dim.stride).sum()
    }

    /// The transfers of what the loops use in `ranges`, where `inside` has the elements between iterations in the core. `None` if the engines cannot do
    /// it, or not in a sensible number of transfers.
    pub fn moves(&self, ranges: &[Range], inside: &[u64], dma: &DmaEngines) -> Option<Vec<Move>> {
        let unrolled = self.unrolled(ranges);
        let count = unrolled.iter().map(|&at| ranges[at].1).product::<u64>();
        if count > MOST_MOVES as u64 {
            return None;
        }
        let mut moves = Vec::new();
        for number in 0..count {
            let mut ranges = ranges.to_vec();
            let (mut rest, mut offset) = (number, 0);
            for &at in &unrolled {
                let (start, extent) = ranges[at];
                offset += rest % extent * inside[at];
                ranges[at] = (start + rest % extent, 1);
                rest /= extent;
            }
            let found = self.part(&ranges, inside, offset);
            split(found, dma.dimensions as usize, &mut moves)?;
        }
        let is_apart = |step: &Step| step.padded() > 1 && (step.outside != 1 || step.inside != 1);
        let is_possible = |found: &Move| {
            let padded = found.steps.iter().any(Step::is_padded);
            (dma.transpose || !found.steps.last().is_some_and(is_apart)) && (dma.pad || !padded)
        };
        moves.iter().all(is_possible).then_some(moves)
    }

    /// The transfers of a block whose rows and columns go along two groups, each with the elements from one iteration to the next in the core. Other loops stay
    /// where `ranges` begin.
    pub fn block(&self, sides: [(&Group, u64); 2], ranges: &[Range], dma: &DmaEngines) -> Option<Vec<Move>> {
        let mut mine: Vec<Range> = ranges.iter().map(|&(start, _)| (start, 1)).collect();
        let mut inside = vec![0; ranges.len()];
        for (group, unit) in sides.into_iter().filter(|(_, unit)| *unit > 0) {
            group.loops.iter().for_each(|&at| mine[at] = ranges[at]);
            group.strides(ranges, unit, &mut inside);
        }
        self.moves(&mine, &inside, dma)
    }

    /// Loops that get a transfer for each iteration: where padding depends on more than one, all but the longest.
    fn unrolled(&self, ranges: &[Range]) -> Vec<usize> {
        let mut unrolled = Vec::new();
        for dim in self.dims.iter().filter(|dim| dim.is_out_of_bounds(ranges)) {
            let mut loops: Vec<usize> =
                (0..ranges.len()).filter(|&at| dim.factors[at] > 0 && ranges[at].1 > 1).collect();
            loops.sort_by_key(|&at| ranges[at].1);
            loops.pop();
            unrolled.extend(loops);
        }
        unrolled.sort_unstable();
        unrolled.dedup();
        unrolled
    }

    /// One transfer, of any number of dimensions, to `offset` in the core.
    fn part(&self, ranges: &[Range], inside: &[u64], offset: u64) -> Move {
        let mut steps: Vec<(usize, Step)> = (0..ranges.len())
            .filter(|&at| ranges[at].1 > 1 && (self.uses(at) || inside[at] > 0))
            .map(|at| {
                (at, Step { extent: ranges[at].1, outside: self.stride(at), inside: inside[at], before: 0, after: 0 })
            })
            .collect();
        let mut outside = 0;
        let mut is_empty = false;
        for dim in &self.dims {
            let mut index = dim.at(ranges);
            if dim.is_out_of_bounds(ranges) {
                let along = steps.iter_mut().find(|(at, _)| dim.factors[*at] > 0);
                let Some((at, step)) = along else {
                    is_empty |= !(0..dim.extent).contains(&index);
                    continue;
                };
                let factor = dim.factors[*at] as i64;
                let extent = step.extent as i64;
                let first = (-index).max(0).div_euclid(factor) + i64::from((-index).max(0) % factor > 0);
                let end = ((dim.extent - 1 - index).div_euclid(factor) + 1).clamp(0, extent);
                if first >= end {
                    is_empty = true;
                    continue;
                }
                *step =
                    Step { extent: (end - first) as u64, before: first as u64, after: (extent - end) as u64, ..*step };
                index += first * factor;
            }
            outside += index.max(0) as u64 * dim.stride;
        }
        // What is contiguous in DRAM comes last, and what is repeated first.
        let mut steps: Vec<Step> = steps.into_iter().map(|(_, step)| step).collect();
        if is_empty {
            for step in &mut steps {
                *step = Step { extent: step.padded(), outside: 0, before: 0, after: 0, ..*step };
            }
            steps.sort_by_key(|step| Reverse(step.inside));
            if let Some(last) = steps.last_mut().filter(|last| last.inside == 1) {
                last.outside = 1;
            }
        } else {
            steps.sort_by_key(|step| Reverse(if step.outside == 0 { u64::MAX } else { step.outside }));
        }
        Move { outside: (!is_empty).then_some(outside), inside: offset, steps: joined(steps) }
    }
}

impl Dim {
    /// The first index.
    fn at(&self, ranges: &[Range]) -> i64 {
        self.first + self.factors.iter().zip(ranges).map(|(factor, (start, _))| (factor * start) as i64).sum::<i64>()
    }

    fn is_out_of_bounds(&self, ranges: &[Range]) -> bool {
        let first = self.at(ranges);
        let span = self.factors.iter().zip(ranges).map(|(factor, (_, extent))| factor * (extent - 1)).sum::<u64>();
        first < 0 || first + span as i64 >= self.extent
    }
}

/// Neighbouring dimensions that are one on both sides become one.
fn joined(steps: Vec<Step>) -> Vec<Step> {
    let mut joined: Vec<Step> = Vec::new();
    for step in steps {
        match joined.last_mut() {
            Some(last)
                if !step.is_padded()
                    && last.outside == step.extent * step.outside
                    && last.inside == step.extent * step.inside =>
            {
                *last = Step {
                    extent: last.extent * step.extent,
                    before: last.before * step.extent,
                    after: last.after * step.extent,
                    ..step
                };
            }
            _ => joined.push(step),
        }
    }
    if joined.is_empty() {
        joined.push(Step { extent: 1, outside: 1, inside: 1, before: 0, after: 0 });
    }
    joined
}

/// Transfers of at most `most` dimensions: the shortest ones without padding, but for the innermost, are taken apart.
fn split(whole: Move, most: usize, moves: &mut Vec<Move>) -> Option<()> {
    let mut parts = vec![whole];
    while parts[0].steps.len() > most {
        let steps = &parts[0].steps;
        let outer = (0..steps.len() - 1).filter(|&at| !steps[at].is_padded());
        let at = outer.min_by_key(|&at| steps[at].extent)?;
        let mut apart = Vec::new();
        for part in &parts {
            for number in 0..part.steps[at].extent {
                let mut part = part.clone();
                let step = part.steps.remove(at);
                part.outside = part.outside.map(|outside| outside + number * step.outside);
                part.inside += number * step.inside;
                apart.push(part);
            }
        }
        parts = apart;
        if parts.len() > MOST_MOVES {
            return None;
        }
    }
    moves.extend(parts);
    (moves.len() <= MOST_MOVES).then_some(())
}

/// What `value` is padded from, how much comes before along each dimension, and with what, if it is padding by constants.
fn constant_padding(value: ValueRef<'_>) -> Option<(ValueRef<'_>, Vec<i64>, Attr)> {
    let pad = value.def::<PadOp<'_>>()?.0;
    if pad.num_operands() != 1 || !value.ty().has_static_shape() {
        return None;
    }
    let low: Vec<i64> = pad.attr("static_low")?.dense_ints().collect();
    let constant = pad.region(0).entry()?.last_op()?.operands().get(0)?.constant()?;
    low.iter().all(|&extent| extent >= 0).then_some((pad.operand(0), low, constant.id()))
}
