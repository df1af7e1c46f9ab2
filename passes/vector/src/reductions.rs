//! Reductions of vectors: chains of them as one, and short ones element by element.
//!
//! `vector.reduction` combines in order, the accumulator first. Another order is taken only where it gives the same: for integers, for the
//! greater or lesser of two numbers, and where `reassoc` allows it. Upstream takes it always, which `assume-reassociation` does here.

use dl_arith::FastMathFlags;
use dl_arith::flags::fastmath;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId};
use dl_vector::types::extents;
use dl_vector::{CombiningKind, ReductionOp};

use crate::build::VectorBuild;
use crate::masking::masking;

/// Whether any order of combining gives what `op` gives.
pub(crate) fn is_associative(op: OpRef<'_>, kind: CombiningKind, assume: bool) -> bool {
    let float = op.result(0).ty().element_or_self().is_float();
    let exact = matches!(kind, CombiningKind::Maximumf | CombiningKind::Minimumf);
    assume || !float || exact || fastmath(op).contains(FastMathFlags::REASSOC)
}

/// The parts of a reduction of a vector of one dimension without a mask.
struct Parts {
    vector: ValueId,
    acc: Option<ValueId>,
    kind: CombiningKind,
    fastmath: Option<Attr>,
}

impl Parts {
    fn of(op: OpRef<'_>) -> Result<Self, NoMatch> {
        let view = op.cast::<ReductionOp<'_>>().ok_or(NoMatch("no reduction"))?;
        if masking(op).is_some() {
            return Err(NoMatch("it is masked"));
        }
        let ty = view.vector().ty();
        if extents(ty).len() != 1 || ty.is_scalable_vector() {
            return Err(NoMatch("a scalable vector, or not one dimension"));
        }
        Ok(Self {
            vector: view.vector().id(),
            acc: view.acc().map(|acc| acc.id()),
            kind: CombiningKind::from_attr(view.kind()).ok_or(NoMatch("no kind"))?,
            fastmath: op.attr("fastmath").map(|flags| flags.id()),
        })
    }
}

/// Reductions of at most so many elements are computed element by element.
struct BreakDown {
    max_elements: i64,
    assume_reassociation: bool,
}

impl Pattern for BreakDown {
    const NAME: &'static str = "vector-break-down-reduction";
    const ROOT: Option<&'static str> = Some(ReductionOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let parts = Parts::of(view)?;
        let count = extents(view.operand(0).ty())[0];
        if count > self.max_elements {
            return Err(NoMatch("too many elements"));
        }
        let (acc_last, loc) = (is_associative(view, parts.kind, self.assume_reassociation), view.loc());
        rw.set_insertion_before(op);
        let mut b = dl_arith::Build::new(rw, loc);
        let mut terms: Vec<ValueId> = (0..count).map(|at| b.part(parts.vector, &[at])).collect();
        if let Some(acc) = parts.acc {
            terms.insert(if acc_last { terms.len() } else { 0 }, acc);
        }
        let mut terms = terms.into_iter();
        let first = terms.next().ok_or(NoMatch("nothing to reduce"))?;
        let value = terms.fold(first, |value, term| b.combine(parts.kind, value, term, parts.fastmath, None));
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// `reduce(y, reduce(x, acc))` becomes `reduce(x ∘ y, acc)`: one reduction less for an element-wise operation.
struct FoldChain {
    assume_reassociation: bool,
}

impl Pattern for FoldChain {
    const NAME: &'static str = "vector-fold-chained-reduction";
    const ROOT: Option<&'static str> = Some(ReductionOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let outer = Parts::of(view)?;
        let inner_op = view
            .cast::<ReductionOp<'_>>()
            .and_then(|reduction| reduction.acc())
            .filter(|acc| acc.has_one_use())
            .and_then(|acc| acc.defining_op())
            .ok_or(NoMatch("no accumulator of this use only"))?;
        let inner = Parts::of(inner_op)?;
        if inner.kind != outer.kind || inner_op.operand(0).ty() != view.operand(0).ty() {
            return Err(NoMatch("of another kind or shape"));
        }
        let assume = self.assume_reassociation;
        if !is_associative(view, outer.kind, assume) || !is_associative(inner_op, inner.kind, assume) {
            return Err(NoMatch("another order may give another sum"));
        }
        let (cx, loc) = (rw.cx(), view.loc());
        let flags = fastmath(view).intersection(fastmath(inner_op));
        let flags = (flags != FastMathFlags::default()).then(|| flags.attr(cx));
        let ty = rw.ir().value_type(rw.ir().result(op, 0));
        rw.set_insertion_before(op);
        let mut b = dl_arith::Build::new(rw, loc);
        let both = b.combine(outer.kind, inner.vector, outer.vector, flags, None);
        let state = OpState::of::<ReductionOp<'_>>(loc)
            .operands([both])
            .operands(inner.acc)
            .attr(cx, "kind", outer.kind.attr(cx))
            .maybe_attr(cx, "fastmath", flags)
            .results([ty]);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `reduce(x + 0)` becomes `reduce(x)`: where zeros have no sign, or `x` cannot be told from `x + 0`.
fn drop_added_zero(op: OpId, rw: &mut Rewriter<'_>, assume: bool) -> Rewrite {
    let view = rw.op(op);
    let parts = Parts::of(view)?;
    let sum = view.operand(0).defining_op().ok_or(NoMatch("no sum"))?;
    let float = sum.is::<dl_arith::AddFOp<'_>>();
    if parts.kind != CombiningKind::Add || !float {
        return Err(NoMatch("no sum of sums"));
    }
    let zero = sum.operand(1).constant().ok_or(NoMatch("no constant"))?;
    // x + -0 is x; x + 0 is not for x = -0.
    let exact = dl_arith::constants::is_float(rw.cx(), zero.id(), -0.0);
    let unsigned = assume || fastmath(sum).contains(FastMathFlags::NSZ);
    if !(exact || unsigned && dl_arith::constants::is_float(rw.cx(), zero.id(), 0.0)) {
        return Err(NoMatch("not zero, or the sign of zero matters"));
    }
    let value = sum.operand(0).id();
    rw.set_operand(op, 0, value);
    Ok(())
}

/// Adds the pattern that computes reductions of at most `max_elements` element by element.
pub(crate) fn break_down(max_elements: i64, assume_reassociation: bool, patterns: &mut Patterns) {
    patterns.add(BreakDown { max_elements, assume_reassociation });
}

/// Adds the patterns that make chains of reductions one.
pub(crate) fn fold_chains(assume_reassociation: bool, patterns: &mut Patterns) {
    patterns.add(FoldChain { assume_reassociation });
}

/// Adds the pattern that drops zeros added to what is reduced.
pub(crate) fn drop_zeros(assume_reassociation: bool, patterns: &mut Patterns) {
    let root = Some(ReductionOp::NAME);
    if assume_reassociation {
        patterns.add_fn("vector-drop-added-zero", root, |op, rw| drop_added_zero(op, rw, true));
    } else {
        patterns.add_fn("vector-drop-added-zero", root, |op, rw| drop_added_zero(op, rw, false));
    }
}
