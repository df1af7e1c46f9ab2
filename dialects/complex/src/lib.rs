//! The `complex` dialect: arithmetic on complex numbers.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod attr_syntax;
mod canonicalize;
mod fold;
mod generated;
mod interpret;
mod verify;

pub use generated::*;

use dl_ir::{Attr, Context, Dialect, DialectBuilder, Loc, OpId, OpState, Rewriter, Type};

/// The `complex` dialect.
pub struct Complex;

impl Dialect for Complex {
    fn namespace(&self) -> &'static str {
        "complex"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhere)
            .attrs(ATTRS)
            .enums(ENUMS)
            .materialize_constant(materialize_constant);
        attr_syntax::register(b);
        interpret::register(b);
        b.on::<AddOp<'_>>().fold(fold::add);
        b.on::<BitcastOp<'_>>().verify_kind(verify::bitcast).fold(fold::bitcast).canonicalize(canonicalize::bitcast);
        b.on::<ConjOp<'_>>().fold(fold::conj);
        b.on::<ConstantOp<'_>>().result_names(|_, name| name(0, "cst")).verify(verify::constant);
        b.on::<CreateOp<'_>>().fold(fold::create);
        b.on::<DivOp<'_>>().fold(fold::times_one);
        b.on::<EqualOp<'_>>().fold(fold::compare);
        b.on::<ExpOp<'_>>().fold(fold::exp);
        b.on::<ImOp<'_>>().fold(fold::im).canonicalize(canonicalize::im);
        b.on::<LogOp<'_>>().fold(fold::log);
        b.on::<MulOp<'_>>().fold(fold::times_one);
        b.on::<NegOp<'_>>().fold(fold::neg);
        b.on::<NotEqualOp<'_>>().fold(fold::compare);
        b.on::<ReOp<'_>>().fold(fold::re).canonicalize(canonicalize::re);
        b.on::<SubOp<'_>>().fold(fold::sub);
    }
}

/// Whether `attr` is the two parts of a complex number of type `ty`.
fn is_constant_of(cx: &Context, attr: Attr, ty: Type) -> bool {
    let (attr, ty) = (cx.attr(attr), cx.ty(ty));
    let Some(element) = ty.element_type().filter(|_| ty.is_complex()) else { return false };
    attr.is_array() && attr.elements().len() == 2 && attr.elements().all(|part| part.ty() == Some(element))
}

/// `complex.constant` for the parts of a complex number, `arith.constant` for a single number.
fn materialize_constant(rw: &mut Rewriter<'_>, attr: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    if is_constant_of(cx, attr, ty) {
        return Some(rw.create(OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", attr).results([ty])));
    }
    dl_arith::materialize_constant(rw, attr, ty, loc)
}
