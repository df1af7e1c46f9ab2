//! Reports about a run: a tree of times and statistics by pass name.

use std::fmt::Write as _;
use std::time::Duration;

use indexmap::IndexMap;

/// How a report is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Display {
    /// As one list, the slowest first.
    List,
    /// As the pipeline is nested.
    #[default]
    Tree,
}

/// How the times of a report are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Format {
    /// As a table.
    #[default]
    Text,
    /// As JSON.
    Json,
}

/// Time and statistics of a pass, a pipeline or another step, with those of its parts.
#[derive(Clone, Default, Debug)]
pub struct Report {
    name: String,
    is_pass: bool,
    /// From start to end.
    wall: Duration,
    /// Summed over threads.
    user: Duration,
    /// Name, meaning and value.
    statistics: Vec<(&'static str, &'static str, u64)>,
    children: Vec<Report>,
}

impl Report {
    /// A report without parts.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Adds the time that a step took, under its name.
    pub fn add_child(&mut self, name: &str, time: Duration) {
        let child = self.child(name);
        child.wall += time;
        child.user += time;
    }

    /// The part called `name`, made if there is none.
    pub fn child(&mut self, name: &str) -> &mut Report {
        let at = self.children.iter().position(|child| child.name == name).unwrap_or_else(|| {
            self.children.push(Self::new(name));
            self.children.len() - 1
        });
        &mut self.children[at]
    }

    /// Adds a part of its own, though there may be one of the same name: one pass may run several times.
    pub(super) fn push_pass(&mut self, name: &str, statistics: &[(&'static str, &'static str)]) -> &mut Report {
        let statistics = statistics.iter().map(|&(name, meaning)| (name, meaning, 0)).collect();
        self.children.push(Self { name: name.to_owned(), is_pass: true, statistics, ..Self::default() });
        self.children.last_mut().expect("a part was just added")
    }

    pub(super) fn count(&mut self, statistic: &'static str, add: u64) {
        let entry = self.statistics.iter_mut().find(|(name, ..)| *name == statistic);
        debug_assert!(entry.is_some(), "statistic '{statistic}' is declared in the pass information");
        if let Some((.., value)) = entry {
            *value += add;
        }
    }

    pub(super) fn set_time(&mut self, time: Duration) {
        (self.wall, self.user) = (time, time);
    }

    pub(super) fn add_time(&mut self, time: Duration) {
        self.wall += time;
        self.user += time;
    }

    /// Adds times and statistics of another run of the same steps.
    pub fn merge(&mut self, other: &Report) {
        self.wall += other.wall;
        self.user += other.user;
        for (i, &(name, meaning, value)) in other.statistics.iter().enumerate() {
            match self.statistics.get_mut(i) {
                Some(own) => own.2 += value,
                None => self.statistics.push((name, meaning, value)),
            }
        }
        for (i, child) in other.children.iter().enumerate() {
            match self.children.get_mut(i) {
                Some(own) if own.name == child.name => own.merge(child),
                _ => match self.children.iter_mut().find(|own| own.name == child.name && !own.is_pass) {
                    Some(own) => own.merge(child),
                    None => self.children.push(child.clone()),
                },
            }
        }
    }

    /// Says that this and its siblings, `total` summed over threads, took `wall` from start to end: parts take their share.
    pub(super) fn scale_wall(&mut self, wall: Duration, total: Duration) {
        let factor = wall.as_secs_f64() / total.as_secs_f64();
        let mut pending = vec![self];
        while let Some(report) = pending.pop() {
            report.wall = report.user.mul_f64(factor);
            pending.extend(&mut report.children);
        }
    }

    pub(super) fn push(&mut self, child: Self) {
        self.children.push(child);
    }

    fn sum_of_children(&self) -> (Duration, Duration) {
        self.children.iter().fold((Duration::ZERO, Duration::ZERO), |(w, u), c| (w + c.wall, u + c.user))
    }

