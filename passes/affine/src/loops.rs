//! `affine.for`: its bounds, how often it runs, and the nests that loops form.

use dl_affine::compose::{canonical, compose};
use dl_affine::constraints::{ValueSystem, widened};
use dl_affine::scope::is_induction_variable;
use dl_affine::{AffineApplyOp, AffineForOp, ForBound};
use dl_ir::affine::{AffineExpr, AffineMap, AffineStore};
use dl_ir::presburger::Linear;
use dl_ir::walk::{ops_in_arena, ops_in_arena_post_order};
use dl_ir::{AttrRef, BlockId, InsertPoint, Loc, OpId, OpRef, OpState, OpView, Operands, Rewriter, ValueId, ValueRef};
use smallvec::SmallVec;

/// Values of a few operands or results.
pub(crate) type Values = SmallVec<[ValueId; 4]>;

/// A map with what it is applied to.
#[derive(Clone, Debug)]
pub struct ValueMap<'a> {
    /// The map.
    pub map: AffineMap,
    /// Its operands, dimensions first.
    pub operands: Vec<ValueRef<'a>>,
}

impl<'a> ValueMap<'a> {
    /// The map of an attribute with operands.
    pub fn new(map: AttrRef<'a>, operands: Operands<'a>) -> Option<Self> {
        Some(Self { map: map.as_affine_map()?, operands: operands.iter().collect() })
    }

    /// The lower bound of a loop: the greatest result.
    pub fn lower_bound(of: AffineForOp<'a>) -> Option<Self> {
        Self::new(of.lower_bound_map(), of.lower_bound_operands())
    }

    /// The upper bound of a loop: the least result.
    pub fn upper_bound(of: AffineForOp<'a>) -> Option<Self> {
        Self::new(of.upper_bound_map(), of.upper_bound_operands())
    }

    /// The same for `AffineForOp` about to be made.
    pub fn to_bound(&self) -> ForBound {
        ForBound { map: self.map, operands: self.operands.iter().map(|value| value.id()).collect() }
    }

    /// The results of `self` minus those of `other`, in canonical form for a use by `op`.
    pub fn minus(&self, other: &Self, op: OpRef<'a>) -> Self {
        let affine = op.cx().affine();
        let (a, b) = (affine.map(self.map), affine.map(other.map));
        let (a_dims, a_symbols) = self.operands.split_at(a.num_dims as usize);
        let (b_dims, b_symbols) = other.operands.split_at(b.num_dims as usize);
        let shift =
            |expr| affine.shift_symbols_in_expr(affine.shift_dims_in_expr(expr, a.num_dims, 0), a.num_symbols, 0);
        let results: Vec<AffineExpr> =
            a.results.iter().zip(&b.results).map(|(&x, &y)| affine.sub(x, shift(y))).collect();
        let map = affine.intern_map(a.num_dims + b.num_dims, a.num_symbols + b.num_symbols, results);
        let operands = [a_dims, b_dims, a_symbols, b_symbols].concat();
        let (map, operands) = compose(op, map, operands.into_iter());
        let (map, operands) = canonical(op, map, operands.into_iter());
        Self { map, operands }
    }

    /// The only result repeated `count` times; `None` where there are several.
    fn repeated(&self, affine: &AffineStore, count: usize) -> Option<Self> {
        let &[result] = &*affine.map(self.map).results else { return None };
        Some(Self { map: affine.with_results(self.map, vec![result; count]), operands: self.operands.clone() })
    }
}

/// The step of a loop; verified to be positive.
pub fn step(of: AffineForOp<'_>) -> i64 {
    of.step().as_int().unwrap_or(1)
}

