//! Vectors and elements of tensors: how a kernel reads its operands and writes its result.

use dl_ir::interfaces::Index;
use dl_ir::{OpState, Type, ValueId};
use dl_passes_vector::build::VectorBuild as _;
use dl_passes_vector::transfer::{Direction, Transfer, in_bounds_attr};

use super::nest::{Columns, Emitter};
use super::shape::{Access, Along};

impl Emitter<'_, '_, '_> {
    /// What is read of an input of the epilogue.
    pub(super) fn read_or_splat(&mut self, access: &Access, row: i64, vector: u64, columns: Columns) -> ValueId {
        if access.along_vector == Along::Adjacent {
            return self.read(access, row, vector, columns);
        }
        let scalar = self.extract(access, row);
        let ty = self.vector_type(access.element);
        self.b.broadcast(scalar, ty)
    }

    /// The indices of an access at a row and vector of the tile.
    pub(super) fn indices(&mut self, access: &Access, row: i64, vector: u64) -> Vec<ValueId> {
        let lanes = self.plan.lanes as i64;
        let mut positions = self.positions.clone();
        if let Some(at) = self.contraction.row {
            positions[at] = positions[at].plus(row);
        }
        positions[self.contraction.vector] = positions[self.contraction.vector].plus(vector as i64 * lanes);
        access.indices.iter().map(|&index| self.index(index, &positions)).collect()
    }

    pub(super) fn extract(&mut self, access: &Access, row: i64) -> ValueId {
        let indices = self.indices(access, row, 0);
        let loc = self.b.loc;
        let state = OpState::of::<dl_tensor::ExtractOp<'_>>(loc).operands([access.value]).operands(indices);
        self.b.create_value(state.results([access.element]))
    }

    pub(super) fn read(&mut self, access: &Access, row: i64, vector: u64, columns: Columns) -> ValueId {
        let indices = self.indices(access, row, vector);
        let mask = columns.mask.filter(|_| vector + 1 == columns.vectors);
        self.read_at(access.value, access.element, indices, mask)
    }

    /// A vector of `tensor`.
    pub(super) fn read_at(
        &mut self,
        tensor: ValueId,
        element: Type,
        indices: Vec<ValueId>,
        mask: Option<ValueId>,
    ) -> ValueId {
        let vector = self.vector_type(element);
        self.read_vector(tensor, vector, indices, mask)
    }

    /// A vector of this type, whose dimensions are the last ones of the tensor.
    pub(super) fn read_vector(
        &mut self,
        tensor: ValueId,
        vector: Type,
        indices: Vec<ValueId>,
        mask: Option<ValueId>,
    ) -> ValueId {
        let (cx, loc) = (self.b.cx(), self.b.loc);
        let element = cx.ty(vector).element_type().map_or(vector, |element| element.id());
        let rank = cx.ty(vector).shape().map_or(1, <[i64]>::len);
        let map = cx.affine().minor_identity_map(indices.len() as u32, rank as u32);
        let is_padded_here = self.border.is_some_and(|border| border.padded == tensor);
        let tensor = self.padded.filter(|_| is_padded_here).unwrap_or(tensor);
        let zero = cx.zero_attr(element).unwrap_or_else(|| cx.unit_attr());
        let padding = self.b.constant(zero, element);
        let direction = Direction::Read { vector, padding };
        let transfer = Transfer { base: tensor, indices: indices.into(), map, mask, direction };
        let state = transfer.state(cx, loc, in_bounds_attr(cx, &vec![true; rank]));
        self.b.create_value(state)
    }

    pub(super) fn write(
        &mut self,
        access: &Access,
        value: ValueId,
        dest: ValueId,
        row: i64,
        vector: u64,
        columns: Columns,
    ) -> ValueId {
        let indices = self.indices(access, row, vector);
        let mask = columns.mask.filter(|_| vector + 1 == columns.vectors);
        self.write_at(value, dest, indices, mask)
    }

    /// Writes a vector into `dest`: what it has become.
    pub(super) fn write_at(
        &mut self,
        value: ValueId,
        dest: ValueId,
        indices: Vec<ValueId>,
        mask: Option<ValueId>,
    ) -> ValueId {
        let (cx, loc) = (self.b.cx(), self.b.loc);
        let map = cx.affine().minor_identity_map(indices.len() as u32, 1);
        let result = Some(self.b.ir().value_type(dest));
        let direction = Direction::Write { vector: value, result };
        let transfer = Transfer { base: dest, indices: indices.into(), map, mask, direction };
        let state = transfer.state(cx, loc, in_bounds_attr(cx, &[true]));
        self.b.create_value(state)
    }

    /// A mask of the first `count` lanes.
    pub(super) fn mask(&mut self, count: Index) -> ValueId {
        let cx = self.b.cx();
        let ty = cx.vector_type(&[self.plan.lanes as i64], cx.i1_type());
        let count = self.value_of(count);
        self.b.create_mask(&[count], ty)
    }

    /// The vector type of elements of type `element`.
    pub(super) fn vector_type(&self, element: Type) -> Type {
        self.b.cx().vector_type(&[self.plan.lanes as i64], element)
    }
}
