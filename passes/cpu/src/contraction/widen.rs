//! Widening before: an input whose elements are broadcast is widened once, not again for each panel of columns.

use dl_ir::interfaces::Index;
use dl_ir::{DYNAMIC, Loc, OpDefinition, Rewriter, Type};
use dl_linalg::build::named_state;
use dl_linalg::{CopyOp, TypeFn};
use dl_passes_linalg::forms::generalized;

use super::shape::Contraction;

/// `of` with input `at` widened to `element` at the insertion point, as its body says. `None` where no copy does that.
pub(super) fn widened(
    rw: &mut Rewriter<'_>,
    of: &Contraction,
    at: usize,
    element: Type,
    loc: Loc,
) -> Option<Contraction> {
    let cast = match of.body.casts[at]? {
        "arith.extf" | "arith.extsi" => TypeFn::CastSigned,
        "arith.extui" => TypeFn::CastUnsigned,
        _ => return None,
    };
    let mut new = of.clone();
    let input = &mut new.inputs[at];
    let mut sizes = Vec::new();
    for (dim, &extent) in input.extents.iter().enumerate() {
        let known = extent != DYNAMIC;
        sizes.push(if known { Index::Static(extent) } else { dl_tensor::extent(rw, input.value, dim, loc) });
    }
    let wide = dl_tensor::build::empty(rw, &sizes, element, loc);
    let state = named_state(rw, CopyOp::NAME, &[input.value], &[wide], cast, loc).ok()?;
    // As a nest without a name it can be one with the nest that computes the input.
    let copy = rw.create(state);
    let nest = generalized(copy, rw).ok()?;
    rw.set_insertion_after(nest);
    input.value = rw.ir().result(nest, 0);
    input.element = element;
    new.body.casts[at] = None;
    Some(new)
}
