//! Contractions of what surrounds them: sums of products become contractions, and take what broadcasts and transposes their operands.

use dl_arith::{MulFOp, MulIOp};
use dl_ir::affine::AffineMap;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, Context, Loc, OpDefinition, OpId, OpRef, OpState, OpView, Rewriter, Type, ValueId};
use dl_vector::types::{extents, kept_dims, vector_type};
use dl_vector::{BroadcastOp, CombiningKind, ContractionOp, IteratorType, MultiDimReductionOp, TransposeOp};

use crate::build::VectorBuild;
use crate::masking::{Root, masked_value};

/// Adds the patterns.
pub fn reduction_to_contract(patterns: &mut Patterns) {
    let contract = Some(ContractionOp::NAME);
    patterns
        .add_fn("vector-reduction-to-contract", Some(MultiDimReductionOp::NAME), sum_of_products)
        .add_fn("vector-contract-of-broadcasts", contract, of_broadcasts)
        .add_fn("vector-contract-of-transposes", contract, of_transposes)
        .add_fn("vector-transpose-of-contract", Some(TransposeOp::NAME), transposed_result);
}

/// The parts of a contraction.
struct Contraction {
    operands: [ValueId; 3],
    maps: [AffineMap; 3],
    iterators: Vec<Attr>,
    kind: Attr,
    result: Type,
    loc: Loc,
}

impl Contraction {
    fn of(op: OpRef<'_>) -> Result<Self, NoMatch> {
        let view = ContractionOp::wrap(op);
        let maps: Vec<AffineMap> = view.indexing_maps().elements().filter_map(|map| map.as_affine_map()).collect();
        Ok(Self {
            operands: [view.lhs(), view.rhs(), view.acc()].map(|value| value.id()),
            maps: maps.try_into().map_err(|_| NoMatch("no map for each operand"))?,
            iterators: view.iterator_types().elements().map(|it| it.id()).collect(),
            kind: view.kind().id(),
            result: view.result().ty().id(),
            loc: op.loc(),
        })
    }

    fn state(&self, cx: &Context) -> OpState {
        let maps = self.maps.map(|map| cx.affine_map_attr(map));
        OpState::of::<ContractionOp<'_>>(self.loc)
            .operands(self.operands)
            .attr(cx, "indexing_maps", cx.array_attr(&maps))
            .attr(cx, "iterator_types", cx.array_attr(&self.iterators))
            .attr(cx, "kind", self.kind)
            .results([self.result])
    }
}

/// A sum of products is a contraction.
fn sum_of_products(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let view = MultiDimReductionOp::wrap(rw.op(op));
    if CombiningKind::from_attr(view.kind()) != Some(CombiningKind::Add) {
        return Err(NoMatch("no sum"));
    }
    let product = view.source().defining_op().filter(|it| it.is::<MulIOp<'_>>() || it.is::<MulFOp<'_>>());
    let product = product.ok_or(NoMatch("not of products"))?;
    let rank = extents(view.source().ty()).len() as u32;
    let reduced: Vec<i64> = view.reduction_dims().dense_ints().collect();
    let is_reduced = |dim: u32| reduced.contains(&i64::from(dim));
    let iterator = |dim| if is_reduced(dim) { IteratorType::Reduction } else { IteratorType::Parallel };
    let all = affine.identity_map(rank);
    let kept: Vec<u32> = (0..rank).filter(|&dim| !is_reduced(dim)).collect();
    let contraction = Contraction {
        operands: [product.operand(0).id(), product.operand(1).id(), view.acc().id()],
        maps: [all, all, affine.multi_dim_map(rank, &kept).ok_or(NoMatch("no dimensions"))?],
        iterators: (0..rank).map(|dim| iterator(dim).attr(cx)).collect(),
        kind: view.kind().id(),
        result: view.dest().ty().id(),
        loc: view.0.loc(),
    };
    if reduced.is_empty() {
        return Err(NoMatch("no reduction"));
    }
    rw.replace_with(op, contraction.state(cx));
    Ok(())
}

