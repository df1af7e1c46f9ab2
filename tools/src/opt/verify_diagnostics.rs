//! `--verify-diagnostics`: compares messages with `expected-error {{...}}` comments in the input.
//!
//! `// expected-error @below {{text}}`: the severity (`error`, `warning`, `remark`, `note`), `-re` for a text with regular
//! expressions in double braces, the line (`@+N`, `@-N`, `@above`, `@below`, `@unknown`, or the same line) and the text, which is
//! a part of the message.

use std::sync::LazyLock;

use dl_ir::diagnostics::Severity;
use dl_ir::{Context, Diagnostic, Diagnostics, Loc};
use regex::Regex;

use super::flags::VerifyDiagnostics;
use super::split::Part;

static DESIGNATOR: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"expected-(error|note|remark|warning)(-re)? *(?:@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}\s*$";
    Regex::new(pattern).expect("the pattern is a regular expression")
});

enum Text {
    Plain(String),
    Pattern(Regex),
}

struct Expectation {
    severity: Severity,
    /// `None`: a message without a place.
    line: Option<u32>,
    text: Text,
    shown: String,
    /// Byte of the comment in the text.
    at: usize,
    met: bool,
}

impl Expectation {
    fn matches(&self, severity: Severity, line: Option<u32>, message: &str) -> bool {
        let text = || match &self.text {
            Text::Plain(text) => message.contains(text),
            Text::Pattern(pattern) => pattern.is_match(message),
        };
        self.severity.word() == severity.word() && self.line == line && text()
    }
}

/// Compares; answers what did not fit. After a syntax error the parser goes on, where `mlir-opt` stops: of a text that was not `parsed`,
/// a test has to name one error, and may name all.
pub(super) fn check(
    cx: &Context,
    part: &Part,
    loc: &dyn Fn(usize) -> Loc,
    reported: Diagnostics,
    mode: VerifyDiagnostics,
    parsed: bool,
) -> Diagnostics {
    let mut faults = Diagnostics::default();
    let mut expected = match expectations(part) {
        Ok(expected) => expected,
        Err((at, message)) => {
            faults.push(Diagnostic::error(loc(at), message));
            return faults;
        }
    };
    let mut unexpected = Diagnostics::default();
    for diagnostic in reported {
        let all = std::iter::once(&diagnostic).chain(&diagnostic.notes);
        for one in all {
            let line = cx.file_position(one.loc).map(|position| position.line);
            let fits: Vec<usize> =
                (0..expected.len()).filter(|&at| expected[at].matches(one.severity, line, &one.message)).collect();
            // One that was met already stands for the same message given again.
            match fits.iter().copied().find(|&at| !expected[at].met).or(fits.first().copied()) {
                Some(at) => expected[at].met = true,
                None if mode == VerifyDiagnostics::OnlyExpected || one.severity == Severity::Help => {}
                None => {
                    let message = format!("unexpected {}: {}", one.severity.word(), one.message);
                    unexpected.push(Diagnostic::error(one.loc, message));
                }
            }
        }
    }
    if parsed || !expected.iter().any(|one| one.met && one.severity == Severity::Error) {
        faults.append(unexpected);
    }
    for expectation in expected.iter().filter(|expectation| !expectation.met) {
        let (word, shown) = (expectation.severity.word(), &expectation.shown);
        faults.push(Diagnostic::error(loc(expectation.at), format!("expected {word} \"{shown}\" was not produced")));
    }
    faults
}

fn expectations(part: &Part) -> Result<Vec<Expectation>, (usize, String)> {
    let text = String::from_utf8_lossy(&part.text);
    let mut all: Vec<Expectation> = Vec::new();
    // Expectations that wait for the next line that is not one itself.
    let mut below: Vec<usize> = Vec::new();
    let mut last_plain = None;
    let mut start = 0;
    for (i, line) in text.split('\n').enumerate() {
        let number = part.start.line + i as u32;
        match DESIGNATOR.captures(line) {
            None => {
                below.drain(..).for_each(|waiting| all[waiting].line = Some(number));
                last_plain = Some(number);
            }
            Some(found) => {
                let at = start + found.get(0).map_or(0, |whole| whole.start());
                let line = match found.get(3).map(|place| place.as_str()) {
                    None => Some(number),
                    Some("unknown") => None,
                    Some("above") => last_plain,
                    Some("below") => {
                        below.push(all.len());
                        None
                    }
                    Some(offset) => {
                        let offset: i64 = offset.parse().map_err(|_| (at, "expected a line offset".to_owned()))?;
                        u32::try_from(i64::from(number) + offset).ok()
                    }
                };
                let severity = match &found[1] {
                    "error" => Severity::Error,
                    "warning" => Severity::Warning,
                    "remark" => Severity::Remark,
                    _ => Severity::Note,
                };
                let shown = found[4].to_owned();
                let text = match found.get(2) {
                    None => Text::Plain(shown.clone()),
                    Some(_) => Text::Pattern(pattern(&shown).map_err(|why| (at, why))?),
                };
                all.push(Expectation { severity, line, text, shown, at, met: false });
            }
        }
        start += line.len() + 1;
    }
    Ok(all)
}

/// A pattern for text in which the parts in double braces are regular expressions.
fn pattern(text: &str) -> Result<Regex, String> {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((expression, after)) = after.split_once("}}") else {
            return Err("found start of regex with no end '}}'".to_owned());
        };
        pattern.push_str(&regex::escape(before));
        pattern.push_str(&format!("(?:{expression})"));
        rest = after;
    }
    pattern.push_str(&regex::escape(rest));
    Regex::new(&pattern).map_err(|error| format!("invalid regex: {}", reason(&error)))
}

/// Why a pattern is none, in the words of POSIX where that has some.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().next_back().unwrap_or(&text);
    match last.trim_start_matches("error: ") {
        "unclosed group" | "unopened group" => "parentheses not balanced".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Severity, Option<u32>, String)> {
        let part =
            Part { text: bytes::Bytes::copy_from_slice(text.as_bytes()), start: dl_ir::location::Start::OF_FILE };
        let all = expectations(&part).map_err(|(_, why)| why).unwrap();
        all.into_iter().map(|e| (e.severity, e.line, e.shown)).collect()
    }

    #[test]
    fn lines_of_expectations() {
        let text = "// expected-error {{a}}\nop\n// expected-note @above {{b}}\n// expected-warning@+2 {{c}}\n\
                    // expected-remark @below {{d}}\n// expected-error @below {{e}}\nop\n// expected-error @unknown {{f}}";
        let expected = [
            (Severity::Error, Some(1), "a".to_owned()),
            (Severity::Note, Some(2), "b".to_owned()),
            (Severity::Warning, Some(6), "c".to_owned()),
            (Severity::Remark, Some(7), "d".to_owned()),
            (Severity::Error, Some(7), "e".to_owned()),
            (Severity::Error, None, "f".to_owned()),
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn regular_expressions_in_double_braces() {
        let pattern = pattern("got {{[0-9]+}} (of 3)").unwrap();
        assert!(pattern.is_match("but got 12 (of 3)"));
        assert!(!pattern.is_match("but got x (of 3)"));
        assert!(super::pattern("a {{b").is_err());
    }
}
