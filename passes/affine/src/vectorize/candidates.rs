//! Nests of loops that may be vectorized together.

use dl_affine::{AffineForOp, AffineLoadOp, AffineStoreOp};
use dl_ir::affine::{AffineExpr, AffineExprData, AffineOp};
use dl_ir::walk::{ops_in_arena, ops_in_arena_post_order};
use dl_ir::{Arena, OpId, OpRef, Rewriter};
use rustc_hash::FxHashMap;

use super::is_inside;
use crate::access::Access;
use crate::loops;
use crate::reduction::Reduction;

/// A loop with loops in it, each along one dimension of vectors.
pub(super) struct Candidate {
    /// The outermost loop.
    pub(super) root: OpId,
    /// The dimension of each loop.
    pub(super) dims: FxHashMap<OpId, usize>,
}

/// The result of an access along which a loop goes when `lanes` iterations of it at a time become lanes, and by how much from lane to lane; `None`
/// where it goes along none. An error where it goes along several, or not straight.
pub(super) fn result_along(access: &Access<'_>, of: AffineForOp<'_>, lanes: i64) -> Result<Option<(usize, i64)>, ()> {
    let affine = access.op.cx().affine();
    let data = affine.map(access.map);
    let variable = of.region().entry().ok_or(())?.arg(0);
    let positions: Vec<usize> =
        (0..access.operands.len()).filter(|&at| access.operands[at].id() == variable.id()).collect();
    if positions.is_empty() {
        return Ok(None);
    }
    let dims = data.num_dims as usize;
    let mut found = None;
    for (at, &expr) in data.results.iter().enumerate() {
        let depends = positions.iter().any(|&position| {
            let position = position as u32;
            if (position as usize) < dims {
                affine.is_function_of_dim(expr, position)
            } else {
                affine.is_function_of_symbol(expr, position - data.num_dims)
            }
        });
        if !depends {
            continue;
        }
        let factor = match affine.linear_form(expr, data.num_dims, data.num_symbols) {
            Some(form) => {
                positions.iter().map(|&at| if at < dims { form.dims[at] } else { form.symbols[at - dims] }).sum()
            }
            None => factor_in_vector(access, expr, at, of, lanes).ok_or(())?,
        };
        if factor == 0 {
            continue;
        }
        if found.is_some() {
            return Err(());
        }
        found = Some((at, factor));
    }
    Ok(found)
}

/// What is known of an expression in the iterations of a loop that become one vector.
#[derive(Clone, Copy)]
struct InVector {
    /// By how much it grows from one lane to the next.
    factor: i64,
    /// Its remainder by the number of lanes in the first lane, where that is the same in all vectors.
    remainder: Option<i64>,
}

/// By how much result `at` of an access, `expr`, grows from lane to lane in each vector, if it is the result of an `affine.apply` with remainders and
/// quotients: as in `(i mod 16)`, which counts one by one in eight iterations from a multiple of 8. `None` where that is not known.
fn factor_in_vector(access: &Access<'_>, expr: AffineExpr, at: usize, of: AffineForOp<'_>, lanes: i64) -> Option<i64> {
    let affine = access.op.cx().affine();
    let map = affine.map(access.op.attr("map")?.as_affine_map()?);
    affine.dim_position(map.results[at])?;
    let num_dims = affine.map(access.map).num_dims as usize;
    let variable = of.region().entry()?.arg(0);
    let start = of.constant_lower_bound().filter(|_| loops::step(of) == 1).map(|start| start.rem_euclid(lanes));
    let input = |position: usize| {
        let is_variable = access.operands.get(position).is_some_and(|operand| operand.id() == variable.id());
        if is_variable { InVector { factor: 1, remainder: start } } else { InVector { factor: 0, remainder: None } }
    };
    let mut known: FxHashMap<AffineExpr, InVector> = FxHashMap::default();
    for part in affine.post_order(&[expr]) {
        let value = match affine.expr(part) {
            AffineExprData::Dim(position) => input(position as usize),
            AffineExprData::Symbol(position) => input(num_dims + position as usize),
            AffineExprData::Constant(value) => InVector { factor: 0, remainder: Some(value.rem_euclid(lanes)) },
            AffineExprData::Binary { op, lhs, rhs } => {
                in_vector(op, known[&lhs], known[&rhs], affine.constant_value(rhs), lanes)?
            }
        };
        known.insert(part, value);
    }
    known.get(&expr).map(|value| value.factor)
}

