//! POSIX extended regular expressions, which CHECK lines are written in, as those of the engine.

use std::fmt::Write as _;

/// `text` in the engine's syntax. Groups capture nothing.
///
/// # Errors
/// What is wrong with it.
pub(super) fn translate(text: &str) -> Result<String, String> {
    let mut to = String::with_capacity(text.len());
    let mut rest = text;
    // Whether there is something that can be repeated.
    let mut has_operand = false;
    while let Some(next) = rest.chars().next() {
        let after = &rest[next.len_utf8()..];
        rest = after;
        let was_operand = std::mem::replace(&mut has_operand, !matches!(next, '(' | '|' | '*' | '+' | '?' | '^'));
        match next {
            '\\' => {
                let escaped = after.chars().next().ok_or("invalid regex: trailing backslash (\\)")?;
                if escaped.is_ascii_digit() {
                    return Err("unsupported: a back reference by number".to_owned());
                }
                push_literal(&mut to, escaped);
                rest = &after[escaped.len_utf8()..];
            }
            '[' => rest = class(after, &mut to)?,
            '(' => to.push_str("(?:"),
            '{' if after.starts_with(|next: char| next.is_ascii_digit()) => {
                let (bound, after) = after.split_once('}').ok_or("invalid regex: braces not balanced")?;
                if !was_operand || !bound.bytes().all(|byte| byte.is_ascii_digit() || byte == b',') {
                    return Err("invalid regex: invalid repetition count(s)".to_owned());
                }
                let _ = write!(to, "{{{bound}}}");
                (rest, has_operand) = (after, false);
            }
            '*' | '+' | '?' if !was_operand => {
                return Err("invalid regex: repetition-operator operand invalid".to_owned());
            }
            '*' | '+' | '?' | '.' | ')' | '|' | '^' | '$' => to.push(next),
            _ => push_literal(&mut to, next),
        }
    }
    Ok(to)
}

/// `text` as itself.
pub(super) fn push_literals(to: &mut String, text: &str) {
    text.chars().for_each(|letter| push_literal(to, letter));
}

fn push_literal(to: &mut String, letter: char) {
    if r"\.+*?()|[]{}^$-&~".contains(letter) {
        to.push('\\');
    }
    to.push(letter);
}

/// A bracket expression, of which `[` has been read; answers what is behind it. Letters that are not in it are none of a line's end.
fn class<'a>(text: &'a str, to: &mut String) -> Result<&'a str, String> {
    const OPEN: &str = "invalid regex: brackets ([ ]) not balanced";
    let (start, not) = text.strip_prefix('^').map_or((text, ""), |rest| (rest, "^\\n"));
    let _ = write!(to, "[{not}");
    let mut rest = start;
    loop {
        if let Some((name, after)) = rest.strip_prefix("[:").and_then(|named| named.split_once(":]")) {
            let _ = write!(to, "[:{name}:]");
            rest = after;
            continue;
        }
        let next = rest.chars().next().ok_or(OPEN)?;
        let is_first = rest.len() == start.len();
        rest = &rest[next.len_utf8()..];
        match next {
            ']' if !is_first => {
                to.push(']');
                return Ok(rest);
            }
            // Between two letters, a range.
            '-' if !is_first && !rest.starts_with(']') => to.push('-'),
            _ => push_literal(to, next),
        }
    }
}
