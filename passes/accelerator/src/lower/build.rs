//! The operations that launches are made of.

use dl_accelerator::{
    AllocOp, BinaryOp, CoreOp, DequantizeOp, DmaStartOp, LaunchOp, ReadyOp, ReduceOp, RequantizeOp, UnaryOp, types,
};
use dl_arith::CmpIPredicate;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::split;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::types::StridedLayout;
use dl_ir::{Arena, Attr, BlockId, Loc, OpId, OpState, Rewriter, Type, ValueId};
use dl_memref::layout::{simplest, sliced};
use dl_memref::{ReinterpretCastOp, SubViewOp};
use dl_passes_scf::nest::build_for;
use dl_scf::YieldOp;
use dl_simulator::machine::Machine;

use super::access::{Move, Step};
use super::place::Slot;
use super::select::Function;

/// A matrix in a memory of the core, of which blocks and tiles are parts.
#[derive(Clone)]
pub(super) struct Matrix {
    pub(super) value: ValueId,
    rows: u64,
    pub(super) stride: u64,
}

/// Makes operations at the insertion point.
pub(super) struct Build<'r, 'c> {
    pub(super) rw: &'r mut Rewriter<'c>,
    pub(super) loc: Loc,
}

/// A launch before the insertion point: `body` gets a block with buffers in DRAM for `operands` and, behind them, for results of these types.
pub(super) fn launch(
    rw: &mut Rewriter<'_>,
    (machine, target): (&Machine, Attr),
    operands: &[ValueId],
    results: &[Type],
    loc: Loc,
    body: impl FnOnce(&mut Rewriter<'_>, BlockId, &[ValueId]),
) -> OpId {
    let cx = rw.cx();
    let dram = types::memory_attr(cx, &machine.memories[machine.dram()].name);
    let tensors = operands.iter().map(|&value| rw.value_type(value).id()).chain(results.iter().copied());
    let buffer = |ty: Type| {
        let ty = cx.ty(ty);
        cx.memref_type_with(ty.shape().unwrap_or_default(), ty.element_or_self().id(), None, Some(dram))
    };
    let buffers: Vec<Type> = tensors.map(buffer).collect();
    let state = OpState::of::<LaunchOp<'_>>(loc).operands(operands.iter().copied()).attr(cx, "target", target);
    let launch = rw.create_isolated(state.results(results.iter().copied()), 1);
    if let Some(mut inner) = rw.enter(launch) {
        let region = inner.op(Arena::ROOT).region(0).id();
        let block = inner.append_block(region, &buffers);
        let args: Vec<ValueId> = inner.block(block).args().map(|arg| arg.id()).collect();
        body(&mut inner, block, &args);
    }
    launch
}

/// What core number `id` does, at the end of the block of a launch.
pub(super) fn core(rw: &mut Rewriter<'_>, block: BlockId, id: u64, loc: Loc, body: impl FnOnce(Build<'_, '_>)) {
    rw.set_insertion_to_end(block);
    let region = rw.new_region();
    let inner = rw.append_block(region, &[]);
    let id = rw.cx().i64_attr(id as i64);
    rw.create(OpState::of::<CoreOp<'_>>(loc).attr(rw.cx(), "id", id).region(region));
    rw.set_insertion_to_end(inner);
    body(Build { rw, loc });
}

/// A tensor of this shape, all of whose elements are `number`.
pub(super) fn splat(rw: &mut Rewriter<'_>, shape: &[i64], number: Attr, loc: Loc) -> ValueId {
    let cx = rw.cx();
    let element = cx.attr(number).ty().map_or(cx.i32_type(), dl_ir::TypeRef::id);
    let splat = cx.splat_attr(cx.tensor_type(shape, element), number);
    dl_arith::constant(rw, splat.unwrap_or(number), loc)
}

/// What is done for each tile: offset, extent and token of the one before; the token of the last instruction.
type ForTile<'f, 'r, 'c> = &'f mut dyn FnMut(&mut Build<'r, 'c>, Index, u64, ValueId) -> ValueId;

impl<'r, 'c> Build<'r, 'c> {
    pub(super) fn alloc(&mut self, machine: &Machine, slot: &Slot) -> Matrix {
        let cx = self.rw.cx();
        let memory = types::memory_attr(cx, &machine.memories[slot.memory].name);
        let element = types::of_element(cx, slot.element);
        let ty = types::matrix_type(cx, [slot.rows as i64, slot.stride as i64], slot.stride as i64, element, memory);
        let state = OpState::of::<AllocOp<'_>>(self.loc).attr(cx, "offset", cx.i64_attr(slot.offset as i64));
        let value = self.rw.create_value(state.results([ty]));
        Matrix { value, rows: slot.rows, stride: slot.stride }
    }

    /// A token that is signalled already.
    pub(super) fn ready(&mut self) -> ValueId {
        let token = types::token_type(self.rw.cx());
        self.rw.create_value(OpState::of::<ReadyOp<'_>>(self.loc).results([token]))
    }

    pub(super) fn truth(&mut self, value: bool) -> ValueId {
        let attr = self.rw.cx().bool_attr(value);
        dl_arith::constant(self.rw, attr, self.loc)
    }

    pub(super) fn is_not_zero(&mut self, value: ValueId) -> ValueId {
        let zero = dl_arith::constant_index(self.rw, 0, self.loc);
        dl_arith::build::compare(self.rw, CmpIPredicate::Ne, value, zero, self.loc)
    }

    /// A part of a matrix in a core.
    pub(super) fn part(&mut self, of: &Matrix, offsets: [Index; 2], [rows, columns]: [u64; 2]) -> ValueId {
        let zero = offsets.iter().all(|offset| offset.as_static() == Some(0));
        if zero && rows == of.rows && columns == of.stride {
            return of.value;
        }
        self.slice(of.value, &offsets, &[rows as i64, columns as i64])
    }

    /// Moves elements from a tensor in DRAM to a matrix in the core, with padding around them.
    pub(super) fn load(
        &mut self,
        from: ValueId,
        to: &Matrix,
        each: &Move,
        padding: Option<Attr>,
        after: &[ValueId],
    ) -> ValueId {
        let of = |what: fn(&Step) -> u64| each.steps.iter().map(what).map(|number| number as i64).collect::<Vec<_>>();
        let from = self.strided(from, each.outside.unwrap_or(0), &of(|step| step.extent), &of(|step| step.outside));
        let to = self.strided(to.value, each.inside, &of(Step::padded), &of(|step| step.inside));
        let cx = self.rw.cx();
        let mut state = OpState::of::<DmaStartOp<'_>>(self.loc).operands([from, to]).operands(after.iter().copied());
        let is_padded = each.steps.iter().any(|step| step.before + step.after > 0);
        if let Some(value) = padding.filter(|_| is_padded) {
            let list = |numbers: Vec<i64>| cx.dense_i64_array(&numbers);
            state = state.attr(cx, "low", list(of(|step| step.before))).attr(cx, "high", list(of(|step| step.after)));
            state = state.attr(cx, "value", value);
        }
        self.rw.create_value(state.results([types::token_type(cx)]))
    }

    /// Moves elements from a matrix in the core to a tensor in DRAM.
    pub(super) fn store(&mut self, from: &Matrix, to: ValueId, each: &Move, after: &[ValueId]) -> ValueId {
        let of = |what: fn(&Step) -> u64| each.steps.iter().map(what).map(|number| number as i64).collect::<Vec<_>>();
        let extents = of(|step| step.extent);
        let to = self.strided(to, each.outside.unwrap_or(0), &extents, &of(|step| step.outside));
        let from = self.strided(from.value, each.inside, &extents, &of(|step| step.inside));
        self.transfer(from, to, after)
    }

    /// `memref.subview` of a matrix.
    fn slice(&mut self, source: ValueId, offsets: &[Index], sizes: &[i64]) -> ValueId {
        let cx = self.rw.cx();
        let slice = Slice {
            offsets: offsets.iter().copied().collect(),
            sizes: sizes.iter().map(|&size| Index::Static(size)).collect(),
            strides: sizes.iter().map(|_| Index::Static(1)).collect(),
        };
        let from = self.rw.value_type(source);
        let base = from.strided_layout().unwrap_or(StridedLayout { strides: vec![1; sizes.len()], offset: 0 });
        let layout = sliced(&base, &slice);
        let space = from.memory_space().map(|space| space.id());
        let ty = simplest(cx, sizes, from.element_or_self().id(), &layout, space);
        let lists = [&slice.offsets, &slice.sizes, &slice.strides].map(|list| split(list));
        let state = OpState::of::<SubViewOp<'_>>(self.loc).operands([source]);
        self.view(state, &lists, ty)
    }

    /// The elements of `source` from its first one on, as a matrix with these strides: zero where they are the same one.
    pub(super) fn spread(&mut self, source: ValueId, shape: [u64; 2], strides: [u64; 2]) -> ValueId {
        let [shape, strides] = [shape, strides].map(|list| list.map(|number| number as i64));
        let offset = self.rw.value_type(source).strided_layout().map_or(0, |layout| layout.offset);
        self.strided(source, offset as u64, &shape, &strides)
    }

    /// `memref.reinterpret_cast`: elements of the buffer that `source` is in, from number `offset` on. All of a buffer is that buffer.
    pub(super) fn strided(&mut self, source: ValueId, offset: u64, shape: &[i64], strides: &[i64]) -> ValueId {
        let cx = self.rw.cx();
        let from = self.rw.value_type(source);
        let layout = StridedLayout { strides: strides.to_vec(), offset: offset as i64 };
        if from.shape() == Some(shape) && from.strided_layout().as_ref() == Some(&layout) {
            return source;
        }
        let space = from.memory_space().map(|space| space.id());
        let ty = simplest(cx, shape, from.element_or_self().id(), &layout, space);
        let list = |numbers: &[i64]| split(&numbers.iter().map(|&number| Index::Static(number)).collect::<Vec<_>>());
        let lists = [list(&[offset as i64]), list(shape), list(strides)];
        let state = OpState::of::<ReinterpretCastOp<'_>>(self.loc).operands([source]);
        self.view(state, &lists, ty)
    }

    /// An operation with offsets, sizes and strides.
    fn view<C: AsRef<[i64]>, V: AsRef<[ValueId]>>(
        &mut self,
        mut state: OpState,
        lists: &[(C, V); 3],
        ty: Type,
    ) -> ValueId {
        let cx = self.rw.cx();
        for (name, (constants, values)) in ["static_offsets", "static_sizes", "static_strides"].into_iter().zip(lists) {
            let constants = cx.dense_i64_array(constants.as_ref());
            state = state.operands(values.as_ref().iter().copied()).attr(cx, name, constants);
        }
        let sizes = [1, lists[0].1.as_ref().len(), lists[1].1.as_ref().len(), lists[2].1.as_ref().len()];
        self.rw.create_value(state.results([ty]).operand_segments(cx, &sizes))
    }

    /// An instruction of the vector unit.
    pub(super) fn vector(
        &mut self,
        function: Function,
        operands: &[ValueId],
        to: ValueId,
        after: &[ValueId],
    ) -> ValueId {
        let (cx, loc) = (self.rw.cx(), self.loc);
        let state = match function {
            Function::Binary(kind) => OpState::of::<BinaryOp<'_>>(loc).attr(cx, "kind", kind.attr(cx)),
            Function::Unary(kind) => OpState::of::<UnaryOp<'_>>(loc).attr(cx, "kind", kind.attr(cx)),
            Function::Reduce(kind) => OpState::of::<ReduceOp<'_>>(loc).attr(cx, "kind", kind.attr(cx)),
            Function::Requantize { .. } => OpState::of::<RequantizeOp<'_>>(loc),
            Function::Dequantize { .. } => OpState::of::<DequantizeOp<'_>>(loc),
        };
        let state = match function {
            Function::Requantize { scale, zero } | Function::Dequantize { scale, zero } => state
                .attr(cx, "zero_point", cx.i32_attr(zero))
                .attr(cx, "scale", cx.f32_attr(scale))
                .operand_segments(cx, &[1, 1, 0, after.len()]),
            _ => state,
        };
        let operands = operands.iter().copied().chain([to]).chain(after.iter().copied());
        self.rw.create_value(state.operands(operands).results([types::token_type(cx)]))
    }

    pub(super) fn transfer(&mut self, from: ValueId, to: ValueId, after: &[ValueId]) -> ValueId {
        let token = types::token_type(self.rw.cx());
        let state = OpState::of::<DmaStartOp<'_>>(self.loc).operands([from, to]).operands(after.iter().copied());
        self.rw.create_value(state.results([token]))
    }

    /// `body` for each tile of an extent, which begins at `first`, in a loop where there is more than one of full size.
    pub(super) fn tiles(
        &mut self,
        first: u64,
        extent: u64,
        tile: u64,
        token: ValueId,
        body: ForTile<'_, 'r, 'c>,
    ) -> ValueId {
        let (whole, rest) = (extent / tile, extent % tile);
        let mut token = token;
        if whole == 1 {
            token = body(self, Index::Static(first as i64), tile, token);
        } else if whole > 1 {
            let [lower, upper, step] = [first, first + whole * tile, tile]
                .map(|bound| dl_arith::constant_index(self.rw, bound as i64, self.loc));
            let (op, block) = build_for(self.rw, [lower, upper, step], &[token], self.loc);
            let [at, carried] = [0, 1].map(|arg| self.rw.block(block).arg(arg).id());
            self.rw.set_insertion_to_end(block);
            let last = body(self, Index::Value(at), tile, carried);
            self.rw.create(OpState::of::<YieldOp<'_>>(self.loc).operands([last]));
            self.rw.set_insertion_after(op);
            token = self.rw.ir().result(op, 0);
        }
        if rest > 0 {
            token = body(self, Index::Static((first + whole * tile) as i64), rest, token);
        }
        token
    }
}
