//! Constant folding.

use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, OpRef};

/// A function constant is its symbol.
pub(crate) fn fold_constant(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    folded(op.attr("value")?.id())
}
