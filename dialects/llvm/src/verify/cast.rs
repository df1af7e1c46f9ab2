//! Verifiers of casts.

use dl_ir::{Diagnostic, OpRef, TypeRef};

use super::Verified;
use crate::types;

/// Pointers become pointers of the same address space, as many as there are.
pub(crate) fn verify_bitcast(op: OpRef<'_>) -> Verified {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let (source, result) = (from.element_or_self(), to.element_or_self());
    if types::is_ptr(source) != types::is_ptr(result) {
        return Err(op.error("can only cast pointers from and to pointers"));
    }
    if !types::is_ptr(source) {
        return Ok(());
    }
    match (from.is_vector(), to.is_vector()) {
        (false, true) => return Err(op.error("cannot cast pointer to vector of pointers")),
        (true, false) => return Err(op.error("cannot cast vector of pointers to pointer")),
        _ => {}
    }
    if source == result {
        return Ok(());
    }
    Err(op.error("cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead"))
}

/// Integers become wider, each by itself.
pub(crate) fn verify_extension(op: OpRef<'_>) -> Verified {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let fail = |message: &str| Err(Diagnostic::error(op.loc(), message));
    match (from.is_vector(), to.is_vector()) {
        (true, false) => return fail("input type is a vector but output type is an integer"),
        (false, true) => return fail("input type is an integer but output type is a vector"),
        (true, true) if (from.shape(), from.scalable_dims()) != (to.shape(), to.scalable_dims()) => {
            return fail("input and output vectors are of incompatible shape");
        }
        _ => {}
    }
    let width = |ty: TypeRef<'_>| ty.element_or_self().int_or_float_width();
    if width(to) <= width(from) {
        return fail("integer width of the output type is smaller or equal to the integer width of the input type");
    }
    Ok(())
}
