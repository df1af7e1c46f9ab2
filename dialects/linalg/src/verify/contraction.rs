//! `matmul`, its batched kin and `contract`: which indexing maps make a product.

use dl_ir::affine::{AffineExpr, AffineMap, AffineStore};
use dl_ir::effects::is_memory_effect_free;
use dl_ir::{Diagnostic, OpRef, ValueRef};

use crate::named::default_maps;
use crate::structured::maps_of_attr;

/// Loops of the batched products.
mod batched {
    pub(super) const BATCH: u32 = 0;
    pub(super) const M: u32 = 1;
    pub(super) const N: u32 = 2;
    pub(super) const K: u32 = 3;
}

/// Operands of `matmul` are indexed by their own two loops in either order, or broadcast along all but the reduction.
pub(crate) fn matmul(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some((maps, defaults)) = given_maps(op) else { return Ok(()) };
    let affine = op.cx().affine();
    for (&map, &default) in maps.iter().zip(&defaults).take(2) {
        if !uses_only(affine, map, default) {
            return Err(op.error("Unexpected dim expression in map result."));
        }
        let results = &affine.map(map).results;
        let is_reduction = |&result: &AffineExpr| affine.dim_position(result) == Some(2);
        if results.len() < 2 && !results.first().is_some_and(is_reduction) {
            return Err(op.error("Invalid broadcast requested, should be (d2)."));
        }
    }
    projections(op, affine, &maps)
}

/// As [`matmul`], with a batch dimension that comes first wherever there are three. The result is never permuted.
pub(crate) fn batched_matmul(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some((maps, defaults)) = given_maps(op) else { return Ok(()) };
    if maps.len() != 3 {
        return Err(op.error("Indexing_map attribute must have 3 affine maps"));
    }
    let affine = op.cx().affine();
    for (operand, (&map, &default)) in maps.iter().zip(&defaults).take(2).enumerate() {
        if !uses_only(affine, map, default) {
            return Err(op.error("Unexpected result dim expression (outside the set of default result dims)."));
        }
        let dims = positions(affine, map);
        if dims.len() > 3 {
            return Err(op.error("no. of result dim expressions exceeds 3."));
        }
        if dims.len() < 3 {
            if !is_broadcast(&dims, operand == 0) {
                return Err(op.error("Invalid broadcast requested."));
            }
        } else if dims[0] != Some(batched::BATCH) {
            return Err(op.error("Invalid batch dimension expression."));
        }
    }
    let (Some(&output), Some(&default)) = (maps.get(2), defaults.get(2)) else { return Ok(()) };
    let (results, expected) = (&affine.map(output).results, &affine.map(default).results);
    if results.len() != expected.len() {
        return Err(op.error(format_args!("expects {} dims, but got ({}).", expected.len(), results.len())));
    }
    if results != expected {
        return Err(op.error("Invalid output map result dimension."));
    }
    projections(op, affine, &maps)
}

/// Maps that only pick loops, each of which is read by both inputs and reduced, or part of the result; at least one is reduced.
pub(crate) fn contract(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let affine = op.cx().affine();
    let maps = maps_of_attr(op);
    let fail = |message: &str| Err(Diagnostic::error(op.loc(), message));
    let loops = maps.first().map_or(0, |&map| affine.map(map).num_dims);
    let mut uses = vec![(0, 0); loops as usize];
    for (i, (&map, operand)) in maps.iter().zip(op.operands().iter()).enumerate() {
        if affine.map(map).num_dims != loops {
            return fail("iteration spaces of provided affine_maps differ");
        }
        if !affine.is_projected_permutation(map, false) {
            return fail("provided affine_map is not a projected permutation");
        }
        let dims = positions(affine, map);
        match operand.ty().shape() {
            Some(shape) if shape.len() != dims.len() => {
                return fail("ranks of shaped operand and results of corresponding affine_map differ");
            }
            None if !dims.is_empty() => {
                return fail("affine_map specifies shaped access while operand has non-shaped type");
            }
            _ => {}
        }
        for dim in dims.into_iter().flatten() {
            let (inputs, outputs) = &mut uses[dim as usize];
            *(if i < 2 { inputs } else { outputs }) += 1;
        }
    }
    for (dim, &used) in uses.iter().enumerate() {
        match used {
            (0, 0) => {
                return Err(op.error(format_args!("iteration space dim at index {dim} not used to access any operand")));
            }
            (1, outputs) if outputs != 1 => {
                return Err(op.error(format_args!(
                    "iteration space dim at index {dim} is neither a contracting dim nor of parallel iteration type"
                )));
            }
            _ => {}
        }
    }
    if !uses.contains(&(2, 0)) {
        return fail("'indexing_maps' do not specify a contracting dimension");
    }
    Ok(())
}

