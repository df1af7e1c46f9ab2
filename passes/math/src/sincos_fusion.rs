//! `math-sincos-fusion`: sine and cosine of one value at once.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter};
use dl_math::{CosOp, SinOp, SincosOp};

/// Makes `math.sincos` of a sine and a cosine of the same value in one block, with the same flags.
#[derive(Clone, Copy, Default)]
pub struct MathSincosFusion;

impl Pass for MathSincosFusion {
    const INFO: PassInfo =
        PassInfo::new("math-sincos-fusion", "Fuse sin and cos operations.").title("MathSincosFusionPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add_fn("math-sincos-fusion", Some(SinOp::NAME), fuse);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

fn fuse(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let sine = SinOp::wrap(rw.op(op));
    let (operand, flags, block) = (sine.operand(), sine.fastmath().id(), sine.0.block().map(|block| block.id()));
    let fits = |user: dl_ir::OpRef<'_>| {
        user.cast::<CosOp<'_>>().is_some_and(|cosine| cosine.fastmath().id() == flags)
            && user.block().map(|block| block.id()) == block
    };
    let mut cosines: Vec<OpId> =
        operand.uses().map(|(user, _)| user).filter(|&user| fits(user)).map(|user| user.id()).collect();
    cosines.sort_by(|&a, &b| {
        if rw.ir().is_before_in_block(a, b) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
    });
    let cosine = *cosines.first().ok_or(NoMatch("no cosine of the same value"))?;
    let (operand, ty, cx) = (operand.id(), sine.result().ty().id(), rw.cx());
    let first = if rw.ir().is_before_in_block(op, cosine) { op } else { cosine };
    let loc = rw.op(first).loc();
    rw.set_insertion_before(first);
    let state = OpState::of::<SincosOp<'_>>(loc).operands([operand]).results([ty, ty]).attr(cx, "fastmath", flags);
    let both = rw.create(state);
    let (of_sine, of_cosine) = (rw.ir().result(both, 0), rw.ir().result(both, 1));
    rw.replace(op, &[of_sine]);
    rw.replace(cosine, &[of_cosine]);
    Ok(())
}
