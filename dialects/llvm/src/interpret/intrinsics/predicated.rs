//! Vector-predicated operations: the scalar function in each lane of a mask below a length, poison in all others.
//!
//! A lane whose mask is poison is poison, but what is undefined in it is undefined: it may take part.

use dl_ir::interp::integer::{Division, NoWrap, shift_left, shift_right, total};
use dl_ir::interp::{Elementwise, Flow, Interpret, Machine, Outcome, Step, Value};
use dl_ir::number::{ApInt, float};
use dl_ir::{Diagnostic, DialectBuilder, OpDefinition};

use super::float::fma;
use super::mask::{Mask, lane_count, length, vector};
use crate::interpret::aggregates::lane_at;
use crate::interpret::float::{binary, negated};
use crate::interpret::{Scalar, convert};
use crate::{
    VPAShrOp, VPAddOp, VPAndOp, VPFAddOp, VPFDivOp, VPFMulAddOp, VPFMulOp, VPFNegOp, VPFPExtOp, VPFPToSIOp, VPFPToUIOp,
    VPFPTruncOp, VPFRemOp, VPFSubOp, VPFmaOp, VPLShrOp, VPMergeMinOp, VPMulOp, VPOrOp, VPSDivOp, VPSExtOp, VPSIToFPOp,
    VPSMaxOp, VPSMinOp, VPSRemOp, VPSelectMinOp, VPShlOp, VPSubOp, VPTruncOp, VPUDivOp, VPUIToFPOp, VPUMaxOp, VPUMinOp,
    VPURemOp, VPXorOp, VPZExtOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    on::<VPAddOp<'_>>(b, |step, v| total(step, v, ApInt::wrapping_add));
    on::<VPSubOp<'_>>(b, |step, v| total(step, v, ApInt::wrapping_sub));
    on::<VPMulOp<'_>>(b, |step, v| total(step, v, ApInt::wrapping_mul));
    on::<VPAndOp<'_>>(b, |step, v| total(step, v, ApInt::and));
    on::<VPOrOp<'_>>(b, |step, v| total(step, v, ApInt::or));
    on::<VPXorOp<'_>>(b, |step, v| total(step, v, ApInt::xor));
    on::<VPSMaxOp<'_>>(b, |step, v| total(step, v, ApInt::smax));
    on::<VPSMinOp<'_>>(b, |step, v| total(step, v, ApInt::smin));
    on::<VPUMaxOp<'_>>(b, |step, v| total(step, v, ApInt::umax));
    on::<VPUMinOp<'_>>(b, |step, v| total(step, v, ApInt::umin));
    on::<VPShlOp<'_>>(b, |step, v| shift_left(step, v, NoWrap::default()));
    on::<VPLShrOp<'_>>(b, |step, v| shift_right(step, v, ApInt::lshr));
    on::<VPAShrOp<'_>>(b, |step, v| shift_right(step, v, ApInt::ashr));
    b.on::<VPSDivOp<'_>>().interpret(Predicated(Division(ApInt::sdiv)));
    b.on::<VPUDivOp<'_>>().interpret(Predicated(Division(ApInt::udiv)));
    b.on::<VPSRemOp<'_>>().interpret(Predicated(Division(|a, b| a.sdiv(b).and_then(|_| a.srem(b)))));
    b.on::<VPURemOp<'_>>().interpret(Predicated(Division(ApInt::urem)));
    on::<VPFAddOp<'_>>(b, |step, v| binary(step, v, float::add));
    on::<VPFSubOp<'_>>(b, |step, v| binary(step, v, float::sub));
    on::<VPFMulOp<'_>>(b, |step, v| binary(step, v, float::mul));
    on::<VPFDivOp<'_>>(b, |step, v| binary(step, v, float::div));
    on::<VPFRemOp<'_>>(b, |step, v| binary(step, v, float::rem));
    on::<VPFNegOp<'_>>(b, negated);
    on::<VPFmaOp<'_>>(b, fma);
    on::<VPFMulAddOp<'_>>(b, fma);
    on::<VPSExtOp<'_>>(b, convert::sext);
    on::<VPZExtOp<'_>>(b, convert::zext);
    on::<VPTruncOp<'_>>(b, convert::trunc);
    on::<VPFPExtOp<'_>>(b, convert::convert);
    on::<VPFPTruncOp<'_>>(b, convert::convert);
    on::<VPSIToFPOp<'_>>(b, |step, v| convert::from_int(step, v, true));
    on::<VPUIToFPOp<'_>>(b, |step, v| convert::from_int(step, v, false));
    on::<VPFPToSIOp<'_>>(b, |step, v| convert::to_int(step, v, true));
    on::<VPFPToUIOp<'_>>(b, |step, v| convert::to_int(step, v, false));
    b.on::<VPSelectMinOp<'_>>().interpret(select);
    b.on::<VPMergeMinOp<'_>>().interpret(merge);
}

fn on<T: OpDefinition>(b: &mut DialectBuilder, scalar: Scalar) {
    b.on::<T>().interpret(Predicated(Elementwise(scalar)));
}

/// The meaning of an operation on the lanes of its operands but the last two, which are a mask and a length.
struct Predicated<I>(I);

impl<I: Interpret> Interpret for Predicated<I> {
    fn interpret<'a>(&self, step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
        let (operands, mask) = Mask::predicate(step)?;
        let mut lanes = Vec::new();
        for at in 0..lane_count(step, step.op.result(0).ty())? {
            let active = mask.get(at);
            if active == Some(false) {
                lanes.push(Value::Poison);
                continue;
            }
            let values: Vec<Value> = operands.iter().map(|operand| lane_at(operand, at)).collect();
            let Flow::Next(result) = self.0.interpret(Step { operands: &values, ..step }, machine)? else {
                return Err(step.op.error("has a meaning that leaves it"));
            };
            let result = result.into_iter().next().filter(|_| active.is_some());
            lanes.push(result.unwrap_or(Value::Poison));
        }
        Ok(vector(lanes).into())
    }
}

/// Lanes from the length on are poison.
fn select<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    chosen(step, |_| Value::Poison)
}

/// Lanes from the length on are those of the second vector.
fn merge<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let second = step.one(2)?;
    chosen(step, |at| lane_at(second, at))
}

fn chosen<'a>(step: Step<'a, '_>, beyond: impl Fn(usize) -> Value) -> Outcome<'a> {
    let (condition, first, second) = (step.one(0)?, step.one(1)?, step.one(2)?);
    let count = lane_count(step, step.op.result(0).ty())?;
    let end = length(step, step.one(3)?, count)?;
    let lane = |at: usize| -> Result<Value, Diagnostic> {
        Ok(match lane_at(condition, at) {
            _ if at >= end => beyond(at),
            Value::Poison => Value::Poison,
            condition => lane_at(if step.bool(&condition)? { first } else { second }, at),
        })
    };
    Ok(vector((0..count).map(lane).collect::<Result<_, _>>()?).into())
}
