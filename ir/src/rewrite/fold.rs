//! Folding one operation: hooks, traits, and constants for what they answer.

use smallvec::SmallVec;

use crate::attributes::Attr;
use crate::dialect::{Folded, FoldedValue};
use crate::entity::{OpId, ValueId};
use crate::opdef::Trait;
use crate::rewriter::{OpState, Rewriter};
use crate::view::OpRef;

/// What folding an operation gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fold {
    /// Nothing.
    None,
    /// The operation itself was changed and should be looked at again.
    InPlace,
    /// Each result equals this constant or existing value.
    Values(Folded),
}

/// Folds `op`: by its hooks first, then by what its traits promise. Constants are never folded: they would be made again for
/// ever. Constant operands of commutative operations move to the right.
pub fn try_fold(rw: &mut Rewriter<'_>, op: OpId) -> Fold {
    try_fold_with(rw, op, |rw, value| rw.value(value).constant().map(Attr::from))
}

/// Like [`try_fold`], with another answer to what the constant value of an operand is.
#[inline(always)]
pub fn try_fold_with(
    rw: &mut Rewriter<'_>,
    op: OpId,
    constant_of: impl Fn(&Rewriter<'_>, ValueId) -> Option<Attr>,
) -> Fold {
    let view = rw.op(op);
    let info = view.info();
    let commutative = info.has_trait(&Trait::Commutative);
    let simple = info.has_trait(&Trait::Idempotent) || info.has_trait(&Trait::Involution);
    if info.has_trait(&Trait::ConstantLike)
        || !(commutative || simple || info.hooks.fold.is_some() || info.hooks.fold_in_place.is_some())
    {
        return Fold::None;
    }
    let fold_in_place = info.hooks.fold_in_place;
    let mut constants: SmallVec<[Option<Attr>; 4]> = SmallVec::new();
    // Not collected: that is a call for each operand.
    for value in rw.ir().operands(op) {
        constants.push(constant_of(rw, value));
    }
    if let Some(values) = fold_by_hook(rw.op(op), &constants) {
        return Fold::Values(values);
    }
    if fold_in_place.is_some_and(|fold| fold(op, rw).is_ok()) {
        return Fold::InPlace;
    }
    if commutative && constants.windows(2).any(|pair| pair[0].is_some() && pair[1].is_none()) {
        let mut sorted: SmallVec<[ValueId; 4]> = SmallVec::with_capacity(constants.len());
        let operands = || rw.ir().operands(op).zip(&constants);
        let with = |constant: bool| operands().filter(move |(_, c)| c.is_some() == constant);
        sorted.extend(with(false).chain(with(true)).map(|(value, _)| value));
        for (i, value) in sorted.into_iter().enumerate() {
            rw.set_operand(op, i, value);
        }
        return Fold::InPlace;
    }
    match if simple { fold_by_trait(rw.op(op)) } else { None } {
        Some(value) => Fold::Values(smallvec::smallvec![FoldedValue::Value(value)]),
        None => Fold::None,
    }
}

/// What `op` folds to when its operands have these constant values, without changing anything: by its hook or by what its traits promise.
pub fn fold_results(op: OpRef<'_>, constants: &[Option<Attr>]) -> Option<Folded> {
    fold_by_hook(op, constants).or_else(|| Some(smallvec::smallvec![FoldedValue::Value(fold_by_trait(op)?)]))
}

#[inline(always)]
fn fold_by_hook(op: OpRef<'_>, constants: &[Option<Attr>]) -> Option<Folded> {
    let values = op.info().hooks.fold.and_then(|fold| fold(op, constants))?;
    is_progress(op, &values).then_some(values)
}

/// Whether a fold says more than that results equal themselves.
fn is_progress(op: OpRef<'_>, values: &Folded) -> bool {
    debug_assert_eq!(values.len(), op.num_results(), "'{}' folds to one value for each result", op.name());
    values.len() == op.num_results()
        && values.iter().zip(op.results().iter()).all(|(value, result)| match value {
            FoldedValue::Value(value) => *value != result.id(),
            FoldedValue::Constant(_) => true,
        })
}

/// `f(f(x))` is `x` for an involution and `f(x)` for an idempotent operation; `g(x, x)` is `x` for an idempotent one.
fn fold_by_trait(op: OpRef<'_>) -> Option<ValueId> {
    if op.num_results() != 1 || op.num_operands() == 0 {
        return None;
    }
    let operand = op.operand(0);
    let inner = || operand.defining_op().filter(|inner| inner.name_id() == op.name_id());
    let found = if op.has_trait(&Trait::Idempotent) {
        let unary = op.num_operands() == 1 && inner().is_some();
        let equal = op.num_operands() == 2 && operand == op.operand(1);
        (unary || equal).then_some(operand)
    } else if !op.has_trait(&Trait::Involution) {
        None
    } else {
        inner().filter(|inner| inner.num_operands() == 1 && op.num_operands() == 1).map(|inner| inner.operand(0))
    };
    found.filter(|value| value.ty() == op.result(0).ty()).map(|value| value.id())
}

/// One value for each result of `op`: constants are made by the operation's dialect before `op`. `None`, with nothing left
/// behind, when the dialect cannot make one of them or a value has another type than the result.
pub fn materialize(rw: &mut Rewriter<'_>, op: OpId, folded: &Folded) -> Option<SmallVec<[ValueId; 2]>> {
    let cx = rw.cx();
    let view = rw.op(op);
    let hook = cx.dialect(view.info().dialect()).and_then(|dialect| dialect.materialize_constant);
    let (loc, types) = (view.loc(), view.results().types());
    rw.set_insertion_before(op);
    let mut values: SmallVec<[ValueId; 2]> = SmallVec::new();
    let mut made: SmallVec<[OpId; 2]> = SmallVec::new();
    for (each, ty) in folded.iter().zip(types) {
        let value = match *each {
            FoldedValue::Value(value) => Some(value).filter(|&v| rw.ir().value_type(v) == ty),
            FoldedValue::Constant(attr) => hook.and_then(|make| make(rw, attr, ty, loc)).map(|constant| {
                made.push(constant);
                rw.ir().result(constant, 0)
            }),
        };
        if let Some(value) = value {
            values.push(value);
        } else {
            made.into_iter().rev().for_each(|constant| rw.erase(constant));
            return None;
        }
    }
    Some(values)
}

/// Makes an operation at the insertion point and folds it: the answer is its results or what they fold to.
///
/// # Panics
/// Where [`Rewriter::create`] does, and when there is no insertion point.
pub fn create_or_fold(rw: &mut Rewriter<'_>, state: OpState) -> SmallVec<[ValueId; 2]> {
    let point = rw.insertion_point();
    let op = rw.create(state);
    let folded = match try_fold(rw, op) {
        Fold::Values(folded) => materialize(rw, op, &folded),
        Fold::InPlace | Fold::None => None,
    };
    let values = match folded {
        Some(values) => {
            rw.erase(op);
            values
        }
        None => rw.ir().results(op).collect(),
    };
    rw.set_insertion_point(point);
    values
}
