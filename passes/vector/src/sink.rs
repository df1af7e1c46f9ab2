//! Broadcasts and transposes after what is computed from them, and elements taken before: so that less is computed, and they meet what can do
//! without them.

use dl_arith::{Build, constant_state};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, OpState, OpView, Rewriter, Trait, Type, TypeRef, ValueId, ValueRef};
use dl_vector::types::{extents, kept_dims, vector_type};
use dl_vector::{BroadcastOp, ExtractOp, FMAOp, TransposeOp};

use crate::build::VectorBuild;

/// Adds the patterns.
pub fn sink_ops(patterns: &mut Patterns) {
    patterns
        .add_fn("vector-elementwise-of-transposes", None, of_transposes)
        .add_fn("vector-cast-of-broadcast", None, cast_of_broadcast)
        .add_fn("vector-elementwise-of-broadcasts", None, of_broadcasts)
        .add_fn("vector-extract-of-elementwise", Some(ExtractOp::NAME), extract_of_elementwise);
}

/// Whether `op` computes the elements of its result one by one, and does so for scalars as well.
fn is_elementwise(op: OpRef<'_>) -> bool {
    let all = [Trait::Elementwise, Trait::Scalarizable, Trait::Vectorizable, Trait::Tensorizable];
    op.num_results() == 1 && op.num_regions() == 0 && all.iter().all(|has| op.has_trait(has)) && !op.is::<FMAOp<'_>>()
}

/// A type like `like`, a vector or no shape at all, of other elements.
fn with_shape_of(like: TypeRef<'_>, element: Type) -> Type {
    if !like.is_vector() {
        return element;
    }
    let (shape, scalable) = kept_dims(like, |_| true);
    vector_type(like.cx(), &shape, &scalable, element)
}

/// The state of an operation like `op` with other operands and another result.
fn like(op: OpRef<'_>, operands: impl IntoIterator<Item = ValueId>, result: Type) -> OpState {
    let attrs: Vec<_> = op.attrs().map(|(name, attr)| (name, attr.id())).collect();
    OpState::new(op.name_id(), op.loc()).attrs(attrs).operands(operands).results([result])
}

/// What is computed from vectors that are transposed alike is computed before.
fn of_transposes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if !view.has_trait(&Trait::Elementwise) || view.num_results() != 1 || view.num_regions() != 0 {
        return Err(NoMatch("not element by element"));
    }
    let mut order: Option<Vec<i64>> = None;
    let mut source = None;
    for operand in view.operands().iter() {
        if let Some(transpose) = operand.def::<TransposeOp<'_>>() {
            let own: Vec<i64> = transpose.permutation().dense_ints().collect();
            if order.as_ref().is_some_and(|order| *order != own) {
                return Err(NoMatch("transposed otherwise"));
            }
            order = Some(own);
            source = Some(transpose.vector().ty());
        } else if operand.constant().is_none() || !operand.ty().is_vector() {
            return Err(NoMatch("not transposed"));
        }
    }
    let (order, source) = order.zip(source).ok_or(NoMatch("nothing is transposed"))?;
    let inverse: Vec<i64> =
        (0..order.len() as i64).filter_map(|dim| order.iter().position(|&at| at == dim)).map(|at| at as i64).collect();
    let result = with_shape_of(source, view.result(0).ty().element_or_self().id());
    let operands: Vec<(ValueId, Option<ValueId>)> = view
        .operands()
        .iter()
        .map(|operand| (operand.id(), operand.def::<TransposeOp<'_>>().map(|transpose| transpose.vector().id())))
        .collect();
    let loc = view.loc();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let operands: Vec<ValueId> =
        operands.into_iter().map(|(own, before)| before.unwrap_or_else(|| b.transpose(own, &inverse))).collect();
    let state = like(b.op(op), operands, result);
    let computed = b.create_value(state);
    let value = b.transpose(computed, &order);
    rw.replace(op, &[value]);
    Ok(())
}

/// What is cast is cast before it is repeated.
fn cast_of_broadcast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if !view.names_interface("CastOpInterface")
        || view.num_operands() != 1
        || !is_elementwise(view)
        || !view.result(0).ty().is_vector()
    {
        return Err(NoMatch("no cast of vectors"));
    }
    let source = view.operand(0).def::<BroadcastOp<'_>>().ok_or(NoMatch("nothing is repeated"))?.source();
    replace_by_broadcast(op, rw, &[source.id()])
}

