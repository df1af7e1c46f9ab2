//! Transforms that work on operations of any dialect, through definitions and interfaces.

#![forbid(unsafe_code)]

pub mod alias;
mod canonicalize;
mod composite_fixed_point;
mod control_flow_sink;
mod cse;
pub mod dataflow;
mod duplicate_functions;
mod inline;
mod int_range_analysis;
mod loop_invariant_code_motion;
mod mem2reg;
mod print_ir;
mod print_op_stats;
mod remove_dead_values;
mod sccp;
mod snapshot_locations;
mod sroa;
mod strip_debuginfo;
mod symbol_dce;
mod symbol_privatize;
mod topological_sort;
mod view_op_graph;

pub use canonicalize::{Canonicalize, CanonicalizeOptions, canonicalization_patterns};
pub use composite_fixed_point::{CompositeFixedPoint, CompositeFixedPointOptions};
pub use control_flow_sink::ControlFlowSink;
pub use cse::{Cse, eliminate_common_subexpressions};
pub use duplicate_functions::DuplicateFunctionElimination;
pub use inline::{Inline, InlineOptions, inline_call};
pub use int_range_analysis::IntRanges;
pub use loop_invariant_code_motion::{LoopInvariantCodeMotion, move_loop_invariant_code};
pub use mem2reg::{Mem2Reg, Mem2RegOptions};
pub use print_ir::{PrintIr, PrintIrOptions};
pub use print_op_stats::{PrintOpStats, PrintOpStatsOptions};
pub use remove_dead_values::{RemoveDeadValues, RemoveDeadValuesOptions};
pub use sccp::Sccp;
pub use snapshot_locations::{SnapshotOpLocations, SnapshotOpLocationsOptions};
pub use sroa::Sroa;
pub use strip_debuginfo::StripDebugInfo;
pub use symbol_dce::SymbolDce;
pub use symbol_privatize::{SymbolPrivatize, SymbolPrivatizeOptions};
pub use topological_sort::TopologicalSort;
pub use view_op_graph::{ViewOpGraph, ViewOpGraphOptions};

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<Canonicalize>();
    registry.pass::<CompositeFixedPoint>();
    registry.pass::<ControlFlowSink>();
    registry.pass::<Cse>();
    registry.pass::<DuplicateFunctionElimination>();
    registry.pass::<Inline>();
    registry.pass::<LoopInvariantCodeMotion>();
    registry.pass::<Mem2Reg>();
    registry.pass::<PrintIr>();
    registry.pass::<PrintOpStats>();
    registry.pass::<RemoveDeadValues>();
    registry.pass::<Sccp>();
    registry.pass::<SnapshotOpLocations>();
    registry.pass::<Sroa>();
    registry.pass::<StripDebugInfo>();
    registry.pass::<SymbolDce>();
    registry.pass::<SymbolPrivatize>();
    registry.pass::<TopologicalSort>();
    registry.pass::<ViewOpGraph>();
}
