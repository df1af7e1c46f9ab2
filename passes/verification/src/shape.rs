//! Casts, reshapes and the like: the value has the shape, layout and alignment that the result's type says.

use dl_arith::{CmpIPredicate, RemSIOp, RemUIOp};
use dl_ir::interfaces::reassociation;
use dl_ir::types::StridedLayout;
use dl_ir::{DYNAMIC, DialectBuilder, OpId, OpState, OpView, ValueId};
use dl_memref::{
    AssumeAlignmentOp, CopyOp, DimOp, ExpandShapeOp, ExtractAlignedPointerAsIndexOp, ExtractStridedMetadataOp, RankOp,
};

use crate::{Checks, on};

pub(crate) fn attach(builder: &mut DialectBuilder) {
    on::<dl_memref::CastOp<'_>>(builder, cast);
    on::<dl_tensor::CastOp<'_>>(builder, cast);
    on::<CopyOp<'_>>(builder, copy);
    on::<DimOp<'_>>(builder, dim);
    on::<dl_tensor::DimOp<'_>>(builder, dim);
    on::<ExpandShapeOp<'_>>(builder, expand_shape);
    on::<AssumeAlignmentOp<'_>>(builder, alignment);
}

fn operand(op: OpId, at: usize, checks: &Checks<'_, '_>) -> ValueId {
    checks.op(op).operand(at).id()
}

fn require_equal(checks: &mut Checks<'_, '_>, value: ValueId, number: i64, what: &str) {
    let number = checks.constant_index(number);
    let same = checks.compare(CmpIPredicate::Eq, value, number);
    checks.require(same, what);
}

/// What is static in the result and dynamic in the source is the same in both.
fn cast(op: OpId, checks: &mut Checks<'_, '_>) {
    let cx = checks.cx();
    let source = operand(op, 0, checks);
    let (from, to) = (checks.value_type(source), checks.value_type(checks.ir().result(op, 0)));
    let Some(shape) = to.shape().map(<[i64]>::to_vec) else { return };
    if from.shape().is_none() {
        let rank = if to.is_memref() {
            checks.value::<RankOp<'_>>(&[source], cx.index_type())
        } else {
            checks.value::<dl_tensor::RankOp<'_>>(&[source], cx.index_type())
        };
        require_equal(checks, rank, shape.len() as i64, "rank mismatch");
    }
    let known = from.shape().map_or_else(|| vec![DYNAMIC; shape.len()], <[i64]>::to_vec);
    let ranked = from.shape().is_some();
    for (at, (&have, &want)) in known.iter().zip(&shape).enumerate() {
        if have == DYNAMIC && want != DYNAMIC {
            let extent = if ranked {
                checks.dim(source, at)
            } else {
                let at = checks.constant_index(at as i64);
                if to.is_memref() {
                    checks.value::<DimOp<'_>>(&[source, at], cx.index_type())
                } else {
                    checks.value::<dl_tensor::DimOp<'_>>(&[source, at], cx.index_type())
                }
            };
            require_equal(checks, extent, want, &format!("size mismatch of dim {at}"));
        }
    }
    if to.is_memref() {
        layout(op, source, checks);
    }
}

