//! An input of a contraction as integers of 8 bits, their zero point and their scale.

use dl_arith::constants::is_float;
use dl_arith::{ExtSIOp, ExtUIOp, MulFOp, SIToFPOp, SubIOp, UIToFPOp};
use dl_ir::affine::AffineExpr;
use dl_ir::attributes::DenseData;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::{AttrData, BlockRef, OpId, OpRef, ValueId, ValueRef};
use dl_linalg::{GenericOp, IteratorType, LinalgOp};
use dl_tensor::{CollapseShapeOp, ExpandShapeOp, PadOp, YieldOp};

use crate::transposes::permutation;

/// What a contraction reads, as integers: each element is `(integer - zero) * scale`.
#[derive(Clone, Debug)]
pub(super) struct Quantized {
    /// The integers.
    pub(super) source: ValueId,
    /// Their extents.
    pub(super) shape: Vec<i64>,
    /// What they are, if that is known.
    pub(super) known: Option<DenseData>,
    /// Whether the known ones take the place of the source, from which they differ.
    pub(super) is_shifted: bool,
    /// Whether they have a sign.
    pub(super) signed: bool,
    /// The integer that stands for zero.
    pub(super) zero: i64,
    /// The scale, where elements are floats; none is 1.
    pub(super) scale: Option<Scale>,
    /// What is done with the tensor before the contraction reads it, last first: borders, other orders, other shapes.
    pub(super) moves: Vec<OpId>,
    /// What the borders are made of.
    pub(super) border: Border,
    /// The index of each dimension of the source in terms of the contraction's loops; none where that is not known.
    pub(super) indices: Vec<Option<AffineExpr>>,
}

/// A scale for all elements, or a tensor of scales.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    /// The number or the tensor.
    pub(super) value: ValueId,
    /// The indices of the tensor in terms of the contraction's loops.
    pub(super) indices: Option<Vec<AffineExpr>>,
}

/// What borders are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Border {
    /// Zeros.
    Zero,
    /// -∞, the least of all numbers.
    Lowest,
}

/// More operations than this between two nests are not looked through.
const MOST_MOVES: usize = 8;

impl Quantized {
    /// `value`, which a contraction reads at `indices`, if its elements are integers of 8 bits made numbers of a wider type.
    pub(super) fn of(value: ValueRef<'_>, indices: &[AffineExpr], border: Border) -> Option<Self> {
        let mut value = value;
        let mut indices: Vec<Option<AffineExpr>> = indices.iter().copied().map(Some).collect();
        let mut moves = Vec::new();
        loop {
            let op = value.defining_op().filter(|_| moves.len() <= MOST_MOVES)?;
            if op.is::<GenericOp<'_>>() {
                return Self::of_nest(op, &indices, moves, border);
            }
            indices = before(op, &indices, border)?;
            moves.push(op.id());
            value = op.operand(0);
        }
    }

    /// The result of an element-wise nest that computes `(integer - zero) * scale`, read at `indices`.
    fn of_nest(op: OpRef<'_>, indices: &[Option<AffineExpr>], moves: Vec<OpId>, border: Border) -> Option<Self> {
        let affine = op.cx().affine();
        let nest = LinalgOp::of(op)?;
        let body = nest.body()?;
        let parallel = nest.iterator_types().iter().all(|&iterator| iterator == IteratorType::Parallel);
        if !parallel || !has_pure_tensor_semantics(op) || op.num_results() != 1 {
            return None;
        }
        let maps = nest.indexing_maps();
        let out = maps[nest.inputs().len()];
        let of_loop = affine.result_positions(out).filter(|_| affine.is_permutation(out))?;
        let yielded = body.last_op()?.operand(0);
        let (elements, scale) = scaled(body, yielded)?;
        let Elements { argument, signed, zero } = elements;
        let source = op.operand(argument);
        if maps.get(argument) != Some(&out) || !source.ty().is_ranked_tensor() || source.ty().encoding().is_some() {
            return None;
        }
        // Loop `d` of the nest runs over the dimension of the result that stands where `d` does.
        let along = |index: AffineExpr| match affine.dim_position(index) {
            Some(at) => indices[of_loop.iter().position(|&each| each == at)?],
            None => affine.constant_value(index).map(|_| index),
        };
        let scale = match scale {
            None => None,
            Some(value) if value.parent_block() != Some(body) => Some(Scale { value: value.id(), indices: None }),
            Some(value) => {
                let at = value.owner_block().filter(|&owner| owner == body).map(|_| value.index())?;
                let of_scale = maps.get(at).filter(|_| at < nest.inputs().len())?;
                let indices: Option<Vec<AffineExpr>> =
                    affine.map(*of_scale).results.iter().map(|&index| along(index)).collect();
                Some(Scale { value: op.operand(at).id(), indices: Some(indices?) })
            }
        };
        let known = source.constant().and_then(|constant| match constant.data() {
            AttrData::DenseElements { data, .. } => Some(data.clone()),
            _ => None,
        });
        let (shape, indices) = (source.ty().shape()?.to_vec(), indices.to_vec());
        let (source, is_shifted) = (source.id(), false);
        let new = Self { source, shape, known, is_shifted, signed, zero, scale, moves, border, indices };
        Some(new.centred())
    }

    /// The same with zero for zero, where the integers are known and fit bytes then.
    fn centred(self) -> Self {
        let Some(data) = self.known.as_ref().filter(|_| self.zero != 0) else { return self };
        let shifted = |byte: &u8| {
            let number = if self.signed { i64::from(byte.cast_signed()) } else { i64::from(*byte) };
            i8::try_from(number - self.zero).ok().map(i8::cast_unsigned)
        };
        let Some(bytes) = data.bytes().iter().map(shifted).collect::<Option<Vec<u8>>>() else { return self };
        let known = Some(if data.is_splat() { DenseData::splat(bytes) } else { DenseData::elements(bytes, 1) });
        Self { known, is_shifted: true, signed: true, zero: 0, ..self }
    }

    /// The least integer there is.
    pub(super) fn lowest(&self) -> i64 {
        if self.signed { -128 } else { 0 }
    }

    /// The integer that borders are made of.
    pub(super) fn of_border(&self) -> i64 {
        match self.border {
            Border::Zero => self.zero,
            Border::Lowest => self.lowest(),
        }
    }

    /// The largest distance of an integer from zero.
    pub(super) fn reach(&self) -> i64 {
        let (low, high) = if self.signed { (-128, 127) } else { (0, 255) };
        (self.zero - low).max(high - self.zero)
    }
}

