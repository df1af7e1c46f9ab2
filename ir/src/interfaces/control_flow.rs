//! Branches between blocks, and between an operation and its regions.

use std::ops::Range;

use smallvec::SmallVec;

use crate::entity::OpId;
use crate::opdef::{Arity, Trait};
use crate::rewriter::Rewriter;
use crate::view::{OpRef, ValueRef};

/// What a branch passes to the arguments of one successor block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuccessorOperands {
    /// How many of the first arguments the operation produces itself.
    pub produced: usize,
    /// The numbers of the operands that the arguments after those receive, in order.
    pub forwarded: Range<usize>,
}

impl SuccessorOperands {
    /// All arguments receive operands.
    pub fn forwarded(forwarded: Range<usize>) -> Self {
        Self { produced: 0, forwarded }
    }

    /// The number of the operand that argument `index` receives.
    pub fn operand(&self, index: usize) -> Option<usize> {
        let at = self.forwarded.start + index.checked_sub(self.produced)?;
        self.forwarded.contains(&at).then_some(at)
    }
}

/// A terminator that passes operands to the arguments of its successors.
pub trait BranchOp: Send + Sync {
    /// What successor number `successor` receives.
    fn successor_operands(&self, op: OpRef<'_>, successor: usize) -> SuccessorOperands;

    /// Removes the operand that argument `arg` of successor `successor` receives.
    fn erase_successor_operand(&self, rw: &mut Rewriter<'_>, op: OpId, successor: usize, arg: usize) {
        if let Some(operand) = self.successor_operands(rw.op(op), successor).operand(arg) {
            erase_operand_of_group(rw, op, operand);
        }
    }
}

/// Removes operand `operand` of a variadic group and counts the group, and the group of groups, one shorter.
pub fn erase_operand_of_group(rw: &mut Rewriter<'_>, op: OpId, operand: usize) {
    let cx = rw.cx();
    let view = rw.op(op);
    let groups = view.def().map_or(0, |def| def.operands.len());
    let ranges: SmallVec<[Range<usize>; 4]> = (0..groups).map(|i| view.operand_group(i).range()).collect();
    let within = ranges.iter().position(|range| range.contains(&operand));
    let arity = within.and_then(|group| view.def().map(|def| def.operands[group].arity));
    let shorten = |sizes: &[i32], mut at: usize| -> SmallVec<[i32; 4]> {
        let mut sizes = SmallVec::from(sizes);
        for size in &mut sizes {
            match usize::try_from(*size) {
                Ok(len) if at < len => {
                    *size -= 1;
                    break;
                }
                Ok(len) => at -= len,
                Err(_) => break,
            }
        }
        sizes
    };
    let sizes = |name: &str| -> Option<SmallVec<[i32; 4]>> {
        view.attr(name).map(|attr| attr.dense_ints().map(|size| size as i32).collect())
    };
    let mut changes: SmallVec<[(&str, SmallVec<[i32; 4]>); 2]> = SmallVec::new();
    if view.has_trait(&Trait::AttrSizedOperandSegments)
        && let Some(old) = sizes("operandSegmentSizes")
    {
        changes.push(("operandSegmentSizes", shorten(&old, operand)));
    }
    if let (Some(Arity::Groups(name)), Some(group)) = (arity, within)
        && let Some(old) = sizes(name)
    {
        changes.push((name, shorten(&old, operand - ranges[group].start)));
    }
    for (name, sizes) in changes {
        rw.set_attr(op, cx.ident(name), cx.dense_i32_array(&sizes));
    }
    rw.erase_operand(op, operand);
}

/// A point between an operation and its regions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegionPoint {
    /// The operation itself: control comes from there at first and goes there at last.
    Parent,
    /// This region of it.
    Region(usize),
}

/// An operation that executes its regions, handing values to and fro.
pub trait RegionBranchOp: Send + Sync {
    /// Where control may go from `from`.
    fn successors(&self, op: OpRef<'_>, from: RegionPoint) -> SmallVec<[RegionPoint; 2]>;

    /// The numbers of the operands that are passed when control goes from the operation to `to`.
    fn entry_operands(&self, op: OpRef<'_>, to: RegionPoint) -> Range<usize>;

    /// The values that receive what is passed when control goes to `to`: region arguments, or results.
    fn inputs<'a>(&self, op: OpRef<'a>, to: RegionPoint) -> SmallVec<[ValueRef<'a>; 4]>;
}

/// A terminator that passes operands when control leaves a region of a [`RegionBranchOp`].
pub trait RegionBranchTerminator: Send + Sync {
    /// The numbers of the operands that are passed when control goes to `to`.
    fn operands(&self, op: OpRef<'_>, to: RegionPoint) -> Range<usize> {
        let _ = to;
        0..op.num_operands()
    }
}
