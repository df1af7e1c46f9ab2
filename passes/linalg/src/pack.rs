//! Packed layouts: a tensor in tiles, which are dimensions of their own, after those that count the tiles.

use dl_affine::apply::folded_apply;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, split};
use dl_ir::{Attr, DYNAMIC, Loc, OpId, OpState, Rewriter, Type, ValueId};
use dl_linalg::{PackOp, UnPackOp};
use dl_tensor::build::empty;

/// How a tensor is packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packing {
    /// For each dimension of the tiles the dimension of the tensor that it is a part of.
    pub inner_dims: Vec<usize>,
    /// The extent of each dimension of the tiles.
    pub tiles: Indices,
    /// The order of the dimensions that count tiles, where it is told.
    pub outer_perm: Option<Vec<usize>>,
}

impl Packing {
    /// Whether tiles may reach over the end of a tensor of this shape.
    pub fn needs_padding(&self, shape: &[i64]) -> bool {
        shape.contains(&DYNAMIC)
            || self.inner_dims.iter().zip(&self.tiles).any(|(&dim, tile)| {
                tile.as_static().is_none_or(|tile| tile <= 0 || shape.get(dim).is_none_or(|extent| extent % tile != 0))
            })
    }

    /// The attributes and operands that packing and unpacking share.
    fn state(&self, rw: &Rewriter<'_>, state: OpState, before: &[usize]) -> OpState {
        let cx = rw.cx();
        let list = |dims: &[usize]| cx.dense_i64_array(&dims.iter().map(|&dim| dim as i64).collect::<Vec<_>>());
        let (known, values) = split(&self.tiles);
        let segments: Option<Vec<usize>> = (!before.is_empty()).then(|| [before, &[values.len()]].concat());
        let outer: Option<Attr> = self.outer_perm.as_ref().map(|perm| list(perm));
        let state = state
            .operands(values)
            .maybe_attr(cx, "outer_dims_perm", outer)
            .attr(cx, "inner_dims_pos", list(&self.inner_dims))
            .attr(cx, "static_inner_tiles", cx.dense_i64_array(&known));
        match segments {
            Some(segments) => state.operand_segments(cx, &segments),
            None => state,
        }
    }
}

/// `linalg.pack` of `source` into a new tensor, padded with zeros where tiles may reach over the end. `anchor` is an operation at the insertion
/// point. `None` where an extent overflows, or there is no zero.
pub fn pack(rw: &mut Rewriter<'_>, anchor: OpId, source: ValueId, packing: &Packing, loc: Loc) -> Option<ValueId> {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let ty = rw.value_type(source);
    let (shape, element) = (ty.shape()?.to_vec(), ty.element_or_self().id());
    let zero = cx.zero_attr(element);
    let padded = packing.needs_padding(&shape);
    if padded && zero.is_none() {
        return None;
    }
    let mut outer = dl_tensor::extents(rw, source, loc);
    let count = affine.ceildiv(affine.dim(0), affine.dim(1));
    for (&dim, &tile) in packing.inner_dims.iter().zip(&packing.tiles) {
        outer[dim] = match (outer[dim], tile) {
            (extent, Index::Static(tile)) => {
                folded_apply(rw, anchor, affine.ceildiv(affine.dim(0), affine.constant(tile)), &[extent], loc)?
            }
            (extent, tile) => folded_apply(rw, anchor, count, &[extent, tile], loc)?,
        };
    }
    let mut sizes: Indices = match &packing.outer_perm {
        Some(perm) => perm.iter().map(|&dim| outer[dim]).collect(),
        None => outer,
    };
    sizes.extend_from_slice(&packing.tiles);
    let dest = empty(rw, &sizes, element, loc);
    let mut state = OpState::of::<PackOp<'_>>(loc).operands([source, dest]);
    let padding = zero.filter(|_| padded).map(|zero| dl_arith::constant(rw, zero, loc));
    state = state.operands(padding);
    let result: Type = rw.value_type(dest).id();
    let state = packing.state(rw, state, &[1, 1, usize::from(padding.is_some())]).results([result]);
    Some(rw.create_value(state))
}

/// `linalg.unpack` of `source` into `dest`.
pub fn unpack(rw: &mut Rewriter<'_>, source: ValueId, dest: ValueId, packing: &Packing, loc: Loc) -> ValueId {
    let ty = rw.value_type(dest).id();
    let state = OpState::of::<UnPackOp<'_>>(loc).operands([source, dest]);
    let state = packing.state(rw, state, &[]).results([ty]);
    rw.create_value(state)
}