/// Offset and strides, which a memref without a static layout is asked for.
fn layout(op: OpId, source: ValueId, checks: &mut Checks<'_, '_>) {
    let (cx, loc) = (checks.cx(), checks.loc);
    let (from, to) = (checks.value_type(source), checks.value_type(checks.ir().result(op, 0)));
    let Some((rank, want)) = to.shape().map(<[i64]>::len).zip(to.strided_layout()) else { return };
    let unknown = StridedLayout { offset: DYNAMIC, strides: vec![DYNAMIC; rank] };
    let have = if from.shape().is_some() { from.strided_layout() } else { Some(unknown.clone()) };
    let Some(have) = have else { return };
    let differs = |have: i64, want: i64| have == DYNAMIC && want != DYNAMIC;
    let offset = differs(have.offset, want.offset);
    let strides: Vec<usize> = (0..rank).filter(|&at| differs(have.strides[at], want.strides[at])).collect();
    if !offset && strides.is_empty() {
        return;
    }
    // A memref whose type says nothing can be looked at in any case.
    let element = to.element_or_self().id();
    let space = to.memory_space().map(|space| space.id());
    let ty = cx.strided_memref_type(&vec![DYNAMIC; rank], element, &unknown, space);
    let general = checks.value::<dl_memref::CastOp<'_>>(&[source], ty);
    let data = checks.create(OpState::of::<ExtractStridedMetadataOp<'_>>(loc).operands([general]));
    let values: Vec<ValueId> = checks.ir().results(data).collect();
    if offset {
        require_equal(checks, values[1], want.offset, "offset mismatch");
    }
    for at in strides {
        require_equal(checks, values[2 + rank + at], want.strides[at], &format!("stride mismatch of dim {at}"));
    }
}

/// Both buffers have the same shape.
fn copy(op: OpId, checks: &mut Checks<'_, '_>) {
    let (source, target) = (operand(op, 0, checks), operand(op, 1, checks));
    let extents = |value| checks.value_type(value).shape().map(<[i64]>::to_vec);
    let Some((from, to)) = extents(source).zip(extents(target)) else { return };
    for (at, (have, want)) in from.into_iter().zip(to).enumerate() {
        if have == DYNAMIC || want == DYNAMIC {
            let (have, want) = (checks.dim(source, at), checks.dim(target, at));
            let same = checks.compare(CmpIPredicate::Eq, have, want);
            checks.require(same, &format!("size of {at}-th source/target dim does not match"));
        }
    }
}

/// There is a dimension of that number.
fn dim(op: OpId, checks: &mut Checks<'_, '_>) {
    let (source, index) = (operand(op, 0, checks), operand(op, 1, checks));
    let cx = checks.cx();
    let rank = if checks.value_type(source).is_memref() {
        checks.value::<RankOp<'_>>(&[source], cx.index_type())
    } else {
        checks.value::<dl_tensor::RankOp<'_>>(&[source], cx.index_type())
    };
    let is_within = checks.is_within(index, rank, CmpIPredicate::Slt);
    checks.require(is_within, "index is out of bounds");
}

/// The static extents of a group divide the extent that they are made of.
fn expand_shape(op: OpId, checks: &mut Checks<'_, '_>) {
    let source = operand(op, 0, checks);
    let shape = checks.value_type(checks.ir().result(op, 0)).shape().unwrap_or_default().to_vec();
    let from = checks.value_type(source).shape().unwrap_or_default().to_vec();
    for (at, group) in reassociation::groups_of(checks.op(op)).into_iter().enumerate() {
        let known = group.iter().map(|&dim| shape[dim]).filter(|&size| size != DYNAMIC);
        let Some(product) = known.reduce(i64::saturating_mul).filter(|&product| product > 0) else { continue };
        if from.get(at) != Some(&DYNAMIC) {
            continue;
        }
        let extent = checks.dim(source, at);
        let product = checks.constant_index(product);
        let rest = checks.same::<RemSIOp<'_>>(&[extent, product]);
        require_equal(checks, rest, 0, "static result dims in reassoc group do not divide src dim evenly");
    }
}

/// The address is a multiple.
fn alignment(op: OpId, checks: &mut Checks<'_, '_>) {
    let (memref, cx) = (operand(op, 0, checks), checks.cx());
    let Some(alignment) = AssumeAlignmentOp::wrap(checks.op(op)).alignment().as_int() else { return };
    let address = checks.value::<ExtractAlignedPointerAsIndexOp<'_>>(&[memref], cx.index_type());
    let number = checks.constant_index(alignment);
    let rest = checks.same::<RemUIOp<'_>>(&[address, number]);
    require_equal(checks, rest, 0, &format!("memref is not aligned to {alignment}"));
}
