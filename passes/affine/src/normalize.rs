//! `affine-loop-normalize`: loops that start at zero and count by one.

use dl_affine::{AffineApplyOp, AffineForOp, AffineParallelOp, ForBound};
use dl_ir::affine::AffineExpr;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena_post_order;
use dl_ir::{Arena, AttrRef, OpId, OpRef, OpState, OpView, Rewriter, ValueId, ValueRef};

use crate::loops::{self, ValueMap};

dl_ir::pass_options! {
    /// Options of [`AffineLoopNormalize`].
    pub struct AffineLoopNormalizeOptions {
        /// Put the body of a loop that runs once in its place
        promote_single_iter "promote-single-iter": bool = false,
    }
}

/// Makes each `affine.for` and `affine.parallel` count from zero by one. Loops whose lower bound is the greatest of several things stay.
#[derive(Clone, Default)]
pub struct AffineLoopNormalize {
    /// The options.
    pub options: AffineLoopNormalizeOptions,
}

impl Pass for AffineLoopNormalize {
    const INFO: PassInfo =
        PassInfo::new("affine-loop-normalize", "Apply normalization transformations to affine loop-like ops")
            .title("AffineLoopNormalize")
            .on("func.func");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        for op in ops_in_arena_post_order(rw.ir(), Arena::ROOT) {
            if rw.op(op).is::<AffineParallelOp<'_>>() {
                normalize_parallel(&mut rw, op);
            } else if rw.op(op).is::<AffineForOp<'_>>() {
                normalize_for(&mut rw, op, self.options.promote_single_iter);
            }
        }
        Ok(())
    }
}

/// Makes the loop start at zero and count by one; its old induction variable is computed from the new one. With `promote`, a loop that runs once
/// becomes its body. Answers whether that is how the loop is now.
pub fn normalize_for(rw: &mut Rewriter<'_>, op: OpId, promote: bool) -> bool {
    let affine = rw.cx().affine();
    let each = loops::view(rw, op);
    let step = loops::step(each);
    let is_normal = each.constant_lower_bound() == Some(0) && step == 1;
    let count = loops::trip_count(each);
    let runs_once = count.as_ref().and_then(|count| loops::known_count(affine, count)) == Some(1);
    let upper = count.map(|count| count.to_bound());
    if (promote && runs_once && loops::promote_body(rw, op)) || is_normal {
        return true;
    }
    let each = loops::view(rw, op);
    let (Some(upper), Some(lower)) = (upper, ValueMap::lower_bound(each)) else { return false };
    // lower - (-step * i), as upstream writes it.
    let variable = loops::variable(rw, op);
    let scaled = ValueMap {
        map: affine.intern_map(1, 0, [affine.mul_constant(affine.neg(affine.dim(0)), step)]),
        operands: vec![rw.value(variable)],
    };
    let start = rw.block(loops::body(rw, op)).first_op().unwrap_or(rw.op(op));
    let (map, operands) = {
        let old = lower.minus(&scaled, start);
        (old.map, old.operands.iter().map(|value| value.id()).collect::<Vec<_>>())
    };
    let loc = rw.op(op).loc();
    loops::set_upper_bound(rw, op, &upper);
    loops::set_lower_bound(rw, op, &ForBound::constant(rw.cx(), 0));
    loops::set_step(rw, op, 1);
    rw.set_insertion_to_start(loops::body(rw, op));
    let old = loops::apply(rw, map, &operands, loc);
    replace_other_uses(rw, variable, old);
    true
}

/// Uses of `value` become uses of `with`, but in the operation that computes `with`.
fn replace_other_uses(rw: &mut Rewriter<'_>, value: ValueId, with: ValueId) {
    let maker = rw.ir().defining_op(with);
    rw.replace_uses_if(value, with, |user, _| Some(user.id()) != maker);
}

/// The same for all dimensions of a parallel loop, unless a bound is the least or greatest of several things.
fn normalize_parallel(rw: &mut Rewriter<'_>, op: OpId) {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let view = AffineParallelOp::wrap(rw.op(op));
    let Some((lower, upper)) = parallel_bounds(view) else { return };
    let steps: Vec<i64> = view.steps().elements().filter_map(AttrRef::as_int).collect();
    let lowers = affine.map(lower.map).results.to_vec();
    let is_one_each =
        |groups: AttrRef<'_>| groups.dense_values().into_iter().flatten().all(|size| size.as_int() == Some(1));
    if !is_one_each(view.lower_bounds_groups()) || !is_one_each(view.upper_bounds_groups()) {
        return;
    }
    if lowers.iter().zip(&steps).all(|(&lower, &step)| affine.constant_value(lower) == Some(0) && step == 1) {
        return;
    }
    let ranges = upper.minus(&lower, view.0);
    let ends: Vec<AffineExpr> = (affine.map(ranges.map).results.iter().zip(&steps))
        .map(|(&range, &step)| affine.ceildiv(range, affine.constant(step)))
        .collect();
    let upper_map = affine.with_results(ranges.map, ends);
    let upper_operands: Vec<ValueId> = ranges.operands.iter().map(|value| value.id()).collect();
    let lower_operands: Vec<ValueId> = lower.operands.iter().map(|value| value.id()).collect();
    let lower_data = affine.map(lower.map);
    let (num_dims, num_symbols, loc) = (lower_data.num_dims, lower_data.num_symbols, view.0.loc());
    let Some(block) = view.region().entry() else { return };
    let variables: Vec<ValueId> = block.args().map(ValueRef::id).collect();
    let block = block.id();
    rw.set_insertion_to_start(block);
    for ((&variable, &lower), &step) in variables.iter().zip(&lowers).zip(&steps) {
        let scaled = affine.mul_constant(affine.dim(num_dims), step);
        let map = affine.intern_map(num_dims + 1, num_symbols, [affine.add(lower, scaled)]);
        let (dims, symbols) = lower_operands.split_at(num_dims as usize);
        let operands = [dims, &[variable], symbols].concat();
        let state = OpState::of::<AffineApplyOp<'_>>(loc).operands(operands);
        let old = rw.create_value(state.attr(cx, "map", cx.affine_map_attr(map)).results([cx.index_type()]));
        replace_other_uses(rw, variable, old);
    }
    let zeros = affine.intern_map(0, 0, vec![affine.constant(0); steps.len()]);
    rw.set_operands(op, &upper_operands);
    rw.set_attr(op, cx.ident("lowerBoundsMap"), cx.affine_map_attr(zeros));
    rw.set_attr(op, cx.ident("upperBoundsMap"), cx.affine_map_attr(upper_map));
    let ones: Vec<_> = steps.iter().map(|_| cx.i64_attr(1)).collect();
    rw.set_attr(op, cx.ident("steps"), cx.array_attr(&ones));
}

/// Lower and upper bounds with their operands.
fn parallel_bounds(view: AffineParallelOp<'_>) -> Option<(ValueMap<'_>, ValueMap<'_>)> {
    let op: OpRef<'_> = view.0;
    let affine = op.cx().affine();
    let (lower, upper) = (view.lower_bounds_map().as_affine_map()?, view.upper_bounds_map().as_affine_map()?);
    let operands: Vec<ValueRef<'_>> = op.operands().iter().collect();
    let (of_lower, of_upper) = operands.split_at((affine.map(lower).num_inputs() as usize).min(operands.len()));
    Some((ValueMap { map: lower, operands: of_lower.to_vec() }, ValueMap { map: upper, operands: of_upper.to_vec() }))
}
