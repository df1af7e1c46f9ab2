//! Regions that run at most once.

use dl_ir::AttrRef;
use dl_ir::interp::{Flow, Machine, Outcome, Step};

pub(super) fn if_<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let condition = step.bool(step.one(0)?)?;
    machine.run_region(step.op.region(usize::from(!condition)), &[]).map(Flow::Next)
}

pub(super) fn index_switch<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let value = step.index(step.one(0)?)?;
    let mut cases = step.op.attr("cases").into_iter().flat_map(AttrRef::dense_ints);
    let case = cases.position(|case| case == value);
    machine.run_region(step.op.region(case.map_or(0, |at| at + 1)), &[]).map(Flow::Next)
}

pub(super) fn execute_region<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    machine.run_region(step.op.region(0), &[]).map(Flow::Next)
}
