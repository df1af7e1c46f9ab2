//! `lower-vector-mask`: transfers and gathers under `vector.mask` take the mask themselves.

use dl_arith::AndIOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter};
use dl_vector::{GatherOp, MaskOp, uniform};

use crate::build::VectorBuild;
use crate::masking::Root;
use crate::transfer::{Direction, Transfer};

/// Lowers `vector.mask`.
#[derive(Clone, Copy, Default)]
pub struct LowerVectorMask;

impl Pass for LowerVectorMask {
    const INFO: PassInfo =
        PassInfo::new("lower-vector-mask", "Lower 'vector.mask' operations").title("LowerVectorMaskPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        masked_transfers(&mut patterns);
        patterns.add_canonicalization(cx.ctx, MaskOp::NAME);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// Adds the pattern.
pub(crate) fn masked_transfers(patterns: &mut Patterns) {
    patterns.add_fn("vector-lower-mask", Some(MaskOp::NAME), lower);
}

fn lower(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, mask) = (rw.cx(), MaskOp::wrap(rw.op(op)));
    let inner = mask.0.region(0).entry().and_then(|block| block.first_op()).ok_or(NoMatch("the region is empty"))?;
    let root = Root::of(inner);
    let loc = inner.loc();
    if let Some(transfer) = Transfer::of(inner) {
        let is_read = matches!(transfer.direction, Direction::Read { .. });
        if is_read && root.passthru.is_some() {
            return Err(NoMatch("a read gives its padding where the mask is off"));
        }
        if transfer.mask.is_some() {
            return Err(NoMatch("it has a mask already"));
        }
        let bounds = inner.attr("in_bounds").ok_or(NoMatch("no bounds"))?.id();
        let state = Transfer { mask: root.mask, ..transfer }.state(cx, loc, bounds);
        rw.replace_with(op, state);
        return Ok(());
    }
    let gather = inner.cast::<GatherOp<'_>>().ok_or(NoMatch("nothing that takes a mask"))?;
    let ty = gather.result().ty().id();
    let (base, offsets, indices) = (gather.base().id(), gather.offsets().ids(), gather.indices().id());
    let alignment = gather.alignment().map(|attr| attr.id());
    // What is off in the gather's own mask, it has a value for.
    let own = (uniform(gather.mask()) != Some(true)).then(|| (gather.mask().id(), gather.pass_thru().id()));
    if own.is_none() && root.passthru.is_none() && cx.zero_attr(ty).is_none() {
        return Err(NoMatch("elements without zero"));
    }
    let outer = root.mask.ok_or(NoMatch("no mask"))?;
    let mut b = root.build(rw);
    let (mask, passthru) = match (own, root.passthru) {
        (Some((mask, passthru)), None) => (b.same::<AndIOp<'_>>(&[outer, mask]), passthru),
        (Some((mask, passthru)), Some(otherwise)) => {
            (b.same::<AndIOp<'_>>(&[outer, mask]), b.select(outer, passthru, otherwise))
        }
        (None, Some(otherwise)) => (outer, otherwise),
        (None, None) => (outer, b.zeros(ty).ok_or(NoMatch("elements without zero"))?),
    };
    let state = OpState::of::<GatherOp<'_>>(loc)
        .operands([base])
        .operands(offsets)
        .operands([indices])
        .operands([mask])
        .operands([passthru])
        .results([ty])
        .maybe_attr(cx, "alignment", alignment);
    rw.replace_with(op, state);
    Ok(())
}
