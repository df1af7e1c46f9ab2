//! `math-expand-ops`: functions in terms of simpler ones.
//!
//! Roundings, leading zeros, `clampf` and powers by numbers that are whole are exact; `fma` rounds twice; the others are formulas that hold for real
//! numbers, as accurate as the functions they use and as the range of floats allows: `exp(y log x)` is a power of numbers above zero.
//!
//! Upstream's expansions of `ceil` and `round` are undefined for numbers that do not fit into 64 bits, that of `round` makes 1 of the greatest number
//! below a half, and that of `clampf` takes the upper bound for the lower one. These do not.

mod elementary;
mod emit;
mod power;
mod rounding;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Diagnostic, OpDefinition, OpId, Rewriter, ValueId};
use dl_math::{
    AcoshOp, AsinhOp, AtanhOp, CeilOp, ClampFOp, CoshOp, CountLeadingZerosOp, Exp2Op, FPowIOp, FmaOp, PowFOp,
    RoundEvenOp, RoundOp, RsqrtOp, SinhOp, TanOp, TanhOp,
};

use emit::Emit;

dl_ir::pass_options! {
    /// Options of [`MathExpandOps`].
    pub struct MathExpandOpsOptions {
        /// Operations to expand, as 'tanh,ceil'; all that there is an expansion for when it is not given
        ops "ops": Vec<String> = Vec::new(),
    }
}

/// Expands `math` operations.
#[derive(Clone, Default)]
pub struct MathExpandOps {
    /// The options.
    pub options: MathExpandOpsOptions,
}

/// The value that an operation computes, of its operands.
type Expansion = fn(&mut Emit<'_, '_>, &[ValueId]) -> Result<ValueId, NoMatch>;

/// Each operation with its expansion.
const EXPANSIONS: [(&str, Expansion); 17] = [
    (AcoshOp::NAME, elementary::acosh),
    (AsinhOp::NAME, elementary::asinh),
    (AtanhOp::NAME, elementary::atanh),
    (CeilOp::NAME, rounding::ceil),
    (ClampFOp::NAME, elementary::clamp),
    (CoshOp::NAME, elementary::cosh),
    (CountLeadingZerosOp::NAME, rounding::leading_zeros),
    (Exp2Op::NAME, elementary::exp2),
    (FPowIOp::NAME, power::integer_power),
    (FmaOp::NAME, elementary::fma),
    (PowFOp::NAME, power::power),
    (RoundEvenOp::NAME, rounding::round_even),
    (RoundOp::NAME, rounding::round),
    (RsqrtOp::NAME, elementary::rsqrt),
    (SinhOp::NAME, elementary::sinh),
    (TanOp::NAME, elementary::tan),
    (TanhOp::NAME, elementary::tanh),
];

impl Pass for MathExpandOps {
    const INFO: PassInfo = PassInfo::new("math-expand-ops", "Expand math operations.").title("MathExpandOpsPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mnemonic = |name: &'static str| name.split_once('.').map_or(name, |(_, mnemonic)| mnemonic);
        for name in &self.options.ops {
            if EXPANSIONS.iter().all(|(op, _)| mnemonic(op) != name) {
                let loc = cx.root().loc();
                return Err(Diagnostic::error(loc, format!("there is no expansion of 'math.{name}'")).into());
            }
        }
        let mut patterns = Patterns::new();
        for (op, _) in EXPANSIONS {
            if self.options.ops.is_empty() || self.options.ops.iter().any(|name| name == mnemonic(op)) {
                patterns.add_fn("math-expand", Some(op), expand);
            }
        }
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

fn expand(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (_, expansion) = EXPANSIONS.iter().find(|(name, _)| *name == view.name()).ok_or(NoMatch("has no expansion"))?;
    let ty = view.result(0).ty();
    if ty.is_shaped() && !ty.has_static_shape() {
        return Err(NoMatch("constants of this shape cannot be written"));
    }
    let operands = view.operands().ids();
    rw.set_insertion_before(op);
    let value = expansion(&mut Emit::new(rw, op), &operands)?;
    rw.replace(op, &[value]);
    Ok(())
}
