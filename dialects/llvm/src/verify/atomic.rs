//! Verifiers of atomic operations.

use dl_ir::{Diagnostic, OpRef, OpView, TypeRef};

use super::verify_dereferenceable;
use crate::{AtomicBinOp, AtomicCmpXchgOp, AtomicOrdering, AtomicRMWOp, FenceOp, types};

type Verified = Result<(), Diagnostic>;

/// An integer whose width the hardware may exchange: 8 bits and more, a power of two.
fn is_exchangeable_integer(ty: TypeRef<'_>) -> bool {
    ty.is_signless_integer() && ty.int_width().is_some_and(|width| width >= 8 && width.is_power_of_two())
}

pub(crate) fn verify_rmw(op: OpRef<'_>) -> Verified {
    use AtomicBinOp::{Fadd, Fmax, Fmaximum, Fmin, Fminimum, Fsub, Xchg};
    let view = AtomicRMWOp::wrap(op);
    let ty = view.val().ty();
    let of_floats = [Fadd, Fsub, Fmin, Fmax, Fminimum, Fmaximum];
    let bin_op = AtomicBinOp::from_attr(view.bin_op());
    if bin_op.is_some_and(|bin_op| of_floats.contains(&bin_op)) {
        let element = ty.element_or_self();
        if ty.is_vector() && !types::is_float(element) {
            return Err(op.error("expected LLVM IR floating point type for vector element"));
        }
        return if types::is_float(element) { Ok(()) } else { Err(op.error("expected LLVM IR floating point type")) };
    }
    if bin_op == Some(Xchg) {
        let fits = is_exchangeable_integer(ty) || types::is_float(ty) || types::is_ptr(ty);
        return if fits { Ok(()) } else { Err(op.error("unexpected LLVM IR type for 'xchg' bin_op")) };
    }
    if is_exchangeable_integer(ty) { Ok(()) } else { Err(op.error("expected LLVM IR integer type")) }
}

pub(crate) fn verify_cmpxchg(op: OpRef<'_>) -> Verified {
    let view = AtomicCmpXchgOp::wrap(op);
    let ty = view.val().ty();
    if !types::is_ptr(ty) && !is_exchangeable_integer(ty) && !types::is_float(ty) {
        return Err(op.error("unexpected LLVM IR type"));
    }
    let success = AtomicOrdering::from_attr(view.success_ordering());
    let failure = AtomicOrdering::from_attr(view.failure_ordering());
    if [success, failure].iter().any(|&ordering| ordering < Some(AtomicOrdering::Monotonic)) {
        return Err(op.error("ordering must be at least 'monotonic'"));
    }
    if matches!(failure, Some(AtomicOrdering::Release | AtomicOrdering::AcqRel)) {
        return Err(op.error("failure ordering cannot be 'release' or 'acq_rel'"));
    }
    Ok(())
}

/// A fence orders something.
pub(crate) fn verify_fence(op: OpRef<'_>) -> Verified {
    match AtomicOrdering::from_attr(FenceOp::wrap(op).ordering()) {
        Some(AtomicOrdering::NotAtomic | AtomicOrdering::Unordered | AtomicOrdering::Monotonic) => {
            Err(op.error("can be given only acquire, release, acq_rel, and seq_cst orderings"))
        }
        _ => Ok(()),
    }
}

/// What is loaded: if atomically, without ordering what was before, which only stores do.
pub(crate) fn verify_load(op: OpRef<'_>) -> Verified {
    verify_dereferenceable(op)?;
    verify_access(op, op.result(0).ty(), AtomicOrdering::Release)
}

/// What is stored: if atomically, without ordering what comes after, which only loads do.
pub(crate) fn verify_store(op: OpRef<'_>) -> Verified {
    verify_access(op, op.operand(0).ty(), AtomicOrdering::Acquire)
}

/// An access to memory that may be atomic; `never` is the ordering that it cannot have.
fn verify_access(op: OpRef<'_>, ty: TypeRef<'_>, never: AtomicOrdering) -> Verified {
    let ordering = op.attr("ordering").and_then(AtomicOrdering::from_attr).unwrap_or(AtomicOrdering::NotAtomic);
    if ordering == AtomicOrdering::NotAtomic {
        return match op.attr("syncscope") {
            None => Ok(()),
            Some(_) => Err(op.error("expected syncscope to be null for non-atomic access")),
        };
    }
    let is_float = types::is_float(ty) && ty.float_kind().is_some_and(|kind| kind.width().is_power_of_two());
    if !types::is_ptr(ty) && !is_exchangeable_integer(ty) && !is_float {
        return Err(op.error(format_args!("unsupported type '{ty}' for atomic access")));
    }
    if ordering == never || ordering == AtomicOrdering::AcqRel {
        return Err(op.error(format_args!("unsupported ordering '{}'", ordering.keyword())));
    }
    if op.attr("alignment").is_none() {
        return Err(op.error("expected alignment for atomic access"));
    }
    Ok(())
}
