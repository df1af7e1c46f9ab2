//! Inputs to begin with: the project's own `.mlir` tests, part by part, and the files of `fuzz/corpus`.
//!
//! A test becomes one seed for each `// -----` part, without its comments. Its RUN lines say which passes it is about: they become
//! the [pipeline line](PIPELINE) that the `passes` target reads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a line begins with that says which passes to run, as in `// pipeline: canonicalize,cse`.
pub const PIPELINE: &str = "// pipeline: ";

/// An input to begin with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seed {
    /// Its path below the root of the checkout, and for a part of a test, the number of the part.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// All seeds for `target`, sorted by name: those of the tests, and those of `fuzz/corpus/all` and `fuzz/corpus/<target>`.
///
/// # Errors
/// When a folder or file cannot be read.
pub fn seeds(target: &str) -> io::Result<Vec<Seed>> {
    let root = root();
    let mut seeds = Vec::new();
    let of_kind = match target {
        "onnx" | "npy" => files(&root.join("tests"))?,
        _ => Vec::new(),
    };
    for file in of_kind {
        if file.extension().is_some_and(|extension| extension == target) {
            seeds.push(Seed { name: name_of(&file, root), bytes: fs::read(&file)? });
        }
    }
    if !matches!(target, "pipeline" | "accelerator" | "onnx" | "npy") {
        for file in files(&root.join("tests"))? {
            if file.extension().is_some_and(|extension| extension == "mlir") {
                let name = name_of(&file, root);
                let parts = parts(&fs::read_to_string(&file)?);
                let seed = |(i, text): (usize, String)| Seed { name: format!("{name}:{i}"), bytes: text.into_bytes() };
                seeds.extend(parts.into_iter().enumerate().map(seed));
            }
        }
    }
    seeds.extend(regressions(target)?);
    Ok(seeds)
}

/// The seeds of `fuzz/corpus` alone: inputs that once failed, and hand-written ones.
///
/// # Errors
/// When a folder or file cannot be read.
pub fn regressions(target: &str) -> io::Result<Vec<Seed>> {
    let root = root();
    let mut seeds = Vec::new();
    for folder in ["all", target] {
        for file in files(&root.join("fuzz/corpus").join(folder))? {
            seeds.push(Seed { name: name_of(&file, root), bytes: fs::read(&file)? });
        }
    }
    Ok(seeds)
}

/// The root of the checkout.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is a folder of the workspace")
}

fn name_of(file: &Path, root: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).display().to_string()
}

/// All files below `folder`, sorted; none when there is no such folder.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut pending) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = pending.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() { pending.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

/// The parts of a test, without comments, each with its pipeline line.
fn parts(text: &str) -> Vec<String> {
    let pipeline = pipeline_of_run_lines(text);
    let mut parts = vec![pipeline.clone()];
    for line in text.lines() {
        if line.starts_with("// -----") {
            parts.push(pipeline.clone());
        } else if !line.trim_start().starts_with("//") && !line.trim().is_empty() {
            let part = parts.last_mut().expect("there is one");
            part.push_str(line);
            part.push('\n');
        }
    }
    parts.retain(|part| part.len() > pipeline.len());
    parts
}

/// The pipeline line for the first RUN line that runs passes; nothing if there is none.
fn pipeline_of_run_lines(text: &str) -> String {
    let runs = text.lines().filter_map(|line| line.trim_start().strip_prefix("// RUN:"));
    let pipeline = runs.map(passes_of).find(|passes| !passes.is_empty());
    pipeline.map(|passes| format!("{PIPELINE}{passes}\n")).unwrap_or_default()
}

/// The passes of a command line: `--pass-pipeline='builtin.module(...)'`, or each flag that may be a pass. Flags that are none make
/// the line one that does not parse, which costs nothing.
fn passes_of(command: &str) -> String {
    if let Some((_, rest)) = command.split_once("--pass-pipeline=") {
        let quote = rest.chars().next().filter(|c| ['\'', '"'].contains(c));
        let text = match quote {
            Some(quote) => rest[1..].split(quote).next(),
            None => rest.split_whitespace().next(),
        };
        let inner = text.and_then(|text| text.strip_prefix("builtin.module(")?.strip_suffix(')'));
        return inner.unwrap_or_default().to_owned();
    }
    let is_pass = |flag: &&str| {
        let other =
            ["split-input-file", "verify-diagnostics", "allow-unregistered-dialect", "mlir-", "check-prefix", "input"];
        !other.iter().any(|other| flag.starts_with(other)) && !flag.contains('=')
    };
    let program = command.split('|').next().unwrap_or_default();
    let flags: Vec<&str> =
        program.split_whitespace().filter_map(|word| word.strip_prefix("--")).filter(is_pass).collect();
    flags.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_come_apart() {
        let text = "// RUN: dl-opt %s --cse --split-input-file | FileCheck %s\n\n// CHECK: a\n\"a\"() : () -> ()\n  // x\n\
                    // -----\n\"b\"() : () -> ()\n// -----\n// nothing\n";
        let header = "// pipeline: cse\n";
        assert_eq!(parts(text), [format!("{header}\"a\"() : () -> ()\n"), format!("{header}\"b\"() : () -> ()\n")]);
    }

    #[test]
    fn pipelines_are_found() {
        assert_eq!(passes_of(" dl-opt %s --pass-pipeline='builtin.module(func.func(cse),a)' | x"), "func.func(cse),a");
        assert_eq!(passes_of(" dl-opt %s --canonicalize --cse --mlir-timing --split-input-file"), "canonicalize,cse");
        assert_eq!(passes_of(" dl-opt %s | FileCheck %s --check-prefix=X"), "");
    }

    #[test]
    fn there_are_seeds() {
        assert!(seeds("parse").unwrap().len() > 100);
        assert!(!seeds("pipeline").unwrap().is_empty());
        assert!(!seeds("accelerator").unwrap().is_empty());
    }
}
