//! Canonicalization patterns.

mod conditional;
mod delinearized;
mod for_loop;
mod global;
mod indices;
mod min_max;
mod parallel;

pub(crate) use conditional::if_patterns;
pub(crate) use delinearized::apply_patterns;
pub(crate) use for_loop::for_patterns;
pub(crate) use indices::{delinearize_patterns, linearize_patterns};
pub use min_max::add_constant_result_patterns;
pub(crate) use min_max::min_max_patterns;
pub(crate) use parallel::parallel_patterns;

use std::marker::PhantomData;

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpRef, Operands, Rewriter, ValueId};

use crate::AffineLoadOp;
use crate::compose::compose;

/// The pattern that brings the map of `T` with its operands into canonical form.
pub(crate) fn compose_operands<T: OpDefinition + 'static>(patterns: &mut Patterns) {
    patterns.add(ComposeOperands::<T>(PhantomData));
}

/// The patterns of `affine.load`.
pub(crate) fn load_patterns(patterns: &mut Patterns) {
    compose_operands::<AffineLoadOp<'_>>(patterns);
    patterns.add(global::LoadOfConstantGlobal);
}

/// What a `memref.cast` gives is accessed as what it casts, where that has a rank. Operand `MEMREF` is what is accessed.
pub(crate) fn access_source_of_cast<const MEMREF: usize>(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cast = rw.op(op).operand(MEMREF).defining_op().filter(|op| op.name() == "memref.cast");
    let source = cast.map(|cast| cast.operand(0)).filter(|source| source.ty().shape().is_some());
    let Some(source) = source.map(dl_ir::ValueRef::id) else { return Err(NoMatch("the memref is no cast")) };
    rw.set_operand(op, MEMREF, source);
    Ok(())
}

/// Operands of a map that `affine.apply` computes become part of the map; see [`compose`](crate::compose).
struct ComposeOperands<T>(PhantomData<fn() -> T>);

/// The operand definition that holds the operands of the map: the last one.
fn map_operands(op: OpRef<'_>) -> (usize, Operands<'_>) {
    let group = op.def().map_or(0, |def| def.operands.len().saturating_sub(1));
    (group, op.operand_group(group))
}

impl<T: OpDefinition + 'static> Pattern for ComposeOperands<T> {
    const NAME: &'static str = "affine-compose-operands";
    const ROOT: Option<&'static str> = Some(T::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let Some(map) = view.attr("map").and_then(AttrRef::as_affine_map) else {
            return Err(NoMatch("has no map"));
        };
        let (group, operands) = map_operands(view);
        let (new_map, values) = compose(view, map, operands.iter());
        let values: Vec<ValueId> = values.into_iter().map(dl_ir::ValueRef::id).collect();
        if new_map == map && values[..] == operands.ids()[..] {
            return Err(NoMatch("is in canonical form"));
        }
        let cx = rw.cx();
        rw.set_operand_group(op, group, &values);
        rw.set_attr(op, cx.ident("map"), cx.affine_map_attr(new_map));
        Ok(())
    }
}
