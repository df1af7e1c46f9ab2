//! Concatenations: types that follow from one another.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, Rewriter, ValueId};

use super::cast_to;
use crate::ConcatOp;

/// Extents that all operands and the result have in common, where one of them is known; along `dim`, the sum of those of the operands,
/// as far as all are known, or else what the result has.
pub(crate) fn common_extents(op: ConcatOp<'_>, dim: usize) -> Option<Vec<i64>> {
    let mut shape = op.result().ty().shape()?.to_vec();
    for input in op.inputs().iter() {
        for (i, (known, &extent)) in shape.iter_mut().zip(input.ty().shape()?).enumerate() {
            if i != dim && *known == DYNAMIC {
                *known = extent;
            }
        }
    }
    let along = |input: dl_ir::ValueRef<'_>| input.ty().shape()?.get(dim).copied().filter(|&extent| extent != DYNAMIC);
    let sum = op.inputs().iter().try_fold(0_i64, |sum, input| sum.checked_add(along(input)?));
    if let (Some(sum), Some(extent)) = (sum, shape.get_mut(dim)) {
        *extent = sum;
    }
    Some(shape)
}

fn parts<'r>(rw: &'r Rewriter<'_>, op: OpId) -> Result<(ConcatOp<'r>, usize, Vec<i64>), NoMatch> {
    let concat = ConcatOp(rw.op(op));
    let dim = concat.dim().as_int().and_then(|dim| usize::try_from(dim).ok()).ok_or(NoMatch("no dimension"))?;
    let shape = common_extents(concat, dim).filter(|shape| dim < shape.len()).ok_or(NoMatch("no rank"))?;
    Ok((concat, dim, shape))
}

/// One tensor joined with nothing is itself.
fn single(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let concat = ConcatOp(rw.op(op));
    if concat.inputs().len() != 1 {
        return Err(NoMatch("more than one operand"));
    }
    let (source, ty, loc) = (concat.0.operand(0).id(), concat.result().ty().id(), concat.0.loc());
    let value = cast_to(rw, source, ty, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// An operand whose extents follow from the others is cast to a type that says so.
fn operand_types(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let (concat, dim, shape) = parts(rw, op)?;
    let mut wanted = Vec::new();
    for input in concat.inputs().iter() {
        let mut extents = shape.clone();
        extents[dim] = input.ty().shape().and_then(|shape| shape.get(dim)).copied().unwrap_or(DYNAMIC);
        wanted.push((input.id(), cx.ty(input.ty().id()).with_shape(&extents).ok_or(NoMatch("no rank"))?));
    }
    if wanted.iter().all(|&(value, ty)| rw.value_type(value).id() == ty) {
        return Err(NoMatch("nothing more is known"));
    }
    let loc = rw.op(op).loc();
    for (i, (value, ty)) in wanted.into_iter().enumerate() {
        if rw.value_type(value).id() != ty {
            let cast = cast_to(rw, value, ty, loc);
            rw.set_operand(op, i, cast);
        }
    }
    Ok(())
}

/// A result whose extents follow from the operands has a type that says so, cast.
fn result_type(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let (concat, _, shape) = parts(rw, op)?;
    let old = concat.result().ty().id();
    let new = cx.ty(old).with_shape(&shape).filter(|&new| new != old).ok_or(NoMatch("nothing more is known"))?;
    let contradicts = |(new, &old): (&i64, &i64)| old != DYNAMIC && *new != old;
    if shape.iter().zip(cx.ty(old).shape().unwrap_or(&[])).any(contradicts) {
        return Err(NoMatch("the operands contradict the result"));
    }
    let (inputs, attrs, loc): (Vec<ValueId>, Vec<_>, _) = (
        concat.inputs().iter().map(|input| input.id()).collect(),
        concat.0.attrs().map(|(name, value)| (name, value.id())).collect(),
        concat.0.loc(),
    );
    let joined = rw.create_value(OpState::of::<ConcatOp<'_>>(loc).operands(inputs).attrs(attrs).results([new]));
    let value = cast_to(rw, joined, old, loc);
    rw.replace(op, &[value]);
    Ok(())
}

pub(crate) fn concat(patterns: &mut Patterns) {
    let root = Some(ConcatOp::NAME);
    patterns
        .add_fn("tensor-concat-of-one", root, single)
        .add_fn("tensor-concat-operand-types", root, operand_types)
        .add_fn("tensor-concat-result-type", root, result_type);
}