    /// Takes the sum of its parts for its time, and answers that, summed over threads.
    pub(super) fn add_up_children(&mut self) -> Duration {
        (self.wall, self.user) = self.sum_of_children();
        self.user
    }

    /// The times of the parts, in upstream's layout. `total` is the time of the whole run.
    pub fn timing_text(&self, display: Display, format: Format, total: Duration) -> String {
        let (wall, user) = self.sum_of_children();
        let rest = total.saturating_sub(wall);
        let totals = Times { user: user + rest, wall: total };
        let mut table = Table { threads: user > wall + wall / 50, totals, out: String::new() };
        let rows = match display {
            Display::Tree => self.tree(),
            Display::List => self.list(),
        };
        let last = [("Rest", Times { user: rest, wall: rest }), ("Total", totals)];
        match format {
            Format::Text => {
                table.head();
                rows.iter().for_each(|row| table.line(row.times, row.depth, row.name));
                last.iter().for_each(|&(name, times)| table.line(times, 0, name));
            }
            Format::Json => {
                table.out.push_str("[\n");
                match display {
                    Display::Tree => self.children.iter().for_each(|child| child.json(&mut table, 0, ",")),
                    Display::List => rows.iter().for_each(|row| table.object(row.times, row.name, ",")),
                }
                for (i, &(name, times)) in last.iter().enumerate() {
                    table.object(times, name, if i + 1 < last.len() { "," } else { "" });
                }
                table.out.push_str("]\n");
            }
        }
        table.out
    }

    fn times(&self) -> Times {
        Times { user: self.user, wall: self.wall }
    }

    /// All below this, parents before children.
    fn tree(&self) -> Vec<Row<'_>> {
        let mut rows = Vec::new();
        let mut stack: Vec<(&Report, usize)> = self.children.iter().rev().map(|child| (child, 0)).collect();
        while let Some((report, depth)) = stack.pop() {
            rows.push(Row { name: &report.name, depth, times: report.times() });
            stack.extend(report.children.iter().rev().map(|child| (child, depth + 1)));
        }
        rows
    }

    /// The same with equal names added up, the slowest first.
    fn list(&self) -> Vec<Row<'_>> {
        let mut merged: IndexMap<&str, Times> = IndexMap::new();
        for row in self.tree() {
            let times = merged.entry(row.name).or_default();
            times.user += row.times.user;
            times.wall += row.times.wall;
        }
        merged.sort_by(|_, a, _, b| b.wall.cmp(&a.wall));
        merged.into_iter().map(|(name, times)| Row { name, depth: 0, times }).collect()
    }

    /// Nested as deep as pipelines are, which is bounded.
    fn json(&self, table: &mut Table, depth: usize, comma: &str) {
        let indent = " ".repeat(2 * depth);
        let _ = write!(table.out, "{indent}{{");
        table.json_times(self.times());
        let _ = writeln!(table.out, ", \"name\": \"{}\", \"passes\": [", self.name);
        self.children.iter().for_each(|child| child.json(table, depth + 1, ","));
        let _ = writeln!(table.out, "{indent}{{}}]}}{comma}");
    }

    /// The statistics of the passes, in upstream's layout.
    pub fn statistics_text(&self, display: Display) -> String {
        let mut out = banner("Pass statistics report");
        match display {
            Display::Tree => {
                let mut stack: Vec<(&Report, usize)> = self.children.iter().rev().map(|child| (child, 0)).collect();
                while let Some((report, depth)) = stack.pop() {
                    // Parsing, analyses and the like count nothing.
                    if report.is_pass || report.has_passes() {
                        statistics(&mut out, 2 * depth, &report.name, &report.statistics);
                        stack.extend(report.children.iter().rev().map(|child| (child, depth + 1)));
                    }
                }
            }
            Display::List => {
                let mut merged: std::collections::BTreeMap<&str, Vec<Statistic>> = std::collections::BTreeMap::new();
                let mut stack: Vec<&Report> = self.children.iter().rev().collect();
                while let Some(report) = stack.pop() {
                    if !report.statistics.is_empty() {
                        let own = merged.entry(&report.name).or_default();
                        for &(name, meaning, value) in &report.statistics {
                            match own.iter_mut().find(|entry| entry.0 == name) {
                                Some(entry) => entry.2 += value,
                                None => own.push((name, meaning, value)),
                            }
                        }
                    }
                    stack.extend(report.children.iter().rev());
                }
                merged.iter().for_each(|(name, list)| statistics(&mut out, 2, name, list));
            }
        }
        out.push('\n');
        out
    }

    fn has_passes(&self) -> bool {
        self.is_pass || self.children.iter().any(Self::has_passes)
    }
}

