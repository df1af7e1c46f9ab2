//! `affine-loop-tile`: nests of loops over tiles and in them.

use dl_affine::{AffineForOp, AffineIfOp, AffineYieldOp, ForBound};
use dl_ir::affine::AffineExpr;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{OpId, OpRef, Rewriter, ValueId};

use crate::access::Access;
use crate::dependence::{Meeting, meeting};
use crate::loops::{self, ValueMap};

dl_ir::pass_options! {
    /// Options of [`AffineLoopTile`].
    pub struct AffineLoopTileOptions {
        /// Size in KiB of the cache that a tile should fit
        cache_size "cache-size": u64 = 512,
        /// Make a nest without minima for tiles that are whole
        separate "separate": bool = false,
        /// Size of tiles in all dimensions
        tile_size "tile-size": Option<u64> = None,
        /// Sizes of tiles for each perfect nest, where no single one is given
        tile_sizes "tile-sizes": Vec<i64> = Vec::new(),
    }
}

/// Tiles the perfect nests at the top of a function where that keeps all dependences.
#[derive(Clone, Default)]
pub struct AffineLoopTile {
    /// The options.
    pub options: AffineLoopTileOptions,
}

/// Where nothing is known.
const DEFAULT_SIZE: u64 = 4;

impl Pass for AffineLoopTile {
    const INFO: PassInfo =
        PassInfo::new("affine-loop-tile", "Tile affine loop nests").title("AffineLoopTiling").on("func.func");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        let root = rw.op(dl_ir::Arena::ROOT);
        let top = root.region(0).blocks().flat_map(|block| block.ops());
        let bands: Vec<Vec<OpId>> = top
            .filter_map(OpRef::cast::<AffineForOp<'_>>)
            .map(loops::perfect_nest)
            .filter(|band| may_tile(band))
            .map(|band| band.iter().map(|each| each.0.id()).collect())
            .collect();
        for band in bands {
            let views: Vec<AffineForOp<'_>> = band.iter().map(|&op| loops::view(&rw, op)).collect();
            let sizes = self.sizes(&views);
            if sizes.contains(&0) || !is_supported(&views) {
                continue;
            }
            let tiled = tile_band(&mut rw, &band, &sizes);
            if self.options.separate {
                crate::separate::separate_full_tiles(&mut rw, &tiled[band.len()..]);
            }
        }
        Ok(())
    }
}

/// Whether rectangular tiles keep the order of all dependences: none goes backward in any of the loops. Nothing else in the nest has an effect; as
/// mlir-opt has it, an operation that is not registered is taken to have none but on buffers that it is given. Tiles of one loop change no order.
fn may_tile(band: &[AffineForOp<'_>]) -> bool {
    if band.len() == 1 {
        return true;
    }
    let root = band[0].0;
    let Some(outside) = crate::access::level_of(band[0]) else { return false };
    let inside: Vec<OpRef<'_>> =
        ops_in_arena(root.arena(), root.id()).into_iter().map(|op| OpRef::new(root.cx(), root.arena(), op)).collect();
    let is_movable = |op: &OpRef<'_>| {
        let is_structure = op.is::<AffineForOp<'_>>() || op.is::<AffineIfOp<'_>>() || op.is::<AffineYieldOp<'_>>();
        let takes_buffers = || op.operands().iter().any(|value| value.ty().is_memref());
        let is_stand_in = || !op.info().is_registered() && op.num_regions() == 0 && !takes_buffers();
        is_structure || Access::of(*op).is_some() || dl_ir::effects::is_memory_effect_free(*op) || is_stand_in()
    };
    if !inside.iter().all(is_movable) {
        return false;
    }
    let accesses: Vec<Access<'_>> = inside.iter().filter_map(|&op| Access::of(op)).collect();
    let levels = outside..outside + band.len();
    accesses.iter().all(|a| {
        accesses.iter().filter(|b| a.is_write || b.is_write).all(|b| match meeting(a, b) {
            Meeting::Never => true,
            Meeting::Unknown => false,
            Meeting::Where(pair) => levels.clone().all(|carrier| {
                let carried = pair.carried_at(carrier);
                levels.clone().skip(carrier + 1 - outside).all(|level| !carried.backward_at(level).is_possible())
            }),
        })
    })
}

