//! Programs on accelerators: what each machine computes is what the CPU does, and what NumPy did.
//!
//! The machines are those of `simulator/targets` and `tests/Inputs/machines`: nothing here or in the compiler knows their names.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;

use anyhow::{Context, Result, anyhow, ensure};
use libtest_mimic::{Arguments, Trial};

use self::support::files::{digits, folder, read, write};
use self::support::programs::{run, tool};

/// A test on the machine that a file describes.
type Test = fn(&Path, &Path) -> Result<()>;

const TESTS: [(&str, Test); 5] = [
    ("digits/integers_are_those_of_numpy", digits_on_integers),
    ("digits/bf16_is_as_on_the_cpu", digits_on_bf16),
    ("digits/a_program_is_a_file", digits_as_a_program),
    ("products/are_as_interpreted", |machine, folder| are_as_interpreted(&PRODUCTS, machine, folder)),
    ("networks/are_as_interpreted", |machine, folder| are_as_interpreted(&NETWORKS, machine, folder)),
];

/// A program with inputs, and what the interpreter computes, which takes it seconds: once for all machines.
struct Program {
    path: PathBuf,
    inputs: Vec<String>,
    /// The text of the type of its result.
    result: String,
    expected: Vec<f32>,
}

/// Those of a file of `tests/Inputs`, or why there are none.
type Programs = LazyLock<Result<Vec<Program>>>;

