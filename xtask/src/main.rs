//! Project automation, run as `cargo xtask COMMAND`.
//!
//! Depends on nothing in the tree and needs no LLVM, so that it builds on a fresh machine and can prepare it. Every
//! command runs from any folder of the checkout, prints what it does, and ends with exit code 1 and a message if it fails.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program")]

mod demo;
mod docs;
mod fuzz;
mod llvm;
mod new_dialect;
mod npy;
mod onnx;
mod order;
mod setup;
mod test;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use xshell::{Shell, cmd};

/// Project automation for dl.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install the LLVM 22 packages that the back end needs, where they are missing
    Setup,
    /// Prepare the machine and run every test: unit, doc, lit, command line, end to end
    Test(test::Options),
    /// Compile the digit classifier to machine code, step by step, and run it on the held-out images
    Demo(demo::Options),
    /// Write the Rust definitions of the ops from their TableGen descriptions
    Ods {
        /// Write nothing; fail if a definition is out of date
        #[arg(long)]
        check: bool,
    },
    /// Write `docs/reference` and `docs/passes.md`, the reference of dialects and passes, from their definitions
    Reference {
        /// Write nothing; fail if a page is out of date or an example is wrong
        #[arg(long)]
        check: bool,
    },
    /// Rewrite what is generated or recorded: op definitions, reference and command line snapshots (read the diff afterwards)
    Bless,
    /// Run the node tests of the `onnx` package, interpreted and compiled, and write docs/onnx-support.md
    Onnx(onnx::Options),
    /// Search for inputs that crash, hang or break what must hold
    Fuzz(fuzz::Options),
    /// Write random programs and compare what they do before and after each pass (`cargo xtask oracle --help` lists the options)
    #[command(disable_help_flag = true)]
    Oracle {
        /// What `dl-fuzz oracle` is told
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Compare dl-opt with mlir-opt on generated modules (`cargo xtask bench --help` lists the options of the benchmark)
    #[command(disable_help_flag = true)]
    Bench {
        /// What the benchmark is told
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// List the functions of LLVM that the tools call, in `codegen/llvm/order.txt`, for linkers to put side by side; after a new release of LLVM
    Order,
    /// Build the book and the documentation of the API
    Docs(docs::Options),
    /// Write a crate to begin a dialect of this tree with, and list it where dialects are listed
    NewDialect {
        /// What operations begin with
        name: String,
    },
    /// Check the shape of the tree: dependencies between crates, docs, generated and unfinished files
    Tidy,
}

fn main() -> ExitCode {
    match run(&Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Result<()> {
    let sh = Shell::new().context("no current folder")?;
    sh.change_dir(root());
    match command {
        Command::Setup => setup::run(&sh).map(|llvm| println!("LLVM 22 is in {}", llvm.prefix().display())),
        Command::Test(options) => test::run(&sh, options),
        Command::Demo(options) => demo::run(&sh, options),
        Command::Ods { check } => {
            setup::run(&sh)?.export_to(&sh);
            ods(&sh, *check)
        }
        Command::Reference { check } => reference(&sh, *check),
        Command::Bless => {
            setup::run(&sh)?.export_to(&sh);
            ods(&sh, false)?;
            reference(&sh, false)?;
            {
                let _writing = sh.push_env("ONNX_SCHEMA", "overwrite");
                cmd!(sh, "cargo test --package dl-onnx --test schema").run()?;
            }
            let _recording = sh.push_env("TRYCMD", "overwrite");
            cmd!(sh, "cargo test --package dl-tools --features llvm --test cli").run()?;
            Ok(())
        }
        Command::Onnx(options) => onnx::run(&sh, options),
        Command::Fuzz(options) => fuzz::run(&sh, options),
        Command::Oracle { options } => {
            cmd!(sh, "cargo run --profile fuzz --package dl-fuzz --bin dl-fuzz -- oracle {options...}").run()?;
            Ok(())
        }
        Command::Bench { options } => {
            sh.set_var("MLIR_OPT", setup::run(&sh)?.prefix().join("bin/mlir-opt"));
            cmd!(sh, "cargo build --release --package dl-tools --bin dl-opt").run()?;
            cmd!(sh, "cargo run --release --package dl-benches -- {options...}").run()?;
            Ok(())
        }
        Command::Order => order::run(&sh),
        Command::Docs(options) => docs::run(&sh, options),
        Command::NewDialect { name } => new_dialect::run(&sh, name),
        Command::Tidy => tidy::run(&sh),
    }
}

/// The root of the checkout.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// Runs the generator of op definitions.
fn ods(sh: &Shell, check: bool) -> Result<()> {
    let check = check.then_some("--check");
    cmd!(sh, "cargo run --quiet --package dl-tblgen -- ods {check...}").run()?;
    Ok(())
}

/// Writes the reference of the dialects, then checks it: a test does both, since it knows all dialects and this does not.
fn reference(sh: &Shell, check: bool) -> Result<()> {
    let test = || cmd!(sh, "cargo test --quiet --package dl-tools --test reference");
    if !check {
        let _writing = sh.push_env("REFERENCE", "overwrite");
        test().arg("--").arg("are_fresh").run()?;
    }
    test().run()?;
    Ok(())
}
