//! Masks and lane numbers of scalable vectors.

use dl_arith::{Build, CmpIOp, CmpIPredicate, IndexCastOp};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId};
use dl_llvm::StepVectorOp;
use dl_passes_vector::build::VectorBuild;
use dl_vector::types::{extents, is_scalable, vector_type};
use dl_vector::{CreateMaskOp, StepOp};

/// `vector.create_mask` of one scalable dimension compares the lane numbers.
pub(super) struct ScalableCreateMask {
    /// Whether they are taken for 32 bits wide.
    pub(super) narrow: bool,
}

impl ConversionPattern for ScalableCreateMask {
    const NAME: &'static str = "vector-create-mask-to-llvm";
    const ROOT: Option<&'static str> = Some(CreateMaskOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc, ty) = (rw.cx(), rw.op(op).loc(), rw.value_type(rw.ir().result(op, 0)));
        let &[lanes] = extents(ty) else { return Err(NoMatch("not one dimension")) };
        if !is_scalable(ty, 0) {
            return Err(NoMatch("not scalable"));
        }
        let bound = rw.op(op).operand(0).id();
        let int = cx.int_type(if self.narrow { 32 } else { 64 });
        let numbers = vector_type(cx, &[lanes], &[true], int);
        let mut b = Build::new(rw, loc);
        let lanes = b.value::<StepVectorOp<'_>>(&[], numbers);
        let bound = b.value::<IndexCastOp<'_>>(&[bound], int);
        let bounds = b.broadcast(bound, numbers);
        let predicate = CmpIPredicate::Slt.attr(cx);
        let value = b.value_with::<CmpIOp<'_>>(&[lanes, bounds], ty.id(), &[("predicate", predicate)]);
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// `vector.step` of a scalable vector becomes the intrinsic.
pub(super) struct ScalableStep;

impl ConversionPattern for ScalableStep {
    const NAME: &'static str = "vector-step-to-llvm";
    const ROOT: Option<&'static str> = Some(StepOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (loc, ty) = (rw.op(op).loc(), rw.value_type(rw.ir().result(op, 0)));
        if !ty.is_scalable_vector() {
            return Err(NoMatch("not scalable"));
        }
        let ty = rw.convert_type(ty.id())?;
        let value = Build::new(rw, loc).value::<StepVectorOp<'_>>(&[], ty);
        rw.replace(op, &[value]);
        Ok(())
    }
}
