//! Slices: the first and the last element of each dimension are in the source.

use dl_arith::{AddIOp, CmpIPredicate, MulIOp, SubIOp};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::{DialectBuilder, OpId, OpState, ValueId};
use dl_memref::SubViewOp;
use dl_scf::{IfOp, YieldOp};
use dl_tensor::{ExtractSliceOp, InsertSliceOp};

use crate::{Checks, on};

pub(crate) fn attach(builder: &mut DialectBuilder) {
    on::<SubViewOp<'_>>(builder, |op, checks| in_bounds(op, 0, "subview", checks));
    on::<ExtractSliceOp<'_>>(builder, |op, checks| in_bounds(op, 0, "extract_slice", checks));
    on::<InsertSliceOp<'_>>(builder, |op, checks| in_bounds(op, 1, "insert_slice", checks));
}

/// The slice is one of the operand `base`. Where it is empty, it may begin at the end.
fn in_bounds(op: OpId, base: usize, name: &str, checks: &mut Checks<'_, '_>) {
    let Some(slice) = Slice::of(checks.op(op)) else { return };
    let of = checks.op(op).operand(base).id();
    let (zero, one) = (checks.constant_index(0), checks.constant_index(1));
    for dim in 0..slice.offsets.len() {
        let offset = checks.index(slice.offsets[dim]);
        let (size, stride) = (checks.index(slice.sizes[dim]), checks.index(slice.strides[dim]));
        let extent = checks.dim(of, dim);
        let is_empty = checks.compare(CmpIPredicate::Eq, size, zero);
        let begins = choice(
            checks,
            is_empty,
            |checks| checks.is_within(offset, extent, CmpIPredicate::Sle),
            |checks| checks.is_within(offset, extent, CmpIPredicate::Slt),
        );
        checks.require(begins, &format!("offset {dim} is out-of-bounds"));
        let has_last = checks.compare(CmpIPredicate::Sgt, size, zero);
        let ends = choice(
            checks,
            has_last,
            |checks| {
                let steps = checks.same::<SubIOp<'_>>(&[size, one]);
                let distance = checks.same::<MulIOp<'_>>(&[steps, stride]);
                let last = checks.same::<AddIOp<'_>>(&[offset, distance]);
                checks.is_within(last, extent, CmpIPredicate::Slt)
            },
            |checks| {
                let cx = checks.cx();
                checks.constant(cx.bool_attr(true), cx.i1_type())
            },
        );
        checks.require(ends, &format!("{name} runs out-of-bounds along dimension {dim}"));
    }
}

/// One of two truth values.
fn choice(
    checks: &mut Checks<'_, '_>,
    condition: ValueId,
    yes: impl FnOnce(&mut Checks<'_, '_>) -> ValueId,
    no: impl FnOnce(&mut Checks<'_, '_>) -> ValueId,
) -> ValueId {
    let (cx, loc, point) = (checks.cx(), checks.loc, checks.insertion_point());
    let (then_region, else_region) = (checks.new_region(), checks.new_region());
    let then_block = checks.append_block(then_region, &[]);
    checks.set_insertion_to_end(then_block);
    let value = yes(checks);
    checks.create(OpState::of::<YieldOp<'_>>(loc).operands([value]));
    let else_block = checks.append_block(else_region, &[]);
    checks.set_insertion_to_end(else_block);
    let value = no(checks);
    checks.create(OpState::of::<YieldOp<'_>>(loc).operands([value]));
    checks.set_insertion_point(point);
    let state = OpState::of::<IfOp<'_>>(loc).operands([condition]).results([cx.i1_type()]);
    checks.create_value(state.region(then_region).region(else_region))
}
