//! Models compiled ahead of time: objects, libraries and headers, in programs of C, C++ and Rust that are built and run, here and for other machines.

mod support;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use anyhow::{Context, Result, ensure};
use dl_onnx::Literal;

use self::support::files::folder;
use self::support::programs::{found, run, tool};
use self::support::trials::{self, Needs, trial};

/// Probabilities may differ by this much from the reference, which is computed in double precision.
const TOLERANCE: f64 = 1e-6;

/// A test of what the back end of this name makes.
type CompiledTest = fn(&str) -> Result<Needs>;

const COMPILED: [(&str, CompiledTest); 7] = [
    ("example/c", |back_end| {
        let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"];
        example(back_end, &["cc", "gcc", "clang"], "main.c", &flags)
    }),
    ("example/cpp", |back_end| {
        example(back_end, &["c++", "g++", "clang++"], "main.cpp", &["-std=c++17", "-Wall", "-Wextra", "-Werror"])
    }),
    ("example/rust", rust),
    ("shared", shared),
    ("cross/aarch64", |back_end| {
        cross(back_end, "aarch64-unknown-linux-gnu", &["aarch64-linux-gnu-gcc"], &["qemu-aarch64"], 183)
    }),
    ("cross/riscv64", |back_end| {
        cross(back_end, "riscv64-unknown-linux-gnu", &["riscv64-linux-gnu-gcc"], &["qemu-riscv64"], 243)
    }),
    ("calls/errors_and_buffers", calls),
];

fn main() -> ExitCode {
    let mut trials = vec![trial("header/says_shapes_and_names", header), trial("invalid", invalid)];
    for back_end in support::back_ends().into_iter().filter(|&name| name != "interpreter") {
        trials.extend(COMPILED.map(|(name, test)| trial(format!("{back_end}/{name}"), move || test(back_end))));
    }
    trials::run(trials)
}

