//! How the values of a reduction combine.

use dl_arith::flags::fastmath;
use dl_arith::{CmpFOp, CmpFPredicate, FastMathFlags, SelectOp};
use dl_ir::number::ApInt;
use dl_ir::{Attr, Context, OpId, OpRef, TypeRef, ValueRef};
use dl_vector::CombiningKind;

use crate::combiner::combining_kind;

/// A reduction whose values may be combined in any order, or in an order of our own where that is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reduction {
    /// The operation of the body that takes a value to the accumulator.
    pub(super) op: OpId,
    pub(super) kind: CombiningKind,
    /// Whether `op` is a comparison and a choice: a minimum or maximum that passes over NaN.
    pub(super) selects: bool,
}

impl Reduction {
    /// The reduction that hands on `yielded` for the accumulator `acc`. `None` where it is none that is known.
    pub(super) fn of(yielded: ValueRef<'_>, acc: ValueRef<'_>) -> Option<Self> {
        let op = yielded.defining_op()?;
        if op.is::<SelectOp<'_>>() {
            return Self::of_select(op, acc);
        }
        let kind = combining_kind(op)?;
        let uses = op.operands().iter().filter(|&operand| operand == acc).count();
        (uses == 1 && acc.has_one_use()).then_some(Self { op: op.id(), kind, selects: false })
    }

    /// `select(x > acc, x, acc)` and its like. A comparison with NaN is false, so that the accumulator must be what is kept then.
    fn of_select(op: OpRef<'_>, acc: ValueRef<'_>) -> Option<Self> {
        let compare = op.operand(0).def::<CmpFOp<'_>>()?;
        let value = op.operand(1);
        if op.operand(2) != acc || value == acc || acc.uses().count() != 2 || !compare.0.result(0).has_one_use() {
            return None;
        }
        let keeps_greater = match compare.0.attr("predicate").and_then(CmpFPredicate::from_attr)? {
            CmpFPredicate::Ogt | CmpFPredicate::Oge => true,
            CmpFPredicate::Olt | CmpFPredicate::Ole => false,
            _ => return None,
        };
        let (lhs, rhs) = (compare.0.operand(0), compare.0.operand(1));
        let takes_greater = match (lhs == value && rhs == acc, lhs == acc && rhs == value) {
            (true, _) => keeps_greater,
            (_, true) => !keeps_greater,
            _ => return None,
        };
        let kind = if takes_greater { CombiningKind::Maxnumf } else { CombiningKind::Minnumf };
        Some(Self { op: op.id(), kind, selects: true })
    }

    /// Whether the order of the values changes the result by more than the sign of a zero.
    pub(super) fn is_ordered(self, op: OpRef<'_>) -> bool {
        let rounds = matches!(self.kind, CombiningKind::Add | CombiningKind::Mul);
        let float = op.result(0).ty().is_float();
        rounds && float && !fastmath(op).contains(FastMathFlags::REASSOC)
    }

    /// The value that changes nothing when combined, of a scalar type. The sum has negative zero, as zero would change that.
    pub(super) fn neutral(self, cx: &Context, ty: TypeRef<'_>) -> Option<Attr> {
        use CombiningKind as K;
        let float = |value: f64| Some(cx.float_attr(ty.id(), value));
        if ty.is_float() {
            return match self.kind {
                K::Add => float(-0.0),
                K::Mul => float(1.0),
                K::Maximumf => float(f64::NEG_INFINITY),
                K::Minimumf => float(f64::INFINITY),
                K::Maxnumf => float(if self.selects { f64::NEG_INFINITY } else { f64::NAN }),
                K::Minnumf => float(if self.selects { f64::INFINITY } else { f64::NAN }),
                _ => None,
            };
        }
        let int = |value: fn(u32) -> ApInt| Some(cx.ap_int_attr(ty.id(), value(ty.storage_bits()?)));
        match self.kind {
            K::Add | K::Maxui | K::Or | K::Xor => int(ApInt::zero),
            K::Mul => int(ApInt::one),
            K::And | K::Minui => int(ApInt::all_ones),
            K::Maxsi => int(ApInt::min_signed),
            K::Minsi => int(ApInt::max_signed),
            _ => None,
        }
    }

    /// What the reduction of the lanes of a vector may assume, besides that their order is free.
    pub(super) fn lane_flags(self) -> FastMathFlags {
        // No lane of a choice is NaN: none is taken.
        let of_choice = FastMathFlags::NNAN.union(FastMathFlags::NSZ);
        if self.selects { of_choice.union(FastMathFlags::REASSOC) } else { FastMathFlags::REASSOC }
    }
}
