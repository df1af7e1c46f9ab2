//! Verifiers of globals, aliases and indirect functions: what stands for a value at link time.

use dl_ir::interfaces::SymbolUser;
use dl_ir::symbol::SymbolTable;
use dl_ir::{AttrData, AttrRef, Diagnostic, OpRef, OpView, TypeRef};

use crate::{
    AddressOfOp, AliasOp, ComdatSelectorOp, DSOLocalEquivalentOp, GlobalOp, IFuncOp, LLVMFuncOp, Linkage, ReturnOp,
    types,
};

type Verified = Result<(), Diagnostic>;

pub(crate) fn verify_global(op: OpRef<'_>) -> Verified {
    let view = GlobalOp::wrap(op);
    let Some(ty) = view.global_type().as_type() else { return Ok(()) };
    if !types::is_compatible(ty) || !types::is_element(ty) {
        return Err(op.error("expects type to be a valid element type for an LLVM global"));
    }
    if let Some(AttrData::String { value, .. }) = view.value().map(AttrRef::data) {
        let fits = types::array_parts(ty)
            .is_some_and(|(element, len)| op.cx().ty(element).is_signless_integer_of(8) && len == value.len() as u64);
        if !fits {
            return Err(op.error("requires an i8 array type of the length equal to that of the string attribute"));
        }
    }
    if ty.is_dialect_type("llvm.target") {
        if !types::can_be_global(ty) {
            return Err(op.error("this target extension type cannot be used in a global"));
        }
        if view.value().is_some() {
            return Err(op.error("global with target extension type can only be initialized with zero-initializer"));
        }
    }
    if view.value().is_some() && !view.initializer().is_empty() {
        return Err(op.error("cannot have both initializer value and region"));
    }
    match Linkage::from_attr(view.linkage()) {
        Some(Linkage::Common) if view.value().is_some_and(|value| !is_zero(value)) => {
            Err(op.error("expected zero value for 'common' linkage"))
        }
        Some(Linkage::Appending) if !types::is_array(ty) => {
            Err(op.error("expected array type for 'appending' linkage"))
        }
        _ => verify_alignment(op, view.alignment()),
    }
}

/// The region of a global hands over a value of its type.
pub(crate) fn verify_global_initializer(op: OpRef<'_>) -> Verified {
    let view = GlobalOp::wrap(op);
    if view.initializer().is_empty() {
        return Ok(());
    }
    let Some(returned) = returned_type(op) else { return Err(op.error("initializer region cannot return void")) };
    if let Some(ty) = view.global_type().as_type().filter(|&ty| ty != returned) {
        let message = format_args!("initializer region type '{returned}' does not match global type '{ty}'");
        return Err(op.error(message));
    }
    verify_no_effects(op, "ops with side effects not allowed in global initializers")
}

fn is_zero(value: AttrRef<'_>) -> bool {
    match value.splat_value() {
        Some(element) => element.as_int() == Some(0) || element.as_f64() == Some(0.0),
        None => value.as_int() == Some(0) || value.as_f64() == Some(0.0) || value.is_dialect_attr("llvm.zero"),
    }
}

fn verify_alignment(op: OpRef<'_>, alignment: Option<AttrRef<'_>>) -> Verified {
    let valid = alignment.and_then(AttrRef::as_int).is_none_or(|n| n > 0 && n.count_ones() == 1);
    if valid { Ok(()) } else { Err(Diagnostic::error(op.loc(), "alignment attribute is not a power of 2")) }
}

