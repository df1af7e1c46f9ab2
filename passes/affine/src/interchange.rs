//! `affine-loop-interchange`: the order of the loops of a perfect nest, by what runs along memory.
//!
//! *Legal* where all dependences still go forward: checked exactly for the order that is wanted. *Profitable* where the loop whose neighbours
//! touch neighbouring elements is innermost.

use dl_affine::{AffineForOp, AffineIfOp, AffineYieldOp, ForBound};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, OpId, OpRef, Rewriter, ValueId};

use crate::access::{Access, level_of};
use crate::dependence::{Meeting, Pair, meeting};
use crate::loops::{self, ValueMap};

dl_ir::pass_options! {
    /// Options of [`AffineLoopInterchange`].
    pub struct AffineLoopInterchangeOptions {
        /// Which old loop each of the new ones is, outermost first; by what runs along memory where it is not given
        permutation "permutation": Vec<u64> = Vec::new(),
    }
}

/// Permutes the loops of perfect nests whose bounds do not depend on each other.
#[derive(Clone, Default)]
pub struct AffineLoopInterchange {
    /// The options.
    pub options: AffineLoopInterchangeOptions,
}

impl Pass for AffineLoopInterchange {
    const INFO: PassInfo =
        PassInfo::new("affine-loop-interchange", "Permute the loops of perfect nests by their dependences")
            .title("AffineLoopInterchange")
            .on("func.func")
            .statistics(&[("num-permuted", "Number of nests whose loops have been permuted")]);

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let wanted: Vec<usize> =
            self.options.permutation.iter().map(|&at| usize::try_from(at).unwrap_or(usize::MAX)).collect();
        let mut permuted = 0;
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        for op in ops_in_arena(rw.ir(), Arena::ROOT) {
            if !rw.ir().is_live(op) || !rw.op(op).is::<AffineForOp<'_>>() || is_inside_nest(rw.op(op)) {
                continue;
            }
            let nest = loops::perfect_nest(loops::view(&rw, op));
            let order = if wanted.is_empty() { along_memory(&nest) } else { Some(wanted.clone()) };
            let order = order.filter(|order| !order.is_sorted() && is_permutation(order, nest.len()));
            let order = order.filter(|order| is_legal(&nest, order));
            let ids: Vec<OpId> = nest.iter().map(|each| each.0.id()).collect();
            if let Some(order) = order {
                permute(&mut rw, &ids, &order);
                permuted += 1;
            }
        }
        cx.count("num-permuted", permuted);
        Ok(())
    }
}

