//! `tensor`: operations that make a tensor element by element get a new buffer and fill it.

use dl_ir::interfaces::index_list::{Index, mixed, split};
use dl_ir::{BlockId, DYNAMIC, Diagnostic, DialectBuilder, Loc, OpId, OpState, RegionId, ValueId, ValueRef};
use dl_linalg::{IndexOp, MapOp};
use dl_tensor::{FromElementsOp, GenerateOp, InsertSliceOp, PadOp, SplatOp};
use smallvec::SmallVec;

use super::tensor::new_tensor;
use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::bufferizer::Bufferizer;
use crate::bufferize::operand::AliasingValues;

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<FromElementsOp<'_>>(builder, FromElements);
    model::<GenerateOp<'_>>(builder, Generate);
    model::<PadOp<'_>>(builder, Pad);
    model::<SplatOp<'_>>(builder, Splat);
}

/// Stores of all elements.
struct FromElements;

impl Bufferizable for FromElements {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn allocates(&self, _: ValueRef<'_>) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, elements) = (view.loc(), view.operands().ids());
        let shape: SmallVec<[i64; 4]> = view.result(0).ty().shape().unwrap_or_default().into();
        let tensor = new_tensor(op, bz)?;
        let ty = bz.buffer_type(tensor)?;
        bz.rw.set_insertion_before(op);
        let buffer = bz.to_buffer(loc, tensor, ty);
        let most = shape.iter().copied().max().unwrap_or(0);
        let most = if elements.is_empty() { 0 } else { most };
        let constants: Vec<ValueId> = (0..most).map(|i| bz.index(loc, i)).collect();
        for (number, element) in elements.into_iter().enumerate() {
            let (mut rest, mut indices) = (number, SmallVec::<[ValueId; 4]>::new());
            for &extent in shape.iter().rev() {
                let extent = usize::try_from(extent).unwrap_or(1).max(1);
                indices.push(constants[rest % extent]);
                rest /= extent;
            }
            indices.reverse();
            let store = OpState::of::<dl_memref::StoreOp<'_>>(loc).operands([element, buffer]).operands(indices);
            bz.rw.create(store);
        }
        bz.replace(op, &[buffer]);
        Ok(())
    }
}

/// A `linalg.map` without inputs whose body computes elements from their position, on a new tensor before `op`: the body of
/// `region`, which is used up.
fn map_positions(op: OpId, bz: &mut Bufferizer<'_>, region: RegionId, tensor: ValueId) -> Result<ValueId, Diagnostic> {
    let (loc, ty) = (bz.rw.op(op).loc(), bz.rw.value_type(tensor));
    bz.rw.set_insertion_before(op);
    let body = bz.rw.new_region();
    let state = OpState::of::<MapOp<'_>>(loc).operands([tensor]).results([ty.id()]).region(body);
    let map = bz.rw.create_value(state);
    let element = ty.element_or_self().id();
    let block = bz.rw.append_block(body, &[element]);
    bz.rw.set_insertion_to_end(block);
    let indices: Vec<ValueId> = (0..ty.rank().unwrap_or(0)).map(|dim| index(bz, loc, dim)).collect();
    let Some(from) = bz.rw.ir().entry_block(region) else { return Err(bz.rw.op(op).error("unsupported: no body")) };
    move_body(bz, from, block, &indices);
    Ok(map)
}

fn index(bz: &mut Bufferizer<'_>, loc: Loc, dim: usize) -> ValueId {
    let cx = bz.cx();
    let state = OpState::of::<IndexOp<'_>>(loc).attr(cx, "dim", cx.i64_attr(dim as i64)).results([cx.index_type()]);
    bz.rw.create_value(state)
}

