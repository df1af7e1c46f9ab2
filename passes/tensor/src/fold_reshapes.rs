//! `tensor-fold-reshapes-into-slices`: reshapes that add or drop dimensions of extent 1 become part of the slice beside them.
//!
//! A slice may leave out such dimensions by itself. So a reshape of what is taken, or of what is inserted, is not needed where it does that, or
//! undoes it.

use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, Rewriter, TypeRef};
use dl_tensor::{
    CollapseShapeOp, ExpandShapeOp, ExtractSliceOp, InsertSliceOp, ParallelInsertSliceOp, dropped_dims,
    extract_slice_state,
};

/// Makes reshapes by dimensions of extent 1 part of slices.
#[derive(Clone, Copy, Default)]
pub struct FoldReshapesIntoSlices;

impl Pass for FoldReshapesIntoSlices {
    const INFO: PassInfo = PassInfo::new(
        "tensor-fold-reshapes-into-slices",
        "Make reshapes that add or drop dimensions of extent 1 part of slices",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        add_patterns(&mut patterns);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Adds the patterns.
pub(crate) fn add_patterns(patterns: &mut Patterns) {
    patterns
        .add_fn("tensor-expand-of-slice", Some(ExpandShapeOp::NAME), expand_of_slice)
        .add_fn("tensor-collapse-of-slice", Some(CollapseShapeOp::NAME), collapse_of_slice)
        .add_fn("tensor-insert-of-reshaped", Some(InsertSliceOp::NAME), insert_of_reshaped)
        .add_fn("tensor-insert-of-reshaped", Some(ParallelInsertSliceOp::NAME), insert_of_reshaped);
}

/// The extents of a slice, no dimension left out.
fn extents(slice: &Slice) -> Vec<i64> {
    slice.sizes.iter().map(|size| size.extent()).collect()
}

/// Whether the type has all dimensions of the slice.
fn is_whole(slice: &Slice, ty: TypeRef<'_>) -> bool {
    ty.shape().is_some_and(|shape| shape == extents(slice)) && ty.encoding().is_none()
}

/// Whether `shape` is `larger` with some dimensions of extent 1 left out, so that nothing else can be meant: no extent is both unknown and
/// beside another that is.
fn drops_units_only(larger: &[i64], shape: &[i64]) -> bool {
    let rest = |shape: &[i64]| shape.iter().copied().filter(|&extent| extent != 1).collect::<Vec<i64>>();
    rest(larger) == rest(shape)
}

/// The slice that the source of a reshape is.
fn slice_of<'a>(op: OpRef<'a>) -> Result<(ExtractSliceOp<'a>, Slice), NoMatch> {
    let extract = op.operand(0).def::<ExtractSliceOp<'a>>().ok_or(NoMatch("not of a slice"))?;
    let slice = Slice::of(extract.0).ok_or(NoMatch("no slice"))?;
    Ok((extract, slice))
}

/// A slice whose left out dimensions come back is taken with them.
fn expand_of_slice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (extract, slice) = slice_of(view)?;
    let ty = view.result(0).ty();
    if !is_whole(&slice, ty) {
        return Err(NoMatch("the dimensions are not those of the slice"));
    }
    let (source, ty, loc) = (extract.source().id(), ty.id(), view.loc());
    let state = extract_slice_state(rw, source, &slice, ty, loc);
    rw.replace_with(op, state);
    Ok(())
}

/// A slice that loses dimensions of extent 1 is taken without them.
fn collapse_of_slice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (extract, slice) = slice_of(view)?;
    let (from, ty) = (view.operand(0).ty(), view.result(0).ty());
    let (Some(old), Some(new)) = (from.shape(), ty.shape()) else { return Err(NoMatch("no rank")) };
    if !extract.result().has_one_use() || ty.encoding().is_some() {
        return Err(NoMatch("something else reads the slice"));
    }
    if !drops_units_only(old, new) || dropped_dims(&extents(&slice), new).is_none() {
        return Err(NoMatch("dimensions are merged"));
    }
    let (source, ty, loc) = (extract.source().id(), ty.id(), view.loc());
    let state = extract_slice_state(rw, source, &slice, ty, loc);
    rw.replace_with(op, state);
    Ok(())
}

/// What is reshaped only to be inserted is inserted as it was.
fn insert_of_reshaped(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
    let reshape = view.operand(0).defining_op().ok_or(NoMatch("not reshaped"))?;
    let source = reshape.operands().get(0).ok_or(NoMatch("not reshaped"))?;
    let (Some(before), Some(after)) = (source.ty().shape(), view.operand(0).ty().shape()) else {
        return Err(NoMatch("no rank"));
    };
    let fits = if reshape.is::<CollapseShapeOp<'_>>() {
        is_whole(&slice, source.ty())
    } else if reshape.is::<ExpandShapeOp<'_>>() {
        drops_units_only(after, before) && dropped_dims(&extents(&slice), before).is_some()
    } else {
        false
    };
    if !fits || source.ty().encoding().is_some() {
        return Err(NoMatch("reshaped otherwise"));
    }
    let source = source.id();
    rw.set_operand(op, 0, source);
    Ok(())
}
