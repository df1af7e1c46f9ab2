//! Element-wise operations and reductions that are no part of a product become launches for the vector unit.
//!
//! * [`chain`] puts operations together that work on the same rows, one after the other.
//! * [`work`] says what is a row, what is loaded and what is stored.
//! * [`plan`] cuts the rows into blocks and gives everything a place, with the fewest predicted cycles ([`cost`]).
//! * [`emit`] makes the launch.

pub mod chain;
pub mod cost;
pub mod emit;
pub mod plan;
pub mod work;

use dl_ir::{OpId, OpRef};
use dl_simulator::machine::Machine;

use self::chain::{Chain, Made};
use self::plan::Plan;
use self::work::Work;
use super::plan::{place, table};

/// Chains of more operations are not looked for.
const MOST_OPS: usize = 32;

/// A chain, and the best way to compute it.
pub struct Found {
    /// The operations, in order.
    pub ops: Vec<OpId>,
    /// What is to be done.
    pub work: Work,
    /// At least one, the best first.
    pub plans: Vec<Plan>,
    /// What [`Plan::padding`] says of the first one.
    pub padding: Vec<u64>,
}

/// The longest chain that begins with `op` and that `machine` can do.
pub fn candidates(op: OpRef<'_>, machine: &Machine) -> Option<Found> {
    let mut ops = vec![op];
    let mut chains = vec![Chain::begin(op, machine)?];
    while let Some(chain) = chains.last().filter(|_| ops.len() < MOST_OPS) {
        let Some(next) = first_user(&ops) else { break };
        let Some(longer) = chain.with(next, machine) else { break };
        ops.push(next);
        chains.push(longer);
    }
    // What does not fit the memories is left to a launch of its own.
    while let Some(chain) = chains.pop() {
        if let Some(found) = best(&chain, &ops, machine) {
            return Some(found);
        }
        ops.pop();
    }
    None
}

/// The first operation of the block, besides `ops`, that uses what they make.
fn first_user<'a>(ops: &[OpRef<'a>]) -> Option<OpRef<'a>> {
    let block = ops[0].block()?;
    let mut first: Option<OpRef<'a>> = None;
    for op in ops {
        for (mut user, _) in op.result(0).uses() {
            while user.block()? != block {
                user = user.parent()?;
            }
            let is_known = ops.iter().any(|op| op.id() == user.id());
            if !is_known && first.is_none_or(|first| user.arena().is_before_in_block(user.id(), first.id())) {
                first = Some(user);
            }
        }
    }
    first
}

/// The best way to compute a chain.
fn best(chain: &Chain, ops: &[OpRef<'_>], machine: &Machine) -> Option<Found> {
    let is_used = |made: &&Made| {
        ops.iter().any(|op| {
            op.result(0).id() == made.value
                && op.result(0).uses().any(|(user, _)| !ops.iter().any(|op| op.id() == user.id()))
        })
    };
    let stored: Vec<Made> = chain.made.iter().filter(is_used).cloned().collect();
    let mut best: Option<Found> = None;
    for work in Work::all(chain, &stored, ops, machine) {
        let plans = plan::plans(&work, machine);
        let Some(first) = plans.first() else { continue };
        let cycles = |plan: &Plan| plan.prediction.cycles;
        if best.as_ref().is_none_or(|best| cycles(first) < cycles(&best.plans[0])) {
            let padding = first.padding(&work, machine)?;
            best = Some(Found { ops: chain.ops.clone(), work, plans, padding });
        }
    }
    best
}

/// The best ways of `found` as a table.
pub fn explain(op: OpRef<'_>, found: &Found, count: usize) -> String {
    let Found { ops, work, plans, .. } = found;
    let [rows, columns] = [0, 1].map(|at| work.groups[at].extent());
    let (place, ops, steps, ways) = (place(op), ops.len(), work.steps.len(), plans.len());
    let head =
        format!("{place}{ops} operations on {rows} rows of {columns}, {steps} instructions: {ways} ways looked at\n");
    let lines = plans.iter().take(count).map(|plan| {
        let [rows, columns] = [0, 1].map(|at| plan.cuts[at].size());
        (format!("{rows}x{columns}"), plan.prediction)
    });
    head + &table(lines)
}
