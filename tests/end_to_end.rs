//! Whole programs, stage by stage and compiled, against what NumPy computed and what upstream's `mlir-opt` reads.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use self::support::files::{digits, folder, read, write};
use self::support::programs::{avx512, run, tool};
use self::support::trials::{self, Needs, trial};

/// Probabilities may differ by this much from the reference, which is computed in double precision.
const TOLERANCE: f64 = 1e-5;

/// A test that may need what is not there.
type Test = fn() -> Result<Needs>;

const TESTS: [(&str, Test); 10] = [
    ("digits/every_pass_prints_what_upstream_reads", every_pass_prints_what_upstream_reads),
    ("digits/bytecode_of_every_stage_is_read_by_both", bytecode_of_every_stage_is_read_by_both),
    ("digits/scalar_cpu_pipeline_is_the_stages_in_a_row", scalar_cpu_pipeline_is_the_stages_in_a_row),
    ("digits/probabilities_are_those_of_numpy", probabilities_are_those_of_numpy),
    ("digits/of_avx512_are_those_of_numpy", digits_of_avx512_are_those_of_numpy),
    ("digits/of_avx512_in_bf16_are_as_interpreted", digits_of_avx512_in_bf16_are_as_interpreted),
    ("digits/one_image_is_a_batch", one_image_is_a_batch),
    ("digits/an_executable_needs_nothing_but_a_linker", an_executable_needs_nothing_but_a_linker),
    ("contractions/compiled_is_as_interpreted", contractions_compiled_are_as_interpreted),
    ("convolutions/tiles_are_as_direct_sums", convolutions_by_tiles_are_as_direct_sums),
];

fn main() -> ExitCode {
    trials::run(TESTS.into_iter().map(|(name, test)| trial(name, test)).collect())
}

fn every_pass_prints_what_upstream_reads() -> Result<Needs> {
    let Some(mlir_opt) = support::mlir_opt() else { return Ok(Some("mlir-opt")) };
    let dl_opt = support::tool("dl-opt").context("no dl-opt")?;
    let folder = folder("stages")?;
    let mut input = digits("mlp.mlir");
    let passes = passes()?;
    for (index, pass) in split_passes(&passes).into_iter().enumerate() {
        let output = folder.join(format!("{index:02}.mlir"));
        let pipeline = format!("builtin.module({pass})");
        run(Command::new(&dl_opt).arg(&input).arg("--pass-pipeline").arg(pipeline).arg("-o").arg(&output))?;
        run(Command::new(&mlir_opt).arg(&output).args(["-o", "/dev/null"])).with_context(|| format!("after {pass}"))?;
        input = output;
    }
    Ok(None)
}

/// Each stage as bytecode: what one of the two tools writes is read by the other as what it reads from the text.
fn bytecode_of_every_stage_is_read_by_both() -> Result<Needs> {
    let Some(mlir_opt) = support::mlir_opt() else { return Ok(Some("mlir-opt")) };
    let dl_opt = support::tool("dl-opt").context("no dl-opt")?;
    let folder = folder("bytecode")?;
    let mut input = digits("mlp.mlir");
    let passes = passes()?;
    for (index, pass) in std::iter::once("").chain(split_passes(&passes)).enumerate() {
        let output = folder.join(format!("{index:02}.mlir"));
        let pipeline = format!("builtin.module({pass})");
        run(Command::new(&dl_opt).arg(&input).arg("--pass-pipeline").arg(pipeline).arg("-o").arg(&output))?;
        for (writer, reader) in [(&dl_opt, &mlir_opt), (&mlir_opt, &dl_opt)] {
            let bytecode = folder.join(format!("{index:02}.mlirbc"));
            let text = |file: &Path| run(Command::new(reader).arg(file).arg("--mlir-print-op-generic"));
            run(Command::new(writer).arg(&output).arg("--emit-bytecode").arg("-o").arg(&bytecode))?;
            ensure!(text(&bytecode)? == text(&output)?, "after '{pass}': {} reads another text", reader.display());
        }
        input = output;
    }
    Ok(None)
}

fn scalar_cpu_pipeline_is_the_stages_in_a_row() -> Result<Needs> {
    let dl_opt = support::tool("dl-opt").context("no dl-opt")?;
    let text = |argument: String| run(Command::new(&dl_opt).arg(digits("mlp.mlir")).arg(argument));
    let (named, stages) = (
        text("--cpu-pipeline=vectorize=false".into())?,
        text(format!("--pass-pipeline=builtin.module({})", passes()?))?,
    );
    ensure!(named == stages, "--cpu-pipeline=vectorize=false and the passes of stages.txt give different text");
    Ok(None)
}

