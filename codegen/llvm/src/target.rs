//! The machine that code is generated for.

use std::sync::Once;

use inkwell::{
    OptimizationLevel,
    attributes::AttributeLoc,
    targets::{CodeModel, InitializationConfig, RelocMode, Target as LlvmTarget, TargetMachine, TargetTriple},
};

use crate::{
    error::{Error, Result},
    fatal,
    module::LlvmModule,
    options::{CodegenOptions, OptLevel},
    subtarget,
};

/// A target machine of LLVM with the options that describe it.
#[derive(Debug)]
pub struct Target {
    machine: TargetMachine,
    triple: String,
    cpu: String,
    features: String,
    is_host: bool,
    opt_level: OptLevel,
}

/// Features that all programs of a system may use and its calling convention needs, where LLVM's plainest CPU has less: Linux on RISC-V is
/// RV64GC, and hands floats over in registers.
fn features_of_system(triple: &str) -> &'static str {
    if triple.starts_with("riscv64-") && triple.contains("-linux") { "+m,+a,+f,+d,+c" } else { "" }
}

impl Target {
    /// The target that the options name, for a module.
    ///
    /// The triple is the one in the options, else the module's own (`llvm.target_triple`), else this machine's. Code is
    /// position-independent, so that it can go into a shared library.
    ///
    /// # Errors
    /// [`Error::Target`] when LLVM has no such target, or `native` is asked for another machine's triple.
    pub fn new(options: &CodegenOptions, module: &LlvmModule) -> Result<Self> {
        let host = TargetMachine::normalize_triple(&TargetMachine::get_default_triple());
        let triple = match options.target_triple.clone().or_else(|| module.triple()) {
            Some(name) => {
                no_nul("target triple", &name)?;
                TargetMachine::normalize_triple(&TargetTriple::create(&name))
            }
            None => TargetMachine::normalize_triple(&TargetMachine::get_default_triple()),
        };
        let triple_text = triple.as_str().to_string_lossy().into_owned();
        let is_host = machine(&triple_text) == machine(&host.as_str().to_string_lossy());
        initialize(is_host)?;
        let backend =
            LlvmTarget::from_triple(&triple).map_err(|_| Error::Target(format!("unknown target '{triple_text}'")))?;

        let native = options.target_cpu.as_deref().map_or(is_host, |cpu| cpu == "native");
        if native && !is_host {
            let message = format!("target CPU 'native' is not a CPU of target '{triple_text}'");
            return Err(Error::Target(message));
        }
        let level = match options.opt_level {
            OptLevel::O0 => OptimizationLevel::None,
            OptLevel::O1 => OptimizationLevel::Less,
            OptLevel::O2 => OptimizationLevel::Default,
            OptLevel::O3 => OptimizationLevel::Aggressive,
        };
        let machine_for = |cpu: &str, features: &str| {
            let (reloc, model) = (RelocMode::PIC, CodeModel::Default);
            backend
                .create_target_machine(&triple, cpu, features, level, reloc, model)
                .ok_or_else(|| Error::Target(format!("LLVM generates no code for '{triple_text}'")))
        };
        if !native || !options.target_features.is_empty() {
            check_names(&machine_for("", "")?, options, &triple_text)?;
        }

        let (cpu, mut features) = if native {
            let features = TargetMachine::get_host_cpu_features().to_string();
            (TargetMachine::get_host_cpu_name().to_string(), features)
        } else {
            let features = if options.target_cpu.is_none() { features_of_system(&triple_text) } else { "" };
            (options.target_cpu.clone().unwrap_or_default(), features.to_owned())
        };
        if !options.target_features.is_empty() {
            // The last mention of a feature counts.
            if !features.is_empty() {
                features.push(',');
            }
            features.push_str(&options.target_features);
        }
        Ok(Self {
            machine: machine_for(&cpu, &features)?,
            triple: triple_text,
            cpu,
            features,
            is_host,
            opt_level: options.opt_level,
        })
    }

    /// The normalized triple.
    pub fn triple(&self) -> &str {
        &self.triple
    }

    /// The CPU's name, `native` resolved; empty for the plainest one of another machine.
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    /// The features asked for beyond those that the CPU's name implies; for `native`, all that this CPU has or lacks.
    pub fn features(&self) -> &str {
        &self.features
    }

    /// The options that make the same target for any module.
    pub(crate) fn options(&self) -> CodegenOptions {
        CodegenOptions {
            target_triple: Some(self.triple.clone()),
            target_cpu: Some(self.cpu.clone()),
            target_features: self.features.clone(),
            opt_level: self.opt_level,
        }
    }

