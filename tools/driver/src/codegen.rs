//! Command-line options of code generation, shared by the tools and by all back ends.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What to generate code for, and how hard to try.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct CodegenOptions {
    /// What runs the program, or makes machine code of it: `interpreter`, `cranelift` or `llvm`; `auto` is LLVM where this build has it, else
    /// Cranelift
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub backend: String,

    /// Machine to generate code for [default: the module's own, else this one]
    #[arg(long, value_name = "TRIPLE")]
    pub target_triple: Option<String>,

    /// CPU to generate code for, `native` being this one [default: native, or the plainest of another machine]
    #[arg(long, value_name = "CPU")]
    pub target_cpu: Option<String>,

    /// CPU features to add or remove, `+avx2,-fma` say
    #[arg(long, value_name = "FEATURES", allow_hyphen_values = true, default_value = "", hide_default_value = true)]
    pub target_features: String,

    /// How much the back end optimizes
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t)]
    pub opt_level: OptLevel,

    /// What to take for an error that otherwise only makes the program slower
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deny: Vec<Denied>,

    /// What is to be known of the kernels of the program. No flag: it follows from what the tool reports
    #[arg(skip)]
    pub kernels: KernelFacts,

    /// Whether the code will be asked for, to be kept for a later run. No flag: a tool that runs programs says so
    #[arg(skip)]
    pub keep: bool,

    /// Program that links executables and shared libraries [default: the system's]
    #[arg(long, value_name = "PATH")]
    pub linker: Option<PathBuf>,
}

/// What can be taken for an error.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// A kernel that computes element by element, for want of vector code.
    ScalarFallback,
}

/// What is known of the kernels of a compiled program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KernelFacts {
    /// Nothing.
    #[default]
    None,
    /// What they compute: the pipeline lists them on the module.
    Listed,
    /// Also when they run: the program tells the runtime.
    Timed,
}

/// How much a back end optimizes.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptLevel {
    /// Not at all.
    #[value(name = "0")]
    O0,
    /// What pays for itself quickly.
    #[value(name = "1")]
    O1,
    /// As much as makes a difference to what the CPU pipeline has made.
    #[default]
    #[value(name = "2")]
    O2,
    /// Everything.
    #[value(name = "3")]
    O3,
}

/// What a back end writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmitKind {
    /// Optimized LLVM IR as text.
    LlvmIr,
    /// Assembly as text.
    Asm,
    /// A position-independent object file.
    Obj,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Tool {
        #[command(flatten)]
        codegen: CodegenOptions,
    }

    #[test]
    fn flags_are_parsed() {
        let tool = Tool::try_parse_from([
            "dl-translate",
            "--backend=cranelift",
            "--target-cpu=znver4",
            "--target-features=-avx512f,+fma",
            "--opt-level=1",
        ]);
        let tool = tool.unwrap();
        assert_eq!(
            tool.codegen,
            CodegenOptions {
                backend: "cranelift".to_owned(),
                target_cpu: Some("znver4".to_owned()),
                target_features: "-avx512f,+fma".to_owned(),
                opt_level: OptLevel::O1,
                ..CodegenOptions::default()
            }
        );
    }

    #[test]
    fn there_are_four_levels() {
        let tool = Tool::try_parse_from(["dl-run"]).unwrap();
        assert_eq!((tool.codegen.backend.as_str(), tool.codegen.opt_level), ("auto", OptLevel::O2));
        assert!(Tool::try_parse_from(["dl-run", "--opt-level=4"]).is_err());
    }
}
