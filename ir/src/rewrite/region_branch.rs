//! Patterns for operations that pass values to and among their regions, through [`RegionBranchOp`] alone.
//!
//! An *input* is what receives a value: a result of the operation or an argument of one of its regions. A *slot* is an operand, of the
//! operation itself or of the end of a region, that is passed to inputs. Some slots feed several inputs (what a loop yields goes to the next
//! iteration and to the result), and some inputs are fed by several slots.
//!
//! * [`ForwardOnlyValue`]: an input that is always the same value from outside is that value.
//! * [`MergeEqualInputs`]: inputs fed by the same values are one.
//! * [`DropDeadInputs`]: inputs that nobody reads go, with the slots that feed them.
//!
//! Each costs O(slots) for a look at an operation.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::pattern::{NoMatch, Patterns, Rewrite};
use crate::arena::Definition;
use crate::entity::{OpId, RegionId, ValueId};
use crate::interfaces::{RegionBranchOp, RegionPoint, ends_region, receives_nothing};
use crate::opdef::Trait;
use crate::rewriter::{OpState, Rewriter};
use crate::view::OpRef;

/// Adds the three patterns for the operations called `root`, whose operands are not in segments.
pub fn add_region_branch_patterns(patterns: &mut Patterns, root: &'static str) {
    patterns
        .add_fn("region-branch-forward-only-value", Some(root), forward_only_value)
        .add_fn("region-branch-merge-equal-inputs", Some(root), merge_equal_inputs)
        .add_fn("region-branch-drop-dead-inputs", Some(root), drop_dead_inputs);
}

const NOT_A_REGION_BRANCH: NoMatch = NoMatch("does not say how its regions are reached");

/// An operand by which a value is passed.
type Slot = (OpId, usize);

/// That a value is passed to an input.
struct Passed {
    slot: Slot,
    value: ValueId,
    input: ValueId,
}

/// All values that are passed to and among the regions of an operation. On entry only where its constant operands, if they are asked for, leave open that control goes.
fn all_passed(op: OpRef<'_>, with_constants: bool) -> Option<SmallVec<[Passed; 8]>> {
    let branch = op.interface::<dyn RegionBranchOp>()?;
    let mut all = SmallVec::new();
    if receives_nothing(branch, op) {
        return Some(all);
    }
    let mut add = |from: OpRef<'_>, passed: crate::Operands<'_>, to: RegionPoint| {
        let inputs = branch.inputs(op, to);
        let slots = passed.range().map(|operand| (from.id(), operand)).zip(passed.iter());
        all.extend(slots.zip(&inputs).map(|((slot, value), input)| Passed {
            slot,
            value: value.id(),
            input: input.id(),
        }));
        (passed.len() == inputs.len()).then_some(())
    };
    let entries = if with_constants {
        let constants: SmallVec<[_; 8]> = op.operands().iter().map(|v| v.constant().map(crate::AttrRef::id)).collect();
        branch.entry_successors(op, &constants)
    } else {
        branch.successors(op, RegionPoint::Parent)
    };
    for to in entries {
        add(op, branch.entry_operands(op, to), to)?;
    }
    for (i, region) in op.regions().enumerate() {
        for terminator in region.blocks().filter_map(crate::BlockRef::terminator) {
            if !terminator.info().is_registered() {
                return None;
            }
            if !ends_region(terminator) {
                continue;
            }
            for to in branch.successors(op, RegionPoint::Region(i)) {
                add(terminator, branch.terminator_operands(terminator, to), to)?;
            }
        }
    }
    Some(all)
}

/// The inputs of `op`: its results, and the arguments of its regions that values are passed to.
fn inputs(op: OpRef<'_>) -> Option<impl Iterator<Item = ValueId> + '_> {
    let branch = op.interface::<dyn RegionBranchOp>()?;
    let of_regions = (0..op.num_regions()).flat_map(move |i| branch.inputs(op, RegionPoint::Region(i)));
    Some(op.results().iter().chain(of_regions).map(crate::ValueRef::id))
}

/// What an input has been found to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nothing is passed to it yet.
    Nothing,
    Only(ValueId),
    Several,
}

impl Known {
    /// Takes in that it is `other`, too. Answers whether that was news.
    fn learn(&mut self, other: Self) -> bool {
        let joined = match (*self, other) {
            (Self::Nothing, known) | (known, Self::Nothing) => known,
            (own, _) if own == other => own,
            _ => Self::Several,
        };
        std::mem::replace(self, joined) != joined
    }
}

