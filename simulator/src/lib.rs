//! Accelerators: a machine is described in TOML, its programs are executed bit by bit and timed cycle by cycle.
//!
//! * [`machine`]: the description. All that is known of an accelerator; no code names one.
//! * [`program`]: instructions as data, with a compact binary form (`.dlacc`) and a readable text form.
//! * [`check`]: what can be said of a program before it runs: bounds, alignment, types, tokens, races.
//! * [`execute`]: what it computes.
//! * [`timing`]: how long it takes, why, and what the least is that it could take.
//!
//! [`Simulation`] does all of it in order. `docs/accelerator.md` describes the machine model, the instructions, the formats and the rules of time.
//!
//! # Invariants
//! * Results depend on the program and its inputs only, never on timing: programs whose result could depend on it have a race and are refused.
//! * Time depends on the program and the machine only, never on data.
//! * A program or a description from anywhere gives a result or an error. Memory is taken only after sizes were checked.

#![forbid(unsafe_code)]

pub mod check;
pub mod element;
pub mod execute;
mod footprint;
pub mod machine;
pub mod program;
mod simulation;
pub mod timing;

pub use element::ElementType;
pub use machine::Machine;
pub use program::Program;
pub use simulation::{Simulation, SimulationError};
