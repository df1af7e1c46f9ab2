//! A module: its functions and globals declared and defined.

use cranelift_codegen::Context as FunctionContext;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{FuncRef, GlobalValue};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{DataId, FuncId, Linkage, Module, ModuleError};
use dl_ir::symbol::{SymbolTable, symbol_refs};
use dl_ir::{AttrRef, Diagnostic, Diagnostics, OpRef, RegionRef, TypeRef};
use dl_llvm::Linkage as LlvmLinkage;
use rustc_hash::{FxHashMap, FxHashSet};
use target_lexicon::Architecture;

use crate::abi::{self, Abi};
use crate::addresses::regroup;
use crate::function::{Function, Outcome, unsupported};
use crate::globals;
use crate::hoist::hoist_invariants;
use crate::schedule::sink_loads;
use crate::shape::Shapes;
use crate::unroll::unroll;

/// The largest constant that every machine has room for in an access, but for those with room for 32 bits.
const FARTHEST: i32 = 2047;

/// A module on its way to machine code.
pub(crate) struct Unit<'a> {
    pub(crate) module: &'a mut dyn Module,
    pub(crate) shapes: Shapes,
    pub(crate) conv: CallConv,
    /// Whether a product and a sum are one instruction.
    pub(crate) has_fma: bool,
    pub(crate) is_x64: bool,
    /// Whether vectors can be compared in each of the ways in which scalars can.
    pub(crate) has_all_comparisons: bool,
    symbols: SymbolTable<'a>,
    functions: FxHashMap<&'a str, (FuncId, Abi)>,
    data: FxHashMap<&'a str, DataId>,
    /// Functions of the C library and the runtime that code calls by itself.
    library: FxHashMap<&'static str, FuncId>,
    /// The machine again, for simplifying expressions; none where that is not asked for.
    simplifier: Option<OwnedTargetIsa>,
    /// Whether code and data of the module may lie anywhere, as in a running process.
    is_scattered: bool,
    builder: FunctionBuilderContext,
    context: FunctionContext,
}

/// What of a module is wanted.
pub(crate) enum Wanted<'w> {
    /// All of it, names seen from outside.
    All,
    /// What these functions need, and no names.
    Only(&'w [&'w str]),
}

