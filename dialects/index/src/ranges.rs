//! In which range results are, where an index has 64 bits and where it has 32.

use dl_ir::int_range::{self, INDEX_WIDTH, IntRange, Overflow, Reading, Relation, of_index};
use dl_ir::interfaces::{InferIntRange, ResultRange};
use dl_ir::number::ApInt;
use dl_ir::{DialectBuilder, OpDefinition, OpRef};

use crate::{
    AddOp, AndOp, BoolConstantOp, CastSOp, CastUOp, CeilDivSOp, CeilDivUOp, CmpOp, ConstantOp, DivSOp, DivUOp,
    FloorDivSOp, IndexCmpPredicate, MaxSOp, MaxUOp, MinSOp, MinUOp, MulOp, OrOp, RemSOp, RemUOp, ShlOp, ShrSOp, ShrUOp,
    SizeOfOp, SubOp, XOrOp,
};

pub(crate) fn register(b: &mut DialectBuilder) {
    use Reading::{Both, Signed, Unsigned};
    attach::<AddOp<'_>>(b, |_, of| both(of, Both, |a, b| int_range::add(a, b, Overflow::default())));
    attach::<SubOp<'_>>(b, |_, of| both(of, Both, |a, b| int_range::sub(a, b, Overflow::default())));
    attach::<MulOp<'_>>(b, |_, of| both(of, Both, |a, b| int_range::mul(a, b, Overflow::default())));
    attach::<ShlOp<'_>>(b, |_, of| both(of, Both, |a, b| int_range::shl(a, b, Overflow::default())));
    attach::<DivUOp<'_>>(b, |_, of| both(of, Unsigned, int_range::div_unsigned));
    attach::<DivSOp<'_>>(b, |_, of| both(of, Signed, int_range::div_signed));
    attach::<CeilDivUOp<'_>>(b, |_, of| both(of, Unsigned, int_range::ceildiv_unsigned));
    attach::<CeilDivSOp<'_>>(b, |_, of| both(of, Signed, int_range::ceildiv_signed));
    attach::<FloorDivSOp<'_>>(b, |_, of| both(of, Signed, int_range::floordiv_signed));
    attach::<RemSOp<'_>>(b, |_, of| both(of, Signed, int_range::rem_signed));
    attach::<RemUOp<'_>>(b, |_, of| both(of, Unsigned, int_range::rem_unsigned));
    attach::<MaxSOp<'_>>(b, |_, of| both(of, Signed, int_range::max_signed));
    attach::<MaxUOp<'_>>(b, |_, of| both(of, Unsigned, int_range::max_unsigned));
    attach::<MinSOp<'_>>(b, |_, of| both(of, Signed, int_range::min_signed));
    attach::<MinUOp<'_>>(b, |_, of| both(of, Unsigned, int_range::min_unsigned));
    attach::<ShrSOp<'_>>(b, |_, of| both(of, Signed, int_range::shr_signed));
    attach::<ShrUOp<'_>>(b, |_, of| both(of, Unsigned, int_range::shr_unsigned));
    attach::<AndOp<'_>>(b, |_, of| both(of, Unsigned, int_range::and));
    attach::<OrOp<'_>>(b, |_, of| both(of, Unsigned, int_range::or));
    attach::<XOrOp<'_>>(b, |_, of| both(of, Unsigned, int_range::xor));
    attach::<CastSOp<'_>>(b, |op, of| cast(op, &of[0], true));
    attach::<CastUOp<'_>>(b, |op, of| cast(op, &of[0], false));
    attach::<CmpOp<'_>>(b, compare);
    attach::<ConstantOp<'_>>(b, constant);
    attach::<BoolConstantOp<'_>>(b, constant);
    attach::<SizeOfOp<'_>>(b, |_, _| {
        let bits = |count| ApInt::from_u64(INDEX_WIDTH, count);
        Some(IntRange::unsigned(bits(32), bits(u64::from(INDEX_WIDTH))))
    });
}

fn attach<T: OpDefinition>(b: &mut DialectBuilder, range: fn(OpRef<'_>, &[IntRange]) -> Option<IntRange>) {
    b.on::<T>().interface::<dyn InferIntRange>(Box::new(ResultRange(range)));
}

/// The range of an operation on two operands; the others come one after the other.
fn both(of: &[IntRange], reading: Reading, infer: fn(&IntRange, &IntRange) -> IntRange) -> Option<IntRange> {
    let (first, rest) = of.split_first()?;
    Some(rest.iter().fold(first.clone(), |all, each| {
        of_index(&[all, each.clone()], reading, |operands| infer(&operands[0], &operands[1]))
    }))
}

fn constant(op: OpRef<'_>, _: &[IntRange]) -> Option<IntRange> {
    op.attr("value")?.as_ap_int().cloned().map(IntRange::constant)
}

fn cast(op: OpRef<'_>, range: &IntRange, is_signed: bool) -> Option<IntRange> {
    if op.operand(0).ty().is_index() {
        return Some(int_range::with_width(range, IntRange::width_of(op.result(0).ty())?, is_signed));
    }
    Some(int_range::cast_to_index(range, is_signed))
}

fn compare(op: OpRef<'_>, of: &[IntRange]) -> Option<IntRange> {
    let predicate = IndexCmpPredicate::from_attr(op.attr("pred")?)?;
    let (lhs, rhs) = (&of[0], &of[1]);
    let wide = holds(predicate, lhs, rhs);
    let narrow = holds(predicate, &int_range::narrow_index(lhs), &int_range::narrow_index(rhs));
    let known = wide.filter(|_| wide == narrow);
    Some(known.map_or_else(|| IntRange::all(1), |value| IntRange::constant(ApInt::from_bool(value))))
}

fn holds(predicate: IndexCmpPredicate, lhs: &IntRange, rhs: &IntRange) -> Option<bool> {
    let holds = int_range::holds;
    match predicate {
        IndexCmpPredicate::Eq => holds(Relation::Eq, lhs, rhs),
        IndexCmpPredicate::Ne => holds(Relation::Ne, lhs, rhs),
        IndexCmpPredicate::Slt => holds(Relation::Slt, lhs, rhs),
        IndexCmpPredicate::Sle => holds(Relation::Sle, lhs, rhs),
        IndexCmpPredicate::Sgt => holds(Relation::Slt, rhs, lhs),
        IndexCmpPredicate::Sge => holds(Relation::Sle, rhs, lhs),
        IndexCmpPredicate::Ult => holds(Relation::Ult, lhs, rhs),
        IndexCmpPredicate::Ule => holds(Relation::Ule, lhs, rhs),
        IndexCmpPredicate::Ugt => holds(Relation::Ult, rhs, lhs),
        IndexCmpPredicate::Uge => holds(Relation::Ule, rhs, lhs),
    }
}
