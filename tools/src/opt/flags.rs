//! The command line: a table of flags, and a walk over the arguments.
//!
//! Passes are flags too, and their order counts: that is why this is written by hand.

use dl_ir::diagnostics::closest;
use dl_ir::pass::{Display, PassFilter, PassRegistry};
use dl_ir::text::PrintOptions;

/// What the tool is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Action {
    #[default]
    Run,
    Help,
    Version,
    ListPasses,
    ShowDialects,
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
    /// `-` for standard input.
    pub(super) input: String,
    /// `-` for standard output.
    pub(super) output: String,
    /// Marker between the parts of the input, where it is to be split.
    pub(super) split: Option<String>,
    pub(super) output_split: String,
    pub(super) pipeline: Option<String>,
    /// Passes and pipelines given as flags: name and options.
    pub(super) passes: Vec<(String, String)>,
    pub(super) dump_pipeline: bool,
    pub(super) run_reproducer: bool,
    pub(super) verify_each: bool,
    pub(super) verify_diagnostics: Option<VerifyDiagnostics>,
    pub(super) verify_parsed: bool,
    pub(super) verify_only: bool,
    pub(super) allow_unregistered: bool,
    pub(super) no_implicit_module: bool,
    pub(super) emit_bytecode: bool,
    /// `None`: the newest.
    pub(super) bytecode_version: Option<u32>,
    pub(super) elide_resource_data: bool,
    pub(super) threading: bool,
    pub(super) notes: bool,
    /// `None`: only for a terminal.
    pub(super) color: Option<bool>,
    pub(super) print: PrintOptions,
    pub(super) timing: bool,
    pub(super) timing_display: Display,
    pub(super) statistics: bool,
    pub(super) statistics_display: Display,
    pub(super) ir_before: PassFilter,
    pub(super) ir_after: PassFilter,
    pub(super) ir_after_change: bool,
    pub(super) ir_after_failure: bool,
    pub(super) ir_module_scope: bool,
    /// File for a reproducer.
    pub(super) reproducer: Option<String>,
}

/// What stands between the parts of an input that is split.
pub(super) const SPLIT_MARKER: &str = "// -----";

impl Default for Options {
    fn default() -> Self {
        Self {
            action: Action::Run,
            input: "-".to_owned(),
            output: "-".to_owned(),
            split: None,
            output_split: SPLIT_MARKER.to_owned(),
            pipeline: None,
            passes: Vec::new(),
            dump_pipeline: false,
            run_reproducer: false,
            verify_each: true,
            verify_diagnostics: None,
            verify_parsed: true,
            verify_only: false,
            allow_unregistered: false,
            no_implicit_module: false,
            emit_bytecode: false,
            bytecode_version: None,
            elide_resource_data: false,
            threading: true,
            notes: true,
            color: None,
            print: PrintOptions::default(),
            timing: false,
            timing_display: Display::Tree,
            statistics: false,
            statistics_display: Display::Tree,
            ir_before: PassFilter::Never,
            ir_after: PassFilter::Never,
            ir_after_change: false,
            ir_after_failure: false,
            ir_module_scope: false,
            reproducer: None,
        }
    }
}

/// Whether a flag has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// `--flag` or `--flag=true|false`.
    Bool,
    /// `--flag=value` or `--flag value`; what the value is.
    Required(&'static str),
    /// `--flag` or `--flag=value`.
    Optional(&'static str),
}

/// A flag.
pub(super) struct Flag {
    pub(super) name: &'static str,
    pub(super) value: Value,
    pub(super) help: &'static str,
    set: fn(&mut Options, &str) -> Result<(), String>,
}

/// Flags that belong together in `--help`.
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) flags: &'static [Flag],
}

fn bool_of(text: &str) -> Result<bool, String> {
    match text {
        "" | "true" | "TRUE" | "True" | "1" => Ok(true),
        "false" | "FALSE" | "False" | "0" => Ok(false),
        other => Err(format!("'{other}' is invalid value for boolean argument! Try 0 or 1")),
    }
}

fn number_of<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' value invalid for uint argument!"))
}

fn display_of(text: &str) -> Result<Display, String> {
    match text {
        "list" => Ok(Display::List),
        "tree" | "pipeline" => Ok(Display::Tree),
        other => Err(format!("Cannot find option named '{other}'!")),
    }
}

