//! Running a module in this process.
//!
//! The module is compiled to object files in memory, a large one [in parts](crate::parts), and linked by LLVM's
//! just-in-time linker. A function is described by the [`Signature`](dl_runtime::Signature) that it had before it was lowered, and
//! reached through a generated function of a fixed type (see [`packed`]).
//!
//! Running a compiled program is as trusted as linking it: it runs in this process, with its memory. What can be checked is checked: the
//! lowered function's type and every value against the signature. See `docs/decisions/0002-calling-compiled-functions.md`.

#![expect(unsafe_code, reason = "vouches for the addresses of generated functions")]

mod orc;
pub(crate) mod packed;

use dl_runtime::call::{CompiledModule, EntryPoint};

use self::orc::Jit;
use crate::{
    constants::{Constant, Placed},
    error::{Error, Result},
    heap,
    module::LlvmModule,
    parts,
    target::{Target, initialize_host},
};

impl LlvmModule {
    /// Optimizes the module and links it.
    ///
    /// # Errors
    /// [`Error::Entry`] when an entry is not there, or was lowered to another type than its signature says;
    /// [`Error::Target`] when the target is not this machine; [`Error::Llvm`] when the module calls functions that nobody has.
    pub fn compile(mut self, entries: &[EntryPoint], target: &Target) -> Result<CompiledModule> {
        let constants = std::mem::take(&mut self.constants);
        link(&self.objects(entries, target)?, entries, constants)
    }

    /// Optimizes the module and makes the object files that [`link`] takes. Constants that were handed over are not in them.
    ///
    /// # Errors
    /// As those of [`compile`](Self::compile), but for functions that nobody has.
    pub fn objects(self, entries: &[EntryPoint], target: &Target) -> Result<Objects> {
        if !target.is_host() {
            let message = format!("code for target '{}' does not run on this machine", target.triple());
            return Err(Error::Target(message));
        }
        if self.inner().get_global("llvm.global_ctors").is_some() {
            let message = "unsupported: global constructors in a module that is run in place";
            return Err(Error::Entry(message.to_owned()));
        }
        packed::add(&self, entries)?;
        parts::objects(self, target).map(Objects)
    }
}

/// Object files that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objects(Vec<Vec<u8>>);

impl Objects {
    /// How many there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// All of them one after the other, each behind its length in 8 bytes, little endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self(objects) = self;
        objects.iter().flat_map(|object| [&(object.len() as u64).to_le_bytes(), object.as_slice()].concat()).collect()
    }

    /// The object files that are in `bytes`; `None` where these end within one.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut objects = Vec::new();
        while !bytes.is_empty() {
            let (length, rest) = bytes.split_first_chunk()?;
            let (object, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
            objects.push(object.to_vec());
            bytes = rest;
        }
        Some(Self(objects))
    }
}

/// Links what [`LlvmModule::objects`] made for these entries, in this process or an earlier one, with the constants that were handed over then.
///
/// They are as trusted as the program: their code runs in this process.
///
/// # Errors
/// [`Error::Llvm`] when one is no object file or calls functions that nobody has, or when an entry is in none.
pub fn link(objects: &Objects, entries: &[EntryPoint], constants: Vec<Constant>) -> Result<CompiledModule> {
    let _span = tracing::info_span!("jit-link").entered();
    initialize_host()?;
    let constants = Placed::new(constants);
    // A program may bring its own function of a name of the runtime: its functions are internal, and found first.
    let mut symbols: Vec<(&str, usize)> = dl_runtime::symbols().collect();
    symbols.extend(constants.symbols());
    let jit = Jit::link(&objects.0, symbols)?;
    let link = |entry: &EntryPoint| Ok((entry.clone(), jit.packed_function(&packed::name(&entry.name))?));
    let linked = entries.iter().map(link).collect::<Result<Vec<_>>>()?;
    heap::give_back();
    // What the code reads goes after the code.
    let code = Box::new((jit, constants));
    // SAFETY: `packed` generated each function for the entry whose name it has, and the linker keeps it.
    Ok(unsafe { CompiledModule::new(linked, code) })
}
