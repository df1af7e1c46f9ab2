//! `linalg-channels-last`: convolutions compute with the channels innermost, and what follows them stays so.
//!
//! A convolution whose result has the channels before the pixels, as in `NCHW`, has vectors along a row of pixels, which is rarely a multiple of
//! them. Along the channels it mostly is, and the filter can be packed like any right side of a product. So
//!
//! * a convolution with a known filter writes `N H W C`, and a transposition follows; its image is read by single elements, in whichever order
//!   it lies;
//! * an image of bytes is transposed, so that dot products take several channels at once;
//! * what reads such a transposition computes with the channels innermost too, if all that it reads as a whole does: the transposition moves behind
//!   it. It ends where something else reads the tensor;
//! * a constant with an element for each channel is read without the dimensions of extent 1 that line it up with the pixels (`unit_reads`), so that
//!   it can be added before the result of the convolution is stored.
//!
//! A convolution with a window of one element is a product of matrices in either order. It changes only where its image has changed already.

use dl_ir::affine::{AffineMap, AffineStore};
use dl_ir::dialect::OpInfo;
use dl_ir::interfaces::{Index, has_pure_tensor_semantics};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, Loc, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};
use dl_linalg::build::{named_state, transpose_state};
use dl_linalg::{FillOp, GenericOp, IteratorType, LinalgOp, LinalgStructured, TransposeOp, TypeFn};
use dl_tensor::PadOp;
use dl_tensor::build::empty;

use crate::generic::Generic;
use crate::transposes::{before_transpose, permutation};
use crate::unit_reads::read_without_units;

/// Fewer features than this, and than a row has pixels, do not fill a vector.
const FEW: i64 = 16;

/// Makes convolutions compute with the channels innermost.
#[derive(Clone, Copy, Default)]
pub struct ChannelsLast;

