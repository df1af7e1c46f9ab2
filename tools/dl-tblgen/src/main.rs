//! The command line of the generator.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a command-line tool")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use dl_tblgen::crate_out::{self, Request};
use dl_tblgen::irdl;

/// Turns operation definitions in `TableGen` (ODS) into Rust definitions.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    crate_out: Option<CrateOut>,
}

/// What is made of one dialect.
#[derive(Args)]
struct CrateOut {
    /// The `TableGen` file that defines the dialect.
    input: PathBuf,
    /// The folder of the crate to make; its name is that of the crate.
    #[arg(long = "crate-out", value_name = "FOLDER", required_unless_present = "to_irdl", conflicts_with = "to_irdl")]
    folder: Option<PathBuf>,
    /// Write the dialect in IRDL to this file, for `dl-opt --irdl-file`.
    #[arg(long, value_name = "FILE")]
    to_irdl: Option<PathBuf>,
    /// With `--to-irdl`, leave out what IRDL cannot say, with a comment.
    #[arg(long, requires = "to_irdl")]
    widen: bool,
    /// Where `TableGen` files are looked for, besides the headers of LLVM at `TABLEGEN_220_PREFIX`.
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<String>,
    /// The dialect, where several are defined.
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// A file that says what C++ of this dialect means in Rust, with tables as in the `ods.toml` of a dialect.
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// The checkout of this project that the crate builds against.
    #[arg(long, value_name = "FOLDER", default_value_os_t = checkout())]
    project: PathBuf,
    /// Write the definitions of a crate again that was made before.
    #[arg(long)]
    update: bool,
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

/// The checkout that this was built in.
fn checkout() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_owned()
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            // Lines with places of their own begin with those.
            let word = if error.is::<crate_out::Unsupported>() { "" } else { "error: " };
            eprintln!("{word}{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<ExitCode> {
    match (arguments.command, arguments.crate_out) {
        (Some(Command::Ods { check, root, include }), _) => ods(check, &root, include),
        (None, Some(CrateOut { to_irdl: Some(output), input, include, dialect, widen, .. })) => {
            irdl::write(&irdl::Request { input, include_dirs: with_headers(include)?, dialect, output, widen })?;
            Ok(ExitCode::SUCCESS)
        }
        (None, Some(wanted)) => {
            let request = Request {
                include_dirs: with_headers(wanted.include)?,
                input: wanted.input,
                folder: wanted.folder.context("no folder; `--crate-out` names it")?,
                dialect: wanted.dialect,
                tables: wanted.tables,
                project: wanted.project,
                update: wanted.update,
            };
            for path in crate_out::write(&request)? {
                println!("wrote {}", path.display());
            }
            Ok(ExitCode::SUCCESS)
        }
        (None, None) => anyhow::bail!("no input file; `dl-tblgen --help` tells what there is"),
    }
}

/// `include` and the headers of LLVM.
fn with_headers(mut include: Vec<String>) -> Result<Vec<String>> {
    let prefix = std::env::var("TABLEGEN_220_PREFIX")
        .ok()
        .or_else(|| option_env!("TABLEGEN_220_PREFIX").map(str::to_owned))
        .context("TABLEGEN_220_PREFIX is not set; it names the folder where LLVM 22 is installed")?;
    include.push(format!("{prefix}/include"));
    Ok(include)
}

fn ods(check: bool, root: &Path, include: Vec<String>) -> Result<ExitCode> {
    let outputs = dl_tblgen::ods::outputs(root, &with_headers(include)?)?;
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
