//! The target `accelerator`: programs for accelerators.

use dl_runtime::Array;
use dl_simulator::execute::dtype;
use dl_simulator::program::Buffer;
use dl_simulator::{Machine, Program, Simulation};

use super::{Checked, Finding};
use crate::Lab;

/// A machine on which nothing takes long: its memories are small.
const MACHINE: &str = include_str!("accelerator.toml");

/// A program is loaded or rejected; it comes back from both forms as it was; it is refused, or executed and timed in no less than the lower bound.
pub(super) fn run(_: &mut Lab, input: &[u8]) -> Checked {
    let program = if Program::is_binary(input) {
        let Ok(program) = Program::from_bytes(input) else { return Ok(()) };
        program
    } else {
        let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
        let Ok(program) = Program::from_text(text) else { return Ok(()) };
        program
    };
    round_trip(&program)?;
    let machine =
        Machine::parse(MACHINE).map_err(|errors| Finding::new("the description is wrong", errors.to_string()))?;
    let Ok(simulation) = Simulation::new(&machine, &program) else { return Ok(()) };
    // Executing may still fail: memory that was never written, inputs of extents that no array can have.
    let inputs: Option<Vec<Array>> = program.inputs().map(|(_, buffer)| zeros(buffer)).collect();
    if let Some(inputs) = inputs {
        let _ = simulation.execute(&inputs);
    }
    let report = simulation.trace();
    if report.cycles < report.lower_bound.cycles {
        return Err(Finding::new("a program is faster than possible", report.to_string()));
    }
    Ok(())
}

fn round_trip(program: &Program) -> Checked {
    match Program::from_bytes(&program.to_bytes()) {
        Ok(again) if again == *program => {}
        Ok(again) => return Err(Finding::new("the binary form is another program", format!("{program}\n{again}"))),
        Err(error) => return Err(Finding::new("the binary form is rejected", format!("{error}\n{program}"))),
    }
    let text = program.to_string();
    match Program::from_text(&text) {
        Ok(again) if again.to_string() == text => Ok(()),
        Ok(again) => Err(Finding::new("the text is another program", format!("{text}\n{again}"))),
        Err(error) => Err(Finding::new("the text is rejected", format!("{error}\n{text}"))),
    }
}

fn zeros(buffer: &Buffer) -> Option<Array> {
    let shape: Option<Vec<usize>> = buffer.shape.iter().map(|&extent| usize::try_from(extent).ok()).collect();
    Array::zeros(dtype(buffer.element), &shape?).ok()
}