/// What multiplies and what adds up, in bodies of products.
const PRODUCTS: [(&str, &str); 4] = [
    ("arith.mulf", "arith.addf"),
    ("arith.muli", "arith.addi"),
    ("arith.andi", "arith.ori"),
    ("complex.mul", "complex.add"),
];

/// The body of a product adds what it makes of both inputs to the output.
pub(super) fn product(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if is_product(op) { Ok(()) } else { Err(Diagnostic::error(op.loc(), "expected add/mul op in the body")) }
}

/// Whether the body of `op` is one of [`PRODUCTS`], with operations of one operand and without effects in between at most.
fn is_product(op: OpRef<'_>) -> bool {
    let Some(body) = op.regions().next().and_then(|region| region.entry()) else { return false };
    let args: Vec<ValueRef<'_>> = body.args().collect();
    let end = body.terminator().map_or_else(Vec::new, |end| end.operands().iter().collect());
    let ([a, b, acc], [yielded]) = (args.as_slice(), end.as_slice()) else { return false };
    let Some((sum, [x, y])) = binary(source(*yielded)) else { return false };
    let added = [(x, y), (y, x)].into_iter().find(|(to, _)| to == acc).map(|(_, added)| added);
    let Some((product, factors)) = added.and_then(binary) else { return false };
    PRODUCTS.contains(&(product, sum)) && (factors == [*a, *b] || factors == [*b, *a])
}

/// The operation of two operands that `value` is the one result of, and where its operands come from.
fn binary(value: ValueRef<'_>) -> Option<(&str, [ValueRef<'_>; 2])> {
    let op = value.defining_op().filter(|op| op.num_results() == 1 && op.num_operands() == 2)?;
    Some((op.name(), [source(op.operand(0)), source(op.operand(1))]))
}

/// What `value` is made of by operations of one operand without effects.
fn source(mut value: ValueRef<'_>) -> ValueRef<'_> {
    while let Some(op) = value.defining_op().filter(|op| op.num_operands() == 1 && is_memory_effect_free(*op)) {
        value = op.operand(0);
    }
    value
}

/// The maps of `op` and those that stand for none, if the two differ.
fn given_maps(op: OpRef<'_>) -> Option<(Vec<AffineMap>, Vec<AffineMap>)> {
    let (maps, defaults) = (maps_of_attr(op), default_maps(op.cx(), op.name())?);
    (maps != defaults).then_some((maps, defaults))
}

/// Whether each result of `map` is one of `default`.
fn uses_only(affine: &AffineStore, map: AffineMap, default: AffineMap) -> bool {
    let allowed = &affine.map(default).results;
    affine.map(map).results.iter().all(|result| allowed.contains(result))
}

/// The loop that each result is, if it is one.
fn positions(affine: &AffineStore, map: AffineMap) -> Vec<Option<u32>> {
    affine.map(map).results.iter().map(|&result| affine.dim_position(result)).collect()
}

/// Whether one or two loops index a broadcast operand: always the reduction, and in its place one of the others.
fn is_broadcast(dims: &[Option<u32>], is_lhs: bool) -> bool {
    use batched::{BATCH, K, M, N};
    match dims {
        [Some(K)] => true,
        [Some(BATCH), Some(K)] => true,
        [Some(M), Some(K)] => is_lhs,
        [Some(K), Some(N)] => !is_lhs,
        _ => false,
    }
}

fn projections(op: OpRef<'_>, affine: &AffineStore, maps: &[AffineMap]) -> Result<(), Diagnostic> {
    if maps.iter().all(|&map| affine.is_projected_permutation(map, false)) {
        return Ok(());
    }
    Err(Diagnostic::error(op.loc(), "expected indexing maps to be projected permutations"))
}
