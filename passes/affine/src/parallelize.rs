//! `affine-parallelize`: loops whose iterations do not depend on each other become parallel ones.

use dl_affine::{AffineForOp, AffineIfOp, AffineParallelOp, AffineYieldOp};
use dl_ir::affine::{AffineExpr, AffineExprData};
use dl_ir::interfaces::ViewLike;
use dl_ir::opdef::Effects;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, BlockRef, OpId, OpRef, OpState, Rewriter, Trait, ValueId, ValueRef};

use crate::access::{Access, is_load, is_store, level_of};
use crate::dependence::{Meeting, meeting};
use crate::loops;
use crate::reduction::{Reduction, reductions};

dl_ir::pass_options! {
    /// Options of [`AffineParallelize`].
    pub struct AffineParallelizeOptions {
        /// Most parallel loops in each other
        max_nested "max-nested": u64 = 4_294_967_295,
        /// Make loops parallel that carry sums and the like, too
        parallel_reductions "parallel-reductions": bool = false,
    }
}

/// Makes `affine.for` loops `affine.parallel`, outer ones first.
#[derive(Clone, Default)]
pub struct AffineParallelize {
    /// The options.
    pub options: AffineParallelizeOptions,
}

impl Pass for AffineParallelize {
    const INFO: PassInfo = PassInfo::new("affine-parallelize", "Convert affine.for ops into 1-D affine.parallel")
        .title("AffineParallelize")
        .on("func.func");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        let all = ops_in_arena(rw.ir(), Arena::ROOT);
        let loops = all.into_iter().filter(|&op| rw.op(op).is::<AffineForOp<'_>>());
        let parallel: Vec<(OpId, Vec<Reduction>)> = loops
            .filter_map(|op| {
                let each = loops::view(&rw, op);
                let found = if self.options.parallel_reductions { reductions(each)? } else { Vec::new() };
                let is_whole = found.len() == each.inits().len();
                (is_whole && is_memory_parallel(each)).then_some((op, found))
            })
            .collect();
        for (op, found) in parallel {
            let outer = std::iter::successors(rw.op(op).parent(), |op| op.parent())
                .take_while(|op| !op.has_trait(&Trait::AffineScope))
                .filter(|op| op.is::<AffineParallelOp<'_>>())
                .count();
            if (outer as u64) < self.options.max_nested {
                make_parallel(&mut rw, op, &found);
            }
        }
        Ok(())
    }
}

/// Whether no iteration of the loop touches what another one writes.
pub fn is_memory_parallel(of: AffineForOp<'_>) -> bool {
    if of.0.results().iter().any(|result| result.ty().is_memref()) {
        return false;
    }
    let inside = ops_in_arena(of.0.arena(), of.0.id()).into_iter().map(|op| OpRef::new(of.0.cx(), of.0.arena(), op));
    let mut accesses = Vec::new();
    for op in inside {
        if is_load(op) || is_store(op) {
            let Some(access) = Access::of(op) else { return false };
            if !is_made_in(of.0, access.memref) {
                accesses.push(access);
            }
        } else if !is_harmless(op) {
            return false;
        }
    }
    let Some(level) = level_of(of) else { return false };
    let Some(variable) = of.region().entry().and_then(|body| body.args().next()) else { return false };
    accesses.iter().all(|a| {
        let others = accesses.iter().filter(|b| (a.is_write || b.is_write) && !are_apart_by(variable, a, b));
        others.into_iter().all(|b| match meeting(a, b) {
            Meeting::Never => true,
            Meeting::Unknown => false,
            Meeting::Where(pair) => !pair.carried_at(level).is_possible(),
        })
    })
}

/// Whether different values of `variable` are seen at a glance to give different elements: both accesses have it for one and the same index.
fn are_apart_by(variable: ValueRef<'_>, a: &Access<'_>, b: &Access<'_>) -> bool {
    let affine = variable.cx().affine();
    let is_variable = |access: &Access<'_>, result: AffineExpr| match affine.expr(result) {
        AffineExprData::Dim(dim) => access.operands.get(dim as usize) == Some(&variable),
        _ => false,
    };
    let lengths = a.shape().into_iter().zip(b.shape());
    let results = affine.map(a.map).results.iter().zip(&affine.map(b.map).results);
    let around = a.memref.parent_block().and_then(BlockRef::parent_op);
    let of = variable.parent_block().and_then(BlockRef::parent_op);
    // A buffer that is found in the loop may be another part of memory each time.
    let is_from_outside = around.zip(of).is_some_and(|(around, of)| around != of && !of.is_ancestor_of(around.id()));
    a.memref == b.memref
        && is_from_outside
        && results.zip(lengths).any(|((&x, &y), lengths)| lengths == (1, 1) && is_variable(a, x) && is_variable(b, y))
}

