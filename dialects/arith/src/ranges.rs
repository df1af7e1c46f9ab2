//! In which range results are.

use dl_ir::int_range::{self, IntRange, Overflow, Relation};
use dl_ir::interfaces::{InferIntRange, ResultRange};
use dl_ir::number::ApInt;
use dl_ir::{AttrRef, DialectBuilder, OpDefinition, OpRef, ValueRef};

use crate::{
    AddIOp, AndIOp, CeilDivSIOp, CeilDivUIOp, CmpIOp, CmpIPredicate, ConstantOp, DivSIOp, DivUIOp, ExtSIOp, ExtUIOp,
    FloorDivSIOp, IndexCastOp, IndexCastUIOp, IntegerOverflowFlags, MaxSIOp, MaxUIOp, MinSIOp, MinUIOp, MulIOp, OrIOp,
    RemSIOp, RemUIOp, SelectOp, ShLIOp, ShRSIOp, ShRUIOp, SubIOp, TruncIOp, XOrIOp, flags,
};

/// Constants with more different elements than this may have any.
const MAX_ELEMENTS: usize = 4096;

pub(crate) fn register(b: &mut DialectBuilder) {
    attach::<ConstantOp<'_>>(b, |op, _| constant(op.attr("value")?));
    attach::<AddIOp<'_>>(b, |op, of| Some(int_range::add(&of[0], &of[1], overflow(op))));
    attach::<SubIOp<'_>>(b, |op, of| Some(int_range::sub(&of[0], &of[1], overflow(op))));
    attach::<MulIOp<'_>>(b, |op, of| Some(int_range::mul(&of[0], &of[1], overflow(op))));
    attach::<ShLIOp<'_>>(b, |op, of| Some(int_range::shl(&of[0], &of[1], overflow(op))));
    attach::<DivUIOp<'_>>(b, |_, of| Some(int_range::div_unsigned(&of[0], &of[1])));
    attach::<DivSIOp<'_>>(b, |_, of| Some(int_range::div_signed(&of[0], &of[1])));
    attach::<CeilDivUIOp<'_>>(b, |_, of| Some(int_range::ceildiv_unsigned(&of[0], &of[1])));
    attach::<CeilDivSIOp<'_>>(b, |_, of| Some(int_range::ceildiv_signed(&of[0], &of[1])));
    attach::<FloorDivSIOp<'_>>(b, |_, of| Some(int_range::floordiv_signed(&of[0], &of[1])));
    attach::<RemUIOp<'_>>(b, |_, of| Some(int_range::rem_unsigned(&of[0], &of[1])));
    attach::<RemSIOp<'_>>(b, |_, of| Some(int_range::rem_signed(&of[0], &of[1])));
    attach::<AndIOp<'_>>(b, |_, of| Some(int_range::and(&of[0], &of[1])));
    attach::<OrIOp<'_>>(b, |_, of| Some(int_range::or(&of[0], &of[1])));
    attach::<XOrIOp<'_>>(b, |_, of| Some(int_range::xor(&of[0], &of[1])));
    attach::<ShRSIOp<'_>>(b, |_, of| Some(int_range::shr_signed(&of[0], &of[1])));
    attach::<ShRUIOp<'_>>(b, |_, of| Some(int_range::shr_unsigned(&of[0], &of[1])));
    attach::<MaxSIOp<'_>>(b, |_, of| Some(int_range::max_signed(&of[0], &of[1])));
    attach::<MaxUIOp<'_>>(b, |_, of| Some(int_range::max_unsigned(&of[0], &of[1])));
    attach::<MinSIOp<'_>>(b, |_, of| Some(int_range::min_signed(&of[0], &of[1])));
    attach::<MinUIOp<'_>>(b, |_, of| Some(int_range::min_unsigned(&of[0], &of[1])));
    attach::<ExtUIOp<'_>>(b, |op, of| Some(int_range::extend_unsigned(&of[0], width(op)?)));
    attach::<ExtSIOp<'_>>(b, |op, of| Some(int_range::extend_signed(&of[0], width(op)?)));
    attach::<TruncIOp<'_>>(b, |op, of| Some(int_range::truncate(&of[0], width(op)?)));
    attach::<IndexCastOp<'_>>(b, |op, of| Some(int_range::with_width(&of[0], width(op)?, true)));
    attach::<IndexCastUIOp<'_>>(b, |op, of| Some(int_range::with_width(&of[0], width(op)?, false)));
    attach::<CmpIOp<'_>>(b, |op, of| {
        let predicate = CmpIPredicate::from_attr(op.attr("predicate")?)?;
        Some(truth(compare(predicate, &of[0], &of[1])))
    });
    b.on::<SelectOp<'_>>().interface::<dyn InferIntRange>(Box::new(Select));
}

