//! `tensor`: operations that make a tensor element by element get a new buffer and fill it.

use dl_affine::apply::sum;
use dl_ir::interfaces::index_list::mixed;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, reify_shapes};
use dl_ir::{BlockId, DYNAMIC, Diagnostic, DialectBuilder, Loc, OpId, OpState, RegionId, Type, ValueId, ValueRef};
use dl_linalg::{IndexOp, MapOp};
use dl_tensor::build::insert_slice_state;
use dl_tensor::{ConcatOp, FromElementsOp, GenerateOp, PadOp, SplatOp};
use smallvec::SmallVec;

use super::tensor::new_tensor;
use super::tensor_slice::{no_type, subview, subview_type};
use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::layout::identity_layout_type;
use crate::bufferize::operand::AliasingValues;

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<ConcatOp<'_>>(builder, Concat);
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
    let buffer = bz.types().buffer_type(view.result(0))?;
    let space = cx.ty(buffer).memory_space().map(|space| space.id());
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

    /// A new buffer in the memory space of the source.
    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let Some(op) = value.defining_op() else { return query.unknown_type(value) };
        let source = query.operand_type(op.operand(0))?;
        let space = value.cx().ty(source).memory_space().map(|space| space.id());
        Ok(identity_layout_type(value.cx(), value.ty().id(), space))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let pad = PadOp(bz.rw.op(op));
        let (loc, source, region) = (pad.0.loc(), pad.source().id(), pad.region().id());
        let offsets = mixed(&pad.static_low().as_i64_array().unwrap_or_default(), pad.low());
        let sizes = reified_sizes(op, bz)?;
        let tensor = allocate(op, bz, &sizes)?;
        let filled = map_positions(op, bz, region, tensor)?;
        bz.rw.set_insertion_before(op);
        let sizes = dl_tensor::extents(&mut bz.rw, source, loc);
        let strides = sizes.iter().map(|_| Index::Static(1)).collect();
        let state = insert_slice_state(&bz.rw, source, filled, &Slice { offsets, sizes, strides }, loc);
        bz.rw.replace_with(op, state);
        Ok(())
    }
}

/// The dynamic extents of the result of `op`, before it.
fn reified_sizes(op: OpId, bz: &mut Bufferizer<'_>) -> Result<Vec<ValueId>, Diagnostic> {
    bz.rw.set_insertion_before(op);
    let shape = reify_shapes(&mut bz.rw, op).and_then(|mut shapes| shapes.pop());
    let shape = shape.ok_or_else(|| bz.rw.op(op).error("unsupported: the extents of the result are not known"))?;
    let loc = bz.rw.op(op).loc();
    let is_dynamic: Vec<bool> =
        bz.rw.op(op).result(0).ty().shape().unwrap_or_default().iter().map(|&extent| extent == DYNAMIC).collect();
    let dynamic = shape.into_iter().zip(is_dynamic).filter(|(_, is_dynamic)| *is_dynamic);
    let mut value = |extent| match extent {
        Index::Static(constant) => bz.index(loc, constant),
        Index::Value(value) => value,
    };
    Ok(dynamic.map(|(extent, _)| value(extent)).collect())
}

/// The inputs one after the other.
struct Concat;

impl Bufferizable for Concat {
    access!(|operand, state| reads: true, writes: false, aliases: AliasingValues::new());

    fn allocates(&self, _: ValueRef<'_>) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let concat = ConcatOp(bz.rw.op(op));
        let loc = concat.0.loc();
        let Some(along) = concat.dim().as_int().and_then(|dim| usize::try_from(dim).ok()) else {
            return Err(concat.0.error("unsupported: no dimension"));
        };
        let inputs: SmallVec<[ValueId; 4]> = concat.inputs().ids();
        let sizes = reified_sizes(op, bz)?;
        let tensor = allocate(op, bz, &sizes)?;
        let whole = bz.buffer(tensor)?;
        let zeros = std::iter::repeat_n(Index::Static(0), bz.rw.value_type(whole).rank().unwrap_or(0));
        let ones = zeros.clone().map(|_| Index::Static(1)).collect();
        bz.rw.set_insertion_before(op);
        let mut slice =
            Slice { offsets: zeros.collect(), sizes: dl_memref::extents(&mut bz.rw, whole, loc), strides: ones };
        for input in inputs {
            let buffer = bz.buffer(input)?;
            bz.rw.set_insertion_before(op);
            slice.sizes[along] = dl_memref::extent(&mut bz.rw, buffer, along, loc);
            let shape: SmallVec<[i64; 4]> = slice.sizes.iter().map(|size| size.extent()).collect();
            let ty = subview_type(bz.rw.value_type(whole), &slice, &shape);
            let ty = ty.ok_or_else(|| no_type(bz.rw.op(op)))?;
            let part = subview(bz, loc, whole, &slice, ty);
            bz.copy(loc, buffer, part);
            let end = sum(&mut bz.rw, op, slice.offsets[along], slice.sizes[along], loc);
            slice.offsets[along] = end.ok_or_else(|| bz.rw.op(op).error("unsupported: an extent that overflows"))?;
        }
        bz.replace(op, &[whole]);
        Ok(())
    }
}
