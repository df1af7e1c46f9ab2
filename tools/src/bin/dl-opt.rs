//! `dl-opt`: runs passes on text IR.
//!
//! As in `mlir-opt`, tests may be written in the dialect `test`, which no other tool knows.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut registry = dl_tools::Registry::standard();
    registry.dialect(Box::new(dl_test::Test));
    dl_tools::opt::main(&registry)
}
