//! Named products as `vector.contract`.

use dl_ir::rewrite::NoMatch;
use dl_ir::{Attr, OpId, OpState, ValueId};
use dl_linalg::{IteratorType, LinalgOp};
use dl_vector::ContractionOp;

use super::ports::{Excess, read_whole, write_whole};
use super::space::Space;
use crate::combiner::{combiners, combining_kind};

/// Whether `nest` has the name of a product.
pub(super) fn is_contraction(nest: LinalgOp<'_>) -> bool {
    nest.op().names_interface("ContractionOpInterface")
}

/// Whether one `vector.contract` computes `nest`, which has the name of a product.
pub(super) fn check_contraction(nest: LinalgOp<'_>) -> Result<(), NoMatch> {
    let affine = nest.op().cx().affine();
    let maps = nest.indexing_maps();
    let &[lhs, rhs, _] = maps.as_slice() else { return Err(NoMatch("no product of two operands")) };
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let chain = combiners(body.arg(2), 0).filter(|chain| chain.len() == 1);
    chain.and_then(|chain| combining_kind(chain[0])).ok_or(NoMatch("a reduction of no known kind"))?;
    if !maps.iter().all(|&map| affine.is_projected_permutation(map, false)) {
        return Err(NoMatch("operands that are not indexed by loops"));
    }
    if affine.used_dims(&[lhs, rhs]).contains(&false) {
        return Err(NoMatch("a loop that no input has"));
    }
    Ok(())
}

/// Computes the product; answers what is to be instead of its results.
pub(super) fn contract(mut space: Space<'_, '_>, op: OpId) -> Vec<ValueId> {
    let cx = space.b.cx();
    let nest = LinalgOp::of(space.b.op(op)).expect("a product");
    let (maps, operands) = (nest.indexing_maps(), nest.op().operands().ids());
    let combiner = nest.body().and_then(|body| combiners(body.arg(2), 0)).and_then(|chain| combining_kind(chain[0]));
    let kind = combiner.expect("a product of a known kind");
    let iterators: Vec<Attr> = nest
        .iterator_types()
        .into_iter()
        .map(|it| match it {
            IteratorType::Parallel => dl_vector::IteratorType::Parallel.attr(cx),
            IteratorType::Reduction => dl_vector::IteratorType::Reduction.attr(cx),
        })
        .collect();
    let mut vectors = Vec::new();
    for (&operand, &map) in operands.iter().zip(&maps) {
        let element = space.b.value_type(operand).element_or_self().id();
        let ty = space.vector_type(element, map);
        let zero = cx.zero_attr(element).map(|zero| space.b.constant(zero, element));
        vectors.push(read_whole(&mut space.b, operand, ty, zero, Excess::Masked));
    }
    let maps: Vec<Attr> = maps.into_iter().map(|map| cx.affine_map_attr(map)).collect();
    let result = space.b.ir().value_type(vectors[2]);
    let state = OpState::of::<ContractionOp<'_>>(space.b.loc)
        .operands(vectors)
        .attr(cx, "indexing_maps", cx.array_attr(&maps))
        .attr(cx, "iterator_types", cx.array_attr(&iterators))
        .attr(cx, "kind", kind.attr(cx))
        .results([result]);
    let all = space.all();
    let made = space.create_masked(state, all);
    let product = space.b.ir().result(made, 0);
    write_whole(&mut space.b, product, operands[2], None, Excess::Masked).into_iter().collect()
}
