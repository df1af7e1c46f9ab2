//! Accesses to memory whose indices are affine.

use dl_affine::compose::compose;
use dl_affine::{
    AffineForOp, AffineIfOp, AffineLoadOp, AffineParallelOp, AffineStoreOp, AffineVectorLoadOp, AffineVectorStoreOp,
};
use dl_ir::affine::AffineMap;
use dl_ir::{AttrRef, OpRef, Trait, ValueRef};

/// An affine load or store.
#[derive(Clone, Debug)]
pub struct Access<'a> {
    /// The operation.
    pub op: OpRef<'a>,
    /// The buffer.
    pub memref: ValueRef<'a>,
    /// The indices, in canonical form: no operand is the result of an `affine.apply`.
    pub map: AffineMap,
    /// The operands of the map, dimensions first.
    pub operands: Vec<ValueRef<'a>>,
    /// Whether it stores.
    pub is_write: bool,
}

impl<'a> Access<'a> {
    /// The access that `op` is; `None` where it is none.
    pub fn of(op: OpRef<'a>) -> Option<Self> {
        let is_write = is_store(op);
        if !is_write && !is_load(op) {
            return None;
        }
        let at = usize::from(is_write);
        let map = op.attr("map").and_then(AttrRef::as_affine_map)?;
        let operands = op.operands();
        let indices = operands.slice(at + 1, operands.len() - at - 1);
        let (map, operands) = compose(op, map, indices.iter());
        Some(Self { op, memref: op.operand(at), map, operands, is_write })
    }

    /// Elements that it touches along each dimension of the buffer, from its indices on.
    pub fn shape(&self) -> Vec<i64> {
        let value = if self.is_write { self.op.operand(0) } else { self.op.result(0) };
        let rank = self.op.cx().affine().map(self.map).results.len();
        let mut shape = vec![1; rank];
        if is_vector(self.op)
            && let Some(lanes) = value.ty().shape()
        {
            let skip = rank.saturating_sub(lanes.len());
            shape[skip..].iter_mut().zip(lanes).for_each(|(slot, &size)| *slot = size);
        }
        shape
    }

    /// Whether both touch the same elements of the same buffer wherever their operands have the same values.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.memref == other.memref
            && self.map == other.map
            && self.operands == other.operands
            && self.shape() == other.shape()
    }
}

/// Whether `op` is an affine load.
pub fn is_load(op: OpRef<'_>) -> bool {
    op.is::<AffineLoadOp<'_>>() || op.is::<AffineVectorLoadOp<'_>>()
}

/// Whether `op` is an affine store.
pub fn is_store(op: OpRef<'_>) -> bool {
    op.is::<AffineStoreOp<'_>>() || op.is::<AffineVectorStoreOp<'_>>()
}

fn is_vector(op: OpRef<'_>) -> bool {
    op.is::<AffineVectorLoadOp<'_>>() || op.is::<AffineVectorStoreOp<'_>>()
}

/// The affine loops around `op` within its affine scope, outermost first. `None` where something else with regions stands between.
pub fn loops_around(op: OpRef<'_>) -> Option<Vec<OpRef<'_>>> {
    let scope = dl_affine::scope::affine_scope(op);
    let mut around = Vec::new();
    let mut each = op.parent();
    while let Some(parent) = each.filter(|&parent| Some(parent) != scope) {
        if parent.is::<AffineForOp<'_>>() || parent.is::<AffineParallelOp<'_>>() {
            around.push(parent);
        } else if !parent.is::<AffineIfOp<'_>>() {
            return None;
        }
        each = parent.parent();
    }
    around.reverse();
    Some(around)
}

/// How many induction variables there are of loops around `of`: its level among those of accesses in it. `None` as for [`loops_around`].
pub fn level_of(of: AffineForOp<'_>) -> Option<usize> {
    Some(loops_around(of.0)?.into_iter().map(variables_of).sum())
}

/// Induction variables of an affine loop.
fn variables_of(op: OpRef<'_>) -> usize {
    if op.is::<AffineForOp<'_>>() { 1 } else { op.region(0).entry().map_or(0, dl_ir::BlockRef::num_args) }
}

/// How many induction variables there are of affine loops around both operations. `None` as for [`loops_around`].
pub fn levels_around(a: OpRef<'_>, b: OpRef<'_>) -> Option<usize> {
    let (of_a, of_b) = (loops_around(a)?, loops_around(b)?);
    Some(of_a.iter().zip(&of_b).take_while(|(a, b)| a == b).map(|(op, _)| variables_of(*op)).sum())
}

/// Whether all that `op` does to memory is done by what is in its regions, as loops and conditionals do. Operations of `linalg`, which have regions
/// too, read and write by themselves.
pub(crate) fn is_structure(op: OpRef<'_>) -> bool {
    op.has_trait(&Trait::RecursiveMemoryEffects) && !op.is_stub() && op.info().hooks.effects.is_none()
}
