//! When two operations are equal: name, operands, attributes, result types and what is in their regions, but not locations.

use std::hash::{Hash, Hasher};

use dl_ir::opdef::Trait;
use dl_ir::{BlockRef, OpRef, ValueId};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

/// Equal for equal operations. Regions do not count.
pub(super) fn hash(op: OpRef<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    op.name_id().hash(&mut hasher);
    for (name, attr) in op.attrs() {
        (name, attr.id()).hash(&mut hasher);
    }
    op.results().iter().for_each(|result| result.ty().id().hash(&mut hasher));
    operands(op, |value| value).hash(&mut hasher);
    hasher.finish()
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
