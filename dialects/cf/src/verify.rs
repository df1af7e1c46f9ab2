//! Verifiers.

use dl_ir::interfaces::verify_branch;
use dl_ir::{Diagnostic, OpRef, OpView};

use crate::SwitchOp;

/// One value of the type of the flag for each case destination.
pub(crate) fn verify_switch(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let view = SwitchOp::wrap(op);
    let destinations = op.num_successors() - 1;
    let values = view.case_values();
    let (flag, count) = (view.flag().ty(), values.and_then(|v| v.ty()?.num_elements()).unwrap_or(0));
    if let Some(element) = values.and_then(|v| v.ty()?.element_type())
        && element != flag
    {
        return Err(op.error(format_args!("'flag' type ('{flag}') should match case value type ('{element}')")));
    }
    if count != destinations as u64 {
        return Err(op.error(format_args!(
            "number of case values ({count}) should match number of case destinations ({destinations})"
        )));
    }
    let segments = view.case_operand_segments().dense_ints();
    let (groups, total) = segments.fold((0, 0_i64), |(n, sum), len| (n + 1, sum.saturating_add(len.max(0))));
    if groups != destinations || total != view.case_operands().len() as i64 {
        return Err(op.error(format_args!(
            "operand count ({}) does not match with the total size ({total}) specified in attribute 'case_operand_segments'",
            view.case_operands().len()
        )));
    }
    verify_branch(op)
}
