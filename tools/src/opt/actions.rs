//! `--log-actions-to`, `--profile-actions-to` and `--mlir-debug-counter`: actions of the compiler shown, timed and left out.
//!
//! Log and profile are written while things happen, so that they tell of a run that does not come to its end. Source of both formats:
//! the MLIR documentation "Action: Tracing and Debugging MLIR-based Compilers".

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use dl_ir::action::{Action, ActionHandler, ActionKind};
use dl_ir::location::FilePosition;
use dl_ir::text::{PrintOptions, print_op_in_place};
use dl_ir::{Context, OpRef};
use dl_tools_support::files::reason;
use parking_lot::Mutex;

use super::flags::Options;
use dl_tools_support::trace::quoted;

/// The place that an action must be about in order to be logged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    file: String,
    line: Option<u32>,
    column: Option<u32>,
}

impl Place {
    /// The places of a list `file:line:column,file:line,file`.
    ///
    /// # Errors
    /// Which of them is none.
    pub(super) fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        text.split(',').map(Self::parse).collect()
    }

    fn parse(text: &str) -> Result<Self, String> {
        let number = |part: Option<&str>| part.map(str::parse).transpose();
        let mut parts = text.splitn(3, ':');
        let file = parts.next().unwrap_or_default().to_owned();
        match (number(parts.next()), number(parts.next())) {
            (Ok(line), Ok(column)) if !file.is_empty() => Ok(Self { file, line, column }),
            _ => Err(format!("'{text}' is no place: expected 'file', 'file:line' or 'file:line:column'")),
        }
    }

    fn holds(&self, at: &FilePosition) -> bool {
        self.file == at.file
            && self.line.is_none_or(|line| line == at.line)
            && self.column.is_none_or(|column| column == at.column)
    }
}

/// A counter: actions with this tag are left out by their number.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Counter {
    tag: String,
    /// So many are left out at first.
    skip: u64,
    /// So many are taken then; the others are left out. `None` for all.
    count: Option<u64>,
    seen: u64,
}

impl Counter {
    /// The counters of a list `tag-skip=3,tag-count=1`.
    ///
    /// # Errors
    /// What is wrong with the list.
    pub(super) fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let mut all: Vec<Self> = Vec::new();
        for part in text.split(',') {
            let Some((name, value)) = part.split_once('=') else {
                return Err(format!(
                    "expected DebugCounter argument to have an `=` separating the counter name and value, but the provided \
                     argument was: `{part}`"
                ));
            };
            let Ok(value) = value.parse() else {
                return Err(format!("expected DebugCounter counter value to be numeric, but got `{value}`"));
            };
            let (tag, is_skip) = match (name.strip_suffix("-skip"), name.strip_suffix("-count")) {
                (Some(tag), _) => (tag, true),
                (None, Some(tag)) => (tag, false),
                (None, None) => {
                    return Err(format!(
                        "expected DebugCounter counter name to end with either `-skip` or `-count`, but got `{name}`"
                    ));
                }
            };
            let at = all.iter().position(|counter| counter.tag == tag).unwrap_or_else(|| {
                all.push(Self { tag: tag.to_owned(), ..Self::default() });
                all.len() - 1
            });
            if is_skip {
                all[at].skip = value;
            } else {
                all[at].count = Some(value);
            }
        }
        Ok(all)
    }

    /// Counts one more action. Whether it is to be taken.
    fn next(&mut self) -> bool {
        let number = self.seen;
        self.seen += 1;
        number >= self.skip && self.count.is_none_or(|count| number - self.skip < count)
    }
}

/// A file that is written line by line, by several threads.
struct Lines {
    name: String,
    out: Box<dyn Write + Send>,
    is_empty: bool,
    /// Why nothing more is written.
    fault: Option<std::io::Error>,
}

impl Lines {
    /// The file `name`, `-` for standard error.
    ///
    /// # Errors
    /// Why it cannot be made.
    fn create(name: &str) -> Result<Mutex<Self>, String> {
        let out: Box<dyn Write + Send> = match name {
            "-" => Box::new(std::io::stderr()),
            _ => match std::fs::File::create(name) {
                Ok(file) => Box::new(file),
                Err(error) => return Err(format!("cannot open output file '{name}': {}", reason(&error))),
            },
        };
        Ok(Mutex::new(Self { name: name.to_owned(), out, is_empty: true, fault: None }))
    }

    fn write(&mut self, text: &str) {
        self.is_empty = false;
        if self.fault.is_none() {
            self.fault = self.out.write_all(text.as_bytes()).err();
        }
    }
}

/// What is done with actions, for as long as the tool runs.
pub(super) struct Actions {
    log: Option<Mutex<Lines>>,
    places: Vec<Place>,
    profile: Option<Mutex<Lines>>,
    counters: Mutex<Vec<Counter>>,
    start: Instant,
}

