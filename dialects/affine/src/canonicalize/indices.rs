//! Patterns for `affine.delinearize_index` and `affine.linearize_index`.
//!
//! Both have a *basis*: the size of each dimension, the first of which may be left out. It is never divided by: the first index is the rest.

use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed, split};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Loc, OpDefinition, OpId, OpRef, OpState, OpView, Operands, Rewriter, ValueId};
use smallvec::SmallVec;

use crate::{AffineApplyOp, AffineDelinearizeIndexOp, AffineLinearizeIndexOp};

type Values = SmallVec<[ValueId; 4]>;

const OTHER_FORM: NoMatch = NoMatch("indices or basis are not of the form");

pub(crate) fn delinearize_patterns(patterns: &mut Patterns) {
    let root = Some(AffineDelinearizeIndexOp::NAME);
    patterns
        .add_fn("affine-delinearize-constant-basis", root, constant_basis)
        .add_fn("affine-delinearize-drop-units", root, drop_units)
        .add_fn("affine-delinearize-of-linearized", root, of_linearized)
        .add_fn("affine-delinearize-split-last", root, split_last);
}

pub(crate) fn linearize_patterns(patterns: &mut Patterns) {
    let root = Some(AffineLinearizeIndexOp::NAME);
    patterns
        .add_fn("affine-linearize-constant-basis", root, constant_basis)
        .add_fn("affine-linearize-drop-zeros", root, drop_zeros)
        .add_fn("affine-linearize-of-delinearized", root, of_delinearized);
}

/// Indices and their sizes, one for each but perhaps the first.
struct Space {
    basis: Indices,
    rank: usize,
}

impl Space {
    fn new(constants: dl_ir::AttrRef<'_>, values: Operands<'_>, rank: usize) -> Self {
        Self { basis: mixed(&constants.dense_ints().collect::<Vec<_>>(), values), rank }
    }

    fn of_delinearize(op: AffineDelinearizeIndexOp<'_>) -> Self {
        Self::new(op.static_basis(), op.dynamic_basis(), op.multi_index().len())
    }

    fn of_linearize(op: AffineLinearizeIndexOp<'_>) -> Self {
        Self::new(op.static_basis(), op.dynamic_basis(), op.multi_index().len())
    }

    /// The size of dimension `at`; `None` for the first one without.
    fn size(&self, at: usize) -> Option<Index> {
        let missing = self.rank - self.basis.len().min(self.rank);
        self.basis.get(at.checked_sub(missing)?).copied()
    }

    /// The sizes of the dimensions from `start` up to `end`, the first left out where it has none.
    fn sizes(&self, range: std::ops::Range<usize>) -> Indices {
        range.filter_map(|at| self.size(at)).collect()
    }
}

/// `affine.delinearize_index` of `linear` into `rank` indices.
fn delinearize(rw: &mut Rewriter<'_>, linear: ValueId, basis: &[Index], rank: usize, loc: Loc) -> Values {
    let (cx, (constants, values)) = (rw.cx(), split(basis));
    let op = rw.create(
        OpState::of::<AffineDelinearizeIndexOp<'_>>(loc)
            .operands([linear])
            .operands(values)
            .attr(cx, "static_basis", cx.dense_i64_array(&constants))
            .results(std::iter::repeat_n(cx.index_type(), rank)),
    );
    rw.ir().results(op).collect()
}

/// The parts of an `affine.linearize_index` like `op`, of other indices.
fn linearize_state(op: OpRef<'_>, indices: &[ValueId], basis: &[Index]) -> OpState {
    let (cx, (constants, values)) = (op.cx(), split(basis));
    OpState::of::<AffineLinearizeIndexOp<'_>>(op.loc())
        .operands(indices.iter().copied())
        .operands(values.iter().copied())
        .attr(cx, "static_basis", cx.dense_i64_array(&constants))
        .maybe_attr(cx, "disjoint", op.attr("disjoint").map(|disjoint| disjoint.id()))
        .operand_segments(cx, &[indices.len(), values.len()])
        .results([cx.index_type()])
}

