//! Verifiers of atomic operations.

use dl_ir::{Diagnostic, OpRef, OpView, TypeRef};

use crate::{AtomicBinOp, AtomicCmpXchgOp, AtomicOrdering, AtomicRMWOp, types};

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
