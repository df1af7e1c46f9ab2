//! The `func` dialect: functions and calls.

#![forbid(unsafe_code)]

mod canonicalize;
mod fold;
mod generated;
mod inlining;
mod interfaces;
mod interpret;
mod verify;

pub use generated::*;

use std::collections::BTreeSet;

use dl_ir::interfaces::{CallOp as CallInterface, DirectCall, FunctionOp, SymbolUser, function};
use dl_ir::walk::pre_order;
use dl_ir::{Attr, AttrRef, Context, Dialect, DialectBuilder, Loc, OpId, OpRef, OpState, Rewriter, Type};

/// The `func` dialect.
pub struct Func;

impl Dialect for Func {
    fn namespace(&self) -> &'static str {
        "func"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        interpret::register(builder);
        builder.ops(OPS).materialize_constant(materialize_constant).inlining(&inlining::Rules);
        builder
            .on::<FuncOp<'_>>()
            .parse(function::parse_function)
            .print(function::print_function)
            .verify(function::verify_function)
            .default_dialect("func")
            .interface::<dyn FunctionOp>(Box::new(interfaces::Function));
        builder.on::<ReturnOp<'_>>().verify(verify::verify_return);
        builder
            .on::<CallOp<'_>>()
            .interface::<dyn CallInterface>(Box::new(DirectCall))
            .interface::<dyn SymbolUser>(Box::new(interfaces::CallSymbol));
        builder
            .on::<CallIndirectOp<'_>>()
            .canonicalize(canonicalize::call_indirect)
            .interface::<dyn CallInterface>(Box::new(interfaces::CallIndirect));
        builder
            .on::<ConstantOp<'_>>()
            .fold(fold::fold_constant)
            .result_names(|_, name| name(0, "f"))
            .interface::<dyn SymbolUser>(Box::new(interfaces::ConstantSymbol));
    }
}

/// A function symbol is a constant of function type.
fn materialize_constant(rw: &mut Rewriter<'_>, value: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    let fits = cx.attr(value).is_flat_symbol_ref() && cx.ty(ty).is_function();
    fits.then(|| rw.create(OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", value).results([ty])))
}

impl<'a> FuncOp<'a> {
    /// The parts of a function, without a body.
    pub fn state(cx: &Context, name: &str, ty: Type, loc: Loc) -> OpState {
        OpState::of::<Self>(loc).attr(cx, "sym_name", cx.string_attr(name)).attr(cx, "function_type", cx.type_attr(ty))
    }

    /// Whether it has no body.
    pub fn is_declaration(self) -> bool {
        self.body().is_empty()
    }

    /// Types of its arguments.
    pub fn inputs(self) -> &'a [Type] {
        self.function_type().as_type().map_or(&[], dl_ir::TypeRef::inputs)
    }

    /// Types of its results.
    pub fn results(self) -> &'a [Type] {
        self.function_type().as_type().map_or(&[], dl_ir::TypeRef::results)
    }
}

/// The functions in `table` and below whose names are values, of [`ConstantOp`]: not all of their callers can be found.
pub fn names_used(table: OpRef<'_>) -> BTreeSet<&str> {
    let constants = pre_order(table).filter(|op| op.is::<ConstantOp<'_>>());
    constants.filter_map(|op| op.attr("value").and_then(AttrRef::as_flat_symbol)).collect()
}