/// Large constants that code refers to where they lie, by name, instead of copying them.
pub(crate) type Borrowed<'b> = &'b mut dyn FnMut(&str, AttrRef<'_>, u64) -> bool;

impl<'a> Unit<'a> {
    pub(crate) fn new(
        module: &'a mut dyn Module,
        root: OpRef<'a>,
        simplifier: Option<OwnedTargetIsa>,
        is_scattered: bool,
    ) -> Self {
        let isa = module.isa();
        let conv = isa.default_call_conv();
        let has = |name: &str| isa.isa_flags().iter().any(|flag| flag.name == name && flag.as_bool() == Some(true));
        let architecture = isa.triple().architecture;
        let has_vectors = !matches!(architecture, Architecture::Riscv64(_)) || has("has_v");
        let is_x64 = architecture == Architecture::X86_64;
        let has_fma = !is_x64 || has("has_fma");
        let context = module.make_context();
        Self {
            module,
            shapes: Shapes::new(has_vectors),
            conv,
            has_fma,
            is_x64,
            has_all_comparisons: is_x64,
            symbols: SymbolTable::new(root),
            functions: FxHashMap::default(),
            data: FxHashMap::default(),
            library: FxHashMap::default(),
            simplifier,
            is_scattered,
            builder: FunctionBuilderContext::new(),
            context,
        }
    }

    /// Declares and defines what is wanted of the module.
    ///
    /// # Errors
    /// All that is not supported, at its place.
    pub(crate) fn build(&mut self, wanted: &Wanted<'_>, borrow: Borrowed<'_>) -> Result<(), Diagnostics> {
        let root = self.symbols.op();
        let mut all: Vec<OpRef<'a>> = root.regions().flat_map(RegionRef::ops).collect();
        if let Wanted::Only(names) = wanted {
            let needed = self.reachable(names);
            all.retain(|op| op.symbol_name().is_some_and(|name| needed.contains(name)));
        }
        let mut diagnostics = Diagnostics::default();
        let is_whole = matches!(wanted, Wanted::All);
        let mut defined = Vec::new();
        for op in all {
            match self.declare(op, is_whole, borrow) {
                Ok(has_body) => defined.extend(has_body.then_some(op)),
                Err(error) => diagnostics.push(error),
            }
        }
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        for op in defined {
            if let Err(error) = self.define(op) {
                diagnostics.push(error);
            }
        }
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(()) }
    }

    /// The symbols that these functions need, themselves among them.
    fn reachable(&self, names: &[&str]) -> FxHashSet<&'a str> {
        let mut found = FxHashSet::default();
        let mut open: Vec<OpRef<'a>> = names.iter().filter_map(|name| self.symbols.get(name)).collect();
        while let Some(op) = open.pop() {
            if !op.symbol_name().is_some_and(|name| found.insert(name)) {
                continue;
            }
            let refs = |op: OpRef<'a>| op.attrs().flat_map(|(_, attr)| symbol_refs(attr)).collect::<Vec<_>>();
            let inside = op.regions().flat_map(RegionRef::ops).flat_map(refs);
            open.extend(inside.filter_map(|symbol| self.symbols.resolve(symbol)));
        }
        found
    }

    /// Declares a function or global; says whether it is defined here.
    fn declare(&mut self, op: OpRef<'a>, is_whole: bool, borrow: Borrowed<'_>) -> Result<bool, Diagnostic> {
        let name = op.symbol_name().unwrap_or_default();
        let refuse = |what: String| unsupported(op, &what);
        match op.name() {
            "llvm.func" => {
                let has_body = !op.region(0).is_empty();
                let linkage = linkage(op, has_body, is_whole).map_err(refuse)?;
                let ty = abi::function_type(op).map_err(refuse)?;
                // Whether a function is local is not seen from a pointer to it.
                let is_local = has_body;
                let abi = abi::of(ty, is_local, self.conv, &mut self.shapes);
                let abi = abi.map_err(|what| unsupported(op, &format!("function '{name}': {what}")))?;
                let id = self.module.declare_function(name, linkage, &abi.signature).map_err(|e| failed(op, &e))?;
                self.functions.insert(name, (id, abi));
                Ok(has_body)
            }
            "llvm.mlir.global" => {
                let has_value = op.attr("value").is_some() || !op.region(0).is_empty();
                let linkage = linkage(op, has_value, is_whole).map_err(refuse)?;
                let ty = op.attr("global_type").and_then(AttrRef::as_type);
                let size = ty.map(dl_llvm::layout::size).transpose().map_err(refuse)?.unwrap_or(0);
                let is_borrowed = op.attr("value").is_some_and(|value| {
                    linkage == Linkage::Local && op.attr("constant").is_some() && borrow(name, value, size)
                });
                let linkage = if is_borrowed { Linkage::Import } else { linkage };
                let is_writable = op.attr("constant").is_none();
                let thread_local = op.attr("thread_local_").is_some();
                if thread_local {
                    return Err(unsupported(op, "variables of a thread"));
                }
                let id = self.module.declare_data(name, linkage, is_writable, false).map_err(|e| failed(op, &e))?;
                self.data.insert(name, id);
                Ok(has_value && !is_borrowed)
            }
            // What describes the module to LLVM, or names sections that nothing here makes.
            "llvm.module_flags" | "llvm.comdat" | "llvm.linker_options" => Ok(false),
            "llvm.mlir.global_ctors" | "llvm.mlir.global_dtors" => {
                let is_empty = op.attr("ctors").or(op.attr("dtors")).is_none_or(|all| all.elements().len() == 0);
                if is_empty {
                    Ok(false)
                } else {
                    Err(unsupported(op, "functions that run before or after the program"))
                }
            }
            other => Err(unsupported(op, &format!("'{other}' in a module"))),
        }
    }

    fn define(&mut self, op: OpRef<'a>) -> Result<(), Diagnostic> {
        let name = op.symbol_name().unwrap_or_default();
        if op.name() != "llvm.func" {
            let data = globals::contents(self, op)?;
            return self.module.define_data(self.data[name], &data).map_err(|error| failed(op, &error));
        }
        let (id, abi) = self.functions[name].clone();
        self.function(id, &abi, |builder, unit| Function::translate(builder, unit, op, &abi))
            .map_err(|error| error.unwrap_or_else(|error| failed(op, &error)))
    }

    /// Defines a function with what `body` builds.
    ///
    /// # Errors
    /// That of `body` (`Ok`), or Cranelift's.
    pub(crate) fn function<E>(
        &mut self,
        id: FuncId,
        abi: &Abi,
        body: impl FnOnce(FunctionBuilder<'_>, &mut Self) -> Result<(), E>,
    ) -> Result<(), Result<E, Box<ModuleError>>> {
        let mut context = std::mem::replace(&mut self.context, FunctionContext::new());
        let mut state = std::mem::take(&mut self.builder);
        context.func.signature = abi.signature.clone();
        context.func.name = cranelift_codegen::ir::UserFuncName::user(0, id.as_u32());
        let built = body(FunctionBuilder::new(&mut context.func, &mut state), self);
        let result = match built {
            Ok(()) => {
                let _span = tracing::info_span!("cranelift-function").entered();
                self.simplify(&mut context)
                    .and_then(|()| self.module.define_function(id, &mut context).map_err(Box::new))
                    .map_err(Err)
            }
            Err(error) => {
                // What is half built is of no use.
                state = FunctionBuilderContext::new();
                Err(Ok(error))
            }
        };
        self.module.clear_context(&mut context);
        (self.context, self.builder) = (context, state);
        result
    }

    /// Regroups addresses, simplifies expressions, unrolls loops, takes what does not change out of loops, and moves loads to their uses. The module's own machine
    /// leaves the order as it is.
    fn simplify(&self, context: &mut FunctionContext) -> Result<(), Box<ModuleError>> {
        let Some(isa) = &self.simplifier else { return Ok(()) };
        let reach = if self.is_x64 { i32::MAX } else { FARTHEST };
        regroup(context, reach);
        context.optimize(&**isa, &mut ControlPlane::default()).map_err(|error| Box::new(error.into()))?;
        // What is simplified is computed as late as it can be, sums one after another: iterations are repeated in the order that they have then.
        if unroll(context) {
            regroup(context, reach);
        }
        hoist_invariants(context);
        sink_loads(&mut context.func);
        Ok(())
    }

    /// The function or global of this name.
    pub(crate) fn symbol(&self, name: &str) -> Option<OpRef<'a>> {
        self.symbols.get(name)
    }

    /// A function of the module.
    pub(crate) fn declared(&self, name: &str) -> Outcome<(FuncId, Abi)> {
        self.functions.get(name).cloned().ok_or_else(|| format!("a call of '{name}', which is no function"))
    }

    /// A function of the module as one that `func` may call.
    pub(crate) fn func_ref(&mut self, id: FuncId, func: &mut cranelift_codegen::ir::Function) -> FuncRef {
        let reference = self.module.declare_func_in_func(id, func);
        if self.is_scattered {
            func.dfg.ext_funcs[reference].colocated = false;
        }
        reference
    }

    /// A global of the module as one that `func` may name.
    pub(crate) fn data_ref(&mut self, name: &str, func: &mut cranelift_codegen::ir::Function) -> Option<GlobalValue> {
        let value = self.module.declare_data_in_func(*self.data.get(name)?, func);
        if self.is_scattered
            && let cranelift_codegen::ir::GlobalValueData::Symbol { colocated, .. } = &mut func.global_values[value]
        {
            *colocated = false;
        }
        Some(value)
    }

    /// Where a global or function of the module is declared, for data that points to it.
    pub(crate) fn data_id(&self, name: &str) -> Option<DataId> {
        self.data.get(name).copied()
    }

    /// A function of the C library or the runtime.
    pub(crate) fn library(
        &mut self,
        name: &'static str,
        signature: &cranelift_codegen::ir::Signature,
    ) -> Outcome<FuncId> {
        if let Some(&id) = self.library.get(name) {
            return Ok(id);
        }
        let declared = self.module.declare_function(name, Linkage::Import, signature);
        let id = declared
            .map_err(|error| format!("a call of '{name}', which the program declares in another way: {error}"))?;
        self.library.insert(name, id);
        Ok(id)
    }

    /// The ABI of a function type that is called through a pointer.
    pub(crate) fn indirect_abi(&mut self, ty: TypeRef<'_>) -> Outcome<Abi> {
        abi::of(ty, true, self.conv, &mut self.shapes)
    }
}

