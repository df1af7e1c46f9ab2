//! `--log` and `--trace`: what the spans and events of `tracing` are shown as.
//!
//! A [trace](dl_tools_support::trace) has one event for each time that a span was entered, on the track of its thread. Neither costs anything when it was not asked for: no subscriber is then installed.

use std::cell::RefCell;
use std::fmt;
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use dl_tools_support::trace::{Event, json};
use parking_lot::Mutex;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Level, Subscriber};
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Installs what `--log` and `--trace` ask for; the trace, if there is one, is to be [written](Trace::json) at the end.
///
/// # Errors
/// What is wrong with the filter, or that the process has a subscriber already.
pub(super) fn install(log: Option<&str>, trace: bool) -> Result<Option<Arc<Trace>>, String> {
    if log.is_none() && !trace {
        return Ok(None);
    }
    let log = match log {
        None => None,
        Some(filter) => {
            let filter = EnvFilter::try_new(filter).map_err(|error| format!("for the --log option: {error}"))?;
            let colors = std::io::stderr().is_terminal();
            let show = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).without_time().with_ansi(colors);
            Some(show.with_filter(filter))
        }
    };
    let trace = trace.then(|| Arc::new(Trace::new()));
    // Events are for logs; finer spans would be more than what they measure.
    let is_shown = filter_fn(|metadata| metadata.is_span() && *metadata.level() <= Level::DEBUG);
    let layer = trace.clone().map(|trace| Record(trace).with_filter(is_shown));
    let installed = tracing_subscriber::registry().with(log).with(layer).try_init();
    installed.map_err(|error| format!("cannot log: {error}"))?;
    Ok(trace)
}

/// One time that a span was entered.
struct Entry {
    name: String,
    /// Fields and their values.
    args: Vec<(String, String)>,
    target: &'static str,
    thread: u32,
    start: Instant,
    end: Instant,
}

/// What has been recorded so far.
pub(super) struct Trace {
    begin: Instant,
    entries: Mutex<Vec<Entry>>,
    /// Names by number.
    threads: Mutex<Vec<(u32, String)>>,
    next_thread: AtomicU32,
}

impl Trace {
    fn new() -> Self {
        let (entries, threads) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        Self { begin: Instant::now(), entries, threads, next_thread: AtomicU32::new(0) }
    }

    /// The number of this thread, from 0 for the first that asks.
    fn thread(&self) -> u32 {
        thread_local!(static NUMBER: RefCell<Option<u32>> = const { RefCell::new(None) });
        NUMBER.with_borrow_mut(|number| {
            *number.get_or_insert_with(|| {
                let new = self.next_thread.fetch_add(1, Ordering::Relaxed);
                let name = std::thread::current().name().map_or_else(|| format!("worker {new}"), str::to_owned);
                self.threads.lock().push((new, name));
                new
            })
        })
    }

    /// The text of the trace file.
    pub(super) fn json(&self) -> String {
        let threads = self.threads.lock();
        let mut entries = std::mem::take(&mut *self.entries.lock());
        entries.sort_by_key(|entry| entry.start);
        let micros = |time: Instant, since: Instant| time.duration_since(since).as_secs_f64() * 1e6;
        let event = |entry: Entry| Event {
            name: entry.name,
            category: entry.target.to_owned(),
            args: entry.args,
            thread: entry.thread,
            start: micros(entry.start, self.begin),
            duration: micros(entry.end, entry.start),
        };
        json(threads.iter().map(|(number, name)| (*number, &name[..])), entries.into_iter().map(event))
    }
}

/// The fields of a span.
#[derive(Default)]
struct Fields {
    /// The value of the field `name`: it says more than the name of the span.
    name: Option<String>,
    args: Vec<(String, String)>,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "name" {
            self.name = Some(value.to_owned());
            return;
        }
        self.args.push((field.name().to_owned(), value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

/// Records when spans are entered and left.
struct Record(Arc<Trace>);

thread_local!(static ENTERED: RefCell<Vec<(Id, Instant)>> = const { RefCell::new(Vec::new()) });

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Record {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, cx: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let Some(span) = cx.span(id) {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_enter(&self, id: &Id, _: Context<'_, S>) {
        ENTERED.with_borrow_mut(|entered| entered.push((id.clone(), Instant::now())));
    }

    fn on_exit(&self, id: &Id, cx: Context<'_, S>) {
        let end = Instant::now();
        let start = ENTERED.with_borrow_mut(|entered| {
            let at = entered.iter().rposition(|(other, _)| other == id)?;
            Some(entered.remove(at).1)
        });
        let (Some(start), Some(span)) = (start, cx.span(id)) else { return };
        let extensions = span.extensions();
        let Some(fields) = extensions.get::<Fields>() else { return };
        let name = fields.name.clone().unwrap_or_else(|| span.name().to_owned());
        let (args, target, thread) = (fields.args.clone(), span.metadata().target(), self.0.thread());
        self.0.entries.lock().push(Entry { name, args, target, thread, start, end });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_become_complete_events() {
        let trace = Arc::new(Trace::new());
        let subscriber = tracing_subscriber::registry().with(Record(trace.clone()));
        tracing::subscriber::with_default(subscriber, || {
            let _outer = tracing::info_span!("pass", name = "cse", op = "func.func", symbol = "a\"b").entered();
            tracing::info_span!("verify").in_scope(|| ());
        });
        let json = trace.json();
        let lines: Vec<&str> = json.lines().collect();
        assert_eq!(lines.len(), 5, "{json}");
        assert!(lines[1].contains("\"name\": \"thread_name\""), "{json}");
        assert!(lines[2].contains("\"name\": \"cse\""), "the outer span began first: {json}");
        assert!(lines[2].contains(r#""args": {"op": "func.func", "symbol": "a\"b"}"#), "{json}");
        assert!(lines[3].contains("\"name\": \"verify\"") && lines[3].ends_with('}'), "{json}");
    }

    #[test]
    fn filters_are_checked() {
        let error = install(Some("dl_ir=loud"), false).err().expect("not a level");
        assert!(error.starts_with("for the --log option: "), "{error}");
    }
}
