//! What names of dialects and of what they define may look like.

use dl_ir::{AttrRef, Diagnostic, OpRef};
use rustc_hash::FxHashMap;

/// Checks `name`, of what `what` calls in messages: lower case letters, digits, and underscores that stand alone behind another
/// character.
pub(crate) fn verify_name(op: OpRef<'_>, what: &str, name: &str) -> Result<(), Diagnostic> {
    let error = |problem: &str| Err(Diagnostic::error(op.loc(), format!("name of {what} {problem}")));
    if name.is_empty() {
        return error("is empty");
    }
    let mut after_underscore = true;
    for c in name.chars() {
        match c {
            '_' if after_underscore => return error("should not contain leading or double underscores"),
            'A'..='Z' => return error("should not contain uppercase letters"),
            'a'..='z' | '0'..='9' | '_' => after_underscore = c == '_',
            _ => return error("must contain only lowercase letters, digits and underscores"),
        }
    }
    Ok(())
}

/// Checks the names of a list of `count` things that messages call `kind`: one name each, each once.
pub(crate) fn verify_names(op: OpRef<'_>, kind: &str, names: AttrRef<'_>, count: usize) -> Result<(), Diagnostic> {
    let given = names.elements().len();
    if given != count {
        return Err(op.error(format_args!(
            "the number of {kind}s and their names must be the same, but got {count} and {given} respectively"
        )));
    }
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    for (i, name) in names.elements().enumerate() {
        // What is no text has none of the characters that a name may have.
        let name = name.as_str().unwrap_or("\u{fffd}");
        verify_name(op, &format!("{kind} #{i}"), name)?;
        if let Some(first) = known.insert(name, i) {
            return Err(op.error(format_args!("name of {kind} #{i} is a duplicate of the name of {kind} #{first}")));
        }
    }
    Ok(())
}

/// Whether `name` may stand before the dot in the names of operations: a letter or underscore, then those, digits and `$`.
pub(crate) fn is_namespace(name: &str) -> bool {
    let mut letters = name.chars();
    let first = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    first && letters.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}