/// Whether the loop is one of the nest of the loop around it.
pub(crate) fn is_inside_nest(op: OpRef<'_>) -> bool {
    let around = op.parent().and_then(OpRef::cast::<AffineForOp<'_>>);
    around.is_some_and(|around| loops::perfect_nest(around).get(1).is_some_and(|inner| inner.0 == op))
}

pub(crate) fn is_permutation(order: &[usize], count: usize) -> bool {
    order.len() == count && (0..count).all(|at| order.contains(&at))
}

/// Loops sorted by how many accesses they make jump, those that jump most outermost, otherwise in their order. `None` where the nest is too small.
fn along_memory(nest: &[AffineForOp<'_>]) -> Option<Vec<usize>> {
    if nest.len() < 2 {
        return None;
    }
    let root = nest[0].0;
    let inside = ops_in_arena(root.arena(), root.id());
    let accesses: Vec<Access<'_>> =
        inside.into_iter().filter_map(|id| Access::of(OpRef::new(root.cx(), root.arena(), id))).collect();
    let cost = |each: &AffineForOp<'_>| -> u64 {
        let Some(variable) = each.region().entry().map(|body| body.arg(0)) else { return 0 };
        accesses.iter().map(|access| jump(access, variable.id())).sum()
    };
    let costs: Vec<u64> = nest.iter().map(cost).collect();
    let mut order: Vec<usize> = (0..nest.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(costs[at]));
    Some(order)
}

/// How far the access goes from one iteration to the next: not at all, to a near element, or to another row.
fn jump(access: &Access<'_>, variable: ValueId) -> u64 {
    let affine = access.op.cx().affine();
    let data = affine.map(access.map);
    let Some(at) = access.operands.iter().position(|value| value.id() == variable) else { return 0 };
    let uses = |expr: &dl_ir::affine::AffineExpr| {
        let num_dims = data.num_dims as usize;
        if at < num_dims {
            affine.is_function_of_dim(*expr, at as u32)
        } else {
            affine.is_function_of_symbol(*expr, (at - num_dims) as u32)
        }
    };
    match data.results.split_last() {
        Some((_, rows)) if rows.iter().any(uses) => 8,
        Some((last, _)) if uses(last) => 1,
        _ => 0,
    }
}

/// Whether the loops can stand in this order: nothing is carried, bounds do not depend on each other, and all dependences go forward.
pub(crate) fn is_legal(nest: &[AffineForOp<'_>], order: &[usize]) -> bool {
    let root = nest[0].0;
    let variables: Vec<ValueId> = nest.iter().filter_map(|each| Some(each.region().entry()?.arg(0).id())).collect();
    let is_independent = |each: &AffineForOp<'_>| {
        let bounds = [ValueMap::lower_bound(*each), ValueMap::upper_bound(*each)];
        each.0.num_results() == 0
            && bounds.into_iter().all(|bound| {
                bound.is_some_and(|bound| bound.operands.iter().all(|value| !variables.contains(&value.id())))
            })
    };
    let Some(outer) = level_of(nest[0]).filter(|_| nest.iter().all(is_independent)) else { return false };
    let mut accesses = Vec::new();
    for id in ops_in_arena(root.arena(), root.id()) {
        let op = OpRef::new(root.cx(), root.arena(), id);
        if let Some(access) = Access::of(op) {
            accesses.push(access);
        } else if !(op.is::<AffineForOp<'_>>()
            || op.is::<AffineIfOp<'_>>()
            || op.is::<AffineYieldOp<'_>>()
            || dl_ir::effects::is_memory_effect_free(op))
        {
            return false;
        }
    }
    accesses.iter().all(|a| {
        accesses.iter().filter(|b| a.is_write || b.is_write).all(|b| match meeting(a, b) {
            Meeting::Never => true,
            Meeting::Unknown => false,
            Meeting::Where(pair) => keeps_order(&pair, outer, order),
        })
    })
}

/// Whether each pair whose second instance comes later still does with the loops in this order.
fn keeps_order(pair: &Pair, outer: usize, order: &[usize]) -> bool {
    (0..order.len()).all(|carrier| {
        let mut later = pair.carried_at(outer + carrier);
        order.iter().all(|&at| {
            if later.backward_at(outer + at).is_possible() {
                return false;
            }
            later = later.same_at(outer + at);
            true
        })
    })
}

/// Gives the loops of the nest the bounds and variables of others: `order[i]` says which old loop the i-th becomes.
pub(crate) fn permute(rw: &mut Rewriter<'_>, nest: &[OpId], order: &[usize]) {
    let old: Vec<(ForBound, ForBound, i64, ValueId)> = nest
        .iter()
        .filter_map(|&op| {
            let each = loops::view(rw, op);
            let (lower, upper) = (ValueMap::lower_bound(each)?.to_bound(), ValueMap::upper_bound(each)?.to_bound());
            Some((lower, upper, loops::step(each), loops::variable(rw, op)))
        })
        .collect();
    let Some(&root) = nest.first() else { return };
    if old.len() != nest.len() {
        return;
    }
    let loc = rw.op(root).loc();
    rw.set_insertion_before(root);
    let mut innermost = root;
    for &at in order {
        let (lower, upper, step, variable) = &old[at];
        innermost = crate::build::empty_loop(rw, lower, upper, *step, loc);
        let new = loops::variable(rw, innermost);
        rw.replace_all_uses(*variable, new);
        let end = loops::terminator(rw, innermost);
        rw.set_insertion_before(end);
    }
    let Some(&last) = nest.last() else { return };
    let (end, point) = (loops::terminator(rw, last), rw.insertion_point());
    let inside: Vec<OpId> = rw.ir().block_ops(loops::body(rw, last)).filter(|&op| op != end).collect();
    debug_assert!(rw.ir().is_live(innermost), "the innermost loop was made");
    if let Some(point) = point {
        inside.into_iter().for_each(|op| rw.move_to(op, point));
    }
    rw.erase(root);
}
