//! `math-uplift-to-fma`: sums of products that may be contracted.

use dl_arith::flags::fastmath;
use dl_arith::{AddFOp, FastMathFlags, MulFOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter};
use dl_math::FmaOp;

/// Makes `math.fma` of `arith.mulf` and `arith.addf` where both allow contraction.
#[derive(Clone, Copy, Default)]
pub struct MathUpliftToFma;

impl Pass for MathUpliftToFma {
    const INFO: PassInfo =
        PassInfo::new("math-uplift-to-fma", "Uplift arith ops to math.fma.").title("MathUpliftToFMA");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add_fn("math-uplift-to-fma", Some(AddFOp::NAME), uplift);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

fn uplift(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let sum = AddFOp::wrap(rw.op(op));
    let allowed = fastmath(sum.0);
    let product = |at: usize| sum.0.operand(at).def::<MulFOp<'_>>();
    let (product, other) = match (product(0), product(1)) {
        (Some(product), _) => (product, sum.rhs()),
        (None, Some(product)) => (product, sum.lhs()),
        (None, None) => return Err(NoMatch("no operand is a product")),
    };
    let both = allowed.intersection(fastmath(product.0));
    if !both.contains(FastMathFlags::CONTRACT) {
        return Err(NoMatch("contraction is not allowed"));
    }
    let operands = [product.lhs().id(), product.rhs().id(), other.id()];
    let (ty, loc, cx) = (sum.result().ty().id(), sum.0.loc(), rw.cx());
    let state = OpState::of::<FmaOp<'_>>(loc).operands(operands).results([ty]).attr(cx, "fastmath", both.attr(cx));
    rw.replace_with(op, state);
    Ok(())
}
