//! Loop nests as operations on vectors that hold all of their iterations: what `transform.structured.vectorize` makes of them.
//!
//! The pass `linalg-vectorize` makes loops over vectors of the width of registers. Here no loop is left: whoever asks for this has made the
//! nest small before, by tiling. A nest is read, computed and written as a whole, on tensors and on buffers. Vectors may be asked for that are larger
//! than the nest, or than is known of it; they are masked.
//!
//! The parts: `legality` says what can be done, `space` knows the vectors and their masks, `body` computes what stands in a nest on them, and
//! `extract` elements of tensors in it; `contraction` makes products of named ones, `copies` vectors of copied buffers. `relayout` is for what pads, packs and inserts tensors, `pads` for transfers of
//! what is padded. `ports`
//! reads and writes wholes.

mod body;
mod contraction;
mod copies;
mod extract;
mod legality;
mod pads;
mod ports;
mod relayout;
mod space;

pub(crate) use copies::vectorize_copy;
pub(crate) use pads::{add_pad_patterns, only_padding, padding_value};
pub(crate) use relayout::is_relayout;

use dl_affine::AffineApplyOp;
use dl_affine::expand::expand_map;
use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, Rewriter, ValueId};
use dl_linalg::LinalgOp;

use body::Body;
use contraction::{check_contraction, contract, is_contraction};
use space::Space;

/// What is asked for.
#[derive(Clone, Default, Debug)]
pub(crate) struct Request {
    /// The extents of the vectors, one for each loop; those of the nest where there are none.
    pub(crate) sizes: Vec<i64>,
    /// Which of them are multiples of what the machine has.
    pub(crate) scalable: Vec<bool>,
    /// Whether elements may be taken out of tensors of more than one dimension.
    pub(crate) extracts_of_any_rank: bool,
    /// Whether loops that run an unknown number of times are taken to fill the vectors.
    pub(crate) fills_dynamic: bool,
    /// Whether named products become contractions at once.
    pub(crate) contracts: bool,
}

/// Makes operations on vectors of `op`.
///
/// # Errors
/// Why that cannot be done; nothing has been changed then.
pub(crate) fn vectorize_whole(rw: &mut Rewriter<'_>, op: OpId, request: &Request) -> Rewrite {
    let Some(nest) = LinalgOp::of(rw.op(op)) else { return relayout::vectorize_relayout(rw, op, request) };
    legality::check(nest, request)?;
    let contracts = request.contracts && is_contraction(nest);
    if contracts {
        check_contraction(nest)?;
    } else {
        apply_by_arithmetic(rw, op);
    }
    let loc = rw.op(op).loc();
    let space = Space::new(Build::new(rw, loc), op, request).ok_or(NoMatch("an extent that is not known"))?;
    let results = if contracts { contract(space, op) } else { Body::new(space, op).compute() };
    rw.replace(op, &results);
    Ok(())
}

/// Makes arithmetic of maps that are applied in the body of `op`.
fn apply_by_arithmetic(rw: &mut Rewriter<'_>, op: OpId) {
    let body = LinalgOp::of(rw.op(op)).and_then(LinalgOp::body);
    let applies: Vec<OpId> = body
        .into_iter()
        .flat_map(|body| body.ops())
        .filter(|op| op.is::<AffineApplyOp<'_>>())
        .map(|op| op.id())
        .collect();
    for apply in applies {
        let view = rw.op(apply);
        let Some(map) = view.attr("map").and_then(|map| map.as_affine_map()) else { continue };
        let (operands, loc) = (view.operands().ids(), view.loc());
        rw.set_insertion_before(apply);
        let values: Vec<ValueId> = expand_map(&mut Build::new(rw, loc), map, &operands).to_vec();
        rw.replace(apply, &values);
    }
}
