//! `linalg-convert-conv-to-img2col`: a convolution becomes a matrix product with the matrix of its windows.
//!
//! One row (or column) of that matrix for each point of the result has the elements of the input that the weights are laid over there. A
//! convolution with the channels last is `windows * weights`, one with the channels first `weights * windows` for each image. Windows of one element
//! that lie side by side are the input itself, and no matrix is made. Every sum is that of the convolution, in its order.
//!
//! Convolutions are told by their maps: the named ones of two dimensions, those of one and three, and what computes the same.

use dl_ir::affine::AffineMap;
use dl_ir::dialect::OpInfo;
use dl_ir::interfaces::reassociation::expand_state;
use dl_ir::interfaces::{Index, has_pure_tensor_semantics};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Loc, OpDefinition, OpId, OpState, Rewriter, Type, ValueId};
use dl_linalg::build::{maps_attr, named_state};
use dl_linalg::named::Body;
use dl_linalg::{ContractOp, IteratorType, LinalgOp, LinalgStructured, MatmulOp, TypeFn, YieldOp};
use dl_tensor::ExpandShapeOp;
use dl_tensor::build::{collapse, empty};

use crate::forms::computes;
use crate::generic::Generic;

/// Makes convolutions matrix products.
#[derive(Clone, Copy, Default)]
pub struct ConvertConvToImg2Col;