/// What Cranelift says about a function or global.
fn failed(op: OpRef<'_>, error: &ModuleError) -> Diagnostic {
    let name = op.symbol_name().unwrap_or_default();
    match error {
        ModuleError::Compilation(error) => unsupported(op, &format!("'{name}': {error}")),
        error => Diagnostic::error(op.loc(), format!("'{name}': {error}")),
    }
}

/// How a symbol is seen from outside.
fn linkage(op: OpRef<'_>, is_defined: bool, is_whole: bool) -> Outcome<Linkage> {
    if !is_defined {
        return Ok(Linkage::Import);
    }
    if !is_whole {
        return Ok(Linkage::Local);
    }
    Ok(match op.attr_or_default("linkage").and_then(LlvmLinkage::from_attr).unwrap_or(LlvmLinkage::External) {
        LlvmLinkage::External => Linkage::Export,
        LlvmLinkage::Internal | LlvmLinkage::Private => Linkage::Local,
        LlvmLinkage::Linkonce | LlvmLinkage::LinkonceODR | LlvmLinkage::Weak | LlvmLinkage::WeakODR => {
            Linkage::Preemptible
        }
        LlvmLinkage::AvailableExternally => return Err("functions that are defined elsewhere as well".to_owned()),
        LlvmLinkage::Appending | LlvmLinkage::ExternWeak | LlvmLinkage::Common => {
            return Err("symbols of this linkage".to_owned());
        }
    })
}
