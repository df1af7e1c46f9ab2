//! Running a module in this process.
//!
//! The module is compiled to an object file in memory, the same that [`emit`](crate::LlvmModule::emit) would write, and linked by LLVM's
//! just-in-time linker. A function is described by the [`Signature`](dl_runtime::Signature) that it had before it was lowered, and
//! reached through a generated function of a fixed type (see [`packed`]).
//!
//! Running a compiled program is as trusted as linking it: it runs in this process, with its memory. What can be checked is checked: the
//! lowered function's type and every value against the signature. See `docs/decisions/0002-calling-compiled-functions.md`.

mod call;
mod orc;
mod packed;

use dl_runtime::{Array, Signature};

pub use self::call::Call;
use self::{
    orc::{Jit, PackedFunction},
    packed::ResultLayout,
};
use crate::{
    constants::Placed,
    error::{Error, Result},
    module::LlvmModule,
    options::CodegenOptions,
    target::Target,
};

/// A function to call, and what it takes and returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// Name of the function.
    pub name: String,
    /// Its type before lowering.
    pub signature: Signature,
}

/// A module compiled into this process, with the functions that can be called.
#[derive(Debug)]
pub struct CompiledModule {
    entries: Vec<LinkedEntry>,
    /// Owns the code that `entries` point into.
    _jit: Jit,
    /// What the code reads.
    _constants: Placed,
}

/// An [`EntryPoint`] with its address.
#[derive(Debug)]
struct LinkedEntry {
    entry: EntryPoint,
    results: ResultLayout,
    function: PackedFunction,
}

impl CompiledModule {
    /// Translates, optimizes and links MLIR text for this machine: [`LlvmModule::from_mlir`] and [`CompiledModule::new`] in one.
    pub fn from_mlir(text: &str, source_name: &str, entries: &[EntryPoint], options: &CodegenOptions) -> Result<Self> {
        let module = LlvmModule::from_mlir(text, source_name)?;
        let target = Target::new(options, &module)?;
        Self::new(module, entries, &target)
    }

    /// Optimizes a module and links it.
    ///
    /// # Errors
    /// [`Error::Entry`] when an entry is not there, or was lowered to another type than its signature says;
    /// [`Error::Target`] when the target is not this machine; [`Error::Llvm`] when the module calls functions that nobody has.
    pub fn new(mut module: LlvmModule, entries: &[EntryPoint], target: &Target) -> Result<Self> {
        if !target.is_host() {
            let message = format!("code for target '{}' does not run on this machine", target.triple());
            return Err(Error::Target(message));
        }
        if module.inner().get_global("llvm.global_ctors").is_some() {
            let message = "unsupported: global constructors in a module that is run in place";
            return Err(Error::Entry(message.to_owned()));
        }
        packed::add(&module, entries)?;
        module.optimize(target)?;
        let object = module.generate_without_constants(target)?;
        let constants = Placed::new(std::mem::take(&mut module.constants));
        let _span = tracing::info_span!("jit-link").entered();
        let runtime = dl_runtime::symbols().filter(|(name, _)| {
            // A program may bring its own function of that name.
            module.inner().get_function(name).is_none_or(|f| f.count_basic_blocks() == 0)
        });
        let mut symbols: Vec<(&str, usize)> = runtime.collect();
        symbols.extend(constants.symbols());
        let jit = Jit::link(&object, symbols)?;
        let entries = entries
            .iter()
            .map(|entry| {
                Ok(LinkedEntry {
                    entry: entry.clone(),
                    results: ResultLayout::of(&entry.signature.results),
                    function: jit.packed_function(&packed::name(&entry.name))?,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self { entries, _jit: jit, _constants: constants })
    }

    /// The functions that can be called.
    pub fn entries(&self) -> impl Iterator<Item = &EntryPoint> {
        self.entries.iter().map(|linked| &linked.entry)
    }

    /// Calls a function once. A program that writes to its arguments changes `args`.
    ///
    /// # Errors
    /// [`Error::Entry`] for an unknown name, [`Error::Mismatch`] for arguments that do not fit, [`Error::Result`] for results that do
    /// not.
    pub fn run(&self, name: &str, args: &mut [Array]) -> Result<Vec<Array>> {
        let mut call = self.prepare(name, args)?;
        call.invoke();
        call.results()
    }

    /// Checks and lays out arguments once, for a function that is called many times.
    ///
    /// # Errors
    /// As for [`run`](Self::run), but for results.
    pub fn prepare<'a>(&'a self, name: &str, args: &'a mut [Array]) -> Result<Call<'a>> {
        let linked = self.find(name)?;
        linked.entry.signature.check_inputs(args, |_| None)?;
        Ok(Call::new(linked, args))
    }

    fn find(&self, name: &str) -> Result<&LinkedEntry> {
        self.entries.iter().find(|linked| linked.entry.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.entries().map(|entry| entry.name.as_str()).collect();
            Error::Entry(packed::unknown(name, &names))
        })
    }
}
