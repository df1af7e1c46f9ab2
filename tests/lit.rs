//! Runs the RUN lines of every `.mlir` file below this folder, one test a file, through the `litcheck` libraries.
//!
//! The suite and its substitutions are described in `lit.suite.toml`. A file with `REQUIRES: mlir-opt` or `REQUIRES: llvm` is
//! ignored where upstream's `mlir-opt` is not installed or the tools were built without the LLVM back end; one with `%{back-end}` runs on
//! each back end of the build. See `docs/testing.md` for how to write a test.

mod support;

use std::process::ExitCode;

use dl_testing::Suite;

fn main() -> ExitCode {
    let mut suite = Suite::new(support::root(), support::root().join("tests"), support::scratch());
    suite = suite.axis("back-end", support::back_ends());
    for (name, file) in support::tools() {
        suite = suite.tool(name, file);
    }
    if let Some(file) = support::mlir_opt() {
        suite = suite.tool("mlir-opt", file).feature("mlir-opt");
    }
    if cfg!(feature = "llvm") {
        suite = suite.feature("llvm");
    }
    suite.main()
}
