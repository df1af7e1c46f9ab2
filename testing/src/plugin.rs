//! The suite of a plugin.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::Suite;

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
        let (tool, plugin) = match tool().and_then(|tool| Ok((tool, self.library()?))) {
            Ok(found) => found,
            Err(why) => {
                eprintln!("the tests cannot be set up: {why}");
                return ExitCode::FAILURE;
            }
        };
        if env::args_os().next().is_some_and(|name| Path::new(&name).ends_with("dl-opt")) {
            let load = format!("--load-dialect-plugin={}", plugin.display());
            let status = Command::new(&tool).arg(load).args(env::args_os().skip(1)).status();
            return match status {
                Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101)),
                Err(error) => {
                    eprintln!("{}: {error}", tool.display());
                    ExitCode::FAILURE
                }
            };
        }
        let this = env::current_exe().unwrap_or_default();
        let scratch = Path::new(self.scratch).join(self.package);
        Suite::new(self.folder, Path::new(self.folder).join("tests"), scratch).tool("dl-opt", this).main()
    }

    /// The plugin, as cargo has built it for this test.
    fn library(&self) -> Result<PathBuf, String> {
        let this = env::current_exe().and_then(|this| this.canonicalize()).map_err(|error| error.to_string())?;
        let name = format!("{}{}{}", env::consts::DLL_PREFIX, self.package.replace('-', "_"), env::consts::DLL_SUFFIX);
        let found = this.ancestors().skip(1).take(2).map(|folder| folder.join(&name)).find(|file| file.is_file());
        found.ok_or_else(|| format!("there is no '{name}': the crate needs 'crate-type = [\"cdylib\", \"rlib\"]'"))
    }
}

/// `dl-opt`: what `DL_OPT` names, or what was built in the checkout of this crate, or what is on the PATH.
fn tool() -> Result<PathBuf, String> {
    if let Some(tool) = env::var_os("DL_OPT") {
        return Ok(tool.into());
    }
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("/"));
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(checkout.join("target").join(profile)).chain(env::split_paths(&path));
    folders.map(|folder| folder.join("dl-opt")).find(|tool| tool.is_file()).ok_or_else(|| {
        let checkout = checkout.display();
        let release = if cfg!(debug_assertions) { "" } else { " --release" };
        format!("there is no 'dl-opt': 'cargo build{release} -p dl-tools' in {checkout} makes one, or DL_OPT names one")
    })
}
