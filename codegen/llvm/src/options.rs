//! Options of code generation.

/// What to generate code for, and how hard to try.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodegenOptions {
    /// Machine to generate code for; none for the module's own, else this one
    pub target_triple: Option<String>,

    /// CPU to generate code for, `native` being this one; none for this one, or the plainest of another machine
    pub target_cpu: Option<String>,

    /// CPU features to add or remove, `+avx2,-fma` say
    pub target_features: String,

    /// How much LLVM optimizes
    pub opt_level: OptLevel,
}

/// How much LLVM optimizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptLevel {
    /// Not at all.
    O0,
    /// What pays for itself quickly.
    O1,
    /// As much as makes a difference to what the CPU pipeline has made.
    #[default]
    O2,
    /// Everything.
    O3,
}

/// What to make of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmitKind {
    /// Optimized LLVM IR as text.
    LlvmIr,
    /// Assembly as text.
    Asm,
    /// A position-independent object file.
    Obj,
}
