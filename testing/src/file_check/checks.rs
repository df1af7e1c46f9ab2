//! The CHECK lines of a file.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::pattern::{Pattern, Settings};

/// What a line asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Next,
    Same,
    Not,
    Dag,
    Label,
    Empty,
    Count(usize),
    /// The end of the input.
    End,
}

/// The words behind the prefix.
const KINDS: [(&str, Kind); 7] = [
    ("", Kind::Plain),
    ("-NEXT", Kind::Next),
    ("-SAME", Kind::Same),
    ("-NOT", Kind::Not),
    ("-DAG", Kind::Dag),
    ("-LABEL", Kind::Label),
    ("-EMPTY", Kind::Empty),
];

/// Words that begin lines in which nothing is checked.
const COMMENTS: [&str; 2] = ["COM", "RUN"];

/// One CHECK line.
pub(super) struct Check {
    pub(super) kind: Kind,
    pub(super) pattern: Pattern,
    /// The prefix with what follows it, as `CHECK-NEXT`.
    pub(super) name: String,
    /// Where the pattern begins in the file.
    pub(super) at: usize,
}

/// A line that says where to go on, behind lines that may match in any order, or not at all.
pub(super) struct Step {
    pub(super) before: Vec<Check>,
    pub(super) check: Check,
}

/// A fault, and where it is in the file.
pub(super) type Fault = (usize, String);

/// What is looked for in the file.
pub(super) struct Request<'a> {
    pub(super) prefixes: &'a [String],
    /// Patterns that may match nowhere between two checks.
    pub(super) never: &'a [String],
    pub(super) settings: Settings,
}

/// The steps that the CHECK lines of `text` are, and the prefixes that lines begin with.
///
/// # Errors
/// The first line with a fault.
pub(super) fn read<'a>(text: &str, request: &Request<'a>) -> Result<(Vec<Step>, FxHashSet<&'a str>), Fault> {
    let never = || -> Result<Vec<Check>, Fault> {
        let patterns = request.never.iter().map(|never| {
            let settings = Settings { whole_lines: false, ..request.settings };
            let pattern = Pattern::parse(never, 1, settings).map_err(|(_, why)| (0, why))?;
            Ok(Check { kind: Kind::Not, pattern, name: "IMPLICIT-CHECK-NOT".to_owned(), at: 0 })
        });
        patterns.collect()
    };
    let (mut steps, mut before, mut start) = (Vec::new(), never()?, 0);
    let mut used = FxHashSet::default();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let from = start;
        start += line.len();
        let line = line.trim_end_matches('\n');
        let found = directive(line, request.prefixes).map_err(|(at, why)| (from + at, why))?;
        let Some(Directive { prefix, name, kind, pattern }) = found else { continue };
        used.insert(prefix);
        let check = check(line, index + 1, name, kind, pattern, request.settings);
        let check = check.map(|check| Check { at: from + check.at, ..check }).map_err(|(at, why)| (from + at, why))?;
        if steps.is_empty() && matches!(kind, Kind::Next | Kind::Same | Kind::Empty) {
            return Err((from, format!("found '{name}' without previous '{prefix}: line")));
        }
        if matches!(kind, Kind::Dag | Kind::Not) {
            before.push(check);
        } else {
            let before = std::mem::replace(&mut before, never()?);
            steps.push(Step { before, check });
        }
    }
    if !before.is_empty() {
        let pattern = Pattern::end_of_input();
        let check = Check { kind: Kind::End, pattern, name: "EOF".to_owned(), at: text.len() };
        steps.push(Step { before, check });
    }
    Ok((steps, used))
}

/// The beginning of a CHECK line.
struct Directive<'a, 'l> {
    prefix: &'a str,
    /// The prefix with what follows it.
    name: &'l str,
    kind: Kind,
    /// Where in the line its pattern is.
    pattern: Range<usize>,
}

/// The first directive of a line.
fn directive<'a, 'l>(line: &'l str, prefixes: &'a [String]) -> Result<Option<Directive<'a, 'l>>, Fault> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let starts = line.char_indices().filter(|&(at, _)| !line[..at].ends_with(is_word));
    for (start, _) in starts {
        let rest = &line[start..];
        if COMMENTS.iter().any(|word| rest.strip_prefix(word).is_some_and(|rest| rest.starts_with(':'))) {
            return Ok(None);
        }
        for prefix in prefixes.iter().filter(|prefix| rest.starts_with(prefix.as_str())) {
            let Some((word, _)) = rest[prefix.len()..].split_once(':') else { continue };
            let end = start + prefix.len() + word.len();
            let kind = KINDS.iter().find(|(known, _)| *known == word).map(|&(_, kind)| kind);
            let count = || word.strip_prefix("-COUNT-")?.parse().ok().filter(|&count| count > 0).map(Kind::Count);
            if let Some(kind) = kind.or_else(count) {
                return Ok(Some(Directive { prefix, name: &line[start..end], kind, pattern: end + 1..line.len() }));
            }
            if word.starts_with("-COUNT-") && word.chars().all(is_word) {
                return Err((start, format!("invalid count in -COUNT specification on prefix '{prefix}'")));
            }
            let both = word.strip_prefix("-NOT").or_else(|| word.strip_suffix("-NOT"));
            if both.is_some_and(|other| KINDS.iter().any(|(known, _)| *known == other)) {
                return Err((start, format!("unsupported -NOT combo on prefix '{prefix}'")));
            }
        }
    }
    Ok(None)
}

/// The check in `line`, whose pattern is at `found`.
fn check(
    line: &str,
    number: usize,
    name: &str,
    kind: Kind,
    found: Range<usize>,
    settings: Settings,
) -> Result<Check, Fault> {
    let exact = settings.strict_blanks && settings.whole_lines;
    let text = &line[found.clone()];
    let text = if exact { text } else { text.trim_end_matches([' ', '\t']) };
    let trimmed = if exact { text } else { text.trim_start_matches([' ', '\t']) };
    let at = found.start + text.len() - trimmed.len();
    let name = name.to_owned();
    if kind == Kind::Empty {
        return match trimmed {
            "" => Ok(Check { kind, pattern: Pattern::empty_line(), name, at }),
            _ => Err((at, format!("found non-empty check string for empty check with prefix '{name}:'"))),
        };
    }
    if trimmed.is_empty() {
        return Err((at, format!("found empty check string with prefix '{name}:'")));
    }
    let settings = Settings { whole_lines: settings.whole_lines && kind != Kind::Not, ..settings };
    let pattern = Pattern::parse(trimmed, number, settings).map_err(|(offset, why)| (at + offset, why))?;
    if kind == Kind::Label && pattern.has_variables() {
        return Err((at, format!("found '{name}:' with variable definition or use")));
    }
    Ok(Check { kind, pattern, name, at })
}