static PRODUCTS: Programs = LazyLock::new(|| programs("products"));
static NETWORKS: Programs = LazyLock::new(|| programs("networks"));

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for machine in machines() {
        let name = machine.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for (test, check) in TESTS {
            let (machine, name) = (machine.clone(), name.clone());
            trials.push(Trial::test(format!("{name}/{test}"), move || {
                let folder = folder(&format!("accelerator/{name}/{}", test.replace('/', "-")))?;
                check(&machine, &folder).map_err(|error| format!("{error:#}").into())
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// All descriptions, sorted.
fn machines() -> Vec<PathBuf> {
    let folders = ["simulator/targets", "tests/Inputs/machines"].map(|folder| support::root().join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of machines"));
    let mut machines: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    machines.sort();
    machines
}

fn digits_on_integers(machine: &Path, folder: &Path) -> Result<()> {
    let output = folder.join("logits.npy");
    let mut command = tool("dl-run")?;
    command.arg(digits("mlp-int8.mlir")).arg(option("target", machine));
    run(command.arg(file("input", &digits("pixels.npy"))).arg(file("output", &output)))?;
    let (actual, expected): (Vec<i8>, Vec<i8>) = (read(&output)?, read(&digits("logits-int8.npy"))?);
    ensure!(actual == expected, "expected {expected:?}, but got {actual:?}");
    Ok(())
}

/// Sums of the same products in the same order are the same, and so is the softmax.
fn digits_on_bf16(machine: &Path, folder: &Path) -> Result<()> {
    let images: Vec<f32> = read(&digits("images.npy"))?;
    let input = folder.join("images.npy");
    write(&input, &[24, 64], &images[..24 * 64])?;
    let classify = |how: &str, output: &str| -> Result<Vec<f32>> {
        let output = folder.join(output);
        let mut command = tool("dl-run")?;
        run(command.arg(digits("mlp-bf16.mlir")).arg(how).arg(file("input", &input)).arg(file("output", &output)))?;
        read(&output)
    };
    let (expected, actual) = (classify("--interpret", "cpu.npy")?, classify(&option("target", machine), "probs.npy")?);
    ensure!(actual == expected, "expected {expected:?}, but got {actual:?}");
    // Rounded to bf16, probabilities are still near those of the float model.
    let exact: Vec<f64> = read(&digits("probs.npy"))?;
    let far = actual.iter().zip(&exact).filter(|(actual, exact)| (f64::from(**actual) - **exact).abs() > 0.05).count();
    ensure!(far == 0, "{far} probabilities are off by more than 0.05");
    Ok(())
}

/// The binary and the text form of the program run alone, and are one program.
fn digits_as_a_program(machine: &Path, folder: &Path) -> Result<()> {
    let (binary, text, output) = (folder.join("m.dlacc"), folder.join("m.dlasm"), folder.join("logits.npy"));
    for (form, path) in [("accelerator", &binary), ("accelerator-asm", &text)] {
        let mut command = tool("dl-translate")?;
        command.arg(digits("mlp-int8.mlir")).arg(option("target", machine)).arg(format!("--emit={form}"));
        run(command.arg("-o").arg(path))?;
    }
    let again = run(tool("dl-sim")?.arg(&binary).arg("--emit-assembly=-"))?;
    ensure!(again == fs::read(&text)?, "the binary form and the text are different programs");
    let mut command = tool("dl-sim")?;
    command.arg(&binary).arg(option("target", machine)).arg(file("input", &digits("pixels.npy")));
    run(command.arg(file("output", &output)))?;
    let (actual, expected): (Vec<i8>, Vec<i8>) = (read(&output)?, read(&digits("logits-int8.npy"))?);
    ensure!(actual == expected, "expected {expected:?}, but got {actual:?}");
    Ok(())
}

/// Each program gives what the interpreter computes: integers to the last bit, floats nearly. A sum in f32 that is another in its last place may be rounded
/// to another bf16 on its way.
fn are_as_interpreted(programs: &Programs, machine: &Path, folder: &Path) -> Result<()> {
    let programs = programs.as_ref().map_err(|error| anyhow!("{error:#}"))?;
    for (number, program) in programs.iter().enumerate() {
        let actual = program.call(&option("target", machine), &folder.join(format!("{number}.npy")))?;
        let tolerance = if program.result.contains("xf32>") { 1e-2 } else { 0.0 };
        let (path, expected) = (program.path.display(), &program.expected);
        ensure!(are_near(&actual, expected, tolerance), "{path}: expected {expected:?}, but got {actual:?}");
    }
    Ok(())
}

/// The programs of a file of `tests/Inputs`.
fn programs(name: &str) -> Result<Vec<Program>> {
    let text = fs::read_to_string(support::root().join(format!("tests/Inputs/{name}.mlir")))?;
    let folder = folder(&format!("accelerator/{name}"))?;
    text.split("// -----").enumerate().map(|(number, program)| Program::new(program, number, &folder)).collect()
}

impl Program {
    /// Writes `text`, the program of this number, and inputs for it to `folder`, and interprets it.
    fn new(text: &str, number: usize, folder: &Path) -> Result<Self> {
        let path = folder.join(format!("{number}.mlir"));
        fs::write(&path, text)?;
        let shapes = text.lines().find_map(|line| line.strip_prefix("// INPUTS: ")).context("no inputs")?;
        let mut inputs = Vec::new();
        for (index, shape) in shapes.split_whitespace().enumerate() {
            let (extents, element) = shape.rsplit_once('x').context("no element type")?;
            let extents: Vec<u64> = extents.split('x').map(str::parse).collect::<Result<_, _>>()?;
            let values =
                (0..extents.iter().product()).map(|at: u64| ((at * 37 + at / 5 + index as u64) % 251) as i32 - 125);
            let input = folder.join(format!("{number}-{index}.npy"));
            match element {
                "i8" => write(&input, &extents, &values.map(|value| value as i8).collect::<Vec<_>>())?,
                "f32" => write(&input, &extents, &values.map(|value| value as f32).collect::<Vec<_>>())?,
                _ => write(&input, &extents, &values.collect::<Vec<_>>())?,
            }
            inputs.push(file("input", &input));
        }
        let result = text.lines().find_map(|line| line.strip_prefix("func.func ")?.rsplit_once("-> "));
        let result = result.context("no result")?.1.to_owned();
        let mut program = Self { path, inputs, result, expected: Vec::new() };
        program.expected = program.call("--interpret", &folder.join(format!("{number}-expected.npy")))?;
        Ok(program)
    }

    /// What it computes when it is run in this way, by way of the file `output`.
    fn call(&self, how: &str, output: &Path) -> Result<Vec<f32>> {
        run(tool("dl-run")?.arg(&self.path).arg(how).args(&self.inputs).arg(file("output", output)))?;
        Ok(match &self.result {
            result if result.contains("xi8>") => read::<i8>(output)?.into_iter().map(f32::from).collect(),
            // Sums here have no more digits than a float.
            result if result.contains("xi32>") => read::<i32>(output)?.into_iter().map(|sum| sum as f32).collect(),
            _ => read(output)?,
        })
    }
}

/// Whether no value is off by more than this part of itself, or of one if it is small.
fn are_near(actual: &[f32], expected: &[f32], tolerance: f32) -> bool {
    let near =
        |(a, b): (&f32, &f32)| (a - b).abs() <= tolerance * b.abs().max(if tolerance > 1e-4 { 1.0 } else { 0.0 });
    actual.len() == expected.len() && actual.iter().zip(expected).all(near)
}

fn option(name: &str, path: &Path) -> String {
    format!("--{name}={}", path.display())
}

fn file(name: &str, path: &Path) -> String {
    format!("--{name}=@{}", path.display())
}
