//! `affine-expand-index-ops` and `affine-expand-index-ops-as-affine`: `affine.linearize_index` and `affine.delinearize_index` as sums,
//! products, quotients and remainders, of `arith` or in maps.

use dl_affine::apply::{folded_apply, folded_apply_of_symbols};
use dl_affine::scope::{affine_scope, is_valid_symbol};
use dl_affine::{AffineDelinearizeIndexOp, AffineLinearizeIndexOp};
use dl_arith::build::{binary, compare};
use dl_arith::{AddIOp, CmpIPredicate, DivSIOp, FloorDivSIOp, IntegerOverflowFlags, MulIOp, RemSIOp, SelectOp};
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::{Index, invariant_loops};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Loc, OpDefinition, OpId, OpRef, OpState, OpView, Operands, Rewriter, ValueId, ValueRef};

use crate::loops::Values;

/// Lowers both operations to `arith`.
#[derive(Clone, Copy, Default)]
pub struct AffineExpandIndexOps;

impl Pass for AffineExpandIndexOps {
    const INFO: PassInfo = PassInfo::new(
        "affine-expand-index-ops",
        "Lower affine operations operating on indices into more fundamental operations",
    )
    .title("AffineExpandIndexOps");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns
            .add_fn("affine-delinearize-to-arith", Some(AffineDelinearizeIndexOp::NAME), delinearize_by_arith)
            .add_fn("affine-linearize-to-arith", Some(AffineLinearizeIndexOp::NAME), linearize_by_arith);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// Lowers both operations to `affine.apply`.
#[derive(Clone, Copy, Default)]
pub struct AffineExpandIndexOpsAsAffine;

impl Pass for AffineExpandIndexOpsAsAffine {
    const INFO: PassInfo = PassInfo::new(
        "affine-expand-index-ops-as-affine",
        "Lower affine operations operating on indices into affine.apply operations",
    )
    .title("AffineExpandIndexOpsAsAffine");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns
            .add_fn("affine-delinearize-to-apply", Some(AffineDelinearizeIndexOp::NAME), delinearize_by_maps)
            .add_fn("affine-linearize-to-apply", Some(AffineLinearizeIndexOp::NAME), linearize_by_maps);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// The sizes that indices are scaled by: all but that of the first of `rank` indices, which may not be given at all.
fn inner_sizes(constants: impl Iterator<Item = i64>, values: Operands<'_>, rank: usize) -> Indices {
    let constants: Vec<i64> = constants.collect();
    let all = mixed(&constants, values);
    let skip = (all.len() + 1).saturating_sub(rank);
    all[skip.min(all.len())..].into()
}

/// What each index but the last is multiplied by: the product of all sizes after it, with the flags given for products.
fn strides(rw: &mut Rewriter<'_>, sizes: &[Index], flags: IntegerOverflowFlags, loc: Loc) -> Option<Values> {
    let (mut known, mut dynamic) = (1_i64, None);
    let mut strides = Values::new();
    for &size in sizes.iter().rev() {
        match size {
            Index::Static(size) => known = known.checked_mul(size)?,
            Index::Value(size) => {
                dynamic = Some(dynamic.map_or(size, |product| flagged::<MulIOp<'_>>(rw, product, size, flags, loc)));
            }
        }
        strides.push(match dynamic {
            Some(product) if known == 1 => product,
            Some(product) => {
                let known = dl_arith::constant_index(rw, known, loc);
                flagged::<MulIOp<'_>>(rw, product, known, flags, loc)
            }
            None => dl_arith::constant_index(rw, known, loc),
        });
    }
    strides.reverse();
    Some(strides)
}

/// Integer arithmetic with overflow flags at the insertion point.
fn flagged<T: OpDefinition>(
    rw: &mut Rewriter<'_>,
    lhs: ValueId,
    rhs: ValueId,
    flags: IntegerOverflowFlags,
    loc: Loc,
) -> ValueId {
    let (cx, ty) = (rw.cx(), rw.ir().value_type(lhs));
    let flags = cx.dialect_attr("arith.overflow", &[cx.i64_attr(flags.0 as i64)]);
    rw.create_value(OpState::of::<T>(loc).operands([lhs, rhs]).attr(cx, "overflowFlags", flags).results([ty]))
}

const NSW: IntegerOverflowFlags = IntegerOverflowFlags::NSW;
const TOO_LARGE: NoMatch = NoMatch("the product of its sizes overflows");

fn delinearize_by_arith(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = AffineDelinearizeIndexOp::wrap(rw.op(op));
    let (linear, rank, loc) = (view.linear_index().id(), view.0.num_results(), view.0.loc());
    if rank == 1 {
        rw.replace(op, &[linear]);
        return Ok(());
    }
    let sizes = inner_sizes(view.static_basis().dense_ints(), view.dynamic_basis(), rank);
    rw.set_insertion_before(op);
    let both = IntegerOverflowFlags(NSW.0 | IntegerOverflowFlags::NUW.0);
    let strides = strides(rw, &sizes, both, loc).ok_or(TOO_LARGE)?;
    let zero = dl_arith::constant_index(rw, 0, loc);
    let mut results = Values::new();
    results.push(binary::<FloorDivSIOp<'_>>(rw, linear, strides[0], loc));
    for pair in strides.windows(2) {
        let rest = remainder(rw, linear, pair[0], zero, loc);
        results.push(binary::<DivSIOp<'_>>(rw, rest, pair[1], loc));
    }
    results.push(remainder(rw, linear, strides[strides.len() - 1], zero, loc));
    rw.replace(op, &results);
    Ok(())
}

/// The remainder of a division rounded down.
fn remainder(rw: &mut Rewriter<'_>, value: ValueId, by: ValueId, zero: ValueId, loc: Loc) -> ValueId {
    let rest = binary::<RemSIOp<'_>>(rw, value, by, loc);
    let is_negative = compare(rw, CmpIPredicate::Slt, rest, zero, loc);
    let corrected = flagged::<AddIOp<'_>>(rw, rest, by, NSW, loc);
    let ty = rw.ir().value_type(rest);
    rw.create_value(OpState::of::<SelectOp<'_>>(loc).operands([is_negative, corrected, rest]).results([ty]))
}

/// What is the same in more loops is added first, so that the sums may leave those loops.
fn linearize_by_arith(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = AffineLinearizeIndexOp::wrap(rw.op(op));
    let indices: Vec<ValueRef<'_>> = view.multi_index().iter().collect();
    let loc = view.0.loc();
    let sizes = inner_sizes(view.static_basis().dense_ints(), view.dynamic_basis(), indices.len());
    let mut terms: Vec<(ValueId, usize)> =
        indices.iter().map(|&index| (index.id(), invariant_loops(view.0, index.id()))).collect();
    let is_disjoint = view.0.attr("disjoint").is_some_and(|attr| attr.as_bool() != Some(false));
    let flags = if is_disjoint { IntegerOverflowFlags(NSW.0 | IntegerOverflowFlags::NUW.0) } else { NSW };
    rw.set_insertion_before(op);
    if terms.is_empty() {
        let zero = dl_arith::constant_index(rw, 0, loc);
        rw.replace(op, &[zero]);
        return Ok(());
    }
    let strides = strides(rw, &sizes, flags, loc).ok_or(TOO_LARGE)?;
    for ((index, _), stride) in terms.iter_mut().zip(strides) {
        *index = flagged::<MulIOp<'_>>(rw, *index, stride, NSW, loc);
    }
    terms.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let values = terms.into_iter().map(|(value, _)| value);
    let sum = values.reduce(|sum, term| flagged::<AddIOp<'_>>(rw, sum, term, NSW, loc));
    rw.replace(op, &[sum.expect("there is an index")]);
    Ok(())
}

/// Whether products of the sizes may stand in a map.
fn are_symbols(op: OpRef<'_>, sizes: &[Index]) -> bool {
    let scope = affine_scope(op);
    sizes.iter().all(|&size| match size {
        Index::Static(_) => true,
        Index::Value(value) => is_valid_symbol(ValueRef::new(op.cx(), op.arena(), value), scope),
    })
}

const NO_SYMBOL: NoMatch = NoMatch("a size cannot be a symbol");

/// The value of an index at the insertion point.
fn value_of(rw: &mut Rewriter<'_>, index: Index, loc: Loc) -> ValueId {
    match index {
        Index::Value(value) => value,
        Index::Static(number) => dl_arith::constant_index(rw, number, loc),
    }
}

fn delinearize_by_maps(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine = rw.cx().affine();
    let view = AffineDelinearizeIndexOp::wrap(rw.op(op));
    let (linear, rank, loc) = (view.linear_index().id(), view.0.num_results(), view.0.loc());
    let sizes = inner_sizes(view.static_basis().dense_ints(), view.dynamic_basis(), rank);
    if !are_symbols(view.0, &sizes) {
        return Err(NO_SYMBOL);
    }
    rw.set_insertion_before(op);
    let [a, b] = [0, 1].map(|at| affine.dim(at));
    let mut divisors = Vec::new();
    let mut product = Index::Static(1);
    for &size in sizes.iter().rev() {
        product = folded_apply(rw, op, affine.mul(a, b), &[size, product], loc).ok_or(TOO_LARGE)?;
        divisors.push(product);
    }
    let (mut rest, mut results) = (Index::Value(linear), Values::new());
    for &divisor in divisors.iter().rev() {
        let quotient = folded_apply(rw, op, affine.floordiv(a, b), &[rest, divisor], loc).ok_or(TOO_LARGE)?;
        rest = folded_apply(rw, op, affine.modulo(a, b), &[rest, divisor], loc).ok_or(TOO_LARGE)?;
        results.push(value_of(rw, quotient, loc));
    }
    results.push(value_of(rw, rest, loc));
    rw.replace(op, &results);
    Ok(())
}

fn linearize_by_maps(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine = rw.cx().affine();
    let view = AffineLinearizeIndexOp::wrap(rw.op(op));
    let (indices, loc) = (view.multi_index().ids(), view.0.loc());
    let sizes = inner_sizes(view.static_basis().dense_ints(), view.dynamic_basis(), indices.len());
    if !are_symbols(view.0, &sizes) {
        return Err(NO_SYMBOL);
    }
    rw.set_insertion_before(op);
    let [a, b] = [0, 1].map(|at| affine.dim(at));
    let mut strides = vec![Index::Static(1)];
    for &size in sizes.iter().rev() {
        let last = strides[strides.len() - 1];
        strides.push(folded_apply(rw, op, affine.mul(a, b), &[size, last], loc).ok_or(TOO_LARGE)?);
    }
    strides.reverse();
    let (mut expr, mut inputs) = (affine.constant(0), Vec::new());
    for (&index, stride) in indices.iter().zip(strides) {
        let at = inputs.len() as u32;
        expr = affine.add(expr, affine.mul(affine.dim(at), affine.dim(at + 1)));
        inputs.extend([Index::Value(index), stride]);
    }
    let sum = folded_apply_of_symbols(rw, op, expr, &inputs, loc).ok_or(TOO_LARGE)?;
    let sum = value_of(rw, sum, loc);
    rw.replace(op, &[sum]);
    Ok(())
}
