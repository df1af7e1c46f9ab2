//! `affine-loop-unroll`: several iterations in one.

use dl_affine::compose::compose;
use dl_affine::{AffineForOp, ForBound};
use dl_ir::affine::{AffineExpr, AffineStore};
use dl_ir::interfaces::FunctionOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{Diagnostic, Loc, Mapping, OpId, Rewriter, ValueId, clone_op};

use crate::loops::{self, ValueMap, Values};

dl_ir::pass_options! {
    /// Options of [`AffineLoopUnroll`].
    pub struct AffineLoopUnrollOptions {
        /// Unroll loops that run less often than the factor, too, and what is left over, as a whole
        cleanup_unroll "cleanup-unroll": bool = false,
        /// Iterations that become one; -1 for all of them
        unroll_factor "unroll-factor": i64 = 4,
        /// With factor -1: the loops that run at most so often
        unroll_full_threshold "unroll-full-threshold": Option<u64> = None,
        /// How often the innermost loops are unrolled
        unroll_num_reps "unroll-num-reps": u64 = 1,
        /// Loops that run less often than the factor are unrolled as a whole
        unroll_up_to_factor "unroll-up-to-factor": bool = false,
    }
}

/// Unrolls innermost loops.
#[derive(Clone, Default)]
pub struct AffineLoopUnroll {
    /// The options.
    pub options: AffineLoopUnrollOptions,
}

impl Pass for AffineLoopUnroll {
    const INFO: PassInfo = PassInfo::new("affine-loop-unroll", "Unroll affine loops")
        .title("AffineLoopUnroll")
        .on_ops(|op| op.interface::<dyn FunctionOp>().is_some());

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let options = &self.options;
        let factor = options.unroll_factor;
        if factor < 1 && factor != -1 {
            let message = "Invalid option: 'unroll-factor' should be greater than 0 or equal to -1";
            return Err(Diagnostic::error(Loc::UNKNOWN, message).into());
        }
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        if let (-1, Some(most)) = (factor, options.unroll_full_threshold) {
            let short = |op: &OpId| loops::constant_trip_count(loops::view(&rw, *op)).is_some_and(|n| n <= most);
            let short: Vec<OpId> = loops::loops_inside_out(&rw).into_iter().filter(short).collect();
            for op in short {
                unroll_fully(&mut rw, op);
            }
            return Ok(());
        }
        for _ in 0..options.unroll_num_reps {
            let innermost = |op: &OpId| loops::is_innermost(loops::view(&rw, *op));
            let innermost: Vec<OpId> = loops::loops_inside_out(&rw).into_iter().filter(innermost).collect();
            let mut unrolled = false;
            for op in innermost {
                unrolled |= match u64::try_from(factor) {
                    Err(_) => unroll_fully(&mut rw, op),
                    Ok(factor) => {
                        let count = || loops::constant_trip_count(loops::view(&rw, op)).unwrap_or(factor);
                        let at_most = if options.unroll_up_to_factor { count() } else { factor };
                        unroll_by(&mut rw, op, factor.min(at_most), options.cleanup_unroll)
                    }
                };
            }
            if !unrolled {
                break;
            }
        }
        Ok(())
    }
}

/// Iterations that a loop may be made of when it is unrolled as a whole: more would only fill memory.
const MOST_COPIES: u64 = 1 << 16;

/// Puts all iterations of a loop one after the other. Answers whether that was done, or there was nothing to do.
pub fn unroll_fully(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    match loops::constant_trip_count(loops::view(rw, op)) {
        None => false,
        Some(0) => true,
        Some(1) => loops::promote_single_iteration(rw, op),
        Some(count) => unroll_by(rw, op, count, false),
    }
}

/// Makes `factor` iterations one. What is left over becomes a loop of its own after this one; with `whole_rest` the loop is then unrolled as a
/// whole. Answers whether that was done, or there was nothing to do.
pub fn unroll_by(rw: &mut Rewriter<'_>, op: OpId, factor: u64, whole_rest: bool) -> bool {
    let each = loops::view(rw, op);
    let count = loops::constant_trip_count(each);
    if factor <= 1 {
        return count != Some(1) || loops::promote_single_iteration(rw, op);
    }
    let first = rw.ir().block_ops(loops::body(rw, op)).next();
    if first == Some(loops::terminator(rw, op)) {
        return true;
    }
    let Some(step) = i64::try_from(factor).ok().and_then(|factor| loops::step(each).checked_mul(factor)) else {
        return false;
    };
    if factor > MOST_COPIES {
        return false;
    }
    if count.is_some_and(|count| count < factor) {
        return whole_rest && unroll_fully(rw, op);
    }
    if !loops::trip_count_divisor(each).is_multiple_of(factor) {
        if !has_single_bounds(each) {
            return false;
        }
        if whole_rest {
            return unroll_fully(rw, op);
        }
        if !split_off_rest(rw, op, factor) {
            return false;
        }
    }
    let old_step = loops::step(loops::view(rw, op));
    loops::set_step(rw, op, step);
    copy_body(rw, op, factor, old_step);
    loops::promote_single_iteration(rw, op);
    true
}

/// Whether neither bound is the least or greatest of several things.
pub(crate) fn has_single_bounds(of: AffineForOp<'_>) -> bool {
    let affine = of.0.cx().affine();
    let single = |map: dl_ir::AttrRef<'_>| map.as_affine_map().is_some_and(|m| affine.map(m).results.len() == 1);
    single(of.lower_bound_map()) && single(of.upper_bound_map())
}

