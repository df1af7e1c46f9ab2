//! `scf.for` and `scf.while`: carried tensors become carried buffers.
//!
//! A loop carries one buffer where what an iteration yields is the buffer that it got. Where it is another one, which something else may hold,
//! the yielded tensor is copied, so that no iteration writes what is still needed.

use dl_ir::{AttrRef, BlockId, BlockRef, Diagnostic, DialectBuilder, OpId, OpRef, Rewriter, Type, ValueId, ValueRef};
use dl_scf::{ConditionOp, ForOp, WhileOp};
use smallvec::SmallVec;

use super::scf::{hand_on, rebuild, result_types};
use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::analysis::Analysis;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::layout::dynamic_layout_type;
use crate::bufferize::operand::{AliasingValue, AliasingValues, Operand, Relation};
use crate::bufferize::resolve::{allocate_like, resolve_operands};

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<ForOp<'_>>(builder, For);
    model::<WhileOp<'_>>(builder, While);
    model::<ConditionOp<'_>>(builder, Condition);
}

/// Number of the first init of a `for`, after bounds and step.
const FIRST_INIT: usize = 3;

/// Whether the values of a pair are one buffer.
fn relation(same: bool) -> Relation {
    if same { Relation::Equivalent } else { Relation::Unknown }
}

/// The last operation of the only block of region `index`.
fn end(op: OpRef<'_>, index: usize) -> Option<OpRef<'_>> {
    op.region(index).entry()?.last_op()
}

fn args(op: OpRef<'_>, index: usize) -> SmallVec<[ValueRef<'_>; 4]> {
    op.region(index).entry().map(|block| block.args().collect()).unwrap_or_default()
}

/// The buffer type of a carried value: that of the initial value where the yielded one has the same.
fn carried_type(
    op: OpRef<'_>,
    arg: ValueRef<'_>,
    init: ValueRef<'_>,
    yielded: ValueRef<'_>,
    query: &mut TypeQuery<'_>,
) -> Result<Type, Diagnostic> {
    let cx = op.cx();
    let of_init = query.operand_type(init)?;
    // The yielded value may come from the argument itself, and what is around the loop from both.
    if !query.assume(arg.id(), of_init) {
        return Ok(of_init);
    }
    let of_yield = query.operand_type(yielded)?;
    if of_init == of_yield {
        return Ok(of_init);
    }
    let space = cx.ty(of_yield).memory_space();
    if cx.ty(of_init).memory_space() != space {
        return Err(op.error("init_arg and yielded value bufferize to inconsistent memory spaces"));
    }
    Ok(dynamic_layout_type(cx, arg.ty().id(), space.map(|space| space.id())))
}

/// Buffers for the inits, cast to these types.
fn inits(op: OpId, bz: &mut Bufferizer<'_>, first: usize, types: &[Type]) -> Result<Vec<ValueId>, Diagnostic> {
    let (loc, values) = (bz.rw.op(op).loc(), bz.rw.op(op).operands().ids());
    let mut operands = values[..first].to_vec();
    for (&value, &ty) in values[first..].iter().zip(types) {
        let mut new = value;
        if bz.rw.value_type(value).is_tensor() {
            new = bz.buffer(value)?;
            if bz.rw.value_type(new) != ty {
                bz.rw.set_insertion_before(op);
                new = bz.cast(loc, new, ty);
            }
        }
        operands.push(new);
    }
    Ok(operands)
}

/// Makes arguments of `block` from number `first` on buffers of these types; what reads them as tensors reads a `to_tensor`.
fn retype(bz: &mut Bufferizer<'_>, block: BlockId, first: usize, types: &[Type]) {
    let args: SmallVec<[ValueId; 4]> = bz.rw.ir().block_args(block)[first..].into();
    bz.rw.set_insertion_to_start(block);
    for (arg, &ty) in args.into_iter().zip(types) {
        let tensor = bz.rw.value_type(arg);
        if !tensor.is_tensor() {
            continue;
        }
        let (tensor, loc) = (tensor.id(), bz.rw.value(arg).loc());
        let users: SmallVec<[(OpId, usize); 8]> = bz.rw.ir().uses(arg).collect();
        bz.rw.set_value_type(arg, ty);
        if users.is_empty() {
            continue;
        }
        let converted = bz.to_tensor(loc, arg, tensor);
        for (user, index) in users {
            bz.rw.set_operand(user, index, converted);
        }
    }
}

/// Replaces these operands of `end`, which it hands on, by copies.
fn copy_operands(rw: &mut Rewriter<'_>, state: &Analysis<'_>, end: OpId, operands: &[usize]) -> Done {
    for &index in operands {
        let view = rw.op(end);
        let (loc, value) = (view.loc(), view.operand(index).id());
        rw.set_insertion_before(end);
        let copy = allocate_like(rw, state, value, loc, true)?;
        rw.set_operand(end, index, copy);
    }
    Ok(())
}

/// Whether `value`, which an iteration of `loop_op` yields, shares memory with nothing but values that are made in the iteration and the argument
/// `own` that it becomes.
fn stays_inside(state: &Analysis<'_>, loop_op: OpRef<'_>, value: ValueRef<'_>, own: ValueId) -> bool {
    state.aliases(value.id()).all(|alias| {
        let view = ValueRef::new(state.cx(), value.arena(), alias);
        let is_argument = view.owner_block().and_then(BlockRef::parent_op) == Some(loop_op);
        alias == own || (!is_argument && view.is_defined_in(loop_op))
    })
}

/// A counted loop.
struct For;

impl For {
    fn relation(op: OpRef<'_>, index: usize, state: &Analysis<'_>) -> Relation {
        let (arg, end) = (args(op, 0).get(index + 1).copied(), end(op, 0));
        relation(arg.zip(end).is_some_and(|(arg, end)| state.are_equivalent(arg.id(), end.operand(index).id())))
    }

    /// Whether the loop may be over before its first iteration: then its results are the inits.
    fn may_be_empty(op: OpRef<'_>) -> bool {
        let bound = |index: usize| op.operand(index).constant().and_then(AttrRef::as_int);
        let is_unsigned = ForOp(op).unsigned_cmp().is_some();
        !bound(0).zip(bound(1)).is_some_and(|(lower, upper)| lower < upper && (lower >= 0 || !is_unsigned))
    }
}

impl Bufferizable for For {
    access!(|operand, state|
        reads: {
            let arg = operand.index.checked_sub(FIRST_INIT).and_then(|i| args(operand.op, 0).get(i + 1).copied());
            arg.is_none_or(|arg| state.is_read(arg) || For::may_be_empty(operand.op))
        },
        writes: true,
        aliases: {
            let Some(index) = operand.index.checked_sub(FIRST_INIT) else { return AliasingValues::new() };
            let relation = For::relation(operand.op, index, state);
            let definite = relation == Relation::Equivalent;
            smallvec::smallvec![AliasingValue { value: operand.op.result(index).id(), relation, definite }]
        },
    );

    fn is_writable(&self, _: ValueRef<'_>, _: &Analysis<'_>) -> bool {
        true
    }

    fn is_repetitive(&self, _: OpRef<'_>, _: usize) -> bool {
        true
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let is_result = value.defining_op();
        let Some(op) = is_result.or_else(|| value.owner_block()?.parent_op()) else { return query.unknown_type(value) };
        let index = if is_result.is_some() { value.index() } else { value.index() - 1 };
        let (Some(&arg), Some(end)) = (args(op, 0).get(index + 1), end(op, 0)) else {
            return query.unknown_type(value);
        };
        if is_result.is_some() {
            return query.operand_type(arg);
        }
        carried_type(op, arg, op.operand(FIRST_INIT + index), end.operand(index), query)
    }

    fn verify_analysis(&self, op: OpRef<'_>, state: &Analysis<'_>) -> Done {
        if state.options().allow_return_allocs_from_loops {
            return Ok(());
        }
        let Some(end) = end(op, 0) else { return Ok(()) };
        for result in op.results().iter().filter(|r| r.ty().is_tensor()) {
            if For::relation(op, result.index(), state) != Relation::Equivalent {
                let message =
                    format!("Yield operand #{} is not equivalent to the corresponding iter bbArg", result.index());
                return Err(Diagnostic::error(end.loc(), message));
            }
        }
        Ok(())
    }

    fn resolve_conflicts(&self, op: OpId, rw: &mut Rewriter<'_>, state: &Analysis<'_>) -> Done {
        resolve_operands(op, rw, state)?;
        if state.options().copy_before_write {
            return Ok(());
        }
        let view = rw.op(op);
        let Some(end) = end(view, 0) else { return Ok(()) };
        let carried = args(view, 0).into_iter().skip(1).zip(end.operands().iter()).enumerate();
        let needs_copy = |(arg, value): (ValueRef<'_>, ValueRef<'_>)| {
            value.ty().is_tensor() && !stays_inside(state, view, value, arg.id())
        };
        let copied: Vec<usize> = carried.filter(|&(_, pair)| needs_copy(pair)).map(|(index, _)| index).collect();
        let end = end.id();
        copy_operands(rw, state, end, &copied)
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let types = result_types(op, bz)?;
        let operands = inits(op, bz, FIRST_INIT, &types)?;
        let new = rebuild(op, bz, &operands, &types);
        if let Some(block) = bz.rw.op(new).region(0).entry().map(|block| block.id()) {
            retype(bz, block, 1, &types);
        }
        let values: SmallVec<[ValueId; 4]> = bz.rw.ir().results(new).collect();
        bz.replace(op, &values);
        Ok(())
    }
}

/// A loop with a condition.
struct While;

const BEFORE: usize = 0;
const AFTER: usize = 1;

impl While {
    fn relation(op: OpRef<'_>, index: usize, state: &Analysis<'_>) -> Relation {
        let same = || {
            let (before, after) = (*args(op, BEFORE).get(index)?, *args(op, AFTER).get(index)?);
            let (condition, end) = (end(op, BEFORE)?, end(op, AFTER)?);
            let types = before.ty() == op.result(index).ty();
            let here = state.are_equivalent(before.id(), condition.operand(index + 1).id());
            Some(types && here && state.are_equivalent(after.id(), end.operands().get(index)?.id()))
        };
        relation(same() == Some(true))
    }
}

impl Bufferizable for While {
    access!(|operand, state|
        reads: true,
        writes: true,
        aliases: {
            let (op, index) = (operand.op, operand.index);
            if index >= op.num_results() || op.result(index).ty() != operand.value().ty() {
                return AliasingValues::new();
            }
            let relation = While::relation(op, index, state);
            let definite = relation == Relation::Equivalent;
            smallvec::smallvec![AliasingValue { value: op.result(index).id(), relation, definite }]
        },
    );

    fn is_writable(&self, _: ValueRef<'_>, _: &Analysis<'_>) -> bool {
        true
    }

    fn is_repetitive(&self, _: OpRef<'_>, _: usize) -> bool {
        true
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let block = value.owner_block();
        let Some(op) = value.defining_op().or_else(|| block?.parent_op()) else { return query.unknown_type(value) };
        let (Some(condition), Some(end)) = (end(op, BEFORE), end(op, AFTER)) else { return query.unknown_type(value) };
        if block.and_then(|block| block.region()).is_some_and(|region| region.index() == BEFORE) {
            return carried_type(op, value, op.operand(value.index()), end.operand(value.index()), query);
        }
        query.operand_type(condition.operand(value.index() + 1))
    }

    fn verify_analysis(&self, op: OpRef<'_>, state: &Analysis<'_>) -> Done {
        if state.options().allow_return_allocs_from_loops {
            return Ok(());
        }
        for (region, first, word) in [(BEFORE, 1, "Condition arg"), (AFTER, 0, "Yield operand")] {
            let Some(end) = end(op, region) else { continue };
            for (i, value) in end.operands().iter().skip(first).enumerate().filter(|(_, v)| v.ty().is_tensor()) {
                if !args(op, region).get(i).is_some_and(|arg| state.are_equivalent(arg.id(), value.id())) {
                    let message = format!("{word} #{i} is not equivalent to the corresponding iter bbArg");
                    return Err(Diagnostic::error(end.loc(), message));
                }
            }
        }
        Ok(())
    }

    fn resolve_conflicts(&self, op: OpId, rw: &mut Rewriter<'_>, state: &Analysis<'_>) -> Done {
        resolve_operands(op, rw, state)?;
        if state.options().copy_before_write {
            return Ok(());
        }
        let view = rw.op(op);
        let Some(condition) = end(view, BEFORE) else { return Ok(()) };
        let is_other = |index: &usize| {
            condition.operand(*index).ty().is_tensor()
                && While::relation(view, index - 1, state) != Relation::Equivalent
        };
        let copied: Vec<usize> = (1..condition.num_operands()).filter(is_other).collect();
        let condition = condition.id();
        copy_operands(rw, state, condition, &copied)
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let of_region = |bz: &Bufferizer<'_>, region: usize| -> Result<Vec<Type>, Diagnostic> {
            args(bz.rw.op(op), region).into_iter().map(|arg| bz.types().operand_type(arg)).collect()
        };
        let (before, after) = (of_region(bz, BEFORE)?, of_region(bz, AFTER)?);
        let operands = inits(op, bz, 0, &before)?;
        let new = rebuild(op, bz, &operands, &after);
        for (region, types) in [(BEFORE, &before), (AFTER, &after)] {
            if let Some(block) = bz.rw.op(new).region(region).entry().map(|block| block.id()) {
                retype(bz, block, 0, types);
            }
        }
        let values: SmallVec<[ValueId; 4]> = bz.rw.ir().results(new).collect();
        bz.replace(op, &values);
        Ok(())
    }
}

/// What goes on to the second region of a `while`, or leaves it.
struct Condition;

impl Bufferizable for Condition {
    access!(|operand, state| reads: true, writes: false, aliases: AliasingValues::new());

    fn must_be_in_place(&self, _: Operand<'_>, _: &Analysis<'_>) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let Some(parent) = bz.rw.op(op).parent() else { return Ok(()) };
        let expected = args(parent, AFTER);
        let mut types: SmallVec<[Type; 4]> = SmallVec::new();
        for arg in expected {
            types.push(bz.types().operand_type(arg)?);
        }
        hand_on(op, bz, 1, &types)
    }
}