fn probabilities_are_those_of_numpy() -> Result<Needs> {
    for back_end in support::back_ends().into_iter().filter(|&name| name != "interpreter") {
        let back_end = format!("--backend={back_end}");
        let probs = classify("mlp.mlir", &back_end, &digits("images.npy"), &folder("digits")?.join("probs.npy"))?;
        let expected: Vec<f64> = read(&digits("probs.npy"))?;
        check_close(&probs, &expected).context(back_end.clone())?;

        let labels: Vec<i64> = read(&digits("labels.npy"))?;
        let guess = |row: &[f32]| (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]));
        let right =
            probs.chunks(10).zip(&labels).filter(|&(row, &label)| guess(row) == usize::try_from(label).ok()).count();
        ensure!(
            right == 344,
            "{back_end}: expected 344 of {} images right, as in the reference, but got {right}",
            labels.len()
        );
    }
    Ok(None)
}

/// With vectors of 512 bits, powers of two by one instruction, and sums of products of bytes: probabilities, and what the model of bytes gives.
fn digits_of_avx512_are_those_of_numpy() -> Result<Needs> {
    let Some(avx512) = avx512() else { return Ok(Some("LLVM")) };
    let folder = folder("avx512")?;
    let probs = classify("mlp.mlir", &avx512, &digits("images.npy"), &folder.join("probs.npy"))?;
    let expected: Vec<f64> = read(&digits("probs.npy"))?;
    check_close(&probs, &expected)?;

    let output = folder.join("logits.npy");
    let mut command = tool("dl-run")?;
    command.arg(digits("mlp-int8.mlir")).arg(avx512).arg(format!("--input=@{}", digits("pixels.npy").display()));
    run(command.arg(format!("--output=@{}", output.display())))?;
    let (actual, expected): (Vec<i8>, Vec<i8>) = (read(&output)?, read(&digits("logits-int8.npy"))?);
    ensure!(actual == expected, "expected {expected:?}, but got {actual:?}");
    Ok(None)
}

/// Sums of products of bf16 by one instruction each, added up in another order than the interpreter's.
fn digits_of_avx512_in_bf16_are_as_interpreted() -> Result<Needs> {
    let Some(avx512) = avx512() else { return Ok(Some("LLVM")) };
    let folder = folder("avx512-bf16")?;
    let images: Vec<f32> = read(&digits("images.npy"))?;
    let input = folder.join("images.npy");
    write(&input, &[24, 64], &images[..24 * 64])?;
    let expected = classify("mlp-bf16.mlir", "--interpret", &input, &folder.join("interpreted.npy"))?;
    let actual = classify("mlp-bf16.mlir", &avx512, &input, &folder.join("compiled.npy"))?;
    check_close(&actual, &expected.into_iter().map(f64::from).collect::<Vec<_>>())?;
    Ok(None)
}

fn one_image_is_a_batch() -> Result<Needs> {
    let folder = folder("digits")?;
    let images: Vec<f32> = read(&digits("images.npy"))?;
    let image = folder.join("image.npy");
    write(&image, &[1, 64], &images[..64])?;
    for back_end in support::back_ends() {
        let probs = classify("mlp.mlir", &format!("--backend={back_end}"), &image, &folder.join("image-probs.npy"))?;
        let expected: Vec<f64> = read(&digits("probs.npy"))?;
        check_close(&probs, &expected[..10]).context(back_end)?;
    }
    Ok(None)
}

/// A program that is linked with the C library alone: its exit code is what `main` returns, 7 * 6.
fn an_executable_needs_nothing_but_a_linker() -> Result<Needs> {
    let translate = support::tool("dl-translate").context("no dl-translate")?;
    let folder = folder("executable")?;
    let source = folder.join("answer.mlir");
    fs::write(
        &source,
        "func.func @main() -> i32 { %a = arith.constant 7 : i32 %b = arith.constant 6 : i32 %c = arith.muli %a, %b : i32 return %c : i32 }",
    )?;
    for back_end in support::back_ends().into_iter().filter(|&name| name != "interpreter") {
        let program = folder.join(format!("answer-{back_end}"));
        let choice = format!("--backend={back_end}");
        run(Command::new(&translate).arg(&source).arg("--emit=exe").arg(&choice).arg("-o").arg(&program))?;
        let code = Command::new(&program).status()?.code();
        ensure!(code == Some(42), "{back_end}: exit code {code:?}");
        let failed = Command::new(&translate)
            .arg(&source)
            .args(["--emit=exe", "--linker=no-such-linker", &choice, "-o"])
            .arg(&program)
            .output()?;
        let message = String::from_utf8_lossy(&failed.stderr);
        let expected = "error: no linker for an executable (tried no-such-linker); install a C compiler or lld, or name one with --linker";
        ensure!(message.starts_with(expected), "{message}");
    }
    Ok(None)
}

