//! Where lines break inside macro bodies, which rustfmt leaves alone.

/// The widest line.
const WIDTH: usize = 100;

/// `name: [a, b],` on one line if it fits, otherwise with one entry a line, or filled lines where `fill`.
pub(super) fn section(indent: usize, name: &str, entries: &[String], fill: bool) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let pad = " ".repeat(indent);
    let one = format!("{pad}{name}: [{}],\n", entries.join(", "));
    if one.chars().count() <= WIDTH + 1 && !one.trim_end().contains('\n') {
        return one;
    }
    let mut text = format!("{pad}{name}: [\n");
    let inner = " ".repeat(indent + 4);
    let mut line = String::new();
    for entry in entries {
        let wanted = inner.len() + line.chars().count() + 1 + entry.chars().count() + 1;
        if !line.is_empty() && (!fill || wanted > WIDTH) {
            text += &format!("{inner}{line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &broken(indent + 8, inner.len(), entry);
        line.push(',');
    }
    text + &format!("{inner}{line}\n{pad}],\n")
}

/// `entry`, its string literal over several lines where it is too long.
fn broken(indent: usize, mut width: usize, entry: &str) -> String {
    if width + entry.chars().count() < WIDTH {
        return entry.to_owned();
    }
    let mut result = String::new();
    let mut in_string = false;
    for (i, word) in entry.split(' ').enumerate() {
        if i > 0 {
            if in_string && width + word.chars().count() + 4 > WIDTH {
                result += &format!(" \\\n{}", " ".repeat(indent));
                width = indent;
            } else {
                result.push(' ');
                width += 1;
            }
        }
        in_string ^= word.matches('"').count() % 2 == 1;
        result += word;
        width += word.chars().count();
    }
    result
}

/// A string literal after `prefix`, over several lines where it is too long.
pub(super) fn literal(indent: usize, prefix: &str, text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    let pad = " ".repeat(indent);
    let one = format!("{pad}{prefix}\"{escaped}\",\n");
    if one.chars().count() <= WIDTH + 1 {
        return one;
    }
    let inner = " ".repeat(indent + 4);
    let mut result = format!("{pad}{prefix}\"");
    let mut width = result.chars().count();
    for (i, word) in escaped.split(' ').enumerate() {
        if i > 0 {
            if width + 1 + word.chars().count() + 4 > WIDTH {
                result += &format!(" \\\n{inner}");
                width = inner.len();
            } else {
                result.push(' ');
                width += 1;
            }
        }
        result += word;
        width += word.chars().count();
    }
    result + "\",\n"
}

/// A string literal.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
