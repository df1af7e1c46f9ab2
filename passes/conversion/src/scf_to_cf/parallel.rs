//! Parallel loops, which become sequential here.

use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{DYNAMIC, InsertPoint, OpId, OpState, Operands, Rewriter, Type, ValueId, ValueRef};
use dl_scf::{ForOp, ForallOp, InParallelOp, ParallelOp, ReduceOp, ReduceReturnOp, YieldOp};
use smallvec::SmallVec;

use super::{terminator, view};
use dl_arith::Build;

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

/// A bound or step: given values where they are dynamic, constants elsewhere.
fn mixed(b: &mut Build<'_, '_>, fixed: &[i64], dynamic: &[ValueId]) -> Option<Values> {
    let mut dynamic = dynamic.iter();
    let all = fixed.iter().map(|&value| match value {
        DYNAMIC => dynamic.next().copied(),
        value => Some(b.constant_index(value)),
    });
    all.collect()
}

/// A loop on buffers becomes `scf.parallel`. One with shared outputs must be bufferized first.
pub(super) fn lower_forall(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let each: ForallOp<'_> = view(rw.op(op))?;
    if !each.outputs().is_empty() {
        return Err(NoMatch("only fully bufferized scf.forall ops can be lowered to scf.parallel"));
    }
    let body = each.region().entry().ok_or(NoMatch("a loop without body"))?;
    let end = terminator::<InParallelOp<'_>>(body)?.id();
    let part = |fixed: dl_ir::AttrRef<'_>, dynamic: Operands<'_>| {
        let fixed: SmallVec<[i64; 4]> = fixed.dense_ints().collect();
        let fits = fixed.iter().filter(|&&v| v == DYNAMIC).count() == dynamic.len();
        fits.then(|| (fixed, dynamic.ids())).ok_or(NoMatch("dynamic bounds of another number"))
    };
    let parts = [
        part(each.static_lower_bound(), each.dynamic_lower_bound())?,
        part(each.static_upper_bound(), each.dynamic_upper_bound())?,
        part(each.static_step(), each.dynamic_step())?,
    ];
    let mapping = each.mapping().map(|attr| (rw.cx().ident("mapping"), attr.id()));
    let (region, loc) = (each.region().id(), each.0.loc());

    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let mut operands = Values::new();
    for (fixed, dynamic) in &parts {
        operands.extend(mixed(&mut b, fixed, dynamic).expect("as many values as dynamic bounds"));
    }
    let rank = parts[0].0.len();
    let body = rw.new_region();
    rw.move_blocks(region, body, None);
    rw.set_insertion_before(end);
    rw.replace_with(end, OpState::of::<ReduceOp<'_>>(loc));
    let state = OpState::of::<ParallelOp<'_>>(loc)
        .operands(operands)
        .operand_segments(rw.cx(), &[rank, rank, rank, 0])
        .attrs(mapping)
        .region(body);
    rw.replace_with(op, state);
    Ok(())
}
