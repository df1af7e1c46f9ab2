//! Where LLVM 22 is installed, and how the crates that link it are told.

use std::env;
use std::path::{Path, PathBuf};

use xshell::{Shell, cmd};

/// The environment variables by which `mlir-sys`, `tblgen` and `llvm-sys` find LLVM. All hold the installation prefix.
/// `.cargo/config.toml` gives them Debian's prefix, for builds that do not go through `cargo xtask`.
pub(crate) const PREFIX_VARIABLES: [&str; 3] = ["MLIR_SYS_220_PREFIX", "TABLEGEN_220_PREFIX", "LLVM_SYS_221_PREFIX"];

/// What an installation must hold, one file of each package of [`crate::setup::LLVM_PACKAGES`].
const FILES: [&str; 7] = [
    "bin/llvm-config",
    "lib/libPolly.a",
    "bin/mlir-opt",
    "bin/clang",
    "bin/ld.lld",
    "bin/FileCheck",
    "include/mlir/Dialect/Func/IR/FuncOps.td",
];

/// A complete installation of LLVM 22 with MLIR.
pub(crate) struct Llvm {
    prefix: PathBuf,
}

impl Llvm {
    /// The installation named by one of [`PREFIX_VARIABLES`], else the one of `llvm-config-22`; `None` if it lacks a part.
    pub(crate) fn find(sh: &Shell) -> Option<Llvm> {
        let named = PREFIX_VARIABLES.iter().filter_map(env::var_os).map(PathBuf::from);
        let asked = || cmd!(sh, "llvm-config-22 --prefix").quiet().ignore_stderr().read().ok().map(PathBuf::from);
        let is_complete = |prefix: &PathBuf| FILES.iter().all(|file| prefix.join(file).exists());
        let prefix = named.chain(std::iter::once_with(asked).flatten()).find(is_complete)?;
        Some(Llvm { prefix })
    }

    /// The folder that holds `bin`, `include` and `lib`.
    pub(crate) fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// Makes every later command of `sh` build against this installation.
    pub(crate) fn export_to(&self, sh: &Shell) {
        for variable in PREFIX_VARIABLES {
            sh.set_var(variable, &self.prefix);
        }
    }
}