/// The type of the value that the region of `op` returns.
fn returned_type(op: OpRef<'_>) -> Option<TypeRef<'_>> {
    let last = op.region(0).entry()?.last_op()?;
    last.cast::<ReturnOp<'_>>()?.0.operands().get(0).map(dl_ir::ValueRef::ty)
}

/// Nothing in the region of `op` touches memory: it is evaluated when the program is linked or loaded.
fn verify_no_effects(op: OpRef<'_>, message: &str) -> Verified {
    let impure = op.region(0).ops().find(|&inner| !dl_ir::effects::is_memory_effect_free(inner));
    impure.map_or(Ok(()), |inner| Err(Diagnostic::error(inner.loc(), message)))
}

const ALIAS_LINKAGES: [Linkage; 8] = [
    Linkage::Private,
    Linkage::Internal,
    Linkage::Linkonce,
    Linkage::Weak,
    Linkage::LinkonceODR,
    Linkage::WeakODR,
    Linkage::External,
    Linkage::AvailableExternally,
];

pub(crate) fn verify_alias(op: OpRef<'_>) -> Verified {
    let view = AliasOp::wrap(op);
    if view.alias_type().as_type().is_some_and(|ty| !types::is_element(ty) && !types::is_func(ty)) {
        return Err(op.error("expects type to be a valid element type for an LLVM global alias"));
    }
    match Linkage::from_attr(view.linkage()) {
        Some(linkage) if !ALIAS_LINKAGES.contains(&linkage) => Err(op.error(format_args!(
            "'{linkage}' linkage not supported in aliases, available options: private, internal, linkonce, weak, \
             linkonce_odr, weak_odr, external or available_externally"
        ))),
        _ => Ok(()),
    }
}

/// The region of an alias hands over the address that it stands for.
pub(crate) fn verify_alias_initializer(op: OpRef<'_>) -> Verified {
    if !returned_type(op).is_some_and(types::is_ptr) {
        return Err(op.error("initializer region must always return a pointer"));
    }
    verify_no_effects(op, "ops with side effects are not allowed in alias initializers")
}

pub(crate) fn verify_ifunc(op: OpRef<'_>) -> Verified {
    let linkage = Linkage::from_attr(IFuncOp::wrap(op).linkage());
    let supported = |linkage: &Linkage| *linkage != Linkage::AvailableExternally && ALIAS_LINKAGES.contains(linkage);
    match linkage.filter(|linkage| !supported(linkage)) {
        Some(linkage) => Err(op.error(format_args!(
            "'{linkage}' linkage not supported in ifuncs, available options: private, internal, linkonce, weak, \
             linkonce_odr, weak_odr, or external linkage"
        ))),
        None => Ok(()),
    }
}

/// The resolver of an indirect function is a function with a body that returns a pointer, or an alias of one.
pub(crate) struct Resolver;

impl SymbolUser for Resolver {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Verified {
        let view = IFuncOp::wrap(op);
        let mut symbol = view.resolver().as_flat_symbol().and_then(|name| table.get(name));
        let mut seen = Vec::new();
        while let Some(alias) = symbol.filter(|symbol| symbol.is::<AliasOp<'_>>()) {
            if seen.contains(&alias.id()) {
                break;
            }
            seen.push(alias.id());
            // An initializer that computes the address is not followed.
            let Some(name) = alias_target(alias) else { return Ok(()) };
            symbol = table.get(name);
        }
        let Some(resolver) = symbol.and_then(OpRef::cast::<LLVMFuncOp<'_>>) else {
            return Err(op.error("must have a function resolver"));
        };
        if resolver.is_declaration() || Linkage::from_attr(resolver.linkage()) == Some(Linkage::AvailableExternally) {
            return Err(op.error("resolver must be a definition"));
        }
        let returned = resolver.function_type().as_type().and_then(types::func_parts).map(|(result, ..)| result);
        if !returned.is_some_and(|result| types::is_ptr(op.cx().ty(result))) {
            return Err(op.error("resolver must return a pointer"));
        }
        let space = view.resolver_type().as_type().and_then(types::address_space).map(i64::from);
        if space.is_none() || space != view.address_space().as_int() {
            return Err(op.error("resolver has incorrect type"));
        }
        Ok(())
    }
}

/// The symbol whose address an alias returns as it is.
fn alias_target(alias: OpRef<'_>) -> Option<&str> {
    let value = alias.region(0).entry()?.last_op()?.operands().get(0)?;
    value.defining_op()?.cast::<AddressOfOp<'_>>()?.global_name().as_flat_symbol()
}

/// `llvm.dso_local_equivalent` names a function that is there in any case, or an alias of a function.
pub(crate) struct LocalEquivalent;

impl SymbolUser for LocalEquivalent {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Verified {
        let symbol = DSOLocalEquivalentOp::wrap(op).function_name().as_flat_symbol().and_then(|name| table.get(name));
        if let Some(function) = symbol.and_then(OpRef::cast::<LLVMFuncOp<'_>>) {
            if Linkage::from_attr(function.linkage()) == Some(Linkage::ExternWeak) {
                return Err(op.error("target function with 'extern_weak' linkage not allowed"));
            }
            return Ok(());
        }
        let Some(alias) = symbol.and_then(OpRef::cast::<AliasOp<'_>>) else {
            return Err(op.error("must reference a global defined by 'llvm.func' or 'llvm.mlir.alias'"));
        };
        if alias.alias_type().as_type().is_some_and(types::is_func) {
            return Ok(());
        }
        Err(op.error("must reference an alias to a function"))
    }
}

/// What a global or function is grouped with for the linker is a selector.
pub(crate) struct Comdat;

impl SymbolUser for Comdat {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Verified {
        let Some(comdat) = op.attr("comdat") else { return Ok(()) };
        if resolve(table, comdat).is_some_and(|symbol| symbol.is::<ComdatSelectorOp<'_>>()) {
            return Ok(());
        }
        Err(Diagnostic::error(op.loc(), "expected comdat symbol"))
    }
}

fn resolve<'a>(table: &SymbolTable<'a>, symbol: AttrRef<'_>) -> Option<OpRef<'a>> {
    let AttrData::SymbolRef { root, nested } = symbol.data() else { return None };
    let cx = symbol.cx();
    nested.iter().try_fold(table.get(cx.str(*root))?, |outer, &name| SymbolTable::new(outer).get(cx.str(name)))
}

/// A comdat region lists selectors.
pub(crate) fn verify_comdat(op: OpRef<'_>) -> Verified {
    match op.region(0).ops().find(|inner| !inner.is::<ComdatSelectorOp<'_>>()) {
        Some(inner) => {
            Err(Diagnostic::error(inner.loc(), "only comdat selector symbols can appear in a comdat region"))
        }
        None => Ok(()),
    }
}
