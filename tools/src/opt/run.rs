//! The work itself: parse, run passes, print.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use dl_ir::bytecode::load_source;
use dl_ir::diagnostics::ColorChoice;
use dl_ir::location::{Source, Start, TextMemory};
use dl_ir::pass::{Anchor, PassManager, REPRODUCER, Report, parse_pipeline, parse_pipeline_file, parse_pipeline_items};
use dl_ir::text::{ExternalResource, MIN_PARALLEL_TEXT, ResourceValue};
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, OpId, OpRef, Rewriter};
use dl_tools_support::files::{Input, Output, open, read};
use dl_tools_support::messages::{self, eprint};

use super::actions::Actions;
use super::flags::Options;
use super::job::Job;
use super::output;
use super::split::{Part, split};
use super::verify_diagnostics;
use crate::Registry;

/// The pass that hands the module to MLIR.
pub(super) const UPSTREAM: &str = "upstream";

/// What the outermost operation is called, save for `--no-implicit-module`.
const TOP: &str = "builtin.module";

/// Works as the command line says; answers whether all went well.
pub(super) fn run(registry: &Registry, options: &Options) -> Result<bool, String> {
    let mut report = Report::default();
    let start = Instant::now();
    let pipeline_file = match &options.pipeline_file {
        None => None,
        Some(file) => {
            let (name, text) = read(file)?;
            Some((name, String::from_utf8_lossy(&text).into_owned()))
        }
    };
    let tool = Tool { registry, options, pipeline_file, actions: Actions::of(options)? };
    // A pipeline that is wrong is reported once, before anything is read.
    let cx = Context::new();
    if let Err(error) = tool.pipeline(&cx) {
        show(&cx, options, &error.into());
        return Ok(false);
    }
    let Input { name, text, memory } = open(&options.input)?;
    // The memory is that of the whole text.
    let memory = memory.filter(|_| options.split.is_none());
    let parts = match &options.split {
        Some(marker) => {
            let parts = split(&text, marker);
            show(&cx, options, &near_misses(&cx, &name, &text, &parts.near_misses));
            parts.list
        }
        None => vec![Part { text, start: Start::OF_FILE }],
    };
    let mut output = Output::new(&options.output);
    let mut good = true;
    for (i, part) in parts.iter().enumerate() {
        if i != 0 && !options.verify_only {
            writeln!(output, "{}", options.output_split).map_err(|error| output.message(&error))?;
        }
        good &= tool.process(&name, part, memory.as_ref(), &mut output, &mut report)?;
    }
    // What is written to a pipe is written; a file is complete, or is not there.
    if good || options.split.is_some() && options.output == "-" {
        output.finish()?;
    } else {
        output.discard(&options.input);
    }
    if let Some(actions) = &tool.actions {
        actions.finish()?;
        if options.show_counters {
            eprint(&actions.counters_text());
        }
    }
    if options.statistics {
        eprint(&report.statistics_text(options.statistics_display));
    }
    if options.timing {
        eprint(&report.timing_text(options.timing_display, options.timing_format, start.elapsed()));
    }
    Ok(good)
}

/// Warnings about places where the input looks as if it were meant to be split.
fn near_misses(cx: &Context, name: &str, text: &[u8], places: &[usize]) -> Diagnostics {
    let mut warnings = Diagnostics::default();
    if !places.is_empty() {
        let source = cx.add_source(name, text);
        for &at in places {
            warnings.push(Diagnostic::warning(source.loc(at), "near miss with file split marker"));
        }
    }
    warnings
}

fn show(cx: &Context, options: &Options, diagnostics: &Diagnostics) {
    let color = options.color.map_or_else(messages::color_of_terminal, |always| {
        if always { ColorChoice::Always } else { ColorChoice::Never }
    });
    let mut shown = Diagnostics::default();
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.severity <= options.verbosity) {
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

/// The tool as the command line asks for it.
pub(super) struct Tool<'a> {
    pub(super) registry: &'a Registry,
    pub(super) options: &'a Options,
    /// Name and text.
    pipeline_file: Option<(String, String)>,
    actions: Option<Arc<Actions>>,
}

