//! Cranelift: machine code without LLVM, made in milliseconds.

use dl_codegen_cranelift::{TargetOptions, compile, object};
use dl_ir::Diagnostics;
use dl_machine::Arch;
use dl_runtime::call::EntryPoint;
use dl_tools_support::messages;

use super::{Backend, Compiled, Loaded, cpu_pipeline, machine, target_arch};
use crate::codegen::{CodegenOptions, EmitKind, OptLevel};
use crate::program::Program;

/// What is beyond vectors of 128 bits, which is all that Cranelift has: the pipeline is told that the CPU does not have it.
const BEYOND_128_BITS: &str =
    "-avx,-avx2,-avx512f,-avx512bw,-avx512cd,-avx512dq,-avx512vl,-avx512bf16,-avx512fp16,-avx512vnni";

/// Of the 16 vector registers of x86, one is for the factor that a multiply-add of Cranelift writes its sum over.
const X86_REGISTERS: u32 = 15;

/// The embedded back end.
pub struct Cranelift;

impl Cranelift {
    fn target(options: &CodegenOptions) -> Result<TargetOptions, Diagnostics> {
        let features = machine(options)?.map(|machine| machine.features);
        let optimize = options.opt_level != OptLevel::O0;
        Ok(TargetOptions { triple: options.target_triple.clone(), features, optimize })
    }
}

impl Backend for Cranelift {
    fn name(&self) -> &'static str {
        "cranelift"
    }

    fn pipeline(&self, options: &CodegenOptions, buffers: bool, threads: usize) -> Result<Option<String>, Diagnostics> {
        machine(options)?;
        let arch = target_arch(options).unwrap_or(std::env::consts::ARCH);
        let is_x86 = Arch::of_name(arch) == Some(Arch::X86_64);
        let (narrow, registers) = if is_x86 { (BEYOND_128_BITS, Some(X86_REGISTERS)) } else { ("", None) };
        Ok(Some(cpu_pipeline(options, buffers, narrow, registers, threads)))
    }

    fn load<'p>(
        &self,
        program: &'p mut Program<'_>,
        entry: EntryPoint,
        options: &CodegenOptions,
    ) -> Result<Box<dyn Loaded + 'p>, Diagnostics> {
        program.check_lowered()?;
        let target = Self::target(options)?;
        Compiled::load(entry, |entries| compile(program.root(), entries, &target))
    }

    fn emit(
        &self,
        program: &mut Program<'_>,
        kind: EmitKind,
        options: &CodegenOptions,
    ) -> Result<Vec<u8>, Diagnostics> {
        program.check_lowered()?;
        let what = match kind {
            EmitKind::Obj => return object(program.root(), &Self::target(options)?),
            EmitKind::LlvmIr => "LLVM IR",
            EmitKind::Asm => "assembly",
        };
        Err(messages::error(format!("unsupported on the cranelift back end: {what}; it makes object files")))
    }
}
