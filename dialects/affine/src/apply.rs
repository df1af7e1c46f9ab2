//! Arithmetic on indices that are constants or values.

use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::interfaces::Index;
use dl_ir::{Loc, OpId, OpState, Rewriter, ValueId};

use crate::AffineApplyOp;
use crate::compose::compose;
use crate::scope::{affine_scope, is_valid_symbol};

/// The value of `expr`, whose dimensions are `inputs` in order: a constant, one of the inputs, or the result of an `affine.apply` at the
/// insertion point, in which those that compute the inputs are merged. `anchor` is an operation at that place, already there. `None` where a
/// constant result overflows or is undefined.
pub fn folded_apply(
    rw: &mut Rewriter<'_>,
    anchor: OpId,
    expr: AffineExpr,
    inputs: &[Index],
    loc: Loc,
) -> Option<Index> {
    let affine = rw.cx().affine();
    let mut values: Vec<ValueId> = Vec::new();
    let mut replacements = Vec::with_capacity(inputs.len());
    for &input in inputs {
        replacements.push(match input {
            Index::Static(constant) => affine.constant(constant),
            Index::Value(value) => {
                values.push(value);
                affine.dim(values.len() as u32 - 1)
            }
        });
    }
    let map = affine.intern_map(inputs.len() as u32, 0, [expr]);
    let map = affine.replace_dims_and_symbols(map, &replacements, &[], values.len() as u32, 0);
    folded_apply_of_map(rw, anchor, map, &values, loc)
}

/// The same with symbols for the inputs that may be some: in the order of `inputs`, then those of the `affine.apply` that are merged.
pub fn folded_apply_of_symbols(
    rw: &mut Rewriter<'_>,
    anchor: OpId,
    expr: AffineExpr,
    inputs: &[Index],
    loc: Loc,
) -> Option<Index> {
    let affine = rw.cx().affine();
    let scope = affine_scope(rw.op(anchor));
    let (mut dims, mut symbols): (Vec<ValueId>, Vec<ValueId>) = (Vec::new(), Vec::new());
    let mut replacements = Vec::with_capacity(inputs.len());
    for &input in inputs {
        replacements.push(match input {
            Index::Static(constant) => affine.constant(constant),
            Index::Value(value) if is_valid_symbol(rw.value(value), scope) => {
                symbols.push(value);
                affine.symbol(symbols.len() as u32 - 1)
            }
            Index::Value(value) => {
                dims.push(value);
                affine.dim(dims.len() as u32 - 1)
            }
        });
    }
    let map = affine.intern_map(inputs.len() as u32, 0, [expr]);
    let map = affine.replace_dims_and_symbols(map, &replacements, &[], dims.len() as u32, symbols.len() as u32);
    dims.append(&mut symbols);
    folded_apply_of_map(rw, anchor, map, &dims, loc)
}

/// The only result of `map` for these operands.
fn folded_apply_of_map(
    rw: &mut Rewriter<'_>,
    anchor: OpId,
    map: AffineMap,
    values: &[ValueId],
    loc: Loc,
) -> Option<Index> {
    let cx = rw.cx();
    let affine = cx.affine();
    let (map, operands) = compose(rw.op(anchor), map, values.iter().map(|&value| rw.value(value)));
    if operands.is_empty() {
        return affine.eval_map(map, &[], &[])?.first().copied().map(Index::Static);
    }
    let &[result] = &*affine.map(map).results else { return None };
    if let Some(constant) = affine.constant_value(result) {
        return Some(Index::Static(constant));
    }
    let only = affine.dim_position(result).or_else(|| affine.symbol_position(result));
    let operands: Vec<ValueId> = operands.iter().map(|value| value.id()).collect();
    if let (Some(0), [value]) = (only, &operands[..]) {
        return Some(Index::Value(*value));
    }
    let state = OpState::of::<AffineApplyOp<'_>>(loc).operands(operands).attr(cx, "map", cx.affine_map_attr(map));
    Some(Index::Value(rw.create_value(state.results([cx.index_type()]))))
}

/// The sum of two indices: see [`folded_apply`].
pub fn sum(rw: &mut Rewriter<'_>, anchor: OpId, a: Index, b: Index, loc: Loc) -> Option<Index> {
    let affine = rw.cx().affine();
    let expr = affine.add(affine.dim(0), affine.dim(1));
    folded_apply(rw, anchor, expr, &[a, b], loc)
}