/// Products and their kin in many shapes, compiled as vector code and run by the interpreter as they are. Elements are small integers, so that
/// sums are exact in any order.
fn contractions_compiled_are_as_interpreted() -> Result<Needs> {
    let dl_run = support::tool("dl-run").context("no dl-run")?;
    let folder = folder("contractions")?;
    let text = fs::read_to_string(support::root().join("tests/Inputs/contractions.mlir"))?;
    for (number, program) in text.split("// -----").enumerate() {
        let file = folder.join(format!("{number}.mlir"));
        fs::write(&file, program)?;
        let shapes = program.lines().find_map(|line| line.strip_prefix("// INPUTS: ")).context("no inputs")?;
        let mut inputs = Vec::new();
        for (index, shape) in shapes.split_whitespace().enumerate() {
            let path = folder.join(format!("{number}-{index}.npy"));
            let extents: Vec<u64> = shape.split('x').map(str::parse).collect::<Result<_, _>>()?;
            let count: u64 = extents.iter().product();
            let element = |at: u64| ((at * 7 + at / 5 + index as u64) % 9) as f32 - 4.0;
            write(&path, &extents, &(0..count).map(element).collect::<Vec<f32>>())?;
            inputs.push(format!("--input=@{}", path.display()));
        }
        let call = |how: &str, output: &str| -> Result<Vec<f32>> {
            let output = folder.join(format!("{number}-{output}.npy"));
            let mut command = Command::new(&dl_run);
            run(command.arg(&file).arg(how).args(&inputs).arg(format!("--output=@{}", output.display())))?;
            read(&output)
        };
        let expected = call("--interpret", "expected")?;
        for how in ways() {
            let actual = call(&how, "actual")?;
            ensure!(
                actual == expected,
                "program {number} of contractions.mlir: compiled {how:?} and interpreted differ"
            );
        }
    }
    Ok(None)
}

