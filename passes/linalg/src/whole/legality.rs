//! What can be made vectors.

use dl_affine::AffineApplyOp;
use dl_arith::ConstantOp;
use dl_ir::interfaces::{has_pure_buffer_semantics, has_pure_tensor_semantics};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{DYNAMIC, OpRef, Trait, TypeRef};
use dl_linalg::{
    BatchMatmulOp, BatchMmt4DOp, CopyOp, DepthwiseConv1DNwcWcOp, GenericOp, IndexOp, IteratorType, LinalgOp, MatmulOp,
    MatvecOp, Mmt4DOp, ReduceOp,
};
use dl_tensor::ExtractOp;

use super::Request;
use crate::combiner::{combiners, combining_kind};

/// Whether `nest` can be made vectors as `request` says.
pub(super) fn check(nest: LinalgOp<'_>, request: &Request) -> Rewrite {
    let op = nest.op();
    if nest.inits().is_empty() || !(has_pure_tensor_semantics(op) || has_pure_buffer_semantics(op)) {
        return Err(NoMatch("neither on tensors nor on buffers"));
    }
    let trips = nest.static_loop_ranges().ok_or(NoMatch("a loop runs over no dimension of an operand"))?;
    check_scalable(nest, request)?;
    let shapes = op.operands().iter().filter_map(|value| value.ty().shape());
    if shapes.flatten().any(|&extent| extent == 0) {
        return Err(NoMatch("an operand without elements"));
    }
    check_sizes(&trips, &request.sizes)?;
    if !nest.has_static_shape() {
        check_dynamic(nest)?;
    }
    let extents = if request.sizes.is_empty() { &trips } else { &request.sizes };
    check_body(nest, request, extents)?;
    if op.names_interface("ConvolutionOpInterface") {
        return Err(NoMatch("a convolution"));
    }
    if is_elementwise(nest) {
        return Ok(());
    }
    let affine = op.cx().affine();
    if !nest.indexing_maps().iter().all(|&map| affine.is_projected_permutation(map, true)) {
        return Err(NoMatch("an operand that is not indexed by loops"));
    }
    check_reductions(nest)
}

/// Indices are constants in the end: more would only fill memory.
const MOST_INDICES: i64 = 1 << 20;

/// Whether vectors of these sizes, or of these extents where there are no sizes, hold a box of these extents.
pub(super) fn check_sizes(extents: &[i64], sizes: &[i64]) -> Rewrite {
    let own = if sizes.is_empty() { extents } else { sizes };
    if own.contains(&DYNAMIC) {
        return Err(NoMatch("an extent that is not known"));
    }
    let count = own.iter().try_fold(1_i64, |count, &extent| count.checked_mul(extent));
    if count.is_none_or(|count| count <= 0) {
        return Err(NoMatch("no elements, or more than can be counted"));
    }
    if sizes.is_empty() {
        return Ok(());
    }
    let holds = |(&extent, &size): (&i64, &i64)| size > 0 && (extent == DYNAMIC || extent <= size);
    if extents.len() != sizes.len() || !extents.iter().zip(sizes).all(holds) {
        return Err(NoMatch("vectors that do not hold all iterations"));
    }
    Ok(())
}

/// Operations of which vectors may be larger than what is known of them.
fn check_dynamic(nest: LinalgOp<'_>) -> Rewrite {
    let op = nest.op();
    if has_reduction(nest) {
        return check_reductions(nest);
    }
    let is_known = op.is::<GenericOp<'_>>() || op.is::<CopyOp<'_>>() || op.names_interface("ContractionOpInterface");
    if is_known || is_elementwise(nest) { Ok(()) } else { Err(NoMatch("a kind of operation that is not masked")) }
}

/// Whether `nest` reduces, and is of a kind whose loops can be told from its text.
fn has_reduction(nest: LinalgOp<'_>) -> bool {
    let reduces = || nest.iterator_types().contains(&IteratorType::Reduction);
    nest.op().is::<ReduceOp<'_>>() || (nest.op().is::<GenericOp<'_>>() && reduces())
}

/// Whether each output is either indexed by all loops or the result of one combining operation.
fn check_reductions(nest: LinalgOp<'_>) -> Rewrite {
    if !nest.iterator_types().contains(&IteratorType::Reduction) {
        return Err(NoMatch("no reduction"));
    }
    let (maps, first_init) = (nest.indexing_maps(), nest.inits().start());
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let affine = nest.op().cx().affine();
    for index in 0..nest.inits().len() {
        if affine.is_permutation(maps[first_init + index]) {
            continue;
        }
        let chain = combiners(body.arg(first_init + index), index);
        let is_known = chain.is_some_and(|chain| chain.len() == 1 && combining_kind(chain[0]).is_some());
        if !is_known {
            return Err(NoMatch("a reduction of no known kind"));
        }
    }
    Ok(())
}

