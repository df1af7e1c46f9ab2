//! `linalg-eliminate-transposes`: transpositions become part of what reads or computes the tensor, by its maps.
//!
//! * An operation with maps of its own reads the transposed tensor as it lies: `matmul(transpose(a), b)` reads `a` by columns, and an
//!   element-wise nest reads through any number of transpositions.
//! * A nest whose only reader transposes the result writes it transposed.
//! * `transpose(matmul(a, b))` is `matmul(b^T, a^T)`, where the operands are read transposed. With the first rule `transpose(a)^T` vanishes,
//!   so that `A^T B^T` becomes `(B A)^T`, and `(A^T B^T)^T` becomes `B A`.
//!
//! Each rule drops a pass over a tensor and adds none. Every element is computed from the same numbers in the same order; only the factors of a
//! product trade places.

use dl_ir::affine::{AffineMap, AffineStore};
use dl_ir::dialect::OpInfo;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};
use dl_linalg::build::{maps_attr, named_state};
use dl_linalg::{BatchMatmulOp, FillOp, GenericOp, LinalgOp, LinalgStructured, MatmulOp, TransposeOp, TypeFn};

use crate::generic::Generic;

/// Makes transpositions part of what reads or computes the tensor.
#[derive(Clone, Copy, Default)]
pub struct EliminateTransposes;

impl Pass for EliminateTransposes {
    const INFO: PassInfo =
        PassInfo::new("linalg-eliminate-transposes", "Make transpositions part of what reads or computes the tensor");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        let is_nest = |info: &OpInfo| info.interface::<dyn LinalgStructured>().is_some();
        let transpose = Some(TransposeOp::NAME);
        patterns
            .add_fn_where("linalg-read-transposed", is_nest, read_transposed)
            .add_fn("linalg-write-transposed", transpose, write_transposed)
            .add_fn("linalg-transpose-of-matmul", transpose, transpose_of_matmul);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// The permutation of a transposition of tensors.
pub(crate) fn permutation(op: OpRef<'_>) -> Option<Vec<usize>> {
    let transpose = op.cast::<TransposeOp<'_>>()?;
    let plain =
        op.operands().iter().all(|operand| operand.ty().is_ranked_tensor() && operand.ty().encoding().is_none());
    let dims = transpose.permutation().dense_ints().map(|dim| usize::try_from(dim).ok()).collect::<Option<Vec<_>>>()?;
    plain.then_some(dims)
}

/// Whether the maps of `op` are an attribute that can be any permutation of its operands.
fn has_own_maps(op: OpRef<'_>) -> bool {
    op.is::<GenericOp<'_>>() || op.is::<MatmulOp<'_>>() || op.is::<BatchMatmulOp<'_>>()
}

/// The map of an operand by which a nest reads the source of the transposition of what it reads by `map`.
pub(crate) fn before_transpose(affine: &AffineStore, map: AffineMap, permutation: &[usize]) -> Option<AffineMap> {
    // Dimension i of the transposed tensor is dimension permutation[i] of the source.
    let results = &affine.map(map).results;
    let of_source = |dim: usize| {
        let at = permutation.iter().position(|&each| each == dim)?;
        results.get(at).copied()
    };
    let results = (0..permutation.len()).map(of_source).collect::<Option<Vec<_>>>()?;
    Some(affine.with_results(map, results))
}

/// Batches come first in every operand of a batched product.
fn is_allowed(op: OpRef<'_>, map: AffineMap) -> bool {
    let affine = op.cx().affine();
    let first = affine.map(map).results.first().and_then(|&result| affine.dim_position(result));
    !op.is::<BatchMatmulOp<'_>>() || first == Some(0)
}

fn read_transposed(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).filter(|_| has_own_maps(view)).ok_or(NoMatch("its maps are fixed"))?;
    if !has_pure_tensor_semantics(view) {
        return Err(NoMatch("not on tensors"));
    }
    let mut maps = nest.indexing_maps();
    let mut found: Vec<(usize, ValueId)> = Vec::new();
    for (at, input) in nest.inputs().enumerate() {
        let Some(transpose) = input.defining_op() else { continue };
        let Some(order) = permutation(transpose) else { continue };
        let Some(map) = before_transpose(cx.affine(), maps[at], &order).filter(|&map| is_allowed(view, map)) else {
            continue;
        };
        maps[at] = map;
        found.push((at, transpose.operand(0).id()));
    }
    if found.is_empty() {
        return Err(NoMatch("nothing transposed is read"));
    }
    for (at, source) in found {
        rw.set_operand(op, at, source);
    }
    rw.set_attr(op, cx.ident("indexing_maps"), maps_attr(cx, &maps));
    Ok(())
}

/// What stands for `init` where the result is to be put into `dest`: `dest` itself where the init is not read, or `dest` filled as it is.
enum NewInit {
    Unread,
    Filled(ValueId),
}

