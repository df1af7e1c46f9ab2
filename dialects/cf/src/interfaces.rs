//! Interfaces.

use dl_ir::interfaces::BranchOp as BranchInterface;
use dl_ir::{Attr, OpId, OpRef, OpView, Operands, Rewriter, ValueId};

use smallvec::SmallVec;

use crate::SwitchOp;

pub(crate) struct Branch;

impl BranchInterface for Branch {
    fn successor_operands<'a>(&self, op: OpRef<'a>, _index: usize) -> Operands<'a> {
        op.operands()
    }

    fn set_successor_operands(&self, rw: &mut Rewriter<'_>, op: OpId, _index: usize, values: &[ValueId]) {
        rw.set_operands(op, values);
    }

    fn taken_successor(&self, _op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<usize> {
        Some(0)
    }
}

pub(crate) struct CondBranch;

impl BranchInterface for CondBranch {
    fn successor_operands<'a>(&self, op: OpRef<'a>, index: usize) -> Operands<'a> {
        op.operand_group(1 + index)
    }

    fn set_successor_operands(&self, rw: &mut Rewriter<'_>, op: OpId, index: usize, values: &[ValueId]) {
        rw.set_operand_group(op, 1 + index, values);
    }

    fn taken_successor(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize> {
        let condition = op.cx().attr(operands.first().copied().flatten()?).as_bool()?;
        Some(usize::from(!condition))
    }
}

pub(crate) struct Switch;

/// Where the operands of case `index` start among those of all cases, and how many there are.
fn case_range(op: SwitchOp<'_>, index: usize) -> (usize, usize) {
    let mut segments = op.case_operand_segments().dense_ints().map(|n| usize::try_from(n).unwrap_or(0));
    let start = segments.by_ref().take(index).sum();
    (start, segments.next().unwrap_or(0))
}

impl BranchInterface for Switch {
    fn successor_operands<'a>(&self, op: OpRef<'a>, index: usize) -> Operands<'a> {
        let view = SwitchOp::wrap(op);
        if index == 0 {
            return view.default_operands();
        }
        let (start, len) = case_range(view, index - 1);
        view.case_operands().slice(start, len)
    }

    fn all_successor_operands<'a>(&self, op: OpRef<'a>) -> SmallVec<[Operands<'a>; 2]> {
        let view = SwitchOp::wrap(op);
        let (all, mut start) = (view.case_operands(), 0);
        let cases = view.case_operand_segments().dense_ints().map(|len| {
            let len = usize::try_from(len).unwrap_or(0);
            start += len;
            all.slice(start - len, len)
        });
        let missing = std::iter::repeat(all.slice(0, 0));
        std::iter::once(view.default_operands()).chain(cases).chain(missing).take(op.num_successors()).collect()
    }

    fn set_successor_operands(&self, rw: &mut Rewriter<'_>, op: OpId, index: usize, values: &[ValueId]) {
        if index == 0 {
            rw.set_operand_group(op, 1, values);
            return;
        }
        let view = SwitchOp::wrap(rw.op(op));
        let (start, len) = case_range(view, index - 1);
        let mut all = view.case_operands().ids().into_vec();
        let mut segments: Vec<i32> = view.case_operand_segments().dense_ints().map(|n| n as i32).collect();
        all.splice(start..start + len, values.iter().copied());
        segments[index - 1] = values.len() as i32;
        let cx = rw.cx();
        rw.set_operand_group(op, 2, &all);
        rw.set_attr(op, cx.ident("case_operand_segments"), cx.dense_i32_array(&segments));
    }

    fn taken_successor(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize> {
        let cx = op.cx();
        let flag = operands.first().copied().flatten()?;
        let values = SwitchOp::wrap(op).case_values();
        let case = values.and_then(|values| values.dense_values()?.position(|case| case == cx.attr(flag)));
        Some(case.map_or(0, |at| at + 1))
    }
}

/// The operands that `op`, a branch of this dialect, passes to successor `index`.
pub(crate) fn passed(op: OpRef<'_>, index: usize) -> Operands<'_> {
    match op.interface::<dyn BranchInterface>() {
        Some(branch) => branch.successor_operands(op, index),
        None => op.operands().slice(0, 0),
    }
}

/// The operands that `op`, a branch of this dialect, passes to each of its successors.
pub(crate) fn passed_to_all(op: OpRef<'_>) -> SmallVec<[Operands<'_>; 2]> {
    op.interface::<dyn BranchInterface>().map(|branch| branch.all_successor_operands(op)).unwrap_or_default()
}