/// Name, meaning and value.
type Statistic = (&'static str, &'static str, u64);

/// A pass and what it has counted, sorted by name, in columns.
fn statistics(out: &mut String, indent: usize, pass: &str, list: &[Statistic]) {
    let _ = writeln!(out, "{:indent$}{pass}", "");
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    let widest = sorted.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let digits = sorted.iter().map(|(.., value)| value.to_string().len()).max().unwrap_or(0);
    for (name, meaning, value) in sorted {
        let _ = writeln!(out, "{:indent$}  (S) {value:digits$} {name:widest$} - {meaning}", "");
    }
}

/// A line of a report.
struct Row<'a> {
    name: &'a str,
    depth: usize,
    times: Times,
}

/// The text of a report of times.
struct Table {
    /// Whether several threads were at work: the time summed over them then has a column of its own.
    threads: bool,
    totals: Times,
    out: String,
}

impl Table {
    fn head(&mut self) {
        self.out.push_str(&banner("Execution time report"));
        let _ = writeln!(self.out, "  Total Execution Time: {:.4} seconds\n", self.totals.wall.as_secs_f64());
        let columns = if self.threads { "  ----User Time----" } else { "" };
        let _ = writeln!(self.out, "{columns}  ----Wall Time----  ----Name----");
    }

    fn line(&mut self, times: Times, depth: usize, name: &str) {
        let cell =
            |time: Duration, total: Duration| format!("  {:8.4} ({:5.1}%)", time.as_secs_f64(), share(time, total));
        if self.threads {
            self.out.push_str(&cell(times.user, self.totals.user));
        }
        self.out.push_str(&cell(times.wall, self.totals.wall));
        let _ = writeln!(self.out, "  {:indent$}{name}", "", indent = 2 * depth);
    }

    fn object(&mut self, times: Times, name: &str, comma: &str) {
        self.out.push('{');
        self.json_times(times);
        let _ = writeln!(self.out, ", \"name\": \"{name}\"}}{comma}");
    }

    fn json_times(&mut self, times: Times) {
        if self.threads {
            self.json_time("user", times.user, self.totals.user);
            self.out.push_str(", ");
        }
        self.json_time("wall", times.wall, self.totals.wall);
    }

    fn json_time(&mut self, key: &str, time: Duration, total: Duration) {
        let (seconds, share) = (time.as_secs_f64(), share(time, total));
        let _ = write!(self.out, "\"{key}\": {{\"duration\": {seconds:8.4}, \"percentage\": {share:5.1}}}");
    }
}

#[derive(Clone, Copy, Default)]
struct Times {
    user: Duration,
    wall: Duration,
}

/// In percent of the total.
fn share(time: Duration, total: Duration) -> f64 {
    if total.is_zero() { 0.0 } else { 100.0 * time.as_secs_f64() / total.as_secs_f64() }
}

