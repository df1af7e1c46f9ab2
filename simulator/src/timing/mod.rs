//! How long a program takes.
//!
//! Every instruction becomes a `Task`: a few phases, each in a stage of a unit, with the cycles that it takes when nothing is in its way and
//! the bytes per cycle that it then moves from and to banks and DRAM. The `engine` plays tasks through queues and stages, event by event. Where phases
//! together ask more of a bank than its bandwidth, all that use it slow down by the same factor (`share`).
//!
//! `docs/accelerator.md` has the rules. Time does not depend on data.

mod bound;
mod cost;
mod engine;
mod page;
mod report;
mod share;
mod task;
mod trace;

pub use bound::{Limit, LowerBound};
pub use page::to_html;
pub use report::{CoreReport, MemoryTraffic, QueueReport, Report, UnitReport};
pub use trace::{Span, Unit, to_chrome_trace};

use crate::check::Checked;
use crate::machine::Machine;
use crate::program::Program;

/// Times a checked program; `keeps_spans` asks for a timeline.
pub(crate) fn run(machine: &Machine, program: &Program, checked: &Checked, keeps_spans: bool) -> Report {
    let resources = cost::Resources::new(machine, program.cores.len());
    let tasks = cost::tasks(machine, program, checked, &resources);
    let outcome = engine::run(machine, program, checked, &resources, &tasks, keeps_spans);
    report::make(machine, program, checked, outcome)
}
