//! Ranges that are given, and ranges that are found out.

use dl_ir::int_range::IntRange;
use dl_ir::interfaces::{InferIntRange, RecordRanges};
use dl_ir::number::ApInt;
use dl_ir::types::Signedness;
use dl_ir::{OpId, OpRef, Rewriter, TypeData, TypeRef, ValueRef};

/// The range in the attributes.
pub(crate) struct Bounds;

impl InferIntRange for Bounds {
    fn infer_ranges(&self, op: OpRef<'_>, _: &[Option<IntRange>], set: &mut dyn FnMut(ValueRef<'_>, IntRange)) {
        let Some(width) = IntRange::width_of(op.result(0).ty()) else { return };
        let bound = |name| op.attr(name)?.as_ap_int().filter(|bound| bound.width() == width).cloned();
        if let (Some(umin), Some(umax), Some(smin), Some(smax)) =
            (bound("umin"), bound("umax"), bound("smin"), bound("smax"))
        {
            set(op.result(0), IntRange::new(umin, umax, smin, smax));
        }
    }
}

/// The range of the operand.
pub(crate) struct Reflection;

impl InferIntRange for Reflection {
    fn infer_ranges(&self, op: OpRef<'_>, operands: &[Option<IntRange>], set: &mut dyn FnMut(ValueRef<'_>, IntRange)) {
        if let Some(range) = operands.first().cloned().flatten() {
            set(op.result(0), range);
        }
    }
}

impl RecordRanges for Reflection {
    fn record_ranges(&self, rw: &mut Rewriter<'_>, op: OpId, operands: &[Option<IntRange>]) {
        let Some(range) = operands.first().and_then(Option::as_ref) else { return };
        let cx = rw.cx();
        let element = rw.op(op).operand(0).ty().element_or_self().id();
        let element: TypeRef<'_> = cx.ty(element);
        // Bounds of an index are indices; those of other integers say how they are read.
        let (signed, unsigned) = match element.int_width().filter(|_| !element.is_index()) {
            Some(width) => {
                let of = |signedness| cx.intern_type(TypeData::Integer { width, signedness });
                (of(Signedness::Signed), of(Signedness::Unsigned))
            }
            None => (element.id(), element.id()),
        };
        let mut set = |name: &str, ty, bound: &ApInt| {
            let attr = cx.ap_int_attr(ty, bound.clone());
            rw.set_attr(op, cx.ident(name), attr);
        };
        set("umin", unsigned, range.umin());
        set("umax", unsigned, range.umax());
        set("smin", signed, range.smin());
        set("smax", signed, range.smax());
    }
}
