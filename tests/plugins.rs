//! Plugins, from the outside: a crate that `dl-opt --new-dialect` writes is built in a workspace of its own, with nothing from a network, passes
//! its own tests, and is loaded by the tools; so are those of `examples/plugins`. Libraries that are no plugins, or not for this tool, are refused. A dialect of this
//! tree behaves the same as a plugin.
//!
//! Builds go to one folder that is kept, so that the core is compiled for plugins only when it has changed.

#![allow(clippy::disallowed_methods, reason = "the environment is handed on to the tools")]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

fn dl_opt() -> Command {
    tool("dl-opt")
}

fn tool(name: &str) -> Command {
    let mut command = Command::new(support::tool(name).expect("it is in every build"));
    command.env_remove("DL_PLUGIN_PATH");
    command
}

fn folder(name: &str) -> PathBuf {
    let folder = support::scratch().join("plugins").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.parent().expect("it is nested")).expect("the folder can be made");
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// What a tool that fails says, where it neither panics nor is ended by a signal.
#[track_caller]
fn message(command: &mut Command) -> String {
    let output = command.output().expect("the tool is there");
    assert_eq!(output.status.code(), Some(1), "{}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stderr)
}

const VARIABLES: [(&str, &str); 3] = [("dl-opt", "DL_OPT"), ("dl-run", "DL_RUN"), ("dl-translate", "DL_TRANSLATE")];

fn run(command: &mut Command) -> Output {
    command.output().expect("the program is there")
}

/// Cargo for a crate out of the tree, which is told of the tools by variables.
fn cargo(crate_folder: &Path, arguments: &[&str]) -> Command {
    let target = support::scratch().join("crate-out-target");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(crate_folder).env("CARGO_TARGET_DIR", target);
    command.env("CARGO_NET_OFFLINE", "true").env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false");
    // Unlike the tools: a plugin fits whatever its profile.
    command.env("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false");
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    command.envs(VARIABLES.map(|(name, variable)| (variable, support::tool(name).expect("it is in every build"))));
    command
}

/// The same as its author's shell has it: the tools are on the PATH, and no variable names them.
fn cargo_of_author(crate_folder: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo(crate_folder, arguments);
    for (_, variable) in VARIABLES {
        command.env_remove(variable);
    }
    let tool = support::tool("dl-opt").expect("it is in every build");
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders = tool.parent().map(Path::to_owned).into_iter().chain(env::split_paths(&folders));
    command.env("PATH", env::join_paths(folders).expect("no folder has a colon in its name"));
    command
}

fn library(name: &str) -> PathBuf {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let file = format!("{}{name}{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    support::scratch().join("crate-out-target").join(profile).join(file)
}

/// Replaces the first `from` in a file.
fn edit(file: &Path, from: &str, to: &str) {
    let old = fs::read_to_string(file).expect("the file was written");
    assert!(old.contains(from), "'{from}' is in {}", file.display());
    fs::write(file, old.replacen(from, to, 1)).expect("it can be written");
}

#[test]
fn a_new_dialect_is_built_tested_and_loaded() {
    let lamp = folder("lamp");
    let said = good(&dl_opt().args(["--new-dialect", "lamp"]).arg(&lamp).output().expect("the tool is there"));
    assert!(said.starts_with("wrote the crate of the dialect 'lamp'"), "{said}");
    let again = message(dl_opt().args(["--new-dialect", "lamp"]).arg(&lamp));
    assert!(again.contains("it is there already"), "{again}");

    let tested = run(&mut cargo_of_author(&lamp, &["test", "--quiet"]));
    assert!(good(&tested).contains("2 passed; 0 failed"), "{}", text(&tested.stdout));
    assert!(!text(&tested.stderr).contains("warning"), "{}", text(&tested.stderr));

    // From here on with faults, which the environment and the program bring about.
    let panics = |when: &str, why: &str| format!("if std::env::var_os(\"{when}\").is_some() {{ panic!(\"{why}\") }}");
    edit(
        &lamp.join("src/lib.rs"),
        "    registry.dialect",
        &format!("    {}\n    registry.dialect", panics("AT_START", "no oil")),
    );
    let start = "        let mut patterns = Patterns::new();";
    edit(&lamp.join("src/lower.rs"), start, &format!("        {}\n{start}", panics("IN_PASS", "no wick")));
    edit(
        &lamp.join("src/ops.rs"),
        "        _ => Ok(()),",
        "        Some(13) => panic!(\"no luck\"),\n        _ => Ok(()),",
    );
    edit(
        &lamp.join("src/ops.rs"),
        "    if scale.by()",
        "    assert!(scale.by().as_int() != Some(14), \"no fuse\");\n    if scale.by()",
    );
    good(&run(&mut cargo(&lamp, &["build", "--quiet"])));
    let plugin = library("lamp_dialect");
    let load = format!("--load-dialect-plugin={}", plugin.display());

    shows_what_it_brings(&load, &plugin);
    panics_are_told(&lamp, &load);
    other_libraries_are_refused(&plugin);
}

fn shows_what_it_brings(load: &str, plugin: &Path) {
    let expected = "lamp-dialect 0.1.0\n  dialects: lamp\n  passes: convert-lamp-to-arith\n";
    let show = |command: &mut Command| good(&command.arg("--show-plugins").output().expect("the tool is there"));
    assert_eq!(show(dl_opt().arg(load)), expected);
    // Twice is once, and either flag does.
    assert_eq!(show(dl_opt().arg(load).arg(load.replace("dialect-plugin", "pass-plugin"))), expected);
    let path = plugin.parent().expect("it is in a folder");
    assert_eq!(show(dl_opt().args(["--load-pass-plugin", "lamp-dialect"]).env("DL_PLUGIN_PATH", path)), expected);
    // A folder after others, of which one is empty and one is not there; by the name of the crate or of the file.
    let folders = std::ffi::OsString::from_iter(["/nowhere::".as_ref(), path.as_os_str()]);
    let file = plugin.file_name().expect("it is a file").to_string_lossy().into_owned();
    for name in ["lamp-dialect", "lamp_dialect", &file] {
        assert_eq!(show(dl_opt().args(["--load-dialect-plugin", name]).env("DL_PLUGIN_PATH", &folders)), expected);
    }
    assert_eq!(show(&mut dl_opt()), "No plugin is loaded.\n");
    let missing = message(dl_opt().args(["--load-pass-plugin", "lamps"]).env("DL_PLUGIN_PATH", path));
    assert!(missing.contains("cannot open the plugin 'lamps': there is no such file"), "{missing}");
    assert!(missing.contains("in DL_PLUGIN_PATH"), "{missing}");
    let unset = message(dl_opt().arg("--load-pass-plugin=lamp-dialect"));
    assert!(unset.contains("there is no such file, and DL_PLUGIN_PATH is not set"), "{unset}");
    let path = message(dl_opt().arg("--load-pass-plugin=./lamp-dialect").env("DL_PLUGIN_PATH", path));
    assert!(path.contains("cannot open the plugin './lamp-dialect': there is no such file"), "{path}");
}

fn panics_are_told(lamp: &Path, load: &str) {
    let at_start = message(dl_opt().arg(load).env("AT_START", "1"));
    assert!(at_start.contains("the plugin 'lamp-dialect' in "), "{at_start}");
    assert!(at_start.contains("panicked when it was loaded: no oil"), "{at_start}");

    // In a pass it is a failure of the pass, in a hook that the tool calls the end.
    let program = lamp.join("tests/ops.mlir");
    let in_pass =
        message(dl_opt().arg(load).arg("--convert-lamp-to-arith").arg(&program).env("IN_PASS", "1").current_dir(lamp));
    assert!(in_pass.contains("error: plugin 'lamp-dialect' panicked at src/lower.rs:"), "{in_pass}");
    assert!(in_pass.contains("pass 'convert-lamp-to-arith' crashed: no wick; this is a bug in the pass"), "{in_pass}");
    let unlucky = lamp.join("unlucky.mlir");
    for (by, flags, why) in [(13, &[][..], ": no luck"), (14, &["--canonicalize"], ": no fuse")] {
        let text =
            format!("func.func @f(%x: i32) -> i32 {{\n  %y = lamp.scale %x by {by} : i32\n  return %y : i32\n}}\n");
        fs::write(&unlucky, text).expect("it can be written");
        let in_hook = message(dl_opt().arg(load).arg(&unlucky).args(flags));
        assert!(in_hook.contains("error: plugin 'lamp-dialect' panicked at src/ops.rs:"), "{in_hook}");
        assert!(in_hook.contains(why), "{in_hook}");
    }
}

fn other_libraries_are_refused(plugin: &Path) {
    let folder = folder("refused");
    fs::create_dir_all(&folder).expect("it can be made");
    let bytes = fs::read(plugin).expect("the plugin is there");
    let refused = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, bytes).expect("it can be written");
        message(dl_opt().arg(format!("--load-dialect-plugin={}", file.display())))
    };
    // Cut where the loader of the system would not notice before it is too late.
    for part in [0, 10, 64, 4096, bytes.len() / 2, bytes.len() - 1] {
        let said = refused("cut.so", &bytes[..part]);
        assert!(said.contains("is no plugin"), "{part}: {said}");
    }
    assert!(refused("text.so", b"not a library").contains("is no plugin"));
    let this = fs::read(support::tool("dl-opt").expect("it is in every build")).expect("the tool is there");
    assert!(refused("tool.so", &this).contains("it has no line 'dl_plugin::declare_plugin!(...)'"));
    assert!(message(dl_opt().arg("--load-dialect-plugin=/")).contains("it is a folder"));

    // Another label in the same library: each of what must be equal.
    let head = b"dl-plugin 2\nname lamp-dialect\n";
    let at = bytes.windows(head.len()).position(|window| window == head).expect("the label is in the file");
    let label_end = at + bytes[at..].iter().position(|&byte| byte == 0).expect("the label ends");
    let label = text(&bytes[at..label_end]);
    let facts = [("framework", "dl"), ("target", "target"), ("rustc", "compiler"), ("sources", "sources of dl")];
    for (key, what) in facts {
        let line = label.lines().find(|line| line.starts_with(key)).expect("the label has it");
        let value = line.split_once(' ').expect("a key and a value").1;
        let other = format!("X{}", &value[1..]);
        let mut changed = bytes.clone();
        let place = at + label.find(line).expect("it is there") + key.len() + 1;
        changed[place] = b'X';
        let said = refused("other.so", &changed);
        assert!(said.contains("was not built for this dl-opt"), "{said}");
        assert!(said.contains(&format!("  {what}: the plugin has '{other}', dl-opt has '{value}'; build")), "{said}");
    }
    let mut newer = bytes.clone();
    newer[at + 10] = b'3';
    assert!(refused("newer.so", &newer).contains("a version of dl that this tool does not know"));
}