impl Pass for ConvertConvToImg2Col {
    const INFO: PassInfo = PassInfo::new(
        "linalg-convert-conv-to-img2col",
        "Make convolutions matrix products with the matrix of their windows",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        let is_nest = |info: &OpInfo| info.interface::<dyn LinalgStructured>().is_some();
        patterns.add_fn_where("linalg-conv-to-img2col", is_nest, convert);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Loops of a convolution, each kind in the order of the operand that has them side by side.
#[derive(Debug)]
struct Loops {
    /// Images: of the input and the result.
    images: Vec<u32>,
    /// Points of the result at which a window is laid.
    points: Vec<u32>,
    /// Channels of the result: of the weights and the result.
    filters: Vec<u32>,
    /// What is summed up: of the weights, in their order.
    reduced: Vec<u32>,
    /// Whether the channels of the result come after the points.
    filters_last: bool,
    /// Whether the weights have the channels of the result after what is summed up.
    weights_by_columns: bool,
}

/// How the loops are found in the operands of a convolution.
fn loops(nest: LinalgOp<'_>) -> Option<(Loops, [AffineMap; 3])> {
    let affine = nest.op().cx().affine();
    let maps = <[AffineMap; 3]>::try_from(nest.indexing_maps()).ok()?;
    let [of_input, of_weights, of_result] = maps;
    let (weights, result) = (affine.result_positions(of_weights)?, affine.result_positions(of_result)?);
    let iterators = nest.iterator_types();
    let reduced: Vec<u32> =
        weights.iter().copied().filter(|&dim| iterators[dim as usize] == IteratorType::Reduction).collect();
    let in_input = |dim: u32| affine.map_is_function_of_dim(of_input, dim);
    let alone = |dim: u32| affine.map(of_input).results.iter().any(|&expr| affine.dim_position(expr) == Some(dim));
    let mut found = Loops {
        images: Vec::new(),
        points: Vec::new(),
        filters: Vec::new(),
        reduced,
        filters_last: false,
        weights_by_columns: false,
    };
    for &dim in &result {
        match (in_input(dim), weights.contains(&dim)) {
            (true, false) if alone(dim) => found.images.push(dim),
            (true, false) => found.points.push(dim),
            (false, true) => found.filters.push(dim),
            // One weight for each element: a depthwise convolution, or several groups.
            _ => return None,
        }
    }
    let summed = (0..iterators.len() as u32).filter(|&dim| iterators[dim as usize] == IteratorType::Reduction);
    // Sums keep their order, and each loop is that of an element of the windows.
    let in_order = summed.eq(found.reduced.iter().copied()) && found.reduced.iter().all(|&dim| in_input(dim));
    if !in_order || found.points.is_empty() || found.filters.is_empty() {
        return None;
    }
    let (images, points, filters) = (&found.images, &found.points, &found.filters);
    found.filters_last = result == [&images[..], points, filters].concat();
    found.weights_by_columns = weights == [&found.reduced[..], filters].concat();
    let first = result == [&images[..], filters, points].concat();
    let by_rows = weights == [&filters[..], &found.reduced].concat();
    let known = (found.filters_last || first) && (found.weights_by_columns || by_rows);
    known.then_some((found, maps))
}

/// Whether the windows are single elements side by side: the input without a change.
fn is_pointwise(nest: LinalgOp<'_>, found: &Loops, of_input: AffineMap) -> bool {
    let affine = nest.op().cx().affine();
    let Some(extents) = nest.static_loop_ranges() else { return false };
    let input = nest.op().operand(0).ty().shape().unwrap_or_default();
    let count = extents.len() as u32;
    affine.map(of_input).results.iter().zip(input).all(|(&expr, &extent)| {
        if affine.dim_position(expr).is_some() {
            return true;
        }
        let Some(form) = affine.linear_form(expr, count, 0) else { return false };
        let mut over = form.dims.iter().enumerate().filter(|(_, factor)| **factor != 0);
        let point = over.clone().find(|(dim, _)| found.points.contains(&(*dim as u32)));
        let rest_is_one = over.all(|(dim, _)| found.points.contains(&(dim as u32)) || extents[dim] == 1);
        let whole = point.is_some_and(|(dim, &factor)| factor == 1 && extents[dim] == extent && extent >= 0);
        rest_is_one && whole && form.constant == 0
    })
}

fn convert(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let plain = view.operands().iter().all(|value| value.ty().is_ranked_tensor() && value.ty().encoding().is_none());
    if !has_pure_tensor_semantics(view) || !plain || nest.inputs().len() != 2 || nest.inits().len() != 1 {
        return Err(NoMatch("not of two plain tensors"));
    }
    let body = nest.body().ok_or(NoMatch("no body"))?;
    if !computes(body, Body::MultiplyAdd, TypeFn::CastSigned, &[0, 1, 2]) {
        return Err(NoMatch("no sum of products"));
    }
    let (found, maps) = loops(nest).ok_or(NoMatch("no convolution whose dimensions can be merged"))?;
    let pointwise = is_pointwise(nest, &found, maps[0]);
    let [input, weights, init] = [0, 1, 2].map(|at| view.operand(at).id());
    let (loc, result_type) = (view.loc(), view.result(0).ty().id());
    rw.set_insertion_before(op);
    let windows = if pointwise { input } else { windows(rw, op, &found, maps[0], loc)? };
    let at_end = |from: usize, count: usize| (from..from + count).collect::<Vec<usize>>();
    let (images, points, filters, reduced) =
        (found.images.len(), found.points.len(), found.filters.len(), found.reduced.len());
    let weight_groups = if found.weights_by_columns {
        vec![at_end(0, reduced), at_end(reduced, filters)]
    } else {
        vec![at_end(0, filters), at_end(filters, reduced)]
    };
    let weight_groups = merged(weight_groups);
    let flat_weights = collapse(rw, weights, &weight_groups, loc);
    // Rows are all points of all images where the channels come last, else each image is a matrix.
    let (window_groups, result_groups) = if found.filters_last {
        let rows = images + points;
        let reduced_dims = if pointwise { rank(rw, windows) - rows } else { reduced };
        (vec![at_end(0, rows), at_end(rows, reduced_dims)], vec![at_end(0, rows), at_end(rows, filters)])
    } else {
        let reduced_dims = if pointwise { rank(rw, windows) - images - points } else { reduced };
        (
            with_batch(images, vec![at_end(images, reduced_dims), at_end(images + reduced_dims, points)]),
            with_batch(images, vec![at_end(images, filters), at_end(images + filters, points)]),
        )
    };
    let flat_windows = collapse(rw, windows, &window_groups, loc);
    let flat_init = collapse(rw, init, &result_groups, loc);
    let product = product(rw, &found, [flat_windows, flat_weights, flat_init], loc)?;
    let output = dl_tensor::extents(rw, init, loc);
    let cx = rw.cx();
    let state = expand_state::<ExpandShapeOp<'_>>(cx, product, &result_groups, &output, result_type, loc);
    rw.replace_with(op, state);
    Ok(())
}

fn rank(rw: &Rewriter<'_>, value: ValueId) -> usize {
    rw.value_type(value).shape().map_or(0, <[i64]>::len)
}

/// Groups as they are: each has a dimension at least, as the loops say.
fn merged(groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    groups.into_iter().filter(|group| !group.is_empty()).collect()
}

/// The groups behind one of all images, if there are any.
fn with_batch(images: usize, groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    merged(std::iter::once((0..images).collect()).chain(groups).collect())
}

/// The elements under each window: images, points and what is summed up where the channels come last; else what is summed up before the points.
fn windows(rw: &mut Rewriter<'_>, op: OpId, found: &Loops, of_input: AffineMap, loc: Loc) -> Result<ValueId, NoMatch> {
    let cx = rw.cx();
    let affine = cx.affine();
    let order: Vec<u32> = if found.filters_last {
        [&found.images[..], &found.points, &found.reduced].concat()
    } else {
        [&found.images[..], &found.reduced, &found.points].concat()
    };
    let nest = LinalgOp::of(rw.op(op)).ok_or(NoMatch("no loop nest"))?;
    // Extents by the result and the weights: the input says those of its windows only as sums.
    let maps = nest.indexing_maps();
    let place = |dim: u32| {
        [2, 1].into_iter().find_map(|operand| {
            let positions = affine.result_positions(maps[operand])?;
            Some((operand, positions.iter().position(|&each| each == dim)?))
        })
    };
    let places: Vec<(usize, usize)> =
        order.iter().map(|&dim| place(dim)).collect::<Option<_>>().ok_or(NoMatch("a loop of unknown extent"))?;
    let num_loops = nest.num_loops();
    let operands: Vec<ValueId> = rw.op(op).operands().ids().to_vec();
    let sizes: Vec<Index> =
        places.into_iter().map(|(operand, dim)| dl_tensor::extent(rw, operands[operand], dim, loc)).collect();
    let input = operands[0];
    let element = rw.value_type(input).element_or_self().id();
    let init = empty(rw, &sizes, element, loc);
    let rank = order.len() as u32;
    let new_dims: Vec<_> = (0..num_loops as u32)
        .map(|dim| order.iter().position(|&each| each == dim).map_or(affine.constant(0), |at| affine.dim(at as u32)))
        .collect();
    let results: Vec<_> = affine
        .map(of_input)
        .results
        .iter()
        .map(|&expr| affine.simplify_expr(affine.replace_in_expr(expr, &new_dims, &[]), rank, 0))
        .collect();
    let new = Generic {
        loc,
        inputs: vec![input],
        inits: vec![init],
        maps: vec![affine.intern_map(rank, 0, results), affine.identity_map(rank)],
        iterators: Some(cx.array_attr(&vec![IteratorType::Parallel.attr(cx); order.len()])),
        results: vec![rw.ir().value_type(init)],
    };
    let (gathered, block) = new.create(rw);
    let element = rw.ir().block_args(block)[0];
    rw.create(OpState::of::<YieldOp<'_>>(loc).operands([element]));
    rw.set_insertion_before(op);
    Ok(rw.ir().result(gathered, 0))
}

/// The product of the matrices, one for each image where they are matrices of their own.
fn product(
    rw: &mut Rewriter<'_>,
    found: &Loops,
    [windows, weights, init]: [ValueId; 3],
    loc: Loc,
) -> Result<ValueId, NoMatch> {
    let cx = rw.cx();
    let affine = cx.affine();
    let map = |loops: u32, dims: &[u32]| affine.multi_dim_map(loops, dims).ok_or(NoMatch("no map"));
    let batched = !found.filters_last && !found.images.is_empty();
    let (lhs, rhs) = if found.filters_last { (windows, weights) } else { (weights, windows) };
    let (name, maps) = if batched {
        // The weights are the same for each image.
        let of_weights: &[u32] = if found.weights_by_columns { &[3, 1] } else { &[1, 3] };
        (ContractOp::NAME, [map(4, of_weights)?, map(4, &[0, 3, 2])?, map(4, &[0, 1, 2])?])
    } else if found.filters_last {
        let of_weights: &[u32] = if found.weights_by_columns { &[2, 1] } else { &[1, 2] };
        (MatmulOp::NAME, [map(3, &[0, 2])?, map(3, of_weights)?, map(3, &[0, 1])?])
    } else {
        let of_weights: &[u32] = if found.weights_by_columns { &[2, 0] } else { &[0, 2] };
        (MatmulOp::NAME, [map(3, of_weights)?, map(3, &[2, 1])?, map(3, &[0, 1])?])
    };
    if name == ContractOp::NAME {
        return contract(rw, [lhs, rhs], init, &maps, loc);
    }
    let state = named_state(rw, name, &[lhs, rhs], &[init], TypeFn::CastSigned, loc)
        .map_err(|_| NoMatch("elements of no matrix product"))?;
    let is_default = dl_linalg::named::default_maps(cx, name).is_some_and(|default| default == maps);
    let state = if is_default { state } else { state.attr(cx, "indexing_maps", maps_attr(cx, &maps)) };
    Ok(rw.create_value(state))
}

/// `linalg.contract` of both into `init`.
fn contract(
    rw: &mut Rewriter<'_>,
    inputs: [ValueId; 2],
    init: ValueId,
    maps: &[AffineMap],
    loc: Loc,
) -> Result<ValueId, NoMatch> {
    let cx = rw.cx();
    let args: Vec<Type> =
        inputs.iter().chain([&init]).map(|&value| rw.value_type(value).element_or_self().id()).collect();
    let region = rw.new_region();
    dl_linalg::build_body(rw, region, &args, Body::MultiplyAdd, TypeFn::CastSigned, loc)
        .map_err(|_| NoMatch("elements of no matrix product"))?;
    let ty = rw.ir().value_type(init);
    let state = OpState::of::<ContractOp<'_>>(loc)
        .operands(inputs)
        .operands([init])
        .operand_segments(cx, &[2, 1])
        .attr(cx, "indexing_maps", maps_attr(cx, maps))
        .results([ty])
        .region(region);
    Ok(rw.create_value(state))
}