/// What is repeated along leading dimensions is not indexed by them.
fn of_broadcasts(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let mut contraction = Contraction::of(rw.op(op))?;
    let reduction = IteratorType::Reduction.attr(cx);
    let mut changed = false;
    for at in 0..2 {
        let Some(broadcast) = rw.value(contraction.operands[at]).def::<BroadcastOp<'_>>() else { continue };
        let (from, to) = (broadcast.source(), extents(broadcast.vector().ty()));
        let added = to.len() - extents(from.ty()).len();
        if !from.ty().is_vector() || added == 0 || extents(from.ty()) != &to[added..] {
            continue;
        }
        let data = affine.map(contraction.maps[at]);
        let is_summed = |i: usize| {
            let dim = affine.dim_position(data.results[i]).map(|dim| contraction.iterators[dim as usize]);
            to[i] != 1 && dim == Some(reduction)
        };
        if (0..added).any(is_summed) {
            continue;
        }
        contraction.maps[at] = affine.intern_map(data.num_dims, 0, data.results[added..].to_vec());
        contraction.operands[at] = from.id();
        changed = true;
    }
    if !changed {
        return Err(NoMatch("no broadcasts that can be left out"));
    }
    let used = affine.used_dims(&contraction.maps);
    let maps = affine.drop_unused_dims(&contraction.maps);
    let kept: Vec<Attr> =
        contraction.iterators.iter().zip(&used).filter(|(_, used)| **used).map(|(it, _)| *it).collect();
    let reduces = |dim: u32| {
        kept[dim as usize] == reduction && maps[..2].iter().all(|&map| affine.map_is_function_of_dim(map, dim))
    };
    if !(0..kept.len() as u32).any(reduces) || affine.used_dims(&maps[..2]).contains(&false) {
        return Err(NoMatch("what is left is no contraction"));
    }
    contraction.iterators = kept;
    contraction.maps = [maps[0], maps[1], maps[2]];
    let root = Root::of(rw.op(op));
    let unused = used.iter().filter(|used| !**used).count();
    let leading = used[..unused].iter().all(|used| !used);
    let mask_type = root.mask.map(|mask| rw.value_type(mask));
    if let Some(mask) = mask_type.filter(|_| unused > 0)
        && !(leading && extents(mask)[..unused].iter().all(|&extent| extent == 1))
    {
        return Err(NoMatch("a mask of dimensions that are not there any more"));
    }
    let mut b = root.build(rw);
    let mask = root.mask.map(|mask| {
        if unused == 0 {
            return mask;
        }
        let (shape, scalable) = kept_dims(b.value_type(mask), |dim| dim >= unused);
        let ty = vector_type(cx, &shape, &scalable, cx.i1_type());
        b.shape_cast(mask, ty)
    });
    let value = masked_value(&mut b, contraction.state(cx), mask);
    rw.replace(root.op, &[value]);
    Ok(())
}

fn permutation(cx: &Context, op: TransposeOp<'_>) -> Option<AffineMap> {
    let order: Option<Vec<u32>> = op.permutation().dense_ints().map(|dim| u32::try_from(dim).ok()).collect();
    cx.affine().permutation_map(&order?)
}

/// What is transposed is indexed in the other order.
fn of_transposes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let mut contraction = Contraction::of(rw.op(op))?;
    let mut changed = false;
    for at in 0..2 {
        let Some(transpose) = rw.value(contraction.operands[at]).def::<TransposeOp<'_>>() else { continue };
        let inverse = permutation(cx, transpose).and_then(|map| affine.inverse_permutation(map));
        let map = inverse.and_then(|inverse| affine.compose(inverse, contraction.maps[at]));
        contraction.maps[at] = map.ok_or(NoMatch("no permutation"))?;
        contraction.operands[at] = transpose.vector().id();
        changed = true;
    }
    if !changed {
        return Err(NoMatch("no operand is transposed"));
    }
    rw.replace_with(op, contraction.state(cx));
    Ok(())
}

/// Where accumulator and result are transposed alike, the contraction does both.
fn transposed_result(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let outer = TransposeOp::wrap(rw.op(op));
    let contract = outer.vector().def::<ContractionOp<'_>>().filter(|it| it.0.result(0).has_one_use());
    let contract = contract.ok_or(NoMatch("no contraction is transposed"))?;
    let inner = contract.acc().def::<TransposeOp<'_>>().ok_or(NoMatch("the accumulator is not transposed"))?;
    let (to_result, to_acc) = permutation(cx, outer).zip(permutation(cx, inner)).ok_or(NoMatch("no permutations"))?;
    if affine.inverse_permutation(to_acc) != Some(to_result) {
        return Err(NoMatch("the accumulator is transposed otherwise"));
    }
    let mut contraction = Contraction::of(contract.0)?;
    contraction.maps[2] = affine.compose(to_result, contraction.maps[2]).ok_or(NoMatch("no map"))?;
    contraction.operands[2] = inner.vector().id();
    contraction.result = outer.result().ty().id();
    rw.replace_with(op, contraction.state(cx));
    Ok(())
}
