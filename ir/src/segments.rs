//! Changing the operands of one definition, with the segment sizes that say where they are.

use smallvec::SmallVec;

use crate::entity::{OpId, ValueId};
use crate::opdef::Trait;
use crate::rewriter::Rewriter;

impl Rewriter<'_> {
    /// Makes `values` the operands of operand definition `group` of `op`, and keeps `operandSegmentSizes` right. The group must be
    /// variadic or keep its length.
    pub fn set_operand_group(&mut self, op: OpId, group: usize, values: &[ValueId]) {
        let view = self.op(op);
        let old = view.operand_group(group);
        let (start, len) = (old.start(), old.len());
        let count = view.def().map_or(0, |def| def.operands.len());
        let sized = view.has_trait(&Trait::AttrSizedOperandSegments);
        let mut sizes: SmallVec<[i32; 8]> = (0..count).map(|i| view.operand_group(i).len() as i32).collect();
        let mut all: SmallVec<[ValueId; 8]> = view.operands().iter().map(|v| v.id()).collect();
        all.drain(start..start + len);
        all.insert_many(start, values.iter().copied());
        self.set_operands(op, &all);
        if sized && len != values.len() {
            sizes[group] = values.len() as i32;
            let cx = self.cx();
            self.set_attr(op, cx.ident("operandSegmentSizes"), cx.dense_i32_array(&sizes));
        }
    }
}