/// How often the loop runs: the least result, zero where that is negative. `None` where the lower bound has several results.
pub fn trip_count(of: AffineForOp<'_>) -> Option<ValueMap<'_>> {
    let affine = of.0.cx().affine();
    if let Some(count) = plain_trip_count(of).and_then(|count| i64::try_from(count).ok()) {
        return Some(ValueMap { map: affine.constant_map(count), operands: Vec::new() });
    }
    let (lower, upper) = (ValueMap::lower_bound(of)?, ValueMap::upper_bound(of)?);
    let lower = lower.repeated(affine, affine.map(upper.map).results.len())?;
    let distance = upper.minus(&lower, of.0);
    let step = affine.constant(step(of));
    let results: Vec<AffineExpr> =
        affine.map(distance.map).results.iter().map(|&expr| affine.ceildiv(expr, step)).collect();
    Some(ValueMap { map: affine.with_results(distance.map, results), ..distance })
}

/// How often a loop runs whose bounds are numbers: most are, and it takes no maps.
fn plain_trip_count(of: AffineForOp<'_>) -> Option<u64> {
    let distance = of.constant_upper_bound()?.checked_sub(of.constant_lower_bound()?)?;
    let step = u64::try_from(step(of)).ok().filter(|&step| step > 0)?;
    Some(u64::try_from(distance).map_or(0, |distance| distance.div_ceil(step)))
}

/// How often the loop runs, where that is known.
pub fn constant_trip_count(of: AffineForOp<'_>) -> Option<u64> {
    if let Some(count) = plain_trip_count(of) {
        return Some(count);
    }
    known_count(of.0.cx().affine(), &trip_count(of)?)
}

/// The number that [`trip_count`] answered, if it is one.
pub fn known_count(affine: &AffineStore, count: &ValueMap<'_>) -> Option<u64> {
    let counts = affine.constant_results(count.map)?;
    counts.into_iter().min().map(|count| u64::try_from(count).unwrap_or(0))
}

/// Whether the loop is known to run at least once wherever it is reached: from the bounds and from the loops and conditions around.
pub fn runs_at_least_once(of: AffineForOp<'_>) -> bool {
    constant_trip_count(of).is_some_and(|count| count > 0) || have_room(of, ValueSystem::new(), 1)
}

/// Whether the end of the loop is known not to be before its start, given that sizes and other symbols are not negative.
pub fn never_ends_before_its_start(of: AffineForOp<'_>) -> bool {
    let mut known = ValueSystem::new();
    let bounds = [ValueMap::lower_bound(of), ValueMap::upper_bound(of)];
    for value in bounds.into_iter().flatten().flat_map(|bound| bound.operands) {
        if !is_induction_variable(value) {
            let unknown = known.unknown(value);
            let row = Linear::unknown(known.system().unknowns(), unknown);
            known.system_mut().add_inequality(row);
        }
    }
    have_room(of, known, 0)
}

/// Whether every upper bound is at least `room` above every lower one, from the loops and conditions around and what else is `known`.
fn have_room(of: AffineForOp<'_>, mut known: ValueSystem, room: i64) -> bool {
    let affine = of.0.cx().affine();
    known.add_around(of.0);
    let (Some(lower), Some(upper)) = (ValueMap::lower_bound(of), ValueMap::upper_bound(of)) else { return false };
    let mut rows = |bound: &ValueMap<'_>| {
        let (map, operands) = compose(of.0, bound.map, bound.operands.iter().copied());
        known.results(affine, map, operands.into_iter()).into_iter().collect::<Option<Vec<_>>>()
    };
    let (Some(lowers), Some(uppers)) = (rows(&lower), rows(&upper)) else { return false };
    let count = known.system().unknowns();
    let is_below = |lower: &Linear, upper: &Linear| {
        let mut distance = widened(upper, count).combined(&1.into(), &widened(lower, count), &(-1).into());
        distance.constant -= room;
        known.system().implies(&distance) == Some(true)
    };
    uppers.iter().all(|upper| lowers.iter().all(|lower| is_below(lower, upper)))
}

