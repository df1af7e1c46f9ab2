//! Reproducers: IR together with the pipeline that fails on it.

use super::executor::FailedPass;
use super::run::{Reproduce, RunOptions};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::location::Loc;
use crate::text::{ExternalResource, PrintOptions, ResourceValue, print_file};
use crate::view::OpRef;

/// Who owns the resources of a reproducer.
pub const REPRODUCER: &str = "mlir_reproducer";

/// The text of `op` with a pipeline to run on it, in upstream's form, as `--run-reproducer` takes it.
#[expect(clippy::missing_panics_doc, reason = "memory can be written to")]
pub fn reproducer_text(cx: &Context, op: OpRef<'_>, pipeline: &str, options: &RunOptions) -> String {
    let entries = vec![
        ("pipeline".to_owned(), ResourceValue::Text(pipeline.to_owned())),
        ("disable_threading".to_owned(), ResourceValue::Bool(!cx.threading())),
        ("verify_each".to_owned(), ResourceValue::Bool(options.verify)),
    ];
    let resource = ExternalResource { owner: REPRODUCER.to_owned(), entries };
    let mut text = Vec::new();
    print_file(op, &[resource], &PrintOptions::default(), &mut text).expect("memory can be written to");
    String::from_utf8_lossy(&text).into_owned()
}

/// A pass (or passes) as text, nested in pipelines for these operations, outermost first.
pub(super) fn nested_pipeline<'a>(ops: impl Iterator<Item = &'a str>, passes: &str) -> String {
    let (mut pipeline, mut depth) = (String::new(), 0);
    for op in ops {
        pipeline.push_str(op);
        pipeline.push('(');
        depth += 1;
    }
    pipeline.push_str(passes);
    pipeline.extend(std::iter::repeat_n(')', depth));
    pipeline
}

/// Says which passes have failed, in upstream's words. A note about where the reproducer is follows from who wrote it.
pub(super) fn failure_report(loc: Loc, failures: &[FailedPass], reproduce: Reproduce) -> Diagnostic {
    let name = |failed: &FailedPass| {
        let symbol = failed.symbol.as_ref().map_or_else(String::new, |symbol| format!(": @{symbol}"));
        format!("`{}` on '{}' operation{symbol}", failed.pass.title, failed.op)
    };
    let which = match (reproduce, failures) {
        (Reproduce::FailedPass, [first, ..]) => name(first),
        _ => format!("[{}]", failures.iter().map(name).collect::<Vec<_>>().join(", ")),
    };
    let message = "Failures have been detected while processing an MLIR pass pipeline";
    Diagnostic::error(loc, message).note(loc, format!("Pipeline failed while executing {which}"))
}