/// Replaces `op` by the same of `operands`, repeated.
fn replace_by_broadcast(op: OpId, rw: &mut Rewriter<'_>, operands: &[ValueId]) -> Rewrite {
    let view = rw.op(op);
    let (result, loc) = (view.result(0).ty(), view.loc());
    let own = with_shape_of(rw.value_type(operands[0]), result.element_or_self().id());
    let state = like(view, operands.iter().copied(), own);
    let result = result.id();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let computed = b.create_value(state);
    let value = b.broadcast(computed, result);
    rw.replace(op, &[value]);
    Ok(())
}

/// What is computed from vectors that repeat the same shape is computed before.
fn of_broadcasts(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if !is_elementwise(view) || !view.result(0).ty().is_vector() || view.num_operands() == 0 {
        return Err(NoMatch("not element by element"));
    }
    let source = |value: ValueRef<'_>| value.def::<BroadcastOp<'_>>().map(|broadcast| broadcast.source().id());
    let splat = |value: ValueRef<'_>| value.constant().and_then(|constant| constant.splat_value()).map(|one| one.id());
    let first = view.operands().iter().find_map(source).ok_or(NoMatch("nothing is repeated"))?;
    let shape = rw.value_type(first);
    let fits = |value: ValueRef<'_>| match source(value) {
        Some(source) => {
            let ty = rw.value_type(source);
            ty.is_vector() == shape.is_vector()
                && extents(ty) == extents(shape)
                && ty.scalable_dims() == shape.scalable_dims()
        }
        None => splat(value).is_some(),
    };
    if !view.operands().iter().all(fits) {
        return Err(NoMatch("operands that are no repetitions of the same shape"));
    }
    let parts: Vec<_> = view
        .operands()
        .iter()
        .map(|value| (source(value), splat(value), with_shape_of(shape, value.ty().element_or_self().id())))
        .collect();
    let (cx, loc) = (rw.cx(), view.loc());
    rw.set_insertion_before(op);
    let mut operands = Vec::new();
    for (source, splat, ty) in parts {
        operands.push(match (source, splat) {
            (Some(source), _) => source,
            (None, Some(one)) => {
                let value = if cx.ty(ty).is_vector() { cx.splat_attr(ty, one) } else { Some(one) };
                let state = constant_state(cx, value.ok_or(NoMatch("no constant"))?, loc);
                rw.create_value(state)
            }
            (None, None) => return Err(NoMatch("an operand that is not repeated")),
        });
    }
    replace_by_broadcast(op, rw, &operands)
}

/// A part of what is computed is computed of the parts.
fn extract_of_elementwise(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ExtractOp::wrap(rw.op(op));
    let maker =
        view.source().defining_op().filter(|maker| is_elementwise(*maker)).ok_or(NoMatch("not element by element"))?;
    let types = maker.operands().types();
    if !maker.result(0).has_one_use() || types.is_empty() || types.iter().any(|&ty| ty != types[0]) {
        return Err(NoMatch("used otherwise, or of operands of several types"));
    }
    if !view.dynamic_position().is_empty() {
        return Err(NoMatch("a position that is not known"));
    }
    let position: Vec<i64> = view.static_position().dense_ints().collect();
    let (result, maker, operands) = (view.result().ty().id(), maker.id(), maker.operands().ids());
    rw.set_insertion_before(maker);
    let loc = rw.op(maker).loc();
    let mut b = Build::new(rw, loc);
    let parts: Vec<ValueId> = operands.iter().map(|&operand| b.part(operand, &position)).collect();
    let state = like(b.op(maker), parts, result);
    let value = b.create_value(state);
    rw.replace(op, &[value]);
    rw.erase(maker);
    Ok(())
}
