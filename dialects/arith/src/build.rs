//! Making constants and the operations on integers that transforms need most.

use dl_ir::interfaces::Index;
use dl_ir::{Attr, Context, Loc, OpDefinition, OpId, OpState, Rewriter, Type, ValueId};

use crate::constants::is_poison;
use crate::{CmpIOp, CmpIPredicate, ConstantOp, MulIOp};

/// The parts of `arith.constant` for a typed attribute.
///
/// # Panics
/// When `value` has no type.
pub fn constant_state(cx: &Context, value: Attr, loc: Loc) -> OpState {
    let ty = cx.attr(value).ty().expect("a constant is a typed attribute").id();
    OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", value).results([ty])
}

/// `arith.constant value` at the insertion point.
///
/// # Panics
/// When `value` has no type.
pub fn constant(rw: &mut Rewriter<'_>, value: Attr, loc: Loc) -> ValueId {
    let state = constant_state(rw.cx(), value, loc);
    rw.create_value(state)
}

/// `arith.constant value : index` at the insertion point.
pub fn constant_index(rw: &mut Rewriter<'_>, value: i64, loc: Loc) -> ValueId {
    let attr = rw.cx().index_attr(value);
    constant(rw, attr, loc)
}

/// The value of an index, a constant at the insertion point where it is known.
pub fn index_value(rw: &mut Rewriter<'_>, index: Index, loc: Loc) -> ValueId {
    match index {
        Index::Static(constant) => constant_index(rw, constant, loc),
        Index::Value(value) => value,
    }
}

/// An operation at the insertion point that makes a value of `lhs` and `rhs`, of their type.
pub fn binary<T: OpDefinition>(rw: &mut Rewriter<'_>, lhs: ValueId, rhs: ValueId, loc: Loc) -> ValueId {
    let ty = rw.ir().value_type(lhs);
    rw.create_value(OpState::of::<T>(loc).operands([lhs, rhs]).results([ty]))
}

/// `arith.cmpi` of scalars at the insertion point.
pub fn compare(rw: &mut Rewriter<'_>, predicate: CmpIPredicate, lhs: ValueId, rhs: ValueId, loc: Loc) -> ValueId {
    let cx = rw.cx();
    let predicate = cx.i64_attr(predicate.value() as i64);
    let state = OpState::of::<CmpIOp<'_>>(loc).operands([lhs, rhs]).attr(cx, "predicate", predicate);
    rw.create_value(state.results([cx.i1_type()]))
}

/// The product of indices: a constant, or made at the insertion point. `None` where the constant part overflows.
pub fn index_product(rw: &mut Rewriter<'_>, factors: impl IntoIterator<Item = Index>, loc: Loc) -> Option<Index> {
    let (mut known, mut values) = (1_i64, Vec::new());
    for factor in factors {
        match factor {
            Index::Static(factor) => known = known.checked_mul(factor)?,
            Index::Value(value) => values.push(value),
        }
    }
    let mut values = values.into_iter();
    let Some(mut product) = values.next() else { return Some(Index::Static(known)) };
    let known = if known == 1 { None } else { Some(constant_index(rw, known, loc)) };
    let ty = rw.cx().index_type();
    for factor in known.into_iter().chain(values) {
        product = rw.create_value(OpState::of::<MulIOp<'_>>(loc).operands([product, factor]).results([ty]));
    }
    Some(Index::Value(product))
}

/// `arith.constant` for a folded value, `ub.poison` for a poisoned one; `None` where `attr` is no constant of type `ty` that
/// `arith` can hold. Dialects without constants of their own use it too.
pub fn materialize_constant(rw: &mut Rewriter<'_>, attr: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    if is_poison(cx, attr) {
        return Some(rw.create(OpState::named("ub.poison", loc).attr(cx, "value", attr).results([ty])));
    }
    if !is_buildable(cx, attr, ty) {
        return None;
    }
    Some(rw.create(constant_state(cx, attr, loc)))
}

/// Whether `arith.constant` may hold `attr` as a value of type `ty`: the attribute has that type, integers are signless, scalable
/// vectors are splats.
pub fn is_buildable(cx: &Context, attr: Attr, ty: Type) -> bool {
    let view = cx.ty(ty);
    if cx.attr(attr).ty() != Some(view) {
        return false;
    }
    let element = view.element_or_self();
    if element.is_integer() && !element.is_signless_integer() {
        return false;
    }
    let attr = cx.attr(attr);
    attr.is_integer() || attr.is_float() || attr.is_elements()
}
