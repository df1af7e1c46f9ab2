//! The C++ fragments inside ODS, as keys of tables.
//!
//! ODS says predicates, transformations and default values in C++. They are never interpreted: each is brought into one
//! spelling and looked up in a [`Table`], whose entries say the same in Rust. A fragment that no entry matches is an error.

use indexmap::IndexMap;

/// A fragment in the spelling that tables use: one space between words, no `::llvm::` and `::mlir::`, no outer parentheses.
pub fn normalize(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in [("::llvm::", ""), ("::mlir::", "")] {
        text = text.replace(from, to);
    }
    for namespace in ["llvm::", "mlir::"] {
        text = without_namespace(&text, namespace);
    }
    while let Some(inner) = parenthesized(&text) {
        text = inner.trim().to_owned();
    }
    text
}

/// Removes `namespace` where it does not end another name.
fn without_namespace(text: &str, namespace: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(namespace) {
        let before = rest[..at].chars().next_back().or_else(|| result.chars().next_back());
        result.push_str(&rest[..at]);
        if before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':') {
            result.push_str(namespace);
        }
        rest = &rest[at + namespace.len()..];
    }
    result + rest
}

/// What stands inside, when one pair of parentheses encloses all of it.
fn parenthesized(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_usize;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some(inner)
}

/// `isa<A, B>(subject)` as `(["A", "B"], "subject")`.
pub fn isa(text: &str) -> Option<(Vec<&str>, &str)> {
    let (classes, subject) = text.strip_prefix("isa<")?.split_once(">(")?;
    Some((classes.split(", ").collect(), subject.strip_suffix(')')?))
}

/// The last name of a qualified one: `FastMathFlags::none` is `none`.
pub fn last_name(text: &str) -> &str {
    text.rsplit("::").next().unwrap_or(text)
}

/// Fragments and what they are in Rust. A `#` in a key stands for a number, which takes the place of `#` in the value.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(transparent)]
pub struct Table(IndexMap<String, String>);

impl Table {
    /// The entry for `text`, which is [normalized](normalize).
    pub fn get(&self, text: &str) -> Option<String> {
        if let Some(value) = self.0.get(text) {
            return Some(value.clone());
        }
        self.0.iter().find_map(|(key, value)| {
            let numbers = numbers(key, text)?;
            Some(numbers.into_iter().fold(value.clone(), |value, number| value.replacen('#', number, 1)))
        })
    }

    /// The entries of both, those of `other` first.
    pub fn with(&self, other: &Self) -> Self {
        let mut merged = other.0.clone();
        for (key, value) in &self.0 {
            merged.entry(key.clone()).or_insert_with(|| value.clone());
        }
        Self(merged)
    }
}

/// The numbers that stand in `text` where `key` has `#`, if `text` is like `key` otherwise.
fn numbers<'t>(key: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut parts = key.split('#');
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut numbers = Vec::new();
    for part in parts {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        numbers.push(&rest[..end]);
        rest = rest[end..].strip_prefix(part)?;
    }
    rest.is_empty().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling() {
        assert_eq!(normalize("(::llvm::isa<::mlir::IndexType>($_self))"), "isa<IndexType>($_self)");
        assert_eq!(normalize("( (a)\n  && (b) )"), "(a) && (b)");
        assert_eq!(normalize("(llvm::isa<mlir::LLVM::LLVMPointerType>($_self))"), "isa<LLVM::LLVMPointerType>($_self)");
    }

    #[test]
    fn numbers_are_holes() {
        let table = Table([("w(#) < #".to_owned(), "t.w(#, #)".to_owned())].into_iter().collect());
        assert_eq!(table.get("w(8) < 16").as_deref(), Some("t.w(8, 16)"));
        assert_eq!(table.get("w(x) < 16"), None);
        assert_eq!(table.get("w(8) < 16)"), None);
    }

    #[test]
    fn classes_of_isa() {
        assert_eq!(isa("isa<A, B>($_self)"), Some((vec!["A", "B"], "$_self")));
        assert_eq!(isa("$_self.isIndex()"), None);
    }
}
