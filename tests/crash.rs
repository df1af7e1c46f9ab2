//! What `dl-opt` does about passes that crash, fail, do not come to an end, or change what a program does.
//!
//! No such pass is in the tools, so this test is a tool itself: called with [`AS_TOOL`] first, it is `dl-opt` with more
//! passes.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::{env, fs};

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{Context, OpId, Rewriter};
use libtest_mimic::{Arguments, Failed, Trial};

/// First argument of a call that is meant for the tool.
const AS_TOOL: &str = "--as-dl-opt";

/// Panics on functions whose name begins with `bad`.
#[derive(Clone, Default)]
struct Crash;

impl Pass for Crash {
    const INFO: PassInfo = PassInfo::new("test-crash", "Crash on bad functions").title("TestCrash");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let name = cx.root().symbol_name().unwrap_or_default();
        assert!(!name.starts_with("bad"), "'{name}' was not foreseen");
        Ok(())
    }
}

/// Sets the attribute `side` of constants from one of two values to the other.
struct Flip {
    from: i64,
    to: i64,
}

impl Flip {
    fn apply(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let side = rw.op(op).attr("side").and_then(|side| side.as_int());
        if side != Some(self.from) {
            return Err(NoMatch("on the other side"));
        }
        let cx: &Context = rw.cx();
        rw.set_attr(op, cx.ident("side"), cx.int_attr(cx.i64_type(), self.to));
        Ok(())
    }
}

struct Left;
impl Pattern for Left {
    const NAME: &'static str = "test-to-left";
    const ROOT: Option<&'static str> = Some("func.return");
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        Flip { from: 1, to: 0 }.apply(op, rw)
    }
}

struct Right;
impl Pattern for Right {
    const NAME: &'static str = "test-to-right";
    const ROOT: Option<&'static str> = Some("func.return");
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        Flip { from: 0, to: 1 }.apply(op, rw)
    }
}

/// Applies two patterns that undo each other.
#[derive(Clone, Default)]
struct Endless;

impl Pass for Endless {
    const INFO: PassInfo = PassInfo::new("test-endless", "Apply patterns that undo each other");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add(Left).add(Right);
        let config = GreedyConfig { fuel: 20_000, ..GreedyConfig::default() };
        cx.rewrite_greedily(&patterns.freeze(), &config)?;
        Ok(())
    }
}

/// Turns `a - b` into `b - a`, and the other way round only where it is marked.
struct Swap;
impl Pattern for Swap {
    const NAME: &'static str = "test-swap";
    const ROOT: Option<&'static str> = Some("arith.subi");
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        if rw.op(op).attr("swapped").is_some() {
            return Err(NoMatch("is swapped already"));
        }
        let [a, b] = [0, 1].map(|at| rw.op(op).operand(at).id());
        rw.set_operands(op, &[b, a]);
        let cx: &Context = rw.cx();
        rw.set_attr(op, cx.ident("swapped"), cx.unit_attr());
        Ok(())
    }
}

/// Applies a pattern that is wrong.
#[derive(Clone, Default)]
struct Miscompile;

