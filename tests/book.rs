//! The book, `docs/`: every page is in its table of contents, links lead somewhere, and every block is tested.
//!
//! What tests a block depends on its language. `console` is run by `tests/cli.rs`; `rust` is a doc test, where the page is among those of a crate; blocks that name a file
//! are files of an example or of a page that a test follows; `mlir` is read here. `text` is output that no command on the page gives.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io::Write as _};

/// The pages, relative to `docs`, in the order of the table of contents.
fn contents() -> Vec<String> {
    links(&read(&docs().join("SUMMARY.md"))).into_iter().map(|link| link.target).collect()
}

fn docs() -> PathBuf {
    support::root().join("docs")
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// All pages below a folder, relative to `docs`.
fn pages(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            all.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            all.push(path.strip_prefix(docs()).expect("it is below").to_string_lossy().into_owned());
        }
    }
    all.sort();
    all
}

/// A fenced block.
struct Block {
    line: usize,
    language: String,
    /// The file that it is, if it names one.
    file: Option<String>,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), is_open) {
            (Some(info), false) => {
                let (language, file) =
                    info.split_once(' ').map_or((info, None), |(language, file)| (language, Some(file)));
                let (language, file) = (language.to_owned(), file.map(str::to_owned));
                blocks.push(Block { line: number + 1, language, file, text: String::new() });
                is_open = true;
            }
            (Some(_), true) => is_open = false,
            (None, true) => {
                let block = blocks.last_mut().expect("one is open");
                block.text += line;
                block.text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!is_open, "the last block has no end");
    blocks
}

struct Link {
    line: usize,
    target: String,
}

/// Links to other pages: those that are no addresses.
fn links(page: &str) -> Vec<Link> {
    let mut links = Vec::new();
    let mut is_open = false;
    for (number, line) in page.lines().enumerate() {
        is_open ^= line.starts_with("```");
        if is_open || line.starts_with("    ") && !line.trim_start().starts_with("- [") {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect();
        for target in prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            if !target.contains("://") {
                links.push(Link { line: number + 1, target: target.to_owned() });
            }
        }
    }
    links
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let mut listed = contents();
    assert!(listed.len() > 30, "only {} pages are listed", listed.len());
    listed.push("SUMMARY.md".to_owned());
    listed.sort();
    assert_eq!(listed, pages(&docs()), "docs/SUMMARY.md lists each page once");
}

#[test]
fn links_lead_to_pages() {
    for page in pages(&docs()) {
        let file = docs().join(&page);
        for Link { line, target } in links(&read(&file)) {
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let to = if path.is_empty() { file.clone() } else { file.parent().expect("a folder").join(path) };
            assert!(to.exists(), "docs/{page}:{line}: '{target}' leads to no file");
            if !anchor.is_empty() {
                let text = read(&to);
                let headings = text.lines().filter_map(|line| line.strip_prefix('#')).map(anchor_of);
                assert!(
                    headings.into_iter().any(|is| is == anchor),
                    "docs/{page}:{line}: '{target}' leads to no heading"
                );
            }
        }
    }
}

/// What a link to a heading is called.
fn anchor_of(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let keep = |c: char| if c == ' ' { Some('-') } else { (c.is_alphanumeric() || "-_".contains(c)).then_some(c) };
    text.chars().filter_map(keep).collect()
}

/// Whether some crate has the page among its doc tests, or some test follows it.
fn is_included(page: &str) -> bool {
    let users = [
        "ir/src/lib.rs",
        "ir/src/pass/mod.rs",
        "ir/src/rewrite/mod.rs",
        "tools/src/lib.rs",
        "tools/dl-tblgen/tests/adding_an_op.rs",
    ];
    users.iter().any(|user| read(&support::root().join(user)).contains(&format!("docs/{page}")))
}

#[test]
fn every_block_is_tested() {
    for page in pages(&docs()) {
        // Examples of the reference are read and verified by `tests/reference.rs`, which writes the pages.
        if page.starts_with("reference/") {
            continue;
        }
        for Block { line, language, file, text } in blocks(&read(&docs().join(&page))) {
            let at = format!("docs/{page}:{line}");
            match (language.as_str(), file) {
                ("console" | "text", None) => {}
                ("rust" | "sh", None) => {
                    assert!(is_included(&page), "{at}: no crate has this page among its doc tests");
                }
                ("mlir", None) => reads(&at, &text),
                (_, Some(file)) if support::root().join(&file).is_file() => {
                    let whole = read(&support::root().join(&file));
                    assert!(whole.contains(text.trim_end()), "{at}: {file} does not have this");
                }
                (_, Some(_)) if is_included(&page) => {}
                (language, _) => panic!("{at}: nothing tests blocks of '{language}'"),
            }
        }
    }
}

/// `dl-opt` takes the text.
fn reads(at: &str, text: &str) {
    let mut command = Command::new(support::tool("dl-opt").expect("it is in every build"));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    child.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{at}: {}", String::from_utf8_lossy(&output.stderr));
}
