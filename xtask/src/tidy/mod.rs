//! `cargo xtask tidy`: what the compiler does not check about the tree. Also a test of this crate.

mod arrows;
mod files;

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

/// Runs every check and lists all that is wrong.
pub(crate) fn run(sh: &Shell) -> Result<()> {
    let problems = problems(sh)?;
    if !problems.is_empty() {
        bail!(
            "{} found\n  {}",
            if problems.len() == 1 { "a problem was" } else { "problems were" },
            problems.join("\n  ")
        );
    }
    println!("the tree is tidy");
    Ok(())
}

fn problems(sh: &Shell) -> Result<Vec<String>> {
    let format = "{p}";
    let tree = cmd!(
        sh,
        "cargo tree --workspace --all-features --edges normal,build --depth 1 --prefix depth --no-dedupe --format {format}"
    );
    let packages = arrows::packages(&tree.quiet().ignore_stderr().read()?, &sh.current_dir());
    let mut problems = arrows::check(&packages);

    let map = sh.read_file("docs/architecture.md")?;
    let folders = packages.iter().map(|package| package.folder.as_str());
    problems.extend(arrows::missing_on_map(folders, &map));

    let contents = sh.read_file("docs/SUMMARY.md")?;
    for path in cmd!(sh, "git ls-files").quiet().read()?.lines() {
        let file = sh.current_dir().join(path);
        problems.extend(files::missing_in_book(path, &contents).filter(|_| file.is_file()));
        // A file may be deleted and not yet committed; what is not text has no lines to check.
        if let Ok(text) = std::fs::read_to_string(&file) {
            problems.extend(files::check(path, &text));
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let sh = Shell::new().unwrap();
        sh.change_dir(crate::root());
        let problems = problems(&sh).unwrap();
        assert!(problems.is_empty(), "{problems:#?}");
    }
}