    /// Whether this machine runs the code.
    pub fn is_host(&self) -> bool {
        self.is_host
    }

    /// How much to optimize.
    pub fn opt_level(&self) -> OptLevel {
        self.opt_level
    }

    /// LLVM's object.
    pub(crate) fn machine(&self) -> &TargetMachine {
        &self.machine
    }

    /// Tells the module and each of its functions what they are compiled for.
    pub(crate) fn apply(&self, module: &LlvmModule) {
        let module = module.inner();
        module.set_triple(&self.machine.get_triple());
        module.set_data_layout(&self.machine.get_target_data().get_data_layout());

        let context = module.get_context();
        let mut attributes = Vec::new();
        for (key, value) in [("target-cpu", &self.cpu), ("target-features", &self.features)] {
            if !value.is_empty() {
                attributes.push(context.create_string_attribute(key, value));
            }
        }
        if architecture(&self.triple) == "x86_64" {
            // LLVM tunes several CPUs with AVX-512 to vectorize for 256 bits; kernels want the whole register. Elsewhere the
            // preference is more than the widest register and changes nothing.
            attributes.push(context.create_string_attribute("prefer-vector-width", "512"));
        }
        for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
            for attribute in &attributes {
                let kind = attribute.get_string_kind_id().to_string_lossy().into_owned();
                // What the program says about one function is more specific.
                if function.get_string_attribute(AttributeLoc::Function, &kind).is_none() {
                    function.add_attribute(AttributeLoc::Function, *attribute);
                }
            }
        }
    }
}

/// Registers this machine's target, which the linker asks.
pub(crate) fn initialize_host() -> Result<()> {
    initialize(true)
}

/// What decides which code is made for this machine: LLVM's version, and its names of the CPU and of what that has.
pub fn host_description() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    let (cpu, features) = (TargetMachine::get_host_cpu_name(), TargetMachine::get_host_cpu_features());
    format!("LLVM {major}.{minor}.{patch} {cpu} {features}")
}

/// Registers LLVM's targets: this machine's only, or all of them.
fn initialize(host_only: bool) -> Result<()> {
    static ALL: Once = Once::new();
    fatal::report_before_exit();
    if host_only {
        return LlvmTarget::initialize_native(&InitializationConfig::default()).map_err(Error::Target);
    }
    ALL.call_once(|| LlvmTarget::initialize_all(&InitializationConfig::default()));
    Ok(())
}

/// The parts of a triple that say whether code runs: architecture and operating system.
fn machine(triple: &str) -> (Option<&str>, Option<&str>) {
    let mut parts = triple.split('-');
    (parts.next(), parts.nth(1))
}

/// The first part of a triple.
fn architecture(triple: &str) -> &str {
    triple.split('-').next().unwrap_or_default()
}

/// Whether LLVM knows the CPU and each of the features in the options. It would only print a warning about one that it does not.
fn check_names(machine: &TargetMachine, options: &CodegenOptions, triple: &str) -> Result<()> {
    let architecture = architecture(triple);
    if let Some(cpu) = options.target_cpu.as_deref().filter(|&cpu| cpu != "native") {
        check_name(&format!("CPU of {architecture}"), cpu, &subtarget::cpus(machine))?;
    }
    if options.target_features.is_empty() {
        return Ok(());
    }
    let known = subtarget::features(machine);
    for feature in options.target_features.split(',') {
        let Some(name) = feature.strip_prefix(['+', '-']) else {
            let message = format!("target feature '{feature}' does not start with '+' or '-'");
            return Err(Error::Target(message));
        };
        check_name(&format!("feature of {architecture}"), name, &known)?;
    }
    Ok(())
}

/// Whether `name` is among `known`; the message suggests the nearest if it is near.
fn check_name(what: &str, name: &str, known: &[String]) -> Result<()> {
    if known.iter().any(|candidate| candidate == name) {
        return Ok(());
    }
    let nearest = known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= name.len() / 3);
    let hint = nearest.map_or_else(String::new, |(_, near)| format!("; did you mean '{near}'?"));
    Err(Error::Target(format!("'{name}' is not a {what}{hint}")))
}

/// C strings end at a zero byte.
fn no_nul(what: &str, text: &str) -> Result<()> {
    if text.contains('\0') {
        return Err(Error::Target(format!("{what} contains a zero byte")));
    }
    Ok(())
}
