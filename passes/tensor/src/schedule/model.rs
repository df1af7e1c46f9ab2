//! What may change places in a block, and what memory it takes.

use dl_ir::effects::{is_memory_effect_free, is_speculatable};
use dl_ir::interfaces::tied_operand;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, BlockId, Context, OpId, OpRef, TypeRef, ValueId, ValueRef};
use dl_tensor::{CastOp, CollapseShapeOp, ExpandShapeOp, ExtractSliceOp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::order::{Buffer, Problem, Unit};

/// A block as a problem of order.
///
/// Each operation but the terminator is a unit, or leaves are none: those that need no tensor, as `tensor.empty`, constants and arithmetic on
/// numbers, each of which is put right before the first unit that needs it.
pub(super) struct Model {
    pub(super) problem: Problem,
    /// The operation of each unit.
    ops: Vec<OpId>,
    /// For each operation of the block, those of the block whose results it uses, itself or inside.
    needs: FxHashMap<OpId, Vec<OpId>>,
    /// All operations of the block in their order, without the terminator.
    all: Vec<OpId>,
    /// The terminator, if there is one.
    end: Option<OpId>,
}

impl Model {
    /// The operations of `block`, all or without leaves, where dynamic dimensions have `extent` and operations need what `inside` says inside
    /// their regions.
    pub(super) fn new(
        cx: &Context,
        ir: &Arena,
        block: BlockId,
        extent: u64,
        inside: &FxHashMap<OpId, u64>,
        with_leaves: bool,
    ) -> Self {
        let view = |op: OpId| OpRef::new(cx, ir, op);
        let mut all: Vec<OpId> = ir.block_ops(block).collect();
        let end = all.pop_if(|&mut op| view(op).has_trait(&dl_ir::opdef::Trait::Terminator));
        let needs: FxHashMap<OpId, Vec<OpId>> =
            all.iter().chain(&end).map(|&op| (op, needed_in_block(ir, op, block))).collect();
        let buffers = buffers_of(cx, ir, &all, extent);
        let is_unit =
            |op: &OpId| with_leaves || inside.contains_key(op) || !is_leaf(view(*op), &needs[op], ir, &buffers);
        let ops: Vec<OpId> = all.iter().copied().filter(is_unit).collect();
        let units: FxHashMap<OpId, usize> = ops.iter().enumerate().map(|(unit, &op)| (op, unit)).collect();
        let weighty = weighty(ir, &all, &needs, &units, &buffers);

        let mut problem = Problem::default();
        let mut numbers: FxHashMap<ValueId, usize> = FxHashMap::default();
        let (mut last_effect, mut fallible): (Option<usize>, Vec<usize>) = (None, Vec::new());
        for (unit, &op) in ops.iter().enumerate() {
            let needed = through_leaves(op, &needs, &units, &weighty);
            let mut after: Vec<usize> = needed.iter().filter_map(|op| units.get(op).copied()).collect();
            let has_effect = !is_memory_effect_free(view(op));
            if has_effect {
                after.extend(last_effect.replace(unit));
                after.append(&mut fallible);
            } else if !is_speculatable(view(op)) {
                after.extend(last_effect);
                fallible.push(unit);
            }
            after.sort_unstable();
            after.dedup();
            let mut touched = Vec::new();
            for buffer in
                needed.iter().chain([&op]).flat_map(|&op| ir.results(op)).filter_map(|value| buffers.get(&value))
            {
                let number = *numbers.entry(buffer.root).or_insert_with(|| {
                    problem.buffers.push(Buffer { bytes: buffer.bytes, ..Buffer::default() });
                    problem.buffers.len() - 1
                });
                if !touched.contains(&number) {
                    touched.push(number);
                    problem.buffers[number].users.push(unit);
                }
            }
            problem.units.push(Unit { after, buffers: touched, inside: inside.get(&op).copied().unwrap_or(0) });
        }
        for value in all.iter().flat_map(|&op| ir.results(op)) {
            let Some(place) = buffers.get(&value) else { continue };
            let is_needed_later = ir.uses(value).any(|(user, _)| {
                let here = std::iter::successors(Some(user), |&op| ir.parent_op(op)).find(|op| needs.contains_key(op));
                here.is_none() || here == end
            });
            if let Some(&number) = numbers.get(&place.root).filter(|_| is_needed_later) {
                problem.buffers[number].outlives = true;
            }
        }
        Self { problem, ops, needs, all, end }
    }

    /// Numbers of the units of `ops`, all of which are units.
    pub(super) fn units(&self, ops: &[OpId]) -> Vec<usize> {
        let numbers: FxHashMap<OpId, usize> = self.ops.iter().enumerate().map(|(unit, &op)| (op, unit)).collect();
        ops.iter().map(|op| numbers[op]).collect()
    }

    /// What each unit needs inside, as `inside` says.
    pub(super) fn insides(&self, inside: &FxHashMap<OpId, u64>) -> Vec<u64> {
        self.ops.iter().map(|op| inside.get(op).copied().unwrap_or(0)).collect()
    }

    /// The terminator of the block, if it has one.
    pub(super) fn end(&self) -> Option<OpId> {
        self.end
    }

    /// All operations of the block but its terminator, in an order of the units.
    pub(super) fn program_order(&self, units: &[usize]) -> Vec<OpId> {
        let mut placed: FxHashSet<OpId> = FxHashSet::default();
        let mut order = Vec::with_capacity(self.all.len());
        // What no unit needs comes last.
        let wanted = units.iter().map(|&unit| self.ops[unit]).chain(self.all.iter().copied());
        for op in wanted {
            let mut pending = vec![(op, false)];
            while let Some((op, is_ready)) = pending.pop() {
                if placed.contains(&op) {
                    continue;
                }
                if is_ready {
                    placed.insert(op);
                    order.push(op);
                } else {
                    pending.push((op, true));
                    pending.extend(self.needs[&op].iter().rev().map(|&needed| (needed, false)));
                }
            }
        }
        order
    }
}

/// Where a tensor lies.
#[derive(Clone, Copy)]
struct Place {
    /// The first value that lies there.
    root: ValueId,
    bytes: u64,
}

/// Where the tensors that `ops` define lie, those that take memory.
fn buffers_of(cx: &Context, ir: &Arena, ops: &[OpId], extent: u64) -> FxHashMap<ValueId, Place> {
    let mut places: FxHashMap<ValueId, Place> = FxHashMap::default();
    for &op in ops {
        let op = OpRef::new(cx, ir, op);
        if op.constant_value().is_some() {
            continue; // It is part of the program.
        }
        for result in op.results().iter() {
            let source = lies_in(result).map(|source| source.id());
            let bytes = bytes(result.ty(), extent);
            let place = match source {
                Some(source) => places.get(&source).copied(),
                None => (bytes > 0).then_some(Place { root: result.id(), bytes }),
            };
            if let Some(place) = place {
                places.insert(result.id(), place);
            }
        }
    }
    places
}

/// The tensor in whose memory `result` lies: what it is a part or another shape of, or the init that it is written into where nothing else uses
/// that.
fn lies_in(result: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let op = result.defining_op()?;
    let is_view = op.is::<CastOp<'_>>()
        || op.is::<CollapseShapeOp<'_>>()
        || op.is::<ExpandShapeOp<'_>>()
        || op.is::<ExtractSliceOp<'_>>();
    if is_view {
        return Some(op.operand(0));
    }
    let init = op.operand(tied_operand(op, result.index())?);
    init.has_one_use().then_some(init)
}

/// Bytes of a tensor.
fn bytes(ty: TypeRef<'_>, extent: u64) -> u64 {
    let (Some(shape), true) = (ty.shape(), ty.is_ranked_tensor()) else { return 0 };
    let elements = shape.iter().fold(1_u64, |count, &dim| count.saturating_mul(u64::try_from(dim).unwrap_or(extent)));
    let bits = ty.element_type().and_then(TypeRef::storage_bits).map_or(0, u64::from);
    elements.saturating_mul(bits.div_ceil(8))
}

/// The operations of `block` whose results `op` uses, itself or inside, each once, in their order of use.
fn needed_in_block(ir: &Arena, op: OpId, block: BlockId) -> Vec<OpId> {
    let operands = ops_in_arena(ir, op).into_iter().flat_map(|nested| ir.operands(nested));
    let mut seen = FxHashSet::default();
    let definitions = operands.filter_map(|value| ir.defining_op(value)).filter(|&def| ir.block_of(def) == Some(block));
    definitions.filter(|&def| seen.insert(def)).collect()
}

/// Whether `op` can be put anywhere before its users and frees nothing: it has no effects and uses no tensor that takes memory.
fn is_leaf(op: OpRef<'_>, needs: &[OpId], ir: &Arena, places: &FxHashMap<ValueId, Place>) -> bool {
    let takes_memory = |&needed: &OpId| ir.results(needed).any(|value| places.contains_key(&value));
    is_memory_effect_free(op) && is_speculatable(op) && !needs.iter().any(takes_memory)
}

/// The operations that are units, need one, or define a tensor that takes memory: what the place of others depends on.
fn weighty(
    ir: &Arena,
    all: &[OpId],
    needs: &FxHashMap<OpId, Vec<OpId>>,
    units: &FxHashMap<OpId, usize>,
    places: &FxHashMap<ValueId, Place>,
) -> FxHashSet<OpId> {
    let mut found: FxHashSet<OpId> = FxHashSet::default();
    for &op in all {
        let takes_memory = ir.results(op).any(|value| places.contains_key(&value));
        if units.contains_key(&op) || takes_memory || needs[&op].iter().any(|needed| found.contains(needed)) {
            found.insert(op);
        }
    }
    found
}

/// The weighty operations that `op` needs, and that leaves among those need, over any number of steps.
fn through_leaves(
    op: OpId,
    needs: &FxHashMap<OpId, Vec<OpId>>,
    units: &FxHashMap<OpId, usize>,
    weighty: &FxHashSet<OpId>,
) -> Vec<OpId> {
    let needed = |op: OpId| needs[&op].iter().rev().copied().filter(|needed| weighty.contains(needed));
    let mut seen: FxHashSet<OpId> = FxHashSet::default();
    let mut found = Vec::new();
    let mut pending: Vec<OpId> = needed(op).collect();
    while let Some(next) = pending.pop() {
        if seen.insert(next) {
            found.push(next);
            if !units.contains_key(&next) {
                pending.extend(needed(next));
            }
        }
    }
    found
}
