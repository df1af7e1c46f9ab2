//! Programs that tests run.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// What `command` prints on standard output; an error with what it printed on standard error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    let status = output.status;
    ensure!(status.success(), "{command:?}: {status}\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

/// One of our tools.
pub(crate) fn tool(name: &str) -> Result<Command> {
    super::tool(name).map(Command::new).with_context(|| format!("no {name}"))
}

/// How `dl-run` compiles for a processor with AVX-512, and puts other instructions in place of those that only such processors have. Code for vectors
/// of 512 bits is made by LLVM alone.
pub(crate) fn avx512() -> Option<String> {
    let instructions = super::root().join("tests/Inputs/avx512.pdl.mlir");
    let pipeline = format!("cpu-pipeline{{target-cpu=znver5}},apply-pdl{{file={}}}", instructions.display());
    cfg!(feature = "llvm").then(|| format!("--pass-pipeline=builtin.module({pipeline})"))
}

/// The first of these programs that runs.
pub(crate) fn found(programs: &[&'static str]) -> Option<&'static str> {
    let runs = |program: &&&str| {
        let mut command = Command::new(program);
        let quiet = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    };
    programs.iter().find(runs).copied()
}
