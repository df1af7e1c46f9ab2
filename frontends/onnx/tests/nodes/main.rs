//! The node tests of the `onnx` package: models of one operator each, with inputs and expected outputs.
//!
//! Those in `tests/models` are our own, written by its `make.py`. `ONNX_NODE_TESTS` names the folder with the others
//! (`onnx/backend/test/data/node` of a package that has it, 1.17 for one); `cargo xtask onnx` gets it and sets this. Without it one test in
//! their place is ignored. Each test is imported and run by the reference interpreter, or
//! with `DL_RUN=FILE` compiled and run by that `dl-run`. Where operators are missing, a test is ignored with the reason. With
//! `ONNX_SUPPORT=overwrite`, results are written to `docs/onnx-support.md`.

mod case;
mod compare;
mod compiled;
mod interpreted;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::{Arguments, Completion, Trial};

use self::case::{Case, Outcome};
use self::report::Row;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let dl_run = std::env::var_os("DL_RUN").map(PathBuf::from);
    let mut trials: Vec<Trial> = case::all(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models")))
        .into_iter()
        .map(|case| {
            let dl_run = dl_run.clone();
            Trial::test(format!("models/{}", case.name), move || match run(&case, dl_run.as_deref()).0 {
                Outcome::Pass => Ok(()),
                Outcome::Unsupported(why) | Outcome::Fail(why) => Err(why.into()),
            })
        })
        .collect();
    let Some(folder) = std::env::var_os("ONNX_NODE_TESTS") else {
        let reason = "needs the data of the onnx package: 'cargo xtask onnx' gets it";
        trials.push(Trial::ignorable_test("nodes", move || Ok(Completion::ignored_with(reason))));
        return libtest_mimic::run(&arguments, trials).exit_code();
    };
    let rows: Arc<Mutex<Vec<Row>>> = Arc::default();
    trials.extend(case::all(Path::new(&folder)).into_iter().map(|case| {
        let (rows, dl_run) = (Arc::clone(&rows), dl_run.clone());
        Trial::ignorable_test(case.name.clone(), move || {
            let (outcome, bound) = run(&case, dl_run.as_deref());
            let row = Row { name: case.name.clone(), operators: case.operators(), outcome: outcome.clone(), bound };
            rows.lock().unwrap_or_else(PoisonError::into_inner).push(row);
            match outcome {
                Outcome::Pass => Ok(Completion::Completed),
                Outcome::Unsupported(why) => Ok(Completion::ignored_with(why)),
                Outcome::Fail(why) => Err(why.into()),
            }
        })
    }));
    let conclusion = libtest_mimic::run(&arguments, trials);
    let rows = std::mem::take(&mut *rows.lock().unwrap_or_else(PoisonError::into_inner));
    if std::env::var_os("ONNX_SUPPORT").is_some_and(|mode| mode == "overwrite") {
        report::write(rows, dl_run.is_some());
        return ExitCode::SUCCESS;
    }
    conclusion.exit_code()
}

/// Runs a test as it is, and where it has inputs that must be known when importing, with those bound. The second answer is whether
/// they had to be.
fn run(case: &Case, dl_run: Option<&Path>) -> (Outcome, bool) {
    let run = |bound: &[usize]| match dl_run {
        Some(tool) => compiled::run(case, bound, tool),
        None => interpreted::run(case, bound),
    };
    let first = run(&[]);
    let needs_values = matches!(&first, Outcome::Unsupported(why) if why.contains("known only when running"));
    let bindable = case.bindable();
    if !needs_values || bindable.is_empty() {
        return (first, false);
    }
    (run(&bindable), true)
}
