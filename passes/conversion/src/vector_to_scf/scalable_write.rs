//! Writes of the transpose of a matrix whose columns are scalable: row by row, in a loop as long as the machine's vectors.

use dl_arith::{Build, MulIOp};
use dl_ir::interfaces::Index;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, Rewriter, ValueId};
use dl_passes_vector::build::VectorBuild;
use dl_passes_vector::transfer::{Direction, Transfer, in_bounds};
use dl_vector::types::extents;
use dl_vector::{ConstantMaskOp, CreateMaskOp, FromElementsOp, TransposeOp, VectorScaleOp};
use smallvec::SmallVec;

use super::Target;
use super::step::Step;
use crate::scf_build::ScfBuild;

/// The sizes of a mask: values, or numbers that count vectors where so marked.
fn mask_sizes(rw: &Rewriter<'_>, mask: ValueId) -> Option<Vec<(Index, bool)>> {
    let view = rw.value(mask);
    if let Some(mask) = view.def::<CreateMaskOp<'_>>() {
        return Some(mask.operands().iter().map(|size| (Index::Value(size.id()), false)).collect());
    }
    let mask = view.def::<ConstantMaskOp<'_>>()?;
    let scalable = mask.result().ty().scalable_dims();
    let sizes = mask.mask_dim_sizes().dense_ints().enumerate();
    Some(sizes.map(|(i, size)| (Index::Static(size), scalable.get(i) == Some(&true))).collect())
}

pub(super) fn lower(op: OpId, rw: &mut Rewriter<'_>, target: Target) -> Rewrite {
    let view = rw.op(op);
    if dl_vector::is_masked(view) {
        return Err(NoMatch("it is masked"));
    }
    let transfer = Transfer::of(view).ok_or(NoMatch("no transfer"))?;
    let Direction::Write { vector, result } = transfer.direction else { return Err(NoMatch("no write")) };
    let (cx, loc, bounds) = (rw.cx(), view.loc(), in_bounds(view));
    if result.is_some() && !target.tensors {
        return Err(NoMatch("transfers of tensors stay"));
    }
    let ty = rw.value_type(vector);
    let &[rows, columns] = extents(ty) else { return Err(NoMatch("no matrix")) };
    if ty.scalable_dims() != [true, false] || !cx.affine().is_identity(transfer.map) {
        return Err(NoMatch("not of scalable columns in order"));
    }
    if bounds.first() != Some(&true) {
        return Err(NoMatch("it may be out of bounds"));
    }
    let transpose = rw.value(vector).def::<TransposeOp<'_>>().ok_or(NoMatch("no transpose"))?;
    if !transpose.permutation().dense_ints().eq([1, 0]) {
        return Err(NoMatch("no transpose"));
    }
    let source = transpose.vector().id();
    let sizes = match transfer.mask {
        Some(mask) => Some(mask_sizes(rw, mask).ok_or(NoMatch("a mask of unknown sizes"))?),
        None => None,
    };
    let anchor = op;
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let slices: Vec<ValueId> = (0..columns).map(|column| b.part(source, &[column])).collect();
    let lower = b.constant_index(0);
    let as_value = |b: &mut Build<'_, '_>, (size, scaled): (Index, bool)| match size {
        Index::Value(value) => value,
        Index::Static(number) if scaled => {
            let scale = b.value::<VectorScaleOp<'_>>(&[], cx.index_type());
            let number = b.constant_index(number);
            b.same::<MulIOp<'_>>(&[scale, number])
        }
        Index::Static(number) => b.constant_index(number),
    };
    let upper = match sizes.as_ref().and_then(|sizes| sizes.first()) {
        Some(&size) => as_value(&mut b, size),
        None => as_value(&mut b, (Index::Static(rows), true)),
    };
    let step = b.constant_index(1);
    let slice_type = cx.vector_type(&[columns], ty.element_or_self().id());
    let mask = sizes.as_ref().and_then(|sizes| sizes.get(1)).map(|&size| {
        let size = as_value(&mut b, size);
        b.create_mask(&[size], cx.vector_type(&[columns], cx.i1_type()))
    });
    let whole = Step { anchor, transfer: Transfer { mask: None, ..transfer.clone() }, bounds, mask: None };
    let init = result.map(|_| transfer.base);
    let tensor = b.for_loop([lower, upper, step], init, |b, at, state| {
        let indices: SmallVec<[ValueId; 4]> = whole.indices_at(b, at);
        let elements: Vec<ValueId> = slices.iter().map(|&slice| b.part_at(slice, &[Index::Value(at)])).collect();
        let vector = b.value::<FromElementsOp<'_>>(&elements, slice_type);
        let mut inner = whole.inner(b, indices, Direction::Write { vector, result });
        inner.transfer.base = state.unwrap_or(transfer.base);
        inner.mask = mask;
        inner.make(b)
    });
    match tensor {
        Some(tensor) => rw.replace(op, &[tensor]),
        None => rw.erase(op),
    }
    Ok(())
}
