//! Loop nests in loops over tiles: `transform.structured.tile_using_for`, `tile_using_forall` and `fuse`.

use dl_ir::interfaces::{Index, Tiling};
use dl_ir::{Attr, AttrRef, DYNAMIC, DialectBuilder, OpRef, OpState, OpView, Operands, Rewriter};
use dl_passes_schedules::{Entity, Failure, Interpreter, Outcome, PayloadOp, Results, Transformation};
use dl_transform::types::is_param;
use dl_transform::{FuseOp, TileUsingForOp, TileUsingForallOp};
use dl_vector::VectorScaleOp;

use crate::tiling::{LoopType, Tiled, Tiles, fuse_producers, tile_by};

pub(super) fn attach(builder: &mut DialectBuilder) {
    builder.on::<TileUsingForOp<'_>>().interface::<dyn Transformation>(Box::new(UsingFor));
    builder.on::<TileUsingForallOp<'_>>().interface::<dyn Transformation>(Box::new(UsingForall));
    builder.on::<FuseOp<'_>>().interface::<dyn Transformation>(Box::new(Fuse));
}

/// The sizes that an operation of a schedule names, for one operation of the payload.
#[derive(Clone, Copy)]
struct Size {
    size: Index,
    /// Whether it is a multiple of what one vector register holds.
    scalable: bool,
}

/// The sizes in the attribute `known`, with `operands` for those that are not known there: for each target a list.
fn sizes<'s>(
    op: OpRef<'s>,
    known: AttrRef<'s>,
    operands: Operands<'s>,
    targets: &[PayloadOp],
    run: &Interpreter<'s, '_>,
) -> Result<Vec<Vec<Index>>, Failure> {
    let mut dynamic = Vec::new();
    for operand in operands.iter() {
        let entities = run.entities(operand);
        if entities.len() != targets.len() {
            let what = match entities.first() {
                Some(Entity::Param(_)) => "parameter values",
                _ => "dynamic size-producing operations",
            };
            let message = format!("expected as many {what} ({}) as target ops ({})", entities.len(), targets.len());
            return Err(Failure::silenceable(op, message).note(operand.loc(), "for this handle"));
        }
        let list = entities.iter().zip(targets).map(|(&entity, &target)| index_of(op, entity, target, run));
        let list: Vec<Index> = list.collect::<Result<_, _>>()?;
        dynamic.push(list);
    }
    let known: Vec<i64> = known.dense_ints().collect();
    let list = |target: usize| {
        let mut dynamic = dynamic.iter().map(|list| list[target]);
        let size = |&size: &i64| if size == DYNAMIC { dynamic.next() } else { Some(Index::Static(size)) };
        known.iter().filter_map(size).collect()
    };
    Ok((0..targets.len()).map(list).collect())
}

/// A size of `target` that a handle stands for: a parameter, or the result of an operation.
fn index_of<'s>(op: OpRef<'s>, entity: Entity, target: PayloadOp, run: &Interpreter<'s, '_>) -> Result<Index, Failure> {
    let is_elsewhere = match entity {
        Entity::Param(_) => false,
        Entity::Value(value) => value.arena != target.arena,
        Entity::Op(producer) => producer.arena != target.arena,
    };
    if is_elsewhere {
        let error = Failure::silenceable(op, "expected sizes from the function of the target");
        return Err(error.note(run.op(target).loc(), "target op"));
    }
    match entity {
        Entity::Param(param) => {
            let size = run.cx().attr(param).as_int().map(Index::Static);
            size.ok_or_else(|| {
                Failure::definite(op, "expected the parameter to be associated with an integer attribute")
            })
        }
        Entity::Value(value) => Ok(Index::Value(value.id)),
        Entity::Op(producer) => {
            let view = run.op(producer);
            let result =
                view.results().iter().next().filter(|result| view.num_results() == 1 && result.ty().is_index());
            result.map(|result| Index::Value(result.id())).ok_or_else(|| {
                let message = "expected sizes to be produced by ops with a single index-type result";
                Failure::silenceable(op, message).note(view.loc(), "size producer op")
            })
        }
    }
}

/// All that one handle stands for, as sizes.
fn packed_sizes<'s>(
    op: OpRef<'s>,
    handle: dl_ir::ValueRef<'s>,
    target: PayloadOp,
    run: &Interpreter<'s, '_>,
) -> Result<Vec<Index>, Failure> {
    run.entities(handle).iter().map(|&entity| index_of(op, entity, target, run)).collect()
}

/// How many loops `target` has, if it can be tiled.
fn num_loops<'s>(op: OpRef<'s>, target: PayloadOp, run: &Interpreter<'s, '_>) -> Result<usize, Failure> {
    let view = run.op(target);
    let tiling = view.interface::<dyn Tiling>().ok_or_else(|| {
        let message = "only ops implementing TilingInterface are supported";
        Failure::silenceable(op, message).note(view.loc(), "target op")
    })?;
    Ok(tiling.loops(view).len())
}