/// Sizes that are constants become part of the operation.
fn constant_basis(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    // Both operations have the values of the basis in their second operand group.
    let (values, constants) = (view.operand_group(1), view.attr("static_basis").ok_or(OTHER_FORM)?);
    let mut basis = mixed(&constants.dense_ints().collect::<Vec<_>>(), values);
    for size in &mut basis {
        if let Index::Value(value) = *size {
            let known = rw.value(value).constant().and_then(dl_ir::AttrRef::as_int).filter(|&size| size > 0);
            *size = known.map_or(*size, Index::Static);
        }
    }
    let (constants, left) = split(&basis);
    if left.len() == values.len() {
        return Err(NoMatch("no size is a positive constant"));
    }
    let cx = rw.cx();
    rw.set_operand_group(op, 1, &left);
    rw.set_attr(op, cx.ident("static_basis"), cx.dense_i64_array(&constants));
    Ok(())
}

/// The index of a dimension of size 1 is 0.
fn drop_units(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = AffineDelinearizeIndexOp::wrap(rw.op(op));
    let space = Space::of_delinearize(view);
    let kept: Vec<usize> = (0..space.rank).filter(|&at| space.size(at) != Some(Index::Static(1))).collect();
    if kept.len() == space.rank {
        return Err(NoMatch("no size is 1"));
    }
    let (linear, loc) = (view.linear_index().id(), view.0.loc());
    let basis: Indices = kept.iter().filter_map(|&at| space.size(at)).collect();
    rw.set_insertion_before(op);
    let zero = dl_arith::constant_index(rw, 0, loc);
    let indices = match kept[..] {
        [] => Values::new(),
        [_] => SmallVec::from_elem(linear, 1),
        _ => delinearize(rw, linear, &basis, kept.len(), loc),
    };
    let mut results: Values = SmallVec::from_elem(zero, space.rank);
    for (at, index) in kept.into_iter().zip(indices) {
        results[at] = index;
    }
    rw.replace(op, &results);
    Ok(())
}

