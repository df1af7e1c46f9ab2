//! `dl-opt`: runs passes on text IR.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg_attr(not(feature = "llvm"), expect(unused_mut, reason = "only LLVM brings more passes"))]
    let mut registry = dl_tools::Registry::standard();
    #[cfg(feature = "llvm")]
    dl_driver::upstream::register(&mut registry.passes);
    dl_tools::opt::main(&registry)
}
