//! Nests of `scf.for` as one loop over all their iterations.
//!
//! Legal for loops that are alone in each other, hand what they carry on as it is, have bounds that are known before the first of them, and steps that
//! are known at all. The order of iterations stays.

use dl_affine::AffineDelinearizeIndexOp;
use dl_affine::apply::folded_apply_of_symbols;
use dl_arith::{CeilDivSIOp, MaxSIOp, MulIOp, SubIOp, constant_index, index_value};
use dl_ir::interfaces::index_list::{Index, split};
use dl_ir::rewrite::create_or_fold;
use dl_ir::{AttrRef, InsertPoint, Loc, OpDefinition, OpId, OpRef, OpState, OpView, Rewriter, ValueId, ValueRef};
use dl_scf::{ForOp, YieldOp};

/// Makes one loop of each part of the nest of the loop `root` for which that is legal, inner parts first. Answers whether there is one.
pub fn coalesce_nest(rw: &mut Rewriter<'_>, root: OpId) -> bool {
    let Some(nest) = rw.op(root).cast::<ForOp<'_>>().map(perfect_nest) else { return false };
    let mut bands: Vec<Vec<OpId>> = Vec::new();
    let mut end = nest.len();
    while end > 1 {
        // The outermost loop before which all bounds from there on are known.
        let is_known = |&start: &usize| {
            let bounds = nest[start..end].iter().flat_map(|each| each.0.operands().iter().take(3));
            bounds.into_iter().all(|value| !value.is_defined_in(nest[start].0))
        };
        let start = (0..end - 1).find(is_known);
        bands.extend(start.map(|start| nest[start..end].iter().map(|each| each.0.id()).collect()));
        end = start.unwrap_or(end - 1);
    }
    bands.iter().filter(|band| coalesce(rw, band)).count() > 0
}

