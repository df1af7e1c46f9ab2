//! Back ends: what runs programs, or makes machine code of them.
//!
//! A [`Backend`] takes a [`Program`] that was lowered as it asks. Three come with this crate: the interpreter, Cranelift, and LLVM where the build
//! has it. A tool of one's own can add another: [`run::main_with`](crate::run::main_with).

mod boundary;
mod cranelift;
mod interpreter;
#[cfg(feature = "llvm")]
mod llvm;
mod plugged;

use bytes::Bytes;
use dl_ir::Diagnostics;
use dl_ir::diagnostics::did_you_mean;
use dl_machine::{Arch, Machine};
use dl_plugin::Registry;
use dl_runtime::Array;
use dl_runtime::call::{Call, CallError, CompiledModule, EntryPoint};
use dl_tools_support::messages;

use crate::codegen::{CodegenOptions, Denied, EmitKind, KernelFacts};
use crate::program::Program;

pub use self::cranelift::Cranelift;
pub use self::interpreter::Interpreter;
#[cfg(feature = "llvm")]
pub use self::llvm::Llvm;

/// Something that runs programs.
pub trait Backend {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// The pipeline that lowers tensors for it, or only `buffers`; none where it takes programs as they are. With more `threads` than one, the code
    /// calls the runtime.
    ///
    /// # Errors
    /// What is wrong with the options.
    fn pipeline(&self, options: &CodegenOptions, buffers: bool, threads: usize) -> Result<Option<String>, Diagnostics>;

    /// Makes a function of the program callable. The back end may take large constants out of the program.
    ///
    /// # Errors
    /// What is not supported, or wrong with the program or the options.
    fn load<'p>(
        &self,
        program: &'p mut Program<'_>,
        entry: EntryPoint,
        options: &CodegenOptions,
    ) -> Result<Box<dyn Loaded + 'p>, Diagnostics>;

    /// What the code of a program depends on besides the program, the options and the pipeline: the machine, say. `None`, unless it says otherwise, where
    /// nothing can be [kept](Loaded::kept) for a later run.
    fn keeps(&self) -> Option<String> {
        None
    }

    /// Makes callable what was [kept](Loaded::kept) of a function; `None`, unless it says otherwise, where that cannot be.
    fn reload(&self, _kept: &[Bytes], _entry: EntryPoint) -> Option<Box<dyn Loaded>> {
        None
    }

    /// The program in a form that needs no linker. The back end may take large constants out of the program.
    ///
    /// # Errors
    /// What is not supported, or wrong with the program or the options; unless it says otherwise, that it makes no machine code.
    fn emit(
        &self,
        _program: &mut Program<'_>,
        _kind: EmitKind,
        _options: &CodegenOptions,
    ) -> Result<Vec<u8>, Diagnostics> {
        Err(messages::error(format!("unsupported on the back end '{}': it makes no machine code", self.name())))
    }
}

/// A function that can be called.
pub trait Loaded {
    /// Calls it once. One that writes to its arguments changes `args`.
    ///
    /// # Errors
    /// Arguments or results that do not fit, or what the program did wrong.
    fn run(&self, args: &mut [Array]) -> Result<Vec<Array>, Diagnostics>;

    /// Lays out arguments for many calls. What the answer does is the call alone, for timing it.
    ///
    /// # Errors
    /// Arguments that do not fit; unless it says otherwise, that calls are not timed, since nothing here is made to be fast.
    fn prepare<'a>(&'a self, _args: &'a mut [Array]) -> Result<Box<dyn FnMut() + 'a>, Diagnostics> {
        Err(messages::error("unsupported: calls that this back end makes are not timed".to_owned()))
    }

    /// What the back end can be handed in a later run in place of the program; nothing, unless it says otherwise.
    fn kept(&self) -> &[Bytes] {
        &[]
    }
}

/// A function in machine code.
struct Compiled {
    name: String,
    module: CompiledModule,
    kept: Vec<Bytes>,
}

impl Compiled {
    /// The entry of a module, and what is kept of it.
    fn boxed<'p>(entry: EntryPoint, module: CompiledModule, kept: Vec<Bytes>) -> Box<dyn Loaded + 'p> {
        Box::new(Self { name: entry.name, module, kept })
    }

    /// The entry of what `compile` makes callable.
    fn load<'p>(
        entry: EntryPoint,
        compile: impl FnOnce(&[EntryPoint]) -> Result<CompiledModule, Diagnostics>,
    ) -> Result<Box<dyn Loaded + 'p>, Diagnostics> {
        let module = compile(std::slice::from_ref(&entry))?;
        Ok(Self::boxed(entry, module, Vec::new()))
    }
}

impl Loaded for Compiled {
    fn run(&self, args: &mut [Array]) -> Result<Vec<Array>, Diagnostics> {
        self.module.run(&self.name, args).map_err(|error| failed(&error))
    }

    fn prepare<'a>(&'a self, args: &'a mut [Array]) -> Result<Box<dyn FnMut() + 'a>, Diagnostics> {
        let mut call: Call<'a> = self.module.prepare(&self.name, args).map_err(|error| failed(&error))?;
        Ok(Box::new(move || call.invoke()))
    }

    fn kept(&self) -> &[Bytes] {
        &self.kept
    }
}

