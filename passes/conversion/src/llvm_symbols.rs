//! Symbols that lowered code refers to: texts, and functions defined elsewhere.

use dl_ir::rewrite::conversion::ConversionRewriter;
use dl_ir::{Diagnostic, Loc, OpId, OpRef, OpState, Rewriter, Type};
use dl_llvm::types::array_type;
use dl_llvm::{GlobalOp, LLVMFuncOp, Linkage};

/// Asks for a constant that holds `text` and a final zero; answers its name, which equal texts share.
pub(crate) fn declare_text(rw: &mut ConversionRewriter<'_>, prefix: &str, text: &str) -> String {
    let name = format!("{prefix}_{:016x}", dl_ir::opdef::name_hash(text));
    let (symbol, bytes) = (name.clone(), [text.as_bytes(), &[0]].concat());
    rw.declare_symbol(&name, move |rw| {
        let cx = rw.cx();
        let byte = cx.int_type(8);
        let values: Vec<_> = bytes.iter().map(|&b| cx.int_attr(byte, i64::from(b))).collect();
        let value = cx.dense_attr(cx.tensor_type(&[values.len() as i64], byte), &values);
        let state = OpState::of::<GlobalOp<'_>>(Loc::UNKNOWN)
            .attr(cx, "global_type", cx.type_attr(array_type(cx, byte, values.len() as u64)))
            .attr(cx, "sym_name", cx.string_attr(&symbol))
            .attr(cx, "linkage", linkage_attr(cx, Linkage::Private))
            .attr(cx, "constant", cx.unit_attr())
            .maybe_attr(cx, "value", value);
        rw.create_isolated(state, 1);
    });
    name
}

/// `#llvm.linkage<...>`.
pub(crate) fn linkage_attr(cx: &dl_ir::Context, linkage: Linkage) -> dl_ir::Attr {
    cx.dialect_attr("llvm.linkage", &[cx.i64_attr(linkage.value() as i64)])
}

/// Asks for the external function `name` of type `ty`. A function of the program may have that name, if it has that type as well.
pub(crate) fn external_function(rw: &mut ConversionRewriter<'_>, name: &'static str, ty: Type) {
    let check = move |symbol: OpRef<'_>| match symbol
        .cast::<LLVMFuncOp<'_>>()
        .and_then(|func| func.function_type().as_type())
    {
        Some(found) if found.id() != ty => {
            let message =
                format!("redefinition of reserved function '{name}' of different type '{found}' is prohibited");
            Err(Diagnostic::error(symbol.loc(), message))
        }
        _ => Ok(()),
    };
    rw.declare_fitting_symbol(name, check, move |rw| {
        declare_function(rw, name, ty);
    });
}

/// A declaration of an external function at the insertion point.
pub(crate) fn declare_function(rw: &mut Rewriter<'_>, name: &str, ty: Type) -> OpId {
    let cx = rw.cx();
    let state = OpState::of::<LLVMFuncOp<'_>>(Loc::UNKNOWN).attr(cx, "sym_name", cx.string_attr(name)).attr(
        cx,
        "function_type",
        cx.type_attr(ty),
    );
    rw.create_isolated(state, 1)
}
