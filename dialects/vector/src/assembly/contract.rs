//! `{maps, iterators, kind} %lhs, %rhs, %acc : type, type into type`.

use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{Attr, Context, Ident, OpRef, OpState};
use smallvec::SmallVec;

use crate::{ContractionOp, IteratorType};

/// The attributes in front of the operands, in the order of their names.
const TRAIT_ATTRS: [&str; 3] = ["indexing_maps", "iterator_types", "kind"];

pub(crate) fn parse_contract(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let (cx, loc) = (p.cx(), p.loc());
    let traits = p.parse_attribute(None)?;
    if !cx.attr(traits).is_dictionary() {
        return Err(p.error_at(loc, "invalid kind of attribute specified"));
    }
    let lhs = p.parse_operand()?;
    p.parse_comma()?;
    let rhs = p.parse_operand()?;
    p.parse_comma()?;
    let acc = p.parse_operand()?;
    if p.parse_optional_comma() {
        let masks = p.parse_operand_list(Delimiter::None)?;
        let message = if masks.len() == 2 {
            "unsupported: mask operands; use 'vector.mask'"
        } else {
            "expected zero or exactly 2 vector mask operands"
        };
        return Err(p.error_at(state.loc, message));
    }
    p.parse_optional_attr_dict(state)?;
    let types = p.parse_colon_type_list()?;
    p.parse_keyword("into")?;
    let result = p.parse_type()?;
    // More may be written, and says nothing: the accumulator has the type of the result.
    let [lhs_type, rhs_type, ..] = types[..] else {
        return Err(p.error_at(loc, "expected the types of two operands"));
    };
    p.resolve_operand(lhs, lhs_type, state)?;
    p.resolve_operand(rhs, rhs_type, state)?;
    p.resolve_operand(acc, result, state)?;
    state.results.push(result);
    for &(name, value) in cx.attr(traits).entries() {
        state.set_attr(name, value);
    }
    let Some(names) = state.get_attr(cx, "iterator_types").filter(|&names| cx.attr(names).is_array()) else {
        return Err(p.error_at(loc, "expected \"iterator_types\" array attribute"));
    };
    let mut iterators = Vec::new();
    for name in cx.attr(names).elements() {
        let Some(keyword) = name.as_str() else { continue };
        match iterator_attr(cx, keyword) {
            Some(iterator) => iterators.push(iterator),
            None => return Err(p.error_at(loc, format!("unexpected iterator_type ({keyword})"))),
        }
    }
    state.set_attr(cx.ident("iterator_types"), cx.array_attr(&iterators));
    super::check_kind(p, state)
}

/// `#vector.iterator_type<keyword>`.
fn iterator_attr(cx: &Context, keyword: &str) -> Option<Attr> {
    let all = [IteratorType::Parallel, IteratorType::Reduction];
    let found = all.into_iter().find(|iterator| iterator.keyword() == keyword)?;
    let value = cx.i64_attr(i64::try_from(found.value()).ok()?);
    Some(cx.dialect_attr("vector.iterator_type", &[value]))
}

pub(crate) fn print_contract(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let (cx, contract) = (op.cx(), ContractionOp(op));
    let iterators = |array: dl_ir::AttrRef<'_>| {
        let names = array.elements().filter_map(IteratorType::from_attr).map(|i| cx.string_attr(i.keyword()));
        cx.array_attr(&names.collect::<Vec<_>>())
    };
    let entries: SmallVec<[(Ident, Attr); 3]> = TRAIT_ATTRS
        .iter()
        .filter_map(|&name| {
            let value = op.attr_or_default(name)?;
            let shown = if name == "iterator_types" { iterators(value) } else { value.id() };
            Some((cx.ident(name), shown))
        })
        .collect();
    p.text(" ");
    p.attr_entries(&entries);
    p.text(" ");
    p.operands(op.operands().iter());
    p.attr_dict(op, &TRAIT_ATTRS);
    p.text(" : ");
    p.types([contract.lhs().ty().id(), contract.rhs().ty().id()]);
    p.text(" into ");
    p.ty(contract.result().ty().id());
}
