//! Verifiers.

use dl_ir::interfaces::{verify_loop_like, verify_region_branch};
use dl_ir::{AttrRef, Diagnostic, OpDefinition, OpRef, OpView, Operands, RegionRef, ValueRef};

use crate::{
    ConditionOp, ForOp, ForallOp, IfOp, IndexSwitchOp, ParallelOp, ReduceOp, ReduceReturnOp, WhileOp, YieldOp,
};

type Verified = Result<(), Diagnostic>;

pub(crate) fn verify_for(op: OpRef<'_>) -> Verified {
    if ForOp::wrap(op).init_args().len() != op.num_results() {
        return Err(op.error("mismatch in number of loop-carried values and defined values"));
    }
    Ok(())
}

pub(crate) fn verify_for_regions(op: OpRef<'_>) -> Verified {
    let view = ForOp::wrap(op);
    verify_loop_like(op)?;
    let variable = view.region().entry().and_then(|block| block.args().next());
    if variable.is_none_or(|v| v.ty() != view.lower_bound().ty()) {
        return Err(op.error("expected induction variable to be same type as bounds and step"));
    }
    verify_region_branch(op)
}

pub(crate) fn verify_if(op: OpRef<'_>) -> Verified {
    if op.num_results() != 0 && IfOp::wrap(op).else_region().is_empty() {
        return Err(op.error("must have an else block if defining values"));
    }
    Ok(())
}

pub(crate) fn verify_while(op: OpRef<'_>) -> Verified {
    let view = WhileOp::wrap(op);
    verify_ends_with::<ConditionOp<'_>>(
        op,
        view.before(),
        "expects the 'before' region to terminate with 'scf.condition'",
    )?;
    verify_ends_with::<YieldOp<'_>>(op, view.after(), "expects the 'after' region to terminate with 'scf.yield'")
}

fn verify_ends_with<T: OpDefinition>(op: OpRef<'_>, region: RegionRef<'_>, message: &str) -> Verified {
    match region.entry().and_then(|block| block.last_op()) {
        Some(last) if last.is::<T>() => Ok(()),
        Some(last) => Err(op.error(message).note(last.loc(), "terminator here")),
        None => Err(op.error(message)),
    }
}

pub(crate) fn verify_execute_region(op: OpRef<'_>) -> Verified {
    match op.region(0).entry() {
        None => Err(op.error("region needs to have at least one block")),
        Some(entry) if entry.num_args() > 0 => Err(op.error("region cannot have any arguments")),
        Some(_) => Ok(()),
    }
}

pub(crate) fn verify_index_switch(op: OpRef<'_>) -> Verified {
    let view = IndexSwitchOp::wrap(op);
    let cases: Vec<i64> = view.cases().dense_ints().collect();
    let regions = view.case_regions().len();
    if cases.len() != regions {
        return Err(op.error(format_args!("has {regions} case regions but {} case values", cases.len())));
    }
    let mut sorted = cases.clone();
    sorted.sort_unstable();
    if let Some(value) = sorted.windows(2).find_map(|pair| (pair[0] == pair[1]).then_some(pair[0])) {
        return Err(op.error(format_args!("has duplicate case value: {value}")));
    }
    verify_yield(op, view.default_region(), "default region")?;
    for (i, region) in view.case_regions().enumerate() {
        verify_yield(op, region, &format!("case region #{i}"))?;
    }
    Ok(())
}

