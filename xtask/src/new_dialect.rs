//! `cargo xtask new-dialect NAME`: a crate in `dialects/` to begin with, and its places in the workspace.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use xshell::Shell;

/// File of the new dialect, and its template. `@name@` stands for the dialect, `@Name@` for its type, `@dash@` for its name in names of crates.
const FILES: [(&str, &str); 10] = [
    ("dialects/@name@/Cargo.toml", include_str!("new_dialect/Cargo.toml.txt")),
    ("dialects/@name@/ods.toml", include_str!("new_dialect/ods.toml.txt")),
    ("dialects/@name@/ods/@Name@.td", include_str!("new_dialect/dialect.td.txt")),
    ("dialects/@name@/ods/summaries.toml", include_str!("new_dialect/summaries.toml.txt")),
    ("dialects/@name@/ods/examples.toml", include_str!("new_dialect/examples.toml.txt")),
    ("dialects/@name@/src/lib.rs", include_str!("new_dialect/lib.rs.txt")),
    ("dialects/@name@/src/ops.rs", include_str!("new_dialect/ops.rs.txt")),
    ("tests/dialects/@name@/ops.mlir", include_str!("new_dialect/ops.mlir.txt")),
    ("tests/dialects/@name@/invalid.mlir", include_str!("new_dialect/invalid.mlir.txt")),
    ("tests/dialects/@name@/canonicalize.mlir", include_str!("new_dialect/canonicalize.mlir.txt")),
];

/// A file of the workspace that lists dialects: a line for the new one goes before the first line that begins so and comes after it in the order of
/// letters, or behind the last.
const LISTS: [(&str, &str, &str); 4] = [
    ("Cargo.toml", "dl-", "dl-@dash@ = { path = \"dialects/@name@\" }"),
    ("tools/Cargo.toml", "dl-", "dl-@dash@.workspace = true"),
    ("tools/src/lib.rs", "    registry.dialect(Box::new(dl_", "    registry.dialect(Box::new(dl_@name@::@Name@));"),
    ("docs/architecture.md", "| `dialects/", "| `dialects/@name@` | what it is for, in a line |"),
];

/// Writes the crate and its tests, and lists it.
///
/// # Errors
/// A name that cannot be one, or a dialect that is there.
pub(crate) fn run(sh: &Shell, name: &str) -> Result<()> {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_letter);
    ensure!(
        is_name && !name.ends_with('_') && !name.contains("__"),
        "'{name}' is no name for a dialect: expected lower case letters, digits and '_', with a letter first"
    );
    if sh.path_exists(format!("dialects/{name}")) || ["builtin", "ir", "passes", "tools", "plugin"].contains(&name) {
        bail!("there is a dialect or crate '{name}' already");
    }
    let lists = LISTS.map(|(file, start, line)| {
        let text = sh.read_file(file)?;
        Ok::<_, anyhow::Error>((file, listed(&text, start, &filled_in(line, name)).with_context(|| file.to_owned())?))
    });
    for list in lists {
        let (file, text) = list?;
        sh.write_file(file, text)?;
    }
    for (file, template) in FILES {
        let file = filled_in(file, name);
        sh.create_dir(Path::new(&file).parent().unwrap_or(Path::new(".")))?;
        sh.write_file(file, filled_in(template, name))?;
    }
    println!("wrote dialects/{name} and tests/dialects/{name}; say in docs/architecture.md what it is for, and then\n");
    println!("  cargo xtask ods            # definitions from dialects/{name}/ods");
    println!("  cargo xtask reference      # its page of the reference");
    println!("  cargo test -p dl-tools --test lit {name}");
    Ok(())
}

/// The text with a line more, among those that begin with `start`.
fn listed(text: &str, start: &str, line: &str) -> Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_listed = |line: &str| line.starts_with(start);
    let first = lines.iter().position(|line| is_listed(line)).context("the list of dialects is not where it was")?;
    let count = lines[first..].iter().take_while(|line| is_listed(line)).count();
    let key = |line: &str| line.chars().take_while(|c| !"= :".contains(*c) || *c == '|').collect::<String>();
    let before = lines[first..first + count].iter().position(|known| key(known) > key(line) || *known > line);
    let at = first + before.unwrap_or(count);
    let all = lines[..at].iter().chain([&line]).chain(&lines[at..]).map(|line| format!("{line}\n"));
    Ok(all.collect())
}

fn filled_in(template: &str, name: &str) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(usize::from(!word.is_empty()));
        first.to_ascii_uppercase() + rest
    });
    template
        .replace("@Name@", &words.collect::<String>())
        .replace("@dash@", &name.replace('_', "-"))
        .replace("@name@", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_take_one_more() {
        let list = "[dependencies]\ndl-affine.workspace = true\ndl-vector.workspace = true\n\n[lints]\n";
        let line = "dl-my-own.workspace = true";
        let expected = "[dependencies]\ndl-affine.workspace = true\ndl-my-own.workspace = true\ndl-vector.workspace = true\n\n[lints]\n";
        assert_eq!(listed(list, "dl-", line).unwrap(), expected);
        assert!(listed("nothing\n", "dl-", line).is_err());
    }

    #[test]
    fn each_list_is_where_it_is_looked_for() {
        for (file, start, line) in LISTS {
            let text = std::fs::read_to_string(crate::root().join(file)).unwrap();
            let line = filled_in(line, "my_own");
            let more = listed(&text, start, &line).unwrap();
            assert_eq!(more.lines().count(), text.lines().count() + 1, "{file}");
            assert!(more.contains(&format!("\n{line}\n")), "{file}");
        }
    }

    #[test]
    fn every_placeholder_is_filled_in() {
        for (file, template) in FILES {
            let text = filled_in(template, "my_own").replace("@below", "");
            let left = text.split_whitespace().find(|word| word.starts_with('@') && word.ends_with('@'));
            assert!(left.is_none() && !filled_in(file, "my_own").contains('@'), "{file}: {left:?}");
        }
    }
}
