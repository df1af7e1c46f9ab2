//! Constants made where they are needed, each once.

use rustc_hash::FxHashMap;

use crate::arena::Arena;
use crate::attributes::Attr;
use crate::entity::{BlockId, Ident, OpName, RegionId, ValueId};
use crate::interfaces::MaterializesConstants;
use crate::location::Loc;
use crate::opdef::Trait;
use crate::rewriter::{InsertPoint, Rewriter};
use crate::types::Type;

/// The constants made in one arena, at the start of the regions that constants go to.
#[derive(Default)]
pub struct ConstantPool {
    /// By region, and by the dialect that has been asked for the constant or that it is of.
    made: FxHashMap<(RegionId, Ident, Attr, Type), ValueId>,
}

impl ConstantPool {
    /// The constant `value` of type `ty` that can be used in `block`, made by the dialect of `origin` if it is not there yet. `None`
    /// when the dialect cannot make it.
    pub fn get(
        &mut self,
        rw: &mut Rewriter<'_>,
        block: BlockId,
        origin: OpName,
        value: Attr,
        ty: Type,
    ) -> Option<ValueId> {
        let region = constant_region(rw, block)?;
        let cx = rw.cx();
        let dialect = |name: OpName| cx.find_ident(cx.op_info(name).dialect());
        let key = (region, dialect(origin)?, value, ty);
        if let Some(&known) = self.made.get(&key) {
            return Some(known);
        }
        let make = cx.dialect(cx.op_info(origin).dialect())?.materialize_constant?;
        let start = rw.ir().entry_block(region)?;
        let before = rw.block(start).first_op().map(|op| op.id());
        rw.set_insertion_point(Some(InsertPoint { block: start, before }));
        let constant = make(rw, value, ty, Loc::UNKNOWN)?;
        // Another dialect may have asked for the same constant of this one.
        let of_its_own = (region, dialect(rw.op(constant).name_id())?, value, ty);
        let result = rw.ir().result(constant, 0);
        let known = *self.made.entry(of_its_own).or_insert(result);
        if known != result {
            rw.erase(constant);
        }
        self.made.insert(key, known);
        Some(known)
    }
}

/// The region that constants used in `block` go to: the closest one around it whose operation is not registered, isolated,
/// or says that it takes constants.
pub(super) fn constant_region(rw: &Rewriter<'_>, block: BlockId) -> Option<RegionId> {
    let ir = rw.ir();
    let mut region = ir.region_of(block)?;
    loop {
        let parent = ir.region_parent(region)?;
        let info = rw.op(parent).info();
        let stops = parent == Arena::ROOT
            || !info.is_registered()
            || info.has_trait(&Trait::IsolatedFromAbove)
            || info.interface::<dyn MaterializesConstants>().is_some();
        if stops {
            return Some(region);
        }
        region = ir.region_of(ir.block_of(parent)?)?;
    }
}
