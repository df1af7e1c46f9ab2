//! `cargo xtask onnx`: the node tests of the `onnx` package, and the page that says what they come to.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use xshell::{Shell, cmd};

/// The last release whose package has the data of the tests.
const PACKAGE: &str = "onnx==1.17.0";

/// What to run.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder `onnx/backend/test/data/node` of an installed package [default: the package is fetched into target/onnx]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Compile each model with this `dl-run`, instead of running it in the interpreter
    #[arg(long, value_name = "FILE")]
    dl_run: Option<PathBuf>,

    /// Only tests whose name has this in it; the page is not written
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
}

/// Gets the data where it is missing, runs the tests, and writes `docs/onnx-support.md`.
pub(crate) fn run(sh: &Shell, options: &Options) -> Result<()> {
    let data = match &options.data {
        Some(data) => data.clone(),
        None => fetch(sh)?,
    };
    ensure!(data.is_dir(), "no folder {}", data.display());
    let data = data.canonicalize().context("the folder of the tests")?;
    let _data = sh.push_env("ONNX_NODE_TESTS", data);
    let _tool = match &options.dl_run {
        Some(tool) => Some(sh.push_env("DL_RUN", tool.canonicalize().context("the tool")?)),
        None => None,
    };
    let filter = &options.filter;
    let _page = filter.is_none().then(|| sh.push_env("ONNX_SUPPORT", "overwrite"));
    cmd!(sh, "cargo test --release --package dl-onnx --test nodes -- {filter...}").run()?;
    Ok(())
}

/// The data of the tests, from the package on `PyPI`, without what that depends on.
fn fetch(sh: &Shell) -> Result<PathBuf> {
    let folder = sh.current_dir().join("target/onnx");
    let data = folder.join("onnx/backend/test/data/node");
    if !data.is_dir() {
        cmd!(sh, "python3 -m pip install --quiet --no-deps --target {folder} {PACKAGE}").run()?;
    }
    Ok(data)
}
