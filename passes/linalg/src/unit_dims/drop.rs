//! `linalg.generic` without loops of one step.

use dl_ir::affine::{AffineExpr, AffineMap, AffineStore};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, BlockId, OpId, OpState, Rewriter, ValueId};
use dl_linalg::{IndexOp, LinalgOp};

use super::reduce::{Reduced, Strategy, can_reduce, reduce, restore};
use crate::generic::{Generic, covers_all_loops};

/// The loops that are dropped and what becomes of the others.
struct Loops {
    unit: Vec<bool>,
    /// For each loop 0 where it is dropped, else its new dimension.
    replacements: Vec<AffineExpr>,
    left: u32,
}

fn unit_loops(affine: &AffineStore, nest: LinalgOp<'_>, maps: &[AffineMap]) -> Option<Loops> {
    let inverse = affine.inverse_permutation(affine.concat(maps))?;
    let extents: Vec<i64> = nest.op().operands().iter().flat_map(|v| v.ty().shape().unwrap_or(&[]).to_vec()).collect();
    let is_unit = |&expr: &AffineExpr| affine.dim_position(expr).and_then(|dim| extents.get(dim as usize)) == Some(&1);
    let unit: Vec<bool> = affine.map(inverse).results.iter().map(is_unit).collect();
    let mut left = 0;
    let replacements = unit
        .iter()
        .map(|&unit| {
            if unit {
                return affine.constant(0);
            }
            left += 1;
            affine.dim(left - 1)
        })
        .collect();
    Some(Loops { unit, replacements, left })
}

/// The shape of an operand without dimensions of extent 1 that are at 0 always, and its map.
fn reduced_operand(affine: &AffineStore, map: AffineMap, shape: &[i64], loops: &Loops) -> (Reduced, AffineMap) {
    let results = &affine.map(map).results;
    let replaced = |dim: usize| affine.replace_in_expr(results[dim], &loops.replacements, &[]);
    let reduced = Reduced::new(shape, |dim| shape[dim] == 1 && affine.constant_value(replaced(dim)) == Some(0));
    let kept: Vec<AffineExpr> = (0..shape.len())
        .filter(|&dim| !(shape[dim] == 1 && affine.constant_value(replaced(dim)) == Some(0)))
        .map(replaced)
        .collect();
    (reduced, affine.intern_map(loops.left, 0, kept))
}

/// Drops the loops of one step of `op`, and the dimensions of extent 1 of its operands that they index.
pub(super) fn drop_unit_loops(op: OpId, rw: &mut Rewriter<'_>, strategy: Strategy) -> Rewrite {
    let cx = rw.cx();
    let affine = cx.affine();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let old = Generic::of(view).ok_or(NoMatch("not general"))?;
    if old.maps.is_empty() || view.operands().iter().any(|v| v.ty().is_vector()) {
        return Err(NoMatch("no operands, or vectors among them"));
    }
    let loops = unit_loops(affine, nest, &old.maps).ok_or(NoMatch("no loops"))?;
    let of_operand = |(operand, &map): (dl_ir::ValueRef<'_>, &AffineMap)| {
        reduced_operand(affine, map, operand.ty().shape().unwrap_or(&[]), &loops)
    };
    let (reduced, maps): (Vec<Reduced>, Vec<AffineMap>) = view.operands().iter().zip(&old.maps).map(of_operand).unzip();
    if maps == old.maps || (loops.left > 0 && !covers_all_loops(cx, &maps)) {
        return Err(NoMatch("nothing to drop"));
    }
    let changes = |i: usize, value: dl_ir::ValueRef<'_>| reduced[i].shape.len() != value.ty().rank().unwrap_or(0);
    if view.operands().iter().enumerate().any(|(i, value)| changes(i, value) && !can_reduce(value.ty())) {
        return Err(NoMatch("encodings or layouts"));
    }
    let iterators: Vec<Attr> = nest
        .iterator_types()
        .into_iter()
        .zip(&loops.unit)
        .filter(|(_, unit)| !**unit)
        .map(|(iterator, _)| iterator.attr(cx))
        .collect();
    let region = view.region(0).id();
    rw.set_insertion_before(op);
    let operands: Vec<ValueId> = old.inputs.iter().chain(&old.inits).copied().collect();
    let operands: Vec<ValueId> =
        operands.into_iter().zip(&reduced).map(|(value, to)| reduce(rw, value, to, strategy, old.loc)).collect();
    let (inputs, inits) = operands.split_at(old.inputs.len());
    let results = inits.iter().take(old.results.len()).map(|&init| rw.value_type(init).id()).collect();
    let new = Generic {
        loc: old.loc,
        inputs: inputs.to_vec(),
        inits: inits.to_vec(),
        maps,
        iterators: Some(cx.array_attr(&iterators)),
        results,
    };
    let new = new.create_with_body_of(rw, region);
    let body = rw.op(new).region(0).entry().map(|block| block.id());
    if let Some(body) = body {
        renumber_indices(rw, body, &loops.unit);
    }
    rw.set_insertion_before(op);
    let mut values = Vec::with_capacity(old.results.len());
    for (i, &ty) in old.results.iter().enumerate() {
        let (value, dest) = (rw.ir().result(new, i), old.inits[i]);
        if rw.value_type(value).id() == ty {
            values.push(value);
            continue;
        }
        let groups = &reduced[old.inputs.len() + i].groups;
        let state = restore(rw, value, (dest, ty), groups, strategy, old.loc);
        values.push(rw.create_value(state));
    }
    rw.replace(op, &values);
    Ok(())
}

/// The index of a dropped loop is 0; the others have new numbers.
fn renumber_indices(rw: &mut Rewriter<'_>, body: BlockId, unit: &[bool]) {
    let cx = rw.cx();
    let indices: Vec<OpId> = rw.ir().block_ops(body).filter(|&op| rw.op(op).is::<IndexOp<'_>>()).collect();
    for op in indices {
        let view = rw.op(op);
        let Some(dim) = view.attr("dim").and_then(|dim| dim.as_int()).and_then(|dim| usize::try_from(dim).ok()) else {
            continue;
        };
        let before = unit.iter().take(dim).filter(|unit| **unit).count();
        let loc = view.loc();
        rw.set_insertion_before(op);
        if unit.get(dim) == Some(&true) {
            let zero = dl_arith::constant_index(rw, 0, loc);
            rw.replace(op, &[zero]);
        } else if before > 0 {
            let dim = cx.i64_attr((dim - before) as i64);
            let state = OpState::of::<IndexOp<'_>>(loc).attr(cx, "dim", dim).results([cx.index_type()]);
            rw.replace_with(op, state);
        }
    }
}