fn failed(error: &CallError) -> Diagnostics {
    messages::error(error.to_string())
}

/// Back ends by name.
pub struct Backends(Vec<Box<dyn Backend>>);

impl Backends {
    /// Those of this crate, the best for `auto` first.
    pub fn standard() -> Self {
        Self(vec![
            #[cfg(feature = "llvm")]
            Box::new(Llvm),
            Box::new(Cranelift),
            Box::new(Interpreter { steps: None }),
        ])
    }

    /// Adds one, or puts it in the place of one of the same name.
    pub fn add(&mut self, backend: Box<dyn Backend>) {
        match self.0.iter_mut().find(|known| known.name() == backend.name()) {
            Some(known) => *known = backend,
            None => self.0.push(backend),
        }
    }

    /// Adds those that plugins have brought.
    pub fn add_plugged(&mut self, registry: &Registry) {
        registry.runners().iter().for_each(|&runner| self.add(Box::new(plugged::Plugged(runner))));
    }

    /// The back end of this name; `auto` is the best for machine code.
    ///
    /// # Errors
    /// That there is none.
    pub fn find(&self, name: &str) -> Result<&dyn Backend, Diagnostics> {
        let found = match name {
            "auto" => self.0.first(),
            name => self.0.iter().find(|backend| backend.name() == name),
        };
        found.map(|backend| &**backend).ok_or_else(|| {
            if name == "llvm" {
                let why =
                    "this build has no LLVM back end; build with '--features llvm', or take '--backend=cranelift'";
                return messages::error(why.to_owned());
            }
            let names: Vec<&str> = self.0.iter().map(|backend| backend.name()).chain(["auto"]).collect();
            let hint = did_you_mean(name, names.iter().copied());
            messages::error(format!("no back end '{name}'{hint}; there are {}", names.join(", ")))
        })
    }
}

/// The text of `cpu-pipeline`, or of its part after bufferization, for the CPU that the options name, with features changed further, and with
/// so many vector registers if not its own. One that has no description is taken for the plainest of its architecture.
fn cpu_pipeline(
    options: &CodegenOptions,
    buffers: bool,
    features: &str,
    registers: Option<u32>,
    threads: usize,
) -> String {
    let kernels = kernel_options(options);
    if buffers {
        return format!("builtin.module(cpu-lowering-pipeline{{{}}})", kernels.trim_start());
    }
    let arch = target_arch(options);
    let plainest = |arch: &str| dl_machine::baseline(Arch::of_name(arch).unwrap_or(Arch::X86_64)).cpu;
    let cpu = match (options.target_cpu.as_deref(), arch) {
        (Some(cpu), _) if cpu == "native" || dl_machine::named(cpu).is_some() => cpu.to_owned(),
        (Some(cpu), arch) => {
            let cpu_taken = plainest(arch.unwrap_or(std::env::consts::ARCH));
            tracing::warn!("no description of CPU '{cpu}'; code is made for '{cpu_taken}'");
            cpu_taken
        }
        (None, Some(arch)) => plainest(arch),
        (None, None) => "native".to_owned(),
    };
    let separator = if features.is_empty() || options.target_features.is_empty() { "" } else { "," };
    let features = format!("{}{separator}{features}", options.target_features);
    let registers = registers.map_or(String::new(), |registers| format!(" vector-registers={registers}"));
    format!(
        "builtin.module(cpu-pipeline{{target-cpu={cpu} target-features='{features}'{registers} threads={threads}{kernels}}})"
    )
}

/// What the options ask of a pipeline that lists kernels.
fn kernel_options(options: &CodegenOptions) -> String {
    let list = match options.kernels {
        KernelFacts::None => "",
        KernelFacts::Listed => " list-kernels=true",
        KernelFacts::Timed => " time-kernels=true",
    };
    let deny = if options.deny.contains(&Denied::ScalarFallback) { " deny-scalar=true" } else { "" };
    format!("{list}{deny}")
}

/// The architecture that the options name.
fn target_arch(options: &CodegenOptions) -> Option<&str> {
    options.target_triple.as_deref().map(|triple| triple.split('-').next().unwrap_or_default())
}

/// The machine that the options name; none for this one with all that it has.
///
/// # Errors
/// That nothing is known of the CPU, or that a feature is not written as one.
fn machine(options: &CodegenOptions) -> Result<Option<Machine>, Diagnostics> {
    let machine = match (options.target_cpu.as_deref(), target_arch(options)) {
        (None | Some("native"), None) if options.target_features.is_empty() => return Ok(None),
        (None | Some("native"), None) => dl_machine::host(),
        (Some("native"), Some(arch)) if arch == std::env::consts::ARCH => dl_machine::host(),
        (Some("native"), Some(arch)) => {
            return Err(messages::error(format!("target CPU 'native' is not a CPU of target '{arch}'")));
        }
        (None, Some(arch)) => {
            let known = Arch::of_name(arch).ok_or_else(|| messages::error(format!("unknown target '{arch}'")))?;
            dl_machine::baseline(known)
        }
        (Some(cpu), _) => dl_machine::named(cpu).ok_or_else(|| {
            let hint = did_you_mean(cpu, dl_machine::names());
            messages::error(format!("no description of CPU '{cpu}'{hint}"))
        })?,
    };
    machine.with_features(&options.target_features).map(Some).map_err(messages::error)
}
