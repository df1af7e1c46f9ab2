//! Functions of this process.

#![expect(unsafe_code, reason = "makes function pointers of addresses, and owns the memory of the code")]

use std::mem::ManuallyDrop;
use std::sync::Arc;

use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use dl_ir::attributes::DenseData;
use dl_ir::{AttrData, AttrRef, Diagnostic, Diagnostics, Loc, OpRef};
use dl_runtime::call::{CompiledModule, EntryPoint, PackedFunction};
use rustc_hash::FxHashMap;

use crate::constants::is_plain;
use crate::packed;
use crate::target::{self, TargetOptions};
use crate::unit::{Unit, Wanted};

/// Constants of at least so many bytes stay where the module has them.
const LARGE: u64 = 1 << 12;

/// Compiles what `entries` need of a module that is lowered to the `llvm` dialect, into this process.
///
/// # Errors
/// What is not supported, at its place; that an entry is not there, or was lowered to another type than its signature says; that the
/// target is another machine; that the module calls functions that nobody has.
pub fn compile(
    root: OpRef<'_>,
    entries: &[EntryPoint],
    options: &TargetOptions,
) -> Result<CompiledModule, Diagnostics> {
    let error = |message: String| Diagnostics::from(Diagnostic::error(Loc::UNKNOWN, message));
    let triple = target::triple(options).map_err(error)?;
    if !target::is_host(&triple) {
        return Err(error(format!("code for target '{triple}' does not run on this machine")));
    }
    for entry in entries {
        packed::check(root, entry).map_err(error)?;
    }
    let (isa, simplifier) = target::isas(options, false).map_err(error)?;
    let mut borrowed = Borrowed::of(root);
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    builder.symbols(dl_runtime::symbols().map(|(name, address)| (name, std::ptr::with_exposed_provenance(address))));
    builder.symbols(borrowed.symbols());
    let mut module = JITModule::new(builder);
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let mut made = Vec::with_capacity(entries.len());
    {
        let mut unit = Unit::new(&mut module, root, simplifier, true);
        unit.build(&Wanted::Only(&names), &mut |name, _, _| borrowed.is_used(name))?;
        for entry in entries {
            made.push((entry.clone(), packed::add(&mut unit, root.cx(), entry)?));
        }
    }
    let _span = tracing::info_span!("jit-link").entered();
    undefined(&module, &borrowed).map_err(error)?;
    module.finalize_definitions().map_err(|fault| error(fault.to_string()))?;
    let function = |(entry, id)| {
        let address = module.get_finalized_function(id);
        // SAFETY: `packed::add` made a function of this type, and its address is final.
        (entry, unsafe { std::mem::transmute::<*const u8, PackedFunction>(address) })
    };
    let linked = made.into_iter().map(function).collect();
    let code = Code { module: ManuallyDrop::new(module), _constants: borrowed };
    // SAFETY: each function was made for the entry beside it, and the code keeps it.
    Ok(unsafe { CompiledModule::new(linked, Box::new(code)) })
}

/// Compiled code, and the constants that it reads.
struct Code {
    module: ManuallyDrop<JITModule>,
    _constants: Borrowed,
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the module is not used again, and no function of it runs: calls borrow what owns this.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

// SAFETY: once it is linked nothing of the module changes, and nothing but `drop` touches it.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

/// Large constants of a module, kept as long as code reads them.
struct Borrowed {
    found: FxHashMap<String, Bytes>,
}

/// The bytes of a constant, shared with whoever has them.
enum Bytes {
    Dense(DenseData),
    Resource(Arc<[u8]>),
}

impl Bytes {
    fn address(&self) -> *const u8 {
        match self {
            Self::Dense(data) => data.bytes().as_ptr(),
            Self::Resource(data) => data.as_ptr(),
        }
    }
}

impl Borrowed {
    fn of(root: OpRef<'_>) -> Self {
        let mut found = FxHashMap::default();
        for op in root.regions().flat_map(dl_ir::RegionRef::ops) {
            let is_constant = op.name() == "llvm.mlir.global" && op.attr("constant").is_some();
            let name = op.symbol_name().filter(|_| is_constant && op.region(0).is_empty());
            let ty = op.attr("global_type").and_then(AttrRef::as_type);
            let (Some(name), Some(value), Some(ty)) = (name, op.attr("value"), ty) else { continue };
            let Ok(size) = dl_llvm::layout::size(ty) else { continue };
            let bytes = match value.data() {
                AttrData::DenseElements { data, .. } if is_plain(value, ty) && !data.is_splat() => {
                    Bytes::Dense(data.clone())
                }
                AttrData::DenseResource { key, .. } => match root.cx().resource(*key) {
                    Some(resource) => Bytes::Resource(resource.data),
                    None => continue,
                },
                _ => continue,
            };
            let len = match &bytes {
                Bytes::Dense(data) => data.bytes().len(),
                Bytes::Resource(data) => data.len(),
            };
            // What is read as vectors must lie as vectors do.
            if size >= LARGE && len as u64 == size && bytes.address().addr().is_multiple_of(16) {
                found.insert(name.to_owned(), bytes);
            }
        }
        Self { found }
    }

    fn symbols(&self) -> Vec<(String, *const u8)> {
        let mut all: Vec<_> = self.found.iter().map(|(name, bytes)| (name.clone(), bytes.address())).collect();
        all.sort_unstable();
        all
    }

    fn is_used(&mut self, name: &str) -> bool {
        self.found.contains_key(name)
    }
}

/// That there are functions or data that the module names and nobody has. Linking would end the process.
fn undefined(module: &JITModule, borrowed: &Borrowed) -> Result<(), String> {
    let runtime: rustc_hash::FxHashSet<&str> = dl_runtime::symbols().map(|(name, _)| name).collect();
    let process = libloading::os::unix::Library::this();
    let is_there = |name: &str| {
        // SAFETY: the symbol is only looked up.
        runtime.contains(name)
            || borrowed.found.contains_key(name)
            || unsafe { process.get::<*const ()>(name.as_bytes()) }.is_ok()
    };
    let declarations = module.declarations();
    let functions = declarations.get_functions().map(|(id, of)| (of.linkage, of.linkage_name(id)));
    let data = declarations.get_data_objects().map(|(id, of)| (of.linkage, of.linkage_name(id)));
    let missing: Vec<String> = functions
        .chain(data)
        .filter(|(linkage, name)| *linkage == Linkage::Import && !is_there(name))
        .map(|(_, name)| format!("'{name}'"))
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("nobody has {}, which the program calls", missing.join(", "))) }
}