fn banner(title: &str) -> String {
    let rule = format!("==={}===", "-".repeat(73));
    let title = format!("... {title} ...");
    format!("{rule}\n{:width$}{title}\n{rule}\n", "", width = (80 - title.len()) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_runs() -> Report {
        let mut all = Report::new("");
        for count in [1, 2] {
            let mut one = Report::new("");
            let pass =
                one.child("'func.func' Pipeline").push_pass("CSE", &[("num-cse'd", "Number of operations CSE'd")]);
            pass.count("num-cse'd", count);
            pass.set_time(Duration::from_millis(250));
            one.child("'func.func' Pipeline").add_up_children();
            all.merge(&one);
        }
        all
    }

    #[test]
    fn statistics_of_nested_runs_add_up() {
        let text = two_runs().statistics_text(Display::Tree);
        let body: Vec<&str> = text.lines().skip(3).collect();
        assert_eq!(body, ["'func.func' Pipeline", "  CSE", "    (S) 3 num-cse'd - Number of operations CSE'd", ""]);
        let text = two_runs().statistics_text(Display::List);
        let body: Vec<&str> = text.lines().skip(3).collect();
        assert_eq!(body, ["  CSE", "    (S) 3 num-cse'd - Number of operations CSE'd", ""]);
    }

    #[test]
    fn statistics_are_in_columns_and_sorted() {
        let mut all = Report::new("");
        let pass = all.push_pass("P", &[("num-zebras", "Zebras seen"), ("ants", "Ants seen")]);
        pass.count("ants", 120);
        pass.count("num-zebras", 7);
        let text = all.statistics_text(Display::Tree);
        let body: Vec<&str> = text.lines().skip(3).collect();
        assert_eq!(body, ["P", "  (S) 120 ants       - Ants seen", "  (S)   7 num-zebras - Zebras seen", ""]);
    }

    #[test]
    fn times_have_the_layout_of_upstream() {
        let text = two_runs().timing_text(Display::Tree, Format::Text, Duration::from_secs(1));
        let body: Vec<&str> = text.lines().skip(3).collect();
        assert_eq!(
            body,
            [
                "  Total Execution Time: 1.0000 seconds",
                "",
                "  ----Wall Time----  ----Name----",
                "    0.5000 ( 50.0%)  'func.func' Pipeline",
                "    0.5000 ( 50.0%)    CSE",
                "    0.5000 ( 50.0%)  Rest",
                "    1.0000 (100.0%)  Total",
            ]
        );
    }

    #[test]
    fn threads_give_a_column_of_their_own() {
        let mut runs = two_runs();
        runs.children[0].scale_wall(Duration::from_millis(250), Duration::from_millis(500));
        let text = runs.timing_text(Display::Tree, Format::Text, Duration::from_millis(500));
        let body: Vec<&str> = text.lines().skip(5).collect();
        assert_eq!(
            body,
            [
                "  ----User Time----  ----Wall Time----  ----Name----",
                "    0.5000 ( 66.7%)    0.2500 ( 50.0%)  'func.func' Pipeline",
                "    0.5000 ( 66.7%)    0.2500 ( 50.0%)    CSE",
                "    0.2500 ( 33.3%)    0.2500 ( 50.0%)  Rest",
                "    0.7500 (100.0%)    0.5000 (100.0%)  Total",
            ]
        );
    }

    #[test]
    fn times_as_json() {
        let text = two_runs().timing_text(Display::Tree, Format::Json, Duration::from_secs(1));
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "[",
                r#"{"wall": {"duration":   0.5000, "percentage":  50.0}, "name": "'func.func' Pipeline", "passes": ["#,
                r#"  {"wall": {"duration":   0.5000, "percentage":  50.0}, "name": "CSE", "passes": ["#,
                "  {}]},",
                "{}]},",
                r#"{"wall": {"duration":   0.5000, "percentage":  50.0}, "name": "Rest"},"#,
                r#"{"wall": {"duration":   1.0000, "percentage": 100.0}, "name": "Total"}"#,
                "]",
            ]
        );
        let text = two_runs().timing_text(Display::List, Format::Json, Duration::from_secs(1));
        assert!(text.contains("\"name\": \"CSE\"},\n"), "{text}");
    }
}
