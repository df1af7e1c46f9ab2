//! Command lines as LLVM's tools take them.

use std::ffi::OsString;
use std::process::exit;

use clap::{Command, Parser};
use dl_plugin::Registry;

use crate::extensions::{self, Flag};
use crate::{files, messages};

/// Parses the command line of the process, once those flags of `extensions` that extend the tool have been taken off; shows what is wrong with it, or the help
/// or the list of plugins that it asks for, and exits. `adapt` has the last word on the flags, when it is known what extends the tool. A long flag may have one
/// dash, as in `-mlir-to-llvmir`. `None` where the tool cannot be extended as it asks; why is shown.
pub fn parse<T: Parser>(
    tool: &str,
    registry: &mut Registry,
    extensions: &[Flag],
    adapt: impl FnOnce(Command, &Registry) -> Command,
) -> Option<T> {
    let args = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    let shown = extensions::take(tool, extensions, args, registry).and_then(|args| {
        if args.iter().any(|arg| arg == "--show-plugins") {
            files::write("-", extensions::shown(registry).as_bytes())?;
            exit(0);
        }
        Ok(args)
    });
    match shown {
        Ok(args) => {
            let command = adapt(T::command().after_help(extensions::help(extensions)), registry);
            let args = with_two_dashes(&command, args.into_iter().map(OsString::from));
            let matches = command.get_matches_from(args);
            Some(T::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
        }
        Err(why) => {
            messages::eprint(&format!("{tool}: {why}\n"));
            None
        }
    }
}

/// The arguments, `--name` for `-name` where that is a flag of the command.
fn with_two_dashes(command: &Command, args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let is_long_flag = |name: &str| command.get_arguments().any(|arg| arg.get_long() == Some(name));
    let mut literal = false;
    let fix = |arg: OsString| {
        literal |= arg == "--";
        let name = arg.to_str().and_then(|arg| arg.strip_prefix('-')).unwrap_or_default();
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        if literal || !is_long_flag(name) {
            return arg;
        }
        let mut fixed = OsString::from("-");
        fixed.push(arg);
        fixed
    };
    args.into_iter().map(fix).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[derive(Parser)]
    struct Tool {
        #[arg(long)]
        emit: Option<String>,
        #[arg(short)]
        output: Option<String>,
        rest: Vec<String>,
    }

    #[test]
    fn long_flags_may_have_one_dash() {
        let parsed = |args: &[&str]| {
            let args = args.iter().map(OsString::from);
            Tool::try_parse_from(with_two_dashes(&Tool::command(), args)).map_err(|error| error.kind())
        };
        let tool = parsed(&["tool", "-emit=asm", "-o", "out", "--", "-emit"]).ok().unwrap();
        assert_eq!((tool.emit.as_deref(), tool.output.as_deref()), (Some("asm"), Some("out")));
        assert_eq!(tool.rest, ["-emit"]);
        let unknown = parsed(&["tool", "-emits"]).err();
        assert_eq!(unknown, Some(clap::error::ErrorKind::UnknownArgument));
    }
}
