//! Loop nests as vectors: `transform.structured.vectorize` and `vectorize_children_and_apply_patterns`.

use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{Pattern, Patterns, Rewrite};
use dl_ir::{
    AttrRef, Context, DYNAMIC, Diagnostic, DialectBuilder, OpDefinition, OpId, OpRef, OpView, Rewriter, Trait,
};
use dl_linalg::LinalgOp;
use dl_memref::CopyOp;
use dl_passes_schedules::{
    Each, Entity, Failure, Interpreter, Outcome, PatternSource, PayloadOp, Results, Transformation, rewrite_greedily,
};
use dl_passes_vector::{fold_extension, lowering, reduction_to_contract, sink_ops};
use dl_transform::types::is_param;
use dl_transform::{
    ApplyDecomposeTensorPadPatternsOp, ApplyPadVectorizationPatternsOp, VectorizeChildrenAndApplyPatternsOp,
    VectorizeOp,
};
use dl_vector::{TransferReadOp, TransferWriteOp};

use crate::decompose_pad;
use crate::whole::{Request, add_pad_patterns, is_relayout, vectorize_copy, vectorize_whole};

pub(super) fn attach(builder: &mut DialectBuilder) {
    builder.on::<VectorizeOp<'_>>().interface::<dyn Transformation>(Box::new(Vectorize));
    builder
        .on::<VectorizeChildrenAndApplyPatternsOp<'_>>()
        .interface::<dyn Transformation>(Each::consuming(vectorize_children));
    pattern_source::<ApplyPadVectorizationPatternsOp<'_>>(builder, |_, set| add_pad_patterns(set));
    pattern_source::<ApplyDecomposeTensorPadPatternsOp<'_>>(builder, |_, set| decompose_pad::add_patterns(set));
}

fn pattern_source<T: OpDefinition>(builder: &mut DialectBuilder, add: fn(OpRef<'_>, &mut Patterns)) {
    builder.on::<T>().interface::<dyn PatternSource>(Box::new(add));
}

struct Vectorize;

impl Transformation for Vectorize {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, _: &mut Results) -> Outcome {
        let view = VectorizeOp::wrap(op);
        let targets = run.ops(view.target());
        if targets.is_empty() {
            return Ok(());
        }
        let request = Request {
            sizes: sizes(view, run)?,
            scalable: view.scalable_sizes().dense_ints().map(|mark| mark != 0).collect(),
            extracts_of_any_rank: view.vectorize_nd_extract().is_some(),
            fills_dynamic: view.assume_dynamic_dims_match_vec_sizes().is_some(),
            contracts: view.create_named_contraction().is_some(),
        };
        for target in targets {
            run.check_live(op, target)?;
            let loc = run.op(target).loc();
            let failed = |message: &str| Err(Failure::Silenceable(Diagnostic::error(loc, message).into()));
            if LinalgOp::of(run.op(target)).is_none() && !is_relayout(run.op(target)) {
                return failed("Unsupported Op, cannot vectorize");
            }
            if run.rewrite(target.arena, |rw| vectorize_whole(rw, target.id, &request)).is_err() {
                return failed("Attempted to vectorize, but failed");
            }
        }
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, operand: usize, _: &Interpreter<'s, '_>) -> bool {
        operand == 0
    }
}

/// The extents of the vectors: numbers, parameters, and what constants of the payload are.
fn sizes<'s>(view: VectorizeOp<'s>, run: &Interpreter<'s, '_>) -> Result<Vec<i64>, Failure> {
    let op = view.op();
    let mut operands = view.vector_sizes().iter();
    let mut size = |known: i64| {
        let Some(handle) = (known == DYNAMIC).then(|| operands.next()).flatten() else { return Ok(known) };
        let fail = |message: &str| Failure::silenceable(op, message);
        match *run.entities(handle) {
            [Entity::Param(param)] => run.cx().attr(param).as_int().ok_or_else(|| fail("expected an integer param")),
            [Entity::Op(producer)] => {
                let producer = run.op(producer);
                if producer.num_results() != 1 || !producer.result(0).ty().is_index() {
                    return Err(fail("requires param or handle to be result of op with 1 index result"));
                }
                let number = producer.result(0).constant().and_then(AttrRef::as_int);
                number.ok_or_else(|| fail("requires param or handle to be the result of a constant like op"))
            }
            [Entity::Value(_)] => Err(fail("unexpected value handle")),
            _ if is_param(handle.ty()) => Err(fail("expected a single param")),
            _ => Err(fail("requires param or handle that is mapped to 1 payload op")),
        }
    };
    view.static_vector_sizes().dense_ints().map(&mut size).collect()
}

/// Any operation that vectors can be made of.
struct VectorizeAny(Request);

impl Pattern for VectorizeAny {
    const NAME: &'static str = "linalg-vectorize-whole";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        vectorize_whole(rw, op, &self.0)
    }
}

/// The patterns that make vectors of all that is in an operation, and those that clean up after that.
fn patterns(cx: &Context, view: VectorizeChildrenAndApplyPatternsOp<'_>) -> Patterns {
    let mut patterns = Patterns::new();
    let extracts_of_any_rank = view.vectorize_nd_extract().is_some();
    patterns.add(VectorizeAny(Request { extracts_of_any_rank, ..Request::default() }));
    if view.disable_transfer_permutation_map_lowering_patterns().is_none() {
        lowering::transfer_maps(&mut patterns);
    }
    if view.disable_multi_reduction_to_contract_patterns().is_none() {
        reduction_to_contract(&mut patterns);
    }
    sink_ops(&mut patterns);
    patterns.add_canonicalization(cx, TransferReadOp::NAME).add_canonicalization(cx, TransferWriteOp::NAME);
    dl_passes_tensor::add_transfer_patterns(&mut patterns);
    patterns.add_fn("memref-vectorize-copy", Some(CopyOp::NAME), vectorize_copy);
    if view.fold_type_extensions_into_contract().is_some() {
        fold_extension(&mut patterns);
    }
    if view.vectorize_padding().is_some() {
        add_pad_patterns(&mut patterns);
        decompose_pad::add_patterns(&mut patterns);
    }
    lowering::step(&mut patterns);
    patterns
}

/// `transform.structured.vectorize_children_and_apply_patterns`.
fn vectorize_children<'s>(
    op: OpRef<'s>,
    run: &mut Interpreter<'s, '_>,
    target: PayloadOp,
) -> Result<Vec<Entity>, Failure> {
    let view = VectorizeChildrenAndApplyPatternsOp::wrap(op);
    if view.flatten_1d_depthwise_conv().is_some() {
        return Err(Failure::unsupported(op, "vectors of convolutions"));
    }
    let payload = run.op(target);
    if !payload.has_trait(&Trait::IsolatedFromAbove) {
        let error = op.error("requires isolated-from-above targets").note(payload.loc(), "non-isolated target");
        return Err(Failure::Definite(error.into()));
    }
    let patterns = patterns(run.cx(), view).freeze();
    if !rewrite_greedily(run, target, &patterns, &GreedyConfig::default()) {
        let error = Failure::definite(op, "failed to apply");
        return Err(error.note(run.op(target).loc(), "when applied to this op"));
    }
    Ok(vec![Entity::Op(target)])
}
