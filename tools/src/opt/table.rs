//! The table of flags.

use dl_ir::diagnostics::Severity;
use dl_ir::pass::{Display, Format, PassFilter, parse_integer};

use super::actions::{Counter, Place};
use super::flags::{Action, Options, SPLIT_MARKER, VerifyDiagnostics};
use super::oracle::Guilty;

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
    pub(super) set: fn(&mut Options, &str) -> Result<(), String>,
}

/// Flags that belong together in `--help`.
pub(super) struct Group {
    pub(super) title: &'static str,
    /// Whether only `--help-hidden` shows it.
    pub(super) hidden: bool,
    pub(super) flags: &'static [Flag],
}

fn bool_of(text: &str) -> Result<bool, String> {
    match text {
        "" | "true" | "TRUE" | "True" | "1" => Ok(true),
        "false" | "FALSE" | "False" | "0" => Ok(false),
        other => Err(format!("'{other}' is invalid value for boolean argument! Try 0 or 1")),
    }
}

fn number_of<T: TryFrom<i128>>(text: &str) -> Result<T, String> {
    parse_integer(text).ok_or_else(|| format!("'{text}' value invalid for uint argument!"))
}

fn display_of(text: &str) -> Result<Display, String> {
    match text {
        "list" => Ok(Display::List),
        "tree" | "pipeline" => Ok(Display::Tree),
        other => Err(format!("Cannot find option named '{other}'!")),
    }
}

/// `flag!(name, set field, help)`, `clear field` for a flag that switches off what is on, `action` for what is done instead of the usual, or a value and
/// what to do with it.
macro_rules! flag {
    ($name:literal, set $($field:ident).+, $help:literal) => {
        flag!($name, Bool, $help, |o, text| { o.$($field).+ = bool_of(text)?; Ok(()) })
    };
    ($name:literal, clear $field:ident, $help:literal) => {
        flag!($name, Bool, $help, |o, text| { o.$field = !bool_of(text)?; Ok(()) })
    };
    ($name:literal, action $action:ident, $help:literal) => {
        flag!($name, Bool, $help, |o, text| {
            if bool_of(text)? {
                o.action = Action::$action;
            }
            Ok(())
        })
    };
    ($name:literal, $kind:ident $(($what:literal))?, $help:literal, |$options:ident, $text:ident| $set:expr) => {
        Flag { name: $name, value: Value::$kind $(($what))?, help: $help, set: |$options, $text| $set }
    };
}

