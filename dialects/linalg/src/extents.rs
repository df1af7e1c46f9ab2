//! Extents of operands of loop nests, and of results in terms of those of the inputs.

use dl_affine::apply::folded_apply;
use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::{Index, ReifyRankedShapedType};
use dl_ir::{DYNAMIC, DialectBuilder, Loc, OpId, Rewriter, ValueId};

use crate::structured::rank;
use crate::{LinalgOp, PackOp, SoftmaxOp, UnPackOp};

/// Dimension `dim` of a ranked tensor or memref: a constant where its type knows, else made at the insertion point, or what that
/// folds to.
///
/// # Panics
/// When it has no such dimension.
pub fn extent(rw: &mut Rewriter<'_>, value: ValueId, dim: usize, loc: Loc) -> Index {
    if rw.value_type(value).is_memref() {
        dl_memref::extent(rw, value, dim, loc)
    } else {
        dl_tensor::extent(rw, value, dim, loc)
    }
}

/// The extents of all operands of a loop nest, one after the other: what `loops_to_shapes` maps the extents of the loops to.
pub fn operand_extents(rw: &mut Rewriter<'_>, op: OpId, loc: Loc) -> Vec<Index> {
    let operands: Vec<(ValueId, usize)> = rw.op(op).operands().iter().map(|v| (v.id(), rank(v.ty()))).collect();
    let dims = operands.into_iter().flat_map(|(value, rank)| (0..rank).map(move |dim| (value, dim)));
    dims.map(|(value, dim)| extent(rw, value, dim, loc)).collect()
}

/// Extents of results as the indexing maps have it: each loop runs over the first dimension of an operand that is just that loop.
pub(crate) struct Nest;

impl ReifyRankedShapedType for Nest {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let cx = rw.cx();
        let affine = cx.affine();
        let view = rw.op(op);
        let (nest, loc) = (LinalgOp::of(view)?, view.loc());
        let maps = nest.indexing_maps();
        let shapes_of_loops = shapes_of_loops(nest)?;
        let num_inputs = nest.inits().start();
        let first_output =
            maps.get(..num_inputs)?.iter().map(|&map| affine.map(map).results.len()).sum::<usize>() as u32;
        let inits: Vec<(ValueId, Vec<AffineExpr>)> = nest
            .inits()
            .iter()
            .zip(maps.get(num_inputs..)?)
            .map(|(init, &map)| {
                let exprs = affine.map(map).results.iter();
                (init.id(), exprs.map(|&expr| affine.replace_in_expr(expr, &shapes_of_loops, &[])).collect())
            })
            .collect();
        let extents = operand_extents(rw, op, loc);
        let mut result = Vec::new();
        for (init, exprs) in inits {
            let shape = rw.value_type(init).shape()?.to_vec();
            let mut list = Indices::new();
            for (dim, (known, expr)) in shape.into_iter().zip(exprs).enumerate() {
                let of_output = (first_output..extents.len() as u32).any(|i| affine.is_function_of_dim(expr, i));
                list.push(match known {
                    DYNAMIC if of_output => extent(rw, init, dim, loc),
                    DYNAMIC => folded_apply(rw, op, expr, &extents, loc)?,
                    known => Index::Static(known),
                });
            }
            result.push(list);
        }
        Some(result)
    }
}

/// For each loop the extent of an operand that is its own, as a dimension among [`operand_extents`]. `None` when a loop is no dimension
/// of an operand.
fn shapes_of_loops(nest: LinalgOp<'_>) -> Option<Vec<AffineExpr>> {
    let affine = nest.op().cx().affine();
    let starts: Vec<u32> = nest
        .op()
        .operands()
        .iter()
        .scan(0, |next, operand| {
            let start = *next;
            *next += rank(operand.ty()) as u32;
            Some(start)
        })
        .collect();
    let found = nest.loops_to_dims().into_iter();
    found.map(|found| found.map(|(operand, dim)| affine.dim(starts[operand] + dim as u32))).collect()
}

/// The result is as large as this operand.
struct LikeOperand(usize);

impl ReifyRankedShapedType for LikeOperand {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let (tensor, loc) = (rw.op(op).operand(self.0).id(), rw.op(op).loc());
        let rank = rw.value_type(tensor).shape()?.len();
        Some(vec![(0..rank).map(|dim| extent(rw, tensor, dim, loc)).collect()])
    }
}

pub(crate) fn register(b: &mut DialectBuilder) {
    let like = |operand| -> Box<dyn ReifyRankedShapedType> { Box::new(LikeOperand(operand)) };
    b.on::<PackOp<'_>>().interface::<dyn ReifyRankedShapedType>(like(1));
    b.on::<UnPackOp<'_>>().interface::<dyn ReifyRankedShapedType>(like(1));
    b.on::<SoftmaxOp<'_>>().interface::<dyn ReifyRankedShapedType>(like(0));
}
