//! Assembly formats.

use crate::names;

/// `format` with one space between words and snake-case names.
pub(super) fn rewrite(format: &str) -> String {
    with_names(format, names::snake_case)
}

/// `format` with one space between words.
pub(super) fn one_line(format: &str) -> String {
    with_names(format, str::to_owned)
}

fn with_names(format: &str, rename: impl Fn(&str) -> String) -> String {
    let mut result = String::with_capacity(format.len());
    let mut letters = format.trim().chars().peekable();
    let (mut in_literal, mut in_string) = (false, false);
    while let Some(c) = letters.next() {
        match c {
            '`' if !in_string => in_literal = !in_literal,
            '"' if !in_literal => in_string = !in_string,
            '$' if !in_literal && !in_string => {
                let mut name = String::new();
                while let Some(c) = letters.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                result.push('$');
                result += &rename(&name);
                continue;
            }
            c if c.is_whitespace() && !in_literal && !in_string => {
                if !result.ends_with(' ') {
                    result.push(' ');
                }
                continue;
            }
            _ => {}
        }
        result.push(c);
    }
    result
}

/// The names that `format` refers to with `$`, in order, with repetitions.
pub(super) fn names_in(format: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut in_literal = false;
    let mut rest = format;
    while let Some(at) = rest.find(['`', '$']) {
        let (found, after) = rest.split_at(at);
        debug_assert!(!found.contains('`'));
        if after.starts_with('`') {
            in_literal = !in_literal;
        } else if !in_literal {
            let name = &after[1..];
            let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
            names.push(name[..end].to_owned());
        }
        rest = &after[1..];
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_and_literals_do_not() {
        assert_eq!(
            rewrite("\n  $lhs `,`  (`overflow` `` $overflowFlags^)?\n attr-dict `$aB` type($result)"),
            "$lhs `,` (`overflow` `` $overflow_flags^)? attr-dict `$aB` type($result)"
        );
        assert_eq!(rewrite("custom<Foo>($aB, \"$cD\")"), "custom<Foo>($a_b, \"$cD\")");
    }

    #[test]
    fn names() {
        assert_eq!(names_in("$a `$b` type($c)"), ["a", "c"]);
    }
}
