//! `affine-pipeline-data-transfer`: while one iteration computes, what the next one needs is fetched.
//!
//! [`legal`] finds the transfers that may be early, [`double`] gives them two buffers in turn, and [`skew`] starts them an iteration ahead.

mod double;
mod legal;
mod skew;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{OpId, Rewriter};

use crate::loops;

/// Starts the transfers of each loop one iteration ahead of what waits for them.
///
/// A transfer is one to faster memory by an `affine.dma_start` and an `affine.dma_wait` in the body of the loop. Its buffer and its tag become
/// two each, which iterations take in turn; the first transfer stands before the loop, and what the last iteration computes stands after it.
/// Left alone are transfers whose buffer or tag is used by others or was not allocated in the function, that do not fill their buffer, so that
/// it keeps something of the iteration before, and whose source is written in the loop; and loops that run an unknown number of times.
#[derive(Clone, Copy, Default)]
pub struct AffinePipelineDataTransfer;

impl Pass for AffinePipelineDataTransfer {
    const INFO: PassInfo = PassInfo::new(
        "affine-pipeline-data-transfer",
        "Pipeline non-blocking data transfers between explicitly managed levels of the memory hierarchy",
    )
    .title("AffinePipelineDataTransfer")
    .on("func.func");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        for op in loops::loops_inside_out(&rw) {
            overlap(&mut rw, op);
        }
        Ok(())
    }
}

/// Does so for one loop.
fn overlap(rw: &mut Rewriter<'_>, op: OpId) {
    let each = loops::view(rw, op);
    let transfers = legal::transfers(each);
    let Some(ends) = skew::Ends::of(each).filter(|_| !transfers.is_empty()) else { return };
    for transfer in &transfers {
        double::double(rw, op, transfer.buffer);
        double::double(rw, op, transfer.tag);
    }
    let starts: Vec<OpId> = transfers.iter().map(|transfer| transfer.start).collect();
    skew::start_early(rw, op, &starts, &ends);
}
