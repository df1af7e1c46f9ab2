//! The pass `linalg-fuse-rows`: chains of element-wise operations and reductions of rows, computed row by row.
//!
//! A softmax or a layer norm reads the elements of a row several times, and each time the whole tensor passes through memory. Computed for one row
//! after the other, a row stays in the nearest cache, and what is between the operations is one row long:
//!
//! ```text
//! m = reduce max x[i, :]                   for i
//! e = exp(x - m)                             m = reduce max x[i, :]
//! s = reduce add e[i, :]           ->        e = exp(x[i, :] - m)
//! y = e / s                                  s = reduce add e
//!                                            y[i, :] = e / s
//! ```
//!
//! The last operation of a chain, its *root*, is put into loops over its outer dimensions, and what it reads is computed there. An operation belongs
//! to the chain where all that read it do: nothing is computed twice. Products of matrices never do.

use dl_ir::interfaces::{Tiling, has_pure_tensor_semantics};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::{Arena, Context, DYNAMIC, OpDefinition, OpId, OpRef, OpState, Rewriter};
use dl_linalg::{GenericOp, IteratorType, LinalgOp};
use dl_tensor::{EmptyOp, ExtractSliceOp};
use rustc_hash::FxHashSet;

use super::expanded::read_unexpanded;
use super::fuse::fuse_producers;
use super::loops::{LoopType, Tiled, tile};

/// Longest row, in elements: a few of them fit the nearest cache but one.
const MAX_ROW: i64 = 1 << 16;

/// Computes chains of operations on rows row by row.
#[derive(Clone, Copy, Default)]
pub struct FuseRows;

impl Pass for FuseRows {
    const INFO: PassInfo = PassInfo::new(
        "linalg-fuse-rows",
        "Compute chains of element-wise operations and reductions of rows row by row",
    )
    .statistics(&[
        ("num-chains", "Number of chains computed row by row"),
        ("num-fused", "Number of operations computed in the loops of the last one of their chain"),
    ]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        // A tensor of one number a row stands between the operations of a chain as a column.
        let mut patterns = Patterns::new();
        patterns.add_fn("linalg-read-unexpanded", Some(GenericOp::NAME), read_unexpanded);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        let (mut chains, mut fused) = (0, 0);
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
            let (more_chains, more_fused) = fuse_arena(cx, ir);
            chains += more_chains;
            fused += more_fused;
        });
        cx.count("num-chains", chains);
        cx.count("num-fused", fused);
        Ok(())
    }
}

fn fuse_arena(cx: &Context, ir: &mut Arena) -> (u64, u64) {
    let mut rw = Rewriter::new(cx, ir);
    let (mut chains, mut fused) = (0, 0);
    // Users come first: a chain is found from its last operation.
    for op in dl_ir::walk::ops_in_arena(rw.ir(), Arena::ROOT).into_iter().rev() {
        if !rw.ir().is_live(op) {
            continue;
        }
        let Some(outer) = outer_loops(rw.op(op)) else { continue };
        let chain = chain(rw.op(op));
        let Ok(tiled) = tile(&mut rw, op, &vec![1; outer], LoopType::For) else { continue };
        chains += 1;
        fused += fuse_producers(&mut rw, &tiled, |producer, read_again| !read_again && chain.contains(&producer.id()))
            as u64;
        give_rows_memory(&mut rw, &tiled);
    }
    (chains, fused)
}