/// Convolutions of three by three with a border of zeros, a bias and a lower bound of zero, against sums of integers: exact with tiles of two by two, on
/// any vectors; close with tiles of four by four. Shapes are images, channels, rows, columns, features; some leave a part of a tile or a vector.
fn convolutions_by_tiles_are_as_direct_sums() -> Result<Needs> {
    const SHAPES: [[usize; 5]; 2] = [[1, 32, 8, 8, 32], [2, 20, 9, 7, 36]];
    let folder = folder("convolutions")?;
    let number = |at: usize, seed: usize| ((at * 7 + at / 5 + seed) % 9) as i64 - 4;
    for [images, channels, rows, columns, features] in SHAPES {
        let (input, output) = (folder.join("x.npy"), folder.join("y.npy"));
        let shape = [images, channels, rows, columns].map(|extent| extent as u64);
        let count = images * channels * rows * columns;
        write(&input, &shape, &(0..count).map(|at| number(at, 1) as f32).collect::<Vec<f32>>())?;
        let list = |numbers: Vec<i64>| numbers.iter().map(|n| format!("{n}.0")).collect::<Vec<_>>().join(", ");
        let taps = |filter: usize| format!("[{}]", list((0..9).map(|tap| number(filter * 9 + tap, 3)).collect()));
        let filter = (0..features * channels).map(taps).collect::<Vec<_>>().join(", ");
        let bias = list((0..features).map(|feature| number(feature, 5)).collect());
        let file = folder.join("convolution.mlir");
        let (plane, y) = (features * channels, format!("tensor<{images}x{features}x{rows}x{columns}xf32>"));
        let (x, padded) = (
            format!("tensor<{images}x{channels}x{rows}x{columns}xf32>"),
            format!("tensor<{images}x{channels}x{}x{}xf32>", rows + 2, columns + 2),
        );
        let (f, flat) = (format!("tensor<{features}x{channels}x3x3xf32>"), format!("tensor<{plane}x9xf32>"));
        fs::write(
            &file,
            format!(
                r#"func.func @f(%x: {x}) -> {y} {{
  %flat = arith.constant dense<[{filter}]> : {flat}
  %f = tensor.expand_shape %flat [[0, 1], [2, 3]] output_shape [{features}, {channels}, 3, 3] : {flat} into {f}
  %bias = arith.constant dense<[{bias}]> : tensor<{features}xf32>
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  }} : {x} to {padded}
  %e = tensor.empty() : {y}
  %start = linalg.fill ins(%zero : f32) outs(%e : {y}) -> {y}
  %c = linalg.conv_2d_nchw_fchw ins(%padded, %f : {padded}, {f}) outs(%start : {y}) -> {y}
  %r = linalg.generic {{
    indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  }} ins(%c, %bias : {y}, tensor<{features}xf32>) outs(%e : {y}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  }} -> {y}
  return %r : {y}
}}
"#
            ),
        )?;
        let at = |image: usize, channel: usize, row: usize, column: usize| {
            // Rows and columns count from the border on.
            let inside = (1..=rows).contains(&row) && (1..=columns).contains(&column);
            if inside { number(((image * channels + channel) * rows + row - 1) * columns + column - 1, 1) } else { 0 }
        };
        let mut expected = Vec::new();
        for result in 0..images * features * rows * columns {
            let (row, column) = (result / columns % rows, result % columns);
            let (image, feature) = (result / columns / rows / features, result / columns / rows % features);
            let products = (0..channels * 9).map(|step| {
                let (channel, tap) = (step / 9, step % 9);
                let weight = number((feature * channels + channel) * 9 + tap, 3);
                weight * at(image, channel, row + tap / 3, column + tap % 3)
            });
            expected.push((products.sum::<i64>() + number(feature, 5)).max(0) as f32);
        }
        let largest = expected.iter().copied().fold(1.0, f32::max);
        let four = "--pass-pipeline=builtin.module(cpu-pipeline{winograd-tile=4})";
        for (how, tolerance) in ways().into_iter().map(|how| (how, 0.0)).chain([(four.to_owned(), 1e-5)]) {
            let mut command = tool("dl-run")?;
            command.arg(&file).arg(&how).arg(format!("--input=@{}", input.display()));
            run(command.arg(format!("--output=@{}", output.display())))?;
            let actual: Vec<f32> = read(&output)?;
            ensure!(actual.len() == expected.len(), "{how}: {} results instead of {}", actual.len(), expected.len());
            for (index, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
                let close = (actual - expected).abs() <= tolerance * largest;
                ensure!(
                    close,
                    "{images}x{channels}x{rows}x{columns} {how}, {index}: expected {expected}, but got {actual}"
                );
            }
        }
    }
    Ok(None)
}

/// Ways to compile a program whose sums are exact, so that results are the same: with what this processor has, without the widest vectors, by the
/// embedded back end, and for a processor with the widest vectors.
fn ways() -> Vec<String> {
    let ways = ["--threads=2", "--target-features=-avx512f", "--backend=cranelift"];
    ways.map(str::to_owned).into_iter().chain(avx512()).collect()
}

/// What a classifier says of the images.
fn classify(program: &str, how: &str, images: &Path, probs: &Path) -> Result<Vec<f32>> {
    let argument = |name: &str, file: &Path| format!("--{name}=@{}", file.display());
    let mut command = tool("dl-run")?;
    command.arg(digits(program)).arg("--entry=classify").arg(how);
    run(command.arg(argument("input", images)).arg(argument("output", probs)))?;
    read(probs)
}

fn check_close(actual: &[f32], expected: &[f64]) -> Result<()> {
    ensure!(actual.len() == expected.len(), "expected {} numbers, but got {}", expected.len(), actual.len());
    for (index, (&actual, &expected)) in actual.iter().zip(expected).enumerate() {
        let difference = (f64::from(actual) - expected).abs();
        // A NaN is not below the tolerance.
        ensure!(difference <= TOLERANCE, "number {index}: expected {expected}, but got {actual}");
    }
    Ok(())
}

/// All passes of `stages.txt` in a row.
fn passes() -> Result<String> {
    let text = fs::read_to_string(digits("stages.txt"))?;
    let passes: Vec<_> = text.lines().filter_map(|line| line.split('|').nth(2).map(str::trim)).collect();
    Ok(passes.join(","))
}

/// Splits a textual pipeline at its outer commas.
fn split_passes(passes: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_outer_comma = |c: char| {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    passes.split(is_outer_comma).collect()
}
