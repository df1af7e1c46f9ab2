//! Reductions by name: their neutral element and how two values combine.

use dl_arith::{
    AddFOp, AddIOp, AndIOp, AtomicRMWKind, MaxNumFOp, MaxSIOp, MaxUIOp, MaximumFOp, MinNumFOp, MinSIOp, MinUIOp,
    MinimumFOp, MulFOp, MulIOp, OrIOp, XOrIOp,
};
use dl_ir::number::ApInt;
use dl_ir::{Attr, Context, Type, ValueId};

use dl_arith::Build;

/// The neutral element of a reduction of values of type `ty`, a scalar; `None` where there is none.
pub(crate) fn identity(cx: &Context, kind: AtomicRMWKind, ty: Type) -> Option<Attr> {
    use AtomicRMWKind as K;
    let view = cx.ty(ty);
    let float = |value: f64| view.is_float().then(|| cx.float_attr(ty, value));
    let int = |value: fn(u32) -> ApInt| Some(cx.ap_int_attr(ty, value(view.storage_bits()?)));
    match kind {
        K::Addf => float(0.0),
        K::Mulf => float(1.0),
        K::Maximumf => float(f64::NEG_INFINITY),
        K::Minimumf => float(f64::INFINITY),
        K::Maxnumf | K::Minnumf => float(f64::NAN),
        _ if !view.is_signless_integer_or_index() => None,
        K::Addi | K::Maxu | K::Ori | K::Xori => int(ApInt::zero),
        K::Muli => int(ApInt::one),
        K::Andi | K::Minu => int(ApInt::all_ones),
        K::Maxs => int(ApInt::min_signed),
        K::Mins => int(ApInt::max_signed),
        K::Assign => None,
    }
}

/// Two values combined. `assign` keeps the second.
pub(crate) fn combine(b: &mut Build<'_, '_>, kind: AtomicRMWKind, lhs: ValueId, rhs: ValueId) -> ValueId {
    use AtomicRMWKind as K;
    let operands = [lhs, rhs];
    match kind {
        K::Addf => b.same::<AddFOp<'_>>(&operands),
        K::Addi => b.same::<AddIOp<'_>>(&operands),
        K::Andi => b.same::<AndIOp<'_>>(&operands),
        K::Assign => rhs,
        K::Maximumf => b.same::<MaximumFOp<'_>>(&operands),
        K::Maxnumf => b.same::<MaxNumFOp<'_>>(&operands),
        K::Maxs => b.same::<MaxSIOp<'_>>(&operands),
        K::Maxu => b.same::<MaxUIOp<'_>>(&operands),
        K::Minimumf => b.same::<MinimumFOp<'_>>(&operands),
        K::Minnumf => b.same::<MinNumFOp<'_>>(&operands),
        K::Mins => b.same::<MinSIOp<'_>>(&operands),
        K::Minu => b.same::<MinUIOp<'_>>(&operands),
        K::Mulf => b.same::<MulFOp<'_>>(&operands),
        K::Muli => b.same::<MulIOp<'_>>(&operands),
        K::Ori => b.same::<OrIOp<'_>>(&operands),
        K::Xori => b.same::<XOrIOp<'_>>(&operands),
    }
}
