//! Runs the command lines in the docs and the snapshots in `tests/tools` with the built tools, and compares what they print.
//!
//! A `console` block is a test: each `$` line is run and must print what follows it. All run in one scratch folder that has
//! `examples` and `targets` (of the simulator) in it, so a tour may write files and use them in a later line. `cargo xtask bless` rewrites what is printed.

mod support;

use std::os::unix::fs::symlink;
use std::{env, fs};

use trycmd::TestCases;
use trycmd::schema::Bin;

#[test]
fn command_lines_print_what_the_docs_say() {
    let root = support::root();
    let folder = support::scratch().join("cli");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    symlink(root.join("examples"), folder.join("examples")).unwrap();
    symlink(root.join("simulator/targets"), folder.join("targets")).unwrap();
    env::set_current_dir(&folder).unwrap();

    let cases = TestCases::new();
    for name in ["dl-opt", "dl-translate", "dl-run", "dl-sim"] {
        // What `dl-translate` is shown to write is LLVM's.
        let is_there = cfg!(feature = "llvm") || name != "dl-translate";
        cases.register_bin(name, support::tool(name).filter(|_| is_there).map_or(Bin::Ignore, Bin::Path));
    }
    for pattern in ["README.md", "docs/*.md", "tests/tools/*.trycmd", "tests/tools/*.toml"] {
        cases.case(root.join(pattern));
    }
}
