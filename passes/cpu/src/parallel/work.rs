//! How much a loop has to do.

use dl_ir::OpRef;
use dl_ir::interfaces::LoopLike;
use dl_linalg::LinalgOp;

/// Iterations of a loop of which no number is known.
const UNKNOWN_TRIPS: u64 = 16;

/// Number of operations that `op` stands for: those in a loop once for each iteration, and a nest of `linalg` for each of its points.
/// Cost O(operations inside).
pub(super) fn work(op: OpRef<'_>) -> u64 {
    let (mut total, mut pending) = (0_u64, vec![(op, 1_u64)]);
    while let Some((op, times)) = pending.pop() {
        total = total.saturating_add(times);
        let times = times.saturating_mul(repetitions(op));
        pending.extend(op.regions().flat_map(|region| region.ops()).map(|inner| (inner, times)));
    }
    total
}

/// How often what is inside runs.
fn repetitions(op: OpRef<'_>) -> u64 {
    if let Some(nest) = LinalgOp::of(op) {
        let extents = nest.static_loop_ranges().unwrap_or_default();
        let extents = extents.into_iter().map(|extent| u64::try_from(extent).unwrap_or(UNKNOWN_TRIPS));
        return extents.fold(1, u64::saturating_mul);
    }
    let Some(dims) = op.interface::<dyn LoopLike>().and_then(|each| each.dims(op)) else { return 1 };
    let trips = dims.iter().map(|dim| {
        let bounds = dim.lower.constant().zip(dim.upper.constant()).zip(dim.step.constant());
        bounds.map_or(UNKNOWN_TRIPS, |((lower, upper), step)| {
            u64::try_from(upper.saturating_sub(lower)).unwrap_or(0).div_ceil(u64::try_from(step).unwrap_or(1).max(1))
        })
    });
    trips.fold(1, u64::saturating_mul)
}
