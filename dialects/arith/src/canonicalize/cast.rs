//! Chains of conversions.

use dl_ir::number::float;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, Rewriter, ValueRef};

use super::converted::is_exact_conversion;
use super::{OTHER_OPERANDS, int_constant, operand_of, replace};
use crate::constants::uniform_int;
use crate::flags::overflow;
use crate::{
    BitcastOp, ExtFOp, ExtSIOp, ExtUIOp, IndexCastOp, IndexCastUIOp, MulIOp, MulSIExtendedOp, MulUIExtendedOp,
    SIToFPOp, ShRSIOp, ShRUIOp, TruncFOp, TruncIOp, UIToFPOp,
};

/// Bits of an element of a value.
fn width(value: ValueRef<'_>) -> Option<u32> {
    value.ty().element_or_self().int_or_float_width()
}

/// `ext(ext(x)) = ext(x)`, for extensions of one kind.
fn extend_twice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let inner = view.operand(0).defining_op().filter(|d| d.name_id() == view.name_id()).ok_or(OTHER_OPERANDS)?;
    let x = inner.operand(0).id();
    rw.set_operand(op, 0, x);
    Ok(())
}

/// `extsi(extui(x)) = extui(x)`: what has been extended with zeros is not negative.
fn signed_of_unsigned(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let x = operand_of::<ExtUIOp<'_>>(rw.op(op).operand(0)).ok_or(OTHER_OPERANDS)?.id();
    replace::<ExtUIOp<'_>>(rw, op, &[x]);
    Ok(())
}

/// The operation that extends the operand of `op`.
fn extension(op: OpRef<'_>) -> Option<OpRef<'_>> {
    op.operand(0).defining_op().filter(|d| d.is::<ExtUIOp<'_>>() || d.is::<ExtSIOp<'_>>())
}

/// `trunc(ext(x))` is `trunc(x)` where `x` is wider than the result.
fn truncate_extended(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let x = extension(view).ok_or(OTHER_OPERANDS)?.operand(0);
    if width(x) <= width(view.result(0)) {
        return Err(NoMatch("the source is not wider than the result"));
    }
    let x = x.id();
    rw.set_operand(op, 0, x);
    Ok(())
}

/// `trunc(ext(x))` is `ext(x)` where `x` is narrower than the result.
fn truncate_to_extension(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let ext = extension(view).ok_or(OTHER_OPERANDS)?;
    let x = ext.operand(0);
    if width(x) >= width(view.result(0)) {
        return Err(NoMatch("the source is not narrower than the result"));
    }
    let (signed, x) = (ext.is::<ExtSIOp<'_>>(), x.id());
    if signed {
        replace::<ExtSIOp<'_>>(rw, op, &[x]);
    } else {
        replace::<ExtUIOp<'_>>(rw, op, &[x]);
    }
    Ok(())
}

/// `trunc(trunc(x)) = trunc(x)`. What the outer one says of overflow is of what the inner one leaves: flags that both have stay.
fn truncate_twice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, view) = (rw.cx(), rw.op(op));
    let inner = view.operand(0).def::<TruncIOp<'_>>().ok_or(OTHER_OPERANDS)?;
    let x = inner.0.operand(0).id();
    let flags = overflow(view).intersection(overflow(inner.0)).attr(cx);
    rw.set_operand(op, 0, x);
    rw.set_attr(op, cx.ident("overflowFlags"), flags);
    Ok(())
}

/// `trunc(shrsi(x, c)) = trunc(shrui(x, c))` where the high bits of `x` are the result: no copy of the sign reaches it.
fn truncate_shifted(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let shift = view.operand(0).def::<ShRSIOp<'_>>().ok_or(OTHER_OPERANDS)?;
    let amount = int_constant(shift.rhs()).and_then(|c| uniform_int(rw.cx(), c)).ok_or(OTHER_OPERANDS)?;
    let (from, to) = width(shift.lhs()).zip(width(view.result(0))).ok_or(OTHER_OPERANDS)?;
    if amount.to_u64() != Some(u64::from(from - to)) {
        return Err(NoMatch("the result is not the high bits"));
    }
    let (cx, loc, ty) = (rw.cx(), shift.0.loc(), shift.lhs().ty().id());
    let exact = shift.0.attr("isExact").map(|exact| exact.id());
    let logical = dl_ir::OpState::of::<ShRUIOp<'_>>(loc).operands([shift.lhs().id(), shift.rhs().id()]);
    rw.set_insertion_before(op);
    let logical = rw.create_value(logical.maybe_attr(cx, "isExact", exact).results([ty]));
    replace::<TruncIOp<'_>>(rw, op, &[logical]);
    Ok(())
}

/// The high half of a product computed in twice the width: `trunc(shrui(ext(a) * ext(b), width))`.
fn high_half(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let shift = view.operand(0).def::<ShRUIOp<'_>>().ok_or(OTHER_OPERANDS)?;
    let amount = int_constant(shift.rhs()).and_then(|c| uniform_int(rw.cx(), c)).ok_or(OTHER_OPERANDS)?;
    let product = shift.lhs().def::<MulIOp<'_>>().ok_or(OTHER_OPERANDS)?;
    let (a, b) = (product.lhs(), product.rhs());
    let both = |signed: bool| {
        let source = |value: ValueRef<'_>| {
            let ext = value.defining_op()?;
            let fits = if signed { ext.is::<ExtSIOp<'_>>() } else { ext.is::<ExtUIOp<'_>>() };
            let source = fits.then(|| ext.operand(0))?;
            (source.ty() == view.result(0).ty()).then(|| source.id())
        };
        source(a).zip(source(b))
    };
    let (signed, (a, b)) =
        both(true).map(|ab| (true, ab)).or_else(|| both(false).map(|ab| (false, ab))).ok_or(OTHER_OPERANDS)?;
    let bits = width(view.result(0)).ok_or(OTHER_OPERANDS)?;
    if amount.to_u64() != Some(bits.into()) {
        return Err(NoMatch("the shift does not take the high half"));
    }
    let (ty, loc) = (view.result(0).ty().id(), view.loc());
    rw.set_insertion_before(op);
    let state = if signed {
        dl_ir::OpState::of::<MulSIExtendedOp<'_>>(loc)
    } else {
        dl_ir::OpState::of::<MulUIExtendedOp<'_>>(loc)
    };
    let halves = rw.create(state.operands([a, b]).results([ty, ty]));
    let high = rw.op(halves).result(1).id();
    rw.replace(op, &[high]);
    Ok(())
}

