//! `convert-index-to-llvm`: arithmetic on indices, as integers as wide as the target's addresses.

use std::sync::Arc;

use dl_arith::Build;
use dl_index as index;
use dl_ir::number::ApInt;
use dl_ir::pass::PassInfo;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpState, OpView, ValueId};
use dl_llvm::{self as llvm, ICmpOp, ICmpPredicate, SDivOp, SelectOp, SubOp};

use super::dialect_to_llvm::{DialectToLlvm, LoweredDialect};
use super::llvm_build::LlvmBuild;
use super::one_to_one::OneToOne;

/// The dialect `index`.
#[derive(Clone, Default)]
pub struct Index;

/// Lowers `index` to `llvm`.
pub type ConvertIndexToLlvm = DialectToLlvm<Index>;

impl LoweredDialect for Index {
    const INFO: PassInfo = PassInfo::new("convert-index-to-llvm", "Lower the `index` dialect to the `llvm` dialect.")
        .title("ConvertIndexToLLVMPass");
    const ILLEGAL: &'static [&'static str] = &["index"];

    fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns) {
        macro_rules! one_to_one {
            ($($from:ident => $to:ident),* $(,)?) => {
                $(patterns.add(converter, OneToOne::<index::$from<'static>, llvm::$to<'static>>::new());)*
            };
        }
        one_to_one! {
            AddOp => AddOp, SubOp => SubOp, MulOp => MulOp, DivSOp => SDivOp, DivUOp => UDivOp, RemSOp => SRemOp,
            RemUOp => URemOp, MaxSOp => SMaxOp, MaxUOp => UMaxOp, MinSOp => SMinOp, MinUOp => UMinOp, ShlOp => ShlOp,
            ShrSOp => AShrOp, ShrUOp => LShrOp, AndOp => AndOp, OrOp => OrOp, XOrOp => XOrOp,
        }
        patterns
            .add(converter, CeilDivS)
            .add(converter, CeilDivU)
            .add(converter, FloorDivS)
            .add(converter, CastS)
            .add(converter, CastU)
            .add(converter, Cmp)
            .add(converter, SizeOf)
            .add(converter, Constant)
            .add(converter, BoolConstant);
    }
}

/// `llvm.icmp`.
fn compare(b: &mut Build<'_, '_>, predicate: ICmpPredicate, x: ValueId, y: ValueId) -> ValueId {
    let cx = b.cx();
    b.value_with::<ICmpOp<'_>>(&[x, y], cx.i1_type(), &[("predicate", predicate.attr(cx))])
}

/// `llvm.select`.
fn select(b: &mut Build<'_, '_>, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
    let ty = b.ir().value_type(yes);
    b.value::<SelectOp<'_>>(&[condition, yes, no], ty)
}

/// Replaces a quotient by what `steps` makes of its operands.
fn quotient(
    op: OpId,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
    steps: impl FnOnce(&mut Build<'_, '_>, ValueId, ValueId) -> ValueId,
) -> Rewrite {
    let loc = rw.op(op).loc();
    let value = steps(&mut Build::new(rw, loc), operands.one(0), operands.one(1));
    rw.replace(op, &[value]);
    Ok(())
}

/// With `x` one step towards zero: `(n + x) / m + 1` where the quotient is positive, `-(-n / m)` elsewhere. The least number has no negative,
/// but its quotient by a positive one is rounded up as it is.
struct CeilDivS;

