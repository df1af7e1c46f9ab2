//! Elements of tensors: of what computes each of them, and of casts.

use dl_ir::effects::is_memory_effect_free;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Mapping, OpDefinition, OpId, OpState, Rewriter, ValueId, clone_op};

use crate::{CastOp, ExtractOp, GenerateOp, YieldOp};

/// An element of a cast is one of its source.
fn extract_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let source = view.operand(0).def::<CastOp<'_>>().map(|cast| cast.source()).filter(|s| s.ty().has_rank());
    let source = source.ok_or(NoMatch("the source is no cast of a ranked tensor"))?.id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// An element of integers converted one by one is an element, converted.
fn extract_of_index_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let extract = ExtractOp(rw.op(op));
    let cast = extract.tensor().def::<dl_arith::IndexCastOp<'_>>().ok_or(NoMatch("the source is not converted"))?.0;
    let source = cast.operand(0);
    let element = source.ty().element_type().filter(|_| source.ty().has_static_shape());
    let element = element.ok_or(NoMatch("an extent is dynamic"))?.id();
    let (source, indices, loc, ty) =
        (source.id(), extract.indices().ids(), extract.0.loc(), extract.result().ty().id());
    let state = OpState::of::<ExtractOp<'_>>(loc).operands([source]).operands(indices).results([element]);
    let element = rw.create_value(state);
    rw.replace_with(op, OpState::of::<dl_arith::IndexCastOp<'_>>(loc).operands([element]).results([ty]));
    Ok(())
}

/// An element of a generated tensor is what the region computes for its indices, where that has no effect.
fn extract_of_generate(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let extract = ExtractOp(rw.op(op));
    let generate = extract.tensor().def::<GenerateOp<'_>>().ok_or(NoMatch("the source is not generated"))?.0;
    let block = generate.region(0).entry().ok_or(NoMatch("no body"))?;
    let body: Vec<OpId> = block.ops().map(|each| each.id()).collect();
    let Some((&last, body)) = body.split_last() else { return Err(NoMatch("no body")) };
    let yielded = rw.op(last).cast::<YieldOp<'_>>().ok_or(NoMatch("nothing is yielded"))?.value().id();
    let pure = |&each: &OpId| rw.op(each).num_regions() == 0 && is_memory_effect_free(rw.op(each));
    if !body.iter().all(pure) {
        return Err(NoMatch("the body may have an effect"));
    }
    let mut mapping = Mapping::new();
    let indices = extract.indices().ids();
    let args: Vec<ValueId> = block.args().map(|arg| arg.id()).collect();
    args.into_iter().zip(indices).for_each(|(arg, index)| mapping.map(arg, index));
    for &each in body {
        clone_op(rw, each, &mut mapping);
    }
    let value = mapping.value(yielded);
    rw.replace(op, &[value]);
    Ok(())
}

pub(crate) fn extract(patterns: &mut Patterns) {
    let root = Some(ExtractOp::NAME);
    patterns
        .add_fn("tensor-extract-of-cast", root, extract_of_cast)
        .add_fn("tensor-extract-of-index-cast", root, extract_of_index_cast)
        .add_fn("tensor-extract-of-generate", root, extract_of_generate);
}