/// The inputs that are read and always one value from outside `op`, with that value; in the order in which values are passed. O(n log n) in the number of slots.
fn only_values(op: OpRef<'_>) -> Option<Vec<(ValueId, ValueId)>> {
    let (cx, ir) = (op.cx(), op.arena());
    let all = all_passed(op, true)?;
    let mut inputs: SmallVec<[ValueId; 8]> = all.iter().map(|passed| passed.input).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let position = |value: ValueId| inputs.binary_search(&value).ok();
    // By position of the input: what it is; and in pairs, by which other inputs it is read.
    let mut known: SmallVec<[Known; 8]> = SmallVec::from_elem(Known::Nothing, inputs.len());
    let mut readers: SmallVec<[(usize, usize); 8]> = SmallVec::new();
    let mut changed: SmallVec<[usize; 8]> = SmallVec::new();
    for &Passed { value, input, .. } in &all {
        let Some(input) = position(input) else { continue };
        let from = match position(value) {
            Some(from) => {
                readers.push((from, input));
                continue;
            }
            None if crate::ValueRef::new(cx, ir, value).is_defined_in(op) => Known::Several,
            None => Known::Only(value),
        };
        if known[input].learn(from) {
            changed.push(input);
        }
    }
    readers.sort_unstable();
    // Each input changes at most twice.
    while let Some(from) = changed.pop() {
        let first = readers.partition_point(|&(read, _)| read < from);
        for &(_, input) in readers[first..].iter().take_while(|&&(read, _)| read == from) {
            let of_read = known[from];
            if known[input].learn(of_read) {
                changed.push(input);
            }
        }
    }
    let mut found = Vec::new();
    for &Passed { input, .. } in &all {
        if let Some(at) = position(input)
            && let Known::Only(value) = std::mem::replace(&mut known[at], Known::Several)
            && ir.has_uses(input)
            && ir.value_type(input) == ir.value_type(value)
        {
            found.push((input, value));
        }
    }
    Some(found)
}

/// An input that is always the same value from outside is that value: initially, and as handed on from iteration to iteration.
fn forward_only_value(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let found = only_values(rw.op(op)).ok_or(NOT_A_REGION_BRANCH)?;
    if found.is_empty() {
        return Err(NoMatch("every input that is read may be several values"));
    }
    for (input, value) in found {
        rw.replace_all_uses(input, value);
    }
    Ok(())
}

/// Whether some block has two arguments that are inputs, or the operation two results.
fn may_have_equal_inputs(op: OpRef<'_>) -> Option<bool> {
    let mut seen: SmallVec<[Definition; 4]> = SmallVec::new();
    let found = inputs(op)?.map(|input| op.arena().definition(input)).any(|definition| {
        let is_known = seen.contains(&definition);
        seen.push(definition);
        is_known
    });
    Some(found)
}

/// Arguments of one block, or results, that are fed by the same values are one.
fn merge_equal_inputs(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if !may_have_equal_inputs(view).ok_or(NOT_A_REGION_BRANCH)? {
        return Err(NoMatch("every input stands alone"));
    }
    let all = all_passed(view, false).ok_or(NOT_A_REGION_BRANCH)?;
    let mut fed: FxHashMap<ValueId, SmallVec<[ValueId; 4]>> = FxHashMap::default();
    let mut order = Vec::new();
    for &Passed { value, input, .. } in &all {
        let list = fed.entry(input).or_default();
        if list.is_empty() {
            order.push(input);
        }
        list.push(value);
    }
    let mut first: FxHashMap<(Definition, SmallVec<[ValueId; 4]>), ValueId> = FxHashMap::default();
    let mut equal = Vec::new();
    for input in order {
        let Some(list) = fed.remove(&input) else { continue };
        let known = *first.entry((rw.ir().definition(input), list)).or_insert(input);
        if known != input && rw.ir().has_uses(input) && rw.ir().value_type(known) == rw.ir().value_type(input) {
            equal.push((input, known));
        }
    }
    if equal.is_empty() {
        return Err(NoMatch("no two inputs that are read are fed by the same values"));
    }
    for (input, known) in equal {
        rw.replace_all_uses(input, known);
    }
    Ok(())
}

/// Sets of inputs and slots that can only go together.
#[derive(Default)]
struct Classes {
    parents: Vec<usize>,
}

impl Classes {
    fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }
}

/// What nobody reads.
struct Dead {
    inputs: FxHashSet<ValueId>,
    /// Operand numbers, by operation.
    slots: FxHashMap<OpId, SmallVec<[usize; 4]>>,
}

