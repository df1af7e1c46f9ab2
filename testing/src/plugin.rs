//! The suite of a plugin.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::Suite;

/// The tools that plugins extend, and the variable that puts another program in the place of each.
const TOOLS: [(&str, &str); 3] = [("dl-opt", "DL_OPT"), ("dl-run", "DL_RUN"), ("dl-translate", "DL_TRANSLATE")];

/// The tests of a plugin: the files below the folder `tests` of its crate. Made by [`plugin_suite`](crate::plugin_suite).
pub struct PluginSuite {
    /// The folder of the crate.
    pub folder: &'static str,
    /// Its name.
    pub package: &'static str,
    /// A folder that may be written to.
    pub scratch: &'static str,
}

impl PluginSuite {
    /// The whole test program: see [`Suite::main`].
    pub fn main(&self) -> ExitCode {
        self.main_with(|suite| suite)
    }

    /// The same with more tools, features, or [checks of all files](Suite::round_trip).
    pub fn main_with(&self, more: impl FnOnce(Suite) -> Suite) -> ExitCode {
        if let Some(code) = self.called() {
            return code;
        }
        if let Err(why) = self.command("dl-opt") {
            eprintln!("the tests cannot be set up: {why}");
            return ExitCode::FAILURE;
        }
        let this = env::current_exe().unwrap_or_default();
        let scratch = Path::new(self.scratch).join(self.package);
        let suite = Suite::new(self.folder, Path::new(self.folder).join("tests"), scratch);
        let there = TOOLS.iter().filter(|(name, _)| find(name).is_ok());
        more(there.fold(suite, |suite, (name, _)| suite.tool(*name, &this))).main()
    }

    /// A tool (`dl-opt`, `dl-run` or `dl-translate`) with the plugin loaded.
    ///
    /// # Errors
    /// That the tool or the plugin has not been built.
    pub fn command(&self, tool: &str) -> Result<Command, String> {
        let mut command = Command::new(find(tool)?);
        command.arg(format!("--load-dialect-plugin={}", self.library()?.display()));
        Ok(command)
    }

    /// Runs the tool that this process was called as, if it is one.
    fn called(&self) -> Option<ExitCode> {
        let name = env::args_os().next()?;
        let (tool, _) = TOOLS.iter().find(|(tool, _)| Path::new(&name).ends_with(tool))?;
        let status = self.command(tool).and_then(|mut command| {
            let run = command.args(env::args_os().skip(1)).status();
            run.map_err(|error| format!("{tool}: {error}"))
        });
        Some(match status {
            Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101)),
            Err(why) => {
                eprintln!("{why}");
                ExitCode::FAILURE
            }
        })
    }

    /// The plugin, as cargo has built it for this test.
    fn library(&self) -> Result<PathBuf, String> {
        let this = env::current_exe().and_then(|this| this.canonicalize()).map_err(|error| error.to_string())?;
        let name = format!("{}{}{}", env::consts::DLL_PREFIX, self.package.replace('-', "_"), env::consts::DLL_SUFFIX);
        let found = this.ancestors().skip(1).take(2).map(|folder| folder.join(&name)).find(|file| file.is_file());
        found.ok_or_else(|| format!("there is no '{name}': the crate needs 'crate-type = [\"cdylib\", \"rlib\"]'"))
    }
}

/// A tool: what its variable names, or the newest of those in the target folder of the checkout of this crate and on the PATH. In the tests, this
/// executable is on the PATH under the names of the tools: it is none of them.
fn find(tool: &str) -> Result<PathBuf, String> {
    let variable = TOOLS.iter().find(|(name, _)| *name == tool).map_or("", |(_, variable)| *variable);
    if let Some(file) = env::var_os(variable) {
        return Ok(file.into());
    }
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("/"));
    let built = ["debug", "release"].map(|profile| checkout.join("target").join(profile));
    let path = env::var_os("PATH").unwrap_or_default();
    let files = built.into_iter().chain(env::split_paths(&path)).map(|folder| folder.join(tool));
    let this = env::current_exe().and_then(|this| this.canonicalize()).ok();
    let another = |file: &PathBuf| file.is_file() && file.canonicalize().ok() != this;
    let changed = |file: &PathBuf| file.metadata().and_then(|metadata| metadata.modified()).ok();
    files.filter(another).max_by_key(changed).ok_or_else(|| {
        let checkout = checkout.display();
        format!("there is no '{tool}': 'cargo build -p dl-tools' in {checkout} makes one, or {variable} names one")
    })
}