/// All flags that are no passes.
pub(super) static GROUPS: &[Group] = &[
    Group {
        title: "General",
        hidden: false,
        flags: &[
            flag!("help", action Help, "Show this text"),
            flag!("help-list", action HelpList, "Show all flags as one list"),
            flag!("help-hidden", action HelpHidden, "Show this text with flags that are seldom needed"),
            flag!("version", action Version, "Show the version"),
            flag!("list-passes", action ListPasses, "List the passes and pipelines with their options"),
            flag!("show-dialects", action ShowDialects, "List the dialects"),
            flag!("show-plugins", action ShowPlugins, "List what each plugin that is loaded has brought"),
            flag!(
                "new-dialect",
                Required("name"),
                "Write a crate with a dialect to begin with, a plugin, to the folder given as the input",
                |o, text| {
                    o.action = Action::NewDialect;
                    o.new_dialect = text.to_owned();
                    Ok(())
                }
            ),
            flag!("color", Bool, "Use colours in messages, or not (default: on a terminal)", |o, text| {
                o.color = Some(bool_of(text)?);
                Ok(())
            }),
            flag!("mlir-disable-threading", clear threading, "Work on one operation at a time"),
            flag!("threads", Required("uint"), "Work on so many operations at a time, 0 for one a core", |o, text| {
                o.threads = Some(number_of(text)?);
                Ok(())
            }),
            flag!(
                "log",
                Required("filter"),
                "Show what happens inside: 'info' for passes, 'dl_ir::rewrite=debug' for patterns",
                |o, text| {
                    o.log = Some(text.to_owned());
                    Ok(())
                }
            ),
            flag!("trace", Required("filename"), "Write what took how long to this file, for Perfetto", |o, text| {
                o.trace = Some(text.to_owned());
                Ok(())
            }),
        ],
    },
    Group {
        title: "Input and output",
        hidden: false,
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
        hidden: false,
        flags: &[
            flag!("verify-each", set verify_each, "Verify after each pass (default: true)"),
            flag!("verify-roundtrip", set verify_roundtrip, "Print what was parsed and parse it again, and compare"),
            flag!("verify-with-upstream", set verify_with_upstream, "Have MLIR's verifier look at the result (where the build has LLVM)"),
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
            flag!(
                "mlir-diagnostic-verbosity-level",
                Required("errors|warnings|remarks"),
                "Show only errors, or warnings too, or remarks too (default: remarks)",
                |o, text| {
                    o.verbosity = match text {
                        "errors" => Severity::Error,
                        "warnings" => Severity::Warning,
                        "remarks" => Severity::Remark,
                        other => return Err(format!("Cannot find option named '{other}'!")),
                    };
                    Ok(())
                }
            ),
            flag!("mlir-print-op-on-diagnostic", set show_op, "Show with each message the operation that it is about"),
            flag!(
                "mlir-print-stacktrace-on-diagnostic",
                set origins,
                "Show with each message where in the compiler it comes from"
            ),
        ],
    },
    Group {
        title: "Printing",
        hidden: false,
        flags: &[
            flag!("mlir-print-op-generic", set print.generic, "Print the generic form"),
            flag!("mlir-print-debuginfo", set print.debug_info, "Print locations"),
            flag!("mlir-pretty-debuginfo", set print.pretty_debug_info, "Print locations for humans"),
            flag!("mlir-print-local-scope", set print.local_scope, "Print without aliases"),
            flag!("mlir-print-skip-regions", set print.skip_regions, "Print regions as {...}"),
            flag!("mlir-print-assume-verified", set print.assume_verified, "Print the pretty form without checking that it is possible"),
            flag!("mlir-print-unique-ssa-ids", set print.unique_ssa_ids, "Make names of values unique in the whole text"),
            flag!("mlir-use-nameloc-as-prefix", set print.names_from_locations, "Call values as their locations are"),
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
        hidden: false,
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
            flag!(
                "apply-pdl",
                Required("filename"),
                "Apply the patterns that this file has in the dialect pdl, among passes given as flags",
                |o, text| {
                    o.passes.push(("apply-pdl".to_owned(), format!("file='{text}'")));
                    Ok(())
                }
            ),
            flag!(
                "upstream-pipeline",
                Required("string"),
                "A pipeline that MLIR itself runs, among passes given as flags (where the build has LLVM)",
                |o, text| {
                    o.passes.push((super::run::UPSTREAM.to_owned(), format!("pipeline={{{text}}}")));
                    Ok(())
                }
            ),
            flag!(
                "pass-pipeline-file",
                Required("filename"),
                "The same from a file, with // and # comments",
                |o, text| {
                    o.pipeline_file = Some(text.to_owned());
                    Ok(())
                }
            ),
            flag!("dump-pass-pipeline", set dump_pipeline, "Print the pipeline before it runs"),
            flag!("run-reproducer", set run_reproducer, "Run the pipeline that the file holds"),
            flag!(
                "mlir-pass-pipeline-crash-reproducer",
                Required("filename"),
                "After a failure, write input and pipeline to this file; after a crash that is always done",
                |o, text| {
                    o.reproducer = Some(text.to_owned());
                    Ok(())
                }
            ),
            flag!(
                "mlir-pass-pipeline-local-reproducer",
                set local_reproducer,
                "In it, only the pass that has failed, and the IR before it"
            ),
            flag!(
                "mlir-generate-reproducer",
                Required("filename"),
                "Write input and pipeline to this file, failure or not",
                |o, text| {
                    o.generate_reproducer = Some(text.to_owned());
                    Ok(())
                }
            ),
            flag!("mlir-timing", set timing, "Show what took how long"),
            flag!("mlir-timing-display", Required("list|tree"), "How to show it", |o, text| {
                o.timing_display = display_of(text)?;
                Ok(())
            }),
            flag!("mlir-output-format", Required("text|json"), "How to write it", |o, text| {
                o.timing_format = match text {
                    "text" => Format::Text,
                    "json" => Format::Json,
                    other => return Err(format!("Cannot find option named '{other}'!")),
                };
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
            flag!("mlir-print-ir-before-all", Bool, "Print the IR before each pass", |o, text| {
                if bool_of(text)? {
                    o.ir_before = PassFilter::Always;
                }
                Ok(())
            }),
            flag!("mlir-print-ir-after-all", Bool, "Print the IR after each pass", |o, text| {
                if bool_of(text)? {
                    o.ir_after = PassFilter::Always;
                }
                Ok(())
            }),
            flag!("mlir-print-ir-after-change", set ir_after_change, "After a pass, print the IR only if it has changed"),
            flag!("mlir-print-ir-after-failure", set ir_after_failure, "After a pass, print the IR only if the pass has failed"),
            flag!("mlir-print-ir-module-scope", set ir_module_scope, "Print the outermost operation, whatever the pass runs on"),
            flag!(
                "mlir-print-ir-tree-dir",
                Required("directory"),
                "Print the IR to files in this folder",
                |o, text| {
                    o.ir_tree_dir = (!text.is_empty()).then(|| text.to_owned());
                    Ok(())
                }
            ),
        ],
    },
    Group {
        title: "Actions",
        hidden: false,
        flags: &[
            flag!(
                "log-actions-to",
                Required("filename"),
                "Write passes, iterations and patterns that are tried to this file; '-' is standard error",
                |o, text| {
                    o.action_log = Some(text.to_owned());
                    Ok(())
                }
            ),
            flag!(
                "log-mlir-actions-filter",
                Required("file:line:column,..."),
                "Only actions on operations from these places, as 'a.mlir:4'",
                |o, text| {
                    o.action_places = Place::parse_list(text)?;
                    Ok(())
                }
            ),
            flag!(
                "profile-actions-to",
                Required("filename"),
                "Write when actions begin and end to this file, for Perfetto; '-' is standard error",
                |o, text| {
                    o.action_profile = Some(text.to_owned());
                    Ok(())
                }
            ),
            flag!(
                "mlir-debug-counter",
                Required("tag-skip=n,..."),
                "Leave out the first actions of a kind ('apply-pattern-skip=7'), or all after so many ('apply-pattern-count=1')",
                |o, text| {
                    o.counters = Counter::parse_list(text)?;
                    Ok(())
                }
            ),
            flag!(
                "oracle",
                Required("each-pass|each-rewrite"),
                "Run public functions on generated inputs before and after each pass, and fail where they do something else",
                |o, text| {
                    o.oracle = Some(match text {
                        "each-pass" => Guilty::Pass,
                        "each-rewrite" => Guilty::Rewrite,
                        other => return Err(format!("Cannot find option named '{other}'!")),
                    });
                    Ok(())
                }
            ),
            flag!("mlir-print-debug-counter", set show_counters, "Show at the end what the counters have counted"),
        ],
    },
    Group {
        title: "Seldom needed",
        hidden: true,
        flags: &[flag!("p", Required(""), "Alias for --pass-pipeline", |o, text| {
            o.pipeline = Some(text.to_owned());
            Ok(())
        })],
    },
];

/// Every flag.
pub(super) fn all() -> impl Iterator<Item = &'static Flag> {
    GROUPS.iter().flat_map(|group| group.flags)
}
