//! The temporary casts of a conversion, and their reconciliation at its end.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::pattern::FrozenConversionPatterns;
use crate::arena::Arena;
use crate::builtin::UnrealizedConversionCastOp;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::entity::{OpId, ValueId};
use crate::rewriter::Rewriter;
use crate::types::Type;
use crate::view::{OpRef, ValueRef};

/// Which way a cast goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CastKind {
    /// From converted values to a value of an original type.
    Source,
    /// From a value to values of converted types.
    Target,
}

/// A cast that the conversion has made.
pub(super) struct Cast {
    pub(super) op: OpId,
    pub(super) kind: CastKind,
    /// The number of the converter that it was made for.
    pub(super) converter: Option<usize>,
}

/// The casts that a conversion has made in one arena, in order.
#[derive(Default)]
pub(super) struct Casts {
    list: Vec<Cast>,
    index: FxHashMap<OpId, CastKind>,
}

impl Casts {
    pub(super) fn push(&mut self, cast: Cast) {
        self.index.insert(cast.op, cast.kind);
        self.list.push(cast);
    }

    pub(super) fn contains(&self, op: OpId) -> bool {
        self.index.contains_key(&op)
    }

    pub(super) fn is_source(&self, op: OpId) -> bool {
        self.index.get(&op) == Some(&CastKind::Source)
    }

    /// A cast of exactly `from` to exactly the types `to`.
    pub(super) fn find(&self, ir: &Arena, from: &[ValueId], to: &[Type]) -> Option<OpId> {
        let users = ir.uses(*from.first()?).map(|(op, _)| op);
        users.filter(|op| self.contains(*op)).find(|&op| {
            ir.operands(op).eq(from.iter().copied()) && ir.results(op).map(|v| ir.value_type(v)).eq(to.iter().copied())
        })
    }

