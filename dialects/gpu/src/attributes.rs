//! What attributes of other dialects may stand for.

use dl_ir::AttrRef;
use dl_ir::constraints::leaves;

/// A target to compile for. Which attributes of other dialects are targets is not known.
pub(crate) fn is_target(attr: AttrRef<'_>) -> bool {
    leaves::is_dialect_attr(attr) && !attr.to_string().starts_with("#gpu")
}

/// What chooses among the objects of a binary.
pub(crate) fn is_offloading_handler(attr: AttrRef<'_>) -> bool {
    attr.is_dialect_attr("gpu.select_object") || is_target(attr)
}
