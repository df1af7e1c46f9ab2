//! Reading fields of a TOML table, one by one, with errors that name the field, its value and what was expected.

use std::fmt;
use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Something wrong with a description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DescriptionError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// All that is wrong with a description, in the order of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DescriptionErrors(pub Vec<DescriptionError>);

impl fmt::Display for DescriptionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, DescriptionError { line, column, message }) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{line}:{column}: error: {message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for DescriptionErrors {}

/// Errors so far, by offset in the text.
#[derive(Default)]
pub(super) struct Errors(Vec<(usize, String)>);

impl Errors {
    pub(super) fn add(&mut self, at: usize, message: impl Into<String>) {
        self.0.push((at, message.into()));
    }

    /// The value, unless there was an error.
    pub(super) fn finish<T>(mut self, text: &str, value: Option<T>) -> Result<T, DescriptionErrors> {
        match value {
            Some(value) if self.0.is_empty() => return Ok(value),
            _ => {}
        }
        self.0.sort_by_key(|(at, _)| *at);
        let place = |(at, message): (usize, String)| {
            let before = text.get(..at).unwrap_or(text);
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let line = before.matches('\n').count() + 1;
            DescriptionError { line, column: before[line_start..].chars().count() + 1, message }
        };
        Err(DescriptionErrors(self.0.into_iter().map(place).collect()))
    }
}

/// A table whose fields are taken out one by one. An accessor answers nothing only after it has reported an error.
pub(super) struct Fields<'a, 'i> {
    table: &'a DeTable<'i>,
    /// What comes before the name of a field in messages, `matrix.` say.
    prefix: String,
    at: usize,
    known: Vec<&'static str>,
}

impl<'a, 'i> Fields<'a, 'i> {
    pub(super) fn new(table: &'a DeTable<'i>, at: usize, prefix: impl Into<String>) -> Self {
        Self { table, prefix: prefix.into(), at, known: Vec::new() }
    }

    /// Where the table begins.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What messages call a field.
    pub(super) fn path(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The value of a field, with its offset.
    fn take(&mut self, name: &'static str) -> Option<(&'a DeValue<'i>, usize)> {
        self.known.push(name);
        let value: &Spanned<DeValue<'i>> = self.table.get(name)?;
        Some((value.get_ref(), value.span().start))
    }

    fn required(
        &mut self,
        name: &'static str,
        expected: &str,
        errors: &mut Errors,
    ) -> Option<(&'a DeValue<'i>, usize)> {
        let value = self.take(name);
        if value.is_none() {
            errors.add(self.at, format!("missing field '{}{name}': expected {expected}", self.prefix));
        }
        value
    }

    fn wrong(&self, name: &str, (value, at): (&DeValue<'_>, usize), expected: &str, errors: &mut Errors) {
        errors.add(at, format!("field '{}{name}': expected {expected}, but got {}", self.prefix, Shown(value)));
    }

    /// An integer in a range; `default` where it is missing, which is an error if there is none.
    pub(super) fn integer(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u32>,
        default: Option<u32>,
        errors: &mut Errors,
    ) -> Option<u32> {
        let expected = format!("an integer from {} to {}", range.start(), range.end());
        let (value, at) = match (default, self.take(name)) {
            (_, Some(found)) => found,
            (Some(default), None) => return Some(default),
            (None, None) => return self.required(name, &expected, errors).map(|_| 0),
        };
        let found = integer(value).and_then(|value| u32::try_from(value).ok()).filter(|value| range.contains(value));
        if found.is_none() {
            self.wrong(name, (value, at), &expected, errors);
        }
        found
    }

    /// Bytes: an integer, or a text as `"32 KiB"`.
    pub(super) fn bytes(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u64>,
        default: Option<u64>,
        errors: &mut Errors,
    ) -> Option<u64> {
        let expected =
            format!("bytes from {} to {}, as a number or as in \"32 KiB\"", size(*range.start()), size(*range.end()));
        let (value, at) = match (default, self.take(name)) {
            (_, Some(found)) => found,
            (Some(default), None) => return Some(default),
            (None, None) => return self.required(name, &expected, errors).map(|_| 0),
        };
        let found = match value.as_str() {
            Some(text) => bytes_of(text),
            None => integer(value).and_then(|value| u64::try_from(value).ok()),
        };
        let found = found.filter(|value| range.contains(value));
        if found.is_none() {
            self.wrong(name, (value, at), &expected, errors);
        }
        found
    }

    /// `true` or `false`; `default` where it is missing.
    pub(super) fn flag(&mut self, name: &'static str, default: bool, errors: &mut Errors) -> Option<bool> {
        let Some((value, at)) = self.take(name) else { return Some(default) };
        let found = value.as_bool();
        if found.is_none() {
            self.wrong(name, (value, at), "true or false", errors);
        }
        found
    }

    /// A name that is not empty: letters, digits, `-` and `_`.
    pub(super) fn name(&mut self, name: &'static str, errors: &mut Errors) -> Option<(&'a str, usize)> {
        let expected = "a name of letters, digits, '-' and '_'";
        let (value, at) = self.required(name, expected, errors)?;
        let is_name = |text: &&str| {
            text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
                && text.starts_with(|c: char| c.is_ascii_alphabetic())
        };
        let found = value.as_str().filter(is_name);
        if found.is_none() {
            self.wrong(name, (value, at), expected, errors);
        }
        found.map(|text| (text, at))
    }

    /// One of some words.
    pub(super) fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[(&str, T)],
        errors: &mut Errors,
    ) -> Option<T> {
        let expected = one_of(choices.iter().map(|(word, _)| *word));
        let (value, at) = self.required(name, &expected, errors)?;
        let found = value.as_str().and_then(|text| choices.iter().find(|(word, _)| *word == text));
        if found.is_none() {
            self.wrong(name, (value, at), &expected, errors);
        }
        found.map(|&(_, choice)| choice)
    }

    /// A list of something that each text in it stands for.
    pub(super) fn list<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
        errors: &mut Errors,
    ) -> Option<Vec<T>> {
        let (value, at) = self.required(name, &format!("a list, each entry {expected}"), errors)?;
        let Some(entries) = value.as_array().filter(|entries| !entries.is_empty()) else {
            self.wrong(name, (value, at), &format!("a list with at least one entry, each {expected}"), errors);
            return None;
        };
        let mut list = Vec::with_capacity(entries.len());
        for entry in entries {
            match entry.get_ref().as_str().and_then(&read) {
                Some(value) => list.push(value),
                None => self.wrong(name, (entry.get_ref(), entry.span().start), expected, errors),
            }
        }
        (list.len() == entries.len()).then_some(list)
    }

