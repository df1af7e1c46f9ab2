//! Shuffles, and those that take elements by turns.

use dl_arith::Build;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Type, ValueId};
use dl_llvm::types::{element_at, struct_type};
use dl_llvm::{ExtractElementOp, InsertElementOp, ShuffleVectorOp, VectorDeinterleave2Op, VectorInterleave2Op};
use dl_vector::types::extents;
use dl_vector::{DeinterleaveOp, InterleaveOp, ShuffleOp};

use crate::llvm_build::LlvmBuild;

/// `llvm.shufflevector`.
fn shuffle(b: &mut Build<'_, '_>, lhs: ValueId, rhs: ValueId, mask: &[i32], ty: Type) -> ValueId {
    let attr = b.cx().dense_i32_array(mask);
    b.value_with::<ShuffleVectorOp<'_>>(&[lhs, rhs], ty, &[("mask", attr)])
}

/// `vector.shuffle` of vectors of one type and at most one dimension becomes `llvm.shufflevector`; others move row by row.
pub(super) struct Shuffle;

impl ConversionPattern for Shuffle {
    const NAME: &'static str = "vector-shuffle-to-llvm";
    const ROOT: Option<&'static str> = Some(ShuffleOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), ShuffleOp::wrap(rw.op(op)));
        let (loc, mask): (_, Vec<i64>) = (view.0.loc(), view.mask().dense_ints().collect());
        let (first, second) = (view.v1().ty(), view.v2().ty());
        let (same, rows) = (first == second, extents(first).first().copied().unwrap_or(1));
        let ty = view.vector().ty();
        let rank = extents(ty).len();
        let ty = rw.convert_type(ty.id())?;
        let (lhs, rhs) = (operands.one(0), operands.one(1));
        if rank <= 1 && same {
            let mask: Result<Vec<i32>, _> = mask.into_iter().map(i32::try_from).collect();
            let mask = mask.map_err(|_| NoMatch("too many elements"))?;
            let value = shuffle(&mut Build::new(rw, loc), lhs, rhs, &mask, ty);
            rw.replace(op, &[value]);
            return Ok(());
        }
        let index = rw.convert_type(cx.index_type())?;
        let element = if rank <= 1 { cx.ty(ty).element_or_self().id() } else { element_at(cx, ty, &[0]).unwrap_or(ty) };
        let mut b = Build::new(rw, loc);
        let mut value = b.poison(ty);
        for (to, from) in mask.into_iter().enumerate().filter(|(_, from)| *from >= 0) {
            let (source, from) = if from < rows { (lhs, from) } else { (rhs, from - rows) };
            if rank > 1 {
                let part = b.extract(source, &[from]);
                value = b.insert(value, part, &[to as i64]);
                continue;
            }
            let from = b.llvm_index(index, from);
            let part = b.value::<ExtractElementOp<'_>>(&[source, from], element);
            let to = b.llvm_index(index, to as i64);
            value = b.same::<InsertElementOp<'_>>(&[value, part, to]);
        }
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// Lanes of a vector of one dimension that a mask can number.
fn lanes(ty: dl_ir::TypeRef<'_>) -> Result<i32, NoMatch> {
    match extents(ty) {
        &[lanes] => i32::try_from(lanes).map_err(|_| NoMatch("too many elements")),
        _ => Err(NoMatch("not one dimension")),
    }
}

/// `vector.interleave` of one dimension becomes a shuffle, or the intrinsic for scalable vectors.
pub(super) struct Interleave;

impl ConversionPattern for Interleave {
    const NAME: &'static str = "vector-interleave-to-llvm";
    const ROOT: Option<&'static str> = Some(InterleaveOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (loc, ty) = (rw.op(op).loc(), rw.value_type(rw.ir().result(op, 0)));
        let (lanes, converted) = (lanes(ty)?, rw.convert_type(ty.id())?);
        let (lhs, rhs) = (operands.one(0), operands.one(1));
        let mut b = Build::new(rw, loc);
        let value = if ty.is_scalable_vector() {
            b.value::<VectorInterleave2Op<'_>>(&[lhs, rhs], converted)
        } else {
            let half = lanes / 2;
            let mask: Vec<i32> = (0..half).flat_map(|i| [i, half + i]).collect();
            shuffle(&mut b, lhs, rhs, &mask, converted)
        };
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// `vector.deinterleave` of one dimension becomes two shuffles, or the intrinsic for scalable vectors.
pub(super) struct Deinterleave;

impl ConversionPattern for Deinterleave {
    const NAME: &'static str = "vector-deinterleave-to-llvm";
    const ROOT: Option<&'static str> = Some(DeinterleaveOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc, ty) = (rw.cx(), rw.op(op).loc(), rw.value_type(rw.ir().result(op, 0)));
        let (half, converted) = (lanes(ty)?, rw.convert_type(ty.id())?);
        let source = operands.one(0);
        let mut b = Build::new(rw, loc);
        let values = if ty.is_scalable_vector() {
            let both = struct_type(cx, &[converted, converted]);
            let both = b.value::<VectorDeinterleave2Op<'_>>(&[source], both);
            [b.extract(both, &[0]), b.extract(both, &[1])]
        } else {
            let whole = b.ir().value_type(source);
            let poison = b.poison(whole);
            [0, 1].map(|first| {
                let mask: Vec<i32> = (0..half).map(|i| 2 * i + first).collect();
                shuffle(&mut b, source, poison, &mask, converted)
            })
        };
        rw.replace(op, &values);
        Ok(())
    }
}