/// The indices of what `op` moves, where its result is read at `indices`. `None` for an operation that does more than that.
fn before(op: OpRef<'_>, indices: &[Option<AffineExpr>], border: Border) -> Option<Vec<Option<AffineExpr>>> {
    let source = op.operands().get(0)?.ty();
    let rank = source.shape()?.len();
    if let Some(order) = permutation(op) {
        let mut moved = vec![None; rank];
        for (to, &from) in order.iter().enumerate() {
            *moved.get_mut(from)? = *indices.get(to)?;
        }
        return Some(moved);
    }
    if op.is::<CollapseShapeOp<'_>>() || op.is::<ExpandShapeOp<'_>>() {
        return Some(vec![None; rank]);
    }
    let pad = op.cast::<PadOp<'_>>()?;
    let number = padding(op)?.constant()?;
    let is_expected = match border {
        Border::Zero => number.as_int() == Some(0) || is_float(op.cx(), number.id(), 0.0),
        Border::Lowest => number.as_f64() == Some(f64::NEG_INFINITY),
    };
    if !is_expected || op.num_operands() != 1 {
        return None;
    }
    let border = pad.static_low().dense_ints().zip(pad.static_high().dense_ints());
    Some(border.zip(indices).map(|((low, high), &index)| index.filter(|_| low == 0 && high == 0)).collect())
}

/// What a border is made of, if that is the same everywhere.
fn padding(op: OpRef<'_>) -> Option<ValueRef<'_>> {
    let block = op.region(0).entry()?;
    let value = block.terminator()?.cast::<YieldOp<'_>>()?.value();
    value.owner_block().is_none_or(|owner| owner != block).then_some(value)
}

/// `integer - zero` of an argument of a body.
struct Elements {
    argument: usize,
    signed: bool,
    zero: i64,
}

/// `value` as integers times a scale, if there is one.
fn scaled<'a>(body: BlockRef<'a>, value: ValueRef<'a>) -> Option<(Elements, Option<ValueRef<'a>>)> {
    if !value.ty().is_float() {
        return Some((centred(body, value)?, None));
    }
    if let Some(found) = as_float(body, value) {
        return Some((found, None));
    }
    let product = value.defining_op().filter(|op| op.is::<MulFOp<'_>>())?;
    let (first, second) = (product.operand(0), product.operand(1));
    let of = |elements, scale| Some((as_float(body, elements)?, Some(scale)));
    of(first, second).or_else(|| of(second, first))
}

/// Integers that are made floats.
fn as_float(body: BlockRef<'_>, value: ValueRef<'_>) -> Option<Elements> {
    let op = value.defining_op()?;
    let is_signed = op.is::<SIToFPOp<'_>>();
    if !is_signed && !op.is::<UIToFPOp<'_>>() {
        return None;
    }
    let integer = op.operand(0);
    if let Some(argument) = byte(body, integer) {
        return Some(Elements { argument, signed: is_signed, zero: 0 });
    }
    // What was extended without a sign, and nothing taken off, has none to lose.
    centred(body, integer).filter(|found| is_signed || !found.signed && found.zero <= 0)
}

/// Integers that are extended, less a number that is known.
fn centred(body: BlockRef<'_>, value: ValueRef<'_>) -> Option<Elements> {
    let op = value.defining_op()?;
    if value.ty().int_or_float_width()? < 16 {
        return None;
    }
    if op.is::<SubIOp<'_>>() {
        let extended = centred(body, op.operand(0)).filter(|found| found.zero == 0)?;
        let zero = known(op.operand(1))?;
        let in_range = if extended.signed { -128..=127 } else { 0..=255 };
        return in_range.contains(&zero).then_some(Elements { zero, ..extended });
    }
    let signed = op.is::<ExtSIOp<'_>>();
    if !signed && !op.is::<ExtUIOp<'_>>() {
        return None;
    }
    Some(Elements { argument: byte(body, op.operand(0))?, signed, zero: 0 })
}

/// Which argument of the body `value` is, if it has 8 bits.
fn byte(body: BlockRef<'_>, value: ValueRef<'_>) -> Option<usize> {
    let is_arg = value.owner_block() == Some(body);
    (is_arg && value.ty().is_integer_of(8)).then(|| value.index())
}

/// A number that is known, perhaps extended.
fn known(value: ValueRef<'_>) -> Option<i64> {
    if let Some(constant) = value.constant() {
        return constant.as_int();
    }
    let op = value.defining_op()?;
    let narrow = op.operands().get(0)?;
    let number = narrow.constant()?.as_int()?;
    match op.name() {
        "arith.extsi" => Some(number),
        "arith.extui" if narrow.ty().is_integer_of(8) => Some(number & 0xff),
        _ => None,
    }
}