impl Pass for ChannelsLast {
    const INFO: PassInfo = PassInfo::new(
        "linalg-channels-last",
        "Compute convolutions, and what follows them, with the channels innermost",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        let is_nest = |info: &OpInfo| info.interface::<dyn LinalgStructured>().is_some();
        patterns
            .add_fn_where("linalg-convolution-channels-last", is_nest, convolution)
            .add_fn_where("linalg-stay-channels-last", is_nest, stay)
            .add_fn("tensor-pad-channels-last", Some(PadOp::NAME), pad)
            .add_fn("linalg-read-constants-without-units", Some(GenericOp::NAME), read_without_units);
        // Transpositions there and back meet.
        patterns.add_canonicalization(cx.ctx, TransposeOp::NAME);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// A convolution with a window writes its features innermost.
fn convolution(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine = rw.cx().affine();
    let nest = Nest::of(rw.op(op)).ok_or(NoMatch("no nest on tensors of known extents"))?;
    let [_, _, out] = nest.maps[..] else { return Err(NoMatch("not two inputs")) };
    let results = affine.map(out).results.to_vec();
    let depends =
        |map: AffineMap, at: u32| affine.map(map).results.iter().any(|&index| affine.is_function_of_dim(index, at));
    let dims: Vec<u32> = results.iter().filter_map(|&index| affine.dim_position(index)).collect();
    let Some((&last, before)) = dims.split_last().filter(|_| dims.len() == results.len()) else {
        return Err(NoMatch("the result is not indexed by loops"));
    };
    let slides = |map: AffineMap| {
        let is_window = |index| {
            affine.is_function_of_dim(index, last)
                && (0..nest.iterators.len()).any(|at| {
                    nest.iterators[at] == IteratorType::Reduction
                        && nest.extents[at] > 1
                        && affine.is_function_of_dim(index, at as u32)
                })
        };
        affine.map(map).results.iter().any(|&index| is_window(index))
    };
    let image = (0..2).find(|&at| slides(nest.maps[at])).ok_or(NoMatch("nothing slides over the last dimension"))?;
    let feature = before
        .iter()
        .position(|&at| depends(nest.maps[1 - image], at) && !depends(nest.maps[image], at))
        .ok_or(NoMatch("no features of the filter alone"))?;
    if rw.value(nest.inputs[1 - image]).constant().is_none() {
        return Err(NoMatch("the filter would be packed each time"));
    }
    let extent = |at: u32| nest.extents[at as usize];
    if extent(dims[feature]) < FEW.min(extent(last)) {
        return Err(NoMatch("few features"));
    }
    let mut order: Vec<usize> = (0..dims.len()).filter(|&at| at != feature).collect();
    order.push(feature);
    let moves = nest.groups_channels(rw, image);
    Nest { moved: moves.then_some(image), ..nest }.rewrite(rw, op, &order)
}

/// A nest that reads a transposition to `N C ...` computes in the order before it.
fn stay(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine = rw.cx().affine();
    let nest = Nest::of(rw.op(op)).ok_or(NoMatch("no nest on tensors of known extents"))?;
    let found = nest.inputs.iter().find_map(|&input| channels_first(rw.value(input)));
    let (rank, _) = found.ok_or(NoMatch("nothing with the channels moved is read"))?;
    let out = nest.maps[nest.inputs.len()];
    if affine.map(out).results.len() != rank {
        return Err(NoMatch("a result of another rank"));
    }
    if !nest.inputs.iter().enumerate().any(|(at, &input)| {
        channels_first(rw.value(input)).is_some() && in_order(affine, nest.maps[at], out, &nest.iterators)
    }) {
        // The result has its channels innermost already, or no channels: what is read transposed is read as it lies.
        let moved = |at: usize| reads_transposed(rw.value(nest.inputs[at]), affine, nest.maps[at]).is_some();
        if !(0..nest.inputs.len()).any(moved) {
            return Err(NoMatch("the result is in another order"));
        }
        let order: Vec<usize> = (0..rank).collect();
        return nest.rewrite(rw, op, &order);
    }
    let whole = |at: usize| nest.maps[at] == out && channels_first(rw.value(nest.inputs[at])).is_none();
    let known = |at: usize| rw.value(nest.inputs[at]).constant().is_some();
    if (0..nest.inputs.len()).any(|at| whole(at) && !known(at)) {
        return Err(NoMatch("another input is in the other order"));
    }
    let order: Vec<usize> = std::iter::once(0).chain(2..rank).chain([1]).collect();
    nest.rewrite(rw, op, &order)
}

/// Whether the result `out` has the order of dimensions of an input that is read by `map`: each dimension runs along with that of the input in the
/// same place, but for channels, which may be summed over, and dimensions of which only one element is read.
fn in_order(affine: &AffineStore, map: AffineMap, out: AffineMap, iterators: &[IteratorType]) -> bool {
    let (indices, results) = (&affine.map(map).results, &affine.map(out).results);
    let mut runs = false;
    let each = indices.iter().zip(results).enumerate().all(|(at, (&index, &result))| {
        let together = affine.dim_position(result).is_some_and(|over| affine.is_function_of_dim(index, over));
        let over =
            |kind| (0..iterators.len()).any(|l| iterators[l] == kind && affine.is_function_of_dim(index, l as u32));
        runs |= together && at > 0;
        together || !over(IteratorType::Parallel) && (at == 1 || !over(IteratorType::Reduction))
    });
    each && runs && indices.len() == results.len()
}

/// What `value` is a transposition of, and the map by which a nest reads that which reads `value` by `map`.
fn reads_transposed(value: ValueRef<'_>, affine: &AffineStore, map: AffineMap) -> Option<(ValueId, AffineMap)> {
    let producer = value.defining_op()?;
    let before = before_transpose(affine, map, &permutation(producer)?)?;
    Some((producer.operand(0).id(), before))
}

/// `pad(transpose(x))` is `transpose(pad(x))`.
fn pad(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let result = view.result(0).ty();
    let (rank, source) = channels_first(view.operand(0)).ok_or(NoMatch("the channels are where they were"))?;
    if view.num_operands() != 1 || !result.has_static_shape() {
        return Err(NoMatch("padding that is known only when running"));
    }
    let body = view.region(0).blocks().next().ok_or(NoMatch("no body"))?;
    if body.args().any(|arg| arg.has_uses()) {
        return Err(NoMatch("padding that depends on where it is"));
    }
    let order: Vec<usize> = std::iter::once(0).chain(2..rank).chain([1]).collect();
    let moved = |name: &str| -> Option<Attr> {
        let sizes: Vec<i64> = view.attr(name)?.dense_ints().collect();
        let sizes: Option<Vec<i64>> = order.iter().map(|&at| sizes.get(at).copied()).collect();
        Some(cx.dense_i64_array(&sizes?))
    };
    let (low, high) = moved("static_low").zip(moved("static_high")).ok_or(NoMatch("malformed padding"))?;
    let element = result.element_type().ok_or(NoMatch("no elements"))?.id();
    let shape = permuted(result.shape().ok_or(NoMatch("no shape"))?, &order);
    let (ty, loc, old) = (cx.tensor_type(&shape, element), view.loc(), view.region(0).id());
    let nofold = view.attr("nofold").map(|attr| attr.id());
    rw.set_insertion_before(op);
    let region = rw.new_region();
    let state = OpState::of::<PadOp<'_>>(loc)
        .operands([source])
        .operand_segments(cx, &[1, 0, 0])
        .attr(cx, "static_low", low)
        .attr(cx, "static_high", high)
        .maybe_attr(cx, "nofold", nofold)
        .region(region)
        .results([ty]);
    let padded = rw.create_value(state);
    rw.move_blocks(old, region, None);
    let value = transpose_back(rw, padded, &order, loc)?;
    rw.replace(op, &[value]);
    Ok(())
}

/// A nest with one result on tensors of known extents.
struct Nest {
    loc: Loc,
    inputs: Vec<ValueId>,
    maps: Vec<AffineMap>,
    iterators: Vec<IteratorType>,
    extents: Vec<i64>,
    /// The shape of the result, and its elements.
    shape: Vec<i64>,
    element: Type,
    /// What the result is filled with before, if that is read.
    fill: Option<ValueId>,
    /// The input that is to be transposed, so that its channels are last too.
    moved: Option<usize>,
}

/// Channels of bytes that instructions for dot products take at once.
const GROUP: i64 = 4;

impl Nest {
    fn of(op: OpRef<'_>) -> Option<Self> {
        let nest = LinalgOp::of(op)?;
        let extents = nest.static_loop_ranges()?;
        let plain = |value: ValueRef<'_>| value.ty().is_ranked_tensor() && value.ty().encoding().is_none();
        let init = nest.inits().iter().next().filter(|_| nest.inits().len() == 1)?;
        let moves = op.is::<TransposeOp<'_>>() || op.is::<FillOp<'_>>();
        let body = nest.body()?;
        if moves
            || !has_pure_tensor_semantics(op)
            || extents.iter().any(|&extent| extent < 0)
            || !op.operands().iter().all(|operand| plain(operand) || !operand.ty().is_shaped())
            || body.ops().any(|op| op.name() == "linalg.index" || op.num_regions() != 0)
        {
            return None;
        }
        let at = nest.inputs().len();
        let fill = if nest.reads_operand(at) { Some(init.def::<FillOp<'_>>()?.inputs().single().id()) } else { None };
        let ty = init.ty();
        Some(Self {
            loc: op.loc(),
            inputs: nest.inputs().map(|input| input.id()).collect(),
            maps: nest.indexing_maps(),
            iterators: nest.iterator_types().clone(),
            extents: extents.clone(),
            shape: ty.shape().filter(|_| ty.has_static_shape())?.to_vec(),
            element: ty.element_type()?.id(),
            fill,
            moved: None,
        })
    }

    /// Whether input `at` has bytes with their channels, which are summed over, in place 1: side by side, dot products take several at once.
    fn groups_channels(&self, rw: &Rewriter<'_>, at: usize) -> bool {
        let affine = rw.cx().affine();
        let ty = rw.value_type(self.inputs[at]);
        let bytes = ty.element_type().is_some_and(|element| element.is_integer_of(8));
        let indices = &affine.map(self.maps[at]).results;
        let channels = indices.get(1).and_then(|&index| affine.dim_position(index)).map(|at| at as usize);
        let is_summed = channels
            .is_some_and(|at| self.iterators.get(at) == Some(&IteratorType::Reduction) && self.extents[at] >= GROUP);
        // Of three dimensions, this order is also that before.
        bytes
            && is_summed
            && indices.len() >= 4
            && rw.value(self.inputs[at]).defining_op().and_then(permutation).is_none()
    }

    /// Replaces `op`, which this is, by a nest whose result has dimension `order[i]` in place `i`, and its transposition. What is read
    /// transposed is read as it lies.
    fn rewrite(mut self, rw: &mut Rewriter<'_>, op: OpId, order: &[usize]) -> Rewrite {
        let cx = rw.cx();
        let affine = cx.affine();
        let at = self.inputs.len();
        let results = affine.map(self.maps[at]).results.to_vec();
        let moved: Option<Vec<_>> = order.iter().map(|&dim| results.get(dim).copied()).collect();
        self.maps[at] = affine.with_results(self.maps[at], moved.ok_or(NoMatch("a result of another rank"))?);
        for (input, map) in self.inputs.iter_mut().zip(&mut self.maps) {
            if let Some(before) = reads_transposed(rw.value(*input), affine, *map) {
                (*input, *map) = before;
            }
        }
        self.rename_loops(affine)?;
        let shape = permuted(&self.shape, order);
        let ty = cx.tensor_type(&shape, self.element);
        rw.set_insertion_before(op);
        if let Some(at) = self.moved {
            let results = affine.map(self.maps[at]).results.to_vec();
            let last: Vec<usize> = std::iter::once(0).chain(2..results.len()).chain([1]).collect();
            let moved: Vec<_> = last.iter().map(|&dim| results[dim]).collect();
            self.maps[at] = affine.with_results(self.maps[at], moved);
            self.inputs[at] = transposed(rw, self.inputs[at], &last, self.loc)?;
        }
        let mut init = empty(rw, &known(&shape), self.element, self.loc);
        if let Some(value) = self.fill {
            let state = named_state(rw, FillOp::NAME, &[value], &[init], TypeFn::CastSigned, self.loc);
            init = rw.create_value(state.map_err(|_| NoMatch("elements that cannot be filled with the value"))?);
        }
        let body = rw.op(op).region(0).id();
        let iterators: Vec<Attr> = self.iterators.iter().map(|iterator| iterator.attr(cx)).collect();
        let generic = Generic {
            loc: self.loc,
            inputs: self.inputs,
            inits: vec![init],
            maps: self.maps,
            iterators: Some(cx.array_attr(&iterators)),
            results: vec![ty],
        };
        let new = generic.create_with_body_of(rw, body);
        rw.set_insertion_before(op);
        let result = rw.ir().result(new, 0);
        let value = if order.is_sorted() { result } else { transpose_back(rw, result, order, self.loc)? };
        rw.replace(op, &[value]);
        Ok(())
    }

    /// The loops over the result first, in its order, then the others as they were.
    fn rename_loops(&mut self, affine: &AffineStore) -> Result<(), NoMatch> {
        let out = affine.map(self.maps[self.inputs.len()]).results.to_vec();
        let over: Option<Vec<usize>> = out.iter().map(|&index| Some(affine.dim_position(index)? as usize)).collect();
        let mut new = over.ok_or(NoMatch("the result is not indexed by loops"))?;
        new.extend((0..self.iterators.len()).filter(|at| !new.contains(at)).collect::<Vec<_>>());
        if new.len() != self.iterators.len() {
            return Err(NoMatch("a loop indexes the result twice"));
        }
        let mut names = vec![affine.constant(0); new.len()];
        for (to, &from) in new.iter().enumerate() {
            names[from] = affine.dim(to as u32);
        }
        for map in &mut self.maps {
            let indices: Vec<_> =
                affine.map(*map).results.iter().map(|&index| affine.replace_in_expr(index, &names, &[])).collect();
            *map = affine.intern_map(new.len() as u32, 0, indices);
        }
        self.iterators = new.iter().map(|&from| self.iterators[from]).collect();
        Ok(())
    }
}

/// The rank of a tensor that is `N C ...` by a transposition of one that is `N ... C`, and that one.
fn channels_first(value: ValueRef<'_>) -> Option<(usize, ValueId)> {
    let producer = value.defining_op()?;
    let permutation = permutation(producer)?;
    let rank = permutation.len();
    let moves = rank >= 3 && permutation.iter().copied().eq([0, rank - 1].into_iter().chain(1..rank - 1));
    moves.then(|| (rank, producer.operand(0).id()))
}

/// The tensor of which dimension `order[i]` is dimension `i` of `value`.
fn transpose_back(rw: &mut Rewriter<'_>, value: ValueId, order: &[usize], loc: Loc) -> Result<ValueId, NoMatch> {
    let mut back = vec![0; order.len()];
    for (at, &dim) in order.iter().enumerate() {
        back[dim] = at;
    }
    transposed(rw, value, &back, loc)
}

/// The tensor of which dimension `i` is dimension `order[i]` of `value`.
fn transposed(rw: &mut Rewriter<'_>, value: ValueId, order: &[usize], loc: Loc) -> Result<ValueId, NoMatch> {
    let ty = rw.value(value).ty();
    let (shape, element) = ty.shape().zip(ty.element_type()).ok_or(NoMatch("no tensor"))?;
    let (shape, element) = (permuted(shape, order), element.id());
    let dest = empty(rw, &known(&shape), element, loc);
    let permutation: Vec<i64> = order.iter().map(|&dim| dim as i64).collect();
    let state = transpose_state(rw, value, dest, &permutation, loc);
    Ok(rw.create_value(state))
}

fn permuted(shape: &[i64], order: &[usize]) -> Vec<i64> {
    order.iter().map(|&dim| shape[dim]).collect()
}

/// Extents that are all known.
fn known(shape: &[i64]) -> Vec<Index> {
    shape.iter().copied().map(Index::Static).collect()
}
