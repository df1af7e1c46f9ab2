//! `dl-run`: compiles a program and runs it on arrays.

use std::process::ExitCode;

use dl_tools::Heap;

#[global_allocator]
static HEAP: Heap = Heap;

fn main() -> ExitCode {
    let registry = dl_tools::standard();
    dl_driver::run::main(registry)
}
