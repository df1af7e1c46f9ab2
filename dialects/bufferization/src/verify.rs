//! What definitions do not say about valid operations.

use dl_ir::dialect::SignatureAttr;
use dl_ir::effects::effects_of;
use dl_ir::opdef::Effects;
use dl_ir::{AttrRef, DYNAMIC, Diagnostic, OpRef};

use crate::{AllocTensorOp, DeallocOp, MaterializeInDestinationOp};

/// Sizes for the dynamic extents, or a tensor of the same type to copy.
pub(crate) fn alloc_tensor(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let view = AllocTensorOp(op);
    let (given, expected) = (view.dynamic_sizes().len(), op.result(0).ty().num_dynamic_dims());
    match view.copy() {
        Some(_) if given != 0 => Err(op.error("dynamic sizes not needed when copying a tensor")),
        Some(copy) if copy.ty() != op.result(0).ty() => Err(op.error("expected that `copy` and return type match")),
        None if given != expected => {
            Err(op.error(format_args!("incorrect number of dynamic sizes, has {given}, expected {expected}")))
        }
        _ => Ok(()),
    }
}

/// A tensor gives a result, a buffer does not and is written; shapes agree.
pub(crate) fn materialize_in_destination(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let view = MaterializeInDestinationOp(op);
    let (source, dest) = (view.source().ty(), view.dest().ty());
    if !dest.is_tensor() && !dest.is_memref() {
        return Err(op.error("'dest' must be a tensor or a memref"));
    }
    if dest.is_tensor() {
        if op.num_results() != 1 {
            return Err(op.error("tensor 'dest' implies exactly one tensor result"));
        }
        if dest != op.result(0).ty() {
            return Err(op.error("result and 'dest' types must match"));
        }
    }
    if dest.is_memref() && op.num_results() != 0 {
        return Err(op.error("memref 'dest' implies zero results"));
    }
    if view.restrict().is_some() && !dest.is_memref() {
        return Err(op.error("'restrict' is valid only for memref destinations"));
    }
    if view.writable().is_some() != dest.is_memref() {
        return Err(op.error("'writable' must be specified if and only if the destination is of memref type"));
    }
    match (source.shape(), dest.shape()) {
        (None, None) => Ok(()),
        (Some(a), Some(b)) if a.len() != b.len() => Err(op.error("rank mismatch between source and destination shape")),
        (Some(a), Some(b)) if a.iter().zip(b).all(|(&a, &b)| a == DYNAMIC || b == DYNAMIC || a == b) => Ok(()),
        _ => Err(op.error("source/destination shapes are incompatible")),
    }
}

/// A condition for each buffer, and a new one for each that is retained.
pub(crate) fn dealloc(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let view = DeallocOp(op);
    if view.memrefs().len() != view.conditions().len() {
        return Err(op.error("must have the same number of conditions as memrefs to deallocate"));
    }
    if view.retained().len() != view.updated_conditions().len() {
        return Err(op.error("must have the same number of updated conditions (results) as retained operands"));
    }
    Ok(())
}

/// Attributes of this dialect on operations of any dialect: memory that the program frees by itself.
pub(crate) fn op_attr(op: OpRef<'_>, name: &str, _: AttrRef<'_>) -> Result<(), Diagnostic> {
    if name != "bufferization.manual_deallocation" {
        let message = format!("attribute '\"{name}\"' not supported as an op attribute by the bufferization dialect");
        return Err(Diagnostic::error(op.loc(), message));
    }
    match effects_of(op) {
        Some(effects) if effects.contains(Effects::ALLOCATE) || effects.contains(Effects::FREE) => Ok(()),
        _ => Err(op.error(format_args!(
            "attribute '{name}' can be used only on ops that have an allocation and/or free side effect"
        ))),
    }
}

/// What a function says of the buffer that an argument will be.
pub(crate) fn signature_attr(function: OpRef<'_>, attr: SignatureAttr<'_>) -> Result<(), String> {
    let SignatureAttr { name, value, .. } = attr;
    let is_external = || function.regions().all(|region| region.is_empty());
    match name {
        _ if attr.is_result => Ok(()),
        "bufferization.writable" if value.as_bool().is_none() => {
            Err(format!("'{name}' is expected to be a boolean attribute"))
        }
        "bufferization.writable" if is_external() => Err(format!("'{name}' is invalid on external functions")),
        "bufferization.access" => match value.as_str() {
            None => Err(format!("'{name}' is expected to be a string attribute")),
            Some("none" | "read" | "write" | "read-write") => Ok(()),
            Some(_) => Err(format!("invalid value for '{name}'")),
        },
        "bufferization.buffer_layout" if value.as_affine_map().is_none() && !value.is_strided() => {
            Err(format!("'{name}' is expected to be a memref layout attribute"))
        }
        "bufferization.writable" | "bufferization.buffer_layout" => Ok(()),
        _ => Err(format!("attribute '{name}' not supported as a region arg attribute by the bufferization dialect")),
    }
}
