//! A program on a machine.

use dl_runtime::Array;
use thiserror::Error;

use crate::check::{Checked, Fault, check};
use crate::execute;
use crate::machine::Machine;
use crate::program::Program;
use crate::timing::{self, Report};

/// Why a program could not be simulated.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SimulationError {
    /// The program does what the machine traps.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The inputs are not those that the program takes.
    #[error("{0}")]
    Input(String),
    /// The host has not enough memory.
    #[error("{0}")]
    Memory(String),
}

/// A program that has been checked for a machine.
pub struct Simulation<'a> {
    machine: &'a Machine,
    program: &'a Program,
    checked: Checked,
}

impl<'a> Simulation<'a> {
    /// Checks the program.
    ///
    /// # Errors
    /// What the machine would trap; see [`crate::check`].
    pub fn new(machine: &'a Machine, program: &'a Program) -> Result<Self, Fault> {
        Ok(Self { machine, program, checked: check(machine, program)? })
    }

    /// What the program computes of `inputs`: its outputs, in order.
    ///
    /// # Errors
    /// Inputs that do not fit, and reads of memory that nothing was written to.
    pub fn execute(&self, inputs: &[Array]) -> Result<Vec<Array>, SimulationError> {
        execute::run(self.machine, self.program, inputs)
    }

    /// How long it takes.
    pub fn time(&self) -> Report {
        timing::run(self.machine, self.program, &self.checked, false)
    }

    /// As [`Simulation::time`], with the timeline: a span for each phase of each instruction.
    pub fn trace(&self) -> Report {
        timing::run(self.machine, self.program, &self.checked, true)
    }
}
