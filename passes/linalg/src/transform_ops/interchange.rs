//! `transform.structured.interchange`: the loops of a general nest in another order.

use dl_ir::{Attr, DialectBuilder, OpRef, OpView};
use dl_linalg::{GenericOp, IndexOp, LinalgOp};
use dl_passes_schedules::{Each, Entity, Failure, Interpreter, PayloadOp, Transformation};
use dl_transform::InterchangeOp;

use super::forms::wrong_kind;

pub(super) fn attach(builder: &mut DialectBuilder) {
    builder.on::<InterchangeOp<'_>>().interface::<dyn Transformation>(Each::consuming(interchange));
}

fn interchange<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    let view = run.op(target);
    let Some(nest) = LinalgOp::of(view).filter(|_| view.is::<GenericOp<'_>>()) else {
        return Err(wrong_kind(op, view));
    };
    let order: Vec<i64> = InterchangeOp::wrap(op).iterator_interchange().dense_ints().collect();
    if order.is_empty() {
        return Ok(vec![Entity::Op(target)]);
    }
    let loops = nest.num_loops();
    if order.len() != loops {
        let message = format!(
            "\"iterator_interchange\" has length ({}) different from the number of loops in the target operation ({loops})",
            order.len()
        );
        return Err(Failure::silenceable(op, message));
    }
    // The verifier has made sure that it is a permutation.
    let order: Vec<usize> = order.into_iter().map(|at| at as usize).collect();
    let (cx, affine) = (run.cx(), run.cx().affine());
    let place = |at: usize| order.iter().position(|&old| old == at).unwrap_or(at);
    let dims: Vec<_> = (0..loops).map(|at| affine.dim(place(at) as u32)).collect();
    let maps: Vec<Attr> = nest
        .indexing_maps()
        .into_iter()
        .map(|map| cx.affine_map_attr(affine.replace_dims_and_symbols(map, &dims, &[], loops as u32, 0)))
        .collect();
    let old = nest.iterator_types();
    let iterators: Vec<Attr> = order.iter().map(|&at| old[at].attr(cx)).collect();
    let indices: Vec<(dl_ir::OpId, i64)> = nest
        .body()
        .into_iter()
        .flat_map(|body| body.ops())
        .filter(|op| op.is::<IndexOp<'_>>())
        .filter_map(|op| Some((op.id(), op.attr("dim")?.as_int()?)))
        .collect();
    run.rewrite(target.arena, |rw| {
        rw.set_attr(target.id, cx.ident("indexing_maps"), cx.array_attr(&maps));
        rw.set_attr(target.id, cx.ident("iterator_types"), cx.array_attr(&iterators));
        for (index, dim) in indices {
            let dim = place(dim as usize) as i64;
            rw.set_attr(index, cx.ident("dim"), cx.i64_attr(dim));
        }
    });
    Ok(vec![Entity::Op(target)])
}
