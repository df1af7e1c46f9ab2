//! Structured operations: the extents of all operands agree with the ranges of the loops.

use dl_affine::apply::folded_apply;
use dl_index::{AddOp, CmpOp, IndexCmpPredicate, MaxSOp, MinSOp, SubOp};
use dl_ir::interfaces::Index;
use dl_ir::rewrite::create_or_fold;
use dl_ir::{OpDefinition, OpId, OpState, ValueId};
use dl_linalg::LinalgOp;
use dl_scf::{IfOp, YieldOp};

use crate::Checks;

/// Checks of a structured operation, where all its loops run: the least index of each dimension is not negative, and the greatest one is the last of
/// the dimension, or before it where the map is a formula.
pub(crate) fn check(op: OpId, checks: &mut Checks<'_, '_>) {
    let cx = checks.cx();
    let (affine, loc) = (cx.affine(), checks.loc);
    let Some(linalg) = LinalgOp::of(checks.op(op)) else { return };
    let (maps, ranges) = (linalg.indexing_maps(), linalg.loops_to_dims());
    let operands: Vec<ValueId> = checks.ir().operands(op).take(maps.len()).collect();
    let Some(ranges) = ranges.into_iter().collect::<Option<Vec<_>>>() else { return };
    if ranges.is_empty() {
        return;
    }
    let extents: Vec<ValueId> = ranges.iter().map(|&(operand, dim)| checks.dim(operands[operand], dim)).collect();
    let (zero, one) = (checks.constant_index(0), checks.constant_index(1));
    let mut all = None;
    for &extent in &extents {
        let runs = compare(checks, IndexCmpPredicate::Slt, zero, extent);
        all = Some(all.map_or(runs, |all| checks.and(all, runs)));
    }
    let Some(all) = all else { return };
    let is_static =
        checks.op(op).operands().iter().all(|value| value.ty().shape().is_none_or(|_| value.ty().has_static_shape()));
    let point = checks.insertion_point();
    let guarded = if is_static {
        None
    } else {
        let region = checks.new_region();
        let block = checks.append_block(region, &[]);
        let no = checks.new_region();
        let made = checks.create(OpState::of::<IfOp<'_>>(loc).operands([all]).region(region).region(no));
        checks.set_insertion_to_end(block);
        Some((made, block))
    };
    let last: Vec<Index> = extents.iter().map(|&extent| Index::Value(fold::<SubOp<'_>>(checks, extent, one))).collect();
    let first = vec![Index::Static(0); last.len()];
    for (number, (&operand, &map)) in operands.iter().zip(&maps).enumerate() {
        let results = affine.map(map).results.clone();
        for (dim, &expr) in results.iter().enumerate() {
            let anchor = guarded.map_or(op, |(made, _)| made);
            let mut value = |at: &[Index]| folded_apply(checks, anchor, expr, at, loc);
            let Some((low, high)) = value(&first).zip(value(&last)) else { continue };
            let (low, high) = (checks.index(low), checks.index(high));
            let least = fold::<MinSOp<'_>>(checks, high, low);
            let is_in = compare(checks, IndexCmpPredicate::Sge, least, zero);
            let what = format!("unexpected negative result on dimension #{dim} of input/output operand #{number}");
            checks.require(is_in, &what);
            let greatest = fold::<MaxSOp<'_>>(checks, high, low);
            let needed = fold::<AddOp<'_>>(checks, greatest, one);
            let extent = checks.dim(operand, dim);
            let is_plain = affine.dim_position(expr).is_some();
            let predicate = if is_plain { IndexCmpPredicate::Eq } else { IndexCmpPredicate::Sle };
            let fits = compare(checks, predicate, needed, extent);
            let what = format!(
                "dimension #{dim} of input/output operand #{number} is incompatible with inferred dimension size"
            );
            checks.require(fits, &what);
        }
    }
    if guarded.is_some() {
        checks.create(OpState::of::<YieldOp<'_>>(loc));
    }
    checks.set_insertion_point(point);
}

fn fold<T: OpDefinition>(checks: &mut Checks<'_, '_>, a: ValueId, b: ValueId) -> ValueId {
    let (cx, loc) = (checks.cx(), checks.loc);
    create_or_fold(checks, OpState::of::<T>(loc).operands([a, b]).results([cx.index_type()]))[0]
}

fn compare(checks: &mut Checks<'_, '_>, predicate: IndexCmpPredicate, a: ValueId, b: ValueId) -> ValueId {
    let (cx, loc) = (checks.cx(), checks.loc);
    let state = OpState::of::<CmpOp<'_>>(loc).operands([a, b]).attr(cx, "pred", predicate.attr(cx));
    create_or_fold(checks, state.results([cx.i1_type()]))[0]
}
