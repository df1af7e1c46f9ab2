//! Puts the LLVM 22 packages, and what building against them takes, on a Debian or Ubuntu machine, or says what to do.
//!
//! Nothing is installed that is there already, and never without saying so first. Where it may not be done from here (no
//! `apt-get`, no right to use it) the exact command is printed and the command fails.

use std::env;
use std::io::{IsTerminal, stdin};

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::llvm::{Llvm, PREFIX_VARIABLES};

/// Debian's names for the parts of LLVM in use: the libraries (Polly's too: `llvm-config` lists them), MLIR's libraries and ODS files, and the tools that tests run.
pub(crate) const LLVM_PACKAGES: [&str; 7] =
    ["llvm-22-dev", "libpolly-22-dev", "libmlir-22-dev", "mlir-22-tools", "clang-22", "lld-22", "llvm-22-tools"];

/// The compiler of the C++ glue in the `tblgen` crate, where no other is installed.
const COMPILER_PACKAGE: &str = "g++";

/// Libraries that LLVM's own libraries are linked with.
const LIBRARY_PACKAGES: [&str; 2] = ["zlib1g-dev", "libzstd-dev"];

/// What builds and runs programs for other processors. Without it their tests are left out, which CI must not do.
const EMULATION_PACKAGES: [&str; 3] = ["gcc-aarch64-linux-gnu", "gcc-riscv64-linux-gnu", "qemu-user"];

/// Who runs `apt-get`.
enum Rights {
    /// The user is root.
    Root,
    /// Through `sudo`, which may ask for a password if there is a terminal.
    Sudo,
    /// Nobody here.
    None,
}

/// Makes sure that LLVM 22 is installed, installing what is missing if possible.
pub(crate) fn run(sh: &Shell) -> Result<Llvm> {
    let missing = missing_packages(sh);
    if !missing.is_empty() {
        install(sh, &missing)?;
    }
    match Llvm::find(sh) {
        Some(llvm) => Ok(llvm),
        None => bail!(
            "LLVM 22 was not found; set {} to its installation prefix (the folder with bin, include and lib)",
            PREFIX_VARIABLES.join(", ")
        ),
    }
}

/// The packages to install. The LLVM packages count as present when a complete installation is found, wherever it is from.
fn missing_packages(sh: &Shell) -> Vec<&'static str> {
    let mut missing = Vec::new();
    if Llvm::find(sh).is_none() {
        missing.extend(LLVM_PACKAGES);
    }
    if !has_program(sh, "c++") {
        missing.push(COMPILER_PACKAGE);
    }
    if has_program(sh, "dpkg-query") {
        let emulation = if env::var_os("CI").is_some() { &EMULATION_PACKAGES[..] } else { &[] };
        missing.extend(LIBRARY_PACKAGES.iter().chain(emulation).filter(|package| !is_installed(sh, package)));
    }
    missing
}

fn install(sh: &Shell, packages: &[&str]) -> Result<()> {
    let list = packages.join(" ");
    let command = format!("apt-get update && apt-get install --yes {list}");
    if !has_program(sh, "apt-get") {
        bail!(
            "this needs LLVM 22 with MLIR, and there is no apt-get here to install it with.\nOn Debian or Ubuntu, as \
             root:\n\n    {command}\n\nElsewhere, install LLVM 22 with MLIR, clang and lld and set {} to its prefix.",
            PREFIX_VARIABLES.join(", ")
        );
    }
    let (program, environment) = match rights(sh) {
        Rights::Root => ("env", None),
        Rights::Sudo => ("sudo", Some("env")),
        Rights::None => bail!(
            "packages are missing and may not be installed from here. As root, run:\n\n    {command}\n\nand then this \
             command again"
        ),
    };
    println!("Installing with apt-get: {list}");
    let apt_get = |arguments: &[&str]| {
        let quiet = "DEBIAN_FRONTEND=noninteractive";
        cmd!(sh, "{program} {environment...} {quiet} apt-get {arguments...}").run()
    };
    apt_get(&["update"])?;
    if apt_get(&[&["install", "--yes"], packages].concat()).is_err() {
        bail!(
            "apt-get could not install the packages. If it did not find them, this release of the distribution has no LLVM \
             22: add the package source of the LLVM project, then run\n\n    {command}"
        );
    }
    Ok(())
}

fn rights(sh: &Shell) -> Rights {
    if cmd!(sh, "id -u").quiet().read().is_ok_and(|id| id.trim() == "0") {
        return Rights::Root;
    }
    let may_ask = stdin().is_terminal() && has_program(sh, "sudo");
    if may_ask || cmd!(sh, "sudo -n true").quiet().ignore_stdout().ignore_stderr().run().is_ok() {
        Rights::Sudo
    } else {
        Rights::None
    }
}

fn has_program(sh: &Shell, name: &str) -> bool {
    cmd!(sh, "{name} --version").quiet().ignore_stdout().ignore_stderr().run().is_ok()
}

fn is_installed(sh: &Shell, package: &str) -> bool {
    let format = "${Status}";
    let status = cmd!(sh, "dpkg-query --show --showformat={format} {package}").quiet().ignore_stderr().read();
    status.is_ok_and(|status| status.trim() == "install ok installed")
}