/// The inputs of `op` that nobody reads but to pass them on to such inputs, and the slots that feed them.
fn dead_inputs(op: OpRef<'_>) -> Option<Dead> {
    let all = all_passed(op, false)?;
    let ir = op.arena();
    let mut classes = Classes::default();
    let mut inputs: FxHashMap<ValueId, usize> = FxHashMap::default();
    let mut slots: FxHashMap<Slot, usize> = FxHashMap::default();
    let (mut all_inputs, mut all_slots) = (Vec::new(), Vec::new());
    for &Passed { slot, input, .. } in &all {
        let input = *inputs.entry(input).or_insert_with(|| {
            all_inputs.push((input, classes.add()));
            all_inputs[all_inputs.len() - 1].1
        });
        let slot = *slots.entry(slot).or_insert_with(|| {
            all_slots.push((slot, classes.add()));
            all_slots[all_slots.len() - 1].1
        });
        classes.unite(input, slot);
    }
    let mut live = vec![false; classes.parents.len()];
    let mut passed_to: FxHashMap<usize, SmallVec<[usize; 4]>> = FxHashMap::default();
    let mut pending = Vec::new();
    for &(input, number) in &all_inputs {
        let class = classes.find(number);
        for slot in ir.uses(input) {
            match slots.get(&slot) {
                Some(&number) => {
                    let reader = classes.find(number);
                    passed_to.entry(reader).or_default().push(class);
                }
                None if !std::mem::replace(&mut live[class], true) => pending.push(class),
                None => {}
            }
        }
    }
    while let Some(class) = pending.pop() {
        for &source in passed_to.get(&class).into_iter().flatten() {
            if !std::mem::replace(&mut live[source], true) {
                pending.push(source);
            }
        }
    }
    let mut dead = Dead { inputs: FxHashSet::default(), slots: FxHashMap::default() };
    dead.inputs
        .extend(all_inputs.into_iter().filter(|&(_, number)| !live[classes.find(number)]).map(|(input, _)| input));
    for ((owner, operand), number) in all_slots {
        if !live[classes.find(number)] {
            dead.slots.entry(owner).or_default().push(operand);
        }
    }
    Some(dead)
}

/// Inputs that nobody reads, but to pass them on to such inputs, go with the slots that feed them.
fn drop_dead_inputs(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    // Most inputs are read by something else than what passes values on.
    let is_read = |input| {
        let is_slot = |user: OpId| user == op || view.arena().parent_op(user) == Some(op);
        view.arena().uses(input).any(|(user, _)| !is_slot(user) || view.arena().next_op(user).is_some())
    };
    if inputs(view).ok_or(NOT_A_REGION_BRANCH)?.all(is_read) {
        return Err(NoMatch("every input is read"));
    }
    let dead = dead_inputs(view).ok_or(NOT_A_REGION_BRANCH)?;
    if dead.inputs.is_empty() {
        return Err(NoMatch("every input is read"));
    }
    if view.has_trait(&Trait::AttrSizedOperandSegments) || view.is_stub() {
        return Err(NoMatch("operands are in segments, or the operation is isolated"));
    }
    let regions: SmallVec<[RegionId; 2]> = view.regions().map(crate::RegionRef::id).collect();
    let kept_results: SmallVec<[bool; 4]> =
        view.results().iter().map(|result| !dead.inputs.contains(&result.id())).collect();
    // First what is passed, so that dead values which feed each other lose their uses.
    let mut owners: Vec<OpId> = dead.slots.keys().copied().collect();
    owners.sort_unstable();
    for owner in owners {
        let dropped = &dead.slots[&owner];
        let operands = rw.ir().operands(owner).enumerate();
        let operands: SmallVec<[ValueId; 4]> =
            operands.filter(|(i, _)| !dropped.contains(i)).map(|(_, value)| value).collect();
        rw.set_operands(owner, &operands);
    }
    for &region in &regions {
        let Some(entry) = rw.ir().entry_block(region) else { continue };
        for index in (0..rw.ir().block_args(entry).len()).rev() {
            if dead.inputs.contains(&rw.ir().block_args(entry)[index]) {
                rw.erase_block_arg(entry, index);
            }
        }
    }
    if kept_results.iter().all(|&kept| kept) {
        return Ok(());
    }
    let view = rw.op(op);
    let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
    let types = view.results().types();
    let kept = types.iter().zip(&kept_results).filter(|(_, kept)| **kept).map(|(&ty, _)| ty);
    let mut state = OpState::new(view.name_id(), view.loc()).operands(view.operands().ids()).attrs(attrs).results(kept);
    for region in regions {
        let new = rw.new_region();
        rw.move_blocks(region, new, None);
        state = state.region(new);
    }
    rw.set_insertion_before(op);
    let new = rw.try_create(state).map_err(|_| NoMatch("cannot be made with fewer results"))?;
    let old: SmallVec<[ValueId; 4]> = rw.ir().results(op).collect();
    let new: SmallVec<[ValueId; 4]> = rw.ir().results(new).collect();
    for (old, new) in old.into_iter().zip(&kept_results).filter(|(_, kept)| **kept).map(|(old, _)| old).zip(new) {
        rw.replace_all_uses(old, new);
    }
    rw.erase(op);
    Ok(())
}
