//! Dot-product instructions: each adds up the products of a group of neighbours, two of `bf16` or four of 8-bit integers, in one lane.
//!
//! The group runs along a loop that is summed over. What is read along the vectors is packed so that the neighbours lie side by side; of the other
//! input, one group is read at once and broadcast.
//!
//! The instruction for integers takes bytes without a sign and bytes with one. Where both have a sign, or none, that of the broadcast input is
//! changed by flipping its highest bit, which adds 128 or subtracts it; the accumulators begin at what undoes that: 128 times the sum of the
//! column. Nothing saturates on the way, so results are exact.
//!
//! Without such an instruction, integers of 16 bits are multiplied and added up in pairs: bytes are widened to them. That is an operation on vectors like
//! any other, which x86 has had an instruction for since vectors have been there.
//!
//! Where the machine has matrix registers, [`tiles`](super::tiles) takes many groups of many rows at once, with any signs.

use dl_arith::{AddIOp, Build, ExtSIOp, MulIOp, XOrIOp};
use dl_ir::{Context, OpState, Type, ValueId};
use dl_llvm::CallIntrinsicOp;
use dl_machine::Machine;
use dl_passes_vector::build::VectorBuild as _;
use dl_vector::{BitCastOp, DeinterleaveOp, InterleaveOp};

use super::depth::Part;
use super::nest::{Columns, Emitter};
use super::shape::{Access, Along, Contraction, along};
use super::tiles;
use super::walk::At;

/// Bits of a lane, and so of a group.
pub(super) const LANE_BITS: u32 = 32;

/// Products in groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Elements of a group.
    pub size: u64,
    /// The loop along which they are neighbours.
    pub along: usize,
    /// The input that is packed.
    pub packed: usize,
    /// Which instruction.
    pub kind: Kind,
    /// How many groups matrix registers take at once, where they compute the products.
    pub tiled: Option<u64>,
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Of `bf16`, to `f32`.
    Bf16,
    /// Of bytes, to `i32`.
    Bytes {
        /// The input without a sign.
        unsigned: usize,
        /// What makes up for a flipped sign: a factor of the sums of columns.
        correction: Option<i32>,
    },
    /// Of integers of 16 bits, to `i32`: products of pairs, and their sums.
    Words,
    /// None: a vector has neighbours of one column, which are multiplied lane by lane and added up in the end.
    Steps {
        /// Columns of a tile.
        columns: u64,
    },
}

impl Group {
    /// How a contraction is made of dot products, if the machine has them for its types. Extents of vectors and depth must be known.
    pub fn of(cx: &Context, machine: &Machine, of: &Contraction) -> Option<Self> {
        let affine = cx.affine();
        let constant: Vec<usize> = (0..2).filter(|&at| of.inputs[at].along_vector == Along::Constant).collect();
        let &[scalar] = &constant[..] else { return None };
        let packed = 1 - scalar;
        let is = |at: usize, name: &str| cx.ty(of.inputs[at].element).to_string() == name;
        let all = |name: &str| is(0, name) && is(1, name);
        let result = cx.ty(of.result.element).to_string();
        let wide = machine.vector_bits == 512;
        let (size, mut kind, has_tiles) = if wide && all("bf16") && result == "f32" && machine.has("avx512bf16") {
            (2, Kind::Bf16, machine.has_bf16_tiles())
        } else if all("i8") && result == "i32" && machine.has_byte_dots() {
            let signed = of.body.casts.map(|cast| cast == Some("arith.extsi"));
            let (unsigned, correction) = match (signed[scalar], signed[packed]) {
                (false, true) => (scalar, None),
                (true, false) => (packed, None),
                (true, true) => (scalar, Some(-128)),
                (false, false) => (packed, Some(128)),
            };
            (4, Kind::Bytes { unsigned, correction }, machine.has_byte_tiles())
        } else if result == "i32" && machine.has_word_dots() && (all("i8") || all("i16") && of.body.extends_signs()) {
            (2, Kind::Words, false)
        } else {
            return None;
        };
        let input = &of.inputs[packed];
        let serves = |&at: &usize| {
            let neighbours = |input: &Access| along(affine, &input.indices, at) == Along::Adjacent;
            neighbours(&of.inputs[scalar])
                && input.depends_on(affine, at)
                && of.extent(at).is_some_and(|depth| depth >= size)
                && (input.along_vector == Along::Adjacent || neighbours(input) || input.constant.is_some())
        };
        let along = of.reduced.iter().copied().rfind(serves)?;
        of.extent(of.vector)?;
        let tiled = has_tiles.then(|| tiles::step(affine, of, &of.inputs[scalar], along, size)).flatten();
        if let (Some(_), Kind::Bytes { correction, .. }) = (tiled, &mut kind) {
            *correction = None;
        }
        Some(Self { size, along, packed, kind, tiled })
    }

    /// Whether a vector has neighbours of one column only.
    pub(super) fn is_of_steps(&self) -> bool {
        matches!(self.kind, Kind::Steps { .. })
    }

