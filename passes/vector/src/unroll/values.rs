//! Operations that compute vectors from vectors.

use dl_arith::{AddIOp, Build, MaxSIOp, SubIOp};
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter, ValueId};
use dl_vector::types::extents;
use dl_vector::{ContractionOp, CreateMaskOp, StepOp, is_masked};
use smallvec::SmallVec;

use super::Plan;
use super::space::Space;
use super::tiles::{Whole, has_scalable, part};
use crate::build::VectorBuild;

/// Adds the patterns.
pub(super) fn add(plan: &Plan, patterns: &mut Patterns) {
    patterns.add(UnrollValue(plan.clone())).add(UnrollStep(plan.clone())).add(UnrollMask(plan.clone()));
}

/// Any operation that has a [`Space`].
struct UnrollValue(Plan);

impl Pattern for UnrollValue {
    const NAME: &'static str = "vector-unroll-value";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let space = Space::of(view, self.0.options.assume_reassociation)?;
        let result = view.result(0).ty();
        let element = result.element_or_self();
        if is_masked(view) || has_scalable(view) {
            return Err(NoMatch("masked, or scalable"));
        }
        let tiles = self.0.tiles(&space.extents, element, view.is::<ContractionOp<'_>>())?;
        if space.sums.as_ref().is_some_and(|sums| sums.ordered) && !tiles.keep_order(&space.reduced()) {
            return Err(NoMatch("it would add up floats in another order"));
        }
        if result.is_vector() && cx.zero_attr(element.id()).is_none() {
            return Err(NoMatch("elements without zero"));
        }
        let (name, loc) = (view.name_id(), view.loc());
        let operands: Vec<ValueId> = view.operands().ids().to_vec();
        let attrs: Vec<_> = view.attrs().map(|(name, value)| (name, value.id())).collect();
        let along = |values: &[i64]| space.result.iter().map(|&dim| values[dim]).collect::<Vec<i64>>();
        let sizes = along(&tiles.shape);
        let whole = result.id();
        let ty = if result.is_vector() { cx.vector_type(&sizes, element.id()) } else { whole };
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        // Sums, by where in the result they are, which is where they are put once all is added.
        let mut sums: indexmap::IndexMap<Vec<i64>, ValueId, rustc_hash::FxBuildHasher> = indexmap::IndexMap::default();
        let sum_at = space.sums.as_ref().map(|sums| sums.operand);
        let mut whole = Whole::new(whole);
        for offsets in tiles.offsets() {
            let at = along(&offsets);
            let sum = sums.get(&at).copied();
            let mut taken: SmallVec<[ValueId; 4]> = SmallVec::new();
            for (i, (&operand, dims)) in operands.iter().zip(&space.operands).enumerate() {
                taken.push(match sum {
                    Some(sum) if sum_at == Some(i) => sum,
                    _ => {
                        let along = |values: &[i64], fixed: i64| -> Vec<i64> {
                            dims.iter().map(|dim| dim.map_or(fixed, |dim| values[dim])).collect()
                        };
                        part(&mut b, operand, &along(&offsets, 0), &along(&tiles.shape, 1))
                    }
                });
            }
            taken.extend(sum.filter(|_| sum_at == Some(operands.len())));
            let state = OpState::new(name, loc).operands(taken).results([ty]).attrs(attrs.iter().copied());
            let value = b.create_value(state);
            if sum_at.is_some() {
                sums.insert(at, value);
            } else {
                whole.put(&mut b, value, &at);
            }
        }
        for (at, sum) in sums {
            whole.put(&mut b, sum, &at);
        }
        let whole = whole.value()?;
        rw.replace(op, &[whole]);
        Ok(())
    }
}

/// `vector.step`: each part is the first one, plus where it begins.
struct UnrollStep(Plan);

impl Pattern for UnrollStep {
    const NAME: &'static str = "vector-unroll-step";
    const ROOT: Option<&'static str> = Some(StepOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let (ty, loc) = (cx.ty(view.result(0).ty().id()), view.loc());
        if ty.is_scalable_vector() {
            return Err(NoMatch("scalable"));
        }
        // A register holds indices of 64 bits.
        let tiles = self.0.tiles(extents(ty), cx.ty(cx.int_type(64)), false)?;
        let index = cx.index_type();
        let part_type = cx.vector_type(&tiles.shape, index);
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let first = b.create_value(OpState::of::<StepOp<'_>>(loc).results([part_type]));
        let mut whole = Whole::new(ty.id());
        for at in tiles.offsets() {
            let start = cx.splat_attr(part_type, cx.index_attr(at[0])).ok_or(NoMatch("no indices"))?;
            let value = if at[0] == 0 {
                first
            } else {
                let start = b.constant(start, part_type);
                b.same::<AddIOp<'_>>(&[first, start])
            };
            whole.put(&mut b, value, &at);
        }
        let whole = whole.value()?;
        rw.replace(op, &[whole]);
        Ok(())
    }
}

/// `vector.create_mask`: each part is on as far as the sizes reach behind where it begins.
struct UnrollMask(Plan);

impl Pattern for UnrollMask {
    const NAME: &'static str = "vector-unroll-mask";
    const ROOT: Option<&'static str> = Some(CreateMaskOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let (ty, loc) = (cx.ty(view.result(0).ty().id()), view.loc());
        if ty.is_scalable_vector() || self.0.options.native_shape.is_empty() {
            return Err(NoMatch("scalable, or no shape of masks"));
        }
        let tiles = self.0.tiles(extents(ty), ty.element_or_self(), false)?;
        let sizes: Vec<ValueId> = view.operands().ids().to_vec();
        let part_type = cx.vector_type(&tiles.shape, cx.i1_type());
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let zero = b.constant_index(0);
        let mut whole = Whole::new(ty.id());
        for at in tiles.offsets() {
            let rest = |b: &mut Build<'_, '_>, size: ValueId, offset: i64| {
                if offset == 0 {
                    return size;
                }
                // A size below zero must not wrap around.
                let size = b.same::<MaxSIOp<'_>>(&[size, zero]);
                let offset = b.constant_index(offset);
                b.same::<SubIOp<'_>>(&[size, offset])
            };
            let rests: Vec<ValueId> =
                sizes.iter().zip(&at).map(|(&size, &offset)| rest(&mut b, size, offset)).collect();
            let mask = b.create_mask(&rests, part_type);
            whole.put(&mut b, mask, &at);
        }
        let whole = whole.value()?;
        rw.replace(op, &[whole]);
        Ok(())
    }
}
