//! Checks an input, part by part: labels divide it, and what stands between two of them is checked between their matches.

use super::checks::{Check, Kind, Step};
use super::pattern::Variables;

/// What is wrong: at a check, and from where in the input on.
pub(super) struct Failure {
    /// Where in the file of checks.
    pub(super) check: usize,
    pub(super) message: String,
    /// Where in the input, and what that place is.
    pub(super) input: (usize, &'static str),
}

/// The input, and what is known of it.
pub(super) struct Run<'a> {
    pub(super) input: &'a str,
    pub(super) variables: Variables,
    /// Whether variables last from one label to the next only.
    pub(super) scopes: bool,
    pub(super) failures: Vec<Failure>,
}

/// A match, or a failure that has been noted.
type Found = Option<(usize, usize)>;

impl Run<'_> {
    /// Checks all; what fails is in `failures`.
    pub(super) fn all(&mut self, steps: &[Step]) {
        let (mut from, mut rest) = (0, steps);
        let mut is_first = true;
        while !rest.is_empty() {
            let label = rest.iter().position(|step| step.check.kind == Kind::Label);
            let (end, len) = match label {
                None => (self.input.len(), rest.len()),
                Some(at) => match self.find(&rest[at].check, from, self.input.len()) {
                    None => return,
                    Some((_, end)) => (end, at + 1),
                },
            };
            if !std::mem::take(&mut is_first) && self.scopes {
                self.variables.retain(|name, _| name.starts_with('$'));
            }
            let mut at = from;
            for step in &rest[..len] {
                let Some(end) = self.step(step, at, end) else { break };
                at = end;
            }
            (from, rest) = (end, &rest[len..]);
        }
    }

    /// One step in `from..end`; answers where its match ends.
    fn step(&mut self, step: &Step, from: usize, end: usize) -> Option<usize> {
        let mut never = Vec::new();
        let start = self.unordered(&step.before, from, end, &mut never)?;
        let times = if let Kind::Count(times) = step.check.kind { times } else { 1 };
        let (mut first, mut last) = (None, start);
        for _ in 0..times {
            let (found, behind) = self.find(&step.check, last, end)?;
            first.get_or_insert(found);
            last = behind;
        }
        let first = first.unwrap_or(start);
        self.lines_between(&step.check, start, first)?;
        self.none_of(&never, start, first)?;
        Some(last)
    }

    /// The first match of a check.
    fn find(&mut self, check: &Check, from: usize, end: usize) -> Found {
        if check.kind == Kind::End {
            return Some((end, end));
        }
        match check.pattern.find(&self.input[from..end], &mut self.variables) {
            Ok(Some(found)) => Some((from + found.start, from + found.end)),
            Ok(None) => {
                let message = format!("{}: expected string not found in input", check.name);
                self.fail(check, message, (from, "scanning from here"))
            }
            Err((at, why)) => {
                self.failures.push(Failure { check: check.at + at, message: why, input: (from, "scanning from here") });
                None
            }
        }
    }

    fn fail<T>(&mut self, check: &Check, message: String, input: (usize, &'static str)) -> Option<T> {
        self.failures.push(Failure { check: check.at, message, input });
        None
    }

    /// That a match is in the line that its check says.
    fn lines_between(&mut self, check: &Check, from: usize, to: usize) -> Option<()> {
        let lines = self.input[from..to].matches('\n').count();
        let wrong = match check.kind {
            Kind::Next | Kind::Empty if lines == 0 => "is on the same line as previous match",
            Kind::Next | Kind::Empty if lines != 1 => "is not on the line after the previous match",
            Kind::Same if lines != 0 => "is not on the same line as the previous match",
            _ => return Some(()),
        };
        self.fail(check, format!("{}: {wrong}", check.name), (to, "match was here"))
    }

    /// That none of these checks matches.
    fn none_of(&mut self, checks: &[&Check], from: usize, to: usize) -> Option<()> {
        let mut fine = Some(());
        for check in checks {
            match check.pattern.find(&self.input[from..to], &mut self.variables) {
                Ok(None) => {}
                Ok(Some(found)) => {
                    let message = format!("{}: excluded string found in input", check.name);
                    fine = self.fail(check, message, (from + found.start, "found here"));
                }
                Err((at, why)) => {
                    let input = (from, "scanning from here");
                    self.failures.push(Failure { check: check.at + at, message: why, input });
                    fine = None;
                }
            }
        }
        fine
    }

    /// Checks whose order does not matter, in groups between those that may not match; the last of these are left in `never`. Answers where to
    /// go on.
    fn unordered<'c>(
        &mut self,
        checks: &'c [Check],
        from: usize,
        end: usize,
        never: &mut Vec<&'c Check>,
    ) -> Option<usize> {
        let mut start = from;
        for group in checks.chunk_by(|a, b| a.kind == b.kind) {
            if group[0].kind == Kind::Not {
                never.extend(group);
                continue;
            }
            // No two of a group match the same text. In order of their places.
            let mut taken: Vec<(usize, usize)> = Vec::new();
            for check in group {
                let mut at = start;
                loop {
                    let found = self.find(check, at, end)?;
                    let Some(other) = taken.iter().find(|other| found.0 < other.1 && other.0 < found.1) else {
                        taken.insert(taken.partition_point(|other| other.0 < found.0), found);
                        break;
                    };
                    at = other.1;
                }
            }
            let (first, last) = (taken.first().map_or(start, |each| each.0), taken.last().map_or(start, |each| each.1));
            self.none_of(&std::mem::take(never), start, first)?;
            start = last;
        }
        Some(start)
    }
}
