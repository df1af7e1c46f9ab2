//! Canonicalization patterns.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter, ValueId};

use crate::fold::{Extracted, extract};
use crate::{AddrSpaceCastOp, BitcastOp, ExtractValueOp, GEP_DYNAMIC_INDEX, GEPOp};

/// A value is extracted from where it comes from: past insertions elsewhere and out of nested aggregates at once. What was inserted around
/// it stays the container, as upstream leaves it.
fn extract_from_source(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ExtractValueOp::wrap(rw.op(op));
    let Some(Extracted { container, position }) = extract(view, false) else {
        return Err(NoMatch("the container is neither extracted nor inserted into elsewhere"));
    };
    let (cx, container) = (rw.cx(), container.id());
    rw.set_operand(op, 0, container);
    rw.set_attr(op, cx.ident("position"), cx.dense_i64_array(&position));
    Ok(())
}

/// The indices that are constants which 32 bits hold, with [`GEP_DYNAMIC_INDEX`] in the places of the others; and those.
fn divide_indices(view: GEPOp<'_>) -> (Vec<i32>, Vec<ValueId>) {
    let mut dynamic = view.dynamic_indices().iter();
    let (mut constants, mut values) = (Vec::new(), Vec::new());
    for index in view.raw_constant_indices().dense_ints() {
        let operand = if index == i64::from(GEP_DYNAMIC_INDEX) { dynamic.next() } else { None };
        let index = match operand {
            Some(value) => value.constant().and_then(dl_ir::AttrRef::as_int),
            None => Some(index),
        };
        let small = index.and_then(|index| i32::try_from(index).ok()).filter(|&index| index != GEP_DYNAMIC_INDEX);
        if small.is_none() {
            values.extend(operand.map(|value| value.id()));
        }
        constants.push(small.unwrap_or(GEP_DYNAMIC_INDEX));
    }
    (constants, values)
}

/// Indices that are constants become part of the operation, where 32 bits hold them.
fn fold_indices(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = GEPOp::wrap(rw.op(op));
    let (constants, mut operands) = divide_indices(view);
    if operands.len() == view.dynamic_indices().len() {
        return Err(NoMatch("no index is a small constant"));
    }
    operands.insert(0, view.base().id());
    let cx = rw.cx();
    rw.set_operands(op, &operands);
    rw.set_attr(op, cx.ident("rawConstantIndices"), cx.dense_i32_array(&constants));
    Ok(())
}

/// A cast of a cast of the same kind is one cast.
fn merge_casts(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let inner = view.operand(0).defining_op().filter(|inner| inner.name_id() == view.name_id());
    let source = inner.ok_or(NoMatch("the operand is no such cast"))?.operand(0).id();
    rw.set_operand(op, 0, source);
    Ok(())
}

pub(crate) fn extract_value(patterns: &mut Patterns) {
    patterns.add_fn("llvm-extract-from-source", Some(ExtractValueOp::NAME), extract_from_source);
}

pub(crate) fn gep(patterns: &mut Patterns) {
    patterns.add_fn("llvm-gep-fold-indices", Some(GEPOp::NAME), fold_indices);
}

pub(crate) fn bitcast(patterns: &mut Patterns) {
    patterns.add_fn("llvm-merge-casts", Some(BitcastOp::NAME), merge_casts);
}

pub(crate) fn addr_space_cast(patterns: &mut Patterns) {
    patterns.add_fn("llvm-merge-casts", Some(AddrSpaceCastOp::NAME), merge_casts);
}
