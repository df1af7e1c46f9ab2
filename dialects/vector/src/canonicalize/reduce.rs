//! Reductions of one element, or along dimensions of extent 1: one combining operation each.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, Loc, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};

use super::masks::masked_op;
use crate::types::{count, extents, is_scalable};
use crate::{CombiningKind, ExtractOp, MaskOp, MultiDimReductionOp, ReductionOp, ShapeCastOp};

/// The operation of `arith` that combines two elements, integers or floats.
pub fn combining(kind: CombiningKind, float: bool) -> &'static str {
    match (kind, float) {
        (CombiningKind::Add, true) => "arith.addf",
        (CombiningKind::Add, false) => "arith.addi",
        (CombiningKind::Mul, true) => "arith.mulf",
        (CombiningKind::Mul, false) => "arith.muli",
        (CombiningKind::Minui, _) => "arith.minui",
        (CombiningKind::Minsi, _) => "arith.minsi",
        (CombiningKind::Minnumf, _) => "arith.minnumf",
        (CombiningKind::Maxui, _) => "arith.maxui",
        (CombiningKind::Maxsi, _) => "arith.maxsi",
        (CombiningKind::Maxnumf, _) => "arith.maxnumf",
        (CombiningKind::And, _) => "arith.andi",
        (CombiningKind::Or, _) => "arith.ori",
        (CombiningKind::Xor, _) => "arith.xori",
        (CombiningKind::Maximumf, _) => "arith.maximumf",
        (CombiningKind::Minimumf, _) => "arith.minimumf",
    }
}

/// A reduction that takes each element of its source into one of its results.
struct Single {
    source: ValueId,
    acc: Option<ValueId>,
    kind: CombiningKind,
    fastmath: Option<Attr>,
    result: Type,
    /// Whether the source comes first when combined.
    source_first: bool,
    loc: Loc,
}

impl Single {
    fn of(op: OpRef<'_>) -> Result<Self, NoMatch> {
        let result = op.result(0).ty().id();
        let kind = op.attr("kind").and_then(CombiningKind::from_attr).ok_or(NoMatch("no kind"))?;
        if let Some(reduction) = op.cast::<ReductionOp<'_>>() {
            let source = reduction.vector();
            let one = count(source.ty()) == Some(1) && !source.ty().is_scalable_vector();
            let (source, acc) = (source.id(), reduction.acc().map(|acc| acc.id()));
            let fastmath = op.attr("fastmath").map(|attr| attr.id());
            let single = Self { source, acc, kind, fastmath, result, source_first: true, loc: op.loc() };
            return if one { Ok(single) } else { Err(NoMatch("more than one element")) };
        }
        let reduction = op.cast::<MultiDimReductionOp<'_>>().ok_or(NoMatch("no reduction"))?;
        let from = reduction.source().ty();
        let is_unit = |dim: i64| {
            let dim = usize::try_from(dim).unwrap_or(usize::MAX);
            extents(from).get(dim) == Some(&1) && !is_scalable(from, dim)
        };
        if !reduction.reduction_dims().dense_ints().all(is_unit) {
            return Err(NoMatch("a reduced dimension has more than one element"));
        }
        let (source, acc) = (reduction.source().id(), Some(reduction.acc().id()));
        Ok(Self { source, acc, kind, fastmath: None, result, source_first: false, loc: op.loc() })
    }

    /// The value of `source` in the shape of the result.
    fn shaped(&self, rw: &mut Rewriter<'_>, source: ValueId, element: Type) -> ValueId {
        let (cx, from) = (rw.cx(), rw.value_type(source));
        let to = cx.ty(self.result);
        if !to.is_vector() {
            let zeros = vec![0; from.rank().unwrap_or(0)];
            let state = OpState::of::<ExtractOp<'_>>(self.loc).operands([source]);
            return rw.create_value(state.attr(cx, "static_position", cx.dense_i64_array(&zeros)).results([element]));
        }
        let to = to.with_element(element);
        if from.id() == to {
            return source;
        }
        rw.create_value(OpState::of::<ShapeCastOp<'_>>(self.loc).operands([source]).results([to]))
    }

    /// Replaces `op` by the one combination that is left, where `mask` is on; elsewhere the accumulator stays as it is.
    fn replace(&self, rw: &mut Rewriter<'_>, op: OpId, mask: Option<ValueId>) {
        let cx = rw.cx();
        let element = cx.ty(self.result).element_or_self();
        let (float, element) = (element.is_float(), element.id());
        let mask = mask.map(|mask| self.shaped(rw, mask, cx.i1_type()));
        let value = self.shaped(rw, self.source, element);
        let Some(acc) = self.acc else {
            rw.replace(op, &[value]);
            return;
        };
        let operands = if self.source_first { [value, acc] } else { [acc, value] };
        let state = OpState::named(combining(self.kind, float), self.loc).operands(operands).results([self.result]);
        let state = state.maybe_attr(cx, "fastmath", self.fastmath.filter(|_| float));
        let combined = rw.create_value(state);
        let Some(mask) = mask else {
            rw.replace(op, &[combined]);
            return;
        };
        let select = OpState::of::<dl_arith::SelectOp<'_>>(self.loc).operands([mask, combined, acc]);
        rw.replace_with(op, select.results([self.result]));
    }
}

