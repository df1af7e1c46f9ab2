//! What is done with one parsed operation: verified, worked on by passes.

use dl_ir::bytecode::{WriteOptions, load_source, write_bytecode};
use dl_ir::location::Source;
use dl_ir::pass::{
    DumpCounters, IrPrinting, PassManager, PassOutcome, Report, Reproduce, RunOptions, parse_pipeline, reproducer_text,
};
use dl_ir::text::{ExternalResource, PrintOptions, ResourceValue, print_op};
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, OpRef};
use dl_tools_support::files::write;
use dl_tools_support::messages::{eprint, print};
use dl_tools_support::reproducer::write_reproducer;

use super::run::{Tool, reproducer_entry};
use super::{dumps, oracle};

/// What is done with one parsed operation.
pub(super) struct Job<'a> {
    pub(super) cx: &'a Context,
    pub(super) tool: &'a Tool<'a>,
    pub(super) source: &'a Source,
    pub(super) resources: &'a [ExternalResource],
}

impl Job<'_> {
    /// Works on `module`; answers whether all went well.
    pub(super) fn run(
        &self,
        module: &mut Arena,
        diagnostics: &mut Diagnostics,
        report: &mut Report,
    ) -> Result<bool, String> {
        let Self { cx, tool: &Tool { options, .. }, .. } = *self;
        if options.verify_parsed {
            let _span = tracing::info_span!("verify").entered();
            if let Err(errors) = dl_ir::verify::verify_with(cx, module, cx.threading()) {
                diagnostics.append(errors);
                return Ok(false);
            }
        }
        if options.verify_roundtrip
            && let Err(errors) = verify_roundtrip(cx, OpRef::root(cx, module))
        {
            diagnostics.append(errors);
            return Ok(false);
        }
        let mut run_options = RunOptions {
            verify: options.verify_each,
            printing: Some(self.printing()),
            reproduce: match (&options.reproducer, options.local_reproducer) {
                (None, _) => Reproduce::No,
                (Some(_), false) => Reproduce::Pipeline,
                (Some(_), true) => Reproduce::FailedPass,
            },
            ..RunOptions::default()
        };
        let mut pm = match self.pipeline(&mut run_options) {
            Ok(pm) => pm,
            Err(error) => {
                diagnostics.push(error);
                return Ok(false);
            }
        };
        if options.dump_pipeline {
            eprint(&format!("Pass Manager with {} passes:\n{}\n\n", pm.len(), pm.pretty_text()));
        }
        if let Some(file) = &options.generate_reproducer {
            write(file, reproducer_text(cx, OpRef::root(cx, module), &pm.text(), &run_options).as_bytes())?;
        }
        let oracle = options.oracle.map(|_| oracle::attach(&mut run_options));
        let mut outcome = pm.run(cx, module, &run_options);
        report.merge(&outcome.report);
        eprint(&outcome.text);
        print(&outcome.output);
        let failure = self.write_reproducer(&mut outcome, &pm, &run_options);
        diagnostics.append(outcome.diagnostics);
        if let Some(failure) = failure {
            diagnostics.push(failure);
        }
        let wrong = oracle.map(|oracle| oracle::report(&oracle, self.tool, self.source)).unwrap_or_default();
        let good = !outcome.failed && wrong.is_empty();
        diagnostics.append(wrong);
        Ok(good)
    }

    /// Writes down how to do a failure again: where that was asked for, and after a crash. What is to be said of it.
    fn write_reproducer(
        &self,
        outcome: &mut PassOutcome,
        pm: &PassManager,
        options: &RunOptions,
    ) -> Option<Diagnostic> {
        let mut failure = outcome.failure.take()?;
        match (&self.tool.options.reproducer, outcome.reproducer.take()) {
            (Some(file), Some(text)) => write_reproducer(&mut failure, Some(file), &text),
            // The input was not kept: a crash should cost nothing before it happens.
            _ if outcome.crashed => {
                let input = self.tool.parse(self.cx, self.source).ok()?.module;
                let text = reproducer_text(self.cx, OpRef::root(self.cx, &input), &pm.text(), options);
                write_reproducer(&mut failure, None, &text);
            }
            _ => return None,
        }
        Some(failure)
    }

    /// That of the flags, or the one the file brings along.
    fn pipeline(&self, run_options: &mut RunOptions) -> Result<PassManager, Diagnostic> {
        if !self.tool.options.run_reproducer {
            return self.tool.pipeline(self.cx);
        }
        if let Some(&ResourceValue::Bool(verify)) = reproducer_entry(self.resources, "verify_each") {
            run_options.verify = verify;
        }
        match reproducer_entry(self.resources, "pipeline") {
            Some(ResourceValue::Text(text)) => parse_pipeline(self.cx, &self.tool.registry.passes, text),
            _ => Err(Diagnostic::error(dl_ir::Loc::UNKNOWN, "the input holds no pipeline for '--run-reproducer'")),
        }
    }

    fn printing(&self) -> IrPrinting {
        let options = self.tool.options;
        IrPrinting {
            before: options.ir_before.clone(),
            after: options.ir_after.clone(),
            only_changed: options.ir_after_change,
            only_failed: options.ir_after_failure,
            module_scope: options.ir_module_scope,
            options: options.print.clone(),
            sink: match &options.ir_tree_dir {
                None => Box::new(dumps::to_stderr),
                Some(root) => Box::new(dumps::to_tree(root)),
            },
            counters: DumpCounters::default(),
        }
    }
}

/// Prints `op` in each form, parses that, and compares the results in the generic form.
fn verify_roundtrip(cx: &Context, op: OpRef<'_>) -> Result<(), Diagnostics> {
    let text = |op: OpRef<'_>, generic: bool, debug_info: bool| {
        let mut text = Vec::new();
        let options = PrintOptions { generic, debug_info, ..PrintOptions::default() };
        print_op(op, &options, &mut text).expect("memory can be written to");
        text
    };
    let mut bytecode = Vec::new();
    let written = write_bytecode(op, &[], &WriteOptions::default(), &mut bytecode);
    written.expect("memory can be written to")?;
    let forms = [("custom", text(op, false, true)), ("generic", text(op, true, true)), ("bytecode", bytecode)];
    for (form, written) in forms {
        // The custom form has no place for the locations of what it leaves out.
        let with_locations = form != "custom";
        let expected = text(op, true, with_locations);
        let source = cx.add_source("<round trip>", written);
        let again = load_source(cx, &source)?.module;
        let root = OpRef::root(cx, &again);
        // An operation without a module around it comes back in one.
        let inner = root.regions().flat_map(|region| region.ops()).next();
        let is_same = |again: OpRef<'_>| text(again, true, with_locations) == expected;
        if !is_same(root) && !inner.is_some_and(is_same) {
            let message = format!("failed to roundtrip the {form} form: what is printed is read differently");
            return Err(Diagnostic::error(op.loc(), message).into());
        }
    }
    Ok(())
}