/// Moves the operations of `from` to the end of `to`; its arguments become `values`, its `tensor.yield` a `linalg.yield`.
fn move_body(bz: &mut Bufferizer<'_>, from: BlockId, to: BlockId, values: &[ValueId]) {
    let last = bz.rw.ir().last_op(from);
    bz.rw.inline_block(from, dl_ir::InsertPoint { block: to, before: None }, values);
    if let Some(last) = last {
        let (loc, operands) = (bz.rw.op(last).loc(), bz.rw.op(last).operands().ids());
        bz.rw.erase(last);
        bz.rw.set_insertion_to_end(to);
        bz.rw.create(OpState::of::<dl_linalg::YieldOp<'_>>(loc).operands(operands));
    }
}

/// Elements computed from their position.
struct Generate;

impl Bufferizable for Generate {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn allocates(&self, _: ValueRef<'_>) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let region = bz.rw.op(op).region(0).id();
        let tensor = sized_tensor(op, bz)?;
        let map = map_positions(op, bz, region, tensor)?;
        bz.rw.replace(op, &[map]);
        Ok(())
    }
}

/// A new tensor of the type of the result of `op`, whose operands are its dynamic extents.
fn sized_tensor(op: OpId, bz: &mut Bufferizer<'_>) -> Result<ValueId, Diagnostic> {
    let sizes = bz.rw.op(op).operands().ids();
    allocate(op, bz, &sizes)
}

/// A new tensor of the type of the result of `op` with these dynamic extents.
fn allocate(op: OpId, bz: &mut Bufferizer<'_>, sizes: &[ValueId]) -> Result<ValueId, Diagnostic> {
    let (cx, view) = (bz.cx(), bz.rw.op(op));
    let (loc, ty) = (view.loc(), view.result(0).ty().id());
    let space = bz.types().memory_space(view.result(0))?;
    bz.rw.set_insertion_before(op);
    let state = OpState::of::<dl_bufferization::AllocTensorOp<'_>>(loc)
        .operands(sizes.iter().copied())
        .operand_segments(cx, &[sizes.len(), 0, 0])
        .maybe_attr(cx, "memory_space", space)
        .results([ty]);
    Ok(bz.rw.create_value(state))
}

/// One value everywhere: a `linalg.map` that yields it.
struct Splat;

impl Bufferizable for Splat {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn allocates(&self, _: ValueRef<'_>) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, value, sizes) = (view.loc(), view.operand(0).id(), view.operands().ids()[1..].to_vec());
        let ty = view.result(0).ty().id();
        let tensor = allocate(op, bz, &sizes)?;
        let body = bz.rw.new_region();
        let state = OpState::of::<MapOp<'_>>(loc).operands([tensor]).results([ty]).region(body);
        let map = bz.rw.create_value(state);
        let element = bz.rw.value_type(value).id();
        let block = bz.rw.append_block(body, &[element]);
        bz.rw.set_insertion_to_end(block);
        bz.rw.create(OpState::of::<dl_linalg::YieldOp<'_>>(loc).operands([value]));
        bz.rw.replace(op, &[map]);
        Ok(())
    }
}

/// The padding everywhere, then the source in the middle.
struct Pad;

impl Bufferizable for Pad {
    access!(|operand, state| reads: true, writes: false, aliases: AliasingValues::new());

    fn allocates(&self, _: ValueRef<'_>) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let (cx, view) = (bz.cx(), bz.rw.op(op));
        let pad = PadOp(view);
        let (loc, source, region) = (view.loc(), pad.source().id(), pad.region().id());
        let constants = |attr: dl_ir::AttrRef<'_>| attr.as_i64_array().unwrap_or_default();
        let low = mixed(&constants(pad.static_low()), pad.low());
        let high = mixed(&constants(pad.static_high()), pad.high());
        let result: Vec<i64> = view.result(0).ty().shape().unwrap_or_default().to_vec();
        let ty = view.result(0).ty().id();
        let from: Vec<i64> = bz.rw.value_type(source).shape().unwrap_or_default().to_vec();
        bz.rw.set_insertion_before(op);
        let mut sizes = Vec::new();
        for (i, _) in result.iter().enumerate().filter(|(_, extent)| **extent == DYNAMIC) {
            let extent = tensor_dim(bz, loc, source, i);
            let parts = [extent, value(bz, loc, low[i]), value(bz, loc, high[i])];
            let affine = cx.affine();
            let sum = affine.add(affine.add(affine.symbol(0), affine.symbol(1)), affine.symbol(2));
            let map = cx.affine_map_attr(affine.intern_map(0, 3, [sum]));
            let state = OpState::of::<dl_affine::AffineApplyOp<'_>>(loc).attr(cx, "map", map).operands(parts);
            sizes.push(bz.rw.create_value(state.results([cx.index_type()])));
        }
        let tensor = allocate(op, bz, &sizes)?;
        let filled = map_positions(op, bz, region, tensor)?;
        bz.rw.set_insertion_before(op);
        let extents: SmallVec<[Index; 4]> = from
            .iter()
            .enumerate()
            .map(|(i, &extent)| match extent {
                DYNAMIC => Index::Value(tensor_dim(bz, loc, source, i)),
                extent => Index::Static(extent),
            })
            .collect();
        let strides: SmallVec<[Index; 4]> = from.iter().map(|_| Index::Static(1)).collect();
        let lists = [&low, &extents, &strides].map(|list| split(list));
        let mut state = OpState::of::<InsertSliceOp<'_>>(loc).operands([source, filled]).results([ty]);
        for (name, (constants, values)) in ["static_offsets", "static_sizes", "static_strides"].into_iter().zip(&lists)
        {
            state = state.operands(values.iter().copied()).attr(cx, name, cx.dense_i64_array(constants));
        }
        let segments = [1, 1, lists[0].1.len(), lists[1].1.len(), lists[2].1.len()];
        bz.rw.replace_with(op, state.operand_segments(cx, &segments));
        Ok(())
    }
}

/// An index as a value.
fn value(bz: &mut Bufferizer<'_>, loc: Loc, index: Index) -> ValueId {
    match index {
        Index::Static(constant) => bz.index(loc, constant),
        Index::Value(value) => value,
    }
}

/// `tensor.dim` of dimension `dim`.
fn tensor_dim(bz: &mut Bufferizer<'_>, loc: Loc, tensor: ValueId, dim: usize) -> ValueId {
    let index = bz.index(loc, dim as i64);
    let state = OpState::of::<dl_tensor::DimOp<'_>>(loc).operands([tensor, index]);
    bz.rw.create_value(state.results([bz.cx().index_type()]))
}
