//! `tensor-fold-constants`: slices and concatenations of constants are constants.
//!
//! The program never gets larger: what is folded must not be larger than the constants that are not needed any more. Results beyond `max-elements`
//! are left alone.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{AttrData, AttrRef, OpDefinition, OpId, Rewriter, TypeRef, ValueRef};
use dl_tensor::{ConcatOp, ExtractSliceOp, dropped_dims};

use crate::constants::{concatenated, sliced};

dl_ir::pass_options! {
    /// Options of [`FoldTensorConstants`].
    pub struct FoldTensorConstantsOptions {
        /// Leave results of more elements alone
        max_elements "max-elements": i64 = 1 << 24,
    }
}

/// Folds slices and concatenations of constants.
#[derive(Clone, Default)]
pub struct FoldTensorConstants {
    /// The options.
    pub options: FoldTensorConstantsOptions,
}

impl Pass for FoldTensorConstants {
    const INFO: PassInfo = PassInfo::new(
        "tensor-fold-constants",
        "Fold slices and concatenations of constants, never to more than there was",
    );

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        let max_elements = self.options.max_elements;
        patterns.add(FoldSlice { max_elements }).add(FoldConcat { max_elements });
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Number of elements, where known.
fn count(ty: TypeRef<'_>) -> Option<i64> {
    ty.shape()?.iter().try_fold(1_i64, |n, &extent| n.checked_mul(extent).filter(|_| extent >= 0))
}

/// How many elements of a constant the program holds: one for a splat.
fn held(constant: AttrRef<'_>) -> Option<i64> {
    match constant.data() {
        AttrData::DenseElements { data, .. } if data.is_splat() => Some(1),
        AttrData::DenseElements { .. } => count(constant.ty()?),
        _ => None,
    }
}

/// What is not held any more once `value` has a use less.
fn saved(value: ValueRef<'_>) -> i64 {
    value.constant().filter(|_| value.has_one_use()).and_then(held).unwrap_or(0)
}

struct FoldSlice {
    max_elements: i64,
}

impl Pattern for FoldSlice {
    const NAME: &'static str = "tensor-fold-constant-slice";
    const ROOT: Option<&'static str> = Some(ExtractSliceOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let view = rw.op(op);
        let (source, ty) = (view.operand(0), view.result(0).ty());
        let constant = source.constant().ok_or(NoMatch("no constant"))?;
        let slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
        let known = |list: &[Index]| list.iter().map(|index| index.as_static()).collect::<Option<Vec<i64>>>();
        let lists = known(&slice.offsets).zip(known(&slice.sizes)).zip(known(&slice.strides));
        let ((offsets, sizes), strides) = lists.ok_or(NoMatch("a dynamic slice"))?;
        let elements = count(ty).ok_or(NoMatch("an unknown shape"))?;
        // The same slice of a constant that stays is one more; several slices are counted one by one.
        let users = i64::try_from(source.uses().count()).unwrap_or(i64::MAX);
        let others = source.uses().all(|(user, _)| user.is::<ExtractSliceOp<'_>>());
        let all = elements.checked_mul(users).unwrap_or(i64::MAX);
        if elements > self.max_elements || !others || all > held(constant).unwrap_or(0) {
            return Err(NoMatch("the program would grow"));
        }
        if ty.shape().is_none_or(|shape| dropped_dims(&sizes, shape).is_none()) {
            return Err(NoMatch("another shape"));
        }
        let folded = sliced(cx, constant, [&offsets, &sizes, &strides], ty.id()).ok_or(NoMatch("no numbers"))?;
        let loc = view.loc();
        rw.set_insertion_before(op);
        let value = dl_arith::constant(rw, folded, loc);
        rw.replace(op, &[value]);
        Ok(())
    }
}

struct FoldConcat {
    max_elements: i64,
}

impl Pattern for FoldConcat {
    const NAME: &'static str = "tensor-fold-constant-concat";
    const ROOT: Option<&'static str> = Some(ConcatOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let view = rw.op(op);
        let ty = view.result(0).ty();
        let dim = view.attr("dim").and_then(AttrRef::as_int).and_then(|dim| usize::try_from(dim).ok());
        let dim = dim.ok_or(NoMatch("no dimension"))?;
        let parts: Option<Vec<AttrRef<'_>>> = view.operands().iter().map(|operand| operand.constant()).collect();
        let parts = parts.ok_or(NoMatch("not of constants"))?;
        let elements = count(ty).ok_or(NoMatch("an unknown shape"))?;
        let saved: i64 = view.operands().iter().map(saved).sum();
        if elements > self.max_elements || elements > saved {
            return Err(NoMatch("the program would grow"));
        }
        let folded = concatenated(cx, &parts, dim, ty.id()).ok_or(NoMatch("no numbers"))?;
        let loc = view.loc();
        rw.set_insertion_before(op);
        let value = dl_arith::constant(rw, folded, loc);
        rw.replace(op, &[value]);
        Ok(())
    }
}
