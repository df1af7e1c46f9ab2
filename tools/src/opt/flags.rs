//! The command line: a walk over the arguments with the table of flags.
//!
//! Passes are flags too, and their order counts: that is why this is written by hand.

use dl_ir::diagnostics::{Severity, closest, did_you_mean};
use dl_ir::pass::{Display, Format, PassFilter, PassRegistry};
use dl_ir::text::PrintOptions;

use super::actions::{Counter, Place};
use super::oracle::Guilty;
use super::run::UPSTREAM;
use super::table::{Value, all};

/// What the tool is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Action {
    #[default]
    Run,
    Help,
    HelpList,
    HelpHidden,
    Version,
    ListPasses,
    ShowDialects,
    ShowPlugins,
    NewDialect,
}

/// Which diagnostics `--verify-diagnostics` is strict about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VerifyDiagnostics {
    /// Each is expected, and each that is expected comes.
    All,
    /// Each that is expected comes.
    OnlyExpected,
}

/// The command line, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Options {
    pub(super) action: Action,
    /// The dialect to write a crate of.
    pub(super) new_dialect: String,
    /// `-` for standard input.
    pub(super) input: String,
    /// `-` for standard output.
    pub(super) output: String,
    /// Marker between the parts of the input, where it is to be split.
    pub(super) split: Option<String>,
    pub(super) output_split: String,
    pub(super) pipeline: Option<String>,
    /// File with the text of a pipeline.
    pub(super) pipeline_file: Option<String>,
    /// Passes and pipelines given as flags: name and options.
    pub(super) passes: Vec<(String, String)>,
    pub(super) dump_pipeline: bool,
    pub(super) run_reproducer: bool,
    pub(super) verify_each: bool,
    pub(super) verify_diagnostics: Option<VerifyDiagnostics>,
    pub(super) verify_parsed: bool,
    pub(super) verify_roundtrip: bool,
    pub(super) verify_only: bool,
    pub(super) allow_unregistered: bool,
    pub(super) no_implicit_module: bool,
    pub(super) emit_bytecode: bool,
    /// `None`: the newest.
    pub(super) bytecode_version: Option<u32>,
    pub(super) elide_resource_data: bool,
    pub(super) threading: bool,
    /// How many at once; 0 for one a core.
    pub(super) threads: Option<usize>,
    /// Filter of log messages.
    pub(super) log: Option<String>,
    /// File for a trace.
    pub(super) trace: Option<String>,
    pub(super) notes: bool,
    /// What is less bad is not shown.
    pub(super) verbosity: Severity,
    pub(super) origins: bool,
    /// `None`: only for a terminal.
    pub(super) color: Option<bool>,
    pub(super) print: PrintOptions,
    pub(super) timing: bool,
    pub(super) timing_display: Display,
    pub(super) timing_format: Format,
    pub(super) statistics: bool,
    pub(super) statistics_display: Display,
    pub(super) ir_before: PassFilter,
    pub(super) ir_after: PassFilter,
    pub(super) ir_after_change: bool,
    pub(super) ir_after_failure: bool,
    pub(super) ir_module_scope: bool,
    /// Folder for files with IR.
    pub(super) ir_tree_dir: Option<String>,
    /// File for a reproducer of a failure.
    pub(super) reproducer: Option<String>,
    pub(super) local_reproducer: bool,
    /// File for a reproducer in any case.
    pub(super) generate_reproducer: Option<String>,
    /// File for a log of actions.
    pub(super) action_log: Option<String>,
    /// What the log is limited to.
    pub(super) action_places: Vec<Place>,
    /// File for a profile of actions.
    pub(super) action_profile: Option<String>,
    pub(super) counters: Vec<Counter>,
    pub(super) show_counters: bool,
    /// Whether the program is run before and after passes, and what is named when it does something else.
    pub(super) oracle: Option<Guilty>,
    /// Whether MLIR's own verifier looks at the result.
    pub(super) verify_with_upstream: bool,
    /// Whether a message about an operation shows it.
    pub(super) show_op: bool,
}

