//! Operations that choose a region, or run one once.

use dl_arith::IndexCastOp;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, BlockId, OpDefinition, OpId, OpState, RegionId, RegionRef, Rewriter, ValueId, ValueRef};
use dl_scf::{ExecuteRegionOp, IfOp, IndexSwitchOp, YieldOp};
use smallvec::SmallVec;

use super::{branch, cond_branch, inline_before, split_at, terminator, view};
use dl_arith::Build;

/// First block and final yield of a region.
fn ends(region: RegionRef<'_>) -> Result<(BlockId, OpId), NoMatch> {
    let entry = region.entry().ok_or(NoMatch("a region without blocks"))?;
    let last = region.blocks().last().ok_or(NoMatch("a region without blocks"))?;
    Ok((entry.id(), terminator::<YieldOp<'_>>(last)?.id()))
}

/// Makes a yield a branch that passes what it yields.
fn yield_to(rw: &mut Rewriter<'_>, yield_op: OpId, to: BlockId) {
    let (loc, values) = (rw.op(yield_op).loc(), rw.op(yield_op).operands().ids());
    rw.replace_with(yield_op, branch(loc, to, values));
}

fn args(rw: &Rewriter<'_>, block: BlockId) -> SmallVec<[ValueId; 4]> {
    rw.block(block).args().map(ValueRef::id).collect()
}

/// The regions go between the blocks before and after; results become arguments of a block of their own.
pub(super) fn lower_if(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let each: IfOp<'_> = view(rw.op(op))?;
    let (condition, types, loc) = (each.condition().id(), each.0.results().types(), each.0.loc());
    let then_region = (each.then_region().id(), ends(each.then_region())?);
    let else_region = each.else_region();
    let else_region = if else_region.is_empty() { None } else { Some((else_region.id(), ends(else_region)?)) };

    let (head, rest) = split_at(rw, op);
    let joined = if types.is_empty() {
        rest
    } else {
        let region = rw.ir().region_of(rest).expect("a block in a region");
        let joined = rw.insert_block(region, Some(rest), &types);
        rw.set_insertion_to_end(joined);
        rw.create(branch(loc, rest, []));
        joined
    };
    let mut lower = |(region, (entry, yield_op)): (RegionId, (BlockId, OpId))| {
        yield_to(rw, yield_op, joined);
        inline_before(rw, region, joined);
        entry
    };
    let then_block = lower(then_region);
    let else_block = else_region.map_or(joined, lower);
    rw.set_insertion_to_end(head);
    let state = cond_branch(rw, loc, condition, (then_block, &[]), (else_block, &[]));
    rw.create(state);
    let results = args(rw, joined);
    rw.replace(op, &results[..types.len()]);
    Ok(())
}

/// The blocks of the region go between the blocks before and after.
pub(super) fn lower_execute_region(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let each: ExecuteRegionOp<'_> = view(rw.op(op))?;
    let (region, types, loc) = (each.region(), each.0.results().types(), each.0.loc());
    let entry = region.entry().ok_or(NoMatch("a region without blocks"))?.id();
    let yields: SmallVec<[OpId; 4]> =
        region.blocks().filter_map(|b| terminator::<YieldOp<'_>>(b).ok()).map(|op| op.id()).collect();
    let region = region.id();

    let (head, rest) = split_at(rw, op);
    for yield_op in yields {
        yield_to(rw, yield_op, rest);
    }
    rw.set_insertion_to_end(head);
    rw.create(branch(loc, entry, []));
    inline_before(rw, region, rest);
    let results: SmallVec<[ValueId; 4]> = types.iter().map(|&ty| rw.add_block_arg(rest, ty)).collect();
    rw.replace(op, &results);
    Ok(())
}

/// Case regions, then the default region, go between the blocks before and after. As upstream has it, the value that is switched
/// on is cut to 32 bits where all cases fit them.
pub(super) fn lower_index_switch(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let each: IndexSwitchOp<'_> = view(rw.op(op))?;
    let (arg, types, loc) = (each.arg().id(), each.0.results().types(), each.0.loc());
    let cases: SmallVec<[i64; 8]> = each.cases().dense_ints().collect();
    let regions: Result<SmallVec<[_; 8]>, NoMatch> =
        each.case_regions().chain([each.default_region()]).map(|r| Ok((r.id(), ends(r)?))).collect();
    let regions = regions?;

    let cx = rw.cx();
    let (head, rest) = split_at(rw, op);
    let results: SmallVec<[ValueId; 4]> = types.iter().map(|&ty| rw.add_block_arg(rest, ty)).collect();
    let mut entries: SmallVec<[BlockId; 8]> = SmallVec::new();
    for (region, (entry, yield_op)) in regions {
        yield_to(rw, yield_op, rest);
        inline_before(rw, region, rest);
        entries.push(entry);
    }
    let default = entries.pop().ok_or(NoMatch("no default region"))?;

    rw.set_insertion_to_end(head);
    let wide = cases.iter().any(|&case| i32::try_from(case).is_err());
    let flag_type = if wide { cx.i64_type() } else { cx.i32_type() };
    let flag = Build::new(rw, loc).value::<IndexCastOp<'_>>(&[arg], flag_type);
    let values: Vec<Attr> = cases.iter().map(|&case| cx.int_attr(flag_type, case)).collect();
    let count = values.len() as i64;
    let values = (count > 0).then(|| cx.dense_attr(cx.vector_type(&[count], flag_type), &values)).flatten();
    let state = OpState::named(dl_cf::SwitchOp::NAME, loc)
        .operands([flag])
        .operand_segments(cx, &[1, 0, 0])
        .maybe_attr(cx, "case_values", values)
        .attr(cx, "case_operand_segments", cx.dense_i32_array(&vec![0; entries.len()]))
        .successors([default])
        .successors(entries);
    rw.create(state);
    rw.replace(op, &results);
    Ok(())
}
