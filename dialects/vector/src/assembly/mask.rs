//! `%mask, %passthru { op } : type -> type`.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{OpRef, OpState, RegionId, ValueId};
use smallvec::SmallVec;

use crate::{MaskOp, YieldOp};

pub(crate) fn parse_mask(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let mask = p.parse_operand()?;
    let passthru = if p.parse_optional_comma() { Some(p.parse_operand()?) } else { None };
    let region = p.parse_region(state, &[])?;
    p.ensure_block(state, region);
    yield_results(p, state, region);
    p.parse_optional_attr_dict(state)?;
    let mask_type = p.parse_colon_type()?;
    let results = p.parse_optional_arrow_type_list()?;
    p.resolve_operand(mask, mask_type, state)?;
    if let Some(passthru) = passthru {
        let Some(&ty) = results.first() else {
            return Err(p.error_at(state.loc, "expects a result if passthru operand is provided"));
        };
        p.resolve_operand(passthru, ty, state)?;
    }
    state.results.extend(results);
    Ok(())
}

/// Ends the region: where it holds one operation alone, with the results of that, else with nothing, which the verifier looks at.
fn yield_results(p: &mut OpParser<'_>, state: &OpState, region: RegionId) {
    let mut rw = p.rewriter();
    let Some(block) = rw.ir().entry_block(region) else { return };
    if rw.block(block).last_op().is_some_and(|last| last.is::<YieldOp<'_>>()) {
        return;
    }
    let first = rw.block(block).first_op();
    let only = first.filter(|first| first.next().is_none());
    let values: SmallVec<[ValueId; 4]> =
        only.map_or(SmallVec::new(), |only| only.results().iter().map(|v| v.id()).collect());
    let point = rw.insertion_point();
    rw.set_insertion_to_end(block);
    rw.create(OpState::of::<YieldOp<'_>>(state.loc).operands(values));
    rw.set_insertion_point(point);
}

pub(crate) fn print_mask(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let mask = MaskOp(op);
    p.text(" ");
    p.operands(op.operands().iter());
    p.text(" { ");
    if let Some(masked) = op.region(0).entry().and_then(|block| block.first_op()) {
        p.custom_or_generic(masked);
    }
    p.text(" }");
    p.attr_dict(op, &[]);
    p.text(" : ");
    p.ty(mask.mask().ty().id());
    if op.num_results() > 0 {
        p.text(" -> ");
        p.types(op.results().types());
    }
}