/// What stands between the parts of an input that is split.
pub(super) const SPLIT_MARKER: &str = "// -----";

impl Options {
    /// Whether several threads may work. Counters tell the same on every run only where one thing happens after the other.
    pub(super) fn is_threaded(&self) -> bool {
        self.threading && self.counters.is_empty()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            action: Action::Run,
            new_dialect: String::new(),
            input: "-".to_owned(),
            output: "-".to_owned(),
            split: None,
            output_split: SPLIT_MARKER.to_owned(),
            pipeline: None,
            pipeline_file: None,
            passes: Vec::new(),
            dump_pipeline: false,
            run_reproducer: false,
            verify_each: true,
            verify_diagnostics: None,
            verify_parsed: true,
            verify_roundtrip: false,
            verify_only: false,
            allow_unregistered: false,
            no_implicit_module: false,
            emit_bytecode: false,
            bytecode_version: None,
            elide_resource_data: false,
            threading: true,
            threads: None,
            log: None,
            trace: None,
            notes: true,
            verbosity: Severity::Remark,
            origins: false,
            color: None,
            print: PrintOptions::default(),
            timing: false,
            timing_display: Display::Tree,
            timing_format: Format::Text,
            statistics: false,
            statistics_display: Display::Tree,
            ir_before: PassFilter::Never,
            ir_after: PassFilter::Never,
            ir_after_change: false,
            ir_after_failure: false,
            ir_module_scope: false,
            ir_tree_dir: None,
            reproducer: None,
            local_reproducer: false,
            generate_reproducer: None,
            action_log: None,
            action_places: Vec::new(),
            action_profile: None,
            counters: Vec::new(),
            show_counters: false,
            oracle: None,
            verify_with_upstream: false,
            show_op: false,
        }
    }
}

/// Reads the command line, without the name of the program.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse(args: &[String], passes: &PassRegistry) -> Result<Options, String> {
    let mut options = Options::default();
    let mut input = None;
    let mut args = args.iter();
    let mut only_files = false;
    while let Some(arg) = args.next() {
        let flag = if only_files { None } else { arg.strip_prefix("--").or_else(|| arg.strip_prefix('-')) };
        match flag {
            Some("") if arg == "--" => only_files = true,
            Some(flag) if !flag.is_empty() => {
                let (name, value) = match flag.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (flag, None),
                };
                set(&mut options, passes, arg, name, value, &mut args)?;
            }
            _ => match input.replace(arg.clone()) {
                None => {}
                Some(first) => {
                    return Err(format!("expected one input file, but got '{first}' and '{arg}'"));
                }
            },
        }
    }
    if options.action == Action::NewDialect && input.is_none() {
        return Err(
            "for the --new-dialect option: requires the folder of the new crate, as in '--new-dialect NAME FOLDER'"
                .to_owned(),
        );
    }
    options.input = input.unwrap_or(options.input);
    if (options.pipeline.is_some() || options.pipeline_file.is_some()) && !options.passes.is_empty() {
        return Err("'-pass-pipeline' option can't be used with individual pass options".to_owned());
    }
    if options.pipeline.is_some() && options.pipeline_file.is_some() {
        return Err("'--pass-pipeline' can't be used together with '--pass-pipeline-file'".to_owned());
    }
    let needs_upstream = options.verify_with_upstream || options.passes.iter().any(|(name, _)| name == UPSTREAM);
    if needs_upstream && passes.find_pass(UPSTREAM).is_none() {
        return Err(
            "unsupported: this build has no LLVM; `cargo build --features llvm` makes one that hands modules to MLIR"
                .to_owned(),
        );
    }
    check_names("mlir-print-ir-before", &options.ir_before, passes)?;
    check_names("mlir-print-ir-after", &options.ir_after, passes)?;
    // Printing what failed implies looking after each pass.
    if options.ir_after_failure && options.ir_after == PassFilter::Never {
        options.ir_after = PassFilter::Always;
    }
    Ok(options)
}

