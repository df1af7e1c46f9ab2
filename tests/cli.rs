//! Runs the command lines in the docs and the snapshots in `tests/tools` with the built tools, and compares what they print.
//!
//! A `console` block is a test: each `$` line is run and must print what follows it. All of a document run in one folder of its own that has
//! `examples` and `targets` (of the simulator) in it, so a tour may write files and use them in a later line. `cargo xtask bless` rewrites what is printed.

mod support;

use std::os::unix::fs::symlink;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::{env, fs};

use trycmd::TestCases;
use trycmd::schema::Bin;

#[test]
fn command_lines_print_what_the_docs_say() {
    let root = support::root();
    let mut documents = vec![root.join("README.md")];
    documents.extend(files_in(&root.join("docs"), &["md"]));
    documents.extend(files_in(&root.join("tests/tools"), &["trycmd", "toml"]));
    let _ = fs::remove_dir_all(support::scratch().join("cli"));

    let fails = |document: &&PathBuf| catch_unwind(|| run(document)).is_err();
    let failed: Vec<&PathBuf> = documents.iter().filter(fails).collect();
    assert!(failed.is_empty(), "these do not hold: {failed:?}");
}

/// The files in `folder` with one of these extensions, by name.
fn files_in(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_wanted = |file: &PathBuf| file.extension().is_some_and(|it| extensions.iter().any(|&wanted| it == wanted));
    let mut files: Vec<_> = entries.filter(is_wanted).collect();
    files.sort();
    files
}

/// Runs the command lines of a document, in a folder of its own. Panics where they print something else.
fn run(document: &Path) {
    let (root, name) = (support::root(), document.file_stem().expect("a file has a name"));
    let folder = support::files::folder(&format!("cli/{}", name.display())).unwrap();
    symlink(root.join("examples"), folder.join("examples")).unwrap();
    symlink(root.join("simulator/targets"), folder.join("targets")).unwrap();
    env::set_current_dir(&folder).unwrap();

    let cases = TestCases::new();
    for name in ["dl-opt", "dl-translate", "dl-run", "dl-sim"] {
        // What `dl-translate` is shown to write is LLVM's.
        let is_there = cfg!(feature = "llvm") || name != "dl-translate";
        cases.register_bin(name, support::tool(name).filter(|_| is_there).map_or(Bin::Ignore, Bin::Path));
    }
    cases.case(document);
    cases.run();
}
