//! Patterns for several `scf.if`: one after another with one condition, and one right inside another.

use dl_ir::rewrite::{NoMatch, Pattern, Rewrite};
use dl_ir::{BlockId, BlockRef, OpDefinition, OpId, OpState, OpView, RegionId, RegionRef, Rewriter, Type, ValueRef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::conditional::side_of;
use super::{Values, take_region, yielded};
use crate::{IfOp, YieldOp};

/// Whether `a` is `b xor true`.
fn is_negation(a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
    let xor = a.defining_op().filter(|op| op.name() == "arith.xori");
    xor.is_some_and(|xor| xor.operand(0) == b && xor.operand(1).constant().and_then(|c| c.as_bool()) == Some(true))
}

/// `if c {a} else {b}; if c {d} else {e}` is `if c {a; d} else {b; e}`, and so where one condition is the negation of the other.
pub(super) struct CombineIfs;

impl Pattern for CombineIfs {
    const NAME: &'static str = "scf-if-combine";
    const ROOT: Option<&'static str> = Some(IfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let next = IfOp::wrap(rw.op(op));
        let Some(first) = next.0.prev().and_then(dl_ir::OpRef::cast::<IfOp<'_>>) else {
            return Err(NoMatch("does not follow another"));
        };
        let (a, b) = (first.condition(), next.condition());
        let negated = is_negation(a, b) || is_negation(b, a);
        if a != b && !negated {
            return Err(NoMatch("the conditions differ"));
        }
        let mut seconds = [next.then_region(), next.else_region()];
        if negated {
            seconds.reverse();
        }
        let firsts = [first.then_region(), first.else_region()];
        // What the first one gives is known in the branches of the second.
        let known = firsts.map(yielded);
        let inside: [RegionId; 2] = seconds.map(RegionRef::id);
        let mut sides = FxHashMap::from_iter([(op, None)]);
        let outermost = first.0.block();
        let mut uses = Vec::new();
        for (i, result) in first.0.results().iter().enumerate() {
            for (user, operand) in result.uses() {
                if let Some(value) = side_of(user, op, &inside, outermost, &mut sides).map(|side| known[side][i]) {
                    uses.push((user.id(), operand, value));
                }
            }
        }
        let (first_op, condition, loc) = (first.0.id(), a.id(), first.0.loc());
        let blocks = |regions: [RegionRef<'_>; 2]| regions.map(|region| region.entry().map(BlockRef::id));
        let pairs: Vec<(Option<BlockId>, Option<BlockId>)> = blocks(firsts).into_iter().zip(blocks(seconds)).collect();
        let regions = firsts.map(RegionRef::id);
        let types: SmallVec<[Type; 4]> =
            first.0.results().types().into_iter().chain(next.0.results().types()).collect();

        for (user, operand, value) in uses {
            rw.set_operand(user, operand, value);
        }
        let mut state = OpState::of::<IfOp<'_>>(loc).operands([condition]).results(types);
        for ((pair, region), second) in pairs.into_iter().zip(regions).zip(inside) {
            state = state.region(match pair {
                (Some(first), Some(second)) => {
                    join(rw, first, second);
                    take_region(rw, region)
                }
                (Some(_), None) => take_region(rw, region),
                (None, _) => take_region(rw, second),
            });
        }
        rw.set_insertion_before(op);
        let new = rw.create(state);
        let results: Values = rw.ir().results(new).collect();
        let (of_first, of_next) = results.split_at(rw.ir().results(first_op).len());
        rw.replace(op, of_next);
        rw.replace(first_op, of_first);
        Ok(())
    }
}

/// Moves what is in `second` to the end of `first`, which then yields what both did.
fn join(rw: &mut Rewriter<'_>, first: BlockId, second: BlockId) {
    let last = rw.ir().last_op(first).expect("a verified block ends with a terminator");
    let mut values: Values = rw.ir().operands(last).collect();
    rw.erase(last);
    rw.inline_block(second, dl_ir::InsertPoint { block: first, before: None }, &[]);
    let last = rw.ir().last_op(first).expect("a verified block ends with a terminator");
    values.extend(rw.ir().operands(last));
    rw.set_operands(last, &values);
}

/// `if a { if b {x} }` is `if a and b {x}`, where both do nothing else but to yield the same values otherwise.
pub(super) struct CombineNestedIfs;

/// What `if a and b` yields for one result: on true, and on false.
struct Choice {
    on_true: dl_ir::ValueId,
    on_false: dl_ir::ValueId,
    /// Whether the outer condition alone decides, between values from outside.
    by_outer: bool,
}

/// Whether `region` has nothing but a terminator.
fn only_yields(region: RegionRef<'_>) -> bool {
    region.entry().is_none_or(|block| block.ops().nth(1).is_none())
}

impl Pattern for CombineNestedIfs {
    const NAME: &'static str = "scf-if-combine-nested";
    const ROOT: Option<&'static str> = Some(IfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let outer = IfOp::wrap(rw.op(op));
        let inner = outer.then_region().entry().and_then(BlockRef::first_op).and_then(dl_ir::OpRef::cast::<IfOp<'_>>);
        let Some(inner) = inner.filter(|inner| inner.0.next().is_some_and(|op| op.is::<YieldOp<'_>>())) else {
            return Err(NoMatch("does not hold another alone"));
        };
        if !only_yields(outer.else_region()) || !only_yields(inner.else_region()) {
            return Err(NoMatch("does something otherwise"));
        }
        let (on_true, on_false) = (yielded(outer.then_region()), yielded(outer.else_region()));
        let (inner_true, inner_false) = (yielded(inner.then_region()), yielded(inner.else_region()));
        let mut choices = Vec::new();
        for (&value, &otherwise) in on_true.iter().zip(&on_false) {
            let by_inner = rw.value(value).defining_op() == Some(inner.0);
            if !by_inner {
                choices.push(Choice { on_true: value, on_false: otherwise, by_outer: true });
                continue;
            }
            let at = rw.value(value).index();
            if inner_false.get(at) != Some(&otherwise) {
                return Err(NoMatch("yields something else otherwise"));
            }
            choices.push(Choice { on_true: inner_true[at], on_false: otherwise, by_outer: false });
        }
        let (a, b) = (outer.condition().id(), inner.condition().id());
        let (loc, types) = (outer.0.loc(), outer.0.results().types());
        let (inner_region, i1) = (inner.then_region().id(), rw.cx().i1_type());

        rw.set_insertion_before(op);
        let both = rw.create_value(OpState::named("arith.andi", loc).operands([a, b]).results([i1]));
        let mut instead: SmallVec<[Option<dl_ir::ValueId>; 4]> = SmallVec::new();
        for (choice, &ty) in choices.iter().zip(&types) {
            instead.push(choice.by_outer.then(|| {
                let state = OpState::named("arith.select", loc).operands([a, choice.on_true, choice.on_false]);
                rw.create_value(state.results([ty]))
            }));
        }
        let kept = |each: &&Choice| !each.by_outer;
        let then_values: Values = choices.iter().filter(kept).map(|choice| choice.on_true).collect();
        let else_values: Values = choices.iter().filter(kept).map(|choice| choice.on_false).collect();
        let kept_types = types.iter().zip(&choices).filter(|(_, choice)| !choice.by_outer).map(|(&ty, _)| ty);
        let kept_types: SmallVec<[Type; 4]> = kept_types.collect();

        let then_region = take_region(rw, inner_region);
        if let Some(last) = rw.ir().entry_block(then_region).and_then(|block| rw.ir().last_op(block)) {
            rw.set_operands(last, &then_values);
        }
        let else_region = rw.new_region();
        if !else_values.is_empty() {
            let block = rw.append_block(else_region, &[]);
            rw.set_insertion_to_end(block);
            rw.create(OpState::of::<YieldOp<'_>>(loc).operands(else_values));
        }
        rw.set_insertion_before(op);
        let state = OpState::of::<IfOp<'_>>(loc).operands([both]).results(kept_types);
        let new = rw.create(state.region(then_region).region(else_region));
        let mut results = rw.ir().results(new);
        let values: Values = instead.iter().filter_map(|value| value.or_else(|| results.next())).collect();
        drop(results);
        rw.replace(op, &values);
        Ok(())
    }
}
