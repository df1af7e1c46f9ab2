//! Where buffers come from, to tell whether two are one allocation.

use dl_ir::interfaces::{BranchOp, RegionBranchOp, RegionPoint, ViewLike};
use dl_ir::opdef::Effects;
use dl_ir::{OpRef, ValueId, ValueRef};
use dl_memref::ExtractStridedMetadataOp;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A place that a buffer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Origin {
    /// Allocated here.
    Allocation(ValueId),
    /// Given to the function.
    Argument(ValueId),
    /// Something else, which may be anything.
    Other(ValueId),
}

type Origins = IndexSet<Origin, FxBuildHasher>;

/// A buffer with the places that it comes from, which are found once for many questions.
pub(super) struct Source<'a> {
    value: ValueRef<'a>,
    origins: Origins,
}

impl<'a> Source<'a> {
    /// Of `value`. Costs O(operations on the way to where it comes from).
    pub(super) fn of(value: ValueRef<'a>) -> Self {
        let value = without_metadata(value);
        Self { value, origins: origins(value) }
    }

    /// Whether both lie in one allocation; `None` when that is not known.
    pub(super) fn is_same_allocation(&self, other: &Self) -> Option<bool> {
        if self.value == other.value {
            return Some(true);
        }
        if self.origins.len() == 1 && self.origins == other.origins {
            return Some(true);
        }
        if !self.is_known() || !other.is_known() {
            return None;
        }
        let disjoint = self.origins.iter().all(|origin| !other.origins.contains(origin));
        let apart = disjoint && (self.is_new() || other.is_new());
        (apart || is_newer(self.value, other.value) || is_newer(other.value, self.value)).then_some(false)
    }

    fn is_known(&self) -> bool {
        !self.origins.iter().any(|origin| matches!(origin, Origin::Other(_)))
    }

    /// Whether it is allocated by operations that have been seen.
    fn is_new(&self) -> bool {
        self.origins.iter().all(|origin| matches!(origin, Origin::Allocation(_)))
    }
}

/// For each of these buffers, whether it is known that none of the others lies in one allocation with it. Mostly O(buffers), else quadratic.
pub(super) fn alone(all: &[Source<'_>]) -> Vec<bool> {
    let mut shared: FxHashMap<Origin, usize> = FxHashMap::default();
    all.iter().flat_map(|source| &source.origins).for_each(|&origin| *shared.entry(origin).or_default() += 1);
    let all_known = all.iter().all(Source::is_known);
    let is_alone = |(i, source): (usize, &Source<'_>)| {
        let is_new = source.is_new() && !source.origins.is_empty();
        if all_known && is_new && source.origins.iter().all(|origin| shared[origin] == 1) {
            return true;
        }
        let mut others = all.iter().enumerate().filter(|(j, _)| *j != i);
        others.all(|(_, other)| other.is_same_allocation(source) == Some(false))
    };
    all.iter().enumerate().map(is_alone).collect()
}

/// Whether `a` and `b` lie in one allocation; `None` when that is not known.
pub(super) fn same_allocation(a: ValueRef<'_>, b: ValueRef<'_>) -> Option<bool> {
    Source::of(a).is_same_allocation(&Source::of(b))
}

/// The buffer that `value` is the base of, or itself.
fn without_metadata(value: ValueRef<'_>) -> ValueRef<'_> {
    value.def::<ExtractStridedMetadataOp<'_>>().map_or(value, ExtractStridedMetadataOp::source)
}

/// Whether `new` is allocated by an operation of the block that `old` is an argument of: `old` was there before, so it is at most
/// what the operation allocated in an earlier round.
fn is_newer(new: ValueRef<'_>, old: ValueRef<'_>) -> bool {
    let block = new.defining_op().filter(|_| allocates(new)).and_then(OpRef::block);
    block.is_some() && block == old.owner_block()
}

/// All places that `value` may come from.
fn origins(value: ValueRef<'_>) -> Origins {
    let mut found = IndexSet::default();
    let mut seen: IndexSet<ValueId, FxBuildHasher> = IndexSet::default();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !seen.insert(value.id()) {
            continue;
        }
        match value.defining_op() {
            Some(op) => of_result(op, value, &mut pending, &mut found),
            None => of_argument(value, &mut pending, &mut found),
        }
    }
    found
}

fn of_result<'a>(op: OpRef<'a>, value: ValueRef<'a>, pending: &mut Vec<ValueRef<'a>>, found: &mut Origins) {
    if allocates(value) {
        found.insert(Origin::Allocation(value.id()));
    } else if let Some(view) = op.interface::<dyn ViewLike>() {
        pending.push(view.source(op));
    } else if let Some(metadata) = op.cast::<ExtractStridedMetadataOp<'_>>() {
        pending.push(metadata.source());
    } else if let Some(select) = op.cast::<dl_arith::SelectOp<'_>>() {
        pending.extend([select.true_value(), select.false_value()]);
    } else if op.interface::<dyn RegionBranchOp>().is_some() {
        pending.extend(sources(op, RegionPoint::Parent, value.index()));
    } else {
        found.insert(Origin::Other(value.id()));
    }
}

