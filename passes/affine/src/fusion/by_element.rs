//! A nest that makes the elements of a buffer, fused into one that reads them in an order of its own: each is made where it is read.
//!
//! *Legal* where only both nests use the buffer; the first one writes an element that tells its iteration, and nothing else; in an iteration of its
//! outer loops the second one reads only one element, which the first one makes; and it writes nothing that the first one reads. It may hold
//! operations of unknown effect, if the first one reads nothing else: they cannot know the buffer. *Profitable* where not more elements are made than
//! before.

use dl_affine::compose::canonical;
use dl_affine::{AffineForOp, AffineLoadOp, AffineStoreOp, bounds_within};
use dl_ir::affine::AffineExpr;
use dl_ir::walk::ops_in_arena;
use dl_ir::{InsertPoint, Mapping, OpId, OpRef, Rewriter, ValueId, ValueRef, clone_op};
use dl_memref::{AllocOp, DeallocOp};

use super::{accesses, can_move};
use crate::access::{Access, is_store};
use crate::dependence::{Meeting, meeting};
use crate::loops;

/// How elements are made where they are read.
pub(super) struct Plan {
    /// The buffer.
    pub(super) buffer: ValueId,
    /// The loop of the first nest in which an element is made.
    from: OpId,
    /// The loop of the second nest in each iteration of which one is read.
    pub(super) to: OpId,
    /// The induction variables of the loops down to `from`, and what they are for the element that is read.
    variables: Vec<(ValueId, AffineExpr)>,
    /// The induction variables that these consist of, dimensions first, and how many dimensions there are.
    operands: (Vec<ValueId>, u32),
}

/// A loop that runs a known number of times.
struct Counted {
    id: OpId,
    variable: ValueId,
    first: i64,
    step: i64,
    count: i64,
}

impl Counted {
    fn of(each: AffineForOp<'_>) -> Option<Self> {
        let count = loops::constant_trip_count(each).and_then(|count| i64::try_from(count).ok())?;
        let (variable, first) = (each.region().entry()?.arg(0).id(), each.constant_lower_bound()?);
        Some(Self { id: each.0.id(), variable, first, step: loops::step(each), count })
    }
}

/// How often the innermost of `nest` runs.
fn runs(nest: &[Counted]) -> Option<i64> {
    nest.iter().try_fold(1_i64, |runs, each| runs.checked_mul(each.count))
}

/// The accesses to `buffer`, if all are at the same element wherever their operands have the same values.
fn only_place<'a, 'b>(all: &'b [Access<'a>], buffer: ValueRef<'a>) -> Option<&'b Access<'a>> {
    let mut of_buffer = all.iter().filter(|access| access.memref == buffer);
    let place = of_buffer.next()?;
    of_buffer.all(|access| access.is_same_as(place)).then_some(place)
}

/// How `first` can be made part of `second`, where that is legal and of use.
pub(super) fn plan(first: OpRef<'_>, second: OpRef<'_>) -> Option<Plan> {
    let (a, b) = (first.cast::<AffineForOp<'_>>()?, second.cast::<AffineForOp<'_>>()?);
    let of_first = accesses(a)?;
    let known = accesses(b);
    let is_known = known.is_some();
    let of_second = known.unwrap_or_else(|| {
        let inside = ops_in_arena(second.arena(), second.id()).into_iter();
        inside.filter_map(|op| Access::of(OpRef::new(second.cx(), second.arena(), op))).collect()
    });
    let store = of_first.iter().find(|access| access.is_write && access.op.is::<AffineStoreOp<'_>>())?;
    let buffer = store.memref;
    let (made, read) = (only_place(&of_first, buffer)?, only_place(&of_second, buffer)?);
    let is_own = |(user, _): (OpRef<'_>, usize)| {
        let in_second = second.is_ancestor_of(user.id()) && !is_store(user);
        user.is::<DeallocOp<'_>>()
            || Access::of(user).is_some_and(|access| access.memref == buffer)
                && (in_second || first.is_ancestor_of(user.id()))
    };
    let writes_one = of_first.iter().all(|access| !access.is_write || access.memref == buffer);
    let is_legal = buffer.def::<AllocOp<'_>>().is_some()
        && read.op.is::<AffineLoadOp<'_>>()
        && buffer.uses().all(is_own)
        && writes_one
        && can_move(first, second, first);
    let is_kept = |access: &Access<'_>| {
        let meets = |other: &Access<'_>| other.is_write && !matches!(meeting(access, other), Meeting::Never);
        access.memref == buffer || is_known && !of_second.iter().any(meets)
    };
    if !is_legal || !of_first.iter().all(is_kept) {
        return None;
    }
    place(a, b, made, read)
}

