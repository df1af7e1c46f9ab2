//! Tensors packed into tiles, and unpacked.

use dl_ir::dialect::{Folded, folded};
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::mixed;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, AttrRef, DYNAMIC, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId};
use smallvec::SmallVec;

use crate::{FillOp, PackOp, UnPackOp};

/// How a plain tensor is packed: which dimension each outer one is, and which each inner one tiles, by how much.
#[derive(PartialEq, Eq)]
struct Tiling {
    outer: Vec<usize>,
    inner: Vec<(usize, Index)>,
}

impl Tiling {
    fn of(op: OpRef<'_>) -> Option<Self> {
        let (rank, tiles_at) = match op.cast::<PackOp<'_>>() {
            Some(pack) => (pack.source().ty().rank()?, 3),
            None => (UnPackOp(op).dest().ty().rank()?, 2),
        };
        let ints = |name: &str| op.attr(name).map(|attr| attr.dense_ints().collect::<Vec<i64>>()).unwrap_or_default();
        let order = ints("outer_dims_perm");
        let dim = |&dim: &i64| usize::try_from(dim).ok();
        let outer =
            if order.is_empty() { (0..rank).collect() } else { order.iter().map(dim).collect::<Option<_>>()? };
        let tiles = mixed(&ints("static_inner_tiles"), op.operand_group(tiles_at));
        let dims = ints("inner_dims_pos").iter().map(dim).collect::<Option<Vec<usize>>>()?;
        Some(Self { outer, inner: dims.into_iter().zip(tiles).collect() })
    }

    /// The size of the tiles of dimension `dim` of the plain tensor; 1 where it is not tiled.
    fn tile(&self, dim: usize) -> Index {
        self.inner.iter().find(|(tiled, _)| *tiled == dim).map_or(Index::Static(1), |&(_, tile)| tile)
    }

    /// Whether a plain tensor of shape `plain` is known to fill all tiles of a packed one of shape `packed`.
    fn fills(&self, plain: &[i64], packed: &[i64]) -> bool {
        self.outer.iter().zip(packed).all(|(&dim, &count)| {
            let (Some(&extent), Some(tile)) = (plain.get(dim), self.tile(dim).as_static()) else { return false };
            extent != DYNAMIC && count != DYNAMIC && count.checked_mul(tile) == Some(extent)
        })
    }

    /// Whether a plain tensor is known not to fill all tiles.
    fn leaves_gaps(&self, plain: &[i64], packed: &[i64]) -> bool {
        self.outer.iter().zip(packed).any(|(&dim, &count)| {
            let (Some(&extent), Some(tile)) = (plain.get(dim), self.tile(dim).as_static()) else { return false };
            extent != DYNAMIC && count != DYNAMIC && count.checked_mul(tile) != Some(extent)
        })
    }
}

/// A constant with one element in all positions, which is that of the padding too, if there is one.
pub(crate) fn fold_pack(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, result) = (op.cx(), op.result(0).ty());
    let splat = cx.attr((*k.first()?)?).splat_value().filter(|_| result.has_static_shape())?;
    if let Some(padding) = PackOp(op).padding_value()
        && padding.constant() != Some(splat)
    {
        return None;
    }
    cx.splat_attr(result.id(), splat.id()).and_then(folded)
}

/// A constant with one element in all positions.
pub(crate) fn fold_unpack(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, result) = (op.cx(), op.result(0).ty());
    let splat = cx.attr((*k.first()?)?).splat_value().filter(|_| result.has_static_shape())?;
    cx.splat_attr(result.id(), splat.id()).and_then(folded)
}

fn shapes<'r>(plain: dl_ir::ValueRef<'r>, packed: dl_ir::ValueRef<'r>) -> Result<(&'r [i64], &'r [i64]), NoMatch> {
    plain.ty().shape().zip(packed.ty().shape()).ok_or(NoMatch("no rank"))
}

/// Packing what was unpacked the same way, and fills all tiles, gives it back.
fn pack_of_unpack(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let pack = PackOp(rw.op(op));
    let unpack = pack.source().def::<UnPackOp<'_>>().ok_or(NoMatch("the source is not unpacked"))?;
    let (tiling, same) = (Tiling::of(pack.0).ok_or(NoMatch("no tiling"))?, Tiling::of(unpack.0));
    let (plain, packed) = shapes(pack.source(), unpack.source())?;
    // Without padding, tiles that are not full are undefined; with it, they would have been filled.
    let all = tiling.fills(plain, packed) || (pack.padding_value().is_none() && !tiling.leaves_gaps(plain, packed));
    if same.as_ref() != Some(&tiling) || !all || unpack.source().ty() != pack.dest().ty() {
        return Err(NoMatch("in another way, or with gaps"));
    }
    let source = unpack.source().id();
    rw.replace(op, &[source]);
    Ok(())
}

