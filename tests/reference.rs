//! `docs/reference` and `docs/passes.md` are what the definitions say today, and each example is read and verified.
//!
//! Examples are data of the dialect, `dialects/*/ods/examples.toml`: one for each operation, type and attribute. `cargo xtask
//! reference` runs this with `REFERENCE=overwrite`, which writes the pages.

mod support;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, thread};

use anyhow::{Context as _, Result, ensure};
use dl_tools::reference::{Extra, Page, Subject, blocks, pages, passes_page};
use serde::Deserialize;

use self::support::trials::{self, Needs, trial};

/// The command that writes the pages.
const REPAIR: &str = "cargo xtask reference";

/// `ods/examples.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Examples {
    #[serde(default)]
    ops: BTreeMap<String, String>,
    #[serde(default)]
    types: BTreeMap<String, String>,
    #[serde(default)]
    attrs: BTreeMap<String, String>,
}

/// The part of a `Cargo.toml` that says what a crate is for.
#[derive(Deserialize)]
struct Manifest {
    package: Package,
}

#[derive(Deserialize)]
struct Package {
    description: String,
}

const CHECKS: [(&str, fn()); 4] = [
    ("pages_are_fresh", pages_are_fresh),
    ("passes_are_fresh", passes_are_fresh),
    ("examples_are_right", examples_are_right),
    ("links_lead_somewhere", links_lead_somewhere),
];

fn main() -> ExitCode {
    let run = |check: fn()| {
        check();
        Ok(None)
    };
    let mut trials: Vec<_> = CHECKS.into_iter().map(|(name, check)| trial(name, move || run(check))).collect();
    trials.push(trial("upstream_takes_the_examples", upstream_takes_the_examples));
    trials::run(trials)
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> T {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// "The `x` dialect: what it is for." without what is said already.
fn summary(description: &str) -> String {
    let text = description.split_once(": ").map_or(description, |(_, rest)| rest);
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn extra(folder: &Path) -> Extra {
    let Examples { ops, types, attrs } = read(&folder.join("ods/examples.toml"));
    let manifest: Manifest = read(&folder.join("Cargo.toml"));
    Extra { summary: summary(&manifest.package.description), ops, types, attrs }
}

fn current() -> Vec<Page> {
    let root = support::root();
    let folders = fs::read_dir(root.join("dialects")).unwrap().map(|entry| entry.unwrap().path());
    let folders = folders.filter(|folder| folder.join("ods.toml").is_file());
    let name = |folder: &Path| folder.file_name().unwrap().to_string_lossy().into_owned();
    let extra: BTreeMap<_, _> = folders.map(|folder| (name(&folder), extra(&folder))).collect();
    pages(&dl_tools::standard().context(), &extra).unwrap_or_else(|problems| {
        panic!("`dialects/*/ods/examples.toml` must have an example of everything:\n  {}", problems.join("\n  "))
    })
}

fn pages_are_fresh() {
    let folder = support::root().join("docs/reference");
    let pages = current();
    if env::var_os("REFERENCE").is_some_and(|what| what == "overwrite") {
        fs::create_dir_all(&folder).unwrap();
        for page in &pages {
            fs::write(folder.join(&page.file), &page.text).unwrap();
        }
        return;
    }
    let stale = |page: &&Page| fs::read_to_string(folder.join(&page.file)).map_or(true, |text| text != page.text);
    let stale: Vec<&str> = pages.iter().filter(stale).map(|page| page.file.as_str()).collect();
    assert!(stale.is_empty(), "docs/reference is stale: {stale:?}; `{REPAIR}` writes it");
    for entry in fs::read_dir(&folder).unwrap() {
        let file = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(pages.iter().any(|page| page.file == file), "docs/reference/{file} is of no dialect");
    }
}

fn passes_are_fresh() {
    let page = passes_page(&dl_tools::standard().passes);
    let file = support::root().join("docs").join(&page.file);
    if env::var_os("REFERENCE").is_some_and(|what| what == "overwrite") {
        fs::write(file, page.text).unwrap();
        return;
    }
    assert!(
        fs::read_to_string(file).is_ok_and(|text| text == page.text),
        "docs/passes.md is stale; `{REPAIR}` writes it"
    );
}

fn examples_are_right() {
    let mut cx = dl_tools::standard().context();
    // Targets of `gpu` are attributes of dialects that are not here.
    cx.allow_unregistered(true);
    let mut count = 0;
    let mut wrong = Vec::new();
    for page in current() {
        for example in blocks(&page.text) {
            count += 1;
            if let Err(message) = example.check(&cx) {
                wrong.push(format!("{}: {:?}:\n{}\n{message}", page.file, example.subject, example.text));
            }
        }
    }
    assert!(count > 1000, "only {count} examples were found on the pages");
    assert!(wrong.is_empty(), "{} of {count} examples are wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

/// What is right here is right upstream, where there is such a dialect.
fn upstream_takes_the_examples() -> Result<Needs> {
    // The example would need the dialect `smt`.
    const NOT_UPSTREAM: &[&str] = &["transform.smt.constrain_params"];
    let Some(tool) = support::mlir_opt() else { return Ok(Some("mlir-opt")) };
    for page in current().into_iter().filter(|page| !page.file.ends_with("accelerator.md")) {
        let mut text = String::new();
        for example in blocks(&page.text) {
            match &example.subject {
                Subject::Op(name) if NOT_UPSTREAM.contains(&name.as_str()) => continue,
                Subject::Op(_) => text += &example.text,
                _ => text += &format!("\"test.op\"() {{attr = {}}} : () -> ()\n", example.text.trim_end()),
            }
            text += "\n// -----\n";
        }
        let mut child = Command::new(&tool)
            .args(["--split-input-file", "--allow-unregistered-dialect"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().context("no standard input")?;
        let writer = thread::spawn(move || stdin.write_all(text.as_bytes()));
        let output = child.wait_with_output()?;
        writer.join().expect("writing does not panic")?;
        ensure!(output.status.success(), "{}:\n{}", page.file, String::from_utf8_lossy(&output.stderr));
    }
    Ok(None)
}

/// Links lead to a page that is there, and to a heading on it.
fn links_lead_somewhere() {
    let pages = current();
    let anchors = |page: &Page| -> Vec<String> {
        let headings = page.text.lines().filter_map(|line| line.strip_prefix('#'));
        let headings = headings.map(|line| line.trim_start_matches('#').trim_start().to_lowercase());
        let keep = |c: char| if c == ' ' { Some('-') } else { (c.is_alphanumeric() || "-_".contains(c)).then_some(c) };
        headings.map(|heading| heading.chars().filter_map(keep).collect()).collect()
    };
    let by_file: BTreeMap<&str, Vec<String>> = pages.iter().map(|page| (page.file.as_str(), anchors(page))).collect();
    for page in &pages {
        let prose: String = page.text.split("```").step_by(2).collect();
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { page.file.as_str() } else { file };
            let Some(anchors) = by_file.get(file) else { panic!("{}: `{link}` leads to no page", page.file) };
            assert!(
                anchor.is_empty() || anchors.iter().any(|a| a == anchor),
                "{}: `{link}` leads to no heading",
                page.file
            );
        }
    }
}
