//! The work itself: parse, run the pipeline, print.

use std::time::Instant;

use dl_ir::diagnostics::ColorChoice;
use dl_ir::pass::{
    Anchor, IrPrinting, PassManager, PassRegistry, Report, RunOptions, parse_pipeline, parse_pipeline_items,
};
use dl_ir::text::{ExternalResource, ResourceValue, parse_source, print_file};
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, OpId, OpRef, Rewriter};
use dl_tools_support::files::{read, reason, write};
use dl_tools_support::messages::{self, eprint};
use parking_lot::Mutex;

use super::flags::Options;
use super::split::{Part, split};
use super::verify_diagnostics;
use crate::Registry;

/// What the outermost operation is called, save for `--no-implicit-module`.
const TOP: &str = "builtin.module";

/// Works as the command line says; answers whether all went well.
pub(super) fn run(registry: &Registry, options: &Options) -> Result<bool, String> {
    let mut report = Report::default();
    let start = Instant::now();
    // A pipeline that is wrong is reported once, before anything is read.
    let cx = Context::new();
    match pipeline(&cx, &registry.passes, options) {
        Err(error) => {
            show(&cx, options, &error.into());
            return Ok(false);
        }
        Ok(pm) if options.dump_pipeline => {
            eprint(&format!("Pass Manager with {} passes:\n{}\n\n", pm.len(), pm.pretty_text()));
        }
        Ok(_) => {}
    }
    let (name, text) = read(&options.input)?;
    let parts = match &options.split {
        Some(marker) => split(&text, marker),
        None => vec![Part { text: &text, first_line: 1 }],
    };
    let mut output = Vec::new();
    let mut good = true;
    for (i, &part) in parts.iter().enumerate() {
        if i != 0 && !options.verify_only {
            output.extend(format!("{}\n", options.output_split).bytes());
        }
        good &= process(registry, options, &name, part, &mut output, &mut report)?;
    }
    if good || options.split.is_some() {
        let start = Instant::now();
        write(&options.output, &output)?;
        report.add_child("Output", start.elapsed());
    }
    if options.statistics {
        eprint(&report.statistics_text(options.statistics_display));
    }
    if options.timing {
        eprint(&report.timing_text(options.timing_display, start.elapsed()));
    }
    Ok(good)
}

fn show(cx: &Context, options: &Options, diagnostics: &Diagnostics) {
    let color = options.color.map_or_else(messages::color_of_terminal, |always| {
        if always { ColorChoice::Always } else { ColorChoice::Never }
    });
    let mut shown = Diagnostics::default();
    for diagnostic in diagnostics {
        let mut diagnostic = diagnostic.clone();
        if !options.notes {
            diagnostic.notes.clear();
        }
        if options.origins {
            let note = format!("diagnostic emitted with trace:\n at {}", diagnostic.origin);
            diagnostic = diagnostic.clone().note(diagnostic.loc, note);
        }
        shown.push(diagnostic);
    }
    messages::show_in(cx, &shown, color);
}

/// The pipeline that the flags ask for.
fn pipeline(cx: &Context, passes: &PassRegistry, options: &Options) -> Result<PassManager, Diagnostic> {
    if let Some(text) = &options.pipeline {
        return parse_pipeline(cx, passes, text);
    }
    let anchor = if options.no_implicit_module { Anchor::Any } else { Anchor::Op(TOP.to_owned()) };
    let mut pm = PassManager::new(anchor);
    for (name, given) in &options.passes {
        let text = if given.is_empty() { name.clone() } else { format!("{name}{{{given}}}") };
        // A pass for one kind of operation is nested by itself.
        let needed = passes.find_pass(name).and_then(|pass| pass.info.anchor).filter(|&needed| needed != TOP);
        let target = match needed {
            Some(needed) => pm.nest(Anchor::Op(needed.to_owned())),
            None => &mut pm,
        };
        parse_pipeline_items(cx, passes, &text, target)?;
    }
    Ok(pm)
}

