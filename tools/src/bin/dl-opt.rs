//! `dl-opt`: runs passes on text IR.
//!
//! As in `mlir-opt`, tests may be written in the dialect `test` and with passes that only they need, and types of tensors may have the encoding of
//! `sparse_tensor`; no other tool knows these.

use std::process::ExitCode;

use dl_tools::Heap;

#[global_allocator]
static HEAP: Heap = Heap;

fn main() -> ExitCode {
    let mut registry = dl_tools::standard();
    registry.dialect(Box::new(dl_test::Test));
    registry.dialect(Box::new(dl_test::SparseTensor));
    dl_passes_test::register(&mut registry.passes);
    #[cfg(feature = "llvm")]
    dl_driver::upstream::register(&mut registry.passes);
    dl_tools::opt::main(registry)
}
