//! What the suites share: where the tools are, ours and upstream's, what they read and write, and tests that can be ignored.

#![allow(dead_code, reason = "each suite is a crate of its own and uses a part of this")]

pub(crate) mod files;
pub(crate) mod programs;
pub(crate) mod trials;

use std::env;
use std::path::{Path, PathBuf};

/// The name under which tests call a tool, the file cargo built, and the variable that puts another program in its place.
const TOOLS: [(&str, &str, &str); 4] = [
    ("dl-opt", env!("CARGO_BIN_EXE_dl-opt"), "DL_OPT"),
    ("dl-translate", env!("CARGO_BIN_EXE_dl-translate"), "DL_TRANSLATE"),
    ("dl-run", env!("CARGO_BIN_EXE_dl-run"), "DL_RUN"),
    ("dl-sim", env!("CARGO_BIN_EXE_dl-sim"), "DL_SIM"),
];

/// The back ends of this build.
pub(crate) fn back_ends() -> Vec<&'static str> {
    let llvm = cfg!(feature = "llvm").then_some("llvm");
    llvm.into_iter().chain(["cranelift", "interpreter"]).collect()
}

/// The root of the checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tools are a folder of the workspace")
}

/// The folder in which suites may write. Kept between runs.
pub(crate) fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Our tools, name and file.
pub(crate) fn tools() -> impl Iterator<Item = (&'static str, PathBuf)> {
    TOOLS
        .into_iter()
        .map(|(name, built, variable)| (name, env::var_os(variable).map_or_else(|| built.into(), PathBuf::from)))
}

/// The file of one of our tools; `None` for what is none.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    tools().find_map(|(tool, path)| (tool == name).then_some(path))
}

/// Upstream's `mlir-opt` 22, where it is installed: in the folder that is named, which may be one that has none, else on the PATH.
pub(crate) fn mlir_opt() -> Option<PathBuf> {
    if let Some(prefix) = env::var_os("MLIR_SYS_220_PREFIX") {
        return Some(Path::new(&prefix).join("bin/mlir-opt")).filter(|file| file.exists());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join("mlir-opt-22")).find(|file| file.exists())
}