/// No loop carries values, and no bound depends on an induction variable of the band.
fn is_supported(band: &[AffineForOp<'_>]) -> bool {
    let variables: Vec<ValueId> = band.iter().filter_map(|each| Some(each.region().entry()?.arg(0).id())).collect();
    band.iter().all(|each| {
        let bounds = [ValueMap::lower_bound(*each), ValueMap::upper_bound(*each)];
        each.0.num_results() == 0
            && bounds.into_iter().all(|bound| {
                bound.is_some_and(|bound| bound.operands.iter().all(|value| !variables.contains(&value.id())))
            })
    })
}

impl AffineLoopTile {
    /// The size of the tiles in each dimension.
    fn sizes(&self, band: &[AffineForOp<'_>]) -> Vec<u64> {
        let options = &self.options;
        if let Some(size) = options.tile_size.filter(|&size| size > 0) {
            return vec![size; band.len()];
        }
        if !options.tile_sizes.is_empty() {
            let given = options.tile_sizes.iter().map(|&size| u64::try_from(size).unwrap_or(0));
            return given.chain(std::iter::repeat(DEFAULT_SIZE)).take(band.len()).collect();
        }
        if options.cache_size == 0 {
            return vec![1; band.len()];
        }
        let Some(footprint) = crate::footprint::footprint_bytes(band[0]) else {
            return divisors_of_trip_counts(band, vec![DEFAULT_SIZE; band.len()]);
        };
        let excess = footprint.div_ceil(options.cache_size.saturating_mul(1024));
        if excess <= 1 {
            return vec![1; band.len()];
        }
        // Each dimension takes its share of what is too much; the last one takes the rest.
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a heuristic"
        )]
        let share = ((excess as f64).powf(1.0 / band.len() as f64).floor() as u64).max(1);
        let mut sizes = vec![share; band.len()];
        let others = share.saturating_pow(band.len() as u32 - 1);
        sizes[band.len() - 1] = (excess / others).max(1);
        divisors_of_trip_counts(band, sizes)
    }
}

/// The greatest sizes not above these that divide known trip counts, so that no tile is partial.
fn divisors_of_trip_counts(band: &[AffineForOp<'_>], mut sizes: Vec<u64>) -> Vec<u64> {
    for (each, size) in band.iter().zip(&mut sizes) {
        let Some(count) = loops::constant_trip_count(*each) else { continue };
        if count > 1 && *size > count / 2 {
            *size = count / 2;
        }
        while !count.is_multiple_of(*size) {
            *size -= 1;
        }
    }
    sizes
}

/// Tiles the band; answers the loops over tiles and then those in tiles.
pub fn tile_band(rw: &mut Rewriter<'_>, band: &[OpId], sizes: &[u64]) -> Vec<OpId> {
    let (cx, loc) = (rw.cx(), rw.op(band[0]).loc());
    let old: Vec<ValueId> = band.iter().map(|&op| loops::variable(rw, op)).collect();
    let mut tiled = Vec::new();
    rw.set_insertion_before(band[0]);
    let mut outer_variables = Vec::new();
    for (&op, &size) in band.iter().zip(sizes) {
        let each = loops::view(rw, op);
        let bounds = (ValueMap::lower_bound(each), ValueMap::upper_bound(each));
        let (Some(lower), Some(upper)) = bounds else { return tiled };
        let (lower, upper) = (lower.to_bound(), upper.to_bound());
        let step = loops::step(each).saturating_mul(i64::try_from(size).unwrap_or(i64::MAX));
        let made = crate::build::empty_loop(rw, &lower, &upper, step, loc);
        outer_variables.push(loops::variable(rw, made));
        tiled.push(made);
        let end = loops::terminator(rw, made);
        rw.set_insertion_before(end);
    }
    for ((&op, &size), &outer) in band.iter().zip(sizes).zip(&outer_variables) {
        let each = loops::view(rw, op);
        let step = loops::step(each);
        let lower = ForBound { map: cx.affine().identity_map(1), operands: vec![outer] };
        let Some(upper) = tile_end(each, size, outer) else { return tiled };
        let made = crate::build::empty_loop(rw, &lower, &upper, step, loc);
        tiled.push(made);
        let end = loops::terminator(rw, made);
        rw.set_insertion_before(end);
    }
    let innermost = band[band.len() - 1];
    let (from, end) = (loops::body(rw, innermost), loops::terminator(rw, innermost));
    let inside: Vec<OpId> = rw.ir().block_ops(from).filter(|&op| op != end).collect();
    let point = rw.insertion_point().expect("the body of the innermost loop");
    for op in inside {
        rw.move_to(op, point);
    }
    for (at, &variable) in old.iter().enumerate() {
        let new = loops::variable(rw, tiled[band.len() + at]);
        rw.replace_all_uses(variable, new);
    }
    rw.erase(band[0]);
    tiled
}

/// Where the tile that starts at `outer` ends: whole, or at the end of the old loop.
fn tile_end(each: AffineForOp<'_>, size: u64, outer: ValueId) -> Option<ForBound> {
    let affine = each.0.cx().affine();
    let step = loops::step(each);
    let length = |count: u64| step.saturating_mul(i64::try_from(count).unwrap_or(i64::MAX));
    if let Some(count) = loops::constant_trip_count(each).filter(|&count| count < size) {
        return Some(ForBound { map: loops::shift_map(affine, length(count)), operands: vec![outer] });
    }
    if loops::trip_count_divisor(each).is_multiple_of(size) {
        return Some(ForBound { map: loops::shift_map(affine, length(size)), operands: vec![outer] });
    }
    let upper = ValueMap::upper_bound(each)?;
    let data = affine.map(upper.map);
    let whole = affine.add_constant(affine.dim(data.num_dims), length(size));
    let results: Vec<AffineExpr> = std::iter::once(whole).chain(data.results.iter().copied()).collect();
    let map = affine.intern_map(data.num_dims + 1, data.num_symbols, results);
    let operands: Vec<ValueId> = upper.operands.iter().map(|value| value.id()).collect();
    let (dims, symbols) = operands.split_at(data.num_dims as usize);
    Some(ForBound { map, operands: [dims, &[outer], symbols].concat() })
}
