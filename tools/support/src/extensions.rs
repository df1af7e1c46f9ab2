//! Flags of all tools that add dialects and passes: plugins, and definitions that are read while the tool runs.
//!
//! They are taken off the command line before anything else looks at it, since what they add can be named on it.

use std::path::Path;

use dl_ir::diagnostics::did_you_mean;
use dl_plugin::Registry;

use crate::{files, messages, plugins, response_files};

/// A flag: name, what its value is, what it does.
pub type Flag = (&'static str, &'static str, &'static str);

/// The flags of tools that read programs as IR.
pub const FLAGS: [Flag; 3] =
    [PLUGINS[0], PLUGINS[1], ("irdl-file", "filename", "Add the dialects that this file defines in the dialect irdl")];

/// The flags of all tools.
pub const PLUGINS: [Flag; 2] = [
    ("load-dialect-plugin", "library", "Add what this plugin brings; one without '/' is looked for in DL_PLUGIN_PATH"),
    ("load-pass-plugin", "library", "The same"),
];

/// The flags as a section of a help text.
pub fn help(flags: &[Flag]) -> String {
    let show = ("show-plugins", "List what each plugin that is loaded has brought");
    let lines = flags.iter().map(|(name, value, what)| format!("      --{name} <{value}>\n          {what}\n"));
    format!("Extensions:\n{}      --{}\n          {}\n", lines.collect::<String>(), show.0, show.1)
}

/// What the plugins that are loaded have brought, in lines.
pub fn shown(registry: &Registry) -> String {
    if registry.plugins().is_empty() {
        return "No plugin is loaded.\n".to_owned();
    }
    registry.plugins().iter().map(ToString::to_string).collect()
}

/// Does what those of `flags` say that are in `args`, response files among them, and answers the other arguments. `tool` is the name of the tool. What is wrong with a file is shown.
///
/// # Errors
/// What is wrong, in one line or more.
pub fn take(
    tool: &str,
    flags: &[Flag],
    args: impl IntoIterator<Item = String>,
    registry: &mut Registry,
) -> Result<Vec<String>, String> {
    let mut rest = Vec::new();
    let mut irdl = Vec::new();
    let mut args = response_files::expand(args)?.into_iter();
    while let Some(arg) = args.next() {
        if arg == "--" {
            rest.push(arg);
            rest.extend(args);
            break;
        }
        let name = arg.strip_prefix("--").or_else(|| arg.strip_prefix('-')).unwrap_or_default();
        let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value.to_owned())));
        let Some(&(name, ..)) = flags.iter().find(|flag| flag.0 == name) else {
            rest.push(arg);
            continue;
        };
        let value = value.or_else(|| args.next()).filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| format!("for the --{name} option: requires a value!"))?;
        match name {
            "irdl-file" => irdl.push(value),
            _ => plugins::load(tool, &value, registry)?,
        }
    }
    // A definition may refer to types of plugins.
    for file in irdl {
        load_irdl(&file, registry)?;
    }
    Ok(rest)
}

/// Adds the dialects of a file to every context.
fn load_irdl(file: &str, registry: &mut Registry) -> Result<(), String> {
    let (name, text) = files::read(file)?;
    let load = move |cx: &mut dl_ir::Context| {
        let source = cx.add_source(&name, &text);
        dl_irdl::load(cx, &source)
    };
    let mut cx = registry.context();
    if cx.dialect("irdl").is_none() {
        cx.register(&dl_irdl::Irdl);
    }
    if let Err(errors) = load(&mut cx) {
        messages::show(&cx, &errors);
        return Err(format!("cannot load the dialects of '{file}'"));
    }
    registry.extension(move |cx| {
        cx.register(&dl_irdl::Irdl);
        load(cx).expect("it was loaded before, into a context like this one");
    });
    Ok(())
}

/// Similar names of files in the folder of a file that is not there.
pub(crate) fn similar_files(file: &Path) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    did_you_mean(&name, names.iter().map(String::as_str))
}
