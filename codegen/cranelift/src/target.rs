//! The machine that code is generated for.

use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use target_lexicon::{Aarch64Architecture, Architecture, Triple};

/// What to generate code for, and how.
#[derive(Clone, Debug, Default)]
pub struct TargetOptions {
    /// The machine; this one where nothing is said.
    pub triple: Option<String>,
    /// Features of the CPU by LLVM's names. None for those of this machine, which must be the target then.
    pub features: Option<Vec<String>>,
    /// Whether to spend time on better code.
    pub optimize: bool,
}

/// Features by LLVM's names, and the flags of Cranelift that stand for them.
const FLAGS: &[(&str, &[&str])] = &[
    ("sse3", &["has_sse3"]),
    ("ssse3", &["has_sse3", "has_ssse3"]),
    ("sse4.1", &["has_sse3", "has_ssse3", "has_sse41"]),
    ("sse4.2", &["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt"]),
    ("popcnt", &["has_popcnt"]),
    ("avx", &["has_avx"]),
    ("avx2", &["has_avx2"]),
    ("fma", &["has_fma"]),
    ("bmi", &["has_bmi1"]),
    ("bmi2", &["has_bmi2"]),
    ("lzcnt", &["has_lzcnt"]),
    ("avx512dq", &["has_avx512dq"]),
    ("avx512f", &["has_avx512f"]),
    ("avx512vl", &["has_avx512vl"]),
    ("avx512vnni", &["has_avx512vnni"]),
    ("lse", &["has_lse"]),
    ("fullfp16", &["has_fp16"]),
    ("dotprod", &["has_dotprod"]),
    ("i8mm", &["has_i8mm"]),
    ("v", &["has_v"]),
];

/// The triple of this machine.
fn host() -> Triple {
    Triple::host()
}

/// The machine of a triple, or this one.
///
/// # Errors
/// That there is no such machine, or none that this back end generates code for.
pub(crate) fn triple(options: &TargetOptions) -> Result<Triple, String> {
    let Some(text) = &options.triple else { return Ok(host()) };
    let triple: Triple = text.parse().map_err(|error| format!("unknown target '{text}': {error}"))?;
    match triple.architecture {
        Architecture::X86_64 | Architecture::Aarch64(Aarch64Architecture::Aarch64) | Architecture::Riscv64(_) => {
            Ok(triple)
        }
        other => Err(format!("unsupported on the cranelift back end: code for '{other}'")),
    }
}

/// Whether code for this triple runs here.
pub(crate) fn is_host(triple: &Triple) -> bool {
    triple.architecture == host().architecture && triple.operating_system == host().operating_system
}

/// Cranelift's description of the machine: for generating code of functions as they are, and for simplifying them before, where the
/// options ask for that. `is_pic` for code that may lie anywhere in an address space.
///
/// # Errors
/// What the options ask for that there is not.
pub(crate) fn isas(options: &TargetOptions, is_pic: bool) -> Result<(OwnedTargetIsa, Option<OwnedTargetIsa>), String> {
    let simplifier = options.optimize.then(|| isa(options, is_pic, "speed")).transpose()?;
    Ok((isa(options, is_pic, "none")?, simplifier))
}

fn isa(options: &TargetOptions, is_pic: bool, level: &str) -> Result<OwnedTargetIsa, String> {
    let triple = triple(options)?;
    let mut flags = settings::builder();
    let mut set = |name: &str, value: &str| flags.set(name, value).map_err(|error| error.to_string());
    set("opt_level", level)?;
    set("is_pic", if is_pic { "true" } else { "false" })?;
    set("use_colocated_libcalls", "false")?;
    set("enable_llvm_abi_extensions", "true")?;
    set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" })?;
    set("enable_probestack", "true")?;
    set("probestack_strategy", "inline")?;
    // Nothing unwinds through compiled code.
    set("unwind_info", "false")?;
    let mut builder = isa::lookup(triple.clone()).map_err(|error| error.to_string())?;
    match &options.features {
        None if is_host(&triple) => cranelift_native::infer_native_flags(&mut builder)?,
        None => {}
        Some(features) => {
            let flags = FLAGS.iter().filter(|(name, _)| features.iter().any(|feature| feature == name));
            for flag in flags.flat_map(|(_, flags)| *flags) {
                // Machines know their own flags only; a name of another one says nothing here.
                let _ = builder.enable(flag);
            }
        }
    }
    builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())
}