fn check_count(op: OpRef<'_>, view: OpRef<'_>, has: usize, most: usize) -> Outcome {
    if has <= most {
        return Ok(());
    }
    let message = format!("too many tiles provided, expected at most {most} found {has}");
    Err(Failure::silenceable(op, message).note(view.loc(), "target op"))
}

/// A permutation of all loops, of which `named` are the first ones.
fn order(op: OpRef<'_>, named: &[i64], loops: usize) -> Result<Option<Vec<usize>>, Failure> {
    if named.is_empty() {
        return Ok(None);
    }
    let mut order: Vec<usize> = Vec::with_capacity(loops);
    for at in named.iter().copied().map(usize::try_from) {
        match at {
            Ok(at) if at < loops && !order.contains(&at) => order.push(at),
            _ => {
                let message = "invalid interchange vector, not a permutation of the entire iteration space";
                return Err(Failure::definite(op, message));
            }
        }
    }
    order.extend((named.len()..loops).filter(|at| !order.contains(at)).collect::<Vec<_>>());
    Ok((order.len() == loops).then_some(order))
}

/// Sizes with those that are scalable multiplied by `vector.vscale`, before `target`.
fn scaled(rw: &mut Rewriter<'_>, target: PayloadOp, sizes: &[Size]) -> Vec<Index> {
    let loc = rw.op(target.id).loc();
    rw.set_insertion_before(target.id);
    let index = rw.cx().index_type();
    let scale = |rw: &mut Rewriter<'_>, size: Size| match size {
        Size { size: Index::Static(size), scalable: true } if size != 0 => {
            let factor = dl_arith::constant_index(rw, size, loc);
            let vscale = rw.create_value(OpState::of::<VectorScaleOp<'_>>(loc).results([index]));
            let state = OpState::of::<dl_arith::MulIOp<'_>>(loc).operands([factor, vscale]).results([index]);
            Index::Value(rw.create_value(state))
        }
        Size { size, .. } => size,
    };
    sizes.iter().map(|&size| scale(rw, size)).collect()
}

/// Tiles `target`; fuses producers where `fuses` says so. Nothing is tiled where all sizes are 0.
fn tile_one<'s>(
    op: OpRef<'s>,
    target: PayloadOp,
    sizes: &[Size],
    tiles: Tiles,
    fuses: bool,
    run: &mut Interpreter<'s, '_>,
) -> Result<(PayloadOp, Vec<PayloadOp>), Failure> {
    run.check_live(op, target)?;
    if sizes.iter().all(|size| size.size == Index::Static(0)) {
        return Ok((target, Vec::new()));
    }
    let loc = run.op(target).loc();
    let done = run.rewrite(target.arena, |rw| {
        let sizes = scaled(rw, target, sizes);
        let done = tile_by(rw, target.id, &Tiles { sizes, slice_all: true, ..tiles })?;
        if fuses {
            fuse_producers(rw, &done, |_, _| true);
        }
        Ok::<Tiled, dl_ir::rewrite::NoMatch>(done)
    });
    let inside = |id| PayloadOp { arena: target.arena, id };
    match done {
        Ok(done) => Ok((inside(done.op), done.loops.into_iter().map(inside).collect())),
        Err(why) => {
            let message = format!("failed to tile operation: {}", why.0);
            Err(Failure::definite(op, message).note(loc, "target op"))
        }
    }
}

/// Results of the first and the following handles.
fn set_results(results: &mut Results, num_results: usize, done: Vec<(PayloadOp, Vec<PayloadOp>)>) {
    let mut loops = vec![Vec::new(); num_results.saturating_sub(1)];
    for (_, own) in &done {
        loops.iter_mut().zip(own).for_each(|(list, &each)| list.push(each));
    }
    results.set_ops(0, done.into_iter().map(|(tiled, _)| tiled));
    loops.into_iter().enumerate().for_each(|(at, list)| results.set_ops(at + 1, list));
}

/// `transform.structured.tile_using_for`.
struct UsingFor;

