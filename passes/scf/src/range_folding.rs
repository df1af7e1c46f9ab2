//! `scf-for-loop-range-folding`: sums and products of the induction variable become part of the bounds.

use dl_arith::{AddIOp, MulIOp};
use dl_ir::interfaces::LoopLike;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{AttrRef, Mapping, OpId, OpRef, OpView, Rewriter, ValueId, ValueRef, clone_op};
use dl_scf::ForOp;

/// Where the only use of an induction variable is a sum or product with a value from outside, the loop counts that instead.
///
/// As upstream has it, the arithmetic on the bounds is taken not to wrap, and a factor that is not known to be positive. One that is known
/// not to be is left alone.
#[derive(Clone, Copy, Default)]
pub struct ForLoopRangeFolding;

impl Pass for ForLoopRangeFolding {
    const INFO: PassInfo =
        PassInfo::new("scf-for-loop-range-folding", "Fold add/mul ops into loop range").title("SCFForLoopRangeFolding");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        crate::rewrite_each::<ForOp<'_>>(cx, &mut |rw, op| {
            while let Some(user) = foldable_user(rw.op(op)) {
                fold_into_range(rw, op, user);
            }
            Ok(())
        })
    }
}

/// The operation that the range of the loop can take over: the only user of the induction variable.
fn foldable_user(op: OpRef<'_>) -> Option<OpId> {
    op.interface::<dyn LoopLike>()?;
    let variable = op.region(0).entry()?.args().next()?;
    let (user, _) = variable.has_one_use().then(|| variable.uses().next()).flatten()?;
    let is_product = user.is::<MulIOp<'_>>();
    let outside = |value: ValueRef<'_>| value == variable || !value.is_defined_in(op);
    let is_negative = |value: ValueRef<'_>| value.constant().and_then(AttrRef::as_int).is_some_and(|n| n <= 0);
    let folds = (is_product || user.is::<AddIOp<'_>>())
        && user.operands().iter().all(outside)
        && !(is_product && user.operands().iter().any(is_negative));
    folds.then(|| user.id())
}

/// Computes `user` on the bounds, before the loop, and lets the loop count its result. The step of a product is multiplied as well.
fn fold_into_range(rw: &mut Rewriter<'_>, op: OpId, user: OpId) {
    let view = ForOp::wrap(rw.op(op));
    let Some(variable) = view.region().entry().and_then(|body| body.args().next()) else { return };
    let (variable, bounds) = (variable.id(), [view.lower_bound().id(), view.upper_bound().id(), view.step().id()]);
    let count = if rw.op(user).is::<MulIOp<'_>>() { 3 } else { 2 };
    rw.set_insertion_before(op);
    let new: Vec<ValueId> = bounds[..count]
        .iter()
        .map(|&bound| {
            let mut mapping = Mapping::new();
            mapping.map(variable, bound);
            let copy = clone_op(rw, user, &mut mapping);
            rw.ir().result(copy, 0)
        })
        .collect();
    for (index, value) in new.into_iter().enumerate() {
        rw.set_operand(op, index, value);
    }
    rw.replace(user, &[variable]);
}
