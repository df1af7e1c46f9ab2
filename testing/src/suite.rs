//! A suite and how it runs.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::{env, fs, io};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use litcheck_lit::{
    Config, DefaultTestSuiteRegistry, Test, TestFormat, TestStatus, TestSuiteRegistry, TestSuiteRegistryExt,
};

use crate::programs;

/// A test that takes longer hangs, also on a machine with much else to do.
const SECONDS_PER_TEST: u64 = 600;

/// What litcheck makes of `FileCheck` and `not` works in its own executable only. Here the shell finds them on the PATH, see
/// [`Suite::bin_folder`], so each pattern is replaced by what it matched.
const BY_NAME: [(&str, &str); 2] = [
    (r"(?<before>^|\s)[Ff]ile[Cc]heck(?<after>$|\s)", "${before}FileCheck${after}"),
    (r"(?<before>^|\s)not(?<after>$|\s)", "${before}not${after}"),
];

/// A folder with a `lit.suite.toml` and tests.
pub struct Suite {
    root: PathBuf,
    folder: PathBuf,
    scratch: PathBuf,
    tools: Vec<(String, PathBuf)>,
    features: Vec<&'static str>,
    axis: Option<(String, Vec<&'static str>)>,
    commands: Vec<Vec<String>>,
}

impl Suite {
    /// The suite in `folder`. Tests are named by their paths below `root`; `scratch` is a folder that may be written to.
    pub fn new(root: impl Into<PathBuf>, folder: impl Into<PathBuf>, scratch: impl Into<PathBuf>) -> Self {
        let (root, folder, scratch) = (root.into(), folder.into(), scratch.into());
        Self { root, folder, scratch, tools: Vec::new(), features: Vec::new(), axis: None, commands: Vec::new() }
    }

    /// With a program that RUN lines call by `name`.
    #[must_use]
    pub fn tool(mut self, name: impl Into<String>, file: impl Into<PathBuf>) -> Self {
        self.tools.push((name.into(), file.into()));
        self
    }

    /// With something that tests may ask for by `REQUIRES`.
    #[must_use]
    pub fn feature(mut self, name: &'static str) -> Self {
        self.features.push(name);
        self
    }

    /// With several values of the substitution `%{name}`: a test with RUN lines in which it stands runs once for each, and is named after both.
    #[must_use]
    pub fn axis(mut self, name: &str, values: Vec<&'static str>) -> Self {
        self.axis = Some((format!("%{{{name}}}"), values));
        self
    }

    /// With a property of every `.mlir` file of the suite that is read without errors: what it prints reads back as the same IR, in the pretty form, in the
    /// generic form and as bytecode.
    #[must_use]
    pub fn round_trip(self) -> Self {
        self.command(&["dl-opt", "--verify-roundtrip", "--split-input-file"])
    }

    /// With another: `passes`, each of them flags of `dl-opt` such as `--canonicalize`, keep what functions compute. The oracle runs them before and
    /// after, on inputs that it makes up.
    #[must_use]
    pub fn oracle(self, passes: &[&str]) -> Self {
        self.command(&[&["dl-opt", "--oracle=each-pass", "--split-input-file"], passes].concat())
    }

    /// Has a command done to each file without faults.
    fn command(mut self, command: &[&str]) -> Self {
        self.commands.push(command.iter().map(|&word| word.to_owned()).collect());
        self
    }

    /// The whole test program: runs the tests that the command line of the process asks for. Called under the name of a program that
    /// RUN lines use, it is that program.
    pub fn main(&self) -> ExitCode {
        if let Some(code) = programs::called() {
            return code;
        }
        let arguments = Arguments::from_args();
        match self.trials() {
            Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
            Err(error) => {
                eprintln!("the tests cannot be set up: {error}");
                ExitCode::FAILURE
            }
        }
    }

