//! `cargo xtask onnx`: the node tests of the `onnx` package, and the page that says what they come to.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use xshell::{Shell, cmd};

/// Releases whose packages have the data of the tests: the opset that these are of, the version, and what its wheel is for. Later ones
/// leave the data out.
const PACKAGES: [(&str, &str, &str, &str); 9] = [
    ("07", "1.2.1", "3.6", "manylinux1_x86_64"),
    ("09", "1.4.1", "3.6", "manylinux1_x86_64"),
    ("11", "1.6.0", "3.6", "manylinux1_x86_64"),
    ("13", "1.8.1", "3.8", "manylinux2010_x86_64"),
    ("15", "1.10.2", "3.8", "manylinux_2_12_x86_64"),
    ("17", "1.12.0", "3.8", "manylinux_2_17_x86_64"),
    ("19", "1.14.1", "3.10", "manylinux_2_17_x86_64"),
    ("21", "1.16.2", "3.10", "manylinux_2_17_x86_64"),
    ("22", "1.17.0", "3.10", "manylinux_2_17_x86_64"),
];

/// The opsets that the page is about: the first and the last. Tests of those between are mostly the same.
const ON_PAGE: [&str; 2] = ["07", "22"];

/// What to run.
#[derive(Args)]
pub(crate) struct Options {
    /// Fail when docs/onnx-support.md is not what the tests come to, instead of writing it
    #[arg(long)]
    check: bool,

    /// The tests of this opset, one of 7, 9, 11, 13, 15, 17, 19, 21 and 22; the page is not written
    #[arg(long, value_name = "OPSET")]
    opset: Option<String>,

    /// Only tests whose name has this in it; the page is not written
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
}

/// Gets the data where it is missing, runs the tests, and writes `docs/onnx-support.md`.
pub(crate) fn run(sh: &Shell, options: &Options) -> Result<()> {
    let wanted = |opset: &str| match &options.opset {
        Some(wanted) => wanted == opset.trim_start_matches('0'),
        None => ON_PAGE.contains(&opset),
    };
    let mut folders = Vec::new();
    for (opset, version, python, platform) in PACKAGES.into_iter().filter(|package| wanted(package.0)) {
        let data = fetch(sh, version, python, platform)?;
        folders.push(format!("{version} (opset {})={}", opset.trim_start_matches('0'), data.display()));
    }
    ensure!(!folders.is_empty(), "no tests of this opset");
    let _data = sh.push_env("ONNX_NODE_TESTS", folders.join(","));
    let filter = &options.filter;
    let is_whole = filter.is_none() && options.opset.is_none();
    let mode = if options.check { "check" } else { "overwrite" };
    let _page = is_whole.then(|| sh.push_env("ONNX_SUPPORT", mode));
    cmd!(sh, "cargo test --workspace --features dl-tools/llvm --test onnx -- --quiet {filter...}").run()?;
    Ok(())
}

/// The data of the tests, from a package on `PyPI`, without what that depends on.
fn fetch(sh: &Shell, version: &str, python: &str, platform: &str) -> Result<PathBuf> {
    let folder = sh.current_dir().join("target/onnx").join(version);
    let data = folder.join("onnx/backend/test/data/node");
    if !data.is_dir() {
        let package = format!("onnx=={version}");
        cmd!(sh, "python3 -m pip install --quiet --no-deps --only-binary=:all: --target {folder} {package}")
            .args(["--python-version", python, "--platform", platform])
            .run()?;
    }
    ensure!(data.is_dir(), "no folder {}", data.display());
    Ok(data)
}