    /// Whether sums begin at what depends on all of a column.
    pub(super) fn corrects(&self) -> bool {
        matches!(self.kind, Kind::Bytes { correction: Some(_), .. })
    }
}

/// What elements of input `at` are when they are multiplied: as the result, if there are no groups.
pub(super) fn factor(cx: &Context, of: &Contraction, group: Option<Group>, at: usize) -> Type {
    match group.map(|group| group.kind) {
        None | Some(Kind::Steps { .. }) => of.result.element,
        Some(Kind::Words) => cx.int_type(16),
        Some(Kind::Bf16 | Kind::Bytes { .. }) => of.inputs[at].element,
    }
}

/// Makes the inside of the reduced loops: gets how many of a group are there and the accumulators, answers the next ones.
type GroupBody<'b, E> = dyn FnMut(&mut E, i64, Vec<ValueId>) -> Vec<ValueId> + 'b;

impl Emitter<'_, '_, '_> {
    /// The reduced loops around what `body` makes; the one that has groups is innermost and goes by these. `body` gets how many of a group are there.
    pub(super) fn depth(
        &mut self,
        reduced: &[usize],
        carried: Vec<ValueId>,
        body: &mut GroupBody<'_, Self>,
    ) -> Vec<ValueId> {
        let Some(Group { size, along, .. }) = self.plan.group else {
            if self.plan.unrolled {
                return self.unrolled(reduced, carried, &mut |this, carried| body(this, 1, carried));
            }
            return self.steps(reduced, carried, &mut |this, carried| body(this, 1, carried));
        };
        let others: Vec<usize> = reduced.iter().copied().filter(|&at| at != along).collect();
        let (size, Part { first, count, .. }) = (size as i64, self.part);
        let all = count.unwrap_or(self.contraction.extents[along]);
        let (full, first_group) = (all / size, first / size);
        self.loops(&others, carried, &mut |this, carried| {
            let count = dl_ir::interfaces::Index::Static(full);
            let carried = this.for_each(At::constant(0), count, 1, carried, &mut |this, at, carried| {
                this.group_at = at.plus(first_group);
                this.asks = true;
                this.positions[along] = this.scaled(at, size).plus(first);
                body(this, size, carried)
            });
            if all % size == 0 {
                return carried;
            }
            this.group_at = At::constant(first_group + full);
            this.asks = false;
            this.positions[along] = At::constant(first + full * size);
            body(this, all % size, carried)
        })
    }

    /// One group of the broadcast input, of which `left` are there, for row `row` of the tile: in all lanes.
    pub(super) fn broadcast_group(&mut self, group: &Group, row: i64, left: i64) -> ValueId {
        let cx = self.b.cx();
        let input = self.contraction.inputs[1 - group.packed].clone();
        let size = group.size as i64;
        let element = factor(cx, self.contraction, Some(*group), 1 - group.packed);
        let narrow = cx.vector_type(&[size], input.element);
        let indices = self.indices(&input, row, 0);
        let mask = (left < size).then(|| {
            let (count, ty) = (self.b.constant_index(left), cx.vector_type(&[size], cx.i1_type()));
            self.b.create_mask(&[count], ty)
        });
        let read = self.read_vector(input.value, narrow, indices, mask);
        let cast = self.contraction.body.casts[1 - group.packed].filter(|_| element != input.element);
        let read = self.cast(cast, read, cx.vector_type(&[size], element));
        if group.is_of_steps() {
            return read;
        }
        let lane = cx.int_type(LANE_BITS);
        let one = self.b.value::<BitCastOp<'_>>(&[read], cx.vector_type(&[1], lane));
        let lanes = self.plan.lanes as i64;
        let mut all = self.b.broadcast(one, cx.vector_type(&[lanes], lane));
        if let Kind::Bytes { correction: Some(_), .. } = group.kind {
            let flip = splat(&mut self.b, lanes, i64::from(0x8080_8080_u32.cast_signed()));
            all = self.b.same::<XOrIOp<'_>>(&[all, flip]);
        }
        self.b.value::<BitCastOp<'_>>(&[all], cx.vector_type(&[lanes * size], element))
    }

    /// `sum` plus the dot products of the groups in each lane of the broadcast and the packed input.
    pub(super) fn dot(&mut self, group: &Group, broadcast: ValueId, packed: ValueId, sum: ValueId) -> ValueId {
        let (name, operands) = match group.kind {
            Kind::Bf16 => ("llvm.x86.avx512bf16.dpbf16ps.512", [sum, broadcast, packed]),
            Kind::Bytes { unsigned, .. } if unsigned == group.packed => {
                ("llvm.x86.avx512.vpdpbusd.512", [sum, packed, broadcast])
            }
            Kind::Bytes { .. } => ("llvm.x86.avx512.vpdpbusd.512", [sum, broadcast, packed]),
            Kind::Words => return self.sum_of_pairs(broadcast, packed, sum),
            Kind::Steps { .. } => return self.multiply_add(broadcast, packed, sum),
        };
        let cx = self.b.cx();
        let ty = self.vector_type(self.contraction.result.element);
        let state = OpState::of::<CallIntrinsicOp<'_>>(self.b.loc)
            .attr(cx, "intrin", cx.string_attr(name))
            .attr(cx, "op_bundle_sizes", cx.dense_i32_array(&[]))
            .operand_segments(cx, &[operands.len(), 0])
            .operands(operands)
            .results([ty]);
        self.b.create_value(state)
    }

    /// `sum` plus the products of pairs of integers, added up by twos first: so the back end finds its instruction.
    fn sum_of_pairs(&mut self, broadcast: ValueId, packed: ValueId, sum: ValueId) -> ValueId {
        let (cx, loc) = (self.b.cx(), self.b.loc);
        let element = self.contraction.result.element;
        let wide = cx.vector_type(&[self.plan.lanes as i64 * 2], element);
        let factors = [broadcast, packed].map(|factor| self.b.value::<ExtSIOp<'_>>(&[factor], wide));
        let products = self.b.same::<MulIOp<'_>>(&factors);
        let ty = self.vector_type(element);
        let halves = self.b.create(OpState::of::<DeinterleaveOp<'_>>(loc).operands([products]).results([ty, ty]));
        let halves = [0, 1].map(|half| self.b.ir().result(halves, half));
        let pairs = self.b.same::<AddIOp<'_>>(&halves);
        self.b.same::<AddIOp<'_>>(&[sum, pairs])
    }

    /// For each vector of a filled panel what its accumulators begin at besides. Empty where that is nothing.
    pub(super) fn corrections(&mut self, columns: Columns) -> Vec<ValueId> {
        let Some(group @ Group { kind: Kind::Bytes { unsigned, correction: Some(factor) }, .. }) = self.plan.group
        else {
            return Vec::new();
        };
        let Some(panels) = self.panels.clone() else { return Vec::new() };
        let lanes = self.plan.lanes as i64;
        if let Some(corrections) = panels.corrections {
            let element = self.contraction.result.element;
            return (0..columns.vectors as i64)
                .map(|at| {
                    let mut indices = panels.lead_indices(self, columns.panel);
                    indices.push(self.b.constant_index(at * lanes));
                    self.read_at(corrections, element, indices, None)
                })
                .collect();
        }
        let cx = self.b.cx();
        let bytes = cx.vector_type(&[lanes * group.size as i64], self.contraction.inputs[group.packed].element);
        let ones = splat(&mut self.b, lanes, 0x0101_0101);
        let ones = self.b.value::<BitCastOp<'_>>(&[ones], bytes);
        let zero = splat(&mut self.b, lanes, 0);
        // Ones are the same with a sign and without; the packed input stays what it is.
        let plain = Group { kind: Kind::Bytes { unsigned, correction: None }, ..group };
        let reduced = panels.reduced.clone();
        let sums = self.depth(&reduced, vec![zero; columns.vectors as usize], &mut |this, _, sums| {
            let mut next = Vec::new();
            for (at, sum) in sums.into_iter().enumerate() {
                let packed = panels.read(this, columns.panel, At::constant(at as i64 * lanes));
                next.push(this.dot(&plain, ones, packed, sum));
            }
            next
        });
        let factor = splat(&mut self.b, lanes, i64::from(factor));
        sums.into_iter().map(|sum| self.b.same::<MulIOp<'_>>(&[sum, factor])).collect()
    }

    /// An accumulator and its correction, if any.
    pub(super) fn corrected(&mut self, accumulator: ValueId, at: usize) -> ValueId {
        match self.corrections.get(at) {
            Some(&correction) => self.b.same::<AddIOp<'_>>(&[accumulator, correction]),
            None => accumulator,
        }
    }

    /// Two or four vectors as one, element by element in turn.
    pub(super) fn interleave(&mut self, parts: &[ValueId]) -> ValueId {
        let &[first, .., last] = parts else { return parts[0] };
        if parts.len() == 2 {
            let ty = self.b.value_type(first);
            let (length, element) = (ty.shape().map_or(0, |shape| shape[0]), ty.element_type().map(|ty| ty.id()));
            let Some(element) = element else { return first };
            let wide = self.b.cx().vector_type(&[length * 2], element);
            return self.b.value::<InterleaveOp<'_>>(&[first, last], wide);
        }
        let every_other = |from: usize| -> Vec<ValueId> { parts.iter().copied().skip(from).step_by(2).collect() };
        let (even, odd) = (self.interleave(&every_other(0)), self.interleave(&every_other(1)));
        self.interleave(&[even, odd])
    }
}

/// The same number in all lanes.
fn splat(b: &mut Build<'_, '_>, lanes: i64, number: i64) -> ValueId {
    let cx = b.cx();
    let lane = cx.int_type(LANE_BITS);
    let ty = cx.vector_type(&[lanes], lane);
    let number = b.constant(cx.int_attr(lane, number), lane);
    b.broadcast(number, ty)
}
