//! What stands behind the colon of a CHECK line, and where it matches. Each pattern becomes one regular expression: variables that are set
//! before are put in as text, those set in the same line are groups and references to them.

use std::fmt::Write as _;

use fancy_regex::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;

use super::extended::{push_literals, translate};
use super::number::Number;

/// A fault, and its offset in the pattern.
pub(super) type Fault = (usize, String);

/// Values of variables by name.
pub(super) type Variables = FxHashMap<String, String>;

/// A part of a pattern.
enum Part {
    /// In the syntax of the engine.
    Regex(String),
    /// Text that gets a name.
    Definition { name: String, regex: String },
    /// The text of a variable, and where it is asked for.
    Use { name: String, at: usize },
    /// The value of an expression, and where it is asked for.
    Number { number: Number, at: usize },
}

/// How patterns are read and matched.
#[derive(Clone, Copy, Default)]
pub(super) struct Settings {
    /// A match is a whole line.
    pub(super) whole_lines: bool,
    /// Blanks count.
    pub(super) strict_blanks: bool,
    pub(super) ignore_case: bool,
}

/// A pattern.
pub(super) struct Pattern {
    parts: Vec<Part>,
    settings: Settings,
}

impl Pattern {
    /// `text`, which stands in line `line`.
    pub(super) fn parse(text: &str, line: usize, settings: Settings) -> Result<Self, Fault> {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            at += if let Some(regex) = rest.strip_prefix("{{") {
                let end = regex.find("}}").ok_or((at, "found start of regex string with no end '}}'".to_owned()))?;
                let regex = translate(&regex[..end]).map_err(|why| (at + 2, why))?;
                parts.push(Part::Regex(format!("(?:{regex})")));
                end + 4
            } else if rest.starts_with("[[") && !rest.starts_with("[[[") {
                let end = end_of_block(&rest[2..]);
                let end = end.ok_or((at, "Invalid substitution block, no ]] found".to_owned()))?;
                parts.push(block(&rest[2..2 + end], line, at + 2)?);
                end + 4
            } else {
                let tail = &rest[first.len_utf8()..];
                let end = [tail.find("{{"), tail.find("[[")].into_iter().flatten().min().unwrap_or(tail.len());
                let end = first.len_utf8() + end;
                let mut literal = String::new();
                push_literals(&mut literal, &rest[..end]);
                parts.push(Part::Regex(literal));
                end
            };
        }
        Ok(Self { parts, settings })
    }

    /// An empty line.
    pub(super) fn empty_line() -> Self {
        Self { parts: vec![Part::Regex("(?<=\\n)$".to_owned())], settings: Settings::default() }
    }

    /// What matches everywhere, for the end of the input.
    pub(super) fn end_of_input() -> Self {
        Self { parts: Vec::new(), settings: Settings::default() }
    }

    /// Whether it sets or asks for a variable.
    pub(super) fn has_variables(&self) -> bool {
        self.parts.iter().any(|part| !matches!(part, Part::Regex(_)))
    }

    /// The first match in `text`; what it sets becomes part of `variables`.
    ///
    /// # Errors
    /// A variable that is not set, or a pattern that takes too long.
    pub(super) fn find(&self, text: &str, variables: &mut Variables) -> Result<Option<std::ops::Range<usize>>, Fault> {
        let (regex, names) = self.regex(variables)?;
        let regex = RegexBuilder::new(&regex).case_insensitive(self.settings.ignore_case).build();
        let regex: Regex = regex.map_err(|error| (0, format!("invalid regex: {error}")))?;
        let Some(found) = regex.captures(text).map_err(|error| (0, error.to_string()))? else { return Ok(None) };
        for (group, name) in (1..).zip(names) {
            let value = found.get(group).map_or("", |group| group.as_str());
            variables.insert(name.to_owned(), value.to_owned());
        }
        Ok(found.get(0).map(|all| all.range()))
    }

    /// The expression, and the names of its groups.
    fn regex(&self, variables: &Variables) -> Result<(String, Vec<&str>), Fault> {
        let mut names: Vec<&str> = Vec::new();
        let blanks = if self.settings.strict_blanks { "" } else { " *" };
        let mut regex = "(?m)".to_owned();
        if self.settings.whole_lines {
            let _ = write!(regex, "^{blanks}");
        }
        for part in &self.parts {
            match part {
                Part::Regex(text) => regex.push_str(text),
                Part::Definition { name, regex: text } => {
                    let _ = write!(regex, "({text})");
                    names.push(name);
                }
                Part::Use { name, at } => match names.iter().rposition(|known| known == name) {
                    Some(group) => {
                        let _ = write!(regex, "(?:\\{})", group + 1);
                    }
                    None => push_literals(&mut regex, value(variables, name, *at)?),
                },
                Part::Number { number: Number::Any { name, digits }, .. } => {
                    let _ = write!(regex, "{}{digits})", if name.is_some() { "(" } else { "(?:" });
                    names.extend(name.as_deref());
                }
                Part::Number { number: Number::Sum { name, add, format }, at } => {
                    let base = match name {
                        Some(name) => format.parse(value(variables, name, *at)?),
                        None => Some(0),
                    };
                    let sum = base.and_then(|base| base.checked_add(*add)).and_then(|sum| format.print(sum));
                    regex.push_str(&sum.ok_or((*at, "unable to represent numeric value".to_owned()))?);
                }
            }
        }
        if self.settings.whole_lines {
            let _ = write!(regex, "{blanks}$");
        }
        Ok((regex, names))
    }
}

fn value<'a>(variables: &'a Variables, name: &str, at: usize) -> Result<&'a str, Fault> {
    variables.get(name).map(String::as_str).ok_or_else(|| (at, format!("undefined variable: {name}")))
}

/// Where the `]]` is that ends a block: not in brackets of its expression, nor behind a backslash.
fn end_of_block(text: &str) -> Option<usize> {
    let (mut depth, mut escaped) = (0_usize, false);
    for (at, letter) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match letter {
            ']' if depth == 0 => return text[at..].starts_with("]]").then_some(at),
            ']' => depth -= 1,
            '[' => depth += 1,
            '\\' => escaped = true,
            _ => {}
        }
    }
    None
}

/// What stands in `[[` and `]]`; `at` is where.
fn block(text: &str, line: usize, at: usize) -> Result<Part, Fault> {
    let number = text.strip_prefix('#').or_else(|| text.starts_with('@').then_some(text));
    if let Some(number) = number {
        let number = Number::parse(number, line).map_err(|why| (at, why))?;
        return Ok(Part::Number { number, at });
    }
    let (name, regex) = text.split_once(':').map_or((text, None), |(name, regex)| (name, Some(regex)));
    if !is_name(name.strip_prefix('$').unwrap_or(name)) {
        return Err((at, "invalid variable name".to_owned()));
    }
    let name = name.to_owned();
    match regex {
        None => Ok(Part::Use { name, at }),
        Some(regex) => {
            let regex = translate(regex).map_err(|why| (at + name.len() + 1, why))?;
            Ok(Part::Definition { name, regex })
        }
    }
}

/// Whether `text` can name a variable.
pub(super) fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.starts_with(|first: char| is_letter(first) && !first.is_ascii_digit()) && text.chars().all(is_letter)
}
