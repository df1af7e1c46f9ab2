//! `reify-result-shapes`: results of `tensor.pad` and `tensor.concat` have the extents that can be told from operands.

use dl_ir::interfaces::{Index, reify_shapes};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Context, DYNAMIC, Mapping, OpId, OpState, Rewriter, clone_op};
use dl_tensor::{CastOp, ConcatOp, PadOp};

/// Gives paddings and concatenations the most precise type that is known. What uses them sees the old type by a cast.
#[derive(Clone, Copy, Default)]
pub struct ReifyResultShapes;

impl Pass for ReifyResultShapes {
    const INFO: PassInfo =
        PassInfo::new("reify-result-shapes", "Give tensor.pad and tensor.concat the extents that operands tell")
            .title("ReifyResultShapesPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut reify_in_arena);
        Ok(())
    }
}

fn reify_in_arena(cx: &Context, ir: &mut Arena) {
    let mut rw = Rewriter::new(cx, ir);
    for op in dl_ir::walk::ops_in_arena(rw.ir(), Arena::ROOT) {
        if rw.op(op).is::<PadOp<'_>>() || rw.op(op).is::<ConcatOp<'_>>() {
            reify(&mut rw, op);
        }
    }
}

/// The value of an extent, [`DYNAMIC`] where it is not known.
fn known(rw: &Rewriter<'_>, extent: Index) -> i64 {
    match extent {
        Index::Static(extent) => extent,
        Index::Value(value) => {
            rw.value(value).constant().and_then(|c| c.as_int()).filter(|&n| n >= 0).unwrap_or(DYNAMIC)
        }
    }
}

/// Replaces `op` by one with a more precise result type. Computations of extents that are not needed are left to be removed.
fn reify(rw: &mut Rewriter<'_>, op: OpId) {
    rw.set_insertion_before(op);
    let Some(extents) = reify_shapes(rw, op).and_then(|mut shapes| shapes.pop()) else { return };
    let (old, loc) = (rw.op(op).result(0).ty().id(), rw.op(op).loc());
    let shape: Vec<i64> = extents.into_iter().map(|extent| known(rw, extent)).collect();
    let Some(new) = rw.cx().ty(old).with_shape(&shape).filter(|&new| new != old) else { return };
    let copy = clone_op(rw, op, &mut Mapping::new());
    let result = rw.ir().result(copy, 0);
    rw.set_value_type(result, new);
    rw.replace_with(op, OpState::of::<CastOp<'_>>(loc).operands([result]).results([old]));
}
