//! `dl-translate`: turns text IR into LLVM IR, assembly, an object file or a shared library.

use std::process::ExitCode;

use dl_tools::Heap;

#[global_allocator]
static HEAP: Heap = Heap;

fn main() -> ExitCode {
    let registry = dl_tools::standard();
    dl_driver::translate::main(registry)
}
