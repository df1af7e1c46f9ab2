//! `linalg.generic` becomes a named operation where one computes the same.
//!
//! The loops and maps must be those of the named operation, and the body must be the one that it has, operation by operation. What upstream
//! recognizes is recognized here, in its order: copies, fills, broadcasts, transpositions, element-wise operations, contractions, convolutions
//! and pooling.

use dl_ir::affine::{AffineMap, AffineStore};
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter, ValueId};
use dl_linalg::build::{broadcast_state, maps_attr, named_state, transpose_state, window_attr};
use dl_linalg::named::{Body, NAMED, NamedOp, Windows, named_op};
use dl_linalg::{GenericOp, IteratorType, LinalgOp, TypeFn};

use super::compare::computes;

/// What a `linalg.generic` is recognized as.
enum Named {
    /// `linalg.fill` of a value.
    Fill(ValueId),
    /// `linalg.broadcast` along dimensions.
    Broadcast(Vec<i64>),
    /// `linalg.transpose` by a permutation.
    Transpose(Vec<i64>),
    /// A named operation, with the inputs in this order.
    Elementwise(&'static str, &'static [usize]),
    /// A matrix product, by these maps where they are not the default ones.
    Product(&'static str, Option<Vec<AffineMap>>, TypeFn),
    /// A convolution or pooling.
    Window(&'static NamedOp, Windows),
}

/// Replaces a `linalg.generic` by the named operation that computes the same.
///
/// # Errors
/// Where there is none.
pub fn specialize(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    specialized(op, rw).map(|_| ())
}

/// The same; answers the new operation.
///
/// # Errors
/// As for [`specialize`].
pub fn specialized(op: OpId, rw: &mut Rewriter<'_>) -> Result<OpId, NoMatch> {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).filter(|_| view.is::<GenericOp<'_>>()).ok_or(NoMatch("not general"))?;
    if view.num_results() != 0 && !has_pure_tensor_semantics(view) {
        return Err(NoMatch("on tensors and buffers"));
    }
    let named = recognize(nest).ok_or(NoMatch("no named operation computes this"))?;
    let loc = view.loc();
    let inputs: Vec<ValueId> = nest.inputs().map(|input| input.id()).collect();
    let inits: Vec<ValueId> = nest.inits().iter().map(|init| init.id()).collect();
    rw.set_insertion_before(op);
    let state = state(rw, named, &inputs, &inits, loc).map_err(|_| NoMatch("element types of no named operation"))?;
    Ok(rw.replace_with(op, state))
}

fn state(
    rw: &mut Rewriter<'_>,
    named: Named,
    inputs: &[ValueId],
    inits: &[ValueId],
    loc: dl_ir::Loc,
) -> Result<OpState, String> {
    let cx = rw.cx();
    let signed = TypeFn::CastSigned;
    match named {
        Named::Fill(value) => named_state(rw, "linalg.fill", &[value], inits, signed, loc),
        Named::Broadcast(dims) => Ok(broadcast_state(rw, inputs[0], inits[0], &dims, loc)),
        Named::Transpose(permutation) => Ok(transpose_state(rw, inputs[0], inits[0], &permutation, loc)),
        Named::Elementwise(name, order) => {
            let inputs: Vec<ValueId> = order.iter().map(|&i| inputs[i]).collect();
            named_state(rw, name, &inputs, inits, signed, loc)
        }
        Named::Product(name, maps, cast) => {
            let maps = maps.or_else(|| dl_linalg::named::default_maps(cx, name)).unwrap_or_default();
            let state = named_state(rw, name, inputs, inits, cast, loc)?;
            Ok(state.attr(cx, "indexing_maps", maps_attr(cx, &maps)))
        }
        Named::Window(named, windows) => {
            let state = named_state(rw, named.name, inputs, inits, signed, loc)?;
            let attr = |sizes: &[i64]| if sizes.is_empty() { None } else { window_attr(cx, sizes) };
            let (dilations, strides) = (attr(&windows.dilations), attr(&windows.strides));
            Ok(state.maybe_attr(cx, "dilations", dilations).maybe_attr(cx, "strides", strides))
        }
    }
}

fn recognize(nest: LinalgOp<'_>) -> Option<Named> {
    let maps = nest.indexing_maps();
    let parallel = nest.iterator_types().iter().all(|&iterator| iterator == IteratorType::Parallel);
    if nest.inits().len() != 1 {
        return None;
    }
    if parallel {
        return recognize_move(nest, &maps).or_else(|| recognize_elementwise(nest, &maps));
    }
    recognize_product(nest, &maps).or_else(|| recognize_window(nest, &maps))
}

/// Copies, fills, broadcasts and transpositions: the body is a terminator.
fn recognize_move(nest: LinalgOp<'_>, maps: &[AffineMap]) -> Option<Named> {
    let affine = nest.op().cx().affine();
    let body = nest.body()?;
    let last = body.last_op().filter(|last| body.first_op() == Some(*last) && last.num_operands() == 1)?;
    let value = last.operand(0);
    let out = *maps.last()?;
    match nest.inputs().len() {
        0 if affine.is_permutation(out) => {
            let constant = value.owner_block().is_none() && value.constant().is_some();
            constant.then(|| Named::Fill(value.id()))
        }
        1 => {
            if value.owner_block() != Some(body) || value.index() != 0 {
                return None;
            }
            let input = nest.op().operand(0);
            if affine.is_identity(out) && affine.is_identity(maps[0]) {
                return Some(Named::Elementwise("linalg.copy", &[0]));
            }
            if !input.ty().is_ranked_tensor() && !input.ty().is_ranked_memref() {
                return affine.is_permutation(out).then(|| Named::Fill(input.id()));
            }
            if !affine.is_identity(out) {
                return None;
            }
            broadcast_dims(affine, maps[0], out).map(Named::Broadcast).or_else(|| {
                let positions = affine.result_positions(maps[0]).filter(|_| affine.is_permutation(maps[0]))?;
                let mut permutation = vec![0; positions.len()];
                for (i, position) in positions.into_iter().enumerate() {
                    permutation[position as usize] = i as i64;
                }
                Some(Named::Transpose(permutation))
            })
        }
        _ => None,
    }
}

/// The dimensions of `out` that `map` lacks, if it has the others in order.
fn broadcast_dims(affine: &AffineStore, map: AffineMap, out: AffineMap) -> Option<Vec<i64>> {
    let (data, all) = (affine.map(map), affine.map(out).results.len());
    if data.results.len() >= all {
        return None;
    }
    let positions: Vec<u32> = data.results.iter().map(|&expr| affine.dim_position(expr)).collect::<Option<_>>()?;
    if !positions.is_sorted_by(|a, b| a < b) {
        return None;
    }
    Some((0..data.num_dims).filter(|dim| !positions.contains(dim)).map(i64::from).collect())
}

/// `exp`, and sums, differences, products and quotients of floats.
fn recognize_elementwise(nest: LinalgOp<'_>, maps: &[AffineMap]) -> Option<Named> {
    const NAMES: [&str; 5] = ["linalg.exp", "linalg.add", "linalg.sub", "linalg.mul", "linalg.div"];
    const ORDERS: [&[usize]; 3] = [&[0], &[0, 1], &[1, 0]];
    let affine = nest.op().cx().affine();
    let body = nest.body()?;
    let element = nest.inits().get(0)?.ty().element_type()?;
    if nest.num_loops() == 0 || !maps.iter().all(|&map| affine.is_identity(map)) || !element.is_float() {
        return None;
    }
    let shaped = nest.inputs().all(|input| input.ty().is_ranked_tensor() || input.ty().is_ranked_memref());
    for name in NAMES.into_iter().filter(|_| shaped) {
        let of_table = named_op(name)?.body;
        for order in ORDERS {
            // The init comes last, where it is.
            let args: Vec<usize> = order.iter().copied().chain([order.len()]).collect();
            if computes(body, of_table, TypeFn::CastSigned, &args) {
                return Some(Named::Elementwise(name, order));
            }
        }
    }
    None
}

/// `matmul` and `batch_matmul`: one row, one column and one reduced loop, and batches in order before them.
fn recognize_product(nest: LinalgOp<'_>, maps: &[AffineMap]) -> Option<Named> {
    let cx = nest.op().cx();
    let affine = cx.affine();
    let &[lhs, rhs, out] = maps else { return None };
    let iterators = nest.iterator_types();
    let dims = crate::contraction::infer_dims(affine, &[lhs, rhs, out], &iterators)?;
    let batch = dims.batch.len() as u32;
    let (&[m], &[n], &[k]) = (&dims.m[..], &dims.n[..], &dims.k[..]) else { return None };
    if iterators.len() != dims.batch.len() + 3 || dims.batch.iter().enumerate().any(|(i, &dim)| i as u32 != dim) {
        return None;
    }
    let order = |map: AffineMap, row: u32, column: u32| {
        let positions = affine.result_positions(map)?;
        let (batches, rest) = positions.split_at_checked(batch as usize)?;
        if !batches.iter().copied().eq(0..batch) {
            return None;
        }
        match *rest {
            [a, b] if (a, b) == (row, column) => Some(false),
            [a, b] if (a, b) == (column, row) => Some(true),
            _ => None,
        }
    };
    let (a, b, c) = (order(lhs, m, k)?, order(rhs, k, n)?, order(out, m, n)?);
    if c || (a && b) {
        return None;
    }
    let body = nest.body()?;
    let casts = [TypeFn::CastSigned, TypeFn::CastUnsigned];
    let cast = casts.into_iter().find(|&cast| computes(body, Body::MultiplyAdd, cast, &[0, 1, 2]))?;
    let name = if batch == 0 { "linalg.matmul" } else { "linalg.batch_matmul" };
    // The loops of a matrix product are m, n, k.
    let map = |transposed: bool, [row, column]: [u32; 2]| {
        let (first, second) = if transposed { (column, row) } else { (row, column) };
        let positions: Vec<u32> = (0..batch).chain([batch + first, batch + second]).collect();
        affine.multi_dim_map(batch + 3, &positions)
    };
    let maps = if a || b { Some(vec![map(a, [0, 2])?, map(b, [2, 1])?, map(false, [0, 1])?]) } else { None };
    Some(Named::Product(name, maps, cast))
}

/// Convolutions and pooling: the operations whose windows move over the first input.
fn recognize_window(nest: LinalgOp<'_>, maps: &[AffineMap]) -> Option<Named> {
    let cx = nest.op().cx();
    let (iterators, body) = (nest.iterator_types(), nest.body()?);
    let order: Vec<usize> = (0..maps.len()).collect();
    NAMED.iter().filter(|named| named.nest.has_windows()).find_map(|named| {
        if named.nest.iterators(0) != iterators {
            return None;
        }
        let windows = named.nest.windows(cx, maps)?;
        computes(body, named.body, TypeFn::CastSigned, &order).then_some(Named::Window(named, windows))
    })
}

/// Adds the pattern that makes `linalg.generic` a named operation.
pub(super) fn add_patterns(patterns: &mut Patterns) {
    patterns.add_fn("linalg-specialize", Some(GenericOp::NAME), specialize);
}
