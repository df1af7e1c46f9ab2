//! Parallel loops, which become sequential here.

use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{InsertPoint, OpId, OpState, Rewriter, Type, ValueId, ValueRef};
use dl_scf::{ForOp, ParallelOp, ReduceOp, ReduceReturnOp, YieldOp};
use smallvec::SmallVec;

use super::{terminator, view};

type Values = SmallVec<[ValueId; 4]>;

/// A nest of loops, one for each dimension; reductions are values that the loops carry.
pub(super) fn lower_parallel(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let each: ParallelOp<'_> = view(rw.op(op))?;
    let (lower, upper, step) = (each.lower_bound().ids(), each.upper_bound().ids(), each.step().ids());
    let (inits, types, loc) = (each.init_vals().ids(), each.0.results().types(), each.0.loc());
    let body = each.region().entry().ok_or(NoMatch("a loop without body"))?;
    let reduce = terminator::<ReduceOp<'_>>(body)?;
    let reductions: Result<SmallVec<[_; 2]>, NoMatch> = reduce
        .regions()
        .map(|region| {
            let block = region.entry().ok_or(NoMatch("a reduction without block"))?;
            Ok((block.id(), terminator::<ReduceReturnOp<'_>>(block)?.id()))
        })
        .collect();
    let (reductions, body, reduce) = (reductions?, body.id(), reduce.id());
    if lower.is_empty() {
        return Err(NoMatch("a loop without dimensions"));
    }

    rw.set_insertion_before(op);
    let mut carried: Values = inits;
    let mut variables = Values::new();
    let mut outer = None;
    for ((&lower, &upper), &step) in lower.iter().zip(&upper).zip(&step) {
        let region = rw.new_region();
        let arg_types: SmallVec<[Type; 4]> =
            std::iter::once(rw.ir().value_type(lower)).chain(types.iter().copied()).collect();
        let block = rw.append_block(region, &arg_types);
        let state = OpState::of::<ForOp<'_>>(loc)
            .operands([lower, upper, step])
            .operands(carried.iter().copied())
            .results(types.iter().copied())
            .region(region);
        let inner = rw.create(state);
        if outer.is_none() {
            outer = Some(inner);
        } else {
            let results: Values = rw.ir().results(inner).collect();
            rw.create(OpState::of::<YieldOp<'_>>(loc).operands(results));
        }
        let args: Values = rw.block(block).args().map(ValueRef::id).collect();
        variables.push(args[0]);
        carried = args[1..].into();
        rw.set_insertion_to_end(block);
    }
    let outer = outer.expect("one loop for each dimension");
    let point = rw.insertion_point().expect("the body of the innermost loop");
    rw.inline_block(body, point, &variables);

    let contributions = rw.op(reduce).operands().ids();
    let mut yielded = Values::new();
    for (i, (block, result)) in reductions.into_iter().enumerate() {
        yielded.push(inline_reduction(rw, reduce, block, result, carried[i], contributions[i]));
    }
    rw.set_insertion_before(reduce);
    rw.create(OpState::of::<YieldOp<'_>>(loc).operands(yielded));
    rw.erase(reduce);
    let results: Values = rw.ir().results(outer).collect();
    rw.replace(op, &results);
    Ok(())
}

/// Moves the block of one reduction before `reduce`; answers the combined value.
fn inline_reduction(
    rw: &mut Rewriter<'_>,
    reduce: OpId,
    block: dl_ir::BlockId,
    result: OpId,
    carried: ValueId,
    contribution: ValueId,
) -> ValueId {
    let to = rw.ir().block_of(reduce).expect("an operation in a block");
    rw.inline_block(block, InsertPoint { block: to, before: Some(reduce) }, &[carried, contribution]);
    let combined = rw.op(result).operand(0).id();
    rw.erase(result);
    combined
}
