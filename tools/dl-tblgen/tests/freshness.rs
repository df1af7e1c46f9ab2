//! The generated files of this workspace are what the generator writes today.
#![allow(clippy::disallowed_methods, reason = "the environment says where LLVM is")]

use std::path::Path;

use dl_tblgen::ods;

#[test]
fn generated_files_are_fresh() {
    let prefix = std::env::var("TABLEGEN_220_PREFIX").expect("LLVM 22 built this test, so TABLEGEN_220_PREFIX is set");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is two folders deep");
    let outputs = ods::outputs(root, &[format!("{prefix}/include")]).expect("the definitions can be generated");
    let stale = ods::stale(&outputs);
    assert!(stale.is_empty(), "stale: {stale:?}; `{}` writes them", ods::REPAIR);
}
