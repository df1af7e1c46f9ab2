//! Numbers in CHECK lines: `[[#]]`, `[[#N:]]`, `[[#N+1]]`, `[[#@LINE-1]]`, with a format in front as in `[[#%x,N:]]`.

use super::pattern::is_name;

/// How a number is written.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Unsigned,
    Signed,
    Hex { upper: bool },
}

impl Format {
    fn digits(self) -> &'static str {
        match self {
            Self::Unsigned => "[0-9]+",
            Self::Signed => "-?[0-9]+",
            Self::Hex { upper: true } => "[0-9A-F]+",
            Self::Hex { upper: false } => "[0-9a-f]+",
        }
    }

    pub(super) fn parse(self, text: &str) -> Option<i64> {
        i64::from_str_radix(text, if matches!(self, Self::Hex { .. }) { 16 } else { 10 }).ok()
    }

    pub(super) fn print(self, value: i64) -> Option<String> {
        match self {
            Self::Signed => Some(value.to_string()),
            _ if value < 0 => None,
            Self::Unsigned => Some(value.to_string()),
            Self::Hex { upper: true } => Some(format!("{value:X}")),
            Self::Hex { upper: false } => Some(format!("{value:x}")),
        }
    }
}

/// A number in a pattern.
pub(super) enum Number {
    /// Any number, which may get a name.
    Any { name: Option<String>, digits: &'static str },
    /// That of a variable, or zero, and another one.
    Sum { name: Option<String>, add: i64, format: Format },
}

impl Number {
    /// What stands behind `#`, in line `line`.
    pub(super) fn parse(text: &str, line: usize) -> Result<Self, String> {
        let unsupported = || format!("unsupported: the numeric expression '{text}'");
        let compact: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let (format, rest) = match compact.strip_prefix('%') {
            Some(format) => format.split_once(',').unwrap_or((format, "")),
            None => ("u", &*compact),
        };
        let format = match format {
            "u" => Format::Unsigned,
            "d" => Format::Signed,
            "x" => Format::Hex { upper: false },
            "X" => Format::Hex { upper: true },
            _ => return Err(unsupported()),
        };
        if let Some(name) = rest.strip_suffix(':') {
            let name = Some(name.to_owned()).filter(|name| is_name(name)).ok_or("invalid variable name")?;
            return Ok(Self::Any { name: Some(name), digits: format.digits() });
        }
        if rest.is_empty() {
            return Ok(Self::Any { name: None, digits: format.digits() });
        }
        let operators = rest.char_indices().filter(|&(at, letter)| at > 0 && matches!(letter, '+' | '-'));
        let starts: Vec<usize> = std::iter::once(0).chain(operators.map(|(at, _)| at)).collect();
        let ends = starts.iter().skip(1).copied().chain([rest.len()]);
        let (mut name, mut add) = (None, 0_i64);
        for term in starts.iter().zip(ends).map(|(&start, end)| &rest[start..end]) {
            let (negative, term) = (term.starts_with('-'), term.trim_start_matches(['+', '-']));
            let value = match term {
                "@LINE" => i64::try_from(line).ok(),
                _ if is_name(term) && name.is_none() && !negative => {
                    name = Some(term.to_owned());
                    Some(0)
                }
                _ => term.parse().ok(),
            };
            let value = value.ok_or_else(unsupported)?;
            add = add.checked_add(if negative { -value } else { value }).ok_or_else(unsupported)?;
        }
        Ok(Self::Sum { name, add, format })
    }
}
