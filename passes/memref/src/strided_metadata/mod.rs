//! `expand-strided-metadata`: subviews and reshapes become `memref.reinterpret_cast` of computed offsets, sizes and strides; what is asked of
//! offsets, sizes and strides is answered from where a memref comes from.

mod ask;
mod reshape;
mod subview;

use dl_arith::Build;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, split};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::{GreedyConfig, apply_patterns_greedily};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, Rewriter, TypeRef, ValueId};
use dl_memref::{
    CollapseShapeOp, ExpandShapeOp, ExtractAlignedPointerAsIndexOp, ExtractStridedMetadataOp, ReinterpretCastOp,
    SubViewOp,
};
use smallvec::SmallVec;

/// Takes subviews and reshapes apart.
#[derive(Clone, Copy, Default)]
pub struct ExpandStridedMetadata;

impl Pass for ExpandStridedMetadata {
    const INFO: PassInfo =
        PassInfo::new("expand-strided-metadata", "Expand memref operations into easier to analyze constructs")
            .title("ExpandStridedMetadataPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        expand(&mut patterns);
        patterns.add_canonicalization(cx.ctx, ExtractStridedMetadataOp::NAME);
        apply_patterns_greedily(cx.ctx, cx.ir, &patterns.freeze(), &GreedyConfig::default());
        Ok(())
    }
}

/// Adds the patterns that take subviews and reshapes apart, and those that answer what is asked.
pub fn expand(patterns: &mut Patterns) {
    patterns
        .add_fn("memref-expand-subview", Some(SubViewOp::NAME), replace)
        .add_fn("memref-expand-expand-shape", Some(ExpandShapeOp::NAME), replace)
        .add_fn("memref-expand-collapse-shape", Some(CollapseShapeOp::NAME), replace);
    resolve(patterns);
}

/// Adds the patterns that answer what is asked of offsets, sizes, strides and addresses.
pub fn resolve(patterns: &mut Patterns) {
    let root = Some(ExtractStridedMetadataOp::NAME);
    patterns
        .add_fn("memref-metadata-of-view", root, ask::of_view)
        .add_fn("memref-metadata-of-allocation", root, ask::of_allocation)
        .add_fn("memref-metadata-of-global", root, ask::of_global)
        .add_fn("memref-metadata-of-cast", root, ask::of_cast)
        .add_fn("memref-metadata-of-memory-space-cast", root, ask::of_memory_space_cast)
        .add_fn("memref-metadata-of-alignment", root, ask::of_alignment)
        .add_fn("memref-metadata-of-metadata", root, ask::of_metadata)
        .add_fn("memref-address-of-view", Some(ExtractAlignedPointerAsIndexOp::NAME), ask::address_of_view);
}

/// Base, offset, sizes and strides of a memref.
pub(crate) struct Metadata {
    pub(crate) base: ValueId,
    pub(crate) offset: Index,
    pub(crate) sizes: Indices,
    pub(crate) strides: Indices,
}

impl Metadata {
    /// What `memref.extract_strided_metadata` says of `source`, numbers where the type says them.
    pub(crate) fn extract(b: &mut Build<'_, '_>, source: ValueId, ty: TypeRef<'_>) -> Option<Self> {
        let (layout, shape) = (ty.strided_layout()?, ty.shape()?);
        let loc = b.loc;
        let op = b.create(OpState::of::<ExtractStridedMetadataOp<'_>>(loc).operands([source]));
        let values: SmallVec<[ValueId; 8]> = b.ir().results(op).collect();
        let index = |number: i64, at: usize| match number {
            DYNAMIC => Index::Value(values[at]),
            number => Index::Static(number),
        };
        let rank = shape.len();
        Some(Self {
            base: values[0],
            offset: index(layout.offset, 1),
            sizes: shape.iter().enumerate().map(|(i, &size)| index(size, 2 + i)).collect(),
            strides: layout.strides.iter().enumerate().map(|(i, &stride)| index(stride, 2 + rank + i)).collect(),
        })
    }
}

/// What a view is made of: computed before `view`, or wherever the insertion point is.
pub(crate) fn of_view(rw: &mut Rewriter<'_>, view: OpId) -> Result<Metadata, NoMatch> {
    let op = rw.op(view);
    if op.is::<SubViewOp<'_>>() {
        subview::metadata(rw, view)
    } else if op.is::<ExpandShapeOp<'_>>() {
        reshape::of_expand(rw, view)
    } else if op.is::<CollapseShapeOp<'_>>() {
        reshape::of_collapse(rw, view)
    } else {
        Err(NoMatch("no subview and no reshape"))
    }
}

/// Replaces a view by a cast of its base.
fn replace(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let ty = rw.ir().value_type(rw.ir().result(op, 0));
    rw.set_insertion_before(op);
    let data = of_view(rw, op)?;
    let state = OpState::of::<ReinterpretCastOp<'_>>(loc).operands([data.base]).results([ty]);
    rw.replace_with(op, with_metadata(cx, state, data.offset, &data.sizes, &data.strides));
    Ok(())
}

/// The parts of `memref.reinterpret_cast` besides its operand and type.
pub(crate) fn with_metadata(
    cx: &dl_ir::Context,
    state: OpState,
    offset: Index,
    sizes: &[Index],
    strides: &[Index],
) -> OpState {
    let lists = [split(&[offset]), split(sizes), split(strides)];
    let lens: SmallVec<[usize; 4]> = std::iter::once(1).chain(lists.iter().map(|(_, values)| values.len())).collect();
    let names = ["static_offsets", "static_sizes", "static_strides"];
    names.into_iter().zip(lists).fold(state.operand_segments(cx, &lens), |state, (name, (constants, values))| {
        state.attr(cx, name, cx.dense_i64_array(&constants)).operands(values)
    })
}
