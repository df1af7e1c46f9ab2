//! Reading and writing of tensors and buffers as wholes, for what has no indexing maps.

use dl_arith::{Build, index_value};
use dl_ir::interfaces::Index;
use dl_ir::{DYNAMIC, Type, ValueId};
use dl_passes_vector::build::VectorBuild;
use dl_passes_vector::masked;
use dl_passes_vector::transfer::{Direction, Transfer, constant_of, in_bounds_attr};
use dl_vector::types::{extents, kept_dims, vector_type};

/// What happens where a vector is larger than what is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Excess {
    /// It is masked.
    Masked,
    /// It is known to the transfer that it may be out of bounds.
    OutOfBounds,
}

/// The type of vectors like `vector`, of booleans.
fn mask_type(b: &Build<'_, '_>, vector: Type) -> Type {
    let (shape, scalable) = kept_dims(b.cx().ty(vector), |_| true);
    vector_type(b.cx(), &shape, &scalable, b.cx().i1_type())
}

/// A mask for vectors of type `vector` of the last extents of `base`.
fn mask_of(b: &mut Build<'_, '_>, base: ValueId, vector: Type) -> ValueId {
    let shape = b.value_type(base).shape().unwrap_or(&[]);
    let own = shape.len() - extents(b.cx().ty(vector)).len();
    let index = b.cx().index_type();
    let mut sizes = Vec::new();
    for (dim, &extent) in shape.iter().enumerate() {
        if extent != DYNAMIC {
            sizes.push(Index::Static(extent));
            continue;
        }
        let at = b.constant_index(dim as i64);
        let is_memref = b.value_type(base).is_memref();
        let operands = [base, at];
        sizes.push(Index::Value(if is_memref {
            b.value::<dl_memref::DimOp<'_>>(&operands, index)
        } else {
            b.value::<dl_tensor::DimOp<'_>>(&operands, index)
        }));
    }
    let loc = b.loc;
    let sizes: Vec<ValueId> = sizes[own..].iter().map(|&size| index_value(b, size, loc)).collect();
    let ty = mask_type(b, vector);
    b.create_mask(&sizes, ty)
}

/// Reads a tensor or buffer as one vector, which is not smaller.
pub(super) fn read_whole(
    b: &mut Build<'_, '_>,
    base: ValueId,
    vector: Type,
    padding: Option<ValueId>,
    excess: Excess,
) -> ValueId {
    let cx = b.cx();
    let zero = b.constant_index(0);
    let element = b.value_type(base).element_or_self().id();
    let padding = padding.unwrap_or_else(|| b.poison_of(element));
    let (shape, wanted) = (b.value_type(base).shape().unwrap_or(&[]), extents(cx.ty(vector)));
    let bounds: Vec<bool> =
        shape.iter().zip(wanted).map(|(has, wanted)| excess == Excess::Masked || has == wanted).collect();
    let is_masked = excess == Excess::Masked && (shape != wanted || cx.ty(vector).is_scalable_vector());
    let transfer = Transfer {
        base,
        indices: std::iter::repeat_n(zero, shape.len()).collect(),
        map: cx.affine().identity_map(shape.len() as u32),
        mask: None,
        direction: Direction::Read { vector, padding },
    };
    let mask = is_masked.then(|| mask_of(b, base, vector));
    let state = transfer.state(cx, b.loc, in_bounds_attr(cx, &bounds));
    let read = masked(b, state, mask);
    b.ir().result(read, 0)
}

/// Writes a vector to the last dimensions of `base` at `indices`, zeros where there are none. Answers the tensor that results.
pub(super) fn write_whole(
    b: &mut Build<'_, '_>,
    vector: ValueId,
    base: ValueId,
    indices: Option<Vec<ValueId>>,
    excess: Excess,
) -> Option<ValueId> {
    let cx = b.cx();
    let (of, ty) = (b.value_type(base), b.value_type(vector));
    let (shape, wanted) = (of.shape().unwrap_or(&[]), extents(ty));
    let own = &shape[shape.len() - wanted.len()..];
    let fits = |(has, wanted): (&i64, &i64)| *has != DYNAMIC && has >= wanted;
    let bounds: Vec<bool> = own.iter().zip(wanted).map(|pair| excess == Excess::Masked || fits(pair)).collect();
    let indices = indices.unwrap_or_else(|| vec![b.constant_index(0); shape.len()]);
    let lasts = &indices[shape.len() - wanted.len()..];
    let ends_inside = lasts.iter().zip(own.iter().zip(wanted)).all(|(&index, (&has, &wanted))| {
        let end = constant_of(b, index).and_then(|start| start.checked_add(wanted));
        has != DYNAMIC && end.is_some_and(|end| end <= has)
    });
    let fits = own == wanted || ends_inside;
    let is_masked = excess == Excess::Masked && (!fits || ty.is_scalable_vector());
    let transfer = Transfer {
        base,
        indices: indices.into(),
        map: cx.affine().minor_identity_map(shape.len() as u32, wanted.len() as u32),
        mask: None,
        direction: Direction::Write { vector, result: of.is_tensor().then(|| of.id()) },
    };
    let mask = is_masked.then(|| mask_of(b, base, ty.id()));
    let state = transfer.state(cx, b.loc, in_bounds_attr(cx, &bounds));
    let write = masked(b, state, mask);
    b.ir().results(write).next()
}
