//! Runs the RUN lines of the `.mlir` files beside this one.

fn main() -> std::process::ExitCode {
    dl_testing::plugin_suite!().main_with(|suite| suite.round_trip())
}
