//! Assembly formats.

/// `format` with one space between words.
pub(super) fn one_line(format: &str) -> String {
    let mut result = String::with_capacity(format.len());
    let (mut in_literal, mut in_string) = (false, false);
    for c in format.trim().chars() {
        match c {
            '`' if !in_string => in_literal = !in_literal,
            '"' if !in_literal => in_string = !in_string,
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
    fn space_is_kept_in_literals_alone() {
        assert_eq!(one_line("\n  $lhs `,`  (`a  b` $c^)?\n attr-dict"), "$lhs `,` (`a  b` $c^)? attr-dict");
        assert_eq!(one_line("custom<Foo>($aB,  \"$cD  e\")"), "custom<Foo>($aB, \"$cD  e\")");
    }

    #[test]
    fn names() {
        assert_eq!(names_in("$a `$b` type($c)"), ["a", "c"]);
    }
}
