//! The `ub` dialect: undefined behaviour.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod generated;
mod interpret;

pub use generated::*;

use dl_ir::{Attr, Dialect, DialectBuilder, Loc, OpId, OpState, Rewriter, Type, ValueId};

/// The `ub` dialect.
pub struct Ub;

impl Dialect for Ub {
    fn namespace(&self) -> &'static str {
        "ub"
    }

    fn register(&self, b: &mut DialectBuilder) {
        interpret::register(b);
        b.ops(OPS).inlining(&dl_ir::interfaces::InlineAnywhere).attrs(ATTRS).materialize_constant(materialize_constant);
    }
}

/// `ub.poison` for the constants of this dialect.
fn materialize_constant(rw: &mut Rewriter<'_>, attr: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    let state = || OpState::of::<PoisonOp<'_>>(loc).attr(cx, "value", attr).results([ty]);
    cx.attr(attr).is_dialect_attr("ub.poison").then(state).map(|state| rw.create(state))
}

/// A value of which nothing may be assumed, at the insertion point.
pub fn poison(rw: &mut Rewriter<'_>, ty: Type, loc: Loc) -> ValueId {
    let cx = rw.cx();
    let value = cx.dialect_attr("ub.poison", &[]);
    rw.create_value(OpState::of::<PoisonOp<'_>>(loc).attr(cx, "value", value).results([ty]))
}
