//! `dl-opt`: runs passes on text IR.

use std::process::ExitCode;

fn main() -> ExitCode {
    dl_tools::opt::main(&dl_tools::Registry::standard())
}