fn attach<T: OpDefinition>(b: &mut DialectBuilder, range: fn(OpRef<'_>, &[IntRange]) -> Option<IntRange>) {
    b.on::<T>().interface::<dyn InferIntRange>(Box::new(ResultRange(range)));
}

fn width(op: OpRef<'_>) -> Option<u32> {
    IntRange::width_of(op.result(0).ty())
}

fn overflow(op: OpRef<'_>) -> Overflow {
    let flags = flags::overflow(op);
    Overflow { signed: flags.contains(IntegerOverflowFlags::NSW), unsigned: flags.contains(IntegerOverflowFlags::NUW) }
}

/// The range of the elements of a constant.
fn constant(value: AttrRef<'_>) -> Option<IntRange> {
    if let Some(value) = value.as_ap_int() {
        return Some(IntRange::constant(value.clone()));
    }
    let range = |element: AttrRef<'_>| element.as_ap_int().cloned().map(IntRange::constant);
    if let Some(splat) = value.splat_value() {
        return range(splat);
    }
    let elements = value.dense_values().filter(|elements| elements.len() <= MAX_ELEMENTS)?;
    let ranges: Option<Vec<IntRange>> = elements.map(range).collect();
    ranges?.into_iter().reduce(|all, each| all.union(&each))
}

/// What a comparison gives, where it always gives the same.
fn compare(predicate: CmpIPredicate, lhs: &IntRange, rhs: &IntRange) -> Option<bool> {
    let holds = int_range::holds;
    match predicate {
        CmpIPredicate::Eq => holds(Relation::Eq, lhs, rhs),
        CmpIPredicate::Ne => holds(Relation::Ne, lhs, rhs),
        CmpIPredicate::Slt => holds(Relation::Slt, lhs, rhs),
        CmpIPredicate::Sle => holds(Relation::Sle, lhs, rhs),
        CmpIPredicate::Sgt => holds(Relation::Slt, rhs, lhs),
        CmpIPredicate::Sge => holds(Relation::Sle, rhs, lhs),
        CmpIPredicate::Ult => holds(Relation::Ult, lhs, rhs),
        CmpIPredicate::Ule => holds(Relation::Ule, lhs, rhs),
        CmpIPredicate::Ugt => holds(Relation::Ult, rhs, lhs),
        CmpIPredicate::Uge => holds(Relation::Ule, rhs, lhs),
    }
}

fn truth(value: Option<bool>) -> IntRange {
    value.map_or_else(|| IntRange::all(1), |value| IntRange::constant(ApInt::from_bool(value)))
}

/// The range of the operand that is taken, or of both.
struct Select;

impl InferIntRange for Select {
    fn infer_ranges(&self, op: OpRef<'_>, operands: &[Option<IntRange>], set: &mut dyn FnMut(ValueRef<'_>, IntRange)) {
        let [condition, Some(yes), Some(no)] = operands else { return };
        let range = match condition.as_ref().and_then(IntRange::single) {
            Some(taken) if taken.is_zero() => no.clone(),
            Some(_) => yes.clone(),
            None => yes.union(no),
        };
        set(op.result(0), range);
    }
}