    /// A trial for each test file, named after its path, or for each value of the axis where the file asks for one.
    fn trials(&self) -> Result<Vec<Trial>, String> {
        env::set_current_dir(&self.root).map_err(|error| error.to_string())?; // litcheck finds tests below it only
        let mut config = Config::new(vec![self.folder.display().to_string()]);
        let bin = self.bin_folder().map_err(|error| format!("the folder of programs: {error}"))?;
        config.options.search_paths = vec![bin];
        config.options.timeout = Some(SECONDS_PER_TEST);
        let config = Arc::new(config);

        let mut registry = DefaultTestSuiteRegistry::default();
        registry.load(&config).map_err(|report| format!("{report:?}"))?;
        let mut trials = Vec::new();
        for test in registry.tests() {
            match &self.axis {
                Some((name, values)) if uses(&test, name) => {
                    let pattern = name.replace('{', "\\{").replace('}', "\\}");
                    trials.extend(values.iter().map(|&value| self.trial(&test, &config, Some((&pattern, value)))));
                }
                _ => trials.push(self.trial(&test, &config, None)),
            }
        }
        if trials.is_empty() {
            return Err(format!("no test file below {}", self.folder.display()));
        }
        for command in &self.commands {
            let files =
                registry.tests().filter(|test| test.path.extension().is_some_and(|extension| extension == "mlir"));
            trials.extend(files.map(|test| self.check(&test, command)));
        }
        Ok(trials)
    }

    fn trial(&self, test: &Test, config: &Arc<Config>, value: Option<(&str, &'static str)>) -> Trial {
        let mut settings = (*test.config).clone();
        settings.substitutions.extend(BY_NAME);
        let mut name = test.path.display().to_string();
        if let Some((pattern, value)) = value {
            settings.substitutions.insert(pattern.to_owned(), value);
            name = format!("{name} ({value})");
        }
        for &feature in &self.features {
            settings.available_features.insert(feature);
        }
        let test = Test::new(test.path.clone(), test.suite.clone(), Arc::new(settings));
        let config = config.clone();
        Trial::ignorable_test(name, move || run(&test, &config))
    }

    /// A command done to a file; none where the file has errors, as those of tests of messages do.
    fn check(&self, test: &Test, command: &[String]) -> Trial {
        let (program, arguments) = command.split_first().expect("a command names a program");
        let (program, arguments) = (self.scratch.join("bin").join(program), arguments.to_owned());
        let (name, file) = (format!("{} {}", test.path.display(), arguments.join(" ")), test.source_path().to_owned());
        Trial::ignorable_test(name, move || {
            let run = |arguments: &[String]| Command::new(&program).args(arguments).arg(&file).output();
            if !run(&["--split-input-file".to_owned()])?.status.success() {
                return Ok(Completion::ignored_with("the file has errors"));
            }
            let output = run(&arguments)?;
            if output.status.success() {
                return Ok(Completion::Completed);
            }
            Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
        })
    }

    /// Makes the folder that goes first on the PATH of the tests: the tools, and links to this executable under the names of programs.
    fn bin_folder(&self) -> io::Result<PathBuf> {
        let folder = self.scratch.join("bin");
        fs::create_dir_all(&folder)?;
        let this = env::current_exe()?;
        let programs = programs::NAMES.into_iter().map(|name| (name, this.as_path()));
        let tools = self.tools.iter().map(|(name, file)| (name.as_str(), file.as_path()));
        for (name, target) in programs.chain(tools) {
            link(target, &folder, name)?;
        }
        Ok(folder)
    }
}

/// Whether a RUN line of the test has this substitution in it.
fn uses(test: &Test, name: &str) -> bool {
    let text = fs::read_to_string(test.source_path()).unwrap_or_default();
    text.lines().any(|line| line.contains("RUN:") && line.contains(name))
}

/// Makes a link in one step: other processes of the same suite do so too.
fn link(target: &Path, folder: &Path, name: &str) -> io::Result<()> {
    let new = folder.join(format!("{name}-{}", std::process::id()));
    symlink(target, &new)?;
    fs::rename(new, folder.join(name))
}

fn run(test: &Test, config: &Config) -> Result<Completion, Failed> {
    let result = test.config.format.execute(test, config).map_err(|report| format!("{report:?}"))?;
    match result.status() {
        TestStatus::Pass | TestStatus::Xfail => Ok(Completion::Completed),
        TestStatus::Unsupported => Ok(Completion::ignored_with(result.stderr())),
        status => Err(format!("{status}\n{}{}", result.stdout(), result.stderr()).into()),
    }
}
