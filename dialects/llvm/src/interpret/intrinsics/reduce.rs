//! Reductions of vectors, in order from the first lane on.

use dl_ir::interp::{Flow, Interpret, Machine, Outcome, Step, Value};
use dl_ir::number::{ApInt, float};
use dl_ir::{Diagnostic, DialectBuilder, FloatKind};

use super::mask::{Mask, lane_count, vector};
use crate::interpret::aggregates::lane_at;
use crate::{
    VPReduceAddOp, VPReduceAndOp, VPReduceFAddOp, VPReduceFMaxOp, VPReduceFMinOp, VPReduceFMulOp, VPReduceMulOp,
    VPReduceOrOp, VPReduceSMaxOp, VPReduceSMinOp, VPReduceUMaxOp, VPReduceUMinOp, VPReduceXorOp, VectorReduceAddOp,
    VectorReduceAndOp, VectorReduceFaddOp, VectorReduceFmaxOp, VectorReduceFmaximumOp, VectorReduceFminOp,
    VectorReduceFminimumOp, VectorReduceFmulOp, VectorReduceMulOp, VectorReduceOrOp, VectorReduceSmaxOp,
    VectorReduceSminOp, VectorReduceUmaxOp, VectorReduceUminOp, VectorReduceXorOp,
};

/// A function that combines two lanes.
#[derive(Clone, Copy)]
enum Reduce {
    Ints(fn(&ApInt, &ApInt) -> ApInt),
    Floats(fn(FloatKind, u128, u128) -> u128),
}

pub(super) fn register(b: &mut DialectBuilder) {
    use Reduce::{Floats, Ints};
    b.on::<VectorReduceAddOp<'_>>().interpret(Ints(ApInt::wrapping_add));
    b.on::<VectorReduceMulOp<'_>>().interpret(Ints(ApInt::wrapping_mul));
    b.on::<VectorReduceAndOp<'_>>().interpret(Ints(ApInt::and));
    b.on::<VectorReduceOrOp<'_>>().interpret(Ints(ApInt::or));
    b.on::<VectorReduceXorOp<'_>>().interpret(Ints(ApInt::xor));
    b.on::<VectorReduceSmaxOp<'_>>().interpret(Ints(ApInt::smax));
    b.on::<VectorReduceSminOp<'_>>().interpret(Ints(ApInt::smin));
    b.on::<VectorReduceUmaxOp<'_>>().interpret(Ints(ApInt::umax));
    b.on::<VectorReduceUminOp<'_>>().interpret(Ints(ApInt::umin));
    b.on::<VectorReduceFaddOp<'_>>().interpret(Floats(float::add));
    b.on::<VectorReduceFmulOp<'_>>().interpret(Floats(float::mul));
    b.on::<VectorReduceFmaxOp<'_>>().interpret(Floats(float::maxnum));
    b.on::<VectorReduceFminOp<'_>>().interpret(Floats(float::minnum));
    b.on::<VectorReduceFmaximumOp<'_>>().interpret(Floats(float::maximum));
    b.on::<VectorReduceFminimumOp<'_>>().interpret(Floats(float::minimum));
    b.on::<VPReduceAddOp<'_>>().interpret(Predicated(Ints(ApInt::wrapping_add)));
    b.on::<VPReduceMulOp<'_>>().interpret(Predicated(Ints(ApInt::wrapping_mul)));
    b.on::<VPReduceAndOp<'_>>().interpret(Predicated(Ints(ApInt::and)));
    b.on::<VPReduceOrOp<'_>>().interpret(Predicated(Ints(ApInt::or)));
    b.on::<VPReduceXorOp<'_>>().interpret(Predicated(Ints(ApInt::xor)));
    b.on::<VPReduceSMaxOp<'_>>().interpret(Predicated(Ints(ApInt::smax)));
    b.on::<VPReduceSMinOp<'_>>().interpret(Predicated(Ints(ApInt::smin)));
    b.on::<VPReduceUMaxOp<'_>>().interpret(Predicated(Ints(ApInt::umax)));
    b.on::<VPReduceUMinOp<'_>>().interpret(Predicated(Ints(ApInt::umin)));
    b.on::<VPReduceFAddOp<'_>>().interpret(Predicated(Floats(float::add)));
    b.on::<VPReduceFMulOp<'_>>().interpret(Predicated(Floats(float::mul)));
    b.on::<VPReduceFMaxOp<'_>>().interpret(Predicated(Floats(float::maxnum)));
    b.on::<VPReduceFMinOp<'_>>().interpret(Predicated(Floats(float::minnum)));
}

impl Interpret for Reduce {
    /// From the start value on, where there is one.
    fn interpret<'a>(&self, step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
        let Some((vector, start)) = step.operands.split_last() else { return Err(step.op.error("has no operands")) };
        let Value::Array(vector) = vector else { return Ok(Flow::from(Value::Poison)) };
        let mut lanes = start.iter().chain(vector.elements()).cloned();
        let first = lanes.next().ok_or_else(|| step.op.error("reduces no lanes"))?;
        lanes.try_fold(first, |sum, lane| self.combine(step, &sum, &lane)).map(Flow::from)
    }
}

impl Reduce {
    fn combine(self, step: Step<'_, '_>, sum: &Value, lane: &Value) -> Result<Value, Diagnostic> {
        if sum.is_poison() || lane.is_poison() {
            return Ok(Value::Poison);
        }
        // Nothing verifies that a start value is of the type of the lanes.
        let mismatch = || step.op.error("reduces lanes of another type than the start value");
        match self {
            Self::Ints(f) => {
                let (a, b) = (step.int(sum)?, step.int(lane)?);
                if a.width() == b.width() { Ok(Value::Int(f(a, b))) } else { Err(mismatch()) }
            }
            Self::Floats(f) => {
                let ((kind, a), (of_lane, b)) = (step.float(sum)?, step.float(lane)?);
                if kind == of_lane { Ok(Value::Float(kind, f(kind, a, b))) } else { Err(mismatch()) }
            }
        }
    }
}

/// A reduction of a start value and the lanes of a mask below a length. Poison where a lane's mask is.
struct Predicated(Reduce);

impl Interpret for Predicated {
    fn interpret<'a>(&self, step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
        let (operands, mask) = Mask::predicate(step)?;
        let [start, value] = operands else { return Err(step.op.error("has no start value and vector")) };
        let mut lanes = Vec::new();
        for at in 0..lane_count(step, step.op.operand(1).ty())? {
            match mask.get(at) {
                Some(true) => lanes.push(lane_at(value, at)),
                Some(false) => {}
                None => return Ok(Value::Poison.into()),
            }
        }
        self.0.interpret(Step { operands: &[start.clone(), vector(lanes)], ..step }, machine)
    }
}
