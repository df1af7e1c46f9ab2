//! Which functions can have buffers of other shapes.

use std::collections::{BTreeMap, BTreeSet};

use dl_affine::scope::{affine_scope, is_valid_dim};
use dl_affine::{AffineLoadOp, AffinePrefetchOp, AffineStoreOp};
use dl_func::{CallOp, FuncOp};
use dl_ir::walk::pre_order;
use dl_ir::{AttrRef, OpRef, Type};
use dl_memref::{AllocOp, AllocaOp, DimOp, LoadOp, ReinterpretCastOp, StoreOp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::layout::Layouts;

/// What is asked of a function.
pub(super) struct Function<'a> {
    /// The functions that it calls.
    calls: Vec<&'a str>,
    /// Whether its type changes.
    has_other_type: bool,
    /// Whether all operations in it can take buffers of other shapes.
    is_legal: bool,
}

impl<'a> Function<'a> {
    pub(super) fn of(function: FuncOp<'a>, layouts: &mut Layouts<'_>) -> Self {
        let mut changes = |ty: &Type| layouts.normal(*ty).is_some();
        let has_other_type = function.inputs().iter().chain(function.results()).any(&mut changes);
        let (mut calls, mut is_legal) = (Vec::new(), true);
        for op in pre_order(function.0) {
            if op.is::<CallOp<'_>>() {
                calls.extend(callee(op));
            }
            let args = op.body().regions().flat_map(|region| region.blocks()).flat_map(|block| block.args());
            let mut values = op.operands().iter().chain(op.results().iter()).chain(args);
            let is_concerned = values.any(|value| layouts.normal(value.ty().id()).is_some());
            let is_here = std::ptr::eq(op.arena(), function.0.arena());
            is_legal &= !is_concerned || is_here && (op.is_root() || can_take_any_shape(op, layouts));
        }
        Self { calls, has_other_type, is_legal }
    }
}

/// The symbol that a call names.
fn callee(op: OpRef<'_>) -> Option<&str> {
    op.attr("callee").and_then(AttrRef::as_flat_symbol)
}

/// Whether `op` means the same where its buffers have other shapes and no layouts, once its indices have been changed.
fn can_take_any_shape(op: OpRef<'_>, layouts: &mut Layouts<'_>) -> bool {
    if op.is::<AllocOp<'_>>()
        || op.is::<AllocaOp<'_>>()
        || op.is::<AffineLoadOp<'_>>()
        || op.is::<AffineStoreOp<'_>>()
        || op.is::<AffinePrefetchOp<'_>>()
    {
        return true;
    }
    if op.is::<LoadOp<'_>>() || op.is::<StoreOp<'_>>() {
        let scope = affine_scope(op);
        return op.operands().iter().filter(|value| value.ty().is_index()).all(|index| is_valid_dim(index, scope));
    }
    if op.is::<ReinterpretCastOp<'_>>() {
        // What it makes begins at the same element as the buffer, and is in one row.
        let normal = layouts.normal(op.result(0).ty().id());
        return normal.is_none_or(|normal| op.cx().affine().map(normal.map).results.len() == 1);
    }
    // Vectors are rows of the old shape, and so are extents.
    let depends_on_shape =
        op.is::<DimOp<'_>>() || op.name().starts_with("affine.vector_") || op.name().starts_with("affine.dma_");
    !depends_on_shape && op.names_interface("MemRefsNormalizable")
}

/// The functions that stay as they are: those that are not legal, those whose type changes and whose name is among `used`, and those that hand
/// buffers to or get buffers from others that stay.
pub(super) fn fixed<'a>(functions: &BTreeMap<&'a str, Function<'a>>, used: &BTreeSet<&'a str>) -> FxHashSet<&'a str> {
    let mut tied: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    let (mut fixed, mut pending) = (FxHashSet::default(), Vec::new());
    for (&name, function) in functions {
        for &callee in &function.calls {
            if functions.get(callee).is_some_and(|callee| callee.has_other_type) {
                tied.entry(name).or_default().push(callee);
                tied.entry(callee).or_default().push(name);
            }
        }
        if !function.is_legal || function.has_other_type && used.contains(name) {
            pending.push(name);
        }
    }
    while let Some(name) = pending.pop() {
        if fixed.insert(name) {
            pending.extend(tied.get(name).into_iter().flatten());
        }
    }
    fixed
}