/// Unpacking what was packed the same way gives it back, where it has the same extents.
fn unpack_of_pack(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let unpack = UnPackOp(rw.op(op));
    let pack = unpack.source().def::<PackOp<'_>>().ok_or(NoMatch("the source is not packed"))?;
    let same = Tiling::of(unpack.0).is_some_and(|tiling| Tiling::of(pack.0) == Some(tiling));
    if !same || pack.source().ty() != unpack.dest().ty() || !unpack.dest().ty().has_static_shape() {
        return Err(NoMatch("in another way, or of other extents"));
    }
    let source = pack.source().id();
    rw.replace(op, &[source]);
    Ok(())
}

/// A padding that goes nowhere, as all tiles are full, is not needed.
fn without_padding(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let pack = PackOp(rw.op(op));
    let (plain, packed) = shapes(pack.source(), pack.dest())?;
    let full = Tiling::of(pack.0).is_some_and(|tiling| tiling.fills(plain, packed));
    if pack.padding_value().is_none() || !full {
        return Err(NoMatch("no padding, or some tile needs it"));
    }
    // Source, destination, padding.
    rw.set_operand_group(op, 2, &[]);
    Ok(())
}

/// Extents of the plain tensor, and outer ones of the packed tensor, that are the same: those of dimensions without tiles.
fn untiled_extents(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let is_pack = view.is::<PackOp<'_>>();
    let (source, dest) = (view.operand(0), view.operand(1));
    let (plain, packed) = if is_pack { (source, dest) } else { (dest, source) };
    let tiling = Tiling::of(view).ok_or(NoMatch("no tiling"))?;
    let (old_plain, old_packed) = shapes(plain, packed)?;
    let (mut new_plain, mut new_packed) = (old_plain.to_vec(), old_packed.to_vec());
    for (outer, &dim) in tiling.outer.iter().enumerate() {
        if tiling.inner.iter().any(|(tiled, _)| *tiled == dim) {
            continue;
        }
        let (Some(a), Some(b)) = (new_plain.get_mut(dim), new_packed.get_mut(outer)) else { continue };
        if *a == DYNAMIC {
            *a = *b;
        } else if *b == DYNAMIC {
            *b = *a;
        }
    }
    let with = |ty: dl_ir::TypeRef<'_>, shape: &[i64]| cx.ty(ty.id()).with_shape(shape).ok_or(NoMatch("no rank"));
    let (plain_type, packed_type) = (with(plain.ty(), &new_plain)?, with(packed.ty(), &new_packed)?);
    let (source_type, dest_type) = if is_pack { (plain_type, packed_type) } else { (packed_type, plain_type) };
    if source.ty() == source_type && dest.ty() == dest_type {
        return Err(NoMatch("nothing more is known"));
    }
    let (source, dest, loc, old) = (source.id(), dest.id(), view.loc(), dest.ty().id());
    let cast = |rw: &mut Rewriter<'_>, value: ValueId, ty: Type| {
        if rw.value_type(value).id() == ty {
            return value;
        }
        rw.create_value(OpState::named("tensor.cast", loc).operands([value]).results([ty]))
    };
    let operands = [cast(rw, source, source_type), cast(rw, dest, dest_type)];
    rw.set_operand(op, 0, operands[0]);
    rw.set_operand(op, 1, operands[1]);
    if old != dest_type {
        let result = rw.ir().result(op, 0);
        rw.set_value_type(result, dest_type);
        rw.set_insertion_after(op);
        let back = rw.create(OpState::named("tensor.cast", loc).operands([result]).results([old]));
        let value = rw.ir().result(back, 0);
        rw.replace_uses_if(result, value, |user, _| user.id() != back);
    }
    Ok(())
}

/// What a tensor is filled with before all of it is unpacked into does not matter.
fn unpack_into_filled(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let unpack = UnPackOp(rw.op(op));
    let fill = unpack.dest().def::<FillOp<'_>>().ok_or(NoMatch("the destination is not filled"))?;
    let init = fill.outputs().get(0).filter(|init| init.ty() == unpack.dest().ty());
    let init = init.ok_or(NoMatch("the fill has no init of this type"))?.id();
    rw.set_operand(op, 1, init);
    Ok(())
}

