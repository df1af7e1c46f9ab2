//! `dl-run`: compiles a program and runs it on arrays.

use std::process::ExitCode;

fn main() -> ExitCode {
    let registry = dl_tools::Registry::standard();
    dl_driver::run::main(&registry.context(), &registry.passes)
}
