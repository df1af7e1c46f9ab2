//! Pretty form of `gpu.warp_execute_on_lane_0`.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{OpDefinition, OpRef, OpState, OpView};

use crate::{WarpExecuteOnLane0Op, YieldOp};

/// `(%lane)[32] args(%a : type) -> (types) {...} attributes`.
pub(crate) fn parse_warp(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    p.parse_l_paren()?;
    let lane = p.parse_operand()?;
    p.parse_r_paren()?;
    p.resolve_operand(lane, cx.index_type(), state)?;
    p.parse_l_square()?;
    let size = p.parse_integer()?;
    state.set_attr(cx.ident("warp_size"), cx.i64_attr(size));
    p.parse_r_square()?;
    if p.parse_optional_keyword("args") {
        p.parse_l_paren()?;
        let loc = p.loc();
        let args = p.parse_operand_list(dl_ir::text::Delimiter::None)?;
        let types = p.parse_colon_type_list()?;
        p.parse_r_paren()?;
        p.resolve_operands_with(&args, &types, loc, state)?;
    }
    state.results.extend(p.parse_optional_arrow_type_list()?);
    let region = p.parse_region(state, &[])?;
    p.ensure_terminator(state, region, cx.op_name(YieldOp::NAME));
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_warp`] reads.
pub(crate) fn print_warp(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = WarpExecuteOnLane0Op::wrap(op);
    p.text("(");
    p.operand(view.laneid());
    p.text(")[");
    p.int(view.warp_size().as_int().unwrap_or(0));
    p.text("]");
    let args = view.args();
    if !args.is_empty() {
        p.text(" args(");
        p.operands(args.iter());
        p.text(" : ");
        p.types(args.types());
        p.text(")");
    }
    let has_results = op.num_results() != 0;
    if has_results {
        p.text(" -> (");
        p.types(op.results().types());
        p.text(")");
    }
    p.text(" ");
    p.region(view.warp_region(), true, has_results);
    p.attr_dict(op, &["warp_size"]);
}
