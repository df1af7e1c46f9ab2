//! `scf-forall-to-for` and `scf-forall-to-parallel`: loops over buffers whose iterations are independent, as other loops.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::mixed;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Loc, OpId, OpState, OpView, Operands, Rewriter, ValueId};
use dl_scf::{ForallOp, ParallelOp, ReduceOp};
use smallvec::SmallVec;

use crate::nest::{build_nest, move_body};

type Values = SmallVec<[ValueId; 4]>;

/// Makes each `scf.forall` a nest of `scf.for`.
#[derive(Clone, Copy, Default)]
pub struct ForallToFor;

impl Pass for ForallToFor {
    const INFO: PassInfo =
        PassInfo::new("scf-forall-to-for", "Convert SCF forall loops to SCF for loops").title("SCFForallToForLoop");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        crate::rewrite_each::<ForallOp<'_>>(cx, &mut |rw, op| report(rw, op, forall_to_for))
    }
}

/// Makes each `scf.forall` an `scf.parallel`.
#[derive(Clone, Copy, Default)]
pub struct ForallToParallel;

impl Pass for ForallToParallel {
    const INFO: PassInfo = PassInfo::new("scf-forall-to-parallel", "Convert SCF forall loops to SCF parallel loops")
        .title("SCFForallToParallelLoop");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        crate::rewrite_each::<ForallOp<'_>>(cx, &mut |rw, op| report(rw, op, forall_to_parallel))
    }
}

/// What a rewrite does not apply to is an error.
fn report<R>(
    rw: &mut Rewriter<'_>,
    op: OpId,
    rewrite: fn(OpId, &mut Rewriter<'_>) -> Result<R, NoMatch>,
) -> PassResult {
    rewrite(op, rw).map(|_| ()).map_err(|NoMatch(why)| rw.op(op).error(why).into())
}

const HAS_OUTPUTS: NoMatch = NoMatch("only fully bufferized scf.forall ops can be lowered");

/// Makes a nest of sequential loops of an `scf.forall` without outputs. Answers the loops, outermost first.
pub(crate) fn forall_to_for(op: OpId, rw: &mut Rewriter<'_>) -> Result<Vec<OpId>, NoMatch> {
    let view = ForallOp::wrap(rw.op(op));
    if !view.outputs().is_empty() {
        return Err(HAS_OUTPUTS);
    }
    let body = view.region().entry().ok_or(NoMatch("has no body"))?.id();
    let loc = view.0.loc();
    rw.set_insertion_before(op);
    let [lower, upper, step] = bounds(rw, op, loc);
    let bounds: Vec<[ValueId; 3]> =
        lower.iter().zip(&upper).zip(&step).map(|((&lower, &upper), &step)| [lower, upper, step]).collect();
    let nest = build_nest(rw, &bounds, loc);
    move_body(rw, body, &nest);
    rw.erase(op);
    Ok(nest.loops)
}

/// Makes an `scf.parallel` of an `scf.forall` without outputs.
///
/// # Errors
/// Where it has outputs: it must be bufferized first.
pub fn forall_to_parallel(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    parallel_of_forall(op, rw).map(|_| ())
}

/// The same; answers the new loop.
pub(crate) fn parallel_of_forall(op: OpId, rw: &mut Rewriter<'_>) -> Result<OpId, NoMatch> {
    let view = ForallOp::wrap(rw.op(op));
    if !view.outputs().is_empty() {
        return Err(NoMatch("only fully bufferized scf.forall ops can be lowered to scf.parallel"));
    }
    let body = view.region().entry().ok_or(NoMatch("has no body"))?;
    let end = body.last_op().ok_or(NoMatch("has no terminator"))?.id();
    let mapping = view.mapping().map(|attr| (rw.cx().ident("mapping"), attr.id()));
    let (region, loc) = (view.region().id(), view.0.loc());
    rw.set_insertion_before(op);
    let bounds = bounds(rw, op, loc);
    let rank = bounds[0].len();
    let body = rw.new_region();
    rw.move_blocks(region, body, None);
    rw.set_insertion_before(end);
    rw.replace_with(end, OpState::of::<ReduceOp<'_>>(loc));
    let state = OpState::of::<ParallelOp<'_>>(loc)
        .operands(bounds.into_iter().flatten())
        .operand_segments(rw.cx(), &[rank, rank, rank, 0])
        .attrs(mapping)
        .region(body);
    Ok(rw.replace_with(op, state))
}

/// Lower bounds, upper bounds and steps as values, constants made at the insertion point.
fn bounds(rw: &mut Rewriter<'_>, op: OpId, loc: Loc) -> [Values; 3] {
    let view = ForallOp::wrap(rw.op(op));
    let [lower, upper, step] = dl_scf::forall_bounds(view);
    let all = |constants: &[i64], values: Operands<'_>| mixed(constants, values);
    let parts = [
        all(&lower, view.dynamic_lower_bound()),
        all(&upper, view.dynamic_upper_bound()),
        all(&step, view.dynamic_step()),
    ];
    parts.map(|indices| {
        let value = |index: Index| match index {
            Index::Value(value) => value,
            Index::Static(number) => dl_arith::constant_index(rw, number, loc),
        };
        indices.into_iter().map(value).collect()
    })
}
