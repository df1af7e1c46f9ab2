//! Operations of this dialect as instructions.

use dl_ir::interp::{Machine as _, MemRef, Value, Values};
use dl_ir::{AttrRef, Diagnostic, OpRef, OpView, Operands, ValueRef};
use dl_simulator::ElementType;
use dl_simulator::machine::{Dataflow, MatrixTypes};
use dl_simulator::program::{
    Address, Base, BinaryOp, Dma, Matmul, Op, Padding, Pool, PoolOp, Queue, ReduceOp, Requantize, Scale, Strided, Tile,
    Token, UnaryOp, Vector, VectorOp,
};

use super::Encoder;
use crate::{
    BinaryOp as Binary, DmaStartOp, MatmulTileOp, PoolOp as PoolTile, ReduceOp as Reduce, RequantizeOp,
    UnaryOp as Unary, WaitOp, types,
};

/// A matrix in memory, with what its type says.
struct Matrix {
    tile: Tile,
    shape: [u32; 2],
    element: ElementType,
}

impl<'a> Encoder<'a> {
    /// Appends the instruction that `op` is.
    pub(super) fn instruction(&mut self, op: OpRef<'a>) -> Result<Values, Diagnostic> {
        match op.name() {
            "accelerator.dma_start" => self.dma(DmaStartOp::wrap(op)),
            "accelerator.matmul_tile" => self.matmul(MatmulTileOp::wrap(op)),
            "accelerator.binary" => self.binary(Binary::wrap(op)),
            "accelerator.unary" => {
                let kind = UnaryOp::ALL.get(case(Unary::wrap(op).kind())).copied();
                self.of_one(op, |[from, to]| Ok(VectorOp::Unary(kind.ok_or("of an unknown kind")?, from, to)))
            }
            "accelerator.reduce" => {
                let kind = ReduceOp::ALL.get(case(Reduce::wrap(op).kind())).copied();
                self.of_one(op, |[from, to]| Ok(VectorOp::Reduce(kind.ok_or("of an unknown kind")?, from, to)))
            }
            "accelerator.pool" => self.pool(PoolTile::wrap(op)),
            "accelerator.requantize" => self.scaling(op, VectorOp::Requantize),
            "accelerator.dequantize" => self.scaling(op, VectorOp::Dequantize),
            "accelerator.wait" => {
                let after = self.tokens_of(WaitOp::wrap(op).tokens())?;
                self.emit(op, Op::Wait, after)
            }
            _ => Err(op.error("unsupported: this operation in a launch")),
        }
    }

    /// The tokens that are to be waited for.
    fn tokens_of(&self, tokens: Operands<'a>) -> Result<Vec<Token>, Diagnostic> {
        let mut found = Vec::new();
        for token in tokens.iter() {
            if let Value::Other(held) = self.value(token)?
                && let Some(Some(token)) = held.downcast_ref::<Option<Token>>()
                && !found.contains(token)
            {
                found.push(*token);
            }
        }
        Ok(found)
    }

    /// The view that an operand is.
    fn view(&self, at: OpRef<'a>, value: ValueRef<'a>) -> Result<(MemRef, ElementType), Diagnostic> {
        let held = self.value(value)?;
        let view = held.as_memref().ok_or_else(|| at.error("expected a buffer"))?;
        let ty = value.ty();
        let element = types::element_type(ty);
        let element = element.ok_or_else(|| at.error(format_args!("unsupported: elements of type '{ty}'")))?;
        Ok((MemRef::clone(view), element))
    }

    fn matrix(&self, at: OpRef<'a>, value: ValueRef<'a>) -> Result<Matrix, Diagnostic> {
        let (view, element) = self.view(at, value)?;
        let address = self.address(at, &view, view.offset, element.size())?;
        match (extents::<2>(&view.shape, 1), strides::<2>(&view, element)) {
            (Some(shape), Some(strides)) => Ok(Matrix { tile: Tile { address, strides }, shape, element }),
            _ => Err(at.error("unsupported: extents or strides of this size")),
        }
    }

    fn side(&self, at: OpRef<'a>, value: ValueRef<'a>) -> Result<(Strided, [u32; 3], ElementType), Diagnostic> {
        let (view, element) = self.view(at, value)?;
        let address = self.address(at, &view, view.offset, element.size())?;
        match (extents::<3>(&view.shape, 1), strides::<3>(&view, element)) {
            (Some(shape), Some(strides)) => Ok((Strided { address, strides }, shape, element)),
            _ => Err(at.error("unsupported: extents or strides of this size")),
        }
    }

