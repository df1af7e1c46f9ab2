//! Files in the Chrome trace format, which Perfetto and the like show: what took how long, on the tracks of threads.

use std::fmt::Write as _;

/// Something that took time.
pub struct Event {
    /// What.
    pub name: String,
    /// What kind of thing.
    pub category: String,
    /// More about it: names and texts.
    pub args: Vec<(String, String)>,
    /// The number of its thread.
    pub thread: u32,
    /// Microseconds since the trace began.
    pub start: f64,
    /// Microseconds that it took.
    pub duration: f64,
}

/// The text of the file, for threads with these numbers and names.
pub fn json<'a>(threads: impl IntoIterator<Item = (u32, &'a str)>, events: impl IntoIterator<Item = Event>) -> String {
    let name = |(thread, name)| {
        let name = quoted(name);
        format!(
            "{{\"ph\": \"M\", \"pid\": 1, \"tid\": {thread}, \"name\": \"thread_name\", \"args\": {{\"name\": {name}}}}}"
        )
    };
    let event = |event: Event| {
        let Event { name, category, args, thread, start, duration } = event;
        let args: Vec<String> = args.iter().map(|(name, text)| format!("{}: {}", quoted(name), quoted(text))).collect();
        let (name, category, args) = (quoted(&name), quoted(&category), args.join(", "));
        format!(
            "{{\"ph\": \"X\", \"pid\": 1, \"tid\": {thread}, \"ts\": {start:.3}, \"dur\": {duration:.3}, \"name\": {name}, \
             \"cat\": {category}, \"args\": {{{args}}}}}"
        )
    };
    let lines: Vec<String> = threads.into_iter().map(name).chain(events.into_iter().map(event)).collect();
    format!("{{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n{}\n]}}\n", lines.join(",\n"))
}

/// A JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(quoted("a\"b\\c\nd\u{1}é"), "\"a\\\"b\\\\c\\nd\\u0001é\"");
    }
}