/// Whether other iterations cannot notice the operation.
fn is_harmless(op: OpRef<'_>) -> bool {
    let is_structure = op.is::<AffineForOp<'_>>()
        || op.is::<AffineYieldOp<'_>>()
        || op.is::<AffineIfOp<'_>>()
        || op.is::<AffineParallelOp<'_>>();
    let allocates_only = || dl_ir::effects::effects_of(op) == Some(Effects::ALLOCATE);
    is_structure || allocates_only() || dl_ir::effects::is_memory_effect_free(op)
}

/// Whether the buffer is allocated in the loop, or a view of one that is.
fn is_made_in(around: OpRef<'_>, memref: ValueRef<'_>) -> bool {
    let mut value = memref;
    loop {
        if dl_passes_transforms::alias::is_allocated(value) {
            return value.defining_op().is_some_and(|op| around.is_ancestor_of(op.id()));
        }
        let Some(op) = value.defining_op() else { return false };
        let Some(view) = op.interface::<dyn ViewLike>() else { return false };
        value = ValueRef::new(op.cx(), op.arena(), view.source(op).id());
    }
}

/// Makes the loop parallel. The operations of reductions combine the initial values with what the loop results in, after it.
fn make_parallel(rw: &mut Rewriter<'_>, op: OpId, reductions: &[Reduction]) {
    let cx = rw.cx();
    let each = loops::view(rw, op);
    let (loc, step, inits) = (each.0.loc(), loops::step(each), each.inits().ids());
    let (lower, upper) = (each.lower_bound_map(), each.upper_bound_map());
    let sizes = [lower, upper].map(|map| map.as_affine_map().map_or(0, |m| cx.affine().map(m).results.len()));
    let operands: Vec<ValueId> =
        each.lower_bound_operands().ids().into_iter().chain(each.upper_bound_operands().ids()).collect();
    let (lower, upper, region) = (lower.id(), upper.id(), each.region().id());
    let end = loops::terminator(rw, op);
    let block = loops::body(rw, op);
    let combiners: Vec<OpId> =
        rw.ir().operands(end).collect::<Vec<_>>().into_iter().filter_map(|value| rw.ir().defining_op(value)).collect();
    let types: Vec<_> = reductions.iter().map(|reduction| rw.ir().value_type(reduction.value)).collect();
    let kinds: Vec<_> = reductions.iter().map(|reduction| cx.i64_attr(reduction.kind.value() as i64)).collect();
    let groups = |count: usize| {
        let count = cx.i32_attr(i32::try_from(count).unwrap_or(i32::MAX));
        cx.dense_attr(cx.tensor_type(&[1], cx.i32_type()), &[count])
    };
    let (Some(lower_groups), Some(upper_groups)) = (groups(sizes[0]), groups(sizes[1])) else { return };

    let body = rw.new_region();
    rw.move_blocks(region, body, None);
    rw.set_insertion_before(op);
    let state = OpState::of::<AffineParallelOp<'_>>(loc)
        .operands(operands)
        .results(types)
        .attr(cx, "reductions", cx.array_attr(&kinds))
        .attr(cx, "lowerBoundsMap", lower)
        .attr(cx, "lowerBoundsGroups", lower_groups)
        .attr(cx, "upperBoundsMap", upper)
        .attr(cx, "upperBoundsGroups", upper_groups)
        .attr(cx, "steps", cx.array_attr(&[cx.i64_attr(step)]))
        .region(body);
    let parallel = rw.create(state);
    let mut results = Vec::new();
    for (at, &combiner) in combiners.iter().enumerate() {
        rw.move_before(combiner, op);
        let result = rw.ir().result(parallel, at);
        rw.set_operands(combiner, &[inits[at], result]);
        results.push(rw.ir().result(combiner, 0));
    }
    rw.replace(op, &results);
    let values: Vec<ValueId> = reductions.iter().map(|reduction| reduction.value).collect();
    rw.set_operands(end, &values);
    for at in (1..=reductions.len()).rev() {
        rw.erase_block_arg(block, at);
    }
}
