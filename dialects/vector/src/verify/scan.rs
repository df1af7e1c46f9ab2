//! Combining the elements along one dimension, step by step.

use dl_ir::OpRef;

use super::contract::kind_fits;
use super::{Verified, extents};
use crate::ScanOp;

/// The initial value has the extents of the source but the one that is reduced.
pub(crate) fn scan(op: OpRef<'_>) -> Verified {
    let scan = ScanOp(op);
    let (source, initial) = (scan.source().ty(), scan.initial_value().ty());
    let (shape, given) = (extents(source), extents(initial));
    let reduced = scan.reduction_dim().as_int().unwrap_or(0);
    let Some(dim) = usize::try_from(reduced).ok().filter(|&dim| dim < shape.len()) else {
        return Err(op.error(format_args!("reduction dimension {reduced} has to be less than {}", shape.len())));
    };
    if given.len() + 1 != shape.len() {
        let message = format!("initial value rank {} has to be equal to {}", given.len(), shape.len() - 1);
        return Err(op.error(message));
    }
    if [&shape[..dim], &shape[dim + 1..]].concat() != given {
        return Err(op.error("incompatible input/initial value shapes"));
    }
    kind_fits(op, source.element_or_self())
}
