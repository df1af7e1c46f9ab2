//! Folds and patterns.

use dl_ir::dialect::{Folded, folded};
use dl_ir::rewrite::Patterns;
use dl_ir::{Attr, DialectBuilder, Loc, OpId, OpRef, OpState, OpView, Rewriter, Type};

use crate::{CastOp, ConstantOp, MatmulOp, TransposeOp};

pub(crate) fn register(b: &mut DialectBuilder) {
    b.materialize_constant(materialize);
    b.on::<ConstantOp<'_>>().fold(|op, _| folded(ConstantOp::wrap(op).value().id()));
    b.on::<CastOp<'_>>().fold(fold_cast);
    b.on::<TransposeOp<'_>>().fold(fold_transpose).canonicalize(transposes);
}

fn materialize(rw: &mut Rewriter<'_>, value: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    let fits = cx.attr(value).ty() == Some(cx.ty(ty));
    fits.then(|| rw.create(OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", value).results([ty])))
}

/// A cast that changes nothing is its operand; so is a cast back.
fn fold_cast(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let (x, ty) = (CastOp::wrap(op).x(), op.result(0).ty());
    let source = x.def::<CastOp<'_>>().map_or(x, CastOp::x);
    [x, source].into_iter().find(|value| value.ty() == ty).and_then(|value| folded(value.id()))
}

/// `transpose(transpose(x))` is `x`, where it has the type of that.
fn fold_transpose(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let x = TransposeOp::wrap(op).x().def::<TransposeOp<'_>>()?.x();
    if x.ty() == op.result(0).ty() { folded(x.id()) } else { None }
}

fn transposes(patterns: &mut Patterns) {
    patterns.add(TransposeOfMatmul);
}

dl_ir::rewrite! {
    /// The transpose of `yᵀ · xᵀ` is `x · y`: three operations less.
    TransposeOfMatmul = "toy-transpose-of-matmul":
        TransposeOp(MatmulOp(TransposeOp(y), TransposeOp(x))) => MatmulOp(x, y);
}
