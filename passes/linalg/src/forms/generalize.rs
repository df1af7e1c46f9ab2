//! Named operations and categories become `linalg.generic`.

use dl_ir::dialect::OpInfo;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, Rewriter, ValueId};
use dl_linalg::{GenericOp, LinalgOp, LinalgStructured};

use crate::generic::Generic;

/// Replaces a loop nest by the `linalg.generic` with its maps, iterators and body. Other attributes are not kept.
///
/// # Errors
/// Where the operation is no loop nest with a body, or general already.
pub fn generalize(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    generalized(op, rw).map(|_| ())
}

/// The same; answers the new operation.
///
/// # Errors
/// As for [`generalize`].
pub fn generalized(op: OpId, rw: &mut Rewriter<'_>) -> Result<OpId, NoMatch> {
    let cx = rw.cx();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    if view.is::<GenericOp<'_>>() {
        return Err(NoMatch("general already"));
    }
    if view.num_regions() != 1 || nest.body().is_none() {
        return Err(NoMatch("no body"));
    }
    let iterators: Vec<Attr> = nest.iterator_types().into_iter().map(|iterator| iterator.attr(cx)).collect();
    let inits: Vec<ValueId> = nest.inits().iter().map(|init| init.id()).collect();
    let results = if has_pure_tensor_semantics(view) { view.results().types().to_vec() } else { Vec::new() };
    let generic = Generic {
        loc: view.loc(),
        inputs: nest.inputs().map(|input| input.id()).collect(),
        inits,
        maps: nest.indexing_maps(),
        iterators: Some(cx.array_attr(&iterators)),
        results,
    };
    let body = view.region(0).id();
    rw.set_insertion_before(op);
    let new = generic.create_with_body_of(rw, body);
    let results: Vec<ValueId> = rw.ir().results(new).collect();
    rw.replace(op, &results);
    Ok(new)
}

fn is_named(info: &OpInfo) -> bool {
    info.interface::<dyn LinalgStructured>().is_some() && &*info.name != GenericOp::NAME
}

/// Adds the pattern that makes operations general.
pub(crate) fn add_patterns(patterns: &mut Patterns) {
    patterns.add_fn_where("linalg-generalize", is_named, generalize);
}