impl Actions {
    /// What the command line asks for, if it asks for anything.
    ///
    /// # Errors
    /// Which file cannot be made.
    pub(super) fn of(options: &Options) -> Result<Option<Arc<Self>>, String> {
        let lines = |file: &Option<String>| file.as_deref().map(Lines::create).transpose();
        let actions = Self {
            log: lines(&options.action_log)?,
            places: options.action_places.clone(),
            profile: lines(&options.action_profile)?,
            counters: Mutex::new(options.counters.clone()),
            start: Instant::now(),
        };
        let is_idle = actions.log.is_none() && actions.profile.is_none() && options.counters.is_empty();
        Ok((!is_idle).then(|| Arc::new(actions)))
    }

    /// Has `cx` tell of its actions.
    pub(super) fn attach(self: &Arc<Self>, cx: &mut Context) {
        cx.set_action_handler(Box::new(Handler(self.clone())));
    }

    /// Ends log and profile.
    ///
    /// # Errors
    /// Which of them could not be written.
    pub(super) fn finish(&self) -> Result<(), String> {
        if let Some(profile) = &self.profile {
            let mut profile = profile.lock();
            let end = if profile.is_empty { "[]\n" } else { "]\n" };
            profile.write(end);
        }
        for lines in [&self.log, &self.profile].into_iter().flatten() {
            let lines = lines.lock();
            if let Some(fault) = &lines.fault {
                return Err(format!("cannot write to '{}': {}", lines.name, reason(fault)));
            }
        }
        Ok(())
    }

    /// What the counters have counted: actions, how many were left out at first, how many were taken then at most.
    pub(super) fn counters_text(&self) -> String {
        let mut counters = self.counters.lock().clone();
        counters.sort_by(|a, b| a.tag.cmp(&b.tag));
        let mut text = "DebugCounter counters:\n".to_owned();
        for Counter { tag, skip, count, seen } in &counters {
            let count = count.map_or_else(|| "-1".to_owned(), |count| count.to_string());
            text += &format!("{tag:<32}: {{{seen},{skip},{count}}}\n");
        }
        text
    }

    fn is_logged(&self, op: OpRef<'_>) -> bool {
        let is_meant = |at: FilePosition| self.places.iter().any(|place| place.holds(&at));
        self.log.is_some() && (self.places.is_empty() || op.cx().file_position(op.loc()).is_some_and(is_meant))
    }

    fn log(&self, line: &str) {
        if let Some(log) = &self.log {
            log.lock().write(&format!("[thread {}] {line}\n", thread_name()));
        }
    }

    /// The beginning or end of an action, as an event of the trace format of Chrome.
    fn record(&self, kind: ActionKind, phase: char, args: &str) {
        let Some(profile) = &self.profile else { return };
        let (name, thread) = (kind.tag(), rayon::current_thread_index().map_or(0, |index| index + 1));
        let mut profile = profile.lock();
        let separator = if profile.is_empty { "[" } else { ",\n" };
        let micros = self.start.elapsed().as_micros();
        profile.write(&format!(
            "{separator}{{\"name\": \"{name}\", \"cat\": \"PERF\", \"ph\": \"{phase}\", \"pid\": 0, \"tid\": {thread}, \"ts\": \
             {micros}{args}}}"
        ));
    }
}

/// `dl-opt` for the first thread, `worker-1` and so on for the others.
fn thread_name() -> String {
    rayon::current_thread_index().map_or_else(|| "dl-opt".to_owned(), |index| format!("worker-{}", index + 1))
}

struct Handler(Arc<Actions>);

impl ActionHandler for Handler {
    /// Answers whether the action is logged.
    fn begin(&self, action: &Action<'_>) -> Option<u64> {
        let actions = &*self.0;
        let mut counters = actions.counters.lock();
        let counter = counters.iter_mut().find(|counter| counter.tag == action.kind.tag());
        if counter.is_some_and(|counter| !counter.next()) {
            return None;
        }
        drop(counters);
        let is_logged = actions.is_logged(action.op);
        if is_logged {
            let scope = if matches!(action.kind, ActionKind::GreedyIteration(_)) { "Region #0 for op " } else { "" };
            actions.log(&format!("begins (no breakpoint) Action {action} ({scope}{})`", short_text(action.op)));
        }
        actions.record(action.kind, 'B', &format!(", \"args\": {{\"desc\": {}}}", quoted(&action.to_string())));
        Some(u64::from(is_logged))
    }

    fn end(&self, kind: ActionKind, is_logged: u64) {
        self.0.record(kind, 'E', "");
        if is_logged == 1 {
            self.0.log(&format!("completed `{}`", kind.tag()));
        }
    }
}

/// An operation on one line: without its regions and without large constants.
fn short_text(op: OpRef<'_>) -> String {
    let options = PrintOptions { skip_regions: true, elide_elements_larger_than: Some(10), ..PrintOptions::default() };
    let mut text = Vec::new();
    print_op_in_place(op, &options, &mut text).expect("memory can be written to");
    String::from_utf8_lossy(&text).trim().to_owned()
}
