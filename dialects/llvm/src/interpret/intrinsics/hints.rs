//! What only tells a compiler something, or asks the machine something about itself.

use dl_ir::DialectBuilder;
use dl_ir::interp::{Array, Flow, Machine, Outcome, Step, Value};
use dl_ir::number::ApInt;

use crate::interpret::Pointer;
use crate::{
    AnnotationOp, AssumeOp, BlockTagOp, DbgDeclareOp, DbgLabelOp, DbgValueOp, DebugTrapOp, ExpectOp,
    ExpectWithProbabilityOp, FenceOp, InvariantEndOp, InvariantStartOp, IsConstantOp, LaunderInvariantGroupOp,
    LifetimeEndOp, LifetimeStartOp, NoAliasScopeDeclOp, PrefetchOp, PtrAnnotationOp, SSACopyOp, StepVectorOp,
    StripInvariantGroupOp, ThreadlocalAddressOp, TrapOp, UBSanTrapOp, VarAnnotationOp, VscaleOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<AnnotationOp<'_>>().interpret(first);
    b.on::<ExpectOp<'_>>().interpret(first);
    b.on::<ExpectWithProbabilityOp<'_>>().interpret(first);
    b.on::<PtrAnnotationOp<'_>>().interpret(first);
    b.on::<SSACopyOp<'_>>().interpret(first);
    b.on::<BlockTagOp<'_>>().interpret(nothing);
    b.on::<DbgDeclareOp<'_>>().interpret(nothing);
    b.on::<DbgLabelOp<'_>>().interpret(nothing);
    b.on::<DbgValueOp<'_>>().interpret(nothing);
    b.on::<InvariantEndOp<'_>>().interpret(nothing);
    b.on::<InvariantStartOp<'_>>().interpret(invariant_start);
    b.on::<IsConstantOp<'_>>().interpret(is_constant);
    b.on::<LifetimeEndOp<'_>>().interpret(nothing);
    b.on::<LifetimeStartOp<'_>>().interpret(nothing);
    b.on::<NoAliasScopeDeclOp<'_>>().interpret(nothing);
    b.on::<PrefetchOp<'_>>().interpret(nothing);
    b.on::<VarAnnotationOp<'_>>().interpret(nothing);
    b.on::<AssumeOp<'_>>().interpret(assume);
    b.on::<FenceOp<'_>>().interpret(nothing);
    b.on::<DebugTrapOp<'_>>().interpret(nothing);
    b.on::<LaunderInvariantGroupOp<'_>>().interpret(first);
    b.on::<StripInvariantGroupOp<'_>>().interpret(first);
    b.on::<ThreadlocalAddressOp<'_>>().interpret(first);
    b.on::<TrapOp<'_>>().interpret(trap);
    b.on::<UBSanTrapOp<'_>>().interpret(trap);
    b.on::<VscaleOp<'_>>().interpret(vscale);
    b.on::<StepVectorOp<'_>>().interpret(step_vector);
}

/// The first operand as it is.
fn first<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(step.one(0)?.clone().into())
}

fn nothing<'a>(_: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Flow::none())
}

/// What only the end of that time takes.
fn invariant_start<'a>(_: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Value::from(Pointer::NULL).into())
}

/// No: whoever runs a program knows nothing before. A compiler may say yes.
fn is_constant<'a>(_: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Value::bool(false).into())
}

fn assume<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    if step.bool(step.one(0)?)? { Ok(Flow::none()) } else { Err(step.undefined("an assumption that does not hold")) }
}

/// The program ends. That is no undefined behaviour, but an error all the same.
fn trap<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Err(step.op.error("assertion failed: a trap"))
}

fn vscale<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let width = step.op.result(0).ty().int_width().unwrap_or(64);
    Ok(Value::Int(ApInt::from_i64(width, step.vscale)).into())
}

/// 0, 1, 2, ...
fn step_vector<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let ty = step.op.result(0).ty();
    let shape = step.vector_shape(ty).ok_or_else(|| step.op.error("has no vector as result"))?;
    let width = ty.element_or_self().int_width().ok_or_else(|| step.op.error("has no integers as result"))?;
    let count = dl_ir::interp::num_elements(&shape);
    let lanes = (0..step.defined(count)? as u64).map(|at| Value::Int(ApInt::from_u64(width, at)));
    Ok(Array::new(&shape, lanes.collect()).into())
}
