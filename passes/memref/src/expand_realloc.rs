//! `expand-realloc`: `memref.realloc` becomes a copy to more memory where what there is does not suffice, a cast where it does.

use dl_arith::{Build, CmpIPredicate};
use dl_ir::interfaces::Index;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget};
use dl_ir::rewrite::{Pattern, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, OpView, Rewriter, ValueId};
use dl_memref::{AllocOp, CopyOp, DeallocOp, DimOp, ReallocOp, ReinterpretCastOp, SubViewOp};
use dl_scf::{IfOp, YieldOp};

use crate::strided_metadata::with_metadata;

dl_ir::pass_options! {
    /// Options of [`ExpandRealloc`].
    pub struct ExpandReallocOptions {
        /// Free the old memory where there is new
        emit_deallocs "emit-deallocs": bool = true,
    }
}

/// Expands `memref.realloc`.
#[derive(Clone, Default)]
pub struct ExpandRealloc {
    /// The options.
    pub options: ExpandReallocOptions,
}

impl Pass for ExpandRealloc {
    const INFO: PassInfo = PassInfo::new("expand-realloc", "Expand memref.realloc operations into its components")
        .title("ExpandReallocPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["arith", "scf", "memref"]).illegal_ops(&[ReallocOp::NAME]);
        let mut patterns = ConversionPatterns::new();
        patterns.add_rewrite(Expand { free: self.options.emit_deallocs });
        cx.convert_partially(&target, &patterns.freeze())
    }
}

struct Expand {
    free: bool,
}

/// The size as a value.
fn as_value(b: &mut Build<'_, '_>, size: Index) -> ValueId {
    match size {
        Index::Static(size) => b.constant_index(size),
        Index::Value(size) => size,
    }
}

impl Pattern for Expand {
    const NAME: &'static str = "memref-expand-realloc";
    const ROOT: Option<&'static str> = Some(ReallocOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), ReallocOp::wrap(rw.op(op)));
        let (source, loc) = (view.source().id(), view.0.loc());
        let (wanted, alignment) =
            (view.dynamic_result_size().map(|size| size.id()), view.alignment().map(|attr| attr.id()));
        let (from, to) = (rw.value_type(source), rw.value_type(rw.ir().result(op, 0)));
        let first = |ty: dl_ir::TypeRef<'_>| ty.shape().and_then(|shape| shape.first().copied()).unwrap_or(DYNAMIC);
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let have = match first(from) {
            DYNAMIC => {
                let zero = b.constant_index(0);
                Index::Value(b.value::<DimOp<'_>>(&[source, zero], cx.index_type()))
            }
            size => Index::Static(size),
        };
        let want = match (first(to), wanted) {
            (DYNAMIC, Some(size)) => Index::Value(size),
            (size, _) => Index::Static(size),
        };
        let (have_value, want_value) = (as_value(&mut b, have), as_value(&mut b, want));
        let too_small = b.compare(CmpIPredicate::Ult, have_value, want_value);
        let (yes, no) = (b.new_region(), b.new_region());
        let chosen =
            b.create(OpState::of::<IfOp<'_>>(loc).operands([too_small]).results([to.id()]).region(yes).region(no));

        let block = b.append_block(yes, &[]);
        b.set_insertion_to_end(block);
        let state = OpState::of::<AllocOp<'_>>(loc).operand_segments(cx, &[usize::from(wanted.is_some()), 0]);
        let state = state.operands(wanted).maybe_attr(cx, "alignment", alignment);
        let new = b.create_value(state.results([to.id()]));
        let space = to.memory_space().map(|space| space.id());
        let layout = dl_ir::types::StridedLayout { offset: 0, strides: vec![1] };
        let part = dl_memref::layout::simplest(cx, &[have.extent()], to.element_or_self().id(), &layout, space);
        let sizes = match have {
            Index::Value(size) => vec![size],
            Index::Static(_) => Vec::new(),
        };
        let state = OpState::of::<SubViewOp<'_>>(loc)
            .operand_segments(cx, &[1, 0, sizes.len(), 0])
            .operands([new])
            .operands(sizes)
            .attr(cx, "static_offsets", cx.dense_i64_array(&[0]))
            .attr(cx, "static_sizes", cx.dense_i64_array(&[have.extent()]))
            .attr(cx, "static_strides", cx.dense_i64_array(&[1]));
        let part = b.create_value(state.results([part]));
        b.create(OpState::of::<CopyOp<'_>>(loc).operands([source, part]));
        if self.free {
            b.create(OpState::of::<DeallocOp<'_>>(loc).operands([source]));
        }
        b.create(OpState::of::<YieldOp<'_>>(loc).operands([new]));

        let block = b.append_block(no, &[]);
        b.set_insertion_to_end(block);
        let state = OpState::of::<ReinterpretCastOp<'_>>(loc).operands([source]).results([to.id()]);
        let same = b.create_value(with_metadata(cx, state, Index::Static(0), &[want], &[Index::Static(1)]));
        b.create(OpState::of::<YieldOp<'_>>(loc).operands([same]));
        let value = rw.ir().result(chosen, 0);
        rw.replace(op, &[value]);
        Ok(())
    }
}
