//! When two operations are equal: name, operands, attributes, result types and what is in their regions, but not locations.

use std::hash::{Hash, Hasher};

use dl_ir::opdef::Trait;
use dl_ir::{Arena, BlockRef, OpRef, ValueId, ValueRef};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

/// Equal for [`equal`] operations. What is in regions counts: loops over the same range are many, and would all have to be compared.
pub(super) fn hash(op: OpRef<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    hash_shell(op, &mut hasher, |value| value);
    if op.num_regions() > 0 {
        hash_regions(op, &mut hasher);
    }
    hasher.finish()
}

fn hash_shell(op: OpRef<'_>, hasher: &mut FxHasher, map: impl Fn(ValueId) -> ValueId) {
    op.name_id().hash(hasher);
    for (name, attr) in op.attrs() {
        (name, attr.id()).hash(hasher);
    }
    op.results().iter().for_each(|result| result.ty().id().hash(hasher));
    if op.has_trait(&Trait::Commutative) {
        operands(op, map).iter().for_each(|value| value.hash(hasher));
    } else {
        op.operands().iter().for_each(|value| map(value.id()).hash(hasher));
    }
}

/// Operations in regions that count for the hash of the operation around them: with all of them, a nest would cost its depth squared.
const MOST_INSIDE: usize = 64;

/// Of values, those of the outermost block count: they are the same for equal operations, which those that are defined inside are not.
fn hash_regions(op: OpRef<'_>, hasher: &mut FxHasher) {
    let outermost = op.arena().op_regions(Arena::ROOT).first().and_then(|&region| op.arena().entry_block(region));
    let is_outermost =
        |value: ValueId| ValueRef::new(op.cx(), op.arena(), value).parent_block().map(|b| b.id()) == outermost;
    let mut left = MOST_INSIDE;
    let mut pending = vec![op];
    while let Some(outer) = pending.pop().filter(|outer| !outer.is_stub()) {
        for inner in outer.regions().flat_map(|region| region.ops()) {
            if left == 0 {
                return;
            }
            left -= 1;
            hash_shell(inner, hasher, |value| if is_outermost(value) { value } else { ValueId::from_index(0) });
            pending.push(inner);
        }
    }
}

/// The operands, sorted where their order has no meaning.
fn operands(op: OpRef<'_>, map: impl Fn(ValueId) -> ValueId) -> SmallVec<[ValueId; 4]> {
    let mut values: SmallVec<[ValueId; 4]> = op.operands().iter().map(|value| map(value.id())).collect();
    if op.has_trait(&Trait::Commutative) {
        values.sort_unstable();
    }
    values
}

/// Whether `a` and `b`, of one arena, do the same.
pub(super) fn equal(a: OpRef<'_>, b: OpRef<'_>) -> bool {
    // What stands for the values that are defined inside `a`.
    let mut inside: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    let mut pending = vec![(a, b)];
    while let Some((a, b)) = pending.pop() {
        if !equal_shells(a, b, &inside) {
            return false;
        }
        if a.num_regions() == 0 {
            continue;
        }
        if a.num_regions() != b.num_regions() || a.is_stub() || b.is_stub() {
            return false;
        }
        for (region_a, region_b) in a.regions().zip(b.regions()) {
            let (mut blocks_a, mut blocks_b) = (region_a.blocks(), region_b.blocks());
            loop {
                match (blocks_a.next(), blocks_b.next()) {
                    (None, None) => break,
                    (Some(a), Some(b)) if pair_blocks(a, b, &mut inside, &mut pending) => {}
                    _ => return false,
                }
            }
        }
    }
    true
}

fn equal_shells(a: OpRef<'_>, b: OpRef<'_>, inside: &FxHashMap<ValueId, ValueId>) -> bool {
    a.name_id() == b.name_id()
        && a.num_operands() == b.num_operands()
        && a.attrs().map(|(n, v)| (n, v.id())).eq(b.attrs().map(|(n, v)| (n, v.id())))
        && a.results().types() == b.results().types()
        && operands(a, |value| inside.get(&value).copied().unwrap_or(value)) == operands(b, |value| value)
        && a.num_successors() == 0
        && b.num_successors() == 0
}

/// Maps what block `a` defines to what `b` defines, and asks for their operations to be compared.
fn pair_blocks<'a>(
    a: BlockRef<'a>,
    b: BlockRef<'a>,
    inside: &mut FxHashMap<ValueId, ValueId>,
    pending: &mut Vec<(OpRef<'a>, OpRef<'a>)>,
) -> bool {
    if !a.args().map(|arg| arg.ty()).eq(b.args().map(|arg| arg.ty())) {
        return false;
    }
    inside.extend(a.args().map(|arg| arg.id()).zip(b.args().map(|arg| arg.id())));
    let (mut ops_a, mut ops_b) = (a.ops(), b.ops());
    loop {
        match (ops_a.next(), ops_b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a.num_results() == b.num_results() => {
                inside.extend(a.results().ids().into_iter().zip(b.results().ids()));
                pending.push((a, b));
            }
            _ => return false,
        }
    }
}
