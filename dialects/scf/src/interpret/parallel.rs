//! Parallel loops, in order: the first variable counts slowest.

use dl_ir::interfaces::Interpret;
use dl_ir::interfaces::index_list::mixed;
use dl_ir::interp::{Flow, Machine, Odometer, Outcome, Shape, Step, Value, Values};
use dl_ir::{AttrRef, Diagnostic, OpRef};

/// All points of a nest of loops.
struct Nest {
    lower: Shape,
    by: Shape,
    counts: Odometer,
}

impl Nest {
    fn new(step: Step<'_, '_>, lower: Shape, upper: &[i64], by: Shape) -> Result<Self, Diagnostic> {
        let mut counts = Shape::new();
        for ((&lower, &upper), &by) in lower.iter().zip(upper).zip(&by) {
            // As in a nest of loops, nobody looks at those inside of one that never runs.
            if counts.contains(&0) {
                counts.push(0);
                continue;
            }
            if by <= 0 {
                return Err(step.undefined("the step of a loop is not positive"));
            }
            let distance = (i128::from(upper) - i128::from(lower)).max(0);
            let count = (distance + i128::from(by) - 1) / i128::from(by);
            counts.push(i64::try_from(count).unwrap_or(i64::MAX));
        }
        Ok(Self { lower, by, counts: Odometer::new(&counts) })
    }

    /// The next point.
    fn next(&mut self) -> Option<Values> {
        let counts = self.counts.next()?;
        // Below the upper bound, so that nothing overflows.
        let at =
            |((&lower, &by), &count): ((&i64, &i64), &i64)| Value::index(lower.wrapping_add(by.wrapping_mul(count)));
        Some(self.lower.iter().zip(&self.by).zip(counts).map(at).collect())
    }
}

/// Each iteration hands a value to each reduction, which combines it with what it has.
pub(super) fn parallel<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let bounds = |group| step.indices(step.group(group));
    let mut nest = Nest::new(step, bounds(0)?, &bounds(1)?, bounds(2)?)?;
    let mut reduced: Values = step.group(3).into();
    let body = step.op.region(0);
    let reduce = body.entry().and_then(|block| block.last_op()).filter(|op| op.num_regions() == reduced.len());
    while let Some(point) = nest.next() {
        let handed = machine.run_region(body, &point)?;
        let Some(reduce) = reduce.filter(|_| handed.len() == reduced.len()) else {
            return Err(step.op.error("has other reductions than initial values"));
        };
        for ((at, total), value) in reduced.iter_mut().enumerate().zip(handed) {
            let combined = machine.run_region(reduce.region(at), &[total.clone(), value])?;
            *total = combined.into_iter().next().ok_or_else(|| reduce.error("has a reduction without a result"))?;
        }
    }
    Ok(Flow::Next(reduced))
}

/// Each iteration sees the outputs as they were before the loop. What its end says enters the results.
pub(super) fn forall<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let bounds = |name: &str, group: usize| {
        let constants: Vec<i64> = step.op.attr(name).into_iter().flat_map(AttrRef::dense_ints).collect();
        step.mixed(&mixed(&constants, step.op.operand_group(group)), group)
    };
    let (lower, upper) = (bounds("staticLowerBound", 0)?, bounds("staticUpperBound", 1)?);
    let mut nest = Nest::new(step, lower, &upper, bounds("staticStep", 2)?)?;
    let outputs = step.group(3);
    let mut results: Values = outputs.into();
    let body = step.op.region(0);
    while let Some(mut args) = nest.next() {
        args.extend(outputs.iter().cloned());
        machine.run_region(body, &args)?;
        let end = body.entry().and_then(|block| block.last_op());
        for op in end.into_iter().filter(|end| end.num_regions() == 1).flat_map(|end| end.region(0).ops()) {
            enter(step, op, upper.len(), &mut results, machine)?;
        }
    }
    Ok(Flow::Next(results))
}

/// Runs `op`, which says how a share of the work enters a shared output: that operand is an argument of the loop's body after the
/// first `loops`, and its one outcome the output's new value.
fn enter<'a>(
    forall: Step<'a, '_>,
    op: OpRef<'a>,
    loops: usize,
    results: &mut Values,
    machine: &mut dyn Machine<'a>,
) -> Result<(), Diagnostic> {
    let body = op.parent().and_then(|end| end.block());
    let shared = |value: dl_ir::ValueRef<'a>| {
        value.owner_block().filter(|&block| Some(block) == body).and_then(|_| value.index().checked_sub(loops))
    };
    let found = op.operands().iter().enumerate().find_map(|(at, value)| Some((at, shared(value)?)));
    let (Some((operand, output)), Some(meaning)) = (found, op.interface::<dyn Interpret>()) else {
        return Err(op.error("unsupported: the interpreter has no meaning for this operation"));
    };
    let mut operands = op.operands().iter().map(|value| machine.value(value)).collect::<Result<Vec<_>, _>>()?;
    operands[operand] = results[output].clone();
    let Flow::Next(values) = meaning.interpret(Step { op, operands: &operands, ..forall }, machine)? else {
        return Err(op.error("ends a region inside of a loop's end"));
    };
    if let Some(value) = values.into_iter().next() {
        results[output] = value;
    }
    Ok(())
}
