//! `--profile`: the kernels of a few calls, as a trace.

use std::time::Instant;

use dl_dl::kernels::{Form, Kernel};
use dl_tools_support::trace::{Event, json};

use super::Times;

/// The trace: an event for each call, and in it one for each run of a kernel.
pub(crate) fn profile(name: &str, kernels: &[Kernel], times: &Times) -> String {
    let Some(first) = times.calls.first() else { return json([], []) };
    let micros = |at: Instant| at.duration_since(first.begin).as_secs_f64() * 1e6;
    let mut events = Vec::new();
    for call in &times.calls {
        let (start, duration) = (micros(call.begin), call.time.as_secs_f64() * 1e6);
        let (name, category) = (name.to_owned(), "call".to_owned());
        events.push(Event { name, category, args: Vec::new(), thread: 0, start, duration });
        for run in &call.runs {
            let Some(kernel) = usize::try_from(run.kernel).ok().and_then(|number| kernels.get(number)) else {
                continue;
            };
            let start = micros(run.begin);
            events.push(Event {
                name: kernel.name.clone(),
                category: "kernel".to_owned(),
                args: args(kernel),
                thread: 0,
                start,
                duration: micros(run.end) - start,
            });
        }
    }
    json([(0, "program")], events)
}

/// What is known of a kernel.
fn args(kernel: &Kernel) -> Vec<(String, String)> {
    let mut args = vec![("function".to_owned(), kernel.function.clone())];
    args.extend(kernel.operations.iter().flatten().map(|(ty, count)| (format!("{ty} operations"), count.to_string())));
    args.extend(kernel.bytes.map(|bytes| ("bytes".to_owned(), bytes.to_string())));
    args.push(("code".to_owned(), kernel.form.name().to_owned()));
    if let Form::Scalar(why) = &kernel.form {
        args.push(("why".to_owned(), why.clone()));
    }
    args
}
