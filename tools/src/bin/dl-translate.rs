//! `dl-translate`: turns text IR into LLVM IR, assembly, an object file or a shared library.

use std::process::ExitCode;

fn main() -> ExitCode {
    dl_tools::translate::main(&dl_tools::Registry::standard())
}