/// A reduction that has one element for each of its results combines each once.
fn single(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if view.parent().is_some_and(|parent| parent.is::<MaskOp<'_>>()) {
        return Err(NoMatch("it is masked"));
    }
    Single::of(view)?.replace(rw, op, None);
    Ok(())
}

/// The same under a mask. Without an accumulator nothing is known of a result whose element is masked off.
fn masked_single(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let mask = MaskOp(rw.op(op));
    let inner = masked_op(mask).filter(|inner| inner.num_results() == 1).ok_or(NoMatch("no reduction"))?;
    let single = Single::of(inner)?;
    if mask.passthru().is_some() || single.acc.is_none() {
        return Err(NoMatch("the result is not that of the accumulator"));
    }
    let mask = mask.mask().id();
    single.replace(rw, op, Some(mask));
    Ok(())
}

/// Whether `value` is a zero of an integer type, or `-0.0` or `0.0`, in all positions.
fn is_zero(value: ValueRef<'_>) -> bool {
    let cx = value.cx();
    value.constant().is_some_and(|zero| {
        let zero = zero.id();
        dl_arith::constants::is_int_zero(cx, zero)
            || dl_arith::constants::is_float(cx, zero, 0.0)
            || dl_arith::constants::is_float(cx, zero, -0.0)
    })
}

/// A product without accumulator that is added to something accumulates into that.
fn add_to_contraction(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let product = |at: usize| view.operand(at).def::<crate::ContractionOp<'_>>();
    let found = product(0).map(|p| (p, view.operand(1))).or_else(|| product(1).map(|p| (p, view.operand(0))));
    let (contraction, acc) = found.ok_or(NoMatch("no operand is a contraction"))?;
    let kind = contraction.0.attr_or_default("kind").and_then(CombiningKind::from_attr);
    if kind != Some(CombiningKind::Add) || !is_zero(contraction.acc()) {
        return Err(NoMatch("the contraction does not begin at zero"));
    }
    let (lhs, rhs, loc) = (contraction.lhs().id(), contraction.rhs().id(), contraction.0.loc());
    let attrs: Vec<_> = contraction.0.attrs().map(|(name, value)| (name, value.id())).collect();
    let (acc, ty) = (acc.id(), view.result(0).ty().id());
    let state = OpState::of::<crate::ContractionOp<'_>>(loc).operands([lhs, rhs, acc]).attrs(attrs).results([ty]);
    rw.replace_with(op, state);
    Ok(())
}

pub(crate) fn reduction(patterns: &mut Patterns) {
    patterns.add_fn("vector-single-reduction", Some(ReductionOp::NAME), single);
}

pub(crate) fn multi_reduction(patterns: &mut Patterns) {
    patterns.add_fn("vector-single-reduction", Some(MultiDimReductionOp::NAME), single);
}

pub(super) fn of_mask(patterns: &mut Patterns) {
    patterns.add_fn("vector-masked-single-reduction", Some(MaskOp::NAME), masked_single);
}

pub(crate) fn contract(patterns: &mut Patterns) {
    for root in [dl_arith::AddIOp::NAME, dl_arith::AddFOp::NAME] {
        patterns.add_local_fn("vector-add-to-contraction", root, add_to_contraction);
    }
}