/// The linearization of disjoint indices that `op` takes apart again.
fn linearized(op: AffineDelinearizeIndexOp<'_>) -> Option<AffineLinearizeIndexOp<'_>> {
    let linearize = op.linear_index().def::<AffineLinearizeIndexOp<'_>>()?;
    linearize.0.attr("disjoint").map(|_| linearize)
}

/// Disjoint indices that are put together and taken apart into the same dimensions, counted from the last one, are what they were.
fn of_linearized(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = AffineDelinearizeIndexOp::wrap(rw.op(op));
    let linearize = linearized(view).ok_or(NoMatch("the index is not put together of disjoint ones"))?;
    let (from, to) = (Space::of_linearize(linearize), Space::of_delinearize(view));
    let indices = linearize.multi_index().ids();
    let same = |back: &usize| {
        let (a, b) = (from.size(from.rank - 1 - back), to.size(to.rank - 1 - back));
        a.is_some() && a == b
    };
    let tail = (0..from.rank.min(to.rank)).take_while(same).count();
    if from.rank == to.rank && tail + 1 >= to.rank {
        let indices = indices.to_vec();
        rw.replace(op, &indices);
        return Ok(());
    }
    // At least one index is left on each side: it has what the sizes do not say.
    let tail = tail.min(from.rank - 1).min(to.rank - 1);
    if tail == 0 {
        return Err(NoMatch("the last sizes differ"));
    }
    let (head, rest) = (from.rank - tail, to.rank - tail);
    let state = linearize_state(linearize.0, &indices[..head], &from.sizes(0..head));
    let loc = view.0.loc();
    rw.set_insertion_before(op);
    let linear = dl_ir::rewrite::create_or_fold(rw, state)[0];
    let mut results = delinearize(rw, linear, &to.sizes(0..rest), rest, loc);
    results.extend_from_slice(&indices[head..]);
    rw.replace(op, &results);
    Ok(())
}

/// The last of disjoint indices is taken apart on its own where its size is the product of sizes in the result.
fn split_last(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = AffineDelinearizeIndexOp::wrap(rw.op(op));
    let linearize = linearized(view).ok_or(NoMatch("the index is not put together of disjoint ones"))?;
    let (from, to) = (Space::of_linearize(linearize), Space::of_delinearize(view));
    let indices = linearize.multi_index().ids();
    let Some(Index::Static(whole)) = from.size(from.rank - 1).filter(|_| from.rank > 1) else {
        return Err(NoMatch("the last size is not known"));
    };
    let (mut product, mut split) = (1_i64, to.rank);
    while product < whole && split > 1 {
        split -= 1;
        let Some(Index::Static(size)) = to.size(split) else { return Err(OTHER_FORM) };
        product = product.checked_mul(size).ok_or(OTHER_FORM)?;
    }
    if product != whole || to.rank - split < 2 {
        return Err(NoMatch("the last size is no product of the last sizes"));
    }
    let head = from.rank - 1;
    let state = linearize_state(linearize.0, &indices[..head], &from.sizes(0..head));
    let (loc, last) = (view.0.loc(), indices[head]);
    rw.set_insertion_before(op);
    let linear = dl_ir::rewrite::create_or_fold(rw, state)[0];
    let mut results = delinearize(rw, linear, &to.sizes(0..split), split, loc);
    let parts = delinearize(rw, last, &to.sizes(split..to.rank), to.rank - split, loc);
    results.extend(parts);
    rw.replace(op, &results);
    Ok(())
}

/// Zeros in front, and indices of dimensions of size 1 that are zero, go: those of disjoint indices always are.
fn drop_zeros(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = AffineLinearizeIndexOp::wrap(rw.op(op));
    let space = Space::of_linearize(view);
    let disjoint = view.0.attr("disjoint").is_some();
    let indices = view.multi_index();
    let is_zero: Vec<bool> =
        indices.iter().map(|index| index.constant().and_then(dl_ir::AttrRef::as_int) == Some(0)).collect();
    let leading = is_zero.iter().take_while(|zero| **zero).count();
    let drops = |at: usize| at < leading || (space.size(at) == Some(Index::Static(1)) && (disjoint || is_zero[at]));
    let kept: Vec<usize> = (0..space.rank).filter(|&at| !drops(at)).collect();
    if kept.len() == space.rank || kept.is_empty() {
        return Err(NoMatch("no index is known to be zero, or all are"));
    }
    let values: Values = kept.iter().filter_map(|&at| indices.get(at)).map(dl_ir::ValueRef::id).collect();
    let basis: Indices = kept.iter().filter_map(|&at| space.size(at)).collect();
    let state = linearize_state(view.0, &values, &basis);
    rw.replace_with(op, state);
    Ok(())
}

/// A run of indices that one linear index was taken apart into: `len` from number `at`, which are those from number `start`.
struct Run {
    at: usize,
    start: usize,
    len: usize,
    /// The operation that took it apart.
    from: OpId,
}

/// The first run, of at least two, among the indices of `op` whose sizes agree. The first index that was taken apart is never reduced by its size,
/// so that it fits wherever it comes first or the sizes are promised.
fn find_run(op: AffineLinearizeIndexOp<'_>, space: &Space) -> Option<Run> {
    let indices = op.multi_index();
    let disjoint = op.0.attr("disjoint").is_some();
    for at in 0..space.rank {
        let first = indices.get(at)?;
        let Some(from) = first.def::<AffineDelinearizeIndexOp<'_>>() else { continue };
        let (start, parts) = (first.index(), Space::of_delinearize(from));
        let fits = |i: &usize| {
            let sizes = (space.size(at + i), parts.size(start + i));
            let same = match i {
                0 => sizes.0 == sizes.1 || (start == 0 && (at == 0 || (sizes.1.is_none() && disjoint))),
                _ => sizes.0 == sizes.1,
            };
            same && indices.get(at + i) == from.multi_index().get(start + i)
        };
        let most = (space.rank - at).min(parts.rank - start);
        let len = (0..most).take_while(fits).count();
        if len > 1 {
            return Some(Run { at, start, len, from: from.0.id() });
        }
    }
    None
}

/// The product of `sizes`, computed by `affine.apply` where it is not known.
fn product(rw: &mut Rewriter<'_>, sizes: &[Index], loc: Loc) -> Option<Index> {
    let affine = rw.cx().affine();
    let constant = sizes.iter().filter_map(|size| size.as_static()).try_fold(1_i64, i64::checked_mul)?;
    let (_, values) = split(sizes);
    if values.is_empty() {
        return Some(Index::Static(constant));
    }
    let symbols = (0..values.len() as u32).map(|at| affine.symbol(at));
    let of_symbols = symbols.reduce(|a, b| affine.mul(a, b))?;
    let expr: AffineExpr = affine.mul_constant(of_symbols, constant);
    let map = affine.intern_map(0, values.len() as u32, [expr]);
    let cx = rw.cx();
    let state = OpState::of::<AffineApplyOp<'_>>(loc).attr(cx, "map", cx.affine_map_attr(map)).operands(values);
    Some(Index::Value(rw.create_value(state.results([cx.index_type()]))))
}

/// Takes the linear index of `run` apart, with one index of this size for all of the run: the answer. What else uses its parts uses what that one is
/// taken apart into, if `replaces`.
fn take_apart(rw: &mut Rewriter<'_>, run: &Run, parts: &Space, size: Option<Index>, replaces: bool) -> ValueId {
    let from = AffineDelinearizeIndexOp::wrap(rw.op(run.from));
    let (linear, loc, end) = (from.linear_index().id(), from.0.loc(), run.start + run.len);
    let mut basis = parts.sizes(0..run.start);
    basis.extend(size);
    basis.extend(parts.sizes(end..parts.rank));
    let indices = delinearize(rw, linear, &basis, parts.rank - run.len + 1, loc);
    let whole = indices[run.start];
    if replaces {
        let rest = delinearize(rw, whole, &parts.sizes(run.start..end), run.len, loc);
        let results: Values =
            indices[..run.start].iter().chain(&rest).chain(&indices[run.start + 1..]).copied().collect();
        rw.replace(run.from, &results);
    }
    whole
}

/// What was taken apart and is put together again is one index: the linear index itself, or where only some of its parts are put together, one of
/// a size that is the product of theirs.
fn of_delinearized(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = AffineLinearizeIndexOp::wrap(rw.op(op));
    let space = Space::of_linearize(view);
    let run = find_run(view, &space).ok_or(NoMatch("no indices are those of one linear index"))?;
    let end = run.at + run.len;
    let loc = view.0.loc();
    let merged = space.sizes(run.at..end);
    if merged.iter().filter_map(|size| size.as_static()).try_fold(1_i64, i64::checked_mul).is_none() {
        return Err(NoMatch("the product of the sizes is too large"));
    }
    let from = AffineDelinearizeIndexOp::wrap(rw.op(run.from));
    let (parts, linear) = (Space::of_delinearize(from), from.linear_index().id());
    let has_size = space.size(run.at).is_some();
    let (size, whole) = if run.len == parts.rank {
        rw.set_insertion_before(op);
        (if has_size { product(rw, &merged, loc) } else { None }, linear)
    } else {
        // Where the sizes agree, or none is given, whoever else uses the indices may do so after they are taken apart in two steps. Else the
        // size is a promise of this operation alone, which may come later, or none at all: then the index has no size.
        let agree = space.size(run.at) == parts.size(run.start);
        let promised = agree || view.0.attr("disjoint").is_some();
        rw.set_insertion_before(if agree { run.from } else { op });
        let size = if has_size { product(rw, &merged, loc) } else { None };
        rw.set_insertion_before(if promised && !agree { op } else { run.from });
        (size, take_apart(rw, &run, &parts, size.filter(|_| promised), agree || !promised))
    };
    // Sizes and indices as they are now: what was taken apart may have been replaced.
    let view = AffineLinearizeIndexOp::wrap(rw.op(op));
    let (space, indices) = (Space::of_linearize(view), view.multi_index().ids());
    let mut basis = space.sizes(0..run.at);
    basis.extend(size);
    basis.extend(space.sizes(end..space.rank));
    let mut values: Values = indices[..run.at].iter().copied().collect();
    values.push(whole);
    values.extend_from_slice(&indices[end..]);
    rw.set_insertion_before(op);
    let state = linearize_state(rw.op(op), &values, &basis);
    rw.replace_with(op, state);
    Ok(())
}