/// The passes that `filter` names are registered.
fn check_names(flag: &str, filter: &PassFilter, passes: &PassRegistry) -> Result<(), String> {
    let PassFilter::Named(names) = filter else { return Ok(()) };
    match names.iter().find(|name| passes.find_pass(name).is_none()) {
        None => Ok(()),
        Some(unknown) => {
            let hint = did_you_mean(unknown, passes.passes().iter().map(|pass| pass.info.name));
            Err(format!("for the --{flag} option: Cannot find option named '{unknown}'!{hint}"))
        }
    }
}

fn set<'a>(
    options: &mut Options,
    passes: &PassRegistry,
    arg: &str,
    name: &str,
    value: Option<&str>,
    rest: &mut impl Iterator<Item = &'a String>,
) -> Result<(), String> {
    let name = if name == "h" { "help" } else { name };
    if let Some(flag) = all().find(|flag| flag.name == name) {
        let dashes = if name.len() == 1 { "-" } else { "--" };
        let error = |why: String| format!("for the {dashes}{name} option: {why}");
        let value = match (flag.value, value) {
            (Value::Required(_), None) => match rest.next() {
                Some(next) => next.as_str(),
                None => return Err(error("requires a value!".to_owned())),
            },
            (_, value) => value.unwrap_or_default(),
        };
        return (flag.set)(options, value).map_err(error);
    }
    if passes.find_pass(name).is_some() || passes.find_pipeline(name).is_some() {
        options.passes.push((name.to_owned(), value.unwrap_or_default().to_owned()));
        return Ok(());
    }
    let known = all().map(|flag| flag.name).chain(passes.names());
    let hint = closest(name, known).map_or_else(String::new, |name| format!(", did you mean '--{name}'?"));
    Err(format!("unknown option '{arg}'{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(args: &[&str]) -> Result<Options, String> {
        let mut passes = PassRegistry::new();
        dl_passes::register_all(&mut passes);
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        parse(&args, &passes)
    }

    #[test]
    fn values_with_one_or_two_dashes() {
        let options = parsed(&["in.mlir", "-o", "out.mlir", "--verify-each=false", "-mlir-timing"]).unwrap();
        assert_eq!((options.input.as_str(), options.output.as_str()), ("in.mlir", "out.mlir"));
        assert_eq!((options.verify_each, options.timing), (false, true));
        assert_eq!(parsed(&["-o=x"]).unwrap().output, "x");
        assert_eq!(parsed(&[]).unwrap().input, "-");
        assert_eq!(parsed(&["--", "-x"]).unwrap().input, "-x");
    }

    #[test]
    fn passes_keep_their_order_and_options() {
        let options = parsed(&["--cse", "-canonicalize=max-iterations=1", "--cse"]).unwrap();
        let names: Vec<_> = options.passes.iter().map(|(name, options)| (name.as_str(), options.as_str())).collect();
        assert_eq!(names, [("cse", ""), ("canonicalize", "max-iterations=1"), ("cse", "")]);
    }

    #[test]
    fn faults_say_what_is_wrong() {
        let message = |args: &[&str]| parsed(args).unwrap_err();
        assert_eq!(message(&["--canonicalise"]), "unknown option '--canonicalise', did you mean '--canonicalize'?");
        assert_eq!(message(&["-no-such-thing-at-all"]), "unknown option '-no-such-thing-at-all'");
        assert_eq!(message(&["a", "b"]), "expected one input file, but got 'a' and 'b'");
        assert_eq!(message(&["--pass-pipeline"]), "for the --pass-pipeline option: requires a value!");
        let boolean = message(&["--verify-each=maybe"]);
        assert_eq!(boolean, "for the --verify-each option: 'maybe' is invalid value for boolean argument! Try 0 or 1");
        let both = message(&["--cse", "--pass-pipeline=builtin.module(cse)"]);
        assert_eq!(both, "'-pass-pipeline' option can't be used with individual pass options");
        let pass = message(&["--mlir-print-ir-after=cse,canonicalise"]);
        let expected = "for the --mlir-print-ir-after option: Cannot find option named 'canonicalise'!, did you mean 'canonicalize'?";
        assert_eq!(pass, expected);
    }
}