/// Whether `op` is the root of a chain worth it: how many of its loops are outside of rows then. It is parallel, and reads the reduction of a row,
/// an operand that only its outer loops index.
fn outer_loops(root: OpRef<'_>) -> Option<usize> {
    let nest = LinalgOp::of(root)?;
    let iterators = nest.iterator_types();
    let parallel = iterators.iter().all(|&it| it == IteratorType::Parallel);
    if !has_pure_tensor_semantics(root)
        || root.num_results() == 0
        || !parallel
        || root.interface::<dyn Tiling>().is_none()
    {
        return None;
    }
    let extents = nest.static_loop_ranges()?;
    let maps = nest.indexing_maps();
    let affine = root.cx().affine();
    let chain = chain(root);
    let found = nest.inputs().zip(&maps).filter_map(|(input, &map)| {
        let producer = input.defining_op().filter(|op| chain.contains(&op.id()) && is_reduction(*op))?;
        let outer = affine.result_positions(map)?;
        let leading = outer.iter().copied().eq(0..outer.len() as u32);
        (leading && !outer.is_empty() && outer.len() < iterators.len() && producer.num_results() > 0)
            .then_some(outer.len())
    });
    let outer = found.max()?;
    let row = extents[outer..]
        .iter()
        .try_fold(1_i64, |row, &extent| if extent == DYNAMIC { None } else { row.checked_mul(extent) })?;
    let rows = extents[..outer]
        .iter()
        .try_fold(1_i64, |rows, &extent| if extent == DYNAMIC { Some(rows) } else { rows.checked_mul(extent) })?;
    (row <= MAX_ROW && rows > 1).then_some(outer)
}

/// A nest that reduces one tensor: of several, it would be a product.
fn is_reduction(op: OpRef<'_>) -> bool {
    let Some(nest) = LinalgOp::of(op) else { return false };
    let reduces = nest.iterator_types().contains(&IteratorType::Reduction);
    reduces && !is_product(nest)
}

/// Whether a nest reads operands of different maps along a reduction.
fn is_product(nest: LinalgOp<'_>) -> bool {
    let affine = nest.op().cx().affine();
    let iterators = nest.iterator_types();
    let reduced = |map| {
        (0..iterators.len())
            .any(|at| iterators[at] == IteratorType::Reduction && affine.map_is_function_of_dim(map, at as u32))
    };
    let mut maps: Vec<_> =
        nest.indexing_maps().into_iter().take(nest.inputs().len()).filter(|&map| reduced(map)).collect();
    maps.dedup();
    maps.len() > 1
}

/// The operations that `root` reads, and those that they read, all of whose results only these read. With `root`.
fn chain(root: OpRef<'_>) -> FxHashSet<OpId> {
    let mut chain = FxHashSet::from_iter([root.id()]);
    let mut work: Vec<OpRef<'_>> = vec![root];
    while let Some(op) = work.pop() {
        for operand in op.operands().iter() {
            let Some(producer) = operand.defining_op().filter(|it| it.block() == root.block()) else { continue };
            let belongs = LinalgOp::of(producer).is_some_and(|nest| !is_product(nest))
                && has_pure_tensor_semantics(producer)
                && producer.interface::<dyn Tiling>().is_some();
            let all_read_here = || {
                producer.results().iter().flat_map(|result| result.uses()).all(|(user, _)| chain.contains(&user.id()))
            };
            // One whose last reader is found later is looked at again from that.
            if belongs && !chain.contains(&producer.id()) && all_read_here() {
                chain.insert(producer.id());
                work.push(producer);
            }
        }
    }
    chain
}

/// Slices of tensors without content inside of the loops become tensors of their own, one row long and made once, before the loops.
fn give_rows_memory(rw: &mut Rewriter<'_>, tiled: &Tiled) {
    let Some(&outermost) = tiled.loops.first() else { return };
    let nested = dl_ir::walk::ops_in_arena(rw.ir(), outermost);
    for slice in nested {
        let view = rw.op(slice);
        let of_empty = view.is::<ExtractSliceOp<'_>>() && view.operand(0).def::<EmptyOp<'_>>().is_some();
        if !of_empty || view.result(0).ty().shape().is_none_or(|shape| shape.contains(&DYNAMIC)) {
            continue;
        }
        let (ty, loc) = (view.result(0).ty().id(), view.loc());
        rw.set_insertion_before(outermost);
        let row = rw.create_value(OpState::of::<EmptyOp<'_>>(loc).results([ty]));
        rw.replace(slice, &[row]);
    }
}