/// A number that divides how often the loop runs; the greatest one where it never runs.
pub fn trip_count_divisor(of: AffineForOp<'_>) -> u64 {
    if let Some(count) = plain_trip_count(of) {
        return if count == 0 { u64::MAX } else { count };
    }
    let affine = of.0.cx().affine();
    let Some(count) = trip_count(of) else { return 1 };
    let known = |expr: &AffineExpr| match affine.constant_value(*expr) {
        Some(count) if count <= 0 => u64::MAX,
        Some(count) => count.unsigned_abs(),
        None => affine.known_divisor(*expr).max(1),
    };
    affine.map(count.map).results.iter().map(known).reduce(gcd).unwrap_or(1)
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Loops from `root` inwards, each alone in the body of the one before.
pub fn perfect_nest(root: AffineForOp<'_>) -> Vec<AffineForOp<'_>> {
    let mut nest = vec![root];
    while let Some(inner) = only_loop(nest[nest.len() - 1]) {
        nest.push(inner);
    }
    nest
}

/// The loop that is alone in the body of `of`.
fn only_loop(of: AffineForOp<'_>) -> Option<AffineForOp<'_>> {
    let first = of.region().entry()?.first_op()?;
    let is_alone = first.next().is_some_and(|second| second.next().is_none());
    first.cast::<AffineForOp<'_>>().filter(|_| is_alone)
}

/// The loops below the root of an arena, inner ones first.
pub fn loops_inside_out(rw: &Rewriter<'_>) -> Vec<OpId> {
    let all = ops_in_arena_post_order(rw.ir(), dl_ir::Arena::ROOT);
    all.into_iter().filter(|&op| rw.op(op).is::<AffineForOp<'_>>()).collect()
}

/// Whether no `affine.for` stands in the loop.
pub fn is_innermost(of: AffineForOp<'_>) -> bool {
    let inside = ops_in_arena(of.0.arena(), of.0.id());
    inside.into_iter().skip(1).all(|op| !OpRef::new(of.0.cx(), of.0.arena(), op).is::<AffineForOp<'_>>())
}

/// The loop with this id.
pub fn view<'a>(rw: &'a Rewriter<'_>, op: OpId) -> AffineForOp<'a> {
    AffineForOp::wrap(rw.op(op))
}

/// The induction variable.
pub fn variable(rw: &Rewriter<'_>, op: OpId) -> ValueId {
    rw.block(body(rw, op)).arg(0).id()
}

/// The only block of the loop.
pub fn body(rw: &Rewriter<'_>, op: OpId) -> BlockId {
    rw.ir().op_regions(op).first().and_then(|&region| rw.ir().entry_block(region)).expect("a verified loop has a body")
}

/// The end of the body.
pub fn terminator(rw: &Rewriter<'_>, op: OpId) -> OpId {
    rw.ir().last_op(body(rw, op)).expect("a verified body has a terminator")
}

/// Gives the loop another lower bound.
pub fn set_lower_bound(rw: &mut Rewriter<'_>, op: OpId, bound: &ForBound) {
    let cx = rw.cx();
    rw.set_operand_group(op, 0, &bound.operands);
    rw.set_attr(op, cx.ident("lowerBoundMap"), cx.affine_map_attr(bound.map));
}

/// Gives the loop another upper bound.
pub fn set_upper_bound(rw: &mut Rewriter<'_>, op: OpId, bound: &ForBound) {
    let cx = rw.cx();
    rw.set_operand_group(op, 1, &bound.operands);
    rw.set_attr(op, cx.ident("upperBoundMap"), cx.affine_map_attr(bound.map));
}

/// Gives the loop another step.
pub fn set_step(rw: &mut Rewriter<'_>, op: OpId, step: i64) {
    let cx = rw.cx();
    rw.set_attr(op, cx.ident("step"), cx.index_attr(step));
}

/// `affine.apply` at the insertion point.
pub fn apply(rw: &mut Rewriter<'_>, map: AffineMap, operands: &[ValueId], loc: Loc) -> ValueId {
    let cx = rw.cx();
    let state = OpState::of::<AffineApplyOp<'_>>(loc).operands(operands.iter().copied());
    rw.create_value(state.attr(cx, "map", cx.affine_map_attr(map)).results([cx.index_type()]))
}

/// The map `(d0) -> (d0 + by)`.
pub fn shift_map(affine: &AffineStore, by: i64) -> AffineMap {
    affine.intern_map(1, 0, [affine.add_constant(affine.dim(0), by)])
}

/// Puts the body of a loop that runs exactly once in its place. Answers whether it was one. Constants go to the start of the function.
pub fn promote_single_iteration(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let each = view(rw, op);
    constant_trip_count(each) == Some(1) && promote_body(rw, op)
}

/// The same for a loop that is known to run exactly once.
pub fn promote_body(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let each = view(rw, op);
    let Some(lower) = ValueMap::lower_bound(each) else { return false };
    let affine = rw.cx().affine();
    // Constants that are operands wait for canonicalization.
    let is_canonical = lower.operands.iter().all(|value| value.constant().is_none());
    if !is_canonical || affine.map(lower.map).results.len() != 1 {
        return false;
    }
    let (loc, inits) = (each.0.loc(), each.inits().ids());
    let (constant, lower) = (each.constant_lower_bound(), lower.to_bound());
    let variable = variable(rw, op);
    let start = if !rw.ir().has_uses(variable) {
        None
    } else if let Some(constant) = constant {
        if let Some(first) = rw.op(dl_ir::Arena::ROOT).region(0).entry().and_then(dl_ir::BlockRef::first_op) {
            let first = first.id();
            rw.set_insertion_before(first);
        } else {
            rw.set_insertion_before(op);
        }
        Some(dl_arith::constant_index(rw, constant, loc))
    } else if lower.map == affine.identity_map(1) {
        lower.operands.first().copied()
    } else {
        rw.set_insertion_before(op);
        Some(apply(rw, lower.map, &lower.operands, loc))
    };
    let args: Values = std::iter::once(start.unwrap_or(variable)).chain(inits).collect();
    inline_body(rw, op, &args);
    true
}

/// Puts the body of a loop before it with these values for its arguments, and what it yields in the place of its results. The loop is gone
/// then.
pub fn inline_body(rw: &mut Rewriter<'_>, op: OpId, args: &[ValueId]) {
    let (block, end) = (body(rw, op), terminator(rw, op));
    let parent = rw.ir().block_of(op).expect("a loop is in a block");
    let own = rw.ir().block_args(block).to_vec();
    for (&arg, &value) in own.iter().zip(args) {
        if arg != value {
            rw.replace_all_uses(arg, value);
        }
    }
    let last: Vec<OpId> = rw.ir().block_ops(block).filter(|&inner| inner != end).collect();
    for inner in last {
        rw.move_to(inner, InsertPoint { block: parent, before: Some(op) });
    }
    let yielded: Values = rw.ir().operands(end).collect();
    rw.replace(op, &yielded);
}
