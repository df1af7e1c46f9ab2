//! The `index` dialect: arithmetic on numbers as wide as the target's addresses.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. An index has 32 or 64 bits; a constant is folded where
//! both widths agree.

#![forbid(unsafe_code)]

mod canonicalize;
mod fold;
mod generated;
mod interpret;
mod ranges;

pub use generated::*;

use dl_ir::{Attr, Dialect, DialectBuilder, Loc, OpDefinition, OpId, OpRef, OpState, Rewriter, Type};

/// The `index` dialect.
pub struct Index;

impl Dialect for Index {
    fn namespace(&self) -> &'static str {
        "index"
    }

    fn register(&self, b: &mut DialectBuilder) {
        interpret::register(b);
        ranges::register(b);
        b.ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhere)
            .attrs(ATTRS)
            .enums(ENUMS)
            .materialize_constant(materialize_constant);
        b.on::<AddOp<'_>>().fold(fold::add).canonicalize(canonicalize::add);
        b.on::<AndOp<'_>>().fold(fold::and).canonicalize(canonicalize::and);
        b.on::<BoolConstantOp<'_>>().result_names(bool_name);
        b.on::<CastSOp<'_>>().verify_kind(verify_cast).fold(fold::casts);
        b.on::<CastUOp<'_>>().verify_kind(verify_cast).fold(fold::castu);
        b.on::<CeilDivSOp<'_>>().fold(fold::ceildivs);
        b.on::<CeilDivUOp<'_>>().fold(fold::ceildivu);
        b.on::<CmpOp<'_>>().fold(fold::cmp).canonicalize(canonicalize::cmp);
        b.on::<ConstantOp<'_>>().result_names(constant_name);
        b.on::<DivSOp<'_>>().fold(fold::divs);
        b.on::<DivUOp<'_>>().fold(fold::divu);
        b.on::<FloorDivSOp<'_>>().fold(fold::floordivs);
        b.on::<MaxSOp<'_>>().fold(fold::maxs).canonicalize(canonicalize::maxs);
        b.on::<MaxUOp<'_>>().fold(fold::maxu).canonicalize(canonicalize::maxu);
        b.on::<MinSOp<'_>>().fold(fold::mins).canonicalize(canonicalize::mins);
        b.on::<MinUOp<'_>>().fold(fold::minu).canonicalize(canonicalize::minu);
        b.on::<MulOp<'_>>().fold(fold::mul).canonicalize(canonicalize::mul);
        b.on::<OrOp<'_>>().fold(fold::or).canonicalize(canonicalize::or);
        b.on::<RemSOp<'_>>().fold(fold::rems);
        b.on::<RemUOp<'_>>().fold(fold::remu);
        b.on::<ShlOp<'_>>().fold(fold::shl);
        b.on::<ShrSOp<'_>>().fold(fold::shrs);
        b.on::<ShrUOp<'_>>().fold(fold::shru);
        b.on::<SubOp<'_>>().fold(fold::sub);
        b.on::<XOrOp<'_>>().fold(fold::xor).canonicalize(canonicalize::xor);
    }
}

/// `index.bool.constant` for a truth value, `index.constant` for an index.
fn materialize_constant(rw: &mut Rewriter<'_>, attr: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    let (view, of) = (cx.ty(ty), cx.attr(attr));
    let name = if view.is_signless_integer_of(1) && of.is_bool() {
        BoolConstantOp::NAME
    } else if view.is_index() && of.ty() == Some(view) && of.is_integer() {
        ConstantOp::NAME
    } else {
        return None;
    };
    Some(rw.create(OpState::named(name, loc).attr(cx, "value", attr).results([ty])))
}

/// Names constants after their value: `%idx7`.
fn constant_name(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    let value = op.attr("value").and_then(|value| value.as_int());
    if let Some(value) = value {
        name(0, &format!("idx{value}"));
    }
}

fn bool_name(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    let value = op.attr("value").and_then(|value| value.as_bool());
    name(0, if value == Some(true) { "true" } else { "false" });
}

/// One side of a cast is an index, and one alone.
fn verify_cast(op: OpRef<'_>) -> Result<(), dl_ir::Diagnostic> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    if from.is_index() != to.is_index() {
        return Ok(());
    }
    Err(op.error(format_args!("operand type '{from}' and result type '{to}' are cast incompatible")))
}
