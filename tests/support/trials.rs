//! Tests that may need what a machine does not have.

use std::process::ExitCode;

use anyhow::Result;
use libtest_mimic::{Arguments, Completion, Trial};

/// What came of a test that did not fail: nothing more, or the name of what it needs and does not find.
pub(crate) type Needs = Option<&'static str>;

/// A test, which is ignored where it finds that something is missing.
pub(crate) fn trial(name: impl Into<String>, test: impl FnOnce() -> Result<Needs> + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match test() {
        Ok(None) => Ok(Completion::Completed),
        Ok(Some(missing)) => Ok(Completion::ignored_with(format!("needs {missing}"))),
        Err(error) => Err(format!("{error:#}").into()),
    })
}

/// The whole test program: runs those that the command line of the process asks for.
pub(crate) fn run(trials: Vec<Trial>) -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
