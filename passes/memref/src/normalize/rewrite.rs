//! Types and accesses of one function.

use dl_affine::apply::folded_apply;
use dl_affine::compose::canonical;
use dl_affine::{AffineLoadOp, AffinePrefetchOp, AffineStoreOp};
use dl_func::FuncOp;
use dl_ir::affine::AffineMap;
use dl_ir::interfaces::Index;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, AttrRef, Context, OpId, OpRef, OpView, Rewriter, Type, ValueId};
use dl_memref::{AllocOp, AllocaOp, LoadOp, ReinterpretCastOp, StoreOp};

use super::layout::Layouts;

/// Gives all buffers of a function their new types, and accesses their new indices. Answers whether there was something to do.
pub(super) fn function(cx: &Context, ir: &mut Arena, layouts: &mut Layouts<'_>) -> bool {
    let ops = ops_in_arena(ir, Arena::ROOT);
    let mut rw = Rewriter::new(cx, ir);
    let mut changed = false;
    // As long as types say which layout there was.
    for &op in &ops {
        if let Some((at, map)) = access(rw.op(op), layouts) {
            change_indices(&mut rw, op, at, map);
        }
    }
    for &op in &ops {
        let view = rw.op(op);
        let blocks = view.regions().flat_map(|region| region.blocks());
        let results: Vec<ValueId> = if view.is_root() { Vec::new() } else { rw.ir().results(op).collect() };
        let values: Vec<ValueId> = blocks.flat_map(|block| block.args()).map(|arg| arg.id()).chain(results).collect();
        let is_alloc = view.is::<AllocOp<'_>>() || view.is::<AllocaOp<'_>>();
        let is_cast = view.is::<ReinterpretCastOp<'_>>();
        for value in values {
            let Some(normal) = layouts.normal(rw.ir().value_type(value)) else { continue };
            changed = true;
            rw.set_value_type(value, normal.ty);
            if is_alloc {
                // Symbols of the layout.
                rw.set_operands(op, &[]);
                rw.set_attr(op, cx.ident("operandSegmentSizes"), cx.dense_i32_array(&[0, 0]));
            }
            if is_cast {
                let extents = cx.ty(normal.ty).shape().unwrap_or_default();
                for (name, numbers) in
                    [("static_offsets", &[0][..]), ("static_sizes", extents), ("static_strides", &[1])]
                {
                    rw.set_attr(op, cx.ident(name), cx.dense_i64_array(numbers));
                }
            }
        }
    }
    let function = FuncOp::wrap(rw.op(Arena::ROOT));
    let (old_inputs, old_results) = (function.inputs(), function.results());
    let mut converted = |types: &[Type]| types.iter().map(|&ty| layouts.converted(ty)).collect::<Vec<_>>();
    let (inputs, results) = (converted(old_inputs), converted(old_results));
    if inputs != old_inputs || results != old_results {
        changed = true;
        let ty = cx.function_type(&inputs, &results);
        rw.set_attr(Arena::ROOT, cx.ident("function_type"), cx.type_attr(ty));
    }
    changed
}

/// The number of the operand that is the buffer that `op` accesses by indices behind it, and what becomes of those.
fn access(op: OpRef<'_>, layouts: &mut Layouts<'_>) -> Option<(usize, AffineMap)> {
    let at = if op.is::<AffineStoreOp<'_>>() || op.is::<StoreOp<'_>>() {
        1
    } else if op.is::<AffineLoadOp<'_>>() || op.is::<AffinePrefetchOp<'_>>() || op.is::<LoadOp<'_>>() {
        0
    } else {
        return None;
    };
    Some((at, layouts.normal(op.operand(at).ty().id())?.map))
}

/// Applies `layout` to the indices behind operand `at` of `op`.
fn change_indices(rw: &mut Rewriter<'_>, op: OpId, at: usize, layout: AffineMap) {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let view = rw.op(op);
    let loc = view.loc();
    let kept: Vec<ValueId> = view.operands().iter().take(at + 1).map(|value| value.id()).collect();
    if let Some(map) = view.attr("map").and_then(AttrRef::as_affine_map) {
        let map = affine.compose(layout, map).expect("an index for each dimension");
        let (map, operands) = canonical(view, map, view.operands().iter().skip(at + 1));
        let operands: Vec<ValueId> = kept.into_iter().chain(operands.iter().map(|value| value.id())).collect();
        rw.set_operands(op, &operands);
        rw.set_attr(op, cx.ident("map"), cx.affine_map_attr(map));
        return;
    }
    let indices: Vec<Index> = view.operands().iter().skip(at + 1).map(|value| Index::Value(value.id())).collect();
    rw.set_insertion_before(op);
    let mut operands = kept;
    for &expr in &affine.map(layout).results {
        operands.push(match folded_apply(rw, op, expr, &indices, loc) {
            Some(Index::Value(value)) => value,
            Some(Index::Static(value)) => dl_arith::constant_index(rw, value, loc),
            // An index out of all bounds, which is never reached.
            None => dl_arith::constant_index(rw, 0, loc),
        });
    }
    rw.set_operands(op, &operands);
}
