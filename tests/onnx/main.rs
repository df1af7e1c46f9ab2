//! ONNX models with inputs and expected outputs: imported, then interpreted, and compiled by each back end of the build.
//!
//! Those in `tests/onnx/models` are our own, written by its `make.py`. `ONNX_NODE_TESTS` names folders with the node tests of the `onnx` package,
//! models of one operator each, as `NAME=FOLDER` with commas between; `cargo xtask onnx` gets them and sets this. Without it one test in their
//! place is ignored. Where operators are missing, a test is ignored with the reason. With `ONNX_SUPPORT=overwrite`, results are written to
//! `docs/onnx-support.md`, and with `check` they are compared with what is there.
//!
//! Tests run in worker processes, each one test after the other, so that one that ends its process fails alone ([`worker`]).

mod case;
mod compare;
mod compiled;
mod interpreted;
mod report;
mod worker;

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::{Arguments, Completion, Trial};

use self::case::Outcome;
use self::report::Row;
use self::worker::Workers;

/// How the program of a model is run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum How {
    /// By the reference interpreter, as it was imported.
    Interpreted,
    /// Compiled as `dl-run` does it, by the embedded back end.
    Cranelift,
    /// The same by LLVM.
    Llvm,
}

impl How {
    /// The ways that there are in this build.
    const ALL: &'static [Self] = if cfg!(feature = "llvm") {
        &[Self::Interpreted, Self::Cranelift, Self::Llvm]
    } else {
        &[Self::Interpreted, Self::Cranelift]
    };

    /// Its name; for what is compiled that of the back end.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Interpreted => "interpreted",
            Self::Cranelift => "cranelift",
            Self::Llvm => "llvm",
        }
    }
}

fn main() -> ExitCode {
    if std::env::var_os(worker::VARIABLE).is_some() {
        return worker::main();
    }
    let arguments = Arguments::from_args();
    let workers = Arc::new(Workers::default());
    let rows: Arc<Mutex<Vec<Row>>> = Arc::default();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/onnx/models");
    let mut trials = Vec::new();
    for case in case::all("models", &models) {
        for &how in How::ALL {
            let (case, workers) = (case.clone(), Arc::clone(&workers));
            trials.push(Trial::test(format!("{}/models/{}", how.name(), case.name), move || {
                match workers.run(&case, how).0 {
                    Outcome::Pass => Ok(()),
                    Outcome::Unsupported(why) | Outcome::Fail(why) => Err(why.into()),
                }
            }));
        }
    }
    let Some(folders) = std::env::var_os("ONNX_NODE_TESTS") else {
        let reason = "needs the data of the onnx package: 'cargo xtask onnx' gets it";
        trials.push(Trial::ignorable_test("nodes", move || Ok(Completion::ignored_with(reason))));
        return libtest_mimic::run(&arguments, trials).exit_code();
    };
    let folders = folders.to_string_lossy().into_owned();
    for (suite, folder) in folders.split(',').filter_map(|folder| folder.split_once('=')) {
        for case in case::all(suite, Path::new(folder)) {
            for &how in How::ALL {
                let (case, workers, rows) = (case.clone(), Arc::clone(&workers), Arc::clone(&rows));
                trials.push(Trial::ignorable_test(format!("{}/{suite}/{}", how.name(), case.name), move || {
                    let (outcome, bound) = workers.run(&case, how);
                    let row = Row { how, operators: case.operators(), case, outcome: outcome.clone(), bound };
                    rows.lock().unwrap_or_else(PoisonError::into_inner).push(row);
                    match outcome {
                        Outcome::Pass => Ok(Completion::Completed),
                        Outcome::Unsupported(why) => Ok(Completion::ignored_with(why)),
                        Outcome::Fail(why) => Err(why.into()),
                    }
                }));
            }
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let rows = std::mem::take(&mut *rows.lock().unwrap_or_else(PoisonError::into_inner));
    let text = report::text(rows);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/onnx-support.md");
    let result = match std::env::var_os("ONNX_SUPPORT").as_ref().and_then(|what| what.to_str()) {
        Some("overwrite") => std::fs::write(page, text).map_err(|error| error.to_string()),
        Some("check") => match std::fs::read_to_string(page) {
            Ok(old) if old == text => Ok(()),
            _ => Err("docs/onnx-support.md is out of date: 'cargo xtask onnx' writes it".to_owned()),
        },
        _ => return conclusion.exit_code(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("error: {why}\n").as_bytes());
            ExitCode::FAILURE
        }
    }
}