/// `region` yields the results of the switch `op`.
fn verify_yield(op: OpRef<'_>, region: RegionRef<'_>, name: &str) -> Verified {
    let Some(last) = region.entry().and_then(dl_ir::BlockRef::last_op) else { return Ok(()) };
    if !last.is::<YieldOp<'_>>() {
        return Err(op.error(format_args!("expected region to end with scf.yield, but got {}", last.name())));
    }
    let (wanted, given) = (op.num_results(), last.num_operands());
    if wanted != given {
        let message = format_args!("expected each region to return {wanted} values, but {name} returns {given}");
        return Err(op.error(message).note(last.loc(), "see yield operation here"));
    }
    for (i, (result, operand)) in op.results().iter().zip(last.operands().iter()).enumerate() {
        let (wanted, given) = (result.ty(), operand.ty());
        if wanted != given {
            let error = op.error(format_args!("expected result #{i} of each region to be '{wanted}'"));
            return Err(error.note(last.loc(), format!("{name} returns '{given}' here")));
        }
    }
    Ok(())
}

pub(crate) fn verify_parallel(op: OpRef<'_>) -> Verified {
    let view = ParallelOp::wrap(op);
    let steps = view.step();
    if steps.is_empty() {
        return Err(op.error("needs at least one tuple element for lowerBound, upperBound and step"));
    }
    let (lower, upper, count) = (view.lower_bound().len(), view.upper_bound().len(), steps.len());
    if lower != count || upper != count {
        return Err(op.error(format_args!(
            "expects as many lower bounds ({lower}) and upper bounds ({upper}) as steps ({count})"
        )));
    }
    if steps.iter().any(|step| step.constant().and_then(dl_ir::AttrRef::as_int).is_some_and(|n| n <= 0)) {
        return Err(op.error("constant step operand must be positive"));
    }
    let Some(body) = view.region().entry() else { return Ok(()) };
    if body.num_args() != steps.len() {
        return Err(op.error(format_args!(
            "expects the same number of induction variables: {} as bound and step values: {}",
            body.num_args(),
            steps.len()
        )));
    }
    if body.args().any(|arg| !arg.ty().is_index()) {
        return Err(op.error("expects arguments for the induction variable to be of index type"));
    }
    verify_ends_with::<ReduceOp<'_>>(op, view.region(), "expects body to terminate with 'scf.reduce'")?;
    let Some(reduce) = body.last_op().and_then(OpRef::cast::<ReduceOp<'_>>) else { return Ok(()) };
    verify_reductions(op, view, reduce)
}

fn verify_reductions(op: OpRef<'_>, view: ParallelOp<'_>, reduce: ReduceOp<'_>) -> Verified {
    let (results, reductions) = (op.num_results(), reduce.reductions().len());
    if results != reductions {
        return Err(op.error(format_args!(
            "expects number of results: {results} to be the same as number of reductions: {reductions}"
        )));
    }
    let inits = view.init_vals().len();
    if results != inits {
        return Err(op.error(format_args!(
            "expects number of results: {results} to be the same as number of initial values: {inits}"
        )));
    }
    for (i, (result, init)) in op.results().iter().zip(view.init_vals().iter()).enumerate() {
        let (result, init) = (result.ty(), init.ty());
        if result != init {
            return Err(op.error(format_args!(
                "expects type of {i}-th initial value: '{init}' to be the same as the {i}-th result type: '{result}'"
            )));
        }
    }
    for (i, (result, operand)) in op.results().iter().zip(reduce.operands().iter()).enumerate() {
        let (result, operand) = (result.ty(), operand.ty());
        if result != operand {
            return Err(reduce.0.error(format_args!(
                "expects type of {i}-th reduction operand: '{operand}' to be the same as the {i}-th result type: '{result}'"
            )));
        }
    }
    Ok(())
}

pub(crate) fn verify_reduce(op: OpRef<'_>) -> Verified {
    let view = ReduceOp::wrap(op);
    if view.operands().len() != view.reductions().len() {
        return Err(op.error(format_args!(
            "expects number of reduction regions: {} to be the same as number of reduction operands: {}",
            view.reductions().len(),
            view.operands().len()
        )));
    }
    for (i, (operand, region)) in view.operands().iter().zip(view.reductions()).enumerate() {
        let ty = operand.ty();
        let Some(entry) = region.entry().filter(|block| !block.is_empty()) else {
            return Err(op.error(format_args!("{i}-th reduction has an empty body")));
        };
        if entry.num_args() != 2 || entry.args().any(|arg| arg.ty() != ty) {
            return Err(
                op.error(format_args!("expected two block arguments with type '{ty}' in the {i}-th reduction region"))
            );
        }
        if !entry.last_op().is_some_and(OpRef::is::<ReduceReturnOp<'_>>) {
            return Err(op.error("reduction bodies must be terminated with an 'scf.reduce.return' op"));
        }
    }
    Ok(())
}

pub(crate) fn verify_reduce_return(op: OpRef<'_>) -> Verified {
    let expected = op.block().and_then(|block| block.args().next()).map(ValueRef::ty);
    match expected {
        Some(ty) if ReduceReturnOp::wrap(op).result().ty() != ty => {
            Err(op.error(format_args!("must have type '{ty}' (the type of the reduction inputs)")))
        }
        _ => Ok(()),
    }
}

pub(crate) fn verify_forall(op: OpRef<'_>) -> Verified {
    let view = ForallOp::wrap(op);
    let outputs = view.outputs();
    if op.num_results() != outputs.len() {
        let results = op.num_results();
        return Err(op.error(format_args!("produces {results} results, but has only {} outputs", outputs.len())));
    }
    let [lower, upper, step] = crate::forall_bounds(view);
    let Some(body) = view.region().entry() else { return Ok(()) };
    let loops = body.num_args().saturating_sub(outputs.len());
    verify_bounds(op, "lower bound", loops, &lower, view.dynamic_lower_bound())?;
    verify_bounds(op, "upper bound", loops, &upper, view.dynamic_upper_bound())?;
    verify_bounds(op, "step", loops, &step, view.dynamic_step())?;
    if body.num_args() != loops + outputs.len() {
        return Err(op.error(format_args!("region expects {} arguments", loops + outputs.len())));
    }
    if let Some(i) = body.args().take(loops).position(|arg| !arg.ty().is_index()) {
        return Err(op.error(format_args!("expects {i}-th block argument to be an index")));
    }
    let mut shared = outputs.iter().zip(body.args().skip(loops));
    if let Some(i) = shared.position(|(out, arg)| out.ty() != arg.ty()) {
        return Err(op.error(format_args!("type mismatch between {i}-th output and corresponding block argument")));
    }
    if let Some(i) = op.results().iter().zip(outputs.iter()).position(|(result, out)| result.ty() != out.ty()) {
        return Err(op.error(format_args!("type mismatch between {i}-th output and corresponding result")));
    }
    // Masks, of which there is one kind, say which processors take part.
    if let Some(mapping) = view.mapping().map(AttrRef::elements).filter(|mapping| mapping.len() != 0) {
        let all = mapping.len();
        let masks = mapping.filter(|each| each.is_dialect_attr("gpu.mask")).count();
        if all - masks != loops {
            return Err(op.error("mapping attribute size must match op rank"));
        }
        if masks > 1 {
            return Err(op.error("\"mapping\" supports at most one device masking attribute"));
        }
    }
    Ok(())
}

fn verify_bounds(op: OpRef<'_>, name: &str, count: usize, constants: &[i64], values: Operands<'_>) -> Verified {
    if constants.len() != count {
        let got = constants.len();
        return Err(Diagnostic::error(op.loc(), format!("expected {count} {name} values, got {got}")));
    }
    let dynamic = constants.iter().filter(|&&n| n == dl_ir::DYNAMIC).count();
    if dynamic != values.len() {
        return Err(Diagnostic::error(op.loc(), format!("expected {dynamic} dynamic {name} values")));
    }
    Ok(())
}

pub(crate) fn verify_in_parallel(op: OpRef<'_>) -> Verified {
    for nested in op.region(0).ops() {
        if !nested.names_interface("ParallelCombiningOpInterface") {
            return Err(op.error("expected only ParallelCombiningOpInterface ops"));
        }
    }
    Ok(())
}
