//! The operations that launches are made of.

use dl_accelerator::{AllocOp, ReadyOp, types};
use dl_arith::CmpIPredicate;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::split;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::types::{Signedness, StridedLayout, TypeData};
use dl_ir::{FloatKind, Loc, OpState, Rewriter, Type, ValueId};
use dl_memref::layout::{simplest, sliced};
use dl_memref::{ReinterpretCastOp, SubViewOp, TransposeOp};
use dl_passes_scf::nest::build_for;
use dl_scf::YieldOp;
use dl_simulator::ElementType;
use dl_simulator::machine::Machine;

use super::transfer_state;
use crate::lower::plan::Slot;
use crate::lower::product::Operand;

/// A matrix in a memory of the core, of which blocks and tiles are parts.
#[derive(Clone)]
pub(super) struct Matrix {
    pub(super) value: ValueId,
    rows: u64,
    stride: u64,
}

/// Makes operations at the insertion point.
pub(super) struct Build<'r, 'c> {
    pub(super) rw: &'r mut Rewriter<'c>,
    pub(super) loc: Loc,
}

/// What is done for each tile: offset, extent and token of the one before; the token of the last instruction.
type ForTile<'f, 'r, 'c> = &'f mut dyn FnMut(&mut Build<'r, 'c>, Index, u64, ValueId) -> ValueId;

impl<'r, 'c> Build<'r, 'c> {
    pub(super) fn alloc(&mut self, machine: &Machine, slot: &Slot) -> Matrix {
        let cx = self.rw.cx();
        let memory = types::memory_attr(cx, &machine.memories[slot.memory].name);
        let element = element_type(self.rw, slot.element);
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
        self.slice(of.value, &offsets, &[rows as i64, columns as i64], None)
    }

    /// A part of a matrix in DRAM, its rows as rows whatever its layout.
    pub(super) fn outside(
        &mut self,
        buffer: ValueId,
        operand: &Operand,
        batch: u64,
        rows: (u64, u64),
        columns: (u64, u64),
    ) -> ValueId {
        let rank = 2 + usize::from(operand.batch.is_some());
        let (mut offsets, mut sizes) = (vec![Index::Static(0); rank], vec![1_i64; rank]);
        if let Some(at) = operand.batch {
            offsets[at] = Index::Static(batch as i64);
        }
        for (dim, (start, extent)) in operand.dims.into_iter().zip([rows, columns]) {
            offsets[dim] = Index::Static(start as i64);
            sizes[dim] = extent as i64;
        }
        let ty = self.rw.value_type(buffer);
        let whole = offsets.iter().all(|offset| offset.as_static() == Some(0)) && ty.shape() == Some(&sizes[..]);
        let part =
            if whole && operand.batch.is_none() { buffer } else { self.slice(buffer, &offsets, &sizes, operand.batch) };
        if operand.dims[0] < operand.dims[1] { part } else { self.transposed(part) }
    }

    /// `memref.subview`, without dimension `dropped`.
    fn slice(&mut self, source: ValueId, offsets: &[Index], sizes: &[i64], dropped: Option<usize>) -> ValueId {
        let cx = self.rw.cx();
        let slice = Slice {
            offsets: offsets.iter().copied().collect(),
            sizes: sizes.iter().map(|&size| Index::Static(size)).collect(),
            strides: sizes.iter().map(|_| Index::Static(1)).collect(),
        };
        let from = self.rw.value_type(source);
        let base = from.strided_layout().unwrap_or(StridedLayout { strides: vec![1; sizes.len()], offset: 0 });
        let mut layout = sliced(&base, &slice);
        let mut shape = sizes.to_vec();
        if let Some(dim) = dropped {
            layout.strides.remove(dim);
            shape.remove(dim);
        }
        let space = from.memory_space().map(|space| space.id());
        let ty = simplest(cx, &shape, from.element_or_self().id(), &layout, space);
        let lists = [&slice.offsets, &slice.sizes, &slice.strides].map(|list| split(list));
        let state = OpState::of::<SubViewOp<'_>>(self.loc).operands([source]);
        self.view(state, &lists, ty)
    }