fn example(back_end: &str, compilers: &[&'static str], source: &str, flags: &[&str]) -> Result<Needs> {
    let Some(compiler) = found(compilers) else { return Ok(Some("a C or C++ compiler")) };
    let folder = folder_of(back_end, source)?;
    compile(back_end, &folder, "obj", "mlp.o", &[])?;
    compile(back_end, &folder, "header", "mlp.h", &[])?;
    let program = folder.join("classify");
    let mut command = Command::new(compiler);
    command.args(flags).arg("-I").arg(&folder).arg(embed(source)).arg(folder.join("mlp.o")).args(["-lm", "-o"]);
    run(command.arg(&program))?;
    check(|| Command::new(&program))
}

fn rust(back_end: &str) -> Result<Needs> {
    let Some(compiler) = found(&["rustc"]) else { return Ok(Some("rustc")) };
    let folder = folder_of(back_end, "main.rs")?;
    compile(back_end, &folder, "obj", "mlp.o", &[])?;
    let (object, program) = (folder.join("mlp.o"), folder.join("classify"));
    let mut command = Command::new(compiler);
    command.arg("--edition=2024").arg(embed("main.rs")).arg(format!("-Clink-arg={}", object.display()));
    run(command.args(["-Clink-arg=-lm", "-o"]).arg(&program))?;
    check(|| Command::new(&program))
}

fn shared(back_end: &str) -> Result<Needs> {
    let Some(compiler) = found(&["cc", "gcc", "clang"]) else { return Ok(Some("a C compiler")) };
    let folder = folder_of(back_end, "shared")?;
    compile(back_end, &folder, "shared", "libmlp.so", &[])?;
    compile(back_end, &folder, "header", "mlp.h", &[])?;
    let program = folder.join("classify");
    let mut command = Command::new(compiler);
    command.arg("-I").arg(&folder).arg(embed("main.c")).arg("-L").arg(&folder).arg("-lmlp");
    run(command.arg(format!("-Wl,-rpath,{}", folder.display())).arg("-o").arg(&program))?;
    check(|| Command::new(&program))
}

/// The C example for another machine. `machine` is the number that ELF has for it.
fn cross(
    back_end: &str,
    triple: &str,
    compilers: &[&'static str],
    emulators: &[&'static str],
    machine: u16,
) -> Result<Needs> {
    let folder = folder_of(back_end, triple)?;
    compile(back_end, &folder, "obj", "mlp.o", &[&format!("--target-triple={triple}")])?;
    compile(back_end, &folder, "header", "mlp.h", &[])?;
    let object = fs::read(folder.join("mlp.o"))?;
    let found_machine = object.get(18..20).and_then(|bytes| bytes.try_into().ok()).map(u16::from_le_bytes);
    ensure!(object.starts_with(b"\x7fELF") && found_machine == Some(machine), "the object is for {found_machine:?}");
    let Some(compiler) = found(compilers) else { return Ok(Some("a C compiler for that machine")) };
    let Some(emulator) = found(emulators) else { return Ok(Some("qemu-user")) };
    let program = folder.join("classify");
    let mut command = Command::new(compiler);
    command.arg("-static").arg("-I").arg(&folder).arg(embed("main.c")).arg(folder.join("mlp.o"));
    run(command.args(["-lm", "-o"]).arg(&program))?;
    check(|| {
        let mut command = Command::new(emulator);
        command.arg(&program);
        command
    })
}

/// Gives the program the rows of the model's test, and a row that is too short.
fn check(program: impl Fn() -> Command) -> Result<Needs> {
    let data = support::root().join("tests/onnx/models/dynamic_batch/test_data_set_0");
    let (input, expected) = (tensor(&data.join("input_0.pb"))?, tensor(&data.join("output_0.pb"))?);
    let text: Vec<String> = input.floats().iter().map(ToString::to_string).collect();
    let output = feed(program(), &text.join(" "))?;
    ensure!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout)?;
    let actual: Vec<f64> = printed.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let expected = expected.floats();
    ensure!(actual.len() == expected.len(), "{} numbers instead of {}", actual.len(), expected.len());
    for (at, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
        ensure!((actual - expected).abs() <= TOLERANCE, "number {at} is {actual} instead of {expected}");
    }
    let refused = feed(program(), "1 2 3 4")?;
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    ensure!(refused.status.code() == Some(1) && message == "error 3 at tensor 0\n", "{}: {message}", refused.status);
    Ok(None)
}

fn header() -> Result<Needs> {
    let folder = folder("aot/header")?;
    compile("auto", &folder, "header", "mlp.h", &["--c-name=classify"])?;
    let text = fs::read_to_string(folder.join("mlp.h"))?;
    for line in [
        "#define CLASSIFY_INPUTS 1",
        "#define CLASSIFY_INPUT_0_NAME \"x\"",
        "#define CLASSIFY_INPUT_0_DTYPE DL_F32",
        "#define CLASSIFY_INPUT_0_RANK 2",
        "#define CLASSIFY_INPUT_0_SHAPE {DL_DYNAMIC, 5}",
        "#define CLASSIFY_OUTPUT_0_NAME \"y\"",
        "#define CLASSIFY_OUTPUT_0_SHAPE {DL_DYNAMIC, 4}",
        "int32_t classify(const dl_tensor *inputs, dl_tensor *outputs);",
    ] {
        ensure!(text.lines().any(|found| found == line), "no line '{line}' in\n{text}");
    }
    Ok(None)
}

/// A program of several arguments and results, one of them given back as it came, one twice, one a scalar; each error; buffers of the caller.
fn calls(back_end: &str) -> Result<Needs> {
    let Some(compiler) = found(&["cc", "gcc", "clang"]) else { return Ok(Some("a C compiler")) };
    let folder = folder_of(back_end, "calls")?;
    let source = support::root().join("tests/Inputs/calls.mlir");
    for (form, output) in [("obj", "calls.o"), ("header", "calls.h")] {
        translate(back_end, &source, form, &["--c-name=calls"], &folder.join(output))?;
    }
    let program = folder.join("calls");
    let mut command = Command::new(compiler);
    command.args(["-fsanitize=address", "-g", "-I"]).arg(&folder).arg(support::root().join("tests/Inputs/calls.c"));
    run(command.arg(folder.join("calls.o")).args(["-lm", "-o"]).arg(&program))?;
    run(&mut Command::new(&program))?;
    Ok(None)
}

fn invalid() -> Result<Needs> {
    let mlir = support::root().join("tests/Inputs/calls.mlir");
    for (arguments, expected) in [
        (&["--emit=header"][..], "'--emit=header' needs '--c-name=NAME'"),
        (&["--emit=obj", "--c-name=a b"], "expected a name that C takes for a function"),
        (&["--emit=obj", "--c-name=main"], "expected a name that C takes for a function"),
        (&["--mlir-to-llvmir", "--c-name=f"], "'--c-name' is for '--emit'"),
    ] {
        let output = tool("dl-translate")?.arg(&mlir).args(arguments).args(["-o", "/dev/null"]).output()?;
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(!output.status.success() && message.contains(expected), "{arguments:?}: {message}");
    }
    Ok(None)
}

/// The model in a form, as a file of the folder.
fn compile(back_end: &str, folder: &Path, form: &str, output: &str, more: &[&str]) -> Result<()> {
    translate(back_end, &embed("mlp.onnx"), form, more, &folder.join(output))
}

fn translate(back_end: &str, source: &Path, form: &str, more: &[&str], output: &Path) -> Result<()> {
    let mut command = tool("dl-translate")?;
    command.arg(source).arg(format!("--emit={form}")).arg(format!("--backend={back_end}"));
    run(command.args(more).arg("-o").arg(output)).map(|_| ())
}

/// A folder for what a test makes with a back end.
fn folder_of(back_end: &str, test: &str) -> Result<PathBuf> {
    folder(&format!("aot/{back_end}/{test}"))
}

fn embed(file: &str) -> PathBuf {
    support::root().join("examples/embed").join(file)
}

fn tensor(path: &Path) -> Result<Literal> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    dl_onnx::read_tensor(bytes.into()).map(|(_, literal)| literal).map_err(anyhow::Error::msg)
}

fn feed(mut command: Command, text: &str) -> Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    child.stdin.take().context("no standard input")?.write_all(text.as_bytes())?;
    Ok(child.wait_with_output()?)
}
