//! `linalg-propagate-packs`: packed layouts spread over element-wise loop nests, until what packs meets what unpacks and both go.
//!
//! With `p` a packing that fills its tiles and `f` a nest whose loops are all parallel:
//!
//! * `p(f(x, y))` becomes `f'(p(x), p(y))`, if nothing else uses the nest;
//! * `f(p⁻¹(x), y)` becomes `p⁻¹(f'(x, p(y)))`;
//! * `p(p⁻¹(x))` is `x`, by canonicalization.
//!
//! `f'` has the loops over tiles, in the order of the packed dimensions, then those within tiles. Each point is computed once, as before, so the body
//! may be any that does not ask for the numbers of loops. What has fewer dimensions is packed along those it has.

use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::{Index, has_pure_tensor_semantics};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpRef, Rewriter, ValueId};
use dl_linalg::{GenericOp, IndexOp, IteratorType, LinalgOp, PackOp, UnPackOp};
use dl_tensor::build::empty;

use crate::generic::Generic;
use crate::pack::{Packing, pack, unpack};

/// Moves packing up and unpacking down.
#[derive(Clone, Copy, Default)]
pub struct PropagatePacks;

impl Pass for PropagatePacks {
    const INFO: PassInfo = PassInfo::new(
        "linalg-propagate-packs",
        "Move linalg.pack up and linalg.unpack down through element-wise nests",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns
            .add_fn("linalg-move-pack-up", Some(PackOp::NAME), move_pack_up)
            .add_fn("linalg-move-unpack-down", Some(GenericOp::NAME), move_unpack_down)
            .add_canonicalization(cx.ctx, PackOp::NAME)
            .add_canonicalization(cx.ctx, UnPackOp::NAME);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// The packing of `linalg.pack` or `linalg.unpack` of a plain tensor of this shape, if it fills all tiles and their sizes are known.
fn filling(op: OpRef<'_>, plain: &[i64]) -> Option<Packing> {
    let ints = |name: &str| -> Vec<i64> { op.attr(name).map(|attr| attr.dense_ints().collect()).unwrap_or_default() };
    let dims = |name: &str| ints(name).into_iter().map(usize::try_from).collect::<Result<Vec<usize>, _>>().ok();
    let tiles = mixed(&ints("static_inner_tiles"), op.operand_group(if op.is::<PackOp<'_>>() { 3 } else { 2 }));
    let outer = dims("outer_dims_perm")?;
    let outer_perm = (!outer.is_empty()).then_some(outer);
    let packing = Packing { inner_dims: dims("inner_dims_pos")?, tiles, outer_perm };
    (!packing.needs_padding(plain)).then_some(packing)
}

/// An element-wise nest of one result, whose loops are its dimensions.
fn elementwise(op: OpRef<'_>) -> Result<Generic, NoMatch> {
    let nest = LinalgOp::of(op).ok_or(NoMatch("no nest"))?;
    let generic = Generic::of(op).ok_or(NoMatch("not general"))?;
    if !has_pure_tensor_semantics(op) || generic.results.len() != 1 {
        return Err(NoMatch("not one tensor"));
    }
    if nest.iterator_types().iter().any(|&iterator| iterator != IteratorType::Parallel) {
        return Err(NoMatch("a reduction"));
    }
    let affine = op.cx().affine();
    let identity = affine.minor_identity_map(nest.num_loops() as u32, nest.num_loops() as u32);
    if generic.maps.last() != Some(&identity) {
        return Err(NoMatch("the result is not in the order of the loops"));
    }
    if generic.maps.iter().any(|&map| affine.result_positions(map).is_none()) {
        return Err(NoMatch("maps that are no projections"));
    }
    if dl_ir::walk::pre_order(op).any(|inner| inner.is::<IndexOp<'_>>()) {
        return Err(NoMatch("the body asks for the numbers of loops"));
    }
    Ok(generic)
}

/// The nest over packed operands, made before `op`, and its result. `known` is an operand, by number, that is packed already.
fn packed(
    rw: &mut Rewriter<'_>,
    op: OpId,
    old: &Generic,
    packing: &Packing,
    known: Option<(usize, ValueId)>,
) -> Result<ValueId, NoMatch> {
    let (cx, loc) = (rw.cx(), old.loc);
    let affine = cx.affine();
    let loops = cx.ty(old.results[0]).rank().ok_or(NoMatch("no rank"))?;
    let all = (loops + packing.tiles.len()) as u32;
    let order = packing.outer_perm.clone().unwrap_or_else(|| (0..loops).collect());
    let new_loop = |old: u32| order.iter().position(|&dim| dim == old as usize).unwrap_or_default() as u32;
    let identity = affine.minor_identity_map(all, all);
    let region = rw.op(op).region(0).id();
    let overwrites =
        rw.op(op).region(0).entry().and_then(|body| body.args().last()).is_some_and(|arg| arg.uses().next().is_none());
    let init = old.inputs.len();
    let mut new =
        Generic { loc, inputs: Vec::new(), inits: Vec::new(), maps: Vec::new(), iterators: None, results: Vec::new() };
    let operands: Vec<ValueId> = old.inputs.iter().chain(&old.inits).copied().collect();
    for (at, (&value, &map)) in operands.iter().zip(&old.maps).enumerate() {
        let positions = affine.result_positions(map).ok_or(NoMatch("maps that are no projections"))?;
        let plain = positions.iter().copied().eq(0..loops as u32);
        let mut own = Packing { inner_dims: Vec::new(), tiles: Indices::new(), outer_perm: None };
        let mut dims: Vec<u32> = positions.iter().map(|&dim| new_loop(dim)).collect();
        for (number, (&dim, &tile)) in packing.inner_dims.iter().zip(&packing.tiles).enumerate() {
            if let Some(within) = positions.iter().position(|&position| position as usize == dim) {
                own.inner_dims.push(within);
                own.tiles.push(tile);
                dims.push((loops + number) as u32);
            }
        }
        let (value, map) = match known {
            Some((known, value)) if known == at => (value, Some(identity)),
            _ if at == init && overwrites => (packed_empty(rw, value, packing, loc)?, Some(identity)),
            _ if own.tiles.is_empty() => (value, affine.multi_dim_map(all, &dims)),
            _ if plain => (pack(rw, op, value, packing, loc).ok_or(NoMatch("an extent overflows"))?, Some(identity)),
            _ => {
                let value = pack(rw, op, value, &own, loc).ok_or(NoMatch("an extent overflows"))?;
                (value, affine.multi_dim_map(all, &dims))
            }
        };
        new.maps.push(map.ok_or(NoMatch("maps that are no projections"))?);
        if at < init {
            new.inputs.push(value);
        } else {
            new.inits.push(value);
            new.results.push(rw.value_type(value).id());
        }
    }
    let parallel: Vec<Attr> = (0..all).map(|_| IteratorType::Parallel.attr(cx)).collect();
    new.iterators = Some(cx.array_attr(&parallel));
    let nest = new.create_with_body_of(rw, region);
    Ok(rw.ir().result(nest, 0))
}

/// An empty tensor of the packed type of `value`, whose extents are known.
fn packed_empty(rw: &mut Rewriter<'_>, value: ValueId, packing: &Packing, loc: dl_ir::Loc) -> Result<ValueId, NoMatch> {
    let ty = rw.value_type(value);
    let (mut shape, element) = (ty.shape().ok_or(NoMatch("no rank"))?.to_vec(), ty.element_or_self().id());
    for (&dim, tile) in packing.inner_dims.iter().zip(&packing.tiles) {
        shape[dim] /= tile.as_static().ok_or(NoMatch("a tile that is not known"))?;
    }
    let outer: Vec<i64> = match &packing.outer_perm {
        Some(perm) => perm.iter().map(|&dim| shape[dim]).collect(),
        None => shape,
    };
    let mut sizes: Indices = outer.into_iter().map(Index::Static).collect();
    sizes.extend_from_slice(&packing.tiles);
    Ok(empty(rw, &sizes, element, loc))
}

/// `p(f(x, y))` becomes `f'(p(x), p(y))`.
fn move_pack_up(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let source = view.operand(0);
    let nest = source.defining_op().ok_or(NoMatch("not computed"))?;
    let old = elementwise(nest)?;
    if !source.has_one_use() {
        return Err(NoMatch("something else uses it unpacked"));
    }
    let packing = filling(view, source.ty().shape().unwrap_or_default()).ok_or(NoMatch("tiles reach over the end"))?;
    let nest = nest.id();
    rw.set_insertion_before(nest);
    let result = packed(rw, nest, &old, &packing, None)?;
    rw.replace(op, &[result]);
    rw.erase(nest);
    Ok(())
}

/// `f(p⁻¹(x), y)` becomes `p⁻¹(f'(x, p(y)))`.
fn move_unpack_down(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let old = elementwise(view)?;
    let identity = old.maps.last().copied();
    let unpacked = old.inputs.iter().zip(&old.maps).enumerate().find_map(|(at, (_, &map))| {
        let unpack = view.operand(at).defining_op().filter(|def| def.is::<UnPackOp<'_>>())?;
        let shape = view.operand(at).ty().shape()?;
        let packing = filling(unpack, shape).filter(|_| Some(map) == identity)?;
        Some((at, unpack.operand(0).id(), packing))
    });
    let (at, source, packing) = unpacked.ok_or(NoMatch("nothing is unpacked"))?;
    let (init, loc) = (old.inits[0], old.loc);
    rw.set_insertion_before(op);
    let result = packed(rw, op, &old, &packing, Some((at, source)))?;
    rw.set_insertion_before(op);
    let plain = unpack(rw, result, init, &packing, loc);
    rw.replace(op, &[plain]);
    Ok(())
}