/// Versions of packages in a `Cargo.lock`.
fn locked(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("there is a lock file");
    let packages = text.split("[[package]]").skip(1).filter(|package| package.contains("\nsource = "));
    packages.map(|package| package.lines().skip(1).take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn examples_pass_their_tests() {
    let folder = support::root().join("examples/plugins");
    // Without `--locked`: where crates of this tree depend on each other in another way, cargo notes that there.
    let tested = run(&mut cargo(&folder, &["test", "--quiet"]));
    good(&tested);
    assert!(!text(&tested.stderr).contains("warning"), "{}", text(&tested.stderr));
    good(&run(&mut cargo(&folder, &["build", "--quiet"])));
    let known = locked(&support::root().join("Cargo.lock"));
    for package in locked(&folder.join("Cargo.lock")) {
        let repair = "copy 'Cargo.lock' there and run 'cargo metadata --offline' there";
        assert!(
            known.contains(&package),
            "examples/plugins/Cargo.lock has {package}, and Cargo.lock has not; {repair}"
        );
    }
    let shown = |name: &str| {
        let load = format!("--load-dialect-plugin={}", library(name).display());
        good(&dl_opt().args([&load, "--show-plugins"]).output().expect("the tool is there"))
    };
    assert_eq!(shown("fuse_softmax"), "fuse-softmax 0.1.0\n  passes: fuse-softmax\n");
    assert_eq!(shown("posit_dialect"), "posit-dialect 0.1.0\n  dialects: posit\n  passes: convert-posit-to-arith\n");
    let toy = "toy-dialect 0.1.0\n  dialects: toy\n  passes: convert-toy-to-affine, toy-infer-shapes\n  pipelines: toy-pipeline\n";
    assert_eq!(shown("toy_dialect"), toy);
}

/// A plugin that brings all that a plugin may besides what `lamp` has: another version of a dialect of this tree, with two operations more, passes of this tree, a form for
/// `dl-translate`, a back end for `dl-run`, and a simulator for `dl-sim`.
const MORE: &str = include_str!("Inputs/plugins/more.rs");

/// Writes and builds the crate of [`MORE`].
fn more() -> String {
    let (folder, root) = (folder("more"), support::root());
    fs::create_dir_all(folder.join("src")).expect("it can be made");
    let dependency = |name: &str, path: &str| format!("{name} = {{ path = \"{}\" }}\n", root.join(path).display());
    let manifest = format!(
        "[package]\nname = \"more\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n[dependencies]\n{}{}{}{}{}\n[workspace]\n",
        dependency("dl-interpreter", "interpreter"),
        dependency("dl-ir", "ir"),
        dependency("dl-math", "dialects/math"),
        dependency("dl-passes-arith", "passes/arith"),
        dependency("dl-plugin", "plugin"),
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("it can be written");
    fs::write(folder.join("src/lib.rs"), MORE).expect("it can be written");
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("it can be written");
    good(&run(&mut cargo(&folder, &["build", "--quiet"])));
    format!("--load-dialect-plugin={}", library("more").display())
}

#[test]
fn what_plugins_bring() {
    let load = more();
    let shown = good(&dl_opt().args([&load, "--show-plugins"]).output().expect("the tool is there"));
    let passes = "arith-emulate-unsupported-floats, arith-emulate-wide-int, arith-expand, arith-int-range-narrowing, arith-simplify, \
                  arith-unsigned-when-equivalent, int-range-optimizations";
    let expected = format!(
        "more 0.1.0\n  dialects: math\n  passes: {passes}\n  translations: names\n  back ends: careful\n  simulators: adder\n"
    );
    assert_eq!(shown, expected);
    for name in ["dl-run", "dl-translate", "dl-sim"] {
        let same = tool(name).args([&load, "--show-plugins"]).output().expect("the tool is there");
        assert_eq!(good(&same), shown, "{name}");
    }
    math_behaves_the_same(&load);
    arith_passes_behave_the_same(&load);
    a_simulator_simulates(&load);

    let file = folder("programs.mlir");
    fs::write(&file, "math.spill\n").expect("it can be written");
    let in_parser = message(dl_opt().arg(&load).arg(&file));
    assert!(in_parser.contains("error: plugin 'more' panicked at src/lib.rs:"), "{in_parser}");
    assert!(in_parser.contains(": no ink"), "{in_parser}");

    let program = "func.func private @half(%x: f64) -> f64 {\n  %c = arith.constant 0.5 : f64\n  %y = arith.mulf %x, %c : f64\n  return %y : f64\n}\n\
                   func.func @main(%x: f64) -> f64 {\n  %h = call @half(%x) : (f64) -> f64\n  %y = math.sqrt %h : f64\n  return %y : f64\n}\n";
    fs::write(&file, program).expect("it can be written");
    // The pipeline has inlined the one and erased it.
    let translated = tool("dl-translate").args([&load, "--emit=names"]).arg(&file).output().expect("the tool is there");
    assert_eq!(good(&translated), "main\n");
    let unknown = tool("dl-translate").arg("--emit=names").arg(&file).output().expect("the tool is there");
    assert!(text(&unknown.stderr).contains("invalid value 'names' for '--emit <FORM>'"), "{}", text(&unknown.stderr));
    let run = |backend: &str, input: &str| {
        let mut command = tool("dl-run");
        command.args([&load, backend, input]).arg(&file);
        command
    };
    let ran = run("--backend=careful", "--input=8").output().expect("the tool is there");
    assert_eq!(good(&ran), "float64 []\n2.0\n");
    let wrong = message(&mut run("--backend=carefull", "--input=8"));
    assert!(wrong.contains("no back end 'carefull', did you mean 'careful'?"), "{wrong}");
    fs::write(&file, "func.func @main(%x: memref<2xf32>) {\n  return\n}\n").expect("it can be written");
    let unsupported = message(&mut run("--backend=careful", "--input=[1, 2]"));
    assert!(unsupported.contains("unsupported: memrefs"), "{unsupported}");
}

fn a_simulator_simulates(load: &str) {
    let folder = folder("simulator");
    fs::create_dir_all(&folder).expect("it can be made");
    let write = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, bytes).expect("it can be written");
        file.display().to_string()
    };
    // The header that NumPy writes for an array of uint8 with the extents 2 and 2.
    let mut input = b"\x93NUMPY\x01\x00\x76\x00{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }".to_vec();
    input.resize(127, b' ');
    input.extend(b"\n\x01\x02\xff\x10");
    let (input, three, target) = (write("in.npy", &input), write("three", &[3]), write("machine", b"17\n"));
    let run = |program: &str, flags: &[&str]| {
        let mut command = tool("dl-sim");
        command.args([load, program, "--simulator=adder"]).args(flags);
        command
    };
    let output = |mut command: Command| good(&command.output().expect("the tool is there"));
    let input = format!("--input=@{input}");
    assert_eq!(output(run(&three, &[&input])), "uint8 [2x2]\n[[ 4  5]\n [ 2 19]]\n");
    let timed = run(&three, &["--timing-only", &format!("--target={target}")]);
    assert_eq!(output(timed), "cycles 17\n");
    assert_eq!(output(run(&three, &[&input, "--report"])), "cycles unknown\n");
    let wrong = message(&mut run(&target, &[&input]));
    assert_eq!(wrong, "error: expected a program of one byte, but got 3\n");
    let wrong = message(&mut run(&write("all", &[255]), &[]));
    assert!(wrong.contains("the simulator 'adder' made no array of output 1: uint8 ["), "{wrong}");
    // Without the plugin there is no such simulator.
    let unknown = tool("dl-sim").args([&three, "--simulator=adder"]).output().expect("the tool is there");
    assert!(
        text(&unknown.stderr).contains("invalid value 'adder' for '--simulator <NAME>'"),
        "{}",
        text(&unknown.stderr)
    );
    let unsupported = run(&three, &["--trace=-"]).output().expect("the tool is there");
    assert!(text(&unsupported.stderr).contains("cannot be used with"), "{}", text(&unsupported.stderr));
}

/// The tests of `math` in this tree do the same, whether the dialect is the tool's or the plugin's.
fn math_behaves_the_same(load: &str) {
    let mark = |load: &[&str]| {
        let file = folder("mark.mlir");
        fs::write(&file, "\"math.mark\"() : () -> ()\n").expect("it can be written");
        dl_opt().args(load).arg(file).output().expect("the tool is there").status.success()
    };
    assert!(mark(&[load]) && !mark(&[]), "the dialect is that of the plugin where it is loaded");

    let folders = ["dialects/math", "conversion/math-to-funcs", "conversion/math-to-libm", "conversion/math-to-llvm"];
    let files: Vec<PathBuf> = folders.into_iter().flat_map(tests_in).collect();
    assert!(files.len() > 5, "{files:?}");
    let flags = [
        &["--mlir-print-op-generic"][..],
        &["--canonicalize", "--cse"],
        &["--math-expand-ops", "--math-uplift-to-fma"],
        &["--convert-math-to-funcs", "--convert-math-to-llvm"],
        &["--convert-math-to-libm"],
    ];
    same_with_plugin(load, &files, &flags);
}

/// So do those of passes on `arith`.
fn arith_passes_behave_the_same(load: &str) {
    let is_arith = |file: &PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("arith-"));
    let files: Vec<PathBuf> = tests_in("passes").filter(is_arith).collect();
    assert!(files.len() > 5, "{files:?}");
    let flags = [
        &["--arith-emulate-wide-int=widest-int-supported=8"][..],
        &["--arith-expand=include-bf16"],
        &["--arith-int-range-narrowing=int-bitwidths-supported=8,16,32"],
        &["--int-range-optimizations", "--arith-unsigned-when-equivalent", "--arith-simplify"],
    ];
    same_with_plugin(load, &files, &flags);
}

/// Files of a folder of tests.
fn tests_in(folder: &str) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(support::root().join("tests").join(folder)).expect("there are tests");
    entries.map(|entry| entry.expect("it can be listed").path())
}

/// `dl-opt` with each of `flags` answers the same for each file, whether the plugin is loaded or not.
#[track_caller]
fn same_with_plugin(load: &str, files: &[PathBuf], flags: &[&[&str]]) {
    for (file, flags) in files.iter().flat_map(|file| flags.iter().map(move |flags| (file, flags))) {
        let run = |load: &[&str]| {
            let mut command = dl_opt();
            command.args(load).args(*flags).arg("--split-input-file").arg(file);
            let output = command.output().expect("the tool is there");
            (output.status.code(), text(&output.stdout), text(&output.stderr))
        };
        assert_eq!(run(&[load]), run(&[]), "{} {}", flags.join(" "), file.display());
    }
}
