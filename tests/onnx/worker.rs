//! Running tests in processes of their own.
//!
//! A worker is this program again. It takes one request a line on its standard input and answers each with one line, so that the back end is
//! loaded once for many tests. A test that takes too long, or whose program ends the process, costs the worker and fails.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::How;
use crate::case::{Case, Outcome};

/// Set for a worker.
pub(crate) const VARIABLE: &str = "DL_ONNX_WORKER";

/// Longest time for one test, on a busy machine.
const LIMIT: Duration = Duration::from_mins(5);

/// The workers that have nothing to do.
#[derive(Default)]
pub(crate) struct Workers(Mutex<Vec<Worker>>);

/// A process and its ends.
struct Worker {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// What it writes to standard error.
    messages: NamedTempFile,
}

impl Workers {
    /// Runs a test, and where it has inputs that must be known when importing, once more with those bound. The second answer is whether they had to be.
    pub(crate) fn run(&self, case: &Case, how: How) -> (Outcome, bool) {
        let first = self.ask(case, how, &[]);
        let (Outcome::Unsupported(why) | Outcome::Fail(why)) = &first else { return (first, false) };
        let bindable = case.bindable();
        if !why.contains("known only when running") || bindable.is_empty() {
            return (first, false);
        }
        (self.ask(case, how, &bindable), true)
    }

    fn ask(&self, case: &Case, how: How, bound: &[usize]) -> Outcome {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let outcome = idle.map_or_else(Worker::start, Ok).and_then(|mut worker| {
            let outcome = worker.ask(case, how, bound)?;
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
            Ok(outcome)
        });
        outcome.unwrap_or_else(Outcome::Fail)
    }
}

impl Worker {
    fn start() -> Result<Self, String> {
        let text = |error: std::io::Error| format!("a worker does not start: {error}");
        let messages = NamedTempFile::new().map_err(text)?;
        let mut command = Command::new(std::env::current_exe().map_err(text)?);
        command.env(VARIABLE, "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(messages.reopen().map_err(text)?).spawn().map_err(text)?;
        let requests = child.stdin.take().ok_or("a worker without input")?;
        let answers = child.stdout.take().ok_or("a worker without output")?;
        Ok(Self { child, requests, answers: BufReader::new(answers), messages })
    }

    /// The outcome, or why the worker cannot be used any more.
    fn ask(&mut self, case: &Case, how: How, bound: &[usize]) -> Result<Outcome, String> {
        let bound: Vec<String> = bound.iter().map(ToString::to_string).collect();
        let request = format!("{}\t{}\t{}\n", how.name(), bound.join(" "), case.root.display());
        let mut answer = String::new();
        let sent = self.requests.write_all(request.as_bytes());
        let read = sent.and_then(|()| self.answers.read_line(&mut answer));
        if !matches!(read, Ok(count) if count > 0) {
            let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
            let messages = fs::read_to_string(self.messages.path()).unwrap_or_default();
            let last = messages.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
            return Err(format!("ends the process ({status}): {last}"));
        }
        let (kind, why) = answer.trim_end_matches('\n').split_once('\t').ok_or("an answer without a kind")?;
        Ok(match kind {
            "pass" => Outcome::Pass,
            "unsupported" => Outcome::Unsupported(why.to_owned()),
            _ => Outcome::Fail(why.to_owned()),
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // One that has ended already cannot be killed, and no one waits for its status.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The worker's side: requests until there are no more.
pub(crate) fn main() -> ExitCode {
    let (done, watched) = mpsc::channel::<bool>();
    std::thread::spawn(move || watch(&watched));
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        // The watching thread lives as long as the process.
        let _ = done.send(true);
        let (kind, why) = match answer(&line) {
            Outcome::Pass => ("pass", String::new()),
            Outcome::Unsupported(why) => ("unsupported", why),
            Outcome::Fail(why) => ("fail", why),
        };
        let _ = done.send(false);
        let why = why.replace('\n', " ");
        if write_line(&format!("{kind}\t{why}")).is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn write_line(line: &str) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(line.as_bytes())?;
    output.write_all(b"\n")?;
    output.flush()
}

/// Ends the process when a test takes too long.
fn watch(tests: &mpsc::Receiver<bool>) {
    while tests.recv().is_ok() {
        if tests.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
            let _ = write_line(&format!("fail\ttakes more than {} s", LIMIT.as_secs()));
            std::process::exit(1);
        }
    }
}

fn answer(request: &str) -> Outcome {
    let mut parts = request.splitn(3, '\t');
    let (Some(how), Some(bound), Some(folder)) = (parts.next(), parts.next(), parts.next()) else {
        return Outcome::Fail(format!("a request '{request}'"));
    };
    let bound: Vec<usize> = bound.split(' ').filter_map(|at| at.parse().ok()).collect();
    let case = Case::of(Path::new(folder));
    match how {
        "interpreted" => crate::interpreted::run(&case, &bound),
        back_end => crate::compiled::run(back_end, &case, &bound),
    }
}
