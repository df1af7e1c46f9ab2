//! What is known of the induction variables of `scf` loops, as constraints.

use dl_affine::constraints::{ValueSystem, widened};
use dl_ir::interfaces::{Bound, LoopDim, LoopLike};
use dl_ir::presburger::Linear;
use dl_ir::{OpRef, ValueRef};

/// The loop and the dimension of it that counts `variable`.
pub fn dimension_of(variable: ValueRef<'_>) -> Option<(OpRef<'_>, LoopDim<'_>)> {
    let around = variable.owner_block()?.parent_op()?;
    let dims = around.interface::<dyn LoopLike>()?.dims(around)?;
    Some((around, dims.into_iter().find(|dim| dim.variable == variable)?))
}

/// `known` learns that the induction variable is in the range of its loop, and a whole number of steps from its start. `None` where the
/// step is no positive constant.
pub fn add_range(known: &mut ValueSystem, dim: LoopDim<'_>) -> Option<()> {
    let step = dim.step.constant().filter(|&step| step > 0)?;
    let variable = known.unknown(dim.variable);
    let lower = bound(known, dim.lower);
    let upper = bound(known, dim.upper);
    let steps = known.system_mut().add_unknown();
    let count = known.system().unknowns();
    let variable = Linear::unknown(count, variable);
    let (lower, upper) = (widened(&lower, count), widened(&upper, count));
    let taken = lower.combined(&1.into(), &Linear::unknown(count, steps), &step.into());
    known.system_mut().add_equality(variable.combined(&1.into(), &taken, &(-1).into()));
    known.add_difference(&variable, &lower, 0);
    known.add_difference(&upper, &variable, -1);
    if let (Some(first), Some(end)) = (dim.lower.constant(), dim.upper.constant())
        && first.checked_add(step).is_some_and(|second| second >= end)
    {
        let mut only = variable;
        only.constant -= first;
        known.system_mut().add_equality(only);
    }
    Some(())
}

fn bound(known: &mut ValueSystem, bound: Bound<'_>) -> Linear {
    match bound {
        Bound::Constant(number) => Linear::constant(known.system().unknowns(), number),
        Bound::Value(value) => {
            let unknown = known.unknown(value);
            Linear::unknown(known.system().unknowns(), unknown)
        }
    }
}
