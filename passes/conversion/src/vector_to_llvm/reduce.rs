//! `vector.reduction`: an intrinsic, and one more operation for the accumulator of integers and extrema.

use dl_arith::Build;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpRef, OpState, OpView, Type, ValueId};
use dl_llvm::{self as llvm, FastmathFlags, ICmpOp, ICmpPredicate};
use dl_vector::{CombiningKind, ReductionOp};

use crate::one_to_one::llvm_attrs;

/// What the attribute `kind` of a reduction says.
pub(super) fn kind_of(reduction: ReductionOp<'_>) -> Result<CombiningKind, NoMatch> {
    CombiningKind::from_attr(reduction.kind()).ok_or(NoMatch("no kind"))
}

/// The fast-math flags of a reduction as those of LLVM, perhaps with leave to reorder.
pub(super) fn flags(op: OpRef<'_>, reassociate: bool) -> Attr {
    let cx = op.cx();
    let given = llvm_attrs::<llvm::VectorReduceFaddOp<'_>>(op);
    let name = cx.ident("fastmathFlags");
    let own = given.into_iter().find(|(n, _)| *n == name).and_then(|(_, attr)| FastmathFlags::from_attr(cx.attr(attr)));
    let own = own.unwrap_or(FastmathFlags::NONE);
    let all = if reassociate { own.union(FastmathFlags::REASSOC) } else { own };
    all.attr(cx)
}

/// An intrinsic by name, with flags where it has them.
fn intrinsic(
    b: &mut Build<'_, '_>,
    name: &'static str,
    operands: &[ValueId],
    ty: Type,
    flags: Option<Attr>,
) -> ValueId {
    let state = OpState::named(name, b.loc).operands(operands.iter().copied()).results([ty]);
    let state = state.maybe_attr(b.cx(), "fastmathFlags", flags);
    b.create_value(state)
}

/// `vector.reduction`.
pub(super) struct Reduction {
    /// Whether float sums and products may be reordered.
    pub(super) reassociate: bool,
}

impl ConversionPattern for Reduction {
    const NAME: &'static str = "vector-reduction-to-llvm";
    const ROOT: Option<&'static str> = Some(ReductionOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = ReductionOp::wrap(rw.op(op));
        if view.0.parent_of::<dl_vector::MaskOp<'_>>().is_some() {
            return Err(NoMatch("it is masked"));
        }
        let (kind, loc, of) = (kind_of(view)?, view.0.loc(), view.dest().ty());
        let flags = flags(view.0, self.reassociate);
        let (float, ty) = (of.is_float(), rw.convert_type(of.id())?);
        if !float && !of.is_integer() && !of.is_index() {
            return Err(NoMatch("elements of this type are not combined"));
        }
        let (vector, acc) = (operands.one(0), (operands.len() > 1).then(|| operands.one(1)));
        let by = By::new(kind, float)?;
        let mut b = Build::new(rw, loc);
        let value = match by {
            By::Start { name, neutral } => {
                let start = acc.unwrap_or_else(|| float_constant(&mut b, ty, neutral));
                intrinsic(&mut b, name, &[start, vector], ty, Some(flags))
            }
            By::Then { name, combine } => {
                let value = intrinsic(&mut b, name, &[vector], ty, float.then_some(flags));
                acc.map_or(value, |acc| combine.make(&mut b, value, acc))
            }
        };
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// `llvm.mlir.constant` of a float.
pub(super) fn float_constant(b: &mut Build<'_, '_>, ty: Type, value: f64) -> ValueId {
    let attr = b.cx().float_attr(ty, value);
    b.value_with::<llvm::ConstantOp<'_>>(&[], ty, &[("value", attr)])
}

/// How a kind is reduced.
enum By {
    /// By an intrinsic that takes a start value.
    Start { name: &'static str, neutral: f64 },
    /// By an intrinsic, and by an operation with the accumulator then.
    Then { name: &'static str, combine: Combine },
}

/// How the accumulator comes in.
pub(super) enum Combine {
    /// By an operation on accumulator and value.
    Op(&'static str),
    /// By an operation on value and accumulator.
    Swapped(&'static str),
    /// The accumulator where this holds of it and the value.
    Compare(ICmpPredicate),
}

impl By {
    fn new(kind: CombiningKind, float: bool) -> Result<Self, NoMatch> {
        use CombiningKind as K;
        let then = |name, combine| Ok(Self::Then { name, combine });
        match (kind, float) {
            (K::Add, true) => Ok(Self::Start { name: "llvm.intr.vector.reduce.fadd", neutral: 0.0 }),
            (K::Mul, true) => Ok(Self::Start { name: "llvm.intr.vector.reduce.fmul", neutral: 1.0 }),
            (K::Minimumf, true) => then("llvm.intr.vector.reduce.fminimum", Combine::Swapped("llvm.intr.minimum")),
            (K::Maximumf, true) => then("llvm.intr.vector.reduce.fmaximum", Combine::Swapped("llvm.intr.maximum")),
            (K::Minnumf, true) => then("llvm.intr.vector.reduce.fmin", Combine::Swapped("llvm.intr.minnum")),
            (K::Maxnumf, true) => then("llvm.intr.vector.reduce.fmax", Combine::Swapped("llvm.intr.maxnum")),
            (K::Add, false) => then("llvm.intr.vector.reduce.add", Combine::Op("llvm.add")),
            (K::Mul, false) => then("llvm.intr.vector.reduce.mul", Combine::Op("llvm.mul")),
            (K::And, false) => then("llvm.intr.vector.reduce.and", Combine::Op("llvm.and")),
            (K::Or, false) => then("llvm.intr.vector.reduce.or", Combine::Op("llvm.or")),
            (K::Xor, false) => then("llvm.intr.vector.reduce.xor", Combine::Op("llvm.xor")),
            (K::Minui, false) => then("llvm.intr.vector.reduce.umin", Combine::Compare(ICmpPredicate::Ule)),
            (K::Minsi, false) => then("llvm.intr.vector.reduce.smin", Combine::Compare(ICmpPredicate::Sle)),
            (K::Maxui, false) => then("llvm.intr.vector.reduce.umax", Combine::Compare(ICmpPredicate::Uge)),
            (K::Maxsi, false) => then("llvm.intr.vector.reduce.smax", Combine::Compare(ICmpPredicate::Sge)),
            _ => Err(NoMatch("elements of this type are not combined so")),
        }
    }
}

impl Combine {
    pub(super) fn make(&self, b: &mut Build<'_, '_>, value: ValueId, acc: ValueId) -> ValueId {
        let ty = b.ir().value_type(value);
        match self {
            Self::Op(name) => intrinsic(b, name, &[acc, value], ty, None),
            Self::Swapped(name) => intrinsic(b, name, &[value, acc], ty, None),
            Self::Compare(predicate) => {
                let cx = b.cx();
                let attr = predicate.attr(cx);
                let wins = b.value_with::<ICmpOp<'_>>(&[acc, value], cx.i1_type(), &[("predicate", attr)]);
                b.value::<llvm::SelectOp<'_>>(&[wins, acc, value], ty)
            }
        }
    }
}