/// The loops from `root` inwards that count indices up by constants, each alone in the body of the one before.
fn perfect_nest(root: ForOp<'_>) -> Vec<ForOp<'_>> {
    let counts_indices =
        |of: &ForOp<'_>| of.unsigned_cmp().is_none() && of.lower_bound().ty().is_index() && bounds(*of).is_some();
    let loops = std::iter::successors(Some(root), |&of| only_loop(of));
    loops.take_while(counts_indices).collect()
}

/// The loop that is alone in the body of `of`, and takes what that carries and gives it back.
fn only_loop(of: ForOp<'_>) -> Option<ForOp<'_>> {
    let body = of.region().entry()?;
    let inner = body.first_op()?.cast::<ForOp<'_>>()?;
    let end = inner.0.next().filter(|end| end.is::<YieldOp<'_>>())?;
    let hands_on =
        inner.init_args().iter().eq(body.args().skip(1)) && end.operands().iter().eq(inner.0.results().iter());
    hands_on.then_some(inner)
}

/// How a loop counts.
struct Count {
    lower: Index,
    step: i64,
    /// How often it runs.
    trips: Index,
}

/// Makes one loop of those of `band`, outermost first. Leaves loops alone that run more often than can be counted, or never. Answers whether it did.
fn coalesce(rw: &mut Rewriter<'_>, band: &[OpId]) -> bool {
    let (&[outer, second, ..], Some(&inner)) = (band, band.last()) else { return false };
    let loc = rw.op(outer).loc();
    let bounds: Option<Vec<Bounds>> = band.iter().map(|&op| bounds(ForOp::wrap(rw.op(op)))).collect();
    let Some(bounds) = bounds else { return false };
    let known: Vec<Option<i64>> = bounds.iter().map(Bounds::trips).collect();
    let product = known.iter().flatten().try_fold(1_i64, |product, &number| product.checked_mul(number));
    let unknown = bounds.iter().filter(|bounds| !bounds.are_constant()).count();
    if product.is_none_or(|product| product == 0) || known.iter().flatten().count() + unknown < band.len() {
        return false;
    }

    rw.set_insertion_before(outer);
    let mut counts: Vec<Count> = Vec::new();
    for (each, number) in bounds.iter().zip(known) {
        // The product of two numbers below zero is not: where there is one at most, no loop runs too often.
        let trips = number.map_or_else(|| make_trips(rw, each, unknown > 1, loc), Index::Static);
        counts.push(Count { lower: each.lower, step: each.step, trips });
    }
    let [zero, one] = [0, 1].map(|number| constant_index(rw, number, loc));
    let total = if let Some(product) = product.filter(|_| unknown == 0) {
        constant_index(rw, product, loc)
    } else {
        let all: Vec<ValueId> = counts.iter().map(|count| index_value(rw, count.trips, loc)).collect();
        all[1..].iter().fold(all[0], |total, &each| binary::<MulIOp<'_>>(rw, total, each, loc))
    };
    rw.set_operand(outer, 0, zero);
    rw.set_operand(outer, 1, total);
    rw.set_operand(outer, 2, one);

    let [body, inner_body] =
        [outer, inner].map(|op| rw.op(op).region(0).entry().map(|body| body.id()).expect("a loop has a body"));
    replace_variables(rw, band, &counts, loc);
    let args: Vec<(ValueId, ValueId)> =
        rw.block(inner_body).args().zip(rw.block(body).args()).skip(1).map(|(old, new)| (old.id(), new.id())).collect();
    for (old, new) in args {
        rw.replace_all_uses(old, new);
    }
    let [end, inner_end] = [body, inner_body].map(|block| rw.ir().last_op(block).expect("a body ends"));
    let yielded: Vec<ValueId> = rw.ir().operands(inner_end).collect();
    let moved: Vec<OpId> = rw.ir().block_ops(inner_body).filter(|&op| op != inner_end).collect();
    for op in moved {
        rw.move_before(op, second);
    }
    rw.set_operands(end, &yielded);
    rw.erase(second);
    true
}

/// From where to where a loop counts, and by how much.
struct Bounds {
    lower: Index,
    upper: Index,
    step: i64,
}

impl Bounds {
    fn are_constant(&self) -> bool {
        self.lower.as_static().and(self.upper.as_static()).is_some()
    }

    /// How often the loop runs; `None` where that is not known, or no number of 64 bits.
    fn trips(&self) -> Option<i64> {
        let distance = self.upper.as_static()?.checked_sub(self.lower.as_static()?)?.max(0);
        Some(distance / self.step + i64::from(distance % self.step > 0))
    }
}

/// The bounds of a loop, if its step is known.
fn bounds(of: ForOp<'_>) -> Option<Bounds> {
    let constant = |value: ValueRef<'_>| value.constant().and_then(AttrRef::as_int);
    let index = |value: ValueRef<'_>| constant(value).map_or(Index::Value(value.id()), Index::Static);
    let step = constant(of.step()).filter(|&step| step > 0)?;
    Some(Bounds { lower: index(of.lower_bound()), upper: index(of.upper_bound()), step })
}

/// How often a loop runs, computed at the insertion point; if not `clamped`, it may be below zero where it does not.
fn make_trips(rw: &mut Rewriter<'_>, bounds: &Bounds, clamped: bool, loc: Loc) -> Index {
    let [lower, upper, step] =
        [bounds.lower, bounds.upper, Index::Static(bounds.step)].map(|bound| index_value(rw, bound, loc));
    let distance = binary::<SubIOp<'_>>(rw, upper, lower, loc);
    let trips = binary::<CeilDivSIOp<'_>>(rw, distance, step, loc);
    if !clamped {
        return Index::Value(trips);
    }
    let zero = constant_index(rw, 0, loc);
    Index::Value(binary::<MaxSIOp<'_>>(rw, trips, zero, loc))
}

/// Replaces the induction variables of the loops by what they are in an iteration of the first one, which counts all from zero.
fn replace_variables(rw: &mut Rewriter<'_>, band: &[OpId], counts: &[Count], loc: Loc) {
    let cx = rw.cx();
    let block = rw.op(band[0]).region(0).entry().map(|body| body.id()).expect("a loop has a body");
    let first = rw.block(block).first_op().map(OpRef::id).expect("a body ends");
    rw.set_insertion_point(Some(InsertPoint { block, before: Some(first) }));
    let basis: Vec<Index> = counts.iter().map(|count| count.trips).collect();
    let (constants, values) = split(&basis);
    let linear = rw.block(block).arg(0).id();
    let state = OpState::of::<AffineDelinearizeIndexOp<'_>>(loc).operands([linear]).operands(values);
    let state = state.attr(cx, "static_basis", cx.dense_i64_array(&constants));
    let indices = rw.create(state.results(std::iter::repeat_n(cx.index_type(), band.len())));
    for (at, (&op, count)) in band.iter().zip(counts).enumerate().rev() {
        let index = rw.ir().result(indices, at);
        let variable = rw.op(op).region(0).entry().map(|body| body.arg(0).id()).expect("a loop has a body");
        let place = place(rw, first, index, count, loc);
        rw.replace_uses_if(variable, place, |user, _| user.id() != indices);
    }
}

/// What a loop counts in the iteration `index`, from zero. `anchor` is an operation after the insertion point.
fn place(rw: &mut Rewriter<'_>, anchor: OpId, index: ValueId, count: &Count, loc: Loc) -> ValueId {
    let affine = rw.cx().affine();
    let expr = affine.add(affine.mul(affine.dim(0), affine.constant(count.step)), affine.dim(1));
    let place = folded_apply_of_symbols(rw, anchor, expr, &[Index::Value(index), count.lower], loc);
    index_value(rw, place.expect("one input is not known"), loc)
}

fn binary<T: OpDefinition>(rw: &mut Rewriter<'_>, lhs: ValueId, rhs: ValueId, loc: Loc) -> ValueId {
    let ty = rw.ir().value_type(lhs);
    create_or_fold(rw, OpState::of::<T>(loc).operands([lhs, rhs]).results([ty]))[0]
}