fn of_argument<'a>(value: ValueRef<'a>, pending: &mut Vec<ValueRef<'a>>, found: &mut Origins) {
    let Some(block) = value.owner_block() else { return };
    let parent = block.parent_op();
    if !block.is_entry() {
        for (op, successor) in block.predecessor_ops() {
            match op.interface::<dyn BranchOp>().and_then(|b| b.successor_operands(op, successor).get(value.index())) {
                Some(passed) => pending.push(passed),
                None => drop(found.insert(Origin::Other(value.id()))),
            }
        }
    } else if parent.is_some_and(|op| op.is::<dl_func::FuncOp<'_>>()) {
        found.insert(Origin::Argument(value.id()));
    } else if let Some((op, region)) =
        parent.zip(block.region()).filter(|(op, _)| op.interface::<dyn RegionBranchOp>().is_some())
    {
        pending.extend(sources(op, RegionPoint::Region(region.index()), value.index()));
    } else {
        found.insert(Origin::Other(value.id()));
    }
}

/// The values that input `index` of `to` may receive.
fn sources(op: OpRef<'_>, to: RegionPoint, index: usize) -> Vec<ValueRef<'_>> {
    let Some(branch) = op.interface::<dyn RegionBranchOp>() else { return Vec::new() };
    // Inputs may leave out arguments that the operation makes itself, such as induction variables.
    let inputs = branch.inputs(op, to);
    let values: Vec<ValueRef<'_>> = match to {
        RegionPoint::Parent => op.results().iter().collect(),
        RegionPoint::Region(region) => op.region(region).entry().map(|b| b.args().collect()).unwrap_or_default(),
    };
    let Some(at) = values.get(index).and_then(|wanted| inputs.iter().position(|input| input == wanted)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if branch.successors(op, RegionPoint::Parent).contains(&to) {
        found.extend(branch.entry_operands(op, to).get(at));
    }
    for (i, region) in op.regions().enumerate() {
        if !branch.successors(op, RegionPoint::Region(i)).contains(&to) {
            continue;
        }
        for end in region.blocks().filter_map(|block| block.terminator()) {
            found.extend(branch.terminator_operands(end, to).get(at));
        }
    }
    found
}

/// Whether `value` is a new allocation of its operation.
pub(super) fn allocates(value: ValueRef<'_>) -> bool {
    let Some(op) = value.defining_op() else { return false };
    let Some(def) = op.def() else { return false };
    def.results
        .iter()
        .enumerate()
        .any(|(i, result)| result.effects.contains(Effects::ALLOCATE) && op.result_group(i).iter().any(|r| r == value))
}
