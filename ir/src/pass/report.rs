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
    pub fn timing_text(&self, display: Display, total: Duration) -> String {
        let (wall, user) = self.sum_of_children();
        let rest = total.saturating_sub(wall);
        let totals = Times { user: user + rest, wall: total };
        let threads = user > wall + wall / 50;
        let mut out = banner("Execution time report");
        let _ = writeln!(out, "  Total Execution Time: {:.4} seconds\n", total.as_secs_f64());
        let columns = if threads { "  ----User Time----" } else { "" };
        let _ = writeln!(out, "{columns}  ----Wall Time----  ----Name----");
        let mut row = |times: Times, depth: usize, name: &str| {
            if threads {
                let _ = write!(out, "{}", cell(times.user, totals.user));
            }
            let _ = writeln!(out, "{}  {:indent$}{name}", cell(times.wall, totals.wall), "", indent = 2 * depth);
        };
        match display {
            Display::Tree => {
                let mut stack: Vec<(&Report, usize)> = self.children.iter().rev().map(|child| (child, 0)).collect();
                while let Some((report, depth)) = stack.pop() {
                    row(Times { user: report.user, wall: report.wall }, depth, &report.name);
                    stack.extend(report.children.iter().rev().map(|child| (child, depth + 1)));
                }
            }
            Display::List => {
                let mut merged: IndexMap<&str, Times> = IndexMap::new();
                let mut stack: Vec<&Report> = self.children.iter().rev().collect();
                while let Some(report) = stack.pop() {
                    let times = merged.entry(&report.name).or_default();
                    times.user += report.user;
                    times.wall += report.wall;
                    stack.extend(report.children.iter().rev());
                }
                merged.sort_by(|_, a, _, b| b.wall.cmp(&a.wall));
                merged.iter().for_each(|(name, times)| row(*times, 0, name));
            }
        }
        row(Times { user: rest, wall: rest }, 0, "Rest");
        row(totals, 0, "Total");
        out
    }

    /// The statistics of the passes, in upstream's layout.
    pub fn statistics_text(&self, display: Display) -> String {
        let mut out = banner("Pass statistics report");
        let line = |out: &mut String, indent: usize, (name, meaning, value): (&str, &str, u64)| {
            let _ = writeln!(out, "{:indent$}(S) {value} {name} - {meaning}", "");
        };
        match display {
            Display::Tree => {
                let mut stack: Vec<(&Report, usize)> = self.children.iter().rev().map(|child| (child, 0)).collect();
                while let Some((report, depth)) = stack.pop() {
                    if !report.has_statistics() {
                        continue;
                    }
                    let _ = writeln!(out, "{:indent$}{}", "", report.name, indent = 2 * depth);
                    report.statistics.iter().for_each(|&statistic| line(&mut out, 2 * depth + 2, statistic));
                    stack.extend(report.children.iter().rev().map(|child| (child, depth + 1)));
                }
            }
            Display::List => {
                let mut merged: std::collections::BTreeMap<&str, Vec<(&str, &str, u64)>> = Default::default();
                let mut stack: Vec<&Report> = self.children.iter().rev().collect();
                while let Some(report) = stack.pop() {
                    if report.is_pass && !report.statistics.is_empty() {
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
                for (name, statistics) in merged {
                    let _ = writeln!(out, "{name}");
                    statistics.into_iter().for_each(|statistic| line(&mut out, 2, statistic));
                }
            }
        }
        out
    }

    fn has_statistics(&self) -> bool {
        !self.statistics.is_empty() || self.children.iter().any(Self::has_statistics)
    }
}

#[derive(Clone, Copy, Default)]
struct Times {
    user: Duration,
    wall: Duration,
}

/// Seconds and share of the total.
fn cell(time: Duration, total: Duration) -> String {
    let share = if total.is_zero() { 0.0 } else { 100.0 * time.as_secs_f64() / total.as_secs_f64() };
    format!("  {:8.4} ({share:5.1}%)", time.as_secs_f64())
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
        assert_eq!(body, ["'func.func' Pipeline", "  CSE", "    (S) 3 num-cse'd - Number of operations CSE'd"]);
        let text = two_runs().statistics_text(Display::List);
        assert_eq!(text.lines().skip(3).collect::<Vec<_>>(), ["CSE", "  (S) 3 num-cse'd - Number of operations CSE'd"]);
    }

    #[test]
    fn times_have_the_layout_of_upstream() {
        let text = two_runs().timing_text(Display::Tree, Duration::from_secs(1));
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
}