    /// Into a core, or within it, through the queue of loads; out of it through that of stores.
    fn dma(&mut self, op: DmaStartOp<'a>) -> Result<Values, Diagnostic> {
        let at = op.0;
        let (source, shape, element) = self.side(at, op.source())?;
        let (destination, whole, to) = self.side(at, op.destination())?;
        let padding = match (op.low(), op.high(), op.value()) {
            (None, None, None) => None,
            (Some(low), Some(high), Some(value)) => {
                let constants = |list: AttrRef<'_>| extents::<3>(&list.as_i64_array()?, 0);
                let bits = value.number_bytes().and_then(|bytes| {
                    let mut word = [0; 4];
                    word.get_mut(..bytes.len())?.copy_from_slice(&bytes);
                    Some(u32::from_le_bytes(word))
                });
                let (Some(before), Some(after), Some(value)) = (constants(low), constants(high), bits) else {
                    return Err(at.error("unsupported: padding of this kind"));
                };
                Some(Padding { before, after, value })
            }
            _ => return Err(at.error("expected 'low', 'high' and 'value' of padding together")),
        };
        let queue = if matches!(destination.address.base, Base::Buffer(_)) { Queue::Store } else { Queue::Load };
        let dma = Dma { queue, element, shape, destination, source, padding };
        if to != element || dma.padded_shape() != whole.map(u64::from) {
            return Err(
                at.error(format_args!("expected a destination of shape {:?}, but got {whole:?}", dma.padded_shape()))
            );
        }
        let after = self.tokens_of(op.after())?;
        self.forget(destination.address, last_byte(destination.address, &dma.padded_shape(), &destination.strides));
        self.emit(at, Op::Dma(dma), after)
    }

    fn matmul(&mut self, op: MatmulTileOp<'a>) -> Result<Values, Diagnostic> {
        let at = op.0;
        let [lhs, rhs, sums] = [op.lhs(), op.rhs(), op.sums()].map(|operand| self.matrix(at, operand));
        let (lhs, rhs, sums) = (lhs?, rhs?, sums?);
        let ([m, k], [_, n]) = (lhs.shape, rhs.shape);
        if rhs.shape[0] != k || sums.shape != [m, n] {
            let (l, r, s) = (lhs.shape, rhs.shape, sums.shape);
            return Err(
                at.error(format_args!("expected tiles of m x k, k x n and m x n, but got {l:?}, {r:?} and {s:?}"))
            );
        }
        if [&lhs, &rhs, &sums].iter().any(|each| each.shape[1] > 1 && each.tile.strides[1] != each.element.size()) {
            return Err(at.error("unsupported: elements of a row that are apart"));
        }
        let accumulate = match op.accumulate() {
            Some(value) => self.value(value)?.as_int().is_some_and(|value| !value.is_zero()),
            None => false,
        };
        let core = self.core.ok_or_else(|| at.error("expected to be in an 'accelerator.core'"))?;
        let mut matmul = Matmul {
            types: MatrixTypes { lhs: lhs.element, rhs: rhs.element, accumulator: sums.element },
            m,
            n,
            k,
            lhs: lhs.tile.address,
            lhs_stride: lhs.tile.strides[0],
            rhs: rhs.tile.address,
            rhs_stride: rhs.tile.strides[0],
            sums: sums.tile.address,
            sums_stride: sums.tile.strides[0],
            accumulate,
            resident: false,
        };
        let stays = self.machine.matrix.as_ref().is_some_and(|unit| unit.dataflow == Dataflow::WeightStationary);
        let operand = |of: &Matmul| (of.rhs, of.rhs_stride, of.n, of.k, of.types.rhs);
        matmul.resident = stays && self.held[core].as_ref().is_some_and(|held| operand(held) == operand(&matmul));
        self.forget(matmul.sums, last_byte(matmul.sums, &[u64::from(m), u64::from(n)], &sums.tile.strides));
        self.held[core] = Some(matmul.clone());
        let after = self.tokens_of(op.after())?;
        self.emit(at, Op::Matmul(matmul), after)
    }

    /// The array no longer holds what is in memory where these bytes have been written.
    fn forget(&mut self, from: Address, last: u64) {
        for held in &mut self.held {
            let overlaps = held.as_ref().is_some_and(|held| {
                let shape = [u64::from(held.k), u64::from(held.n)];
                let end = last_byte(held.rhs, &shape, &[held.rhs_stride, held.types.rhs.size()]);
                held.rhs.base == from.base && from.offset <= end && held.rhs.offset <= last
            });
            if overlaps {
                *held = None;
            }
        }
    }

    fn binary(&mut self, op: Binary<'a>) -> Result<Values, Diagnostic> {
        let at = op.0;
        let kind = BinaryOp::ALL.get(case(op.kind())).copied().ok_or_else(|| at.error("of an unknown kind"))?;
        let [first, second, to] = [op.lhs(), op.rhs(), op.destination()].map(|operand| self.matrix(at, operand));
        let (first, second, to) = (first?, second?, to?);
        let after = self.tokens_of(op.after())?;
        if second.shape != first.shape || second.element != first.element || to.element != first.element {
            return Err(at.error("expected operands and result of one shape and element type"));
        }
        self.vector(at, VectorOp::Binary(kind, first.element), &first, Some(&second), &to, after)
    }

