//! Canonicalization patterns.

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter};

use crate::{CallIndirectOp, CallOp, ConstantOp};

pub(crate) fn call_indirect(patterns: &mut Patterns) {
    patterns.add(CallIndirectOfConstant);
}

/// `call_indirect (constant @f)(args)` becomes `call @f(args)`.
struct CallIndirectOfConstant;

impl Pattern for CallIndirectOfConstant {
    const NAME: &'static str = "func-call-indirect-of-constant";
    const ROOT: Option<&'static str> = Some(CallIndirectOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let Some(constant) = view.operand(0).def::<ConstantOp<'_>>() else {
            return Err(NoMatch("the callee is not a function constant"));
        };
        let callee = constant.value().id();
        let (args, types) = (view.operand_group(1).ids(), view.results().types());
        let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let state = OpState::of::<CallOp<'_>>(view.loc())
            .attr(rw.cx(), "callee", callee)
            .attrs(attrs)
            .operands(args)
            .results(types);
        rw.replace_with(op, state);
        Ok(())
    }
}
