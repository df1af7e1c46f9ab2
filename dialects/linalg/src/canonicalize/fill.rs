//! What reads a filled tensor, or moves its elements, need not look at it.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};

use crate::named::Body;
use crate::{CopyOp, FillOp, PackOp, TransposeOp, TypeFn, build_body};

/// Value and init of the `fill` that made a tensor.
pub(super) fn filled(value: ValueRef<'_>) -> Result<(ValueRef<'_>, ValueRef<'_>), NoMatch> {
    let fill = value.def::<FillOp<'_>>().ok_or(NoMatch("the tensor is not filled"))?;
    match (fill.inputs().get(0), fill.outputs().get(0)) {
        (Some(value), Some(init)) if !value.ty().is_shaped() => Ok((value, init)),
        _ => Err(NoMatch("the fill has no scalar value")),
    }
}

/// Replaces `op` by a `fill` of `init`, made before it.
fn replace_by_fill(rw: &mut Rewriter<'_>, op: OpId, value: ValueId, init: ValueId) {
    let loc = rw.op(op).loc();
    let state = fill_state(rw, value, init, loc);
    rw.replace_with(op, state);
}

/// The parts of `linalg.fill ins(value) outs(init)` on tensors, its body included.
pub(super) fn fill_state(rw: &mut Rewriter<'_>, value: ValueId, init: ValueId, loc: dl_ir::Loc) -> OpState {
    let cx = rw.cx();
    let ty = rw.value_type(init);
    let args: [Type; 2] = [rw.value_type(value).id(), ty.element_or_self().id()];
    let region = rw.new_region();
    build_body(rw, region, &args, Body::Fill, TypeFn::CastSigned, loc).expect("a fill takes any element type");
    OpState::of::<FillOp<'_>>(loc)
        .operands([value, init])
        .operand_segments(cx, &[1, 1])
        .results([ty.id()])
        .region(region)
}

/// An element of a filled tensor is the value.
fn extract_of_fill(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (value, _) = filled(view.operand(0))?;
    if value.ty() != view.result(0).ty() {
        return Err(NoMatch("the value is converted"));
    }
    let value = value.id();
    rw.replace(op, &[value]);
    Ok(())
}

/// A reshape of a filled tensor is a filled reshape of what was filled.
fn reshape_of_fill(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (value, init) = filled(view.operand(0))?;
    let (value, init) = (value.id(), init.id());
    let state = with_operand(view, init);
    rw.set_insertion_before(op);
    let reshaped = rw.create_value(state);
    replace_by_fill(rw, op, value, reshaped);
    Ok(())
}

/// The parts of `op` with another first operand.
fn with_operand(op: OpRef<'_>, first: ValueId) -> OpState {
    OpState::new(op.name_id(), op.loc())
        .operands([first])
        .operands(op.operands().iter().skip(1).map(|v| v.id()))
        .attrs(op.attrs().map(|(name, attr)| (name, attr.id())))
        .results(op.results().types())
}

/// A filled tensor, its dimensions permuted, is filled.
fn transpose_of_fill(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = TransposeOp(rw.op(op));
    let (value, _) = filled(view.input())?;
    if view.0.num_results() != 1 {
        return Err(NoMatch("on buffers"));
    }
    let (value, init) = (value.id(), view.init().id());
    replace_by_fill(rw, op, value, init);
    Ok(())
}

/// A copy of a filled tensor is filled; what a tensor was filled with before it is copied to does not matter.
fn copy_of_fill(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let copy = CopyOp(rw.op(op));
    let (Some(input), Some(output)) = (copy.inputs().get(0), copy.outputs().get(0)) else {
        return Err(NoMatch("no operands"));
    };
    if copy.0.num_results() != 1 {
        return Err(NoMatch("on buffers"));
    }
    if let Ok((value, _)) = filled(input) {
        let same_type = input.ty().element_type() == output.ty().element_type();
        let (value, output) = (value.id(), output.id());
        if !same_type {
            return Err(NoMatch("the value is converted"));
        }
        replace_by_fill(rw, op, value, output);
        return Ok(());
    }
    let (_, init) = filled(output)?;
    if init.ty() != output.ty() {
        return Err(NoMatch("of another type"));
    }
    let (init, at) = (init.id(), copy.outputs().start());
    rw.set_operand(op, at, init);
    Ok(())
}

/// A filled tensor, packed with a padding of the same value or none, is filled.
fn pack_of_fill(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let pack = PackOp(rw.op(op));
    let (value, _) = filled(pack.source())?;
    let same = pack.padding_value().is_none_or(|padding| is_same(padding, value));
    if !same || pack.source().ty().element_type() != Some(value.ty()) {
        return Err(NoMatch("another padding, or the value is converted"));
    }
    let (value, dest) = (value.id(), pack.dest().id());
    replace_by_fill(rw, op, value, dest);
    Ok(())
}

/// Whether two values are one, or equal constants.
fn is_same(a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
    a == b || a.constant().is_some_and(|constant| Some(constant) == b.constant())
}

/// Filled tensors of one value, joined, are what they were before, joined and then filled.
fn concat_of_fills(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let concat = rw.op(op);
    let (value, _) = filled(concat.operands().get(0).ok_or(NoMatch("nothing is joined"))?)?;
    let mut inits = Vec::new();
    for operand in concat.operands().iter() {
        let (other, init) = filled(operand)?;
        if !is_same(other, value) || other.ty() != value.ty() || init.ty() != operand.ty() {
            return Err(NoMatch("filled with another value"));
        }
        inits.push(init.id());
    }
    let state = OpState::new(concat.name_id(), concat.loc())
        .operands(inits)
        .attrs(concat.attrs().map(|(name, attr)| (name, attr.id())))
        .results(concat.results().types());
    let value = value.id();
    let joined = rw.create_value(state);
    replace_by_fill(rw, op, value, joined);
    Ok(())
}

/// Adds the patterns for what reads a filled tensor or moves its elements.
pub fn add_fill_patterns(patterns: &mut Patterns) {
    super::pad::pads(patterns);
    patterns
        .add_fn("linalg-extract-of-fill", Some("tensor.extract"), extract_of_fill)
        .add_fn("linalg-reshape-of-fill", Some("tensor.collapse_shape"), reshape_of_fill)
        .add_fn("linalg-reshape-of-fill", Some("tensor.expand_shape"), reshape_of_fill)
        .add_fn("linalg-concat-of-fills", Some("tensor.concat"), concat_of_fills)
        .add_fn("linalg-copy-of-fill", Some(CopyOp::NAME), copy_of_fill)
        .add_fn("linalg-pack-of-fill", Some(PackOp::NAME), pack_of_fill)
        .add_fn("linalg-transpose-of-fill", Some(TransposeOp::NAME), transpose_of_fill);
}
