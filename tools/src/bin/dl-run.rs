//! `dl-run`: compiles a program and runs it on arrays.

use std::process::ExitCode;

fn main() -> ExitCode {
    dl_tools::run::main(&dl_tools::Registry::standard())
}