fn new_init(init: ValueRef<'_>, is_read: bool) -> Option<NewInit> {
    if !is_read {
        return Some(NewInit::Unread);
    }
    let fill = init.def::<FillOp<'_>>()?;
    Some(NewInit::Filled(fill.inputs().single().id()))
}

impl NewInit {
    fn make(self, rw: &mut Rewriter<'_>, dest: ValueId, loc: dl_ir::Loc) -> Result<ValueId, NoMatch> {
        let Self::Filled(value) = self else { return Ok(dest) };
        let state = named_state(rw, FillOp::NAME, &[value], &[dest], TypeFn::CastSigned, loc);
        Ok(rw.create_value(state.map_err(|_| NoMatch("elements that cannot be filled with the value"))?))
    }
}

fn write_transposed(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let order = permutation(view).ok_or(NoMatch("not on plain tensors"))?;
    let (input, dest) = (view.operand(0), view.operand(1).id());
    let producer = input.defining_op().filter(|_| input.has_one_use()).ok_or(NoMatch("something else reads it"))?;
    let old = Generic::of(producer).filter(|old| old.inits.len() == 1 && old.results.len() == 1);
    let mut new = old.ok_or(NoMatch("no nest with one result"))?;
    if !has_pure_tensor_semantics(producer) {
        return Err(NoMatch("not on tensors"));
    }
    let at = new.inputs.len();
    let reads = LinalgOp::of(producer).is_none_or(|nest| nest.reads_operand(at));
    let init = new_init(producer.operand(at), reads).ok_or(NoMatch("what is there already is read"))?;
    let results = &cx.affine().map(new.maps[at]).results;
    let permuted = order.iter().map(|&dim| results.get(dim).copied()).collect::<Option<Vec<_>>>();
    new.maps[at] = cx.affine().with_results(new.maps[at], permuted.ok_or(NoMatch("another rank"))?);
    let (loc, producer, result) = (view.loc(), producer.id(), view.result(0).ty().id());
    let body = rw.op(producer).region(0).id();
    rw.set_insertion_before(op);
    new.inits = vec![init.make(rw, dest, loc)?];
    new.results = vec![result];
    let replacement = new.create_with_body_of(rw, body);
    let value = rw.ir().result(replacement, 0);
    rw.replace(op, &[value]);
    rw.erase(producer);
    Ok(())
}

/// `transpose(matmul(a, b))` reads `b` and `a` transposed.
fn transpose_of_matmul(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let affine = cx.affine();
    let view = rw.op(op);
    let order = permutation(view).ok_or(NoMatch("not on plain tensors"))?;
    let (input, dest) = (view.operand(0), view.operand(1).id());
    let product = input.defining_op().filter(|_| input.has_one_use()).ok_or(NoMatch("something else reads it"))?;
    let nest = LinalgOp::of(product).filter(|_| product.is::<MatmulOp<'_>>()).ok_or(NoMatch("no matrix product"))?;
    let [lhs, rhs, init] = [0, 1, 2].map(|at| product.operand(at));
    if order != [1, 0] || !has_pure_tensor_semantics(product) || lhs.ty().element_type() != rhs.ty().element_type() {
        return Err(NoMatch("not a transposed product of one element type on tensors"));
    }
    let init = new_init(init, true).ok_or(NoMatch("what is there already is read"))?;
    // The loops over rows and columns trade places.
    let swapped = [affine.dim(1), affine.dim(0), affine.dim(2)];
    let renamed = |map: AffineMap| {
        let results: Vec<_> =
            affine.map(map).results.iter().map(|&result| affine.replace_in_expr(result, &swapped, &[])).collect();
        affine.with_results(map, results)
    };
    let maps = nest.indexing_maps();
    let &[of_lhs, of_rhs, of_init] = &maps[..] else { return Err(NoMatch("not three maps")) };
    let maps = [renamed(of_rhs), renamed(of_lhs), of_init];
    let cast = product.attr("cast").map(|cast| cast.id());
    let cast_fn = product.attr("cast").and_then(TypeFn::from_attr).unwrap_or(TypeFn::CastSigned);
    let (lhs, rhs, loc, product) = (lhs.id(), rhs.id(), view.loc(), product.id());
    rw.set_insertion_before(op);
    let init = init.make(rw, dest, loc)?;
    let state: OpState = named_state(rw, MatmulOp::NAME, &[rhs, lhs], &[init], cast_fn, loc)
        .map_err(|_| NoMatch("elements of no matrix product"))?
        .maybe_attr(cx, "cast", cast)
        .attr(cx, "indexing_maps", maps_attr(cx, &maps));
    rw.replace_with(op, state);
    rw.erase(product);
    Ok(())
}