    /// The elements of `source` from its first one on, as a matrix with these strides: zero where they are the same one.
    pub(super) fn spread(&mut self, source: ValueId, shape: [u64; 2], strides: [u64; 2]) -> ValueId {
        let cx = self.rw.cx();
        let from = self.rw.value_type(source);
        let space = from.memory_space().map(|space| space.id());
        let offset = from.strided_layout().map_or(0, |layout| layout.offset);
        let [shape, strides] = [shape, strides].map(|list| list.map(|number| number as i64));
        let layout = StridedLayout { strides: strides.to_vec(), offset };
        let ty = simplest(cx, &shape, from.element_or_self().id(), &layout, space);
        let list = |numbers: &[i64]| split(&numbers.iter().map(|&number| Index::Static(number)).collect::<Vec<_>>());
        let lists = [list(&[offset]), list(&shape), list(&strides)];
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

    /// Rows as columns.
    fn transposed(&mut self, source: ValueId) -> ValueId {
        let cx = self.rw.cx();
        let from = self.rw.value_type(source);
        let (Some(layout), Some(&[rows, columns])) = (from.strided_layout(), from.shape()) else { return source };
        let space = from.memory_space().map(|space| space.id());
        let turned = StridedLayout { strides: vec![layout.strides[1], layout.strides[0]], offset: layout.offset };
        let ty = cx.strided_memref_type(&[columns, rows], from.element_or_self().id(), &turned, space);
        let affine = cx.affine();
        let map = affine.intern_map(2, 0, [affine.dim(1), affine.dim(0)]);
        let state = OpState::of::<TransposeOp<'_>>(self.loc).operands([source]);
        self.rw.create_value(state.attr(cx, "permutation", cx.affine_map_attr(map)).results([ty]))
    }

    pub(super) fn transfer(&mut self, from: ValueId, to: ValueId, after: &[ValueId]) -> ValueId {
        let token = types::token_type(self.rw.cx());
        self.rw.create_value(transfer_state(self.loc, from, to, after).results([token]))
    }

    /// `body` for each tile of an extent, in a loop where there is more than one of full size.
    pub(super) fn tiles(&mut self, extent: u64, tile: u64, token: ValueId, body: ForTile<'_, 'r, 'c>) -> ValueId {
        let (whole, rest) = (extent / tile, extent % tile);
        let mut token = token;
        if whole == 1 {
            token = body(self, Index::Static(0), tile, token);
        } else if whole > 1 {
            let [lower, upper, step] =
                [0, whole * tile, tile].map(|bound| dl_arith::constant_index(self.rw, bound as i64, self.loc));
            let (op, block) = build_for(self.rw, [lower, upper, step], &[token], self.loc);
            let [at, carried] = [0, 1].map(|arg| self.rw.block(block).arg(arg).id());
            self.rw.set_insertion_to_end(block);
            let last = body(self, Index::Value(at), tile, carried);
            self.rw.create(OpState::of::<YieldOp<'_>>(self.loc).operands([last]));
            self.rw.set_insertion_after(op);
            token = self.rw.ir().result(op, 0);
        }
        if rest > 0 {
            token = body(self, Index::Static((whole * tile) as i64), rest, token);
        }
        token
    }
}

/// The type of the IR that has this name.
fn element_type(rw: &Rewriter<'_>, element: ElementType) -> Type {
    let cx = rw.cx();
    match element {
        ElementType::I8 => cx.int_type(8),
        ElementType::U8 => cx.intern_type(TypeData::Integer { width: 8, signedness: Signedness::Unsigned }),
        ElementType::I32 => cx.i32_type(),
        ElementType::F8E4M3FN => cx.float_type(FloatKind::F8E4M3FN),
        ElementType::F8E5M2 => cx.float_type(FloatKind::F8E5M2),
        ElementType::F16 => cx.float_type(FloatKind::F16),
        ElementType::BF16 => cx.float_type(FloatKind::BF16),
        ElementType::F32 => cx.f32_type(),
    }
}
