//! What a launch means when run: its program is executed bit by bit.

use dl_ir::interp::{Array, Flow, Machine, Outcome, Step, Value};
use dl_ir::{Diagnostic, OpRef, OpView, TypeRef};
use dl_runtime::Array as Dense;
use dl_simulator::check::Fault;
use dl_simulator::execute::dtype;
use dl_simulator::{ElementType, Simulation, SimulationError};

use crate::encode::{Encoded, encode};
use crate::{LaunchOp, target, types};

/// Inputs are copied to the machine, its program is run, outputs are what it leaves.
pub(crate) fn launch<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let op = step.op;
    let launch = LaunchOp::wrap(op);
    let encoded = encode(launch, "launch")?;
    let machine = target::of_launch(launch).map_err(|message| op.error(message))?;
    let inputs: Vec<Dense> = (0..step.operands.len())
        .map(|index| {
            let values = step.array(&step.operands[index])?;
            dense(values, op.operand(index).ty()).map_err(|message| step.fault(&message))
        })
        .collect::<Result<_, _>>()?;
    let simulation = Simulation::new(&machine, &encoded.program).map_err(|fault| at_fault(op, &encoded, &fault))?;
    let outputs = simulation.execute(&inputs).map_err(|error| match error {
        SimulationError::Fault(fault) => at_fault(op, &encoded, &fault),
        other => step.undefined(other),
    })?;
    let value = |(array, ty): (&Dense, TypeRef<'_>)| values(array, ty).map_err(|message| step.fault(&message));
    let results = outputs.iter().zip(op.results().iter().map(dl_ir::ValueRef::ty)).map(value);
    Ok(Flow::Next(results.collect::<Result<_, _>>()?))
}

/// A fault of the machine, at the operation that it is about.
fn at_fault(launch: OpRef<'_>, encoded: &Encoded, fault: &Fault) -> Diagnostic {
    let loc = fault.at.and_then(|(core, instruction)| encoded.loc(core, instruction));
    let error = Diagnostic::error(loc.unwrap_or(launch.loc()), format!("undefined behaviour: {}", fault.message));
    if loc.is_some() { error.note(launch.loc(), "in this launch") } else { error }
}

fn element(ty: TypeRef<'_>) -> Result<ElementType, String> {
    types::element_type(ty).ok_or_else(|| format!("unsupported: elements of type '{ty}'"))
}

fn dense(values: &Array, ty: TypeRef<'_>) -> Result<Dense, String> {
    let element = element(ty)?;
    let mut bytes = Vec::with_capacity(values.elements().len() * element.size() as usize);
    for value in values.elements() {
        let start = bytes.len();
        value.write_bytes(&mut bytes).ok_or("use of poison")?;
        if cfg!(target_endian = "big") {
            bytes[start..].reverse();
        }
    }
    let shape: Vec<usize> = values.shape().iter().map(|&extent| extent as usize).collect();
    Dense::from_bytes(dtype(element), &shape, &bytes).map_err(|error| error.to_string())
}

fn values(array: &Dense, ty: TypeRef<'_>) -> Result<Value, String> {
    let size = element(ty)?.size() as usize;
    let number = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        if cfg!(target_endian = "big") {
            bytes.reverse();
        }
        Value::of_bytes(ty.element_or_self(), &bytes).ok_or_else(|| format!("unsupported: elements of type '{ty}'"))
    };
    let elements = array.bytes().chunks_exact(size).map(number).collect::<Result<Vec<_>, _>>()?;
    let shape: Vec<i64> = array.shape().iter().map(|&extent| extent as i64).collect();
    Ok(Array::new(&shape, elements).into())
}
