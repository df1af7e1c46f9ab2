//! A constant whose dimensions are permuted is a constant.

use dl_ir::affine::AffineStore;
use dl_ir::attributes::DenseData;
use dl_ir::dialect::OpInfo;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::types::row_major_strides;
use dl_ir::{AttrData, AttrRef, OpId, Rewriter};
use dl_linalg::{IteratorType, LinalgOp, LinalgStructured};

/// Adds the pattern that folds transpositions of constants with one use.
pub(super) fn add_patterns(patterns: &mut Patterns) {
    let is_nest = |info: &OpInfo| info.interface::<dyn LinalgStructured>().is_some();
    patterns.add_fn_where("linalg-fold-constant-transpose", is_nest, fold_transpose);
}

fn fold_transpose(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let affine = cx.affine();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let &[from, to] = &nest.indexing_maps()[..] else { return Err(NoMatch("not one input and one init")) };
    let parallel = nest.iterator_types().iter().all(|&iterator| iterator == IteratorType::Parallel);
    if nest.inits().len() != 1 || !has_pure_tensor_semantics(view) || !parallel {
        return Err(NoMatch("not element-wise on tensors"));
    }
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let moves = body.first_op() == body.last_op()
        && body.last_op().is_some_and(|last| last.num_operands() == 1 && last.operand(0) == body.arg(0));
    let input = view.operand(0);
    let (source, result) = (input.ty(), view.result(0).ty());
    let same_element = source.element_type().is_some() && source.element_type() == result.element_type();
    if !moves
        || !same_element
        || !source.has_static_shape()
        || !result.has_static_shape()
        || result.encoding().is_some()
    {
        return Err(NoMatch("something is computed, or an extent is dynamic"));
    }
    let constant = input.constant().filter(|_| input.has_one_use()).ok_or(NoMatch("no constant of this use only"))?;
    let (Some(from), Some(to)) = (positions(affine, from), positions(affine, to)) else {
        return Err(NoMatch("no permutations"));
    };
    // Dimension `i` of the result is the dimension of the source over which the same loop runs.
    let order: Option<Vec<usize>> = to.iter().map(|dim| from.iter().position(|other| other == dim)).collect();
    let data = order.and_then(|order| permuted(constant, source.shape()?, &order)).ok_or(NoMatch("no numbers"))?;
    let (ty, loc) = (result.id(), view.loc());
    let folded = cx.intern_attr(AttrData::DenseElements { ty, data });
    rw.set_insertion_before(op);
    let value = dl_arith::constant(rw, folded, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// The loops that a permutation selects.
fn positions(affine: &AffineStore, map: dl_ir::affine::AffineMap) -> Option<Vec<u32>> {
    affine.result_positions(map).filter(|_| affine.is_permutation(map))
}

/// The elements of a constant of this shape, where dimension `i` of the result is dimension `order[i]`.
fn permuted(constant: AttrRef<'_>, shape: &[i64], order: &[usize]) -> Option<DenseData> {
    let AttrData::DenseElements { data, .. } = constant.data() else { return None };
    if data.is_splat() {
        return Some(data.clone());
    }
    let size = constant.dense_element()?.bytes();
    let strides = row_major_strides(shape);
    let extents: Vec<i64> = order.iter().map(|&dim| shape.get(dim).copied()).collect::<Option<_>>()?;
    let steps: Vec<i64> = order.iter().map(|&dim| strides[dim]).collect();
    let mut bytes = Vec::with_capacity(data.bytes().len());
    let mut index = vec![0; extents.len()];
    let mut at = 0_i64;
    for _ in 0..data.bytes().len() / size.max(1) {
        bytes.extend_from_slice(data.element(usize::try_from(at).ok()?, size));
        for dim in (0..index.len()).rev() {
            index[dim] += 1;
            at += steps[dim];
            if index[dim] < extents[dim] {
                break;
            }
            at -= steps[dim] * extents[dim];
            index[dim] = 0;
        }
    }
    constant.cx().give_back(data);
    Some(DenseData::elements(bytes, size))
}