/// The loops that take part, and the iteration of the first ones that makes what is read in an iteration of the others.
fn place(a: AffineForOp<'_>, b: AffineForOp<'_>, made: &Access<'_>, read: &Access<'_>) -> Option<Plan> {
    let affine = a.0.cx().affine();
    let (of_made, of_read) = (affine.map(made.map), affine.map(read.map));
    let outer = |nest: Vec<AffineForOp<'_>>, depth: usize| -> Option<Vec<Counted>> {
        nest.into_iter().take(depth).map(Counted::of).collect()
    };
    let in_second = loops::perfect_nest(b);
    let level = |value: &ValueRef<'_>| {
        in_second.iter().position(|each| each.region().entry().is_some_and(|body| body.arg(0) == *value))
    };
    let levels: Vec<usize> = read.operands.iter().map(level).collect::<Option<_>>()?;
    let readers = outer(in_second.clone(), levels.iter().max()? + 1)?;

    let in_first: Vec<ValueId> =
        loops::perfect_nest(a).iter().filter_map(|each| Some(each.region().entry()?.arg(0).id())).collect();
    let mut iteration: Vec<Option<AffineExpr>> = vec![None; in_first.len()];
    for (&expr, &wanted) in of_made.results.iter().zip(&of_read.results) {
        let form = affine.linear_form(expr, of_made.num_dims, of_made.num_symbols)?;
        let factors = form.dims.iter().chain(&form.symbols).zip(&made.operands).filter(|(factor, _)| **factor != 0);
        match factors.collect::<Vec<_>>()[..] {
            [] if affine.constant_value(wanted) == Some(form.constant) => {}
            [(1, variable)] => {
                let at = in_first.iter().position(|&each| each == variable.id())?;
                let value = affine.add_constant(wanted, form.constant.checked_neg()?);
                if iteration[at].replace(value).is_some() {
                    return None;
                }
            }
            _ => return None,
        }
    }
    let depth = iteration.iter().take_while(|value| value.is_some()).count();
    let values: Vec<AffineExpr> = iteration.into_iter().flatten().collect();
    let nest = loops::perfect_nest(a);
    let is_plain = nest.iter().take(depth).all(|each| each.0.num_results() == 0 && loops::step(*each) == 1);
    if values.len() != depth || depth == 0 || !is_plain {
        return None;
    }
    let makers = outer(nest, depth)?;
    if runs(&readers)? > runs(&makers)? {
        return None;
    }
    // Each iteration of the readers in terms of how many have been before it, loop by loop.
    let counted = |at: usize| {
        let (level, reader) = (levels[at], &readers[levels[at]]);
        affine.add_constant(affine.mul_constant(affine.dim(level as u32), reader.step), reader.first)
    };
    let all: Vec<AffineExpr> = (0..read.operands.len()).map(counted).collect();
    let (dims, symbols) = all.split_at(of_read.num_dims as usize);
    let exprs: Vec<AffineExpr> = values.iter().map(|&value| affine.replace_in_expr(value, dims, symbols)).collect();
    let counts: Vec<i64> = readers.iter().map(|reader| reader.count).collect();
    let bounds = bounds_within(affine, affine.intern_map(counts.len() as u32, 0, exprs), &counts)?;
    let is_made = bounds.iter().zip(&makers).all(|(&(least, most), maker)| {
        least >= maker.first && maker.first.checked_add(maker.count).is_some_and(|end| most < end)
    });
    is_made.then(|| Plan {
        buffer: made.memref.id(),
        from: makers[depth - 1].id,
        to: readers[readers.len() - 1].id,
        variables: makers.iter().map(|maker| maker.variable).zip(values).collect(),
        operands: (read.operands.iter().map(|value| value.id()).collect(), of_read.num_dims),
    })
}

/// Does what is planned; the nest `first` is gone then.
pub(super) fn fuse(rw: &mut Rewriter<'_>, first: OpId, plan: &Plan) {
    let (affine, loc, block) = (rw.cx().affine(), rw.op(first).loc(), loops::body(rw, plan.to));
    let before = rw.block(block).first_op().map(OpRef::id);
    rw.set_insertion_point(Some(InsertPoint { block, before }));
    let (operands, dims) = &plan.operands;
    let mut mapping = Mapping::new();
    for &(variable, expr) in &plan.variables {
        let same = affine.dim_position(expr).or_else(|| affine.symbol_position(expr).map(|at| at + dims));
        let value = same.and_then(|at| operands.get(at as usize).copied()).unwrap_or_else(|| {
            let map = affine.intern_map(*dims, operands.len() as u32 - dims, [expr]);
            let (map, operands) = canonical(rw.op(plan.to), map, operands.iter().map(|&value| rw.value(value)));
            let operands: Vec<ValueId> = operands.iter().map(|value| value.id()).collect();
            loops::apply(rw, map, &operands, loc)
        });
        mapping.map(variable, value);
    }
    let end = loops::terminator(rw, plan.from);
    let ops: Vec<OpId> = rw.ir().block_ops(loops::body(rw, plan.from)).filter(|&op| op != end).collect();
    for op in ops {
        clone_op(rw, op, &mut mapping);
    }
    rw.erase(first);
}