fn is_vector_element(ty: TypeRef<'_>) -> bool {
    ty.is_int_or_index_or_float()
}

/// Whether all operations of the body have counterparts on vectors of these extents.
fn check_body(nest: LinalgOp<'_>, request: &Request, extents: &[i64]) -> Rewrite {
    let body = nest.body().ok_or(NoMatch("no body"))?;
    for op in body.ops() {
        if op.is::<ExtractOp<'_>>() {
            let indices = op.num_operands() - 1;
            let element = op.result(0).ty();
            let is_element = is_vector_element(element) && op.cx().zero_attr(element.id()).is_some();
            let allowed = (indices == 1 || request.extracts_of_any_rank) && nest.num_loops() > 0;
            if !allowed || !is_element {
                return Err(NoMatch("an element of a tensor"));
            }
            continue;
        }
        if let Some(index) = op.cast::<IndexOp<'_>>() {
            let dim = index.dim().as_int().and_then(|dim| usize::try_from(dim).ok());
            let extent = dim.and_then(|dim| extents.get(dim).copied());
            if extent.is_none_or(|extent| extent > MOST_INDICES) {
                return Err(NoMatch("too many indices"));
            }
            continue;
        }
        let mut types = op.operands().iter().chain(op.results().iter()).map(|value| value.ty());
        let is_known = has_vector_form(op)
            || op.has_trait(&Trait::Terminator)
            || op.is::<ConstantOp<'_>>()
            || op.is::<AffineApplyOp<'_>>();
        if !is_known || op.num_regions() > 0 || !types.all(is_vector_element) {
            return Err(NoMatch("an operation that has no form on vectors"));
        }
    }
    Ok(())
}

/// Whether `op` computes elements one by one.
fn has_vector_form(op: OpRef<'_>) -> bool {
    [Trait::Elementwise, Trait::Scalarizable, Trait::Vectorizable, Trait::Tensorizable]
        .iter()
        .all(|has| op.has_trait(has))
}

/// Whether each point of the nest computes elements of its own.
pub(super) fn is_elementwise(nest: LinalgOp<'_>) -> bool {
    let affine = nest.op().cx().affine();
    let (maps, first_init) = (nest.indexing_maps(), nest.inits().start());
    let is_known = |op: OpRef<'_>| {
        op.is::<ConstantOp<'_>>()
            || op.is::<ExtractOp<'_>>()
            || op.is::<IndexOp<'_>>()
            || op.is::<AffineApplyOp<'_>>()
            || op.has_trait(&Trait::Terminator)
            || (has_vector_form(op) && op.results().iter().all(|result| is_vector_element(result.ty())))
    };
    nest.iterator_types().iter().all(|&it| it == IteratorType::Parallel)
        && maps.iter().all(|&map| affine.is_projected_permutation(map, true))
        && maps[first_init..].iter().all(|&map| affine.is_permutation(map))
        && nest.body().is_some_and(|body| body.ops().all(is_known))
}

/// Scalable vectors: along the last parallel loop, along the last two of a matrix product, or along a reduction that is the last loop.
fn check_scalable(nest: LinalgOp<'_>, request: &Request) -> Rewrite {
    let op = nest.op();
    let marks: Vec<usize> = (0..request.scalable.len()).filter(|&dim| request.scalable[dim]).collect();
    let Some(&last) = marks.last() else { return Ok(()) };
    let iterators = nest.iterator_types();
    if request.scalable.len() != iterators.len() {
        return Err(NoMatch("vectors that do not hold all iterations"));
    }
    let product = op.is::<MatmulOp<'_>>();
    if iterators[last] == IteratorType::Reduction && (last + 1 != iterators.len() || product) {
        return Err(NoMatch("a scalable reduction other than along the last loop"));
    }
    let is_other = |at: usize| iterators[at] == IteratorType::Parallel && request.sizes.get(at) != Some(&1);
    if iterators[last] == IteratorType::Parallel && (last + 1..iterators.len()).any(is_other) {
        return Err(NoMatch("a scalable parallel loop other than the last"));
    }
    match marks.as_slice() {
        [_] => {}
        &[first, second] if first + 1 == second && iterators[first..=second] == [IteratorType::Parallel; 2] => {}
        _ => return Err(NoMatch("scalable loops that do not follow each other")),
    }
    let is_known = is_elementwise(nest)
        || product
        || op.is::<BatchMatmulOp<'_>>()
        || op.is::<MatvecOp<'_>>()
        || op.is::<Mmt4DOp<'_>>()
        || op.is::<BatchMmt4DOp<'_>>()
        || op.is::<DepthwiseConv1DNwcWcOp<'_>>()
        || has_reduction(nest);
    if is_known { Ok(()) } else { Err(NoMatch("a kind of operation without scalable vectors")) }
}
