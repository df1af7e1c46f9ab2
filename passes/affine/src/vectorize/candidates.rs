//! Nests of loops that may be vectorized together.

use dl_affine::{AffineForOp, AffineLoadOp, AffineStoreOp};
use dl_ir::walk::{ops_in_arena, ops_in_arena_post_order};
use dl_ir::{Arena, OpId, OpRef, Rewriter, ValueRef};
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

/// The result of an access along which a loop goes; `None` where it goes along none. An error where it goes along several, or not straight.
pub(super) fn result_along(access: &Access<'_>, variable: ValueRef<'_>) -> Result<Option<(usize, i64)>, ()> {
    let affine = access.op.cx().affine();
    let data = affine.map(access.map);
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
        let form = affine.linear_form(expr, data.num_dims, data.num_symbols).ok_or(())?;
        let factor: i64 =
            positions.iter().map(|&at| if at < dims { form.dims[at] } else { form.symbols[at - dims] }).sum();
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

/// Whether the body of the loop can be vectorized along it, as far as its operations go; and the dimension of buffers along which it goes, counted
/// from the last one, where it goes along any. An error where it cannot.
fn direction(of: AffineForOp<'_>) -> Result<Option<usize>, ()> {
    let variable = of.region().entry().ok_or(())?.arg(0);
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
        let Some((result, _)) = result_along(&access, variable)? else { continue };
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
    let directions: FxHashMap<OpId, Option<usize>> =
        order.iter().filter_map(|&op| Some((op, direction(loops::view(rw, op)).ok()?))).collect();
    let fits = |op: OpId, depth: usize| {
        let wanted = fastest.get(depth).copied().unwrap_or(-1);
        directions
            .get(&op)
            .is_some_and(|along| wanted == -1 || along.is_none_or(|along| i64::try_from(along) == Ok(wanted)))
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
