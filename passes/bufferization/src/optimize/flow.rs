//! Where buffers go: which values may be, or look at, the buffer that another value is.

use dl_ir::effects::effects_of;
use dl_ir::interfaces::{BranchOp, CallOp, RegionBranchOp, RegionPoint, ViewLike};
use dl_ir::opdef::Effects;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Context, OpRef, ValueId, ValueRef};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

/// A set of values in the order in which they were found.
pub(super) type Values = IndexSet<ValueId, FxBuildHasher>;

/// For each value of one arena, the values that it is handed on to directly.
#[derive(Default)]
pub(super) struct BufferFlow {
    next: FxHashMap<ValueId, SmallVec<[ValueId; 2]>>,
}

impl BufferFlow {
    /// Of all operations of `ir`. Cost O(operands, results and edges between blocks and regions).
    pub(super) fn new(cx: &Context, ir: &Arena) -> Self {
        let mut flow = Self::default();
        for op in ops_in_arena(ir, Arena::ROOT) {
            flow.add(OpRef::new(cx, ir, op));
        }
        flow
    }

    fn add(&mut self, op: OpRef<'_>) {
        if let Some(view) = op.interface::<dyn ViewLike>() {
            self.connect([view.source(op)], [view.dest(op)]);
        } else if let Some(branch) = op.interface::<dyn BranchOp>() {
            for (index, block) in op.successors().enumerate() {
                self.connect(branch.successor_operands(op, index).iter(), block.args());
            }
        } else if let Some(regions) = op.interface::<dyn RegionBranchOp>() {
            self.add_regions(op, regions);
        } else {
            // Nothing is known: any result may be any operand.
            for operand in op.operands().iter().filter(|v| v.ty().is_memref()) {
                for result in op.results().iter().filter(|v| v.ty().is_memref()) {
                    self.connect([operand], [result]);
                }
            }
        }
    }

    fn add_regions(&mut self, op: OpRef<'_>, regions: &dyn RegionBranchOp) {
        for to in regions.successors(op, RegionPoint::Parent) {
            self.connect(regions.entry_operands(op, to).iter(), regions.inputs(op, to));
        }
        for region in op.regions() {
            for to in regions.successors(op, RegionPoint::Region(region.index())) {
                for end in region.blocks().filter_map(|block| block.terminator()) {
                    self.connect(regions.terminator_operands(end, to).iter(), regions.inputs(op, to));
                }
            }
        }
    }

    fn connect<'a>(
        &mut self,
        from: impl IntoIterator<Item = ValueRef<'a>>,
        to: impl IntoIterator<Item = ValueRef<'a>>,
    ) {
        for (from, to) in from.into_iter().zip(to) {
            if from.ty().is_memref() {
                self.next.entry(from.id()).or_default().push(to.id());
            }
        }
    }

    /// Says that `to` stands where `from` stood.
    pub(super) fn rename(&mut self, from: ValueId, to: ValueId) {
        if let Some(next) = self.next.remove(&from) {
            self.next.insert(to, next);
        }
        for next in self.next.values_mut().flatten().filter(|next| **next == from) {
            *next = to;
        }
    }

    /// `value` and all values that it may be handed on to, over any number of steps.
    pub(super) fn aliases(&self, value: ValueId) -> Values {
        let mut found = Values::default();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            if found.insert(value) {
                pending.extend(self.next.get(&value).into_iter().flatten());
            }
        }
        found
    }
}

/// All operations that have one of `values` as an operand.
pub(super) fn users<'a>(
    cx: &'a Context,
    ir: &'a Arena,
    values: &'a Values,
) -> impl Iterator<Item = (OpRef<'a>, usize)> {
    values.iter().flat_map(move |&value| ValueRef::new(cx, ir, value).uses())
}

/// Whether `op` may free a buffer.
pub(super) fn frees(op: OpRef<'_>) -> bool {
    op.is::<dl_bufferization::DeallocOp<'_>>()
        || op.num_regions() == 0 && effects_of(op).is_some_and(|effects| effects.contains(Effects::FREE))
}

/// Whether operand `index` of `op`, a buffer, may be seen afterwards by what is not a buffer value of this arena: it is stored, made a
/// number, or given to a function.
pub(super) fn escapes(op: OpRef<'_>, index: usize) -> bool {
    let is_address = op.results().iter().any(|result| !result.ty().is_memref())
        && (op.is::<dl_memref::ExtractAlignedPointerAsIndexOp<'_>>()
            || op.name() == "builtin.unrealized_conversion_cast");
    let is_stored = index == 0 && (op.is::<dl_memref::StoreOp<'_>>() || op.is::<dl_affine::AffineStoreOp<'_>>());
    is_address || is_stored || op.interface::<dyn CallOp>().is_some()
}

/// The only result of `op` that it allocates, on the heap or on the stack.
pub(super) fn allocated(op: OpRef<'_>) -> Option<ValueRef<'_>> {
    let def = op.def()?;
    let allocates =
        |index: usize| def.results.get(index).is_some_and(|result| result.effects.contains(Effects::ALLOCATE));
    let mut results = op.results().iter().filter(|result| allocates(result.index()) && result.ty().is_memref());
    results.next().filter(|_| results.next().is_none())
}
