//! Merging of equal constants, at the start of the region they belong to.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::attributes::Attr;
use crate::entity::{OpId, OpName, RegionId};
use crate::location::Loc;
use crate::rewrite::constant_pool::constant_region;
use crate::rewriter::{InsertPoint, Rewriter};
use crate::types::Type;

/// The constants met so far, one of each kind for each region that constants go to.
pub(super) struct Constants {
    unique: FxHashMap<(RegionId, OpName, Attr, Type), OpId>,
    /// By operation: whether it is one of those.
    owned: Vec<bool>,
}

impl Constants {
    /// No constants yet, of an arena with so many slots of operations.
    pub(super) fn new(op_slots: usize) -> Self {
        Self { unique: FxHashMap::default(), owned: vec![false; op_slots] }
    }

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
        let Some(start) = rw.ir().entry_block(region) else { return false };
        match self.unique.entry(key) {
            Entry::Occupied(known) => {
                let known = *known.get();
                let result = rw.ir().result(known, 0);
                rw.replace(op, &[result]);
                rw.set_loc(known, Loc::UNKNOWN);
                return true;
            }
            Entry::Vacant(place) => {
                place.insert(op);
            }
        }
        let first = rw.block(start).first_op().map(|op| op.id());
        let follows_owned = rw.op(op).prev().is_some_and(|prev| self.owned[prev.id().index()]);
        if block != start || (first != Some(op) && !follows_owned) {
            rw.move_to(op, InsertPoint { block: start, before: first });
            if block != start {
                rw.set_loc(op, Loc::UNKNOWN);
            }
        }
        self.owned[op.index()] = true;
        false
    }
}
