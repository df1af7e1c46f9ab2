//! `dl-sim`: executes and times accelerator programs.

use std::process::ExitCode;

fn main() -> ExitCode {
    dl_simulate::main(dl_tools::Registry::new())
}
