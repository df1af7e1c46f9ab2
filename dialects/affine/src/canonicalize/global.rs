//! Loads from constants of the module.

use dl_ir::rewrite::{NoMatch, Pattern, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpView, Rewriter};

use crate::AffineLoadOp;

/// A load from a `memref.global` that is constant gives its element, where that does not depend on the position, or the position is known.
pub(super) struct LoadOfConstantGlobal;

impl Pattern for LoadOfConstantGlobal {
    const NAME: &'static str = "affine-load-of-constant-global";
    const ROOT: Option<&'static str> = Some(AffineLoadOp::NAME);
    const SYMBOLS: bool = true;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let view = AffineLoadOp::wrap(rw.op(op));
        let found = view.memref().defining_op().filter(|made| made.name() == "memref.get_global");
        let name = found.and_then(|made| made.attr("name")?.as_flat_symbol()).ok_or(NoMatch("no global"))?;
        let global = rw.symbol(name).filter(|global| *cx.op_info(global.op).name == *"memref.global");
        let global = global.filter(|global| global.attr(cx, "constant").is_some()).ok_or(NoMatch("not constant"))?;
        let elements = global.attr(cx, "initial_value").filter(|value| value.ty().is_some());
        let elements = elements.ok_or(NoMatch("no initial value"))?;
        let value = elements.splat_value().or_else(|| element(view, elements)).ok_or(NoMatch("not known where"))?;
        let (value, loc) = (value.id(), view.0.loc());
        if cx.attr(value).ty() != Some(cx.ty(view.result().ty().id())) {
            return Err(NoMatch("no number"));
        }
        let constant = dl_arith::constant(rw, value, loc);
        rw.replace(op, &[constant]);
        Ok(())
    }
}

/// The element at the position that the map gives, where that is known and in bounds.
fn element<'c>(op: AffineLoadOp<'c>, elements: AttrRef<'c>) -> Option<AttrRef<'c>> {
    let position = op.0.cx().affine().constant_results(op.map().as_affine_map()?)?;
    let shape = elements.ty()?.shape()?;
    let mut linear = 0_i64;
    for (&at, &extent) in position.iter().zip(shape) {
        linear = linear.checked_mul(extent)?.checked_add(at).filter(|_| (0..extent).contains(&at))?;
    }
    elements.dense_value(usize::try_from(linear).ok()?)
}