/// Works on one part of the input; what is printed goes to `output`.
fn process(
    registry: &Registry,
    options: &Options,
    name: &str,
    part: Part<'_>,
    output: &mut Vec<u8>,
    report: &mut Report,
) -> Result<bool, String> {
    let mut cx = registry.context();
    cx.allow_unregistered(options.allow_unregistered);
    cx.set_threading(options.threading);
    let source = cx.add_source_part(name, part.text, part.first_line);
    let mut diagnostics = Diagnostics::default();
    let start = Instant::now();
    let parsed = parse_source(&cx, &source);
    report.add_child("Parser", start.elapsed());
    let mut good = false;
    match parsed {
        Err(errors) => diagnostics.append(errors),
        Ok(parsed) => {
            diagnostics.append(parsed.warnings);
            let top = if options.no_implicit_module && !parsed.is_explicit {
                outermost(&cx, parsed.module)
            } else {
                Ok(parsed.module)
            };
            match top {
                Err(error) => diagnostics.push(error),
                Ok(mut module) => {
                    let job = Job { cx: &cx, options, passes: &registry.passes, resources: &parsed.external_resources };
                    good = job.run(&mut module, &mut diagnostics, report)?;
                    if good && !options.verify_only {
                        let start = Instant::now();
                        let root = OpRef::root(&cx, &module);
                        print_file(root, &parsed.external_resources, &options.print, output)
                            .map_err(|error| reason(&error))?;
                        // Upstream's driver ends its output with an empty line too.
                        output.push(b'\n');
                        report.add_child("Output", start.elapsed());
                    }
                }
            }
        }
    }
    if let Some(mode) = options.verify_diagnostics {
        let faults = verify_diagnostics::check(&cx, part, &|at| source.loc(at), diagnostics, mode);
        show(&cx, options, &faults);
        return Ok(faults.is_empty());
    }
    show(&cx, options, &diagnostics);
    Ok(good)
}

/// The one operation in an implicit module.
fn outermost(cx: &Context, mut module: Box<Arena>) -> Result<Box<Arena>, Diagnostic> {
    let root = OpRef::root(cx, &module);
    let ops: Vec<OpId> = root.regions().flat_map(|region| region.ops()).map(|op| op.id()).collect();
    let loc = root.loc();
    let &[op] = ops.as_slice() else {
        let message = format!("source must contain a single top-level operation, found: {}", ops.len());
        return Err(Diagnostic::error(loc, message));
    };
    let message = "unsupported: a top-level operation that is not 'IsolatedFromAbove'";
    let error = OpRef::new(cx, &module, op).error(message);
    Rewriter::new(cx, &mut module).take_child(op).ok_or(error)
}

/// What is done with one parsed operation.
struct Job<'a> {
    cx: &'a Context,
    options: &'a Options,
    passes: &'a PassRegistry,
    resources: &'a [ExternalResource],
}

impl Job<'_> {
    fn run(&self, module: &mut Arena, diagnostics: &mut Diagnostics, report: &mut Report) -> Result<bool, String> {
        let Self { cx, options, .. } = *self;
        if options.verify_parsed
            && let Err(errors) = dl_ir::verify::verify(cx, module)
        {
            diagnostics.append(errors);
            return Ok(false);
        }
        let mut run_options = RunOptions {
            verify: options.verify_each,
            printing: Some(self.printing()),
            reproducer: options.reproducer.is_some(),
        };
        let mut pm = match self.pipeline(&mut run_options) {
            Ok(pm) => pm,
            Err(error) => {
                diagnostics.push(error);
                return Ok(false);
            }
        };
        if pm.is_empty() {
            return Ok(true);
        }
        let outcome = pm.run(cx, module, &run_options);
        diagnostics.append(outcome.diagnostics);
        report.merge(&outcome.report);
        if let (Some(file), Some(text)) = (&options.reproducer, outcome.reproducer) {
            write(file, text.as_bytes())?;
            let loc = OpRef::root(cx, module).loc();
            let message = "failures have been detected while processing an MLIR pass pipeline";
            let note = format!("reproducer generated at '{file}'");
            diagnostics.push(Diagnostic::error(loc, message).note(loc, note));
        }
        Ok(!outcome.failed)
    }

    /// That of the flags, or the one the file brings along.
    fn pipeline(&self, run_options: &mut RunOptions) -> Result<PassManager, Diagnostic> {
        if !self.options.run_reproducer {
            return pipeline(self.cx, self.passes, self.options);
        }
        let entries = self.resources.iter().filter(|r| r.owner == "mlir_reproducer").flat_map(|r| &r.entries);
        let mut found = None;
        for (key, value) in entries {
            match (key.as_str(), value) {
                ("pipeline", ResourceValue::Text(text)) => found = Some(text),
                ("verify_each", ResourceValue::Bool(verify)) => run_options.verify = *verify,
                _ => {}
            }
        }
        match found {
            Some(text) => parse_pipeline(self.cx, self.passes, text),
            None => Err(Diagnostic::error(dl_ir::Loc::UNKNOWN, "the input holds no pipeline for '--run-reproducer'")),
        }
    }

    fn printing(&self) -> IrPrinting {
        let options = self.options;
        IrPrinting {
            before: options.ir_before.clone(),
            after: options.ir_after.clone(),
            only_changed: options.ir_after_change,
            only_failed: options.ir_after_failure,
            module_scope: options.ir_module_scope,
            options: options.print.clone(),
            sink: Mutex::new(Box::new(std::io::stderr())),
        }
    }
}