/// Appends `factor - 1` copies of the body to it, with the induction variable that many old steps further.
fn copy_body(rw: &mut Rewriter<'_>, op: OpId, factor: u64, old_step: i64) {
    let (block, end, loc) = (loops::body(rw, op), loops::terminator(rw, op), rw.op(op).loc());
    let variable = loops::variable(rw, op);
    let carried: Vec<ValueId> = rw.ir().block_args(block)[1..].to_vec();
    let originals: Vec<OpId> = rw.ir().block_ops(block).filter(|&inner| inner != end).collect();
    let yielded: Values = rw.ir().operands(end).collect();
    let mut last = yielded.clone();
    let uses_variable = rw.ir().has_uses(variable);
    rw.set_insertion_before(end);
    for copy in 1..factor {
        let mut mapping = Mapping::new();
        carried.iter().zip(&last).for_each(|(&from, &to)| mapping.map(from, to));
        if uses_variable {
            let map = loops::shift_map(rw.cx().affine(), old_step.saturating_mul(copy as i64));
            let moved = loops::apply(rw, map, &[variable], loc);
            mapping.map(variable, moved);
        }
        for &original in &originals {
            clone_op(rw, original, &mut mapping);
        }
        last = yielded.iter().map(|&value| mapping.value(value)).collect();
    }
    rw.set_operands(end, &last);
}

/// Makes the loop end where a multiple of `factor` iterations does, and a copy after it that does the rest. Answers whether that was possible.
/// Symbols in the bounds are taken not to be negative, as sizes are.
pub(crate) fn split_off_rest(rw: &mut Rewriter<'_>, op: OpId, factor: u64) -> bool {
    let Some(split) = end_of_multiple(rw, op, factor) else { return false };
    // Where the end may lie before the start, the rest must not begin before it.
    let each = loops::view(rw, op);
    let start = if loops::never_ends_before_its_start(each) {
        split.clone()
    } else if let Some(lower) = ValueMap::lower_bound(each) {
        later_of(rw.cx().affine(), &split, &lower.to_bound())
    } else {
        return false;
    };
    rw.set_insertion_after(op);
    let rest = clone_op(rw, op, &mut Mapping::new());
    let results: Vec<(ValueId, ValueId)> = rw.ir().results(op).zip(rw.ir().results(rest)).collect();
    for &(from, to) in &results {
        rw.replace_all_uses(from, to);
    }
    let inits: Vec<ValueId> = results.iter().map(|&(from, _)| from).collect();
    rw.set_operand_group(rest, 2, &inits);
    loops::set_lower_bound(rw, rest, &start);
    loops::promote_single_iteration(rw, rest);
    loops::set_upper_bound(rw, op, &split);
    true
}

/// The greater one of two bounds.
fn later_of(affine: &AffineStore, a: &ForBound, b: &ForBound) -> ForBound {
    let (of_a, of_b) = (affine.map(a.map), affine.map(b.map));
    let (a_dims, a_symbols) = a.operands.split_at(of_a.num_dims as usize);
    let (b_dims, b_symbols) = b.operands.split_at(of_b.num_dims as usize);
    let shift = |&expr: &AffineExpr| {
        affine.shift_symbols_in_expr(affine.shift_dims_in_expr(expr, of_a.num_dims, 0), of_a.num_symbols, 0)
    };
    let results: Vec<AffineExpr> = of_a.results.iter().copied().chain(of_b.results.iter().map(shift)).collect();
    let map = affine.intern_map(of_a.num_dims + of_b.num_dims, of_a.num_symbols + of_b.num_symbols, results);
    ForBound { map, operands: [a_dims, b_dims, a_symbols, b_symbols].concat() }
}

/// Where as many iterations as there are multiples of `factor` end. Both bounds have one result.
fn end_of_multiple(rw: &mut Rewriter<'_>, op: OpId, factor: u64) -> Option<ForBound> {
    let affine = rw.cx().affine();
    let each = loops::view(rw, op);
    let (step, count) = (loops::step(each), loops::trip_count(each)?);
    let data = affine.map(count.map);
    let &[trips] = &*data.results else { return None };
    let whole: AffineExpr = affine.sub(trips, affine.modulo(trips, affine.constant(i64::try_from(factor).ok()?)));
    let bump = affine.intern_map(data.num_dims, data.num_symbols, [affine.mul_constant(whole, step)]);
    let (lower, count) = (ValueMap::lower_bound(each)?.to_bound(), count.to_bound());
    let loc = each.0.loc();
    rw.set_insertion_before(op);
    let start = loops::apply(rw, lower.map, &lower.operands, loc);
    let distance = loops::apply(rw, bump, &count.operands, loc);
    let sum = affine.intern_map(2, 0, [affine.add(affine.dim(0), affine.dim(1))]);
    let (map, operands) = compose(rw.op(op), sum, [start, distance].map(|value| rw.value(value)).into_iter());
    let bound = ForBound { map, operands: operands.iter().map(|value| value.id()).collect() };
    let made: Vec<OpId> = [distance, start].iter().filter_map(|&value| rw.ir().defining_op(value)).collect();
    if !bound.operands.contains(&start) && !bound.operands.contains(&distance) {
        made.into_iter().for_each(|op| rw.erase(op));
    }
    Some(bound)
}
