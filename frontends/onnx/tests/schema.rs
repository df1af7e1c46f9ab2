//! `src/generated/onnx.rs` is what `proto/onnx.proto` says today. With `ONNX_SCHEMA=overwrite`, as `cargo xtask bless` sets it, it is written.

use std::error::Error;
use std::fs;
use std::path::Path;

#[test]
fn messages_are_fresh() -> Result<(), Box<dyn Error>> {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = protox::compile(["onnx.proto"], [crate_root.join("proto")])?;
    let scratch = tempfile::tempdir()?;
    // Bytes are slices of the file that was read.
    prost_build::Config::new().bytes(["."]).out_dir(scratch.path()).compile_fds(files)?;
    let fresh = fs::read_to_string(scratch.path().join("onnx.rs"))?;
    let path = crate_root.join("src/generated/onnx.rs");
    if std::env::var_os("ONNX_SCHEMA").is_some_and(|mode| mode == "overwrite") {
        fs::write(path, fresh)?;
        return Ok(());
    }
    assert_eq!(fs::read_to_string(path)?, fresh, "'cargo xtask bless' writes it anew");
    Ok(())
}