impl ConversionPattern for CeilDivS {
    const NAME: &'static str = "index-ceildivs-to-llvm";
    const ROOT: Option<&'static str> = Some(index::CeilDivSOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        quotient(op, operands, rw, |b, n, m| {
            let ty = b.ir().value_type(n);
            let [zero, one, minus_one] = [0, 1, -1].map(|value| b.llvm_int(ty, value));
            let by_positive = compare(b, ICmpPredicate::Sgt, m, zero);
            let x = select(b, by_positive, minus_one, one);
            let moved = b.same::<llvm::AddOp<'_>>(&[n, x]);
            let below = b.same::<SDivOp<'_>>(&[moved, m]);
            let if_positive = b.same::<llvm::AddOp<'_>>(&[below, one]);
            let negated = b.same::<SubOp<'_>>(&[zero, n]);
            let above = b.same::<SDivOp<'_>>(&[negated, m]);
            let otherwise = b.same::<SubOp<'_>>(&[zero, above]);
            let of_positive = compare(b, ICmpPredicate::Sgt, n, zero);
            let same_sign = compare(b, ICmpPredicate::Eq, of_positive, by_positive);
            let non_zero = compare(b, ICmpPredicate::Ne, n, zero);
            let positive = b.same::<llvm::AndOp<'_>>(&[same_sign, non_zero]);
            let value = select(b, positive, if_positive, otherwise);
            let bits = b.cx().ty(ty).int_width().unwrap_or(64);
            let least = b.cx().ap_int_attr(ty, ApInt::min_signed(bits));
            let least = b.value_with::<llvm::ConstantOp<'_>>(&[], ty, &[("value", least)]);
            let of_least = compare(b, ICmpPredicate::Eq, n, least);
            let as_it_is = b.same::<llvm::AndOp<'_>>(&[of_least, by_positive]);
            let divisor = select(b, as_it_is, m, one);
            let truncated = b.same::<SDivOp<'_>>(&[n, divisor]);
            select(b, as_it_is, truncated, value)
        })
    }
}

/// `(n - 1) / m + 1` but for zero.
struct CeilDivU;

impl ConversionPattern for CeilDivU {
    const NAME: &'static str = "index-ceildivu-to-llvm";
    const ROOT: Option<&'static str> = Some(index::CeilDivUOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        quotient(op, operands, rw, |b, n, m| {
            let ty = b.ir().value_type(n);
            let [zero, one] = [0, 1].map(|value| b.llvm_int(ty, value));
            let less = b.same::<SubOp<'_>>(&[n, one]);
            let below = b.same::<llvm::UDivOp<'_>>(&[less, m]);
            let above = b.same::<llvm::AddOp<'_>>(&[below, one]);
            let of_zero = compare(b, ICmpPredicate::Eq, n, zero);
            select(b, of_zero, zero, above)
        })
    }
}

/// With `x` one step away from zero: `-1 - (x - n) / m` where the quotient is negative, `n / m` elsewhere.
struct FloorDivS;

impl ConversionPattern for FloorDivS {
    const NAME: &'static str = "index-floordivs-to-llvm";
    const ROOT: Option<&'static str> = Some(index::FloorDivSOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        quotient(op, operands, rw, |b, n, m| {
            let ty = b.ir().value_type(n);
            let [zero, one, minus_one] = [0, 1, -1].map(|value| b.llvm_int(ty, value));
            let by_negative = compare(b, ICmpPredicate::Slt, m, zero);
            let x = select(b, by_negative, one, minus_one);
            let moved = b.same::<SubOp<'_>>(&[x, n]);
            let above = b.same::<SDivOp<'_>>(&[moved, m]);
            let if_negative = b.same::<SubOp<'_>>(&[minus_one, above]);
            let otherwise = b.same::<SDivOp<'_>>(&[n, m]);
            let of_negative = compare(b, ICmpPredicate::Slt, n, zero);
            let signs_differ = compare(b, ICmpPredicate::Ne, of_negative, by_negative);
            let non_zero = compare(b, ICmpPredicate::Ne, n, zero);
            let negative = b.same::<llvm::AndOp<'_>>(&[signs_differ, non_zero]);
            select(b, negative, if_negative, otherwise)
        })
    }
}

/// Cuts, or extends by `E`, or does nothing.
fn cast<E: OpDefinition>(op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
    let (cx, value, loc) = (rw.cx(), operands.one(0), rw.op(op).loc());
    let to = rw.convert_type(rw.op(op).result(0).ty().id())?;
    let widths = rw.value_type(value).int_width().zip(cx.ty(to).int_width());
    let (from_bits, to_bits) = widths.ok_or(NoMatch("not integers"))?;
    let state = match from_bits.cmp(&to_bits) {
        std::cmp::Ordering::Equal => {
            rw.replace(op, &[value]);
            return Ok(());
        }
        std::cmp::Ordering::Greater => OpState::of::<llvm::TruncOp<'_>>(loc),
        std::cmp::Ordering::Less => OpState::of::<E>(loc),
    };
    rw.replace_with(op, state.operands([value]).results([to]));
    Ok(())
}