/// `truncf(tofp(x)) = tofp(x)` for conversions from integers that are exact in the wider format: otherwise it would round once instead
/// of twice. The result is rounded to nearest, so that no other mode may be asked for.
fn truncate_converted(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let convert = view.operand(0).defining_op().ok_or(OTHER_OPERANDS)?;
    let signed = convert.is::<SIToFPOp<'_>>();
    if !signed && !convert.is::<UIToFPOp<'_>>() {
        return Err(OTHER_OPERANDS);
    }
    if view.attr("roundingmode").is_some() || !is_exact_conversion(convert, signed) {
        return Err(NoMatch("a rounding mode is given, or the conversion rounds"));
    }
    let x = convert.operand(0).id();
    if signed {
        replace::<SIToFPOp<'_>>(rw, op, &[x]);
    } else {
        replace::<UIToFPOp<'_>>(rw, op, &[x]);
    }
    Ok(())
}

/// `truncf(extf(x)) = truncf(x)` where `x` is wider than the result and the wider format has all its values.
fn truncate_extended_float(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let wide = view.operand(0);
    let x = operand_of::<ExtFOp<'_>>(wide).ok_or(OTHER_OPERANDS)?;
    let kind = |value: ValueRef<'_>| value.ty().element_or_self().float_kind();
    let included = kind(x).zip(kind(wide)).is_some_and(|(x, wide)| float::is_included(x, wide));
    if width(x) <= width(view.result(0)) || !included {
        return Err(NoMatch("the source is not wider than the result, or the extension is not exact"));
    }
    let x = x.id();
    rw.set_operand(op, 0, x);
    Ok(())
}

/// `cast(cast(x)) = x`, back to the type of `x`.
fn index_cast_back(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let inner = view.operand(0).defining_op().filter(|d| d.name_id() == view.name_id()).ok_or(OTHER_OPERANDS)?;
    let x = inner.operand(0);
    if x.ty() != view.result(0).ty() {
        return Err(NoMatch("the types differ"));
    }
    // `index` has 64 bits.
    let bits = |value: ValueRef<'_>| value.ty().element_or_self().storage_bits();
    if bits(inner.result(0)) < bits(x) {
        return Err(NoMatch("bits are lost on the way"));
    }
    let x = x.id();
    rw.replace(op, &[x]);
    Ok(())
}

/// `cast(ext(x)) = cast(x)`, with an extension of the same kind.
fn index_cast_extended(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let unsigned = view.is::<IndexCastUIOp<'_>>();
    let operand = view.operand(0);
    let x = if unsigned { operand_of::<ExtUIOp<'_>>(operand) } else { operand_of::<ExtSIOp<'_>>(operand) };
    let x = x.ok_or(OTHER_OPERANDS)?.id();
    rw.set_operand(op, 0, x);
    Ok(())
}

/// `bitcast(bitcast(x)) = bitcast(x)`, or `x` back in its type.
fn bitcast_twice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let x = operand_of::<BitcastOp<'_>>(view.operand(0)).ok_or(OTHER_OPERANDS)?;
    let (same, x) = (x.ty() == view.result(0).ty(), x.id());
    if same {
        rw.replace(op, &[x]);
    } else {
        rw.set_operand(op, 0, x);
    }
    Ok(())
}

pub(crate) fn extui(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-extend-twice", ExtUIOp::NAME, extend_twice);
}

pub(crate) fn extsi(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-extend-twice", ExtSIOp::NAME, extend_twice).add_local_fn(
        "arith-signed-of-unsigned",
        ExtSIOp::NAME,
        signed_of_unsigned,
    );
}

pub(crate) fn trunci(patterns: &mut Patterns) {
    let root = TruncIOp::NAME;
    patterns
        .add_local_fn("arith-truncate-extended", root, truncate_extended)
        .add_local_fn("arith-truncate-to-extension", root, truncate_to_extension)
        .add_local_fn("arith-truncate-twice", root, truncate_twice)
        .add_local_fn("arith-truncate-shifted", root, truncate_shifted)
        .add_fn("arith-high-half", Some(root), high_half);
}

pub(crate) fn truncf(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-truncate-converted", TruncFOp::NAME, truncate_converted).add_local_fn(
        "arith-truncate-extended-float",
        TruncFOp::NAME,
        truncate_extended_float,
    );
}

pub(crate) fn index_cast(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-index-cast-back", IndexCastOp::NAME, index_cast_back).add_local_fn(
        "arith-index-cast-extended",
        IndexCastOp::NAME,
        index_cast_extended,
    );
}

pub(crate) fn index_castui(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-index-cast-back", IndexCastUIOp::NAME, index_cast_back).add_local_fn(
        "arith-index-cast-extended",
        IndexCastUIOp::NAME,
        index_cast_extended,
    );
}

pub(crate) fn bitcast(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-bitcast-twice", BitcastOp::NAME, bitcast_twice);
}