    /// A table inside; `None` without an error where there is none.
    pub(super) fn table(&mut self, name: &'static str, errors: &mut Errors) -> Option<Fields<'a, 'i>> {
        let (value, at) = self.take(name)?;
        if let Some(table) = value.as_table() {
            Some(Fields::new(table, at, format!("{}{name}.", self.prefix)))
        } else {
            self.wrong(name, (value, at), &format!("a table, [{name}]"), errors);
            None
        }
    }

    /// A list of tables.
    pub(super) fn tables(&mut self, name: &'static str, errors: &mut Errors) -> Vec<Fields<'a, 'i>> {
        let Some((value, at)) = self.required(name, &format!("tables, [[{name}]]"), errors) else { return Vec::new() };
        let Some(entries) = value.as_array() else {
            self.wrong(name, (value, at), &format!("tables, [[{name}]]"), errors);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (i, entry) in entries.iter().enumerate() {
            match entry.get_ref().as_table() {
                Some(table) => tables.push(Fields::new(table, entry.span().start, format!("{name}[{i}]."))),
                None => self.wrong(name, (entry.get_ref(), entry.span().start), "a table", errors),
            }
        }
        tables
    }

    /// All fields as numbers, whatever their names; the names must be among `names`.
    pub(super) fn numbers<T: Copy>(&mut self, names: &[(&'static str, T)], errors: &mut Errors) -> Vec<(T, u32)> {
        let mut numbers = Vec::new();
        for &(name, key) in names {
            self.known.push(name);
            if self.table.contains_key(name)
                && let Some(number) = self.integer(name, 1..=1 << 20, None, errors)
            {
                numbers.push((key, number));
            }
        }
        numbers
    }

    /// Reports fields that nobody asked for.
    pub(super) fn finish(self, errors: &mut Errors) {
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if !self.known.contains(&name) {
                let near = nearest(name, self.known.iter().copied());
                let hint = near.map(|near| format!(", did you mean '{near}'?")).unwrap_or_default();
                errors.add(key.span().start, format!("unknown field '{}{name}'{hint}", self.prefix));
            }
        }
    }
}

/// The word that `name` was probably meant to be.
pub(super) fn nearest<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |word: &str| strsim::damerau_levenshtein(name, word);
    words
        .map(|word| (distance(word), word))
        .filter(|(distance, word)| *distance <= 1 + word.len() / 4)
        .min()
        .map(|(_, word)| word)
}

/// `'a', 'b' or 'c'`.
pub(super) fn one_of<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// A value as a message shows it.
struct Shown<'a>(&'a DeValue<'a>);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            DeValue::String(text) => write!(f, "\"{}\"", text.escape_debug()),
            DeValue::Integer(number) => write!(f, "{}", number.as_str()),
            DeValue::Float(number) => write!(f, "{}", number.as_str()),
            DeValue::Boolean(flag) => write!(f, "{flag}"),
            DeValue::Array(entries) if entries.is_empty() => f.write_str("an empty list"),
            other => write!(f, "a value of type {}", other.type_str()),
        }
    }
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

const UNITS: [(&str, u32); 5] = [("B", 0), ("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];

fn bytes_of(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let (_, shift) = UNITS.iter().find(|(name, _)| *name == unit.trim())?;
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Bytes in the largest unit that divides them.
pub(crate) fn size(bytes: u64) -> String {
    let fits = |(_, shift): &&(&str, u32)| bytes > 0 && bytes.trailing_zeros() >= *shift;
    let (unit, shift) = UNITS.iter().rev().find(fits).unwrap_or(&UNITS[0]);
    format!("{} {unit}", bytes >> shift)
}
