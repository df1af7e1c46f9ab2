//! `cargo xtask order`: writes down which of LLVM's functions the tools call, so that a linker can put them side by side.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::setup;

/// The list, which `tools/build.rs` hands to the linker.
const ORDER: &str = "codegen/llvm/order.txt";

/// The tools, of which each calls constructors of LLVM's options before `main`.
const TOOLS: [&str; 3] = ["dl-opt", "dl-run", "dl-translate"];

/// What is compiled to see what compiling calls: products, convolutions, recurrences and attention, in floats and bytes.
const PROGRAMS: [&str; 6] = [
    "examples/digits/mlp.mlir",
    "examples/digits/mlp-bf16.mlir",
    "examples/digits/mlp-int8.mlir",
    "tests/onnx/models/convolution/model.onnx",
    "tests/onnx/models/lstm/model.onnx",
    "tests/onnx/models/dynamic_attention/model.onnx",
];

/// Processors that they are compiled for: vectors of 256 bits and of 512.
const PROCESSORS: [&str; 2] = ["x86-64-v3", "sapphirerapids"];

/// Longer names are left out: a tenth of all functions, with a quarter of the text of the list.
const LONGEST_NAME: usize = 190;

/// Runs the tools under Valgrind and writes the list: first what is called before `main`, then what compiling calls.
pub(crate) fn run(sh: &Shell) -> Result<()> {
    let llvm = setup::run(sh)?;
    llvm.export_to(sh);
    cmd!(sh, "valgrind --version")
        .quiet()
        .ignore_stdout()
        .run()
        .context("Valgrind is needed; Debian has it in the package valgrind")?;
    cmd!(sh, "cargo build --release --package dl-tools --features llvm --bins").run()?;

    let folder = sh.create_temp_dir()?;
    let folder = folder.path();
    let mut starting = BTreeSet::new();
    for tool in TOOLS {
        // Valgrind reads the symbols of a program; what debuggers read besides takes it minutes.
        let (program, stripped) = (Path::new("target/release").join(tool), folder.join(tool));
        let objcopy = llvm.prefix().join("bin/llvm-objcopy");
        cmd!(sh, "{objcopy} --strip-debug {program} {stripped}").run()?;
        starting.append(&mut called(sh, folder, tool, &["--version"])?);
    }
    let mut compiling = BTreeSet::new();
    for program in PROGRAMS {
        for processor in PROCESSORS {
            let processor = format!("--target-cpu={processor}");
            compiling.append(&mut called(
                sh,
                folder,
                "dl-translate",
                &[program, "--emit=obj", &processor, "-o", "/dev/null"],
            )?);
        }
    }
    let names: Vec<&str> = starting.iter().chain(compiling.difference(&starting)).map(String::as_str).collect();
    sh.write_file(ORDER, names.join("\n") + "\n")?;
    println!("{ORDER}: {} functions before main, {} in all", starting.len(), names.len());
    Ok(())
}

/// The functions of LLVM that a run of a tool calls.
fn called(sh: &Shell, folder: &Path, tool: &str, arguments: &[&str]) -> Result<BTreeSet<String>> {
    let (program, profile) = (folder.join(tool), folder.join("profile"));
    let mut valgrind = cmd!(
        sh,
        "valgrind --quiet --tool=callgrind --demangle=no --compress-strings=no --callgrind-out-file={profile} {program} {arguments...}"
    );
    valgrind.set_ignore_stdout(true);
    valgrind.run()?;
    let functions = functions(&sh.read_file(&profile)?);
    ensure!(!functions.is_empty(), "no functions of LLVM were seen in {tool}");
    Ok(functions)
}

/// The C++ functions of a profile. Those of Rust, which are named after a digest of their crate, and of C are left out.
fn functions(profile: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        // Callgrind counts the levels of a recursion behind the name.
        let name = line.strip_prefix("fn=")?.split('\'').next()?;
        let is_rust = name.rfind("17h").is_some_and(|digest| name.len() == digest + "17h0123456789abcdefE".len());
        (name.starts_with("_Z") && !is_rust && name.len() <= LONGEST_NAME).then(|| name.to_owned())
    };
    profile.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::functions;

    #[test]
    fn only_functions_of_cpp_are_listed() {
        let profile = "ob=dl-run\nfn=_ZN4llvm5Value7getNameEv\n0 5\nfn=_ZN4llvm5Value7getNameEv'2\nfn=main\nfn=_RNvCs1_3std4exit\n\
                       fn=_ZN5dl_ir4view5OpRef3loc17hd2988331a007881eE\ncfn=_ZN4llvm4Type6getIntEv\n";
        assert_eq!(Vec::from_iter(functions(profile)), ["_ZN4llvm5Value7getNameEv"]);
    }
}