impl Pass for Miscompile {
    const INFO: PassInfo = PassInfo::new("test-miscompile", "Subtract the wrong way round");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add(Swap);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// The tool with these passes.
fn tool(args: &[String]) -> ExitCode {
    let mut registry = dl_tools::standard();
    registry.passes.pass::<Crash>().pass::<Endless>().pass::<Miscompile>();
    match dl_tools::opt::main_with(&registry, args) {
        Ok(true) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    if let Some((AS_TOOL, rest)) = args.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return tool(rest);
    }
    let trials = vec![
        trial("a_panic_names_the_pass_and_writes_a_reproducer", panic_is_reproduced),
        trial("a_reproducer_goes_where_it_is_asked_for", reproducer_where_asked_for),
        trial("output_does_not_depend_on_threads", threads_do_not_show),
        trial("the_oracle_names_pass_and_pattern", wrong_pass_is_named),
        trial("the_oracle_is_silent_where_all_is_well", right_passes_are_not_blamed),
        trial("patterns_that_undo_each_other_are_named", endless_patterns_are_named),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(name: &'static str, run: fn(&Path) -> Result<(), String>) -> Trial {
    Trial::test(name, move || {
        let folder = support::scratch().join("crash").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        run(&folder).map_err(Failed::from)
    })
}

const INPUT: &str =
    "func.func @good() {\n  return\n}\nfunc.func @bad0() {\n  return\n}\nfunc.func @bad1() {\n  return {side = 0}\n}\n";

/// Calls the tool on the input; temporary files go to `folder`.
fn call(folder: &Path, file: &Path, args: &[&str]) -> Result<Output, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(this);
    command.arg(AS_TOOL).arg(file).args(args).env("TMPDIR", folder).env("RUST_BACKTRACE", "0").current_dir(folder);
    command.output().map_err(|error| error.to_string())
}

fn input(folder: &Path) -> Result<PathBuf, String> {
    let file = folder.join("input.mlir");
    fs::write(&file, INPUT).map_err(|error| error.to_string())?;
    Ok(file)
}

/// What was printed on standard error, without what the process itself says of panics.
fn messages(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let ours: Vec<&str> = text.lines().skip_while(|line| !line.contains(": error: ")).collect();
    ours.join("\n")
}

fn expect(holds: bool, what: &str, found: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("expected {what} in:\n{found}")) }
}

const PIPELINE: &str = "--pass-pipeline=builtin.module(func.func(cse,test-crash),canonicalize)";

fn panic_is_reproduced(folder: &Path) -> Result<(), String> {
    let output = call(folder, &input(folder)?, &[PIPELINE])?;
    let text = messages(&output);
    expect(output.status.code() == Some(1) && output.stdout.is_empty(), "failure without output", &text)?;
    let crash = "input.mlir:4:1: error: 'func.func' op pass 'test-crash' crashed: 'bad0' was not foreseen; this is a bug in the \
                 pass";
    expect(text.contains(crash), crash, &text)?;
    let passes = "Pipeline failed while executing [`TestCrash` on 'func.func' operation: @bad0, `TestCrash` on 'func.func' \
                  operation: @bad1]: reproducer generated at `";
    let (_, rest) = text.split_once(passes).ok_or_else(|| format!("expected {passes} in:\n{text}"))?;
    let file = rest.split('`').next().unwrap_or_default();
    let reproducer = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let pipeline = "pipeline: \"builtin.module(func.func(cse,test-crash),canonicalize";
    expect(reproducer.contains("func.func @bad1()") && reproducer.contains(pipeline), pipeline, &reproducer)?;

    let again = call(folder, Path::new(file), &["--run-reproducer"])?;
    let text = messages(&again);
    let crash = "error: 'func.func' op pass 'test-crash' crashed: 'bad0' was not foreseen";
    expect(again.status.code() == Some(1) && text.contains(crash), crash, &text)
}

fn reproducer_where_asked_for(folder: &Path) -> Result<(), String> {
    let file = folder.join("again.mlir");
    let flag = format!("--mlir-pass-pipeline-crash-reproducer={}", file.display());
    let local = ["--mlir-pass-pipeline-local-reproducer", "--mlir-disable-threading"];
    for (more, pipeline) in
        [(&[][..], "func.func(cse,test-crash)"), (&local[..], "builtin.module(func.func(test-crash))")]
    {
        let args = [&[PIPELINE, flag.as_str()], more].concat();
        let text = messages(&call(folder, &input(folder)?, &args)?);
        expect(text.contains(&format!("reproducer generated at `{}`", file.display())), "the name of the file", &text)?;
        let reproducer = fs::read_to_string(&file).map_err(|error| error.to_string())?;
        expect(reproducer.contains(pipeline), pipeline, &reproducer)?;
    }
    Ok(())
}