    /// Removes the casts that cancel out or are unused, and asks the materializations of the converters for the others.
    pub(super) fn finish(self, rw: &mut Rewriter<'_>, patterns: &FrozenConversionPatterns) -> Result<(), Diagnostics> {
        let mut ops: Vec<OpId> = self.list.iter().map(|cast| cast.op).collect();
        reconcile_casts(rw, &ops);
        let (mut errors, mut refused) = (Diagnostics::default(), Vec::new());
        for cast in self.list {
            if !rw.ir().is_live(cast.op) {
                continue;
            }
            let view = rw.op(cast.op);
            let (inputs, types, loc) = (view.operands().ids(), view.results().types(), view.loc());
            if inputs.is_empty() {
                let message = "failed to legalize: a value was erased that is still used after the conversion";
                let user = view.result(0).uses().next().map_or(loc, |(user, _)| user.loc());
                errors.push(crate::Diagnostic::error(loc, message).note(user, "see existing live user here"));
                continue;
            }
            let Some(converter) = cast.converter.map(|number| patterns.converter(number)) else { continue };
            rw.set_insertion_before(cast.op);
            let made = match cast.kind {
                CastKind::Source => converter.make_source(rw, types[0], &inputs, loc).map(|v| smallvec::smallvec![v]),
                CastKind::Target => converter.make_target(rw, &types, &inputs, loc),
            };
            if let Some(values) = made {
                let values: SmallVec<[ValueId; 1]> = values;
                rw.replace(cast.op, &values);
                ops.extend(values.iter().filter_map(|&value| rw.ir().defining_op(value)));
            } else if converter.refuses_casts() {
                refused.push(cast.op);
            }
        }
        // A materialization may end in a cast itself, which another one undoes.
        ops.retain(|&op| rw.ir().is_live(op) && rw.op(op).is::<UnrealizedConversionCastOp<'_>>());
        reconcile_casts(rw, &ops);
        for op in refused.into_iter().filter(|&op| rw.ir().is_live(op)) {
            errors.push(live_cast(rw.op(op)));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// The cast whose results are exactly the operands of the cast `op`.
fn input_cast(rw: &Rewriter<'_>, op: OpId) -> Option<OpId> {
    let ir = rw.ir();
    let inner = ir.defining_op(ir.operands(op).next()?)?;
    (rw.op(inner).is::<UnrealizedConversionCastOp<'_>>() && ir.results(inner).eq(ir.operands(op))).then_some(inner)
}

/// Lets the results of each of `casts` (`builtin.unrealized_conversion_cast`) be the inputs of a cast further up its chain
/// that has just these types, and erases those of `casts` that nothing but casts that are erased then uses. A cast that would be replaced by its own
/// results, in a region where these may come first, stays.
pub fn reconcile_casts(rw: &mut Rewriter<'_>, casts: &[OpId]) {
    for &cast in casts {
        if !rw.ir().is_live(cast) {
            continue;
        }
        let types = rw.op(cast).results().types();
        let mut seen: FxHashSet<OpId> = FxHashSet::default();
        let chain = std::iter::successors(Some(cast), |&op| input_cast(rw, op)).take_while(|&op| seen.insert(op));
        let found = chain.map(|op| rw.op(op).operands()).find(|inputs| inputs.types() == types).map(|i| i.ids());
        let results: SmallVec<[ValueId; 4]> = rw.ir().results(cast).collect();
        if let Some(values) = found.filter(|values| !values.iter().any(|value| results.contains(value))) {
            for (result, value) in results.into_iter().zip(values) {
                rw.replace_all_uses(result, value);
            }
        }
    }
    let known: IndexSet<OpId, FxBuildHasher> = casts.iter().copied().filter(|&cast| rw.ir().is_live(cast)).collect();
    let is_used =
        |&cast: &OpId| rw.ir().results(cast).any(|result| rw.ir().uses(result).any(|(user, _)| !known.contains(&user)));
    let mut pending: Vec<OpId> = known.iter().copied().filter(is_used).collect();
    let mut used: FxHashSet<OpId> = FxHashSet::default();
    while let Some(cast) = pending.pop() {
        if used.insert(cast) {
            let inputs = rw.ir().operands(cast).filter_map(|value| rw.ir().defining_op(value));
            pending.extend(inputs.filter(|op| known.contains(op)));
        }
    }
    let dead: Vec<OpId> = known.into_iter().filter(|cast| !used.contains(cast)).collect();
    for &cast in &dead {
        rw.set_operands(cast, &[]);
    }
    for cast in dead {
        rw.erase(cast);
    }
}

fn types_of<'a>(values: impl Iterator<Item = ValueRef<'a>>) -> String {
    values.map(|value| format!("'{}'", value.ty())).collect::<Vec<_>>().join(", ")
}

/// What is wrong where a cast is left that a conversion does not allow.
fn live_cast(cast: OpRef<'_>) -> Diagnostic {
    let (from, to) = (types_of(cast.operands().iter()), types_of(cast.results().iter()));
    let user = cast.results().iter().flat_map(ValueRef::uses).next().map_or(cast.loc(), |(user, _)| user.loc());
    let message = format!(
        "failed to legalize unresolved materialization from ({from}) to ({to}) that remained live after conversion"
    );
    Diagnostic::error(cast.loc(), message).note(user, "see existing live user here")
}

/// What is wrong where a cast is left at the end: which operation needs the value as another one, and whose conversion is missing.
pub fn unresolved_cast(cast: OpRef<'_>) -> Diagnostic {
    let (from, to) = (types_of(cast.operands().iter()), types_of(cast.results().iter()));
    let user = cast.results().iter().flat_map(ValueRef::uses).map(|(user, _)| user).next();
    let source = cast.operands().iter().find_map(ValueRef::defining_op);
    let needs = user.map_or_else(String::new, |user| format!("'{}' op needs ", user.name()));
    let made = source.map_or_else(|| "an argument".to_owned(), |op| format!("the result of '{}'", op.name()));
    let mut diagnostic = Diagnostic::error(
        user.unwrap_or(cast).loc(),
        format!("{needs}{made}, of type {from}, as {to}, and no conversion has made it that"),
    );
    let missing = [user, source]
        .into_iter()
        .flatten()
        .find(|op| op.info().dialect() != "llvm" && !op.is::<UnrealizedConversionCastOp<'_>>());
    if let Some(op) = missing {
        diagnostic =
            diagnostic.note(op.loc(), format!("'{}' has not been converted to the dialect of the other", op.name()));
    }
    diagnostic
}
