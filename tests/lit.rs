//! Runs the RUN lines of every `.mlir` file below this folder, one test a file, through the `litcheck` libraries.
//!
//! The suite and its substitutions are described in `lit.suite.toml`. A file with `REQUIRES: mlir-opt` or `REQUIRES: llvm` is
//! ignored where upstream's `mlir-opt` is not installed or the tools were built without the back end. See
//! `docs/testing.md` for how to write a test.

#![expect(clippy::print_stderr, reason = "a test driver, and the programs that tests call")]

#[path = "support/programs.rs"]
mod programs;
mod support;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::{env, fs, io};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use litcheck_lit::{
    Config, DefaultTestSuiteRegistry, Test, TestFormat, TestStatus, TestSuiteRegistry, TestSuiteRegistryExt,
};

/// A test that takes longer hangs.
const SECONDS_PER_TEST: u64 = 120;

fn main() -> ExitCode {
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    let name = Path::new(&name).file_name().unwrap_or_default();
    if let Some((name, program)) = programs::PROGRAMS.into_iter().find(|(program, _)| *program == name) {
        return programs::run(name, program, &arguments.collect::<Vec<_>>());
    }

    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("the tests cannot be set up: {error}");
            ExitCode::FAILURE
        }
    }
}

/// One trial for each test file, named after its path.
fn trials() -> Result<Vec<Trial>, String> {
    let folder = support::root().join("tests");
    env::set_current_dir(support::root()).map_err(|error| error.to_string())?; // litcheck finds tests below it only
    let mut config = Config::new(vec![folder.display().to_string()]);
    config.options.search_paths = vec![bin_folder().map_err(|error| format!("the folder of programs: {error}"))?];
    config.options.timeout = Some(SECONDS_PER_TEST);
    let config = Arc::new(config);

    let mut registry = DefaultTestSuiteRegistry::default();
    registry.load(&config).map_err(|report| format!("{report:?}"))?;
    let trials: Vec<_> = registry.tests().map(|test| trial(&test, &config)).collect();
    if trials.is_empty() {
        return Err(format!("no test file below {}", folder.display()));
    }
    Ok(trials)
}

/// What litcheck makes of `FileCheck` and `not` works in its own executable only. Here the shell finds them on the PATH, see
/// [`bin_folder`], so each pattern is replaced by what it matched.
const BY_NAME: [(&str, &str); 2] = [
    (r"(?<before>^|\s)[Ff]ile[Cc]heck(?<after>$|\s)", "${before}FileCheck${after}"),
    (r"(?<before>^|\s)not(?<after>$|\s)", "${before}not${after}"),
];

fn trial(test: &Test, config: &Arc<Config>) -> Trial {
    let mut settings = (*test.config).clone();
    settings.substitutions.extend(BY_NAME);
    if support::mlir_opt().is_some() {
        settings.available_features.insert("mlir-opt");
    }
    if cfg!(feature = "llvm") {
        settings.available_features.insert("llvm");
    }
    let test = Test::new(test.path.clone(), test.suite.clone(), Arc::new(settings));
    let (name, config) = (test.path.display().to_string(), config.clone());
    Trial::ignorable_test(name, move || run(&test, &config))
}

fn run(test: &Test, config: &Config) -> Result<Completion, Failed> {
    let result = test.config.format.execute(test, config).map_err(|report| format!("{report:?}"))?;
    match result.status() {
        TestStatus::Pass | TestStatus::Xfail => Ok(Completion::Completed),
        TestStatus::Unsupported => Ok(Completion::ignored_with(result.stderr())),
        status => Err(format!("{status}\n{}{}", result.stdout(), result.stderr()).into()),
    }
}

/// Makes the folder that goes first on the PATH of the tests: our tools, upstream's `mlir-opt` where it is installed, and links to
/// this executable under the names of [`programs::PROGRAMS`].
fn bin_folder() -> io::Result<PathBuf> {
    let folder = support::scratch().join("bin");
    fs::create_dir_all(&folder)?;
    let this = env::current_exe()?;
    let programs = programs::PROGRAMS.into_iter().map(|(name, _)| (name, this.clone()));
    let upstream = support::mlir_opt().map(|path| ("mlir-opt", path));
    for (name, target) in programs.chain(support::tools()).chain(upstream) {
        // In one step: other processes of the same suite do so too.
        let new = folder.join(format!("{name}-{}", std::process::id()));
        symlink(target, &new)?;
        fs::rename(new, folder.join(name))?;
    }
    Ok(folder)
}
