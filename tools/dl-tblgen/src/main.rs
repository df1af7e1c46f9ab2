//! The command line of the generator.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a command-line tool")]

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// Turns operation definitions in `TableGen` (ODS) into Rust definitions.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the generated files of this workspace, or tell whether they are fresh.
    Ods {
        /// Change nothing; fail when a file is stale, and name it.
        #[arg(long)]
        check: bool,
        /// The workspace.
        #[arg(long, default_value = ".")]
        root: PathBuf,
        /// Where `TableGen` files are looked for, besides the headers of LLVM at `TABLEGEN_220_PREFIX`.
        #[arg(short = 'I', value_name = "DIR")]
        include: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<ExitCode> {
    let Command::Ods { check, root, mut include } = arguments.command;
    let prefix = std::env::var("TABLEGEN_220_PREFIX")
        .context("TABLEGEN_220_PREFIX is not set; it names the folder where LLVM 22 is installed")?;
    include.push(format!("{prefix}/include"));
    let outputs = dl_tblgen::ods::outputs(&root, &include)?;
    if !check {
        for path in dl_tblgen::ods::write(&outputs)? {
            println!("wrote {}", path.display());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let stale = dl_tblgen::ods::stale(&outputs);
    if stale.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    for path in stale {
        eprintln!("stale: {}", path.display());
    }
    eprintln!("error: generated files are stale; `{}` writes them", dl_tblgen::ods::REPAIR);
    Ok(ExitCode::FAILURE)
}
