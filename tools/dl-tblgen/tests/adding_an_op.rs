//! Does what `docs/adding-an-op.md` says, in an empty folder: a block with a file name is written to that file, a block of `sh` is run, in
//! the order of the page.
#![allow(clippy::disallowed_methods, reason = "the environment says where LLVM is")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a block asks for.
enum Step {
    Write(PathBuf, String),
    Run(String),
}

fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for block in page.split("\n```").skip(1).step_by(2) {
        let (head, text) = block.split_once('\n').expect("a block has lines");
        match head.split_once(' ') {
            Some((_, file)) => steps.push(Step::Write(file.into(), format!("{text}\n"))),
            None if head == "sh" => steps.push(Step::Run(text.to_owned())),
            None => {}
        }
    }
    steps
}

#[test]
fn the_page_works_as_it_stands() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is two folders deep");
    let page = fs::read_to_string(root.join("docs/adding-an-op.md")).expect("the page is there");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("adding-an-op");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    // What a user has on the PATH.
    let tool = Path::new(env!("CARGO_BIN_EXE_dl-tblgen")).parent().expect("it is in a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tool.to_owned()].into_iter().chain(std::env::split_paths(&path)));
    let path = path.expect("folders can be on a path");

    let (mut written, mut run) = (0, 0);
    for step in steps(&page) {
        match step {
            Step::Write(file, text) => {
                fs::write(folder.join(file), text).expect("the folder of the file is there by now");
                written += 1;
            }
            Step::Run(command) => {
                // The versions that this workspace builds with: nothing is fetched.
                let made = folder.join("nn-dialect");
                if made.is_dir() {
                    fs::copy(root.join("Cargo.lock"), made.join("Cargo.lock")).expect("the workspace has a lock file");
                }
                let output = Command::new("sh")
                    .args(["-ec", &command])
                    .env("PATH", &path)
                    .env("CARGO_NET_OFFLINE", "true")
                    .env("CARGO_INCREMENTAL", "0")
                    .env("CARGO_PROFILE_DEV_DEBUG", "false")
                    .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("crate-out-target"))
                    .current_dir(&folder)
                    .output()
                    .expect("there is a shell");
                let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
                assert!(output.status.success(), "$ {command}\n{out}\n{err}");
                assert!(!err.contains("warning"), "$ {command}\n{err}");
                run += 1;
            }
        }
    }
    assert_eq!((written, run), (6, 2), "files and commands on the page");
}
