//! `dl-opt`: runs passes on text IR.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut registry = dl_tools::Registry::standard();
    registry.dialect(Box::new(dl_test_dialect::Test));
    dl_tools::opt::main(&registry)
}
