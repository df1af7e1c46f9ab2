//! Whole tiles apart from partial ones.

use dl_affine::compose::{compose, compose_set};
use dl_affine::{AffineIfOp, AffineYieldOp, ForBound};
use dl_ir::affine::{AffineExpr, Constraint};
use dl_ir::{AttrData, InsertPoint, Mapping, OpId, OpState, Rewriter, ValueId, ValueRef, clone_op};

use crate::loops::{self, ValueMap};

/// Makes a second nest for tiles that are whole, without minima in its bounds, and lets an `affine.if` choose between both. The loops are those in
/// tiles, as tiling leaves them: the first result of an upper bound is where a whole tile ends. Does nothing where all tiles are whole.
pub(crate) fn separate_full_tiles(rw: &mut Rewriter<'_>, nest: &[OpId]) {
    let affine = rw.cx().affine();
    let mut whole: Vec<(ForBound, ForBound)> = Vec::new();
    let mut conditions: Vec<ForBound> = Vec::new();
    for &op in nest {
        let each = loops::view(rw, op);
        let (Some(lower), Some(upper)) = (ValueMap::lower_bound(each), ValueMap::upper_bound(each)) else { return };
        if loops::step(each) != 1 {
            return;
        }
        let results = &affine.map(upper.map).results;
        let Some((&first, others)) = results.split_first() else { return };
        let only = ValueMap { map: affine.with_results(upper.map, [first]), operands: upper.operands.clone() };
        let (map, operands) = compose(each.0, only.map, only.operands.iter().copied());
        let end = ForBound { map, operands: operands.iter().map(|value| value.id()).collect() };
        let above: Vec<AffineExpr> = others.iter().map(|&bound| affine.sub(bound, first)).collect();
        if !above.is_empty() {
            conditions.push(ForBound { map: affine.with_results(upper.map, above), ..upper.to_bound() });
        }
        whole.push((lower.to_bound(), end));
    }
    if conditions.is_empty() {
        return;
    }
    let Some(&root) = nest.first() else { return };
    let guard = make_guard(rw, root, &conditions);
    let (then_end, else_end) = guard;
    rw.move_to(root, else_end);
    rw.set_insertion_point(Some(then_end));
    copy_nest(rw, nest, &whole);
}

/// Makes the `affine.if` before `root`; answers where its branches go on.
fn make_guard(rw: &mut Rewriter<'_>, root: OpId, conditions: &[ForBound]) -> (InsertPoint, InsertPoint) {
    let (cx, affine, loc) = (rw.cx(), rw.cx().affine(), rw.op(root).loc());
    let (mut dims, mut symbols): (Vec<ValueId>, Vec<ValueId>) = (Vec::new(), Vec::new());
    let mut constraints = Vec::new();
    for condition in conditions {
        let data = affine.map(condition.map);
        let (of_dims, of_symbols) = condition.operands.split_at(data.num_dims as usize);
        for &expr in &data.results {
            let expr = affine.shift_dims_in_expr(expr, dims.len() as u32, 0);
            let expr = affine.shift_symbols_in_expr(expr, symbols.len() as u32, 0);
            constraints.push(Constraint { expr, is_equality: false });
        }
        dims.extend(of_dims);
        symbols.extend(of_symbols);
    }
    let set = affine.intern_set(dims.len() as u32, symbols.len() as u32, constraints);
    let operands: Vec<ValueId> = dims.into_iter().chain(symbols).collect();
    let (set, operands) = compose_set(rw.op(root), set, operands.iter().map(|&value| rw.value(value)));
    let operands: Vec<ValueId> = operands.into_iter().map(ValueRef::id).collect();
    let mut branch = || {
        let region = rw.new_region();
        let block = rw.append_block(region, &[]);
        rw.set_insertion_to_end(block);
        let end = rw.create(OpState::of::<AffineYieldOp<'_>>(loc));
        (region, InsertPoint { block, before: Some(end) })
    };
    let ((then_region, then_end), (else_region, else_end)) = (branch(), branch());
    rw.set_insertion_before(root);
    let set = cx.intern_attr(AttrData::IntegerSet(set));
    let state = OpState::of::<AffineIfOp<'_>>(loc).operands(operands).attr(cx, "condition", set);
    rw.create(state.region(then_region).region(else_region));
    (then_end, else_end)
}

/// Copies the nest to the insertion point with these bounds.
fn copy_nest(rw: &mut Rewriter<'_>, nest: &[OpId], bounds: &[(ForBound, ForBound)]) {
    let mut mapping = Mapping::new();
    for (&op, (lower, upper)) in nest.iter().zip(bounds) {
        let loc = rw.op(op).loc();
        let moved = |bound: &ForBound| ForBound {
            map: bound.map,
            operands: bound.operands.iter().map(|&value| mapping.value(value)).collect(),
        };
        let (lower, upper) = (moved(lower), moved(upper));
        let copy = crate::build::empty_loop(rw, &lower, &upper, 1, loc);
        mapping.map(loops::variable(rw, op), loops::variable(rw, copy));
        let end = loops::terminator(rw, copy);
        rw.set_insertion_before(end);
    }
    let Some(&innermost) = nest.last() else { return };
    let (block, end) = (loops::body(rw, innermost), loops::terminator(rw, innermost));
    let inside: Vec<OpId> = rw.ir().block_ops(block).filter(|&op| op != end).collect();
    for op in inside {
        clone_op(rw, op, &mut mapping);
    }
}
