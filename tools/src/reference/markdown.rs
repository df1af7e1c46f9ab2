//! Pieces of Markdown.

/// A table with a fixed number of columns. One without rows is no text.
pub(super) struct Table<const N: usize> {
    head: [&'static str; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// An empty table with these heads of columns.
    pub(super) fn new(head: [&'static str; N]) -> Self {
        Self { head, rows: Vec::new() }
    }

    /// Adds a row. Cells are Markdown; bars in them are escaped here.
    pub(super) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells.map(|cell| cell.replace('|', "\\|")));
    }

    /// The table, with an empty line before it.
    pub(super) fn text(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let rows = self.rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
        format!("\n| {} |\n|{}\n{}", self.head.join(" | "), "---|".repeat(N), rows.collect::<String>())
    }
}

/// `text` as code, linked to an anchor of a file; of the same file where `file` is empty.
pub(super) fn link(text: &str, file: &str, anchor: &str) -> String {
    let hash = if anchor.is_empty() { "" } else { "#" };
    format!("[`{text}`]({file}{hash}{anchor})")
}

/// The anchor that a heading gets: of the characters that are not blanks, letters, digits, `-` and `_` stay, in lower case.
pub(super) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

/// `text` so that nothing in it outside code is taken for markup.
pub(super) fn prose(text: &str) -> String {
    let mut in_code = false;
    let mut result = String::with_capacity(text.len());
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        in_code ^= c == '`';
        if !in_code && matches!(c, '<' | '>' | '*' | '_' | '[' | ']' | '#') {
            result.push('\\');
        }
        result.push(c);
    }
    result
}

/// A block of code.
pub(super) fn code(language: &str, text: &str) -> String {
    format!("\n```{language}\n{}\n```\n", text.trim_end())
}

/// `a`, `b` and `c`, each as code.
pub(super) fn list<T: AsRef<str>>(items: &[T], last: &str) -> String {
    let items: Vec<String> = items.iter().map(|item| format!("`{}`", item.as_ref())).collect();
    match items.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => items.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_headings() {
        assert_eq!(anchor("llvm.intr.abs"), "llvmintrabs");
        assert_eq!(anchor("type !llvm.ptr"), "type-llvmptr");
        assert_eq!(anchor("arith.addui_extended"), "arithaddui_extended");
    }

    #[test]
    fn prose_keeps_code_and_escapes_markup() {
        assert_eq!(prose("a <b> of\n `x<y>` and i_j"), "a \\<b\\> of `x<y>` and i\\_j");
    }

    #[test]
    fn bars_do_not_end_cells() {
        let mut table = Table::new(["a"]);
        assert_eq!(table.text(), "");
        table.row(["`x|y`".to_owned()]);
        assert_eq!(table.text(), "\n| a |\n|---|\n| `x\\|y` |\n");
    }

    #[test]
    fn lists() {
        assert_eq!(list(&["a"], "and"), "`a`");
        assert_eq!(list(&["a", "b", "c"], "or"), "`a`, `b` or `c`");
    }
}