fn threads_do_not_show(folder: &Path) -> Result<(), String> {
    let file = folder.join("many.mlir");
    let function =
        |i: usize| format!("func.func @{}{i}() {{\n  return\n}}\n", if i.is_multiple_of(3) { "bad" } else { "good" });
    fs::write(&file, (0..60).map(function).collect::<String>()).map_err(|error| error.to_string())?;
    let mut first: Option<String> = None;
    for threads in ["--mlir-disable-threading", "--threads=1", "--threads=2", "--threads=7", "--threads=0"] {
        let flag = "--mlir-pass-pipeline-crash-reproducer=again.mlir";
        let output = call(folder, &file, &[PIPELINE, flag, threads])?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        // Panics announce themselves when they happen.
        let ours: String =
            text.lines().filter(|line| line.contains(": error: ") || line.contains(": note: ")).collect();
        expect(ours.matches("crashed").count() == 20, "20 crashes", &text)?;
        expect(*first.get_or_insert_with(|| ours.clone()) == ours, "the same messages as with one thread", &ours)?;
    }
    Ok(())
}

fn endless_patterns_are_named(folder: &Path) -> Result<(), String> {
    let output = call(folder, &input(folder)?, &["--test-endless"])?;
    let text = messages(&output);
    let message = "rewriting does not converge: pattern 'test-to-left' and pattern 'test-to-right' undo each other";
    expect(output.status.code() == Some(1) && text.contains(message), message, &text)?;
    let counts =
        "note: among the last 1024 rewrites: pattern 'test-to-left' 512 times, pattern 'test-to-right' 512 times";
    expect(text.contains(counts), counts, &text)
}

/// Calls of functions that are only declared, whose types the conversion to `llvm` changes.
const DECLARED: &str = "func.func private @size() -> index\nfunc.func private @two() -> (index, f32)\n\
    func.func @calls(%a: index) -> (index, index) {\n  %0 = func.call @size() : () -> index\n  \
    %1:2 = func.call @two() : () -> (index, f32)\n  %2 = arith.addi %0, %a : index\n  return %2, %1#0 : index, index\n}\n";

const DIFFERENCE: &str =
    "func.func @difference(%a: i32, %b: i32) -> i32 {\n  %0 = arith.subi %a, %b : i32\n  return %0 : i32\n}\n";

fn wrong_pass_is_named(folder: &Path) -> Result<(), String> {
    let file = folder.join("input.mlir");
    fs::write(&file, DIFFERENCE).map_err(|error| error.to_string())?;
    for (mode, names_pattern) in [("each-pass", false), ("each-rewrite", true)] {
        let passes = ["--cse", "--test-miscompile", "--canonicalize", &format!("--oracle={mode}")];
        let output = call(folder, &file, &passes)?;
        let said = messages(&output);
        expect(!output.status.success(), "a failure", &said)?;
        expect(said.contains("pass 'test-miscompile' changes what 'difference' does: given ("), "the pass", &said)?;
        expect(said.matches(": error: ").count() == 1, "one error", &said)?;
        expect(said.contains("arith.subi %arg1, %arg0"), "the function after the pass", &said)?;
        let pattern = "it is well until pattern 'test-swap' is applied to 'arith.subi'";
        expect(said.contains(pattern) == names_pattern, "the pattern, where it was asked for", &said)?;
    }
    Ok(())
}

fn right_passes_are_not_blamed(folder: &Path) -> Result<(), String> {
    let file = folder.join("input.mlir");
    for (program, passes) in [
        (DIFFERENCE, &["--cse", "--canonicalize", "--convert-arith-to-llvm"][..]),
        (DECLARED, &["--canonicalize", "--convert-to-llvm", "--reconcile-unrealized-casts"]),
    ] {
        fs::write(&file, program).map_err(|error| error.to_string())?;
        let output = call(folder, &file, &[passes, &["--oracle=each-pass"]].concat())?;
        expect(output.status.success(), "success", &messages(&output))?;
    }
    Ok(())
}
