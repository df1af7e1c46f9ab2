//! `%lhs, %rhs, %acc {kind} : type, type`.

use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{OpRef, OpState};

use crate::OuterProductOp;
use crate::types::{is_scalable, vector_type};

pub(crate) fn parse_outer_product(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let operands = p.parse_operand_list(Delimiter::None)?;
    p.parse_optional_attr_dict(state)?;
    super::check_kind(p, state)?;
    let lhs_type = p.parse_colon_type()?;
    p.parse_comma()?;
    let rhs_type = p.parse_type()?;
    let [lhs, rhs, acc @ ..] = &operands[..] else {
        return Err(p.error_at(state.loc, "expected at least 2 operands"));
    };
    let (left, right) = (cx.ty(lhs_type), cx.ty(rhs_type));
    let (true, Some(&[rows, ..]), Some(element)) = (left.is_vector(), left.shape(), left.element_type()) else {
        return Err(p.error_at(state.loc, "expected vector type for operand #1"));
    };
    let mut shape = vec![rows];
    let mut scalable = vec![is_scalable(left, 0)];
    if right.is_vector() {
        let Some(&[columns, ..]) = right.shape() else {
            return Err(p.error_at(state.loc, "expected 1-d vector for operand #2"));
        };
        shape.push(columns);
        scalable.push(is_scalable(right, 0));
    }
    let result = vector_type(cx, &shape, &scalable, element.id());
    p.resolve_operand(*lhs, lhs_type, state)?;
    p.resolve_operand(*rhs, rhs_type, state)?;
    if let Some(&acc) = acc.first() {
        p.resolve_operand(acc, result, state)?;
    }
    state.results.push(result);
    Ok(())
}

pub(crate) fn print_outer_product(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let product = OuterProductOp(op);
    p.text(" ");
    p.operands(op.operands().iter());
    if product.acc().is_some() {
        let cx = op.cx();
        let kind = op.attr_or_default("kind").map(|kind| (cx.ident("kind"), kind.id()));
        let others = op.attrs().map(|(name, attr)| (name, attr.id()));
        let mut entries: Vec<_> = others.filter(|&(name, _)| cx.str(name) != "kind").chain(kind).collect();
        entries.sort_by_key(|&(name, _)| cx.str(name));
        p.text(" ");
        p.attr_entries(&entries);
    }
    p.text(" : ");
    p.types([product.lhs().ty().id(), product.rhs().ty().id()]);
}