/// `flag!(name, set field, help)`, `clear field` for a flag that switches off what is on, or a value and what to do with it.
macro_rules! flag {
    ($name:literal, set $($field:ident).+, $help:literal) => {
        flag!($name, Bool, $help, |o, text| { o.$($field).+ = bool_of(text)?; Ok(()) })
    };
    ($name:literal, clear $field:ident, $help:literal) => {
        flag!($name, Bool, $help, |o, text| { o.$field = !bool_of(text)?; Ok(()) })
    };
    ($name:literal, $kind:ident $(($what:literal))?, $help:literal, |$options:ident, $text:ident| $set:expr) => {
        Flag { name: $name, value: Value::$kind $(($what))?, help: $help, set: |$options, $text| $set }
    };
}

/// All flags that are no passes.
pub(super) static GROUPS: &[Group] = &[
    Group {
        title: "General",
        flags: &[
            flag!("help", Optional(""), "Show this text", |o, _text| {
                o.action = Action::Help;
                Ok(())
            }),
            flag!("version", Optional(""), "Show the version", |o, _text| {
                o.action = Action::Version;
                Ok(())
            }),
            flag!("list-passes", Optional(""), "List the passes and pipelines with their options", |o, _text| {
                o.action = Action::ListPasses;
                Ok(())
            }),
            flag!("show-dialects", Optional(""), "List the dialects", |o, _text| {
                o.action = Action::ShowDialects;
                Ok(())
            }),
            flag!("color", Bool, "Use colours in messages, or not (default: on a terminal)", |o, text| {
                o.color = Some(bool_of(text)?);
                Ok(())
            }),
            flag!("mlir-disable-threading", clear threading, "Work on one operation at a time"),
        ],
    },
    Group {
        title: "Input and output",
        flags: &[
            flag!("o", Required("filename"), "Write to this file; '-' is standard output", |o, text| {
                o.output = text.to_owned();
                Ok(())
            }),
            flag!("allow-unregistered-dialect", set allow_unregistered, "Accept operations of unknown dialects"),
            flag!("no-implicit-module", set no_implicit_module, "Put no module around the operation of the file"),
            flag!(
                "split-input-file",
                Optional("marker"),
                "Work on each part between lines '// -----' by itself",
                |o, text| {
                    o.split = match text {
                        "" => Some(SPLIT_MARKER.to_owned()),
                        marker => Some(marker.to_owned()),
                    };
                    Ok(())
                }
            ),
            flag!("emit-bytecode", set emit_bytecode, "Write bytecode, not text"),
            flag!(
                "emit-bytecode-version",
                Required("value"),
                "Write this version of bytecode (default: the newest)",
                |o, text| {
                    o.bytecode_version = Some(number_of(text)?);
                    Ok(())
                }
            ),
            flag!("elide-resource-data-from-bytecode", set elide_resource_data, "Leave the data of resources out of bytecode"),
            flag!("output-split-marker", Required("marker"), "What to print between the parts", |o, text| {
                o.output_split = text.to_owned();
                Ok(())
            }),
        ],
    },
    Group {
        title: "Checks",
        flags: &[
            flag!("verify-each", set verify_each, "Verify after each pass (default: true)"),
            flag!("verify-only", set verify_only, "Parse and verify, print nothing"),
            flag!(
                "verify-diagnostics",
                Optional("all|only-expected"),
                "Check messages against expected-* comments",
                |o, text| {
                    o.verify_diagnostics = Some(match text {
                        "" | "all" => VerifyDiagnostics::All,
                        "only-expected" => VerifyDiagnostics::OnlyExpected,
                        other => return Err(format!("Cannot find option named '{other}'!")),
                    });
                    Ok(())
                }
            ),
            flag!("mlir-very-unsafe-disable-verifier-on-parsing", clear verify_parsed, "Do not verify what was parsed"),
            flag!("mlir-disable-diagnostic-notes", clear notes, "Show no notes"),
        ],
    },
    Group {
        title: "Printing",
        flags: &[
            flag!("mlir-print-op-generic", set print.generic, "Print the generic form"),
            flag!("mlir-print-debuginfo", set print.debug_info, "Print locations"),
            flag!("mlir-pretty-debuginfo", set print.pretty_debug_info, "Print locations for humans"),
            flag!("mlir-print-local-scope", set print.local_scope, "Print without aliases"),
            flag!("mlir-print-skip-regions", set print.skip_regions, "Print regions as {...}"),
            flag!("mlir-print-assume-verified", set print.assume_verified, "Print the pretty form without checking that it is possible"),
            flag!("mlir-print-unique-ssa-ids", set print.unique_ssa_ids, "Make names of values unique in the whole text"),
            flag!("mlir-print-value-users", set print.value_users, "Print the users of each value as a comment"),
            flag!(
                "mlir-elide-elementsattrs-if-larger",
                Required("uint"),
                "Leave out dense attributes with more elements",
                |o, text| {
                    o.print.elide_elements_larger_than = Some(number_of(text)?);
                    Ok(())
                }
            ),
            flag!(
                "mlir-elide-resource-strings-if-larger",
                Required("uint"),
                "Leave out resources with longer text",
                |o, text| {
                    o.print.elide_resources_larger_than = Some(number_of(text)?);
                    Ok(())
                }
            ),
            flag!(
                "mlir-print-elementsattrs-with-hex-if-larger",
                Required("long"),
                "Print dense attributes with more elements in hexadecimal, -1 for never",
                |o, text| {
                    o.print.hex_elements_larger_than = u64::try_from(number_of::<i64>(text)?).ok();
                    Ok(())
                }
            ),
        ],
    },
    Group {
        title: "Pass manager",
        flags: &[
            flag!(
                "pass-pipeline",
                Required("string"),
                "The passes to run, as 'builtin.module(func.func(cse),symbol-dce)'",
                |o, text| {
                    o.pipeline = Some(text.to_owned());
                    Ok(())
                }
            ),
            flag!("dump-pass-pipeline", set dump_pipeline, "Print the pipeline before it runs"),
            flag!("run-reproducer", set run_reproducer, "Run the pipeline that the file holds"),
            flag!(
                "mlir-pass-pipeline-crash-reproducer",
                Required("filename"),
                "After a failure, write input and pipeline to this file",
                |o, text| {
                    o.reproducer = Some(text.to_owned());
                    Ok(())
                }
            ),
            flag!("mlir-timing", set timing, "Show what took how long"),
            flag!("mlir-timing-display", Required("list|tree"), "How to show it", |o, text| {
                o.timing_display = display_of(text)?;
                Ok(())
            }),
            flag!("mlir-pass-statistics", set statistics, "Show what passes have counted"),
            flag!("mlir-pass-statistics-display", Required("list|pipeline"), "How to show it", |o, text| {
                o.statistics_display = display_of(text)?;
                Ok(())
            }),
            flag!("mlir-print-ir-before", Required("pass,..."), "Print the IR before these passes", |o, text| {
                text.split(',').for_each(|name| o.ir_before.add(name));
                Ok(())
            }),
            flag!("mlir-print-ir-after", Required("pass,..."), "Print the IR after these passes", |o, text| {
                text.split(',').for_each(|name| o.ir_after.add(name));
                Ok(())
            }),
            flag!("mlir-print-ir-before-all", Optional(""), "Print the IR before each pass", |o, _text| {
                o.ir_before = PassFilter::Always;
                Ok(())
            }),
            flag!("mlir-print-ir-after-all", Optional(""), "Print the IR after each pass", |o, _text| {
                o.ir_after = PassFilter::Always;
                Ok(())
            }),
            flag!("mlir-print-ir-after-change", set ir_after_change, "After a pass, print the IR only if it has changed"),
            flag!("mlir-print-ir-after-failure", set ir_after_failure, "After a pass, print the IR only if the pass has failed"),
            flag!("mlir-print-ir-module-scope", set ir_module_scope, "Print the outermost operation, whatever the pass runs on"),
        ],
    },
];

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
    options.input = input.unwrap_or(options.input);
    if options.pipeline.is_some() && !options.passes.is_empty() {
        return Err("'--pass-pipeline' can't be used together with single passes".to_owned());
    }
    // Printing what changed, or what failed, implies looking after each pass.
    if (options.ir_after_change || options.ir_after_failure) && options.ir_after == PassFilter::Never {
        options.ir_after = PassFilter::Always;
    }
    Ok(options)
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
    let all = || GROUPS.iter().flat_map(|group| group.flags);
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
        assert_eq!(both, "'--pass-pipeline' can't be used together with single passes");
    }
}
