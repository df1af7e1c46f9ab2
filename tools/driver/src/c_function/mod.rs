//! A plain C function for a function of a program, for objects and libraries that others link. The header of [`header`](crate::header) declares it.
//!
//! `int32_t name(const dl_tensor *inputs, dl_tensor *outputs)` checks the inputs against the signature, calls the lowered function, and hands out
//! its results. Nothing but the C library is needed for that. It is written in the `llvm` dialect ([`body`]) and added to the program, so that every
//! back end makes machine code of it.
//!
//! The program must give the buffers of its results away, as ownership-based deallocation makes functions do.

mod body;

use dl_ir::bytecode::load_source;
use dl_ir::symbol::{renamed_symbols, unique_name};
use dl_ir::{Arena, Attr, AttrRef, Context, Diagnostics, Ident, OpId, OpRef, RegionRef, Rewriter, verify, walk};
use dl_llvm::Linkage;
use dl_runtime::ArgType;
use dl_runtime::c_interface::MAX_RANK;
use dl_runtime::call::EntryPoint;
use dl_tools_support::messages;

use crate::header::CName;
use crate::program::Program;

/// Adds the C function `name` for an entry to a lowered program, and makes all other functions internal.
///
/// # Errors
/// That the entry is not there, was lowered to another type than its signature says, or takes what the interface cannot hold.
pub(crate) fn add(program: &mut Program<'_>, entry: &EntryPoint, name: &CName) -> Result<(), Diagnostics> {
    let types = entry.signature.inputs.iter().chain(&entry.signature.results);
    if types.into_iter().any(|ty| shape(ty).len() > MAX_RANK) {
        let message = format!("unsupported: a tensor with more than {MAX_RANK} dimensions in a C interface");
        return Err(messages::error(message));
    }
    let (cx, module) = program.module_mut();
    let defined = functions(cx, module);
    let callee = match &defined[..] {
        names if names.iter().any(|(_, of)| of == name.as_str()) => {
            let all: Vec<String> = names.iter().map(|(_, name)| name.clone()).collect();
            let new = unique_name(name.as_str(), |name| all.iter().any(|taken| taken == name));
            rename(cx, module, cx.ident(name.as_str()), cx.ident(&new));
            if entry.name == name.as_str() { new } else { entry.name.clone() }
        }
        _ => entry.name.clone(),
    };
    let source = cx.add_source("<C function>", body::text(&entry.signature, &callee, name.as_str()));
    let written = load_source(cx, &source)?.module;
    check_type(OpRef::root(cx, module), OpRef::root(cx, &written), &callee, &entry.name)?;
    let internal = cx.dialect_attr("llvm.linkage", &[cx.i64_attr(Linkage::Internal.value() as i64)]);
    for (function, _) in functions(cx, module) {
        set(cx, module, function, cx.ident("linkage"), internal);
    }
    merge(cx, module, written);
    verify::verify(cx, module)
}

/// The extents of an argument or result; none of a scalar.
fn shape(ty: &ArgType) -> &[Option<usize>] {
    match ty {
        ArgType::MemRef { shape, .. } => shape,
        ArgType::Scalar(_) => &[],
    }
}

/// The functions of a module that have a body, with their names.
fn functions(cx: &Context, module: &Arena) -> Vec<(OpId, String)> {
    let all = OpRef::root(cx, module).regions().flat_map(RegionRef::ops);
    let defined = all.filter(|op| op.name() == "llvm.func" && !op.body().region(0).is_empty());
    defined.filter_map(|op| Some((op.id(), op.symbol_name()?.to_owned()))).collect()
}

/// Checks that the function which is to be called has the type that it is called with.
fn check_type(program: OpRef<'_>, written: OpRef<'_>, callee: &str, entry: &str) -> Result<(), Diagnostics> {
    let ty = |module: OpRef<'_>| {
        let mut all = module.regions().flat_map(RegionRef::ops).filter(|op| op.name() == "llvm.func");
        let function = all.find(|op| op.symbol_name() == Some(callee))?;
        function.attr("function_type").and_then(AttrRef::as_type).map(|ty| (ty.id(), ty.to_string()))
    };
    match (ty(program), ty(written)) {
        (Some((found, _)), Some((expected, _))) if found == expected => Ok(()),
        (Some((_, found)), Some((_, expected))) => Err(messages::error(format!(
            "function '{entry}' was lowered to '{found}', but its signature calls for '{expected}'"
        ))),
        _ => Err(messages::error(format!("no function '{entry}' in the lowered program"))),
    }
}

/// Sets an attribute of a function.
fn set(cx: &Context, module: &mut Arena, function: OpId, name: Ident, value: Attr) {
    if let Some(function) = module.child_mut(function) {
        Rewriter::new(cx, function).set_attr(Arena::ROOT, name, value);
    }
}

/// Gives a symbol of the module another name, also where it is referred to.
fn rename(cx: &Context, module: &mut Arena, old: Ident, new: Ident) {
    let sym_name = cx.ident("sym_name");
    let functions = functions(cx, module);
    let renamed = functions.iter().find(|(_, name)| name == cx.str(old)).map(|&(function, _)| function);
    if let Some(function) = renamed {
        set(cx, module, function, sym_name, cx.string_attr(cx.str(new)));
    }
    rename_uses(cx, module, old, new);
    for (function, _) in functions {
        if let Some(function) = module.child_mut(function) {
            rename_uses(cx, function, old, new);
        }
    }
}

fn rename_uses(cx: &Context, ir: &mut Arena, old: Ident, new: Ident) {
    for op in walk::ops_in_arena(ir, Arena::ROOT) {
        let changed = |(name, attr): (Ident, AttrRef<'_>)| {
            Some((name, renamed_symbols(attr, &|symbol| (symbol == old).then_some(new))?))
        };
        let attrs: Vec<_> = OpRef::new(cx, ir, op).attrs().filter_map(changed).collect();
        for (name, attr) in attrs {
            Rewriter::new(cx, ir).set_attr(op, name, attr);
        }
    }
}

/// Moves the functions that were written to the end of the program, but for declarations of what it has.
fn merge(cx: &Context, module: &mut Arena, mut written: Box<Arena>) {
    let names = |module: &Arena| -> Vec<(OpId, Option<String>)> {
        let all = OpRef::root(cx, module).regions().flat_map(RegionRef::ops);
        all.map(|op| (op.id(), op.symbol_name().map(str::to_owned))).collect()
    };
    let known = names(module);
    for (function, _) in names(&written).into_iter().filter(|(_, name)| known.iter().all(|(_, known)| known != name)) {
        let body = Rewriter::new(cx, &mut written).take_child(function);
        let block = OpRef::root(cx, module).region(0).entry().map(|block| block.id());
        let (Some(body), Some(block)) = (body, block) else { continue };
        let mut rw = Rewriter::new(cx, module);
        rw.set_insertion_to_end(block);
        rw.insert_child(body, &[], &[]);
    }
}
