//! Values without their dimensions of extent 1, and with them again.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::reassociation::{collapse_state, expand_state};
use dl_ir::types::{StridedLayout, row_major_strides};
use dl_ir::{Attr, DYNAMIC, Loc, OpState, Rewriter, Type, TypeRef, ValueId};
use dl_memref::layout::sliced;
use dl_tensor::build::insert_slice_state;
use dl_tensor::{CollapseShapeOp, ExpandShapeOp};

/// How dimensions are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strategy {
    /// By reshapes.
    Reshape,
    /// By slices whose type has a lower rank.
    Slice,
}

/// A shape without some dimensions of extent 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reduced {
    /// The extents that are left.
    pub(super) shape: Vec<i64>,
    /// For each of them the dimensions that it stands for; none where no extent is left.
    pub(super) groups: Vec<Vec<usize>>,
}

impl Reduced {
    /// `shape` without the dimensions that are `dropped`: each goes with the one before it that stays, or the first one that does.
    pub(super) fn new(shape: &[i64], dropped: impl Fn(usize) -> bool) -> Self {
        let (mut left, mut groups) = (Vec::new(), Vec::<Vec<usize>>::new());
        let mut leading = Vec::new();
        for (dim, &extent) in shape.iter().enumerate() {
            if !dropped(dim) {
                left.push(extent);
                groups.push(std::mem::take(&mut leading));
            }
            groups.last_mut().unwrap_or(&mut leading).push(dim);
        }
        Self { shape: left, groups }
    }
}

/// Whether dimensions of values of this type can be dropped.
pub(super) fn can_reduce(ty: TypeRef<'_>) -> bool {
    if ty.is_ranked_memref() { ty.has_identity_layout() } else { ty.is_ranked_tensor() && ty.encoding().is_none() }
}

fn whole(sizes: Indices) -> Slice {
    let same = |value: i64| sizes.iter().map(|_| Index::Static(value)).collect();
    Slice { offsets: same(0), strides: same(1), sizes }
}

/// `value` without the dimensions that `to` lacks.
pub(super) fn reduce(rw: &mut Rewriter<'_>, value: ValueId, to: &Reduced, strategy: Strategy, loc: Loc) -> ValueId {
    let cx = rw.cx();
    let ty = rw.value_type(value);
    if to.shape.len() == ty.rank().unwrap_or(0) {
        return value;
    }
    let element = ty.element_or_self().id();
    if ty.is_ranked_memref() {
        let space: Option<Attr> = ty.memory_space().map(|space| space.id());
        if strategy == Strategy::Reshape {
            let ty = cx.memref_type_with(&to.shape, element, None, space);
            return rw.create_value(collapse_state::<dl_memref::CollapseShapeOp<'_>>(cx, value, &to.groups, ty, loc));
        }
        let slice = whole(dl_memref::extents(rw, value, loc));
        let part = part_of_buffer(ty, to, &slice, element, space);
        return rw.create_value(dl_memref::subview_state(rw, value, &slice, part, loc));
    }
    let part = cx.tensor_type(&to.shape, element);
    if strategy == Strategy::Reshape {
        return rw.create_value(collapse_state::<CollapseShapeOp<'_>>(cx, value, &to.groups, part, loc));
    }
    let slice = whole(dl_tensor::extents(rw, value, loc));
    rw.create_value(dl_tensor::extract_slice_state(rw, value, &slice, part, loc))
}

/// The type of a slice that is all of a buffer but for dropped dimensions.
fn part_of_buffer(ty: TypeRef<'_>, to: &Reduced, slice: &Slice, element: Type, space: Option<Attr>) -> Type {
    let shape = ty.shape().unwrap_or_default();
    // Its layout is the identity, else it is not reduced.
    let base = StridedLayout { strides: row_major_strides(shape), offset: 0 };
    let mut layout = sliced(&base, slice);
    let kept = to.groups.iter().filter_map(|group| group.iter().find(|&&dim| shape[dim] != 1).or(group.first()));
    layout.strides = kept.map(|&dim| layout.strides[dim]).collect();
    ty.cx().strided_memref_type(&to.shape, element, &layout, space)
}

/// `value`, which lacks dimensions, as a tensor of type `ty`: what is not in `value` is that of `dest`, which has this type.
pub(super) fn restore(
    rw: &mut Rewriter<'_>,
    value: ValueId,
    (dest, ty): (ValueId, Type),
    groups: &[Vec<usize>],
    strategy: Strategy,
    loc: Loc,
) -> OpState {
    let cx = rw.cx();
    if strategy == Strategy::Slice {
        let slice = whole(dl_tensor::extents(rw, dest, loc));
        return insert_slice_state(rw, value, dest, &slice, loc);
    }
    expanded(rw, value, ty, groups, loc, cx)
}

/// The parts of `tensor.expand_shape` of `value` to type `ty`, whose dynamic dimensions are each alone in their groups but for extents of 1.
pub(super) fn expanded(
    rw: &mut Rewriter<'_>,
    value: ValueId,
    ty: Type,
    groups: &[Vec<usize>],
    loc: Loc,
    cx: &dl_ir::Context,
) -> OpState {
    let sizes = dl_tensor::extents(rw, value, loc);
    let mut output: Indices =
        cx.ty(ty).shape().unwrap_or_default().iter().map(|&extent| Index::Static(extent)).collect();
    for (group, &size) in groups.iter().zip(&sizes) {
        for &dim in group {
            if output[dim] == Index::Static(DYNAMIC) {
                output[dim] = size;
            }
        }
    }
    expand_state::<ExpandShapeOp<'_>>(cx, value, groups, &output, ty, loc)
}
