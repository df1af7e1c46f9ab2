//! `linalg-join-sweeps`: rows are added up where they are computed.
//!
//! A nest that reduces rows which another nest has computed reads them once more. Where others read the rows as well, so that the nest that computes
//! them cannot become a part of the reduction, it takes the reduction along and has two results:
//!
//! ```text
//! e = exp(x - m)                 e, s = exp(x - m), reduce add exp(x - m)
//! s = reduce add e         ->    y = e / s
//! y = e / s
//! ```
//!
//! That saves a load of each element, and hides what it takes to add up behind what it takes to compute. It is done where the reduction runs along
//! the last dimension, and nothing reads the rows before it. Each element and each sum is computed as before.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Context, OpId, OpRef, Rewriter, ValueId};
use dl_linalg::{GenericOp, IteratorType, LinalgOp};

use crate::forms::generalized;
use crate::fuse::{fuse_keeping, is_fusable};

/// Joins reductions of rows with what computes the rows.
#[derive(Clone, Copy, Default)]
pub struct JoinSweeps;

impl Pass for JoinSweeps {
    const INFO: PassInfo =
        PassInfo::new("linalg-join-sweeps", "Reduce rows that are read again in the sweep that computes them")
            .statistics(&[("num-joined", "Number of reductions joined with what computes their rows")]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut joined = 0;
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| joined += join_in_arena(cx, ir));
        if joined == 0 {
            cx.preserve_all();
        }
        cx.count("num-joined", joined);
        Ok(())
    }
}

fn join_in_arena(cx: &Context, ir: &mut Arena) -> u64 {
    let mut rw = Rewriter::new(cx, ir);
    let mut joined = 0;
    for op in dl_ir::walk::ops_in_arena(rw.ir(), Arena::ROOT) {
        joined += u64::from(rw.ir().is_live(op) && join(&mut rw, op).is_some());
    }
    joined
}

/// Joins the reduction `op` with what computes its rows, if that can be and is worth it.
fn join(rw: &mut Rewriter<'_>, op: OpId) -> Option<()> {
    let producer = computes_rows(rw.op(op))?.id();
    let reduction = if rw.op(op).is::<GenericOp<'_>>() { op } else { generalized(op, rw).ok()? };
    let (joint, kept) = fuse_keeping(rw, reduction, 0).ok()?;
    let results: Vec<ValueId> = rw.ir().results(joint).collect();
    for (&at, &new) in kept.iter().zip(&results) {
        let old = rw.ir().result(producer, at);
        rw.replace_all_uses(old, new);
    }
    rw.erase(producer);
    Some(())
}

/// The nest that computes the rows which `op` reduces along their last dimension, if others read them too, all of these behind `op`.
fn computes_rows(op: OpRef<'_>) -> Option<OpRef<'_>> {
    let nest = LinalgOp::of(op).filter(|nest| nest.inputs().len() == 1)?;
    let rows = op.cx().affine().result_positions(nest.indexing_maps()[0])?;
    let last = usize::try_from(*rows.last()?).ok()?;
    if nest.iterator_types().get(last) != Some(&IteratorType::Reduction) {
        return None;
    }
    let producer = is_fusable(op, 0).filter(|producer| producer.block() == op.block())?;
    let users = || producer.results().iter().flat_map(|result| result.uses()).map(|(user, _)| user);
    let is_behind = |user: OpRef<'_>| user.block() == op.block() && op.arena().is_before_in_block(op.id(), user.id());
    let others_read = users().any(|user| user.id() != op.id());
    (others_read && users().all(|user| user.id() == op.id() || is_behind(user))).then_some(producer)
}
