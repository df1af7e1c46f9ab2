//! The `llvm` dialect: LLVM IR.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod assembly;
mod conditions;
mod directives;
mod generated;
mod interfaces;
mod syntax;
pub mod types;
mod verify;

use dl_ir::interfaces::{BranchOp, FunctionOp};
use dl_ir::opdef::Effects;
use dl_ir::{Attr, Dialect, DialectBuilder, Loc, OpId, OpState, Rewriter, Type};

pub use generated::*;

/// The `llvm` dialect.
pub struct Llvm;

impl Dialect for Llvm {
    fn namespace(&self) -> &'static str {
        "llvm"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder.ops(OPS).types(TYPES).types(types::TYPES_WITHOUT_ODS).attrs(ATTRS).materialize_constant(materialize_constant);
        syntax::register(builder);
        directives::register(builder);
        builder
            .on::<LLVMFuncOp<'_>>()
            .parse(assembly::parse_func)
            .print(assembly::print_func)
            .verify(verify::func)
            .interface::<dyn FunctionOp>(Box::new(interfaces::Function));
        builder.on::<GlobalOp<'_>>().parse(assembly::parse_global).print(assembly::print_global);
        builder.on::<CallOp<'_>>().parse(assembly::parse_call).print(assembly::print_call);
        builder.on::<AllocaOp<'_>>().parse(assembly::parse_alloca).print(assembly::print_alloca);
        builder.on::<ICmpOp<'_>>().parse(assembly::parse_icmp).print(assembly::print_cmp);
        builder.on::<FCmpOp<'_>>().parse(assembly::parse_fcmp).print(assembly::print_cmp);
        builder.on::<ExtractValueOp<'_>>().infer_types(directives::infer_extract);
        builder.on::<LoadOp<'_>>().effects(|_| Effects::READ);
        builder.on::<StoreOp<'_>>().effects(|_| Effects::WRITE);
        builder.on::<ReturnOp<'_>>().verify(verify::return_op);
        builder.on::<BrOp<'_>>().interface::<dyn BranchOp>(Box::new(interfaces::Branch));
        builder.on::<CondBrOp<'_>>().interface::<dyn BranchOp>(Box::new(interfaces::CondBranch));
    }
}

/// Numbers and the values that `llvm.mlir.constant` holds.
fn materialize_constant(rw: &mut Rewriter<'_>, value: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    types::is_compatible(cx.ty(ty))
        .then(|| rw.create(OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", value).results([ty])))
}
