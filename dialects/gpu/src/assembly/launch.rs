//! Pretty form of `gpu.launch`.

use dl_ir::text::{Argument, AsmPrinter, Delimiter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{AttrRef, OpRef, OpState, OpView, ValueRef};

use super::attributions::{self, WORKGROUP_COUNT};
use super::directives::parse_async_keyword;
use crate::LaunchOp;
use crate::types::async_token;

/// Three sizes, with the region's arguments for the position along each dimension and for the size.
struct Dimensions {
    positions: Vec<Argument>,
    sizes: Vec<Argument>,
    operands: Vec<UnresolvedOperand>,
}

/// `(%x, %y, %z) in (%size_x = %a, %size_y = %b, %size_z = %c)`.
fn parse_dimensions(p: &mut OpParser<'_>) -> Parsed<Dimensions> {
    let index = p.cx().index_type();
    let loc = p.loc();
    let positions = p.parse_argument_list(Delimiter::Paren, false)?;
    p.parse_keyword("in")?;
    let (mut sizes, mut operands) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::Paren, |p| {
        sizes.push(p.parse_argument(false)?);
        p.parse_equal()?;
        operands.push(p.parse_operand()?);
        Ok(())
    })?;
    if positions.len() != 3 || sizes.len() != 3 {
        return Err(p.error_at(loc, "expected three dimensions"));
    }
    let mut positions: Vec<Argument> = positions.into_iter().collect();
    positions.iter_mut().chain(&mut sizes).for_each(|arg| arg.ty = index);
    Ok(Dimensions { positions, sizes, operands })
}

/// `async [%t] clusters(...) in (...) blocks(...) in (...) threads(...) in (...) dynamic_shared_memory_size %n module(@m)
/// function(@f) workgroup(...) private(...) {...} attributes`.
pub(crate) fn parse_launch(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let (cx, loc) = (p.cx(), p.loc());
    let is_async = parse_async_keyword(p)?;
    let tokens = p.parse_operand_list(Delimiter::OptionalSquare)?;
    p.resolve_operands(&tokens, async_token(cx), state)?;
    if is_async {
        state.results.push(async_token(cx));
    } else if p.num_named_results() > 0 {
        return Err(p.error_at(loc, "gpu.launch requires 'async' keyword to return a value"));
    }

    let clusters = if p.parse_optional_keyword("clusters") { Some(parse_dimensions(p)?) } else { None };
    p.parse_keyword("blocks")?;
    let blocks = parse_dimensions(p)?;
    p.parse_keyword("threads")?;
    let threads = parse_dimensions(p)?;
    let mut args: Vec<Argument> = Vec::with_capacity(18);
    args.extend(blocks.positions.into_iter().chain(threads.positions));
    args.extend(blocks.sizes.into_iter().chain(threads.sizes));
    p.resolve_operands(&blocks.operands, cx.index_type(), state)?;
    p.resolve_operands(&threads.operands, cx.index_type(), state)?;
    let has_clusters = clusters.is_some();
    if let Some(clusters) = clusters {
        args.extend(clusters.positions.into_iter().chain(clusters.sizes));
        p.resolve_operands(&clusters.operands, cx.index_type(), state)?;
    }
    let has_shared_size = p.parse_optional_keyword("dynamic_shared_memory_size");
    if has_shared_size {
        let size = p.parse_operand()?;
        p.resolve_operand(size, cx.i32_type(), state)?;
    }
    for name in ["module", "function"] {
        if p.parse_optional_keyword(name) {
            p.parse_l_paren()?;
            let symbol = p.parse_symbol_ref()?;
            state.set_attr(cx.ident(name), symbol);
            p.parse_r_paren()?;
        }
    }
    let before = args.len();
    attributions::parse(p, state, "workgroup", None, &mut args)?;
    state.set_attr(cx.ident(WORKGROUP_COUNT), cx.i64_attr((args.len() - before) as i64));
    attributions::parse(p, state, "private", None, &mut args)?;
    p.parse_region(state, &args)?;
    p.parse_optional_attr_dict(state)?;

    let mut sizes = [1; 11];
    sizes[0] = i32::try_from(tokens.len()).unwrap_or(i32::MAX);
    sizes[7..10].fill(i32::from(has_clusters));
    sizes[10] = i32::from(has_shared_size);
    state.set_attr(cx.ident("operandSegmentSizes"), cx.dense_i32_array(&sizes));
    Ok(())
}

fn print_dimensions(p: &mut AsmPrinter<'_>, args: &[ValueRef<'_>], at: [usize; 2], operands: [ValueRef<'_>; 3]) {
    let arg = |p: &mut AsmPrinter<'_>, i: usize| {
        if let Some(&arg) = args.get(i) {
            p.operand(arg);
        }
    };
    p.text("(");
    p.comma_separated(at[0]..at[0] + 3, arg);
    p.text(") in (");
    p.comma_separated((at[1]..at[1] + 3).zip(operands), |p, (i, operand)| {
        arg(p, i);
        p.text(" = ");
        p.operand(operand);
    });
    p.text(")");
}

/// Prints what [`parse_launch`] reads.
pub(crate) fn print_launch(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = LaunchOp::wrap(op);
    if view.async_token().is_some() {
        p.text(" async");
    }
    let tokens = view.async_dependencies();
    if !tokens.is_empty() {
        p.text(" [");
        p.operands(tokens.iter());
        p.text("]");
    }
    let args: Vec<ValueRef<'_>> = view.body().entry().into_iter().flat_map(dl_ir::BlockRef::args).collect();
    let clusters = crate::cluster_sizes(view);
    if let Some(sizes) = clusters {
        p.text(" clusters");
        print_dimensions(p, &args, [12, 15], sizes);
    }
    p.text(" blocks");
    print_dimensions(p, &args, [0, 6], [view.grid_size_x(), view.grid_size_y(), view.grid_size_z()]);
    p.text(" threads");
    print_dimensions(p, &args, [3, 9], [view.block_size_x(), view.block_size_y(), view.block_size_z()]);
    if let Some(size) = view.dynamic_shared_memory_size() {
        p.text(" dynamic_shared_memory_size ");
        p.operand(size);
    }
    for (name, symbol) in [("module", view.module()), ("function", view.function())] {
        if let Some(symbol) = symbol {
            p.text(&format!(" {name}("));
            p.attr(AttrRef::id(symbol));
            p.text(")");
        }
    }
    let buffers = args.get(if clusters.is_some() { 18 } else { 12 }..).unwrap_or_default();
    let (shared, private) = buffers.split_at(crate::workgroup_count(op).min(buffers.len()));
    attributions::print(p, "workgroup", shared.iter().copied(), None);
    attributions::print(p, "private", private.iter().copied(), None);
    p.text(" ");
    p.region(view.body(), false, true);
    p.attr_dict(op, &["operandSegmentSizes", WORKGROUP_COUNT, "module", "function"]);
}
