//! What may be inlined, and how a function ends where it is.

use dl_cf::BranchOp;
use dl_ir::interfaces::{InlineSite, Inlining};
use dl_ir::{BlockId, OpId, OpRef, OpState, Operands, Rewriter};

use crate::ReturnOp;

pub(crate) struct Rules;

impl Inlining for Rules {
    /// Neither call nor function says that it is not to be inlined.
    fn allows_call(&self, site: &InlineSite<'_>) -> bool {
        [site.call, site.callable].into_iter().all(|op| op.info().dialect() != "func" || op.attr("no_inline").is_none())
    }

    fn allows_region(&self, _: &InlineSite<'_>) -> bool {
        true
    }

    fn allows_op(&self, _: OpRef<'_>, _: &InlineSite<'_>) -> bool {
        true
    }

    fn returned<'a>(&self, terminator: OpRef<'a>) -> Option<Operands<'a>> {
        terminator.is::<ReturnOp<'_>>().then(|| terminator.operands())
    }

    fn branch(&self, rw: &mut Rewriter<'_>, terminator: OpId, block: BlockId) {
        let view = rw.op(terminator);
        let state = OpState::of::<BranchOp<'_>>(view.loc()).operands(view.operands().ids()).successors([block]);
        rw.replace_with(terminator, state);
    }
}
