//! `vector.reduction` under `vector.mask`: the predicated intrinsics, which take a start value.
//!
//! There are none for the extrema that give NaN when an element is; lanes that are masked off become the infinity that no element is
//! beyond.

use dl_arith::{Build, IndexCastOp, MulIOp};
use dl_ir::number::ApInt;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Type, TypeRef, ValueId};
use dl_llvm::{self as llvm, ConstantOp};
use dl_vector::types::{extents, is_scalable};
use dl_vector::{CombiningKind, MaskOp, ReductionOp, VectorScaleOp};

use super::reduce::{Combine, flags, float_constant, kind_of};
use crate::llvm_build::LlvmBuild;

/// A start value that changes nothing.
enum Neutral {
    Zero,
    One,
    AllOnes,
    SignedMin,
    SignedMax,
    Nan,
    NegativeNan,
}

fn predicated(kind: CombiningKind, float: bool) -> Option<(&'static str, Neutral)> {
    use CombiningKind as K;
    Some(match (kind, float) {
        (K::Add, true) => ("llvm.intr.vp.reduce.fadd", Neutral::Zero),
        (K::Mul, true) => ("llvm.intr.vp.reduce.fmul", Neutral::One),
        (K::Minnumf, true) => ("llvm.intr.vp.reduce.fmin", Neutral::NegativeNan),
        (K::Maxnumf, true) => ("llvm.intr.vp.reduce.fmax", Neutral::Nan),
        (K::Add, false) => ("llvm.intr.vp.reduce.add", Neutral::Zero),
        (K::Mul, false) => ("llvm.intr.vp.reduce.mul", Neutral::One),
        (K::Minui, false) => ("llvm.intr.vp.reduce.umin", Neutral::AllOnes),
        (K::Minsi, false) => ("llvm.intr.vp.reduce.smin", Neutral::SignedMax),
        (K::Maxui, false) => ("llvm.intr.vp.reduce.umax", Neutral::Zero),
        (K::Maxsi, false) => ("llvm.intr.vp.reduce.smax", Neutral::SignedMin),
        (K::And, false) => ("llvm.intr.vp.reduce.and", Neutral::AllOnes),
        (K::Or, false) => ("llvm.intr.vp.reduce.or", Neutral::Zero),
        (K::Xor, false) => ("llvm.intr.vp.reduce.xor", Neutral::Zero),
        _ => return None,
    })
}

impl Neutral {
    fn make(&self, b: &mut Build<'_, '_>, ty: TypeRef<'_>) -> ValueId {
        let (cx, id) = (b.cx(), ty.id());
        let Some(bits) = ty.int_width() else {
            return float_constant(
                b,
                id,
                match self {
                    Self::One => 1.0,
                    Self::Nan => f64::NAN,
                    Self::NegativeNan => -f64::NAN,
                    _ => 0.0,
                },
            );
        };
        let value = match self {
            Self::One => cx.int_attr(id, 1),
            Self::AllOnes => cx.ap_int_attr(id, ApInt::all_ones(bits)),
            Self::SignedMin => cx.ap_int_attr(id, ApInt::min_signed(bits)),
            Self::SignedMax => cx.ap_int_attr(id, ApInt::max_signed(bits)),
            Self::Zero | Self::Nan | Self::NegativeNan => cx.int_attr(id, 0),
        };
        b.value_with::<ConstantOp<'_>>(&[], id, &[("value", value)])
    }
}

/// How many lanes a vector has.
fn length(b: &mut Build<'_, '_>, vector: TypeRef<'_>) -> ValueId {
    let i32 = b.cx().i32_type();
    let least = extents(vector).first().copied().unwrap_or(1);
    let least = b.llvm_int(i32, least);
    if !is_scalable(vector, 0) {
        return least;
    }
    let index = b.cx().index_type();
    let scale = b.value::<VectorScaleOp<'_>>(&[], index);
    let scale = b.value::<IndexCastOp<'_>>(&[scale], i32);
    b.same::<MulIOp<'_>>(&[least, scale])
}

/// A mask around a reduction.
pub(super) struct MaskedReduction;

impl ConversionPattern for MaskedReduction {
    const NAME: &'static str = "vector-masked-reduction-to-llvm";
    const ROOT: Option<&'static str> = Some(MaskOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let first = rw.op(op).region(0).entry().and_then(|block| block.first_op());
        let reduction = first.and_then(|op| op.cast::<ReductionOp<'_>>()).ok_or(NoMatch("no reduction"))?;
        if MaskOp::wrap(rw.op(op)).passthru().is_some() {
            return Err(NoMatch("a result that is given where the mask is off"));
        }
        let (kind, of, loc) = (kind_of(reduction)?, reduction.dest().ty(), reduction.0.loc());
        let flags = flags(reduction.0, false);
        let (vector, acc) = (reduction.vector().id(), reduction.acc().map(|acc| acc.id()));
        let float = of.is_float();
        let ty = rw.convert_type(of.id())?;
        let converted = |rw: &mut ConversionRewriter<'_>, value: ValueId| {
            let values = rw.converted(value).filter(|values| values.len() == 1);
            values.map(|values| values[0]).ok_or(NoMatch("an operand cannot be converted"))
        };
        rw.set_insertion_before(op);
        let vector = converted(rw, vector)?;
        let acc = acc.map(|acc| converted(rw, acc)).transpose()?;
        let mask = operands.one(0);
        let extremum = match kind {
            CombiningKind::Maximumf if float => Some(("llvm.intr.vector.reduce.fmaximum", "llvm.intr.maximum", false)),
            CombiningKind::Minimumf if float => Some(("llvm.intr.vector.reduce.fminimum", "llvm.intr.minimum", true)),
            _ => None,
        };
        let by = predicated(kind, float);
        if extremum.is_none() && by.is_none() {
            return Err(NoMatch("elements of this type are not combined so"));
        }
        let mut b = Build::new(rw, loc);
        let cx = b.cx();
        let of_vector = b.value_type(vector);
        let value = if let Some((name, combine, upper)) = extremum {
            let neutral = infinity(&mut b, of_vector, ty, upper);
            let chosen = b.value::<llvm::SelectOp<'_>>(&[mask, vector, neutral], of_vector.id());
            let state = OpState::named(name, loc).operands([chosen]).results([ty]).attr(cx, "fastmathFlags", flags);
            let value = b.create_value(state);
            acc.map_or(value, |acc| Combine::Swapped(combine).make(&mut b, value, acc))
        } else {
            let (name, neutral) = by.ok_or(NoMatch("checked above"))?;
            let start = acc.unwrap_or_else(|| neutral.make(&mut b, cx.ty(ty)));
            let lanes = length(&mut b, of_vector);
            b.create_value(OpState::named(name, loc).operands([start, vector, mask, lanes]).results([ty]))
        };
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// A vector of infinities.
fn infinity(b: &mut Build<'_, '_>, vector: TypeRef<'_>, element: Type, positive: bool) -> ValueId {
    let cx = b.cx();
    let infinity = cx.float_attr(element, if positive { f64::INFINITY } else { f64::NEG_INFINITY });
    let attr = cx.splat_attr(vector.id(), infinity).expect("a splat of a vector");
    b.value_with::<ConstantOp<'_>>(&[], vector.id(), &[("value", attr)])
}
