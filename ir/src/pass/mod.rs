//! Passes: how they are written, named, put together and run.
//!
//! A [`Pass`] changes one isolated operation, its arena. A [`PassManager`] runs passes in order and nests other managers for
//! the isolated operations directly inside, which are worked on in parallel where the context allows threads. Pipelines are
//! written as text, `builtin.module(func.func(canonicalize{max-iterations=3},cse),symbol-dce)`: see [`parse_pipeline`].
//!
//! Nothing a pass does may depend on timing: diagnostics are collected for each operation and joined in program order.

mod analysis;
mod executor;
mod fingerprint;
mod instrumentation;
mod manager;
mod options;
pub mod panics;
mod pipeline;
mod printing;
mod registry;
mod report;
mod reproducer;
mod run;
mod schedule;
mod traits;

pub use analysis::{Analysis, AnalysisManager, PreservedAnalyses};
pub use fingerprint::fingerprint;
pub use instrumentation::Instrumentation;
pub use manager::{Anchor, PassManager};
pub use options::{NoOptions, OptionSpec, OptionValue, PassOptions, parse_integer, parse_options};
pub use pipeline::{parse_pipeline, parse_pipeline_file, parse_pipeline_items};
pub use printing::{DumpCounters, IrDump, IrPrinting, PassFilter};
pub use registry::{PassRegistry, RegisteredPass, RegisteredPipeline};
pub use report::{Display, Format, Report};
pub use reproducer::{REPRODUCER, reproducer_text};
pub use run::{PassOutcome, Reproduce, RunOptions};
pub use traits::{AnyPass, Pass, PassCx, PassInfo, PassResult};

/// The examples of the chapter on passes.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/pass-manager.md")]
pub struct PassManagerChapter;
