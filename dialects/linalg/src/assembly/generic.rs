//! `linalg.generic {maps, iterators} ins(...) outs(...) attrs = {...} { body } -> types`.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{Attr, Context, Ident, Loc, OpRef, OpState};

use super::parts::{parse_parts, print_parts};
use crate::IteratorType;

/// The attributes that stand in the first dictionary.
const TRAITS: [&str; 4] = ["doc", "indexing_maps", "library_call", "iterator_types"];

/// `"parallel"` for each iterator attribute.
fn iterators_as_strings(cx: &Context, attr: Attr) -> Attr {
    let keyword = |attr: dl_ir::AttrRef<'_>| match IteratorType::from_attr(attr) {
        Some(iterator) => cx.string_attr(iterator.keyword()),
        None => attr.id(),
    };
    let strings: Vec<Attr> = cx.attr(attr).elements().map(keyword).collect();
    cx.array_attr(&strings)
}

pub(crate) fn print_generic(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let cx = op.cx();
    let is_trait = |name: Ident| TRAITS.contains(&cx.str(name));
    let entries: Vec<(Ident, Attr)> = op
        .attrs()
        .filter(|(name, _)| is_trait(*name))
        .map(|(name, attr)| {
            let iterators = cx.str(name) == "iterator_types";
            (name, if iterators { iterators_as_strings(cx, attr.id()) } else { attr.id() })
        })
        .collect();
    if !entries.is_empty() {
        p.text(" ");
        p.attr(cx.dictionary_attr(&entries));
    }
    print_parts(op, p);
    let elided = |name: Ident| is_trait(name) || cx.str(name) == "operandSegmentSizes";
    if op.attrs().any(|(name, _)| !elided(name)) {
        p.text(" attrs = ");
        p.attr_dict(op, &["doc", "indexing_maps", "library_call", "iterator_types", "operandSegmentSizes"]);
    }
    if !op.region(0).is_empty() {
        p.text(" ");
        p.region(op.region(0), true, true);
    }
    p.optional_arrow_types(&op.results().types());
}

pub(crate) fn parse_generic(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let loc = p.loc();
    let traits = p.parse_attribute(None)?;
    let traits = cx.attr(traits);
    if !traits.is_dictionary() {
        return Err(p.error_at(loc, "invalid kind of attribute specified"));
    }
    let loc = p.loc();
    for &(name, attr) in traits.entries() {
        let attr = if cx.str(name) == "iterator_types" { iterators_from_strings(p, attr, loc)? } else { attr };
        state.set_attr(name, attr);
    }
    parse_parts(p, state, true)?;
    if p.parse_optional_keyword("attrs") {
        p.parse_equal()?;
        p.parse_optional_attr_dict(state)?;
    }
    p.parse_region(state, &[])?;
    let types = p.parse_optional_arrow_type_list()?;
    state.results.extend(types);
    Ok(())
}

/// `#linalg.iterator_type<parallel>` for each string; other attributes stay, for the verifier to look at.
fn iterators_from_strings(p: &mut OpParser<'_>, attr: Attr, loc: Loc) -> Parsed<Attr> {
    let cx = p.cx();
    let mut iterators = Vec::new();
    for each in cx.attr(attr).elements() {
        let Some(keyword) = each.as_str() else {
            iterators.push(each.id());
            continue;
        };
        match IteratorType::def().value(keyword).and_then(IteratorType::from_value) {
            Some(iterator) => iterators.push(iterator.attr(cx)),
            None => {
                return Err(p.error_at(loc, format!("unexpected iterator_type ({keyword})")));
            }
        }
    }
    Ok(cx.array_attr(&iterators))
}
