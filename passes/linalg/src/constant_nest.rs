//! An element-wise nest on constants is a constant.

use dl_ir::dialect::FoldedValue;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::fold::fold_results;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Arena, Attr, OpId, OpRef, OpState, Rewriter, Trait, ValueId};
use dl_linalg::{GenericOp, IteratorType, LinalgOp, YieldOp};
use rustc_hash::FxHashMap;

/// Results of more elements than this are left to be computed when running.
const MOST_ELEMENTS: u64 = 1 << 16;

/// Folds a `linalg.generic` that computes its result from constants in the same position alone: each operation of the body folds on whole
/// constants. The result takes no more memory than what it is computed from.
///
/// Cost: elements times operations.
pub(super) fn fold_constant_nest(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let affine = cx.affine();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).filter(|_| view.is::<GenericOp<'_>>()).ok_or(NoMatch("no general nest"))?;
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let parallel = nest.iterator_types().iter().all(|&iterator| iterator == IteratorType::Parallel);
    if !parallel || !has_pure_tensor_semantics(view) || view.num_results() != 1 || nest.inputs().len() == 0 {
        return Err(NoMatch("not element-wise on tensors"));
    }
    if !nest.indexing_maps().iter().all(|&map| affine.is_identity(map)) || body.arg(nest.inputs().len()).has_uses() {
        return Err(NoMatch("elements in several positions"));
    }
    let result = view.result(0).ty();
    let shape = result.shape().filter(|_| result.has_static_shape()).ok_or(NoMatch("extents that are not known"))?;
    let bytes = |element: dl_ir::TypeRef<'_>| element.int_or_float_width().map(|bits| bits.div_ceil(8));
    let inputs = nest.inputs().map(|input| bytes(input.ty().element_or_self()));
    let read: Option<u32> = inputs.sum();
    let count = result.num_elements().filter(|&count| count <= MOST_ELEMENTS);
    if count.is_none() || read.zip(bytes(result.element_or_self())).is_none_or(|(read, written)| written > read) {
        return Err(NoMatch("more elements than are computed now"));
    }
    let mut known: FxHashMap<ValueId, Attr> = FxHashMap::default();
    for (at, input) in nest.inputs().enumerate() {
        let constant = input.constant().ok_or(NoMatch("an input that is not known"))?;
        known.insert(body.arg(at).id(), constant.id());
    }
    // Folding asks for types: the body stands in an arena of its own for a moment, on whole tensors.
    let mut scratch = Arena::new(view.name_id(), view.loc());
    let mut whole = Rewriter::new(cx, &mut scratch);
    let region = whole.new_region();
    let block = whole.append_block(region, &[]);
    whole.set_insertion_to_end(block);
    for inner in body.ops().filter(|inner| !inner.is::<YieldOp<'_>>()) {
        let constant = folded(&mut whole, inner, shape, &known).ok_or(NoMatch("an operation that does not fold"))?;
        known.insert(inner.result(0).id(), constant);
    }
    let yielded = body.last_op().and_then(|last| last.operands().get(0)).ok_or(NoMatch("no result"))?;
    let value = known.get(&yielded.id()).copied().filter(|&value| cx.attr(value).ty() == Some(result));
    let value = value.ok_or(NoMatch("no constant of the type of the result"))?;
    let loc = view.loc();
    rw.set_insertion_before(op);
    let constant = dl_arith::constant(rw, value, loc);
    rw.replace(op, &[constant]);
    Ok(())
}

/// What `op` is on whole constants of this shape; `whole` makes them.
fn folded(whole: &mut Rewriter<'_>, op: OpRef<'_>, shape: &[i64], known: &FxHashMap<ValueId, Attr>) -> Option<Attr> {
    let cx = op.cx();
    if let Some(constant) = op.constant_value() {
        return Some(constant.id());
    }
    if op.num_results() != 1 || op.num_regions() != 0 || !op.has_trait(&Trait::Elementwise) {
        return None;
    }
    let mut operands = Vec::new();
    for operand in op.operands().iter() {
        let constant = known.get(&operand.id()).copied().or_else(|| operand.constant().map(Attr::from))?;
        let tensor = cx.tensor_type(shape, operand.ty().id());
        let splat = || cx.splat_attr(tensor, constant);
        let constant = if cx.attr(constant).is_dense_elements() { constant } else { splat()? };
        operands.push(dl_arith::constant(whole, constant, op.loc()));
    }
    let constants: Vec<Option<Attr>> = operands.iter().map(|&value| constant_of(whole, value)).collect();
    let attrs = op.attrs().map(|(name, attr)| (name, attr.id()));
    let result = cx.tensor_type(shape, op.result(0).ty().id());
    let state = OpState::new(op.name_id(), op.loc()).attrs(attrs).operands(operands).results([result]);
    let copy = whole.create(state);
    match fold_results(whole.op(copy), &constants)?[..] {
        [FoldedValue::Constant(attr)] => Some(attr),
        [FoldedValue::Value(value)] => constant_of(whole, value),
        _ => None,
    }
}

fn constant_of(rw: &Rewriter<'_>, value: ValueId) -> Option<Attr> {
    rw.value(value).constant().map(Attr::from)
}
