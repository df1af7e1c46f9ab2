//! Products that one instruction computes: of which vectors of two dimensions, and how they lie.

use dl_arith::{ExtFOp, ExtSIOp, ExtUIOp};
use dl_ir::affine::AffineStore;
use dl_ir::{FloatKind, OpDefinition, OpId, OpRef, ValueId, ValueRef};
use dl_machine::Machine;
use dl_passes_vector::transfer::in_bounds;
use dl_vector::{CombiningKind, ContractionOp, IteratorType, ShapeCastOp, TransferReadOp};

/// Rows of a register, and bytes of a row.
pub(super) const ROWS: i64 = 16;
pub(super) const BYTES: i64 = 64;
/// Bytes of a lane, which a group of neighbours fills.
pub(super) const LANE: i64 = 4;

/// What a register holds: rows, and bytes of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) rows: i64,
    pub(super) bytes: i64,
}

/// `sum[i, j] + left[i, k, g] * right[k, j, g]`, all of the extents that registers have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    /// The `vector.contract`.
    pub(super) op: OpId,
    /// What is added to, and what comes of it.
    pub(super) sum: ValueId,
    pub(super) result: ValueId,
    pub(super) shape: Shape,
    /// What is read from memory, as a row of groups for each row.
    pub(super) left: Factor,
    pub(super) right: Factor,
    /// The intrinsic function of LLVM.
    pub(super) intrinsic: &'static str,
}

/// A `vector.transfer_read` of two dimensions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factor {
    pub(super) read: OpId,
    pub(super) shape: Shape,
}

impl Product {
    /// What `op` computes, if an instruction of the machine does.
    pub(super) fn of(op: OpRef<'_>, machine: &Machine) -> Option<Self> {
        let contract = op.cast::<ContractionOp<'_>>()?;
        let (sum, result) = (contract.acc(), op.result(0));
        let &[rows, columns] = result.ty().shape()? else { return None };
        let adds = op.attr("kind").is_none_or(|kind| CombiningKind::from_attr(kind) == Some(CombiningKind::Add));
        if !adds || !is_of_groups(op) {
            return None;
        }
        let (left, widen_left) = factor(contract.lhs())?;
        let (right, widen_right) = factor(contract.rhs())?;
        let narrow = |read: OpId| OpRef::new(op.cx(), op.arena(), read).result(0).ty().element_or_self();
        let types = [narrow(left.read), narrow(right.read)];
        let sums = result.ty().element_or_self();
        let are = |kind: FloatKind| types.iter().all(|ty| ty.float_kind() == Some(kind));
        let are_bytes = types.iter().all(|ty| ty.is_integer_of(8));
        let intrinsic = if are_bytes && sums.is_integer_of(32) && machine.has_byte_tiles() {
            match [widen_left, widen_right].map(|name| name == ExtSIOp::NAME) {
                [true, true] => "llvm.x86.tdpbssd",
                [true, false] => "llvm.x86.tdpbsud",
                [false, true] => "llvm.x86.tdpbusd",
                [false, false] => "llvm.x86.tdpbuud",
            }
        } else if are(FloatKind::BF16) && sums.float_kind() == Some(FloatKind::F32) && machine.has_bf16_tiles() {
            "llvm.x86.tdpbf16ps"
        } else {
            return None;
        };
        let shape = Shape { rows, bytes: columns.saturating_mul(LANE) };
        let fit = [shape, left.shape, right.shape].iter().all(|shape| shape.rows <= ROWS && shape.bytes <= BYTES);
        let product = Self { op: op.id(), sum: sum.id(), result: result.id(), shape, left, right, intrinsic };
        fit.then_some(product)
    }
}

const PARALLEL: IteratorType = IteratorType::Parallel;
const REDUCTION: IteratorType = IteratorType::Reduction;

/// Whether a contraction has the maps of [`Product`].
fn is_of_groups(op: OpRef<'_>) -> bool {
    let affine: &AffineStore = op.cx().affine();
    let expected: [&[u32]; 3] = [&[0, 2, 3], &[2, 1, 3], &[0, 1]];
    let Some((maps, iterators)) = op.attr("indexing_maps").zip(op.attr("iterator_types")) else { return false };
    let maps: Vec<Vec<Option<u32>>> = maps
        .elements()
        .filter_map(|map| map.as_affine_map())
        .map(|map| affine.map(map).results.iter().map(|&result| affine.dim_position(result)).collect())
        .collect();
    let same =
        |(map, expected): (&Vec<Option<u32>>, &&[u32])| map.iter().copied().eq(expected.iter().copied().map(Some));
    let kinds = iterators.elements().map(IteratorType::from_attr);
    maps.len() == 3
        && maps.iter().zip(&expected).all(same)
        && kinds.eq([PARALLEL, PARALLEL, REDUCTION, REDUCTION].map(Some))
}

/// What a factor is read from, and the operation that widens it.
fn factor(value: ValueRef<'_>) -> Option<(Factor, &'static str)> {
    let &[_, groups, size] = value.ty().shape()? else { return None };
    let mut widen = None;
    let mut value = value;
    let read = loop {
        let op = value.defining_op()?;
        if op.is::<ShapeCastOp<'_>>() {
            value = op.operand(0);
        } else if let Some(name) =
            [ExtFOp::NAME, ExtSIOp::NAME, ExtUIOp::NAME].into_iter().find(|&name| op.name() == name)
        {
            widen.replace(name).is_none().then_some(())?;
            value = op.operand(0);
        } else {
            break op.cast::<TransferReadOp<'_>>()?;
        }
    };
    let &[rows, elements] = read.vector().ty().shape()? else { return None };
    let element = i64::from(read.vector().ty().element_or_self().int_or_float_width()? / 8);
    let memref = read.base().ty();
    let map = read.permutation_map().as_affine_map()?;
    let is_plain = read.mask().is_none()
        && in_bounds(read.0)[..] == [true, true]
        && read.0.cx().affine().is_minor_identity(map)
        && memref.strided_layout().is_some_and(|layout| layout.strides.last() == Some(&1));
    let shape = Shape { rows, bytes: elements.saturating_mul(element) };
    let is_grouped = groups.checked_mul(size) == Some(elements) && size.checked_mul(element) == Some(LANE);
    (is_plain && is_grouped).then_some((Factor { read: read.0.id(), shape }, widen?))
}
