//! Merging of equal constants, at the start of the region they belong to.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::attributes::Attr;
use crate::entity::{OpId, OpName, RegionId};
use crate::location::Loc;
use crate::rewrite::constant_pool::constant_region;
use crate::rewriter::{InsertPoint, Rewriter};
use crate::types::Type;

/// The constants met so far, one of each kind for each region that constants go to.
#[derive(Default)]
pub(super) struct Constants {
    unique: FxHashMap<(RegionId, OpName, Attr, Type), OpId>,
    owned: FxHashSet<OpId>,
}

impl Constants {
    /// If `op` is a constant: merges it with an equal one met before, or moves it behind the others at the start of the region
    /// that it belongs to. Answers whether it is gone; constants that are kept are worked on like other operations.
    pub(super) fn insert(&mut self, rw: &mut Rewriter<'_>, op: OpId) -> bool {
        let view = rw.op(op);
        if view.num_results() != 1 {
            return false;
        }
        let Some(value) = view.constant_value().map(|attr| attr.id()) else { return false };
        let Some(block) = view.block().map(|block| block.id()) else { return false };
        let Some(region) = constant_region(rw, block) else { return false };
        let key = (region, view.name_id(), value, view.result(0).ty().id());
        if let Some(&known) = self.unique.get(&key) {
            let result = rw.ir().result(known, 0);
            rw.replace(op, &[result]);
            rw.set_loc(known, Loc::UNKNOWN);
            return true;
        }
        let Some(start) = rw.ir().entry_block(region) else { return false };
        let first = rw.block(start).first_op().map(|op| op.id());
        let follows_owned = rw.op(op).prev().is_some_and(|prev| self.owned.contains(&prev.id()));
        if block != start || (first != Some(op) && !follows_owned) {
            rw.move_to(op, InsertPoint { block: start, before: first });
            if block != start {
                rw.set_loc(op, Loc::UNKNOWN);
            }
        }
        self.unique.insert(key, op);
        self.owned.insert(op);
        false
    }
}
