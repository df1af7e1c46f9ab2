//! Broadcasts of scalars: into the first lane, then shuffled to all, then to all parts of arrays.

use dl_arith::Build;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite, create_or_fold};
use dl_ir::{OpDefinition, OpId, OpState, ValueId};
use dl_llvm::types::array_parts;
use dl_llvm::{InsertElementOp, ShuffleVectorOp};
use dl_vector::BroadcastOp;
use dl_vector::types::extents;
use smallvec::SmallVec;

use crate::llvm_build::LlvmBuild;

/// `vector.broadcast` of a scalar.
pub(super) struct OfScalar;

impl ConversionPattern for OfScalar {
    const NAME: &'static str = "vector-broadcast-to-llvm";
    const ROOT: Option<&'static str> = Some(BroadcastOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        if rw.op(op).operand(0).ty().is_vector() {
            return Err(NoMatch("of a vector"));
        }
        let (loc, ty) = (rw.op(op).loc(), rw.value_type(rw.ir().result(op, 0)));
        let (shape, whole) = (extents(ty), rw.convert_type(ty.id())?);
        let mut inner = whole;
        let mut outer: SmallVec<[i64; 4]> = SmallVec::new();
        while let Some((element, count)) = array_parts(cx.ty(inner)) {
            outer.push(i64::try_from(count).map_err(|_| NoMatch("too many parts"))?);
            inner = element;
        }
        let mut b = Build::new(rw, loc);
        let empty = if outer.is_empty() { None } else { Some(b.poison(whole)) };
        let poison = b.poison(inner);
        let zero = b.llvm_int(cx.i32_type(), 0);
        let first = b.same::<InsertElementOp<'_>>(&[poison, operands.one(0), zero]);
        if shape.is_empty() {
            rw.replace(op, &[first]);
            return Ok(());
        }
        let lanes = usize::try_from(extents(cx.ty(inner))[0]).map_err(|_| NoMatch("no lanes"))?;
        let mask = cx.dense_i32_array(&vec![0; lanes]);
        let second = if empty.is_some() { first } else { poison };
        let state = OpState::of::<ShuffleVectorOp<'_>>(loc).operands([first, second]).results([inner]);
        let state = state.attr(cx, "mask", mask);
        let vector = create_or_fold(&mut b, state)[0];
        let value = empty.map_or(vector, |empty| everywhere(&mut b, empty, vector, &outer));
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// Arrays that hold `vector` everywhere.
fn everywhere(b: &mut Build<'_, '_>, empty: ValueId, vector: ValueId, outer: &[i64]) -> ValueId {
    dl_passes_vector::build::positions(outer).fold(empty, |whole, at| b.insert(whole, vector, &at))
}