    /// An operation of source, destination and tokens.
    fn of_one(
        &mut self,
        at: OpRef<'a>,
        op: impl FnOnce([ElementType; 2]) -> Result<VectorOp, &'static str>,
    ) -> Result<Values, Diagnostic> {
        let (from, to) = (self.matrix(at, at.operand(0))?, self.matrix(at, at.operand(1))?);
        let op = op([from.element, to.element]).map_err(|message| at.error(message))?;
        let after = self.tokens_of(at.operand_group(2))?;
        self.vector(at, op, &from, None, &to, after)
    }

    fn pool(&mut self, op: PoolTile<'a>) -> Result<Values, Diagnostic> {
        let pair = |list: AttrRef<'_>| {
            let list = list.as_i64_array().unwrap_or_default();
            extents::<2>(&list, 1).filter(|_| list.len() == 2).ok_or("expected two extents")
        };
        let kind = PoolOp::ALL.get(case(op.kind())).copied().ok_or("of an unknown kind");
        self.of_one(op.0, |[element, _]| {
            let (image, window, steps) = (pair(op.image())?, pair(op.window())?, pair(op.strides())?);
            Ok(VectorOp::Pool(Pool { op: kind?, element, image, window, steps }))
        })
    }

    fn scaling(&mut self, at: OpRef<'a>, op: fn(Requantize) -> VectorOp) -> Result<Values, Diagnostic> {
        // Both have the same operands and attributes.
        let view = RequantizeOp(at);
        let (from, to) = (self.matrix(at, view.source())?, self.matrix(at, view.destination())?);
        let scales = view.scales().map(|scales| self.matrix(at, scales)).transpose()?;
        let scale = match (view.scale().and_then(AttrRef::as_f64), view.fixed(), &scales) {
            (Some(scale), None, None) => Scale::Float(scale as f32),
            (None, Some(fixed), None) => match fixed.dense_ints().collect::<Vec<_>>()[..] {
                [multiplier, shift] => Scale::Fixed { multiplier: multiplier as i32, shift: shift as i32 },
                _ => return Err(at.error("expected multiplier and shift")),
            },
            (None, None, Some(scales)) if scales.element == ElementType::I32 => Scale::FixedPerColumn,
            (None, None, Some(_)) => Scale::FloatPerColumn,
            _ => return Err(at.error("expected one of 'scale', 'fixed' and 'scales'")),
        };
        let zero_point = view.zero_point().as_int().and_then(|zero| i32::try_from(zero).ok()).unwrap_or_default();
        let op = op(Requantize { from: from.element, to: to.element, zero_point, scale });
        let after = self.tokens_of(view.after())?;
        self.vector(at, op, &from, scales.as_ref(), &to, after)
    }

    fn vector(
        &mut self,
        at: OpRef<'a>,
        op: VectorOp,
        first: &Matrix,
        second: Option<&Matrix>,
        to: &Matrix,
        after: Vec<Token>,
    ) -> Result<Values, Diagnostic> {
        let rows = if matches!(op, VectorOp::Pool(_)) { to.shape[0] } else { first.shape[0] };
        let columns = first.shape[1];
        let second_tile = second.map(|second| second.tile);
        let vector = Vector { op, rows, columns, destination: to.tile, first: first.tile, second: second_tile };
        let expected = [
            (vector.first_shape(), first.shape),
            (vector.destination_shape(), to.shape),
            (vector.second_shape().map_or([0; 2], |(_, shape)| shape), second.map_or([0; 2], |second| second.shape)),
        ];
        for (what, (expected, got)) in ["source", "destination", "second operand"].into_iter().zip(expected) {
            if expected != got.map(u64::from) {
                return Err(at.error(format_args!("expected a {what} of shape {expected:?}, but got {got:?}")));
            }
        }
        self.forget(to.tile.address, last_byte(to.tile.address, &vector.destination_shape(), &to.tile.strides));
        self.emit(at, Op::Vector(vector), after)
    }
}

/// The number of the case of an enumeration.
fn case(attr: AttrRef<'_>) -> usize {
    attr.enum_value().and_then(|value| usize::try_from(value).ok()).unwrap_or(usize::MAX)
}

/// As so many extents, `fill` before those that there are.
fn extents<const N: usize>(shape: &[i64], fill: u32) -> Option<[u32; N]> {
    let mut extents = [fill; N];
    let start = N.checked_sub(shape.len())?;
    for (extent, &known) in extents[start..].iter_mut().zip(shape) {
        *extent = u32::try_from(known).ok()?;
    }
    Some(extents)
}

/// Strides in bytes, zeros before those that there are.
fn strides<const N: usize>(view: &MemRef, element: ElementType) -> Option<[u64; N]> {
    let mut strides = [0; N];
    let start = N.checked_sub(view.strides.len())?;
    for (stride, &known) in strides[start..].iter_mut().zip(&view.strides) {
        *stride = u64::try_from(known).ok()?.checked_mul(element.size())?;
    }
    Some(strides)
}

/// Where the last element of something in memory begins, or more than that.
fn last_byte(from: Address, shape: &[u64], strides: &[u64]) -> u64 {
    let steps = shape.iter().zip(strides).map(|(extent, stride)| extent.saturating_sub(1).saturating_mul(*stride));
    steps.fold(from.offset, u64::saturating_add).saturating_add(8)
}