/// The same of what `op` makes of two expressions, of which the second may be a `constant`.
fn in_vector(op: AffineOp, lhs: InVector, rhs: InVector, constant: Option<i64>, lanes: i64) -> Option<InVector> {
    let combined = |combine: fn(i64, i64) -> Option<i64>| {
        let remainder = combine(lhs.remainder?, rhs.remainder?)?;
        Some(remainder.rem_euclid(lanes))
    };
    // From a multiple of the number of lanes on, no multiple of a multiple of that number comes between lanes.
    let stays = constant.is_some_and(|by| by > 0 && by % lanes == 0) && lhs.factor == 1 && lhs.remainder == Some(0);
    let is_uniform = lhs.factor == 0 && rhs.factor == 0;
    Some(match op {
        AffineOp::Add => {
            InVector { factor: lhs.factor.checked_add(rhs.factor)?, remainder: combined(i64::checked_add) }
        }
        AffineOp::Mul if is_uniform && constant.is_none() => InVector { factor: 0, remainder: None },
        AffineOp::Mul => {
            let by = constant?;
            let remainder = if by % lanes == 0 { Some(0) } else { combined(i64::checked_mul) };
            InVector { factor: lhs.factor.checked_mul(by)?, remainder }
        }
        AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv if is_uniform => InVector { factor: 0, remainder: None },
        AffineOp::Mod if stays => lhs,
        AffineOp::FloorDiv if stays => InVector { factor: 0, remainder: None },
        AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv => return None,
    })
}

/// Whether the body of the loop can be vectorized along it, as far as its operations go; and the dimension of buffers along which it goes, counted
/// from the last one, where it goes along any. An error where it cannot.
fn direction(of: AffineForOp<'_>, lanes: i64) -> Result<Option<usize>, ()> {
    let mut along = None;
    for id in ops_in_arena(of.0.arena(), of.0.id()) {
        let op = OpRef::new(of.0.cx(), of.0.arena(), id);
        let is_access = op.is::<AffineLoadOp<'_>>() || op.is::<AffineStoreOp<'_>>();
        let has_vectors = op.operands().iter().chain(op.results().iter()).any(|value| {
            let ty = value.ty();
            ty.is_vector() || ty.is_memref() && ty.element_type().is_none_or(|element| !super::is_element(element))
        });
        if has_vectors || op.num_regions() > 0 && !op.is::<AffineForOp<'_>>() {
            return Err(());
        }
        if !is_access {
            continue;
        }
        let access = Access::of(op).ok_or(())?;
        let rank = access.memref.ty().rank().ok_or(())?;
        let Some((result, _)) = result_along(&access, of, lanes)? else { continue };
        let dim = rank - 1 - result;
        if along.is_some_and(|along| along != dim) {
            return Err(());
        }
        along = Some(dim);
    }
    Ok(along)
}

/// All nests of loops of `parallel`, one loop in another for each size, inner ones first.
pub(super) fn candidates(
    rw: &Rewriter<'_>,
    parallel: &FxHashMap<OpId, Vec<Reduction>>,
    sizes: &[i64],
    fastest: &[i64],
) -> Vec<Candidate> {
    let order: Vec<OpId> =
        ops_in_arena_post_order(rw.ir(), Arena::ROOT).into_iter().filter(|op| parallel.contains_key(op)).collect();
    let fits = |op: OpId, depth: usize| {
        let wanted = fastest.get(depth).copied().unwrap_or(-1);
        direction(loops::view(rw, op), sizes[depth])
            .is_ok_and(|along| wanted == -1 || along.is_none_or(|along| i64::try_from(along) == Ok(wanted)))
    };
    // From the innermost dimension outwards: what each loop holds if it is the loop of that dimension.
    let mut inner: FxHashMap<OpId, FxHashMap<OpId, usize>> = FxHashMap::default();
    for depth in (0..sizes.len()).rev() {
        let mut outer = FxHashMap::default();
        for &op in order.iter().filter(|&&op| fits(op, depth)) {
            let mut dims: FxHashMap<OpId, usize> = FxHashMap::default();
            if depth + 1 < sizes.len() {
                let within = order.iter().filter(|&&other| is_inside(rw.op(op), rw.op(other)));
                within.filter_map(|other| inner.get(other)).for_each(|found| dims.extend(found));
                if dims.is_empty() {
                    continue;
                }
            }
            dims.insert(op, depth);
            outer.insert(op, dims);
        }
        inner = outer;
    }
    order.iter().filter_map(|&root| Some(Candidate { root, dims: inner.remove(&root)? })).collect()
}

/// Puts together those of which one stands in the other.
pub(super) fn groups(rw: &Rewriter<'_>, all: Vec<Candidate>) -> Vec<Vec<Candidate>> {
    let mut groups: Vec<(OpId, Vec<Candidate>)> = Vec::new();
    for candidate in all {
        let root = rw.op(candidate.root);
        let is_near =
            |(other, _): &&mut (OpId, Vec<Candidate>)| is_inside(rw.op(*other), root) || is_inside(root, rw.op(*other));
        match groups.iter_mut().find(is_near) {
            Some((outermost, group)) => {
                if is_inside(root, rw.op(*outermost)) {
                    *outermost = candidate.root;
                }
                group.push(candidate);
            }
            None => groups.push((candidate.root, vec![candidate])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}
