//! Operations that say in which range their integers are.

use crate::attributes::AttrRef;
use crate::entity::OpId;
use crate::int_range::{INDEX_WIDTH, IntRange};
use crate::number::ApInt;
use crate::rewriter::Rewriter;
use crate::types::DYNAMIC;
use crate::view::{OpRef, ValueRef};

/// An operation that knows bounds of its integer results, or of arguments of its regions, from those of its operands.
pub trait InferIntRange: Send + Sync {
    /// Calls `set` with each result, or argument of a region, that something is known of. `operands` has the range of each operand; `None`
    /// for one that is no integer. What is not set may be anything.
    fn infer_ranges(&self, op: OpRef<'_>, operands: &[Option<IntRange>], set: &mut dyn FnMut(ValueRef<'_>, IntRange));
}

/// The range that the operation of `value` gives it, whatever its operands are. `None` where it says none.
pub fn own_range(value: ValueRef<'_>) -> Option<IntRange> {
    let def = value.defining_op()?;
    let any = |operand: ValueRef<'_>| IntRange::width_of(operand.ty()).map(IntRange::all);
    let operands: Vec<Option<IntRange>> = def.operands().iter().map(any).collect();
    let mut found = None;
    def.interface::<dyn InferIntRange>()?.infer_ranges(def, &operands, &mut |result, range| {
        if result == value {
            found = Some(range);
        }
    });
    found
}

/// An operation that keeps what is found out about the ranges of its operands.
pub trait RecordRanges: Send + Sync {
    /// Writes it into the attributes of `op`. `operands` has the range of each operand; `None` for one that is no integer.
    fn record_ranges(&self, rw: &mut Rewriter<'_>, op: OpId, operands: &[Option<IntRange>]);
}

/// The range of an operation's only result, as a function of those of its operands, all of which are integers.
pub struct ResultRange(pub fn(OpRef<'_>, &[IntRange]) -> Option<IntRange>);

impl InferIntRange for ResultRange {
    fn infer_ranges(&self, op: OpRef<'_>, operands: &[Option<IntRange>], set: &mut dyn FnMut(ValueRef<'_>, IntRange)) {
        let operands: Option<Vec<IntRange>> = operands.iter().cloned().collect();
        if let Some(range) = operands.and_then(|operands| (self.0)(op, &operands)) {
            set(op.result(0), range);
        }
    }
}

/// The size of a dimension of the first operand, that which the second operand says: `memref.dim`, `tensor.dim`.
pub struct ShapedDim;

impl ShapedDim {
    /// Whether the second operand of `op` is known to be the number of a dimension of the first one.
    pub fn exists(op: OpRef<'_>) -> bool {
        let rank = op.operand(0).ty().rank();
        let dim = op.operand(1).constant().and_then(AttrRef::as_int).and_then(|dim| usize::try_from(dim).ok());
        dim.zip(rank).is_some_and(|(dim, rank)| dim < rank)
    }
}

impl InferIntRange for ShapedDim {
    fn infer_ranges(&self, op: OpRef<'_>, operands: &[Option<IntRange>], set: &mut dyn FnMut(ValueRef<'_>, IntRange)) {
        let any = || IntRange::signed(ApInt::zero(INDEX_WIDTH), ApInt::max_signed(INDEX_WIDTH));
        let Some(shape) = op.operand(0).ty().shape() else { return set(op.result(0), any()) };
        let dim = operands.get(1).and_then(Option::as_ref);
        let first = dim.and_then(|dim| dim.smin().to_i64()).unwrap_or(0).max(0);
        let last = dim.and_then(|dim| dim.smax().to_i64()).unwrap_or(i64::MAX);
        let sizes = shape.iter().zip(0_i64..).filter(|(_, at)| (first..=last).contains(at));
        let range = |&size: &i64| match size {
            DYNAMIC => any(),
            size => IntRange::constant(ApInt::from_i64(INDEX_WIDTH, size)),
        };
        let all = sizes.map(|(size, _)| range(size)).reduce(|all, each| all.union(&each));
        set(op.result(0), all.unwrap_or_else(any));
    }
}
