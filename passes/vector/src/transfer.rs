//! The parts of `vector.transfer_read` and `vector.transfer_write`.

use dl_arith::Build;
use dl_ir::affine::AffineMap;
use dl_ir::rewrite::create_or_fold;
use dl_ir::{Attr, AttrRef, Context, Loc, OpRef, OpState, Rewriter, Type, TypeRef, ValueId};
use dl_vector::{TransferReadOp, TransferWriteOp};
use smallvec::SmallVec;

/// A transfer between a vector and a memref or tensor.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The memref or tensor.
    pub base: ValueId,
    /// Where in it.
    pub indices: SmallVec<[ValueId; 4]>,
    /// The dimensions of the vector as dimensions of the base, or 0 where it is repeated.
    pub map: AffineMap,
    /// Which lanes are transferred, by dimensions of the base.
    pub mask: Option<ValueId>,
    /// What is read or written.
    pub direction: Direction,
}

/// What a transfer reads or writes.
#[derive(Clone, Copy, Debug)]
pub enum Direction {
    /// Reads a vector of this type.
    Read {
        /// The type of the vector.
        vector: Type,
        /// What is read out of bounds, and where the mask is off.
        padding: ValueId,
    },
    /// Writes a vector.
    Write {
        /// The vector.
        vector: ValueId,
        /// The tensor that results, where the base is one.
        result: Option<Type>,
    },
}

impl Transfer {
    /// Of `op`, if it is a transfer.
    pub fn of(op: OpRef<'_>) -> Option<Self> {
        if let Some(read) = op.cast::<TransferReadOp<'_>>() {
            return Some(Self {
                base: read.base().id(),
                indices: read.indices().ids(),
                map: read.permutation_map().as_affine_map()?,
                mask: read.mask().map(|mask| mask.id()),
                direction: Direction::Read { vector: read.vector().ty().id(), padding: read.padding().id() },
            });
        }
        let write = op.cast::<TransferWriteOp<'_>>()?;
        Some(Self {
            base: write.base().id(),
            indices: write.indices().ids(),
            map: write.permutation_map().as_affine_map()?,
            mask: write.mask().map(|mask| mask.id()),
            direction: Direction::Write {
                vector: write.value_to_store().id(),
                result: write.result().map(|result| result.ty().id()),
            },
        })
    }

    /// The type of the vector.
    pub fn vector_type<'c>(&self, rw: &Rewriter<'c>) -> TypeRef<'c> {
        match self.direction {
            Direction::Read { vector, .. } => rw.cx().ty(vector),
            Direction::Write { vector, .. } => rw.value_type(vector),
        }
    }

    /// The operation that has these parts.
    pub fn state(&self, cx: &Context, loc: Loc, in_bounds: Attr) -> OpState {
        let segments = [1, self.indices.len(), 1, usize::from(self.mask.is_some())];
        let state = match self.direction {
            Direction::Read { vector, padding } => OpState::of::<TransferReadOp<'_>>(loc)
                .operand_segments(cx, &segments)
                .operands([self.base])
                .operands(self.indices.iter().copied())
                .operands([padding])
                .results([vector]),
            Direction::Write { vector, result } => OpState::of::<TransferWriteOp<'_>>(loc)
                .operand_segments(cx, &[1, 1, segments[1], segments[3]])
                .operands([vector, self.base])
                .operands(self.indices.iter().copied())
                .results(result),
        };
        state.operands(self.mask).attr(cx, "permutation_map", cx.affine_map_attr(self.map)).attr(
            cx,
            "in_bounds",
            in_bounds,
        )
    }
}

/// For each dimension of the vector of a transfer whether it is known to be in bounds.
pub fn in_bounds(op: OpRef<'_>) -> SmallVec<[bool; 4]> {
    let bounds = op.attr("in_bounds");
    bounds.map(|bounds| bounds.elements().map(|bound| bound.as_bool() == Some(true)).collect()).unwrap_or_default()
}

/// An attribute that says so.
pub fn in_bounds_attr(cx: &Context, bounds: &[bool]) -> Attr {
    cx.array_attr(&bounds.iter().map(|&bound| cx.bool_attr(bound)).collect::<Vec<_>>())
}

/// The extent of a memref or tensor along `dim`: a constant where the type says it.
pub fn dim_of(b: &mut Build<'_, '_>, base: ValueId, dim: usize) -> ValueId {
    let index = b.constant_index(dim as i64);
    let ty = b.cx().index_type();
    let state = if b.value_type(base).is_memref() {
        OpState::of::<dl_memref::DimOp<'_>>(b.loc)
    } else {
        OpState::of::<dl_tensor::DimOp<'_>>(b.loc)
    };
    create_or_fold(b, state.operands([base, index]).results([ty]))[0]
}

/// The number that a value is known to be.
pub fn constant_of(rw: &Rewriter<'_>, value: ValueId) -> Option<i64> {
    rw.value(value).constant().and_then(AttrRef::as_int)
}
