//! Allocations that can become values, or be split.

mod copies;
mod forwards;
mod promote;
mod split;

use dl_ir::interfaces::{DestructurableAccess, DestructurableAllocation, PromotableAccess, PromotableAllocation};
use dl_ir::{DialectBuilder, OpRef};

use crate::{
    AddrSpaceCastOp, AllocaOp, BitcastOp, DbgDeclareOp, DbgValueOp, GEPOp, InvariantEndOp, InvariantStartOp,
    LaunderInvariantGroupOp, LifetimeEndOp, LifetimeStartOp, LoadOp, MemcpyInlineOp, MemcpyOp, MemmoveOp,
    MemsetInlineOp, MemsetOp, StoreOp, StripInvariantGroupOp,
};

/// Says of each operation what it does with memory that may become values.
pub(crate) fn register(b: &mut DialectBuilder) {
    macro_rules! both {
        ($access:expr => $($op:ident)*) => {
            $(b.on::<$op<'_>>()
                .interface::<dyn PromotableAccess>(Box::new($access))
                .interface::<dyn DestructurableAccess>(Box::new($access));)*
        };
    }
    b.on::<AllocaOp<'_>>()
        .interface::<dyn PromotableAllocation>(Box::new(promote::Alloca))
        .interface::<dyn DestructurableAllocation>(Box::new(split::Alloca));
    both!(promote::Load => LoadOp);
    both!(promote::Store => StoreOp);
    both!(copies::Fill => MemsetOp MemsetInlineOp);
    both!(copies::Copy => MemcpyOp MemcpyInlineOp MemmoveOp);
    both!(forwards::Forward => AddrSpaceCastOp BitcastOp InvariantEndOp InvariantStartOp LaunderInvariantGroupOp
        LifetimeEndOp LifetimeStartOp StripInvariantGroupOp);
    both!(forwards::Declare => DbgDeclareOp);
    both!(forwards::DebugValue => DbgValueOp);
    both!(split::Gep => GEPOp);
}

/// How many bytes `op`, which fills or copies memory, is about, where that is known.
fn length(op: OpRef<'_>) -> Option<u64> {
    let operand = op.cast::<MemsetOp<'_>>().map(MemsetOp::len);
    let operand = operand.or_else(|| op.cast::<MemcpyOp<'_>>().map(MemcpyOp::len));
    let operand = operand.or_else(|| op.cast::<MemmoveOp<'_>>().map(MemmoveOp::len));
    let known = match operand {
        Some(operand) => operand.constant()?,
        None => op.attr("len")?,
    };
    known.as_ap_int()?.to_u64()
}

/// Whether `op` fills or copies memory.
fn is_copy(op: OpRef<'_>) -> bool {
    op.is::<MemsetOp<'_>>()
        || op.is::<MemsetInlineOp<'_>>()
        || op.is::<MemcpyOp<'_>>()
        || op.is::<MemcpyInlineOp<'_>>()
        || op.is::<MemmoveOp<'_>>()
}

/// Whether `op`, which fills or copies memory, must be done just as it is.
fn is_volatile(op: OpRef<'_>) -> bool {
    op.attr("isVolatile").and_then(dl_ir::AttrRef::as_bool) != Some(false)
}