/// Packing, and unpacking, casts that forget is doing so with their sources. A tile size that these know must be a constant.
fn of_casts(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let is_pack = view.is::<PackOp<'_>>();
    let (source, dest) = (super::cast::cast_source(view.operand(0)), super::cast::cast_source(view.operand(1)));
    if source.is_none() && dest.is_none() {
        return Err(NoMatch("no operand is a cast that forgets"));
    }
    let packed = if is_pack { dest } else { source };
    let tiling = Tiling::of(view).ok_or(NoMatch("no tiling"))?;
    let tiles_at = if is_pack { 3 } else { 2 };
    let first_tile = view.operand_group(tiles_at).start();
    let mut tiles: SmallVec<[Index; 4]> = tiling.inner.iter().map(|&(_, tile)| tile).collect();
    if let Some(shape) = packed.and_then(|packed| packed.ty().shape()) {
        let known = &shape[shape.len().saturating_sub(tiles.len())..];
        for (tile, &extent) in tiles.iter_mut().zip(known).filter(|(_, extent)| **extent != DYNAMIC) {
            if let Index::Value(value) = *tile {
                let constant = rw.value(value).constant().and_then(AttrRef::as_int);
                *tile = constant
                    .filter(|&size| size == extent)
                    .map(Index::Static)
                    .ok_or(NoMatch("a tile size is not known"))?;
            }
        }
    }
    let (constants, values) = dl_ir::interfaces::index_list::split(&tiles);
    let mut operands: SmallVec<[ValueId; 6]> =
        view.operands().iter().take(first_tile).map(|value| value.id()).collect();
    for (at, cast) in [source, dest].into_iter().enumerate() {
        if let Some(cast) = cast {
            operands[at] = cast.id();
        }
    }
    let count = i32::try_from(values.len()).unwrap_or(i32::MAX);
    let padding = i32::from(is_pack && PackOp(view).padding_value().is_some());
    operands.extend(values);
    let (new, old, loc) = (dest.map(|dest| dest.ty().id()), view.result(0).ty().id(), view.loc());
    rw.set_operands(op, &operands);
    rw.set_attr(op, cx.ident("static_inner_tiles"), cx.dense_i64_array(&constants));
    if is_pack {
        rw.set_attr(op, cx.ident("operandSegmentSizes"), cx.dense_i32_array(&[1, 1, padding, count]));
    }
    if let Some(new) = new.filter(|&new| new != old) {
        let result = rw.ir().result(op, 0);
        rw.set_value_type(result, new);
        rw.set_insertion_after(op);
        let back = rw.create(OpState::named("tensor.cast", loc).operands([result]).results([old]));
        let value = rw.ir().result(back, 0);
        rw.replace_uses_if(result, value, |user, _| user.id() != back);
    }
    Ok(())
}

/// The leading part of what is unpacked is unpacked alone, where it still needs all tiles.
fn slice_of_unpack(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let unpack = view.operand(0).def::<UnPackOp<'_>>().filter(|unpack| unpack.result().has_one_use());
    let unpack = unpack.ok_or(NoMatch("the source is not unpacked for this alone"))?;
    let slice = dl_ir::interfaces::offset_size_stride::Slice::of(view).ok_or(NoMatch("no slice"))?;
    let (from, to) = (unpack.result().ty(), view.result(0).ty());
    if !slice.has_zero_offsets() || !slice.has_unit_strides() || from.rank() != to.rank() || !to.has_static_shape() {
        return Err(NoMatch("no leading part of known extents"));
    }
    let tiling = Tiling::of(unpack.0).ok_or(NoMatch("no tiling"))?;
    let (plain, packed) = (to.shape().unwrap_or(&[]), unpack.source().ty().shape().unwrap_or(&[]));
    // As many tiles as before: the last one is needed in part at least.
    let all_tiles = tiling.outer.iter().zip(packed).all(|(&dim, &count)| {
        let (Some(&extent), Some(tile)) = (plain.get(dim), tiling.tile(dim).as_static()) else { return false };
        count != DYNAMIC
            && tile > 0
            && extent <= count.saturating_mul(tile)
            && extent > (count - 1).saturating_mul(tile)
    });
    if !all_tiles {
        return Err(NoMatch("tiles are left over"));
    }
    let dest = unpack.dest().id();
    let operands: SmallVec<[ValueId; 6]> = view.operands().iter().skip(1).map(|value| value.id()).collect();
    let attrs: Vec<_> = view.attrs().map(|(name, value)| (name, value.id())).collect();
    let (name, loc, ty) = (view.name_id(), view.loc(), to.id());
    let unpack_operands: SmallVec<[ValueId; 6]> = unpack.0.operands().ids().into_iter().collect();
    let unpack_attrs: Vec<_> = unpack.0.attrs().map(|(name, value)| (name, value.id())).collect();
    let unpack_loc = unpack.0.loc();
    let state = OpState::new(name, loc).operands([dest]).operands(operands).attrs(attrs).results([ty]);
    let part = rw.create_value(state);
    let with_part = unpack_operands.into_iter().enumerate().map(|(at, value)| if at == 1 { part } else { value });
    let state = OpState::of::<UnPackOp<'_>>(unpack_loc).operands(with_part).attrs(unpack_attrs).results([ty]);
    rw.replace_with(op, state);
    Ok(())
}

pub(crate) fn pack(patterns: &mut Patterns) {
    let root = Some(PackOp::NAME);
    patterns
        .add_fn("linalg-pack-of-unpack", root, pack_of_unpack)
        .add_fn("linalg-pack-without-padding", root, without_padding)
        .add_fn("linalg-relayout-of-casts", root, of_casts)
        .add_fn("linalg-untiled-extents", root, untiled_extents);
}

pub(crate) fn unpack(patterns: &mut Patterns) {
    let root = Some(UnPackOp::NAME);
    patterns
        .add_fn("linalg-unpack-of-pack", root, unpack_of_pack)
        .add_fn("linalg-slice-of-unpack", Some("tensor.extract_slice"), slice_of_unpack)
        .add_fn("linalg-unpack-into-filled", root, unpack_into_filled)
        .add_fn("linalg-relayout-of-casts", root, of_casts)
        .add_fn("linalg-untiled-extents", root, untiled_extents);
}