struct CastS;

impl ConversionPattern for CastS {
    const NAME: &'static str = "index-casts-to-llvm";
    const ROOT: Option<&'static str> = Some(index::CastSOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        cast::<llvm::SExtOp<'_>>(op, operands, rw)
    }
}

struct CastU;

impl ConversionPattern for CastU {
    const NAME: &'static str = "index-castu-to-llvm";
    const ROOT: Option<&'static str> = Some(index::CastUOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        cast::<llvm::ZExtOp<'_>>(op, operands, rw)
    }
}

/// The predicate of LLVM of the same meaning.
fn llvm_predicate(predicate: index::IndexCmpPredicate) -> ICmpPredicate {
    use index::IndexCmpPredicate as From;
    match predicate {
        From::Eq => ICmpPredicate::Eq,
        From::Ne => ICmpPredicate::Ne,
        From::Slt => ICmpPredicate::Slt,
        From::Sle => ICmpPredicate::Sle,
        From::Sgt => ICmpPredicate::Sgt,
        From::Sge => ICmpPredicate::Sge,
        From::Ult => ICmpPredicate::Ult,
        From::Ule => ICmpPredicate::Ule,
        From::Ugt => ICmpPredicate::Ugt,
        From::Uge => ICmpPredicate::Uge,
    }
}

struct Cmp;

impl ConversionPattern for Cmp {
    const NAME: &'static str = "index-cmp-to-llvm";
    const ROOT: Option<&'static str> = Some(index::CmpOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = index::CmpOp::wrap(rw.op(op));
        let predicate = index::IndexCmpPredicate::from_attr(view.pred()).ok_or(NoMatch("no predicate"))?;
        let loc = view.0.loc();
        let value = compare(&mut Build::new(rw, loc), llvm_predicate(predicate), operands.one(0), operands.one(1));
        rw.replace(op, &[value]);
        Ok(())
    }
}

struct SizeOf;

impl ConversionPattern for SizeOf {
    const NAME: &'static str = "index-sizeof-to-llvm";
    const ROOT: Option<&'static str> = Some(index::SizeOfOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc) = (rw.cx(), rw.op(op).loc());
        let ty = rw.convert_type(cx.index_type())?;
        let bits = cx.ty(ty).int_width().ok_or(NoMatch("not an integer"))?;
        let value = Build::new(rw, loc).llvm_int(ty, i64::from(bits));
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// A constant keeps as many bits as an index has.
struct Constant;

impl ConversionPattern for Constant {
    const NAME: &'static str = "index-constant-to-llvm";
    const ROOT: Option<&'static str> = Some(index::ConstantOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc) = (rw.cx(), rw.op(op).loc());
        let value = rw.op(op).attr("value").and_then(AttrRef::as_int).ok_or(NoMatch("no value"))?;
        let ty = rw.convert_type(cx.index_type())?;
        let bits = cx.ty(ty).int_width().ok_or(NoMatch("not an integer"))?;
        let attr = cx.ap_int_attr(ty, ApInt::from_i64(64, value).sext_or_trunc(bits));
        let value = Build::new(rw, loc).value_with::<llvm::ConstantOp<'_>>(&[], ty, &[("value", attr)]);
        rw.replace(op, &[value]);
        Ok(())
    }
}

struct BoolConstant;

impl ConversionPattern for BoolConstant {
    const NAME: &'static str = "index-bool-constant-to-llvm";
    const ROOT: Option<&'static str> = Some(index::BoolConstantOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc) = (rw.cx(), rw.op(op).loc());
        let value = rw.op(op).attr("value").ok_or(NoMatch("no value"))?.id();
        let value = Build::new(rw, loc).value_with::<llvm::ConstantOp<'_>>(&[], cx.i1_type(), &[("value", value)]);
        rw.replace(op, &[value]);
        Ok(())
    }
}
