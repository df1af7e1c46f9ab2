//! `arith-unsigned-when-equivalent`: unsigned operations in the place of signed ones, where no number is negative.

use dl_arith::{
    CeilDivSIOp, CeilDivUIOp, CmpIOp, CmpIPredicate, DivSIOp, DivUIOp, ExtSIOp, ExtUIOp, FloorDivSIOp, MaxSIOp,
    MaxUIOp, MinSIOp, MinUIOp, RemSIOp, RemUIOp,
};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Attr, Context, Ident, OpDefinition, OpRef, OpState, Rewriter, ValueRef};
use dl_passes_transforms::IntRanges;

/// Replaces signed operations by unsigned ones where operands and results are known not to be negative.
#[derive(Clone, Copy, Default)]
pub struct UnsignedWhenEquivalent;

/// What becomes what.
const REPLACEMENTS: [(&str, &str); 7] = [
    (DivSIOp::NAME, DivUIOp::NAME),
    (CeilDivSIOp::NAME, CeilDivUIOp::NAME),
    (FloorDivSIOp::NAME, DivUIOp::NAME),
    (RemSIOp::NAME, RemUIOp::NAME),
    (MinSIOp::NAME, MinUIOp::NAME),
    (MaxSIOp::NAME, MaxUIOp::NAME),
    (ExtSIOp::NAME, ExtUIOp::NAME),
];

impl Pass for UnsignedWhenEquivalent {
    const INFO: PassInfo = PassInfo::new(
        "arith-unsigned-when-equivalent",
        "Replace signed ops with unsigned ones where they are proven equivalent",
    )
    .title("ArithUnsignedWhenEquivalentPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let ranges = IntRanges::new(cx.root(), cx.is_outermost);
        let mut changed = false;
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| changed |= in_arena(cx, ir, &ranges));
        if !changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

fn in_arena(cx: &Context, ir: &mut Arena, ranges: &IntRanges) -> bool {
    let ops = dl_ir::walk::ops_in_arena(ir, Arena::ROOT);
    let mut rw = Rewriter::new(cx, ir);
    let mut changed = false;
    for op in ops {
        if let Some(state) = replacement(rw.op(op), ranges) {
            rw.replace_with(op, state);
            changed = true;
        }
    }
    changed
}

fn replacement(op: OpRef<'_>, ranges: &IntRanges) -> Option<OpState> {
    let natural = |value: ValueRef<'_>| ranges.of(value).is_some_and(|range| !range.smin().is_negative());
    let mut attrs: Vec<(Ident, Attr)> = op.attrs().map(|(name, attr)| (name, attr.id())).collect();
    let name = if op.is::<CmpIOp<'_>>() {
        let predicate = unsigned(op.attr("predicate").and_then(CmpIPredicate::from_attr)?)?;
        let name = op.cx().ident("predicate");
        attrs.retain(|&(each, _)| each == name);
        attrs.iter_mut().for_each(|(_, attr)| *attr = op.cx().i64_attr(predicate.value() as i64));
        CmpIOp::NAME
    } else {
        let &(_, unsigned) = REPLACEMENTS.iter().find(|(signed, _)| op.name() == *signed)?;
        if !op.results().iter().all(natural) {
            return None;
        }
        unsigned
    };
    let fits = op.operands().iter().all(natural);
    let state = OpState::named(name, op.loc()).operands(op.operands().ids()).results(op.results().types());
    fits.then(|| state.attrs(attrs))
}

/// The unsigned predicate for a signed one.
fn unsigned(predicate: CmpIPredicate) -> Option<CmpIPredicate> {
    match predicate {
        CmpIPredicate::Slt => Some(CmpIPredicate::Ult),
        CmpIPredicate::Sle => Some(CmpIPredicate::Ule),
        CmpIPredicate::Sgt => Some(CmpIPredicate::Ugt),
        CmpIPredicate::Sge => Some(CmpIPredicate::Uge),
        _ => None,
    }
}
