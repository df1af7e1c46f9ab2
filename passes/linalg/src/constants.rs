//! Inputs of a `linalg.generic` that have one value everywhere go into its body.

use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, Mapping, OpId, OpState, Rewriter, ValueId, ValueRef, clone_op};
use dl_linalg::{FillOp, LinalgOp, YieldOp};

use super::generic::{Generic, covers_all_loops};

/// The body reads the value that an input was filled with instead of the input. Only where it has the element type already.
pub(super) fn fold_fill(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    if !has_pure_tensor_semantics(view) {
        return Err(NoMatch("not on tensors"));
    }
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let mut found: Vec<(ValueId, ValueId)> = Vec::new();
    for (i, input) in nest.inputs().enumerate().filter(|&(i, _)| nest.reads_operand(i)) {
        let Some(fill) = input.def::<FillOp<'_>>() else { continue };
        let value = fill.inputs().single();
        if Some(value.ty()) == input.ty().element_type() {
            found.push((body.arg(i).id(), value.id()));
        }
    }
    if found.is_empty() {
        return Err(NoMatch("no input is filled with one value"));
    }
    for (arg, value) in found {
        rw.replace_all_uses(arg, value);
    }
    rw.notify_modified(op);
    Ok(())
}

/// The number that `value` is: a constant scalar, or the element of a constant splat.
fn number(value: ValueRef<'_>) -> Option<Attr> {
    let constant = value.constant()?;
    if constant.is_integer() || constant.is_float() {
        return Some(constant.id());
    }
    constant.splat_value().map(|value| value.id())
}

/// A constant input is dropped; the body uses a constant of its own.
pub(super) fn fold_constant(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let old = Generic::of(view).ok_or(NoMatch("not generic"))?;
    let body = LinalgOp::of(view).and_then(LinalgOp::body).ok_or(NoMatch("no body"))?.id();
    if !has_pure_tensor_semantics(view) {
        return Err(NoMatch("not on tensors"));
    }
    for (i, &input) in old.inputs.iter().enumerate() {
        let Some(value) = number(rw.value(input)) else { continue };
        let loc = rw.value(input).loc();
        let mut new = old.clone();
        new.inputs.remove(i);
        new.maps.remove(i);
        if !covers_all_loops(cx, &new.maps) {
            return Err(NoMatch("no other operand says how far a loop runs"));
        }
        rw.set_insertion_before(op);
        let scalar = dl_arith::constant(rw, value, loc);
        let (replacement, block) = new.create(rw);
        let mut args = rw.ir().block_args(body).to_vec();
        let mut mapping = Mapping::new();
        mapping.map(args.remove(i), scalar);
        for (old, new) in args.into_iter().zip(rw.ir().block_args(block).to_vec()) {
            mapping.map(old, new);
        }
        copy_whole_body(rw, body, block, &mut mapping);
        let results: Vec<ValueId> = rw.ir().results(replacement).collect();
        rw.replace(op, &results);
        return Ok(());
    }
    Err(NoMatch("no input is constant"))
}

/// Copies all operations of `from`, the terminator included, to the end of `to`.
fn copy_whole_body(rw: &mut Rewriter<'_>, from: dl_ir::BlockId, to: dl_ir::BlockId, mapping: &mut Mapping) {
    let ops: Vec<OpId> = rw.ir().block_ops(from).collect();
    for op in ops {
        rw.set_insertion_to_end(to);
        if rw.op(op).is::<YieldOp<'_>>() {
            let values: Vec<ValueId> = rw.ir().operands(op).map(|value| mapping.value(value)).collect();
            let loc = rw.op(op).loc();
            rw.create(OpState::of::<YieldOp<'_>>(loc).operands(values));
        } else {
            clone_op(rw, op, mapping);
        }
    }
}