impl Transformation for UsingFor {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = TileUsingForOp::wrap(op);
        let targets = run.ops(view.target());
        let lists = sizes(op, view.static_sizes(), view.dynamic_sizes(), &targets, run)?;
        let scalable: Vec<i64> = view.scalable_sizes().dense_ints().collect();
        let mut done = Vec::new();
        for (target, list) in targets.into_iter().zip(lists) {
            let loops = num_loops(op, target, run)?;
            check_count(op, run.op(target), list.len(), loops)?;
            let is_scalable = |at: usize| scalable.get(at).is_some_and(|&flag| flag != 0);
            let list: Vec<Size> =
                list.into_iter().enumerate().map(|(at, size)| Size { size, scalable: is_scalable(at) }).collect();
            let order = order(op, &view.interchange().dense_ints().collect::<Vec<_>>(), loops)?;
            done.push(tile_one(op, target, &list, Tiles { order, ..Tiles::default() }, false, run)?);
        }
        set_results(results, op.num_results(), done);
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, operand: usize, _: &Interpreter<'s, '_>) -> bool {
        operand == 0
    }
}

/// `transform.structured.tile_using_forall`.
struct UsingForall;

impl Transformation for UsingForall {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = TileUsingForallOp::wrap(op);
        let targets = run.ops(view.target());
        let counts = match view.packed_num_threads() {
            Some(handle) => {
                targets.iter().map(|&target| packed_sizes(op, handle, target, run)).collect::<Result<_, _>>()?
            }
            None => sizes_for_all(op, view.static_num_threads(), view.num_threads(), &targets, run)?,
        };
        let extents = match view.packed_tile_sizes() {
            Some(handle) => {
                targets.iter().map(|&target| packed_sizes(op, handle, target, run)).collect::<Result<_, _>>()?
            }
            None => sizes_for_all(op, view.static_tile_sizes(), view.tile_sizes(), &targets, run)?,
        };
        let mapping: Option<Attr> = view.mapping().map(|mapping| mapping.id());
        let mut done = Vec::new();
        for (target, (counts, extents)) in targets.into_iter().zip(counts.into_iter().zip(extents)) {
            let counted = !counts.is_empty();
            let list = if counted { counts } else { extents };
            let loops = num_loops(op, target, run)?;
            check_count(op, run.op(target), list.len(), loops)?;
            let list: Vec<Size> = list.into_iter().map(|size| Size { size, scalable: false }).collect();
            let tiles = Tiles {
                kind: LoopType::Forall,
                counted,
                normalized: true,
                unordered: true,
                mapping,
                ..Tiles::default()
            };
            done.push(tile_one(op, target, &list, tiles, false, run)?);
        }
        set_results(results, op.num_results(), done);
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, operand: usize, _: &Interpreter<'s, '_>) -> bool {
        operand == 0
    }
}

/// The same sizes for all targets: each handle stands for one size.
fn sizes_for_all<'s>(
    op: OpRef<'s>,
    known: AttrRef<'s>,
    operands: Operands<'s>,
    targets: &[PayloadOp],
    run: &Interpreter<'s, '_>,
) -> Result<Vec<Vec<Index>>, Failure> {
    for operand in operands.iter() {
        let count = run.entities(operand).len();
        if count != 1 && is_param(operand.ty()) {
            return Err(Failure::definite(op, "requires exactly one parameter associated"));
        }
        if count != 1 {
            let error = Failure::silenceable(op, "handle must be mapped to exactly one payload op");
            return Err(error.note(op.loc(), format!("mapped to {count} payload ops")));
        }
    }
    let of_one = |target: &PayloadOp| {
        let lists = sizes(op, known, operands, std::slice::from_ref(target), run)?;
        Ok(lists.into_iter().flatten().collect())
    };
    targets.iter().map(of_one).collect()
}

/// `transform.structured.fuse`.
struct Fuse;

impl Transformation for Fuse {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = FuseOp::wrap(op);
        if view.apply_cleanup().is_some() {
            return Err(Failure::unsupported(op, "clean-up after fusion"));
        }
        let kind = if view.use_forall().is_some() { LoopType::Forall } else { LoopType::For };
        let targets = run.ops(view.target());
        let lists = sizes(op, view.static_tile_sizes(), view.tile_sizes(), &targets, run)?;
        let orders = sizes(op, view.static_tile_interchange(), view.tile_interchange(), &targets, run)?;
        let mut done = Vec::new();
        for (target, (list, named)) in targets.into_iter().zip(lists.into_iter().zip(orders)) {
            let loops = num_loops(op, target, run)?;
            check_count(op, run.op(target), list.len(), loops)?;
            let list: Vec<Size> = list.into_iter().map(|size| Size { size, scalable: false }).collect();
            let named: Option<Vec<i64>> = named.into_iter().map(Index::as_static).collect();
            let named = named.ok_or_else(|| Failure::unsupported(op, "an order of loops that the payload tells"))?;
            let order = order(op, &named, loops)?;
            done.push(tile_one(op, target, &list, Tiles { order, kind, ..Tiles::default() }, true, run)?);
        }
        set_results(results, op.num_results(), done);
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, operand: usize, _: &Interpreter<'s, '_>) -> bool {
        operand == 0
    }
}
