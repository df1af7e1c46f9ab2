//! Making operations on loop nests, their bodies included.

use dl_ir::affine::AffineMap;
use dl_ir::{Attr, Context, Loc, OpDefinition, OpState, Rewriter, Type, ValueId};

use crate::assembly::named::{elementwise_body, named_op};
use crate::named::{Body, NamedOp};
use crate::structured::element;
use crate::{BroadcastOp, ElementwiseKind, ElementwiseOp, TransposeOp, TypeFn, build_body};

/// The attribute for a list of maps.
pub fn maps_attr(cx: &Context, maps: &[AffineMap]) -> Attr {
    let maps: Vec<Attr> = maps.iter().map(|&map| cx.affine_map_attr(map)).collect();
    cx.array_attr(&maps)
}

/// A list of numbers as convolutions store strides and dilations: `dense<...> : tensor<nxi64>`.
pub fn window_attr(cx: &Context, sizes: &[i64]) -> Option<Attr> {
    let elements: Vec<Attr> = sizes.iter().map(|&size| cx.i64_attr(size)).collect();
    let ty = cx.tensor_type(&[i64::try_from(sizes.len()).ok()?], cx.i64_type());
    cx.dense_attr(ty, &elements)
}

/// The types of the arguments of a body for these operands, and of the results of an operation with these inits.
fn types(rw: &Rewriter<'_>, inputs: &[ValueId], inits: &[ValueId]) -> (Vec<Type>, Vec<Type>) {
    let args = inputs.iter().chain(inits).map(|&value| element(rw.value_type(value)).id()).collect();
    let results = inits.iter().map(|&init| rw.value_type(init)).filter(|ty| ty.is_tensor()).map(|ty| ty.id()).collect();
    (args, results)
}

/// Operands, results and the body of an operation whose body is one of the table.
fn with_body(
    rw: &mut Rewriter<'_>,
    state: OpState,
    (inputs, inits): (&[ValueId], &[ValueId]),
    body: Body,
    cast: TypeFn,
) -> Result<OpState, String> {
    let (args, results) = types(rw, inputs, inits);
    if args.len() != body.num_operands() {
        return Err(format!("expected {} operands, but found {}", body.num_operands(), args.len()));
    }
    let region = rw.new_region();
    build_body(rw, region, &args, body, cast, state.loc)?;
    Ok(state.operands(inputs.iter().chain(inits).copied()).results(results).region(region))
}

/// The parts of the named operation `name` without attributes of its own: those that it needs are to be added, its maps where it has
/// an attribute for them included. Elements are converted as `cast` says.
///
/// # Errors
/// A name that is not of the table, a wrong number of operands, or element types that the operation does not take.
pub fn named_state(
    rw: &mut Rewriter<'_>,
    name: &'static str,
    inputs: &[ValueId],
    inits: &[ValueId],
    cast: TypeFn,
    loc: Loc,
) -> Result<OpState, String> {
    let NamedOp { body, .. } = named_op(name).ok_or_else(|| format!("'{name}' is no named operation"))?;
    let cx = rw.cx();
    let state = OpState::named(name, loc).operand_segments(cx, &[inputs.len(), inits.len()]);
    let state = if cast == TypeFn::CastSigned { state } else { state.attr(cx, "cast", cast.attr(cx)) };
    with_body(rw, state, (inputs, inits), *body, cast)
}

/// The parts of `linalg.elementwise`.
///
/// # Errors
/// A wrong number of operands, or element types that the function does not take.
pub fn elementwise_state(
    rw: &mut Rewriter<'_>,
    kind: ElementwiseKind,
    maps: &[AffineMap],
    inputs: &[ValueId],
    init: ValueId,
    loc: Loc,
) -> Result<OpState, String> {
    let cx = rw.cx();
    let state = OpState::of::<ElementwiseOp<'_>>(loc)
        .operand_segments(cx, &[inputs.len(), 1])
        .attr(cx, "kind", kind.attr(cx))
        .attr(cx, "indexing_maps", maps_attr(cx, maps));
    with_body(rw, state, (inputs, &[init]), elementwise_body(kind), TypeFn::CastSigned)
}

/// The parts of an operation that hands its input over unchanged, with one list of dimensions.
fn move_state<T: OpDefinition>(
    rw: &mut Rewriter<'_>,
    input: ValueId,
    init: ValueId,
    (name, dims): (&str, &[i64]),
    loc: Loc,
) -> OpState {
    let state = OpState::of::<T>(loc).attr(rw.cx(), name, rw.cx().dense_i64_array(dims));
    with_body(rw, state, (&[input], &[init]), Body::Move, TypeFn::CastSigned).expect("an element is moved as it is")
}

/// The parts of `linalg.transpose`: dimension `i` of the init is dimension `permutation[i]` of the input.
pub fn transpose_state(rw: &mut Rewriter<'_>, input: ValueId, init: ValueId, permutation: &[i64], loc: Loc) -> OpState {
    move_state::<TransposeOp<'_>>(rw, input, init, ("permutation", permutation), loc)
}

/// The parts of `linalg.broadcast`: `dimensions` are those of the init that the input does not have.
pub fn broadcast_state(rw: &mut Rewriter<'_>, input: ValueId, init: ValueId, dimensions: &[i64], loc: Loc) -> OpState {
    move_state::<BroadcastOp<'_>>(rw, input, init, ("dimensions", dimensions), loc)
}
