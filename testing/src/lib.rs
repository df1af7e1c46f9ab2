//! Suites of `.mlir` files with RUN and CHECK lines as cargo tests, one test a file. `FileCheck`, `not` and `count` are in it, so nothing
//! needs to be installed.
//!
//! For a plugin, `tests/lit.rs` is one line:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     # macro_rules! plugin_suite { () => { dl_testing::Suite::new("", "", "") } }
//!     # /*
//!     dl_testing::plugin_suite!().main()
//!     # */
//!     # plugin_suite!().main()
//! }
//! ```
//!
//! with `[[test]] name = "lit"`, `harness = false` in `Cargo.toml` and a `tests/lit.suite.toml` that says which files are tests. There, `dl-opt`,
//! `dl-run` and `dl-translate` are the tools with the plugin loaded.

#![expect(clippy::print_stderr, reason = "a test driver, and the programs that tests call")]

mod file_check;
mod plugin;
mod programs;
mod suite;

pub use plugin::PluginSuite;
pub use suite::Suite;

/// The suite of the plugin that is tested: the files below its folder `tests`.
#[macro_export]
macro_rules! plugin_suite {
    () => {
        $crate::PluginSuite {
            folder: env!("CARGO_MANIFEST_DIR"),
            package: env!("CARGO_PKG_NAME"),
            scratch: env!("CARGO_TARGET_TMPDIR"),
        }
    };
}