impl Tool<'_> {
    /// The pipeline that the flags ask for.
    pub(super) fn pipeline(&self, cx: &Context) -> Result<PassManager, Diagnostic> {
        let mut pm = self.asked_for(cx)?;
        if self.options.verify_with_upstream {
            parse_pipeline_items(cx, &self.registry.passes, UPSTREAM, &mut pm)?;
        }
        Ok(pm)
    }

    fn asked_for(&self, cx: &Context) -> Result<PassManager, Diagnostic> {
        let (options, passes) = (self.options, &self.registry.passes);
        if let Some(text) = &options.pipeline {
            return parse_pipeline(cx, passes, text);
        }
        if let Some((name, text)) = &self.pipeline_file {
            return parse_pipeline_file(cx, passes, name, text);
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
        &self,
        name: &str,
        part: &Part,
        memory: Option<&Arc<dyn TextMemory>>,
        output: &mut Output,
        report: &mut Report,
    ) -> Result<bool, String> {
        let in_parallel = self.options.is_threaded() && part.text.len() >= MIN_PARALLEL_TEXT;
        if in_parallel {
            // Starts the threads, while this one makes the context.
            rayon::current_num_threads();
        }
        let mut cx = self.context();
        let mut work = || self.process_in(&mut cx, name, part, memory, output, report);
        // In one of the threads that share the work: with this one besides, there would be one more than there are cores.
        let result = if in_parallel { rayon::scope(|_| work()) } else { work() };
        if self.is_last_work() {
            std::mem::forget(cx);
        }
        result
    }

    /// Whether the process ends when what it works on now is done: memory then goes back all at once, not piece by piece.
    fn is_last_work(&self) -> bool {
        self.options.split.is_none()
    }

    /// A context as the flags ask for it.
    fn context(&self) -> Context {
        let options = self.options;
        let mut cx = self.registry.context();
        cx.allow_unregistered(options.allow_unregistered);
        cx.set_threading(options.is_threaded());
        cx.set_shows_ops_in_messages(options.show_op && options.verify_diagnostics.is_none());
        if let Some(actions) = &self.actions {
            actions.attach(&mut cx);
        }
        cx
    }

    fn process_in(
        &self,
        cx: &mut Context,
        name: &str,
        part: &Part,
        memory: Option<&Arc<dyn TextMemory>>,
        output: &mut Output,
        report: &mut Report,
    ) -> Result<bool, String> {
        let options = self.options;
        let source = match memory {
            Some(memory) => cx.add_source_in(name, part.text.clone(), memory.clone()),
            None => cx.add_source_part(name, part.text.clone(), part.start),
        };
        let mut diagnostics = Diagnostics::default();
        let start = Instant::now();
        let parsed = self.parse(cx, &source);
        let is_parsed = parsed.is_ok();
        report.add_child("Parser", start.elapsed());
        let mut good = false;
        match parsed {
            Err(errors) => diagnostics.append(errors),
            Ok(Parsed { mut module, warnings, resources }) => {
                diagnostics.append(warnings);
                if options.run_reproducer
                    && reproducer_entry(&resources, "disable_threading") == Some(&ResourceValue::Bool(true))
                {
                    cx.set_threading(false);
                }
                let job = Job { cx, tool: self, source: &source, resources: &resources };
                good = job.run(&mut module, &mut diagnostics, report)?;
                if good && !options.verify_only {
                    let start = Instant::now();
                    let _span = tracing::info_span!("print").entered();
                    if let Err(error) = output::print(OpRef::root(cx, &module), &resources, options, output)? {
                        diagnostics.push(error);
                        good = false;
                    }
                    report.add_child("Output", start.elapsed());
                }
                if self.is_last_work() {
                    std::mem::forget(module);
                }
            }
        }
        if let Some(mode) = options.verify_diagnostics {
            let faults = verify_diagnostics::check(cx, part, &|at| source.loc(at), diagnostics, mode, is_parsed);
            show(cx, options, &faults);
            return Ok(faults.is_empty());
        }
        show(cx, options, &diagnostics);
        Ok(good)
    }

    /// Parses; the outermost operation is the one of the file where there is to be no module around it.
    pub(super) fn parse(&self, cx: &Context, source: &Source) -> Result<Parsed, Diagnostics> {
        let _span = tracing::info_span!("parse").entered();
        let parsed = load_source(cx, source)?;
        let module = if self.options.no_implicit_module && !parsed.is_explicit {
            outermost(cx, parsed.module)?
        } else {
            parsed.module
        };
        Ok(Parsed { module, warnings: parsed.warnings, resources: parsed.external_resources })
    }
}

/// What was read.
pub(super) struct Parsed {
    pub(super) module: Box<Arena>,
    pub(super) warnings: Diagnostics,
    pub(super) resources: Vec<ExternalResource>,
}

/// What a reproducer says.
pub(super) fn reproducer_entry<'a>(resources: &'a [ExternalResource], key: &str) -> Option<&'a ResourceValue> {
    let mut entries = resources.iter().filter(|resource| resource.owner == REPRODUCER).flat_map(|r| &r.entries);
    entries.find(|(own, _)| own == key).map(|(_, value)| value)
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
